// Pose, twist and wrench. Spatial quantities are in world axes unless a name says otherwise, angular part first,
// and refer to the origin of the frame they belong to; accelerations are classical (time derivatives of w and v).
#pragma once
#include "sinew/math/check.h"
#include "sinew/math/rotation.h"

namespace sinew {

// X_AB: pose of frame B in frame A.  p_AC = X_AB * p_BC,  X_AC = X_AB * X_BC.
template <Real S>
struct Pose {
  Mat3<S> R;
  Vec3<S> p;

  SINEW_INLINE static Pose identity() { return {Mat3<S>::identity(), Vec3<S>::zero()}; }
  SINEW_INLINE Pose operator*(const Pose& b) const { return {R * b.R, p + R * b.p}; }
  SINEW_INLINE Vec3<S> operator*(const Vec3<S>& x) const { return p + R * x; }
  SINEW_INLINE Pose inverse() const { return {transpose(R), -transpose_times(R, p)}; }
};
using Posed = Pose<double>;

template <Real S>
Pose<S> broadcast(const Posed& X) {
  return {broadcast<S>(X.R), broadcast<S>(X.p)};
}

// Velocity V_WB = (w_WB, v_WB), or acceleration (alpha, a) of a frame and its origin.
template <Real S>
struct Twist {
  Vec3<S> w, v;

  Twist() = default;
  SINEW_INLINE Twist(const Vec3<S>& w_, const Vec3<S>& v_) : w(w_.numbers()), v(v_.numbers()) {}
  SINEW_INLINE Twist(const Twist& o) : w(o.w.numbers()), v(o.v.numbers()) {}
  SINEW_INLINE Twist& operator=(const Twist& o) { return w = o.w.numbers(), v = o.v.numbers(), *this; }
  SINEW_INLINE static Twist zero() { return {Vec3<S>::zero(), Vec3<S>::zero()}; }
  SINEW_INLINE Twist operator+(const Twist& b) const { return {w + b.w, v + b.v}; }
  SINEW_INLINE Twist operator-(const Twist& b) const { return {w - b.w, v - b.v}; }
};

// Force F_B = (torque n about B's origin, force f).
template <Real S>
struct Wrench {
  Vec3<S> n, f;

  Wrench() = default;
  SINEW_INLINE Wrench(const Vec3<S>& n_, const Vec3<S>& f_) : n(n_.numbers()), f(f_.numbers()) {}
  SINEW_INLINE Wrench(const Wrench& o) : n(o.n.numbers()), f(o.f.numbers()) {}
  SINEW_INLINE Wrench& operator=(const Wrench& o) { return n = o.n.numbers(), f = o.f.numbers(), *this; }
  SINEW_INLINE static Wrench zero() { return {Vec3<S>::zero(), Vec3<S>::zero()}; }
  SINEW_INLINE Wrench& operator+=(const Wrench& b) { return n += b.n, f += b.f, *this; }
};

template <Real S>
SINEW_INLINE S power(const Wrench<S>& F, const Twist<S>& V) {
  return dot(F.n, V.w) + dot(F.f, V.v);
}
// The same force about a point that lies at -r from the old one (child's origin at +r from the parent's).
template <Real S>
SINEW_INLINE Wrench<S> shift_to_parent(const Wrench<S>& F, const Vec3<S>& r) {
  return {F.n + cross(r, F.f), F.f};
}
// The velocity of a rigidly moving frame at +r.
template <Real S>
SINEW_INLINE Twist<S> shift_to_child(const Twist<S>& V, const Vec3<S>& r) {
  return {V.w, V.v + cross(V.w, r)};
}

// Rigid-body inertia about the frame's origin, in the frame's axes.
//   n = I alpha + mc x a,   f = m a - mc x alpha    (plus velocity terms)
template <Real S>
struct Inertia {
  S m;         // mass [kg]
  Vec3<S> mc;  // mass times centre of mass [kg m]
  Sym3<S> I;   // about the origin [kg m^2]
};

// About the origin, from the values about the centre of mass c (Steiner).
inline Inertia<double> inertia_at_origin(double m, const Vec3d& c, const Sym3d& I_c) {
  SINEW_ASSERT(!(m < 0.0));
  const double cc = dot(c, c);
  return {m,
          c * m,
          {I_c.xx + m * (cc - c[0] * c[0]), I_c.xy - m * c[0] * c[1], I_c.xz - m * c[0] * c[2],
           I_c.yy + m * (cc - c[1] * c[1]), I_c.yz - m * c[1] * c[2], I_c.zz + m * (cc - c[2] * c[2])}};
}

// From about the origin to about the mass centre c: I - m (c.c 1 - c c^T), mc = m c.
template <Real S>
SINEW_INLINE Sym3<S> central(const Sym3<S>& I, const Vec3<S>& c, const Vec3<S>& mc) {
  Sym3<S> I_C = I;
  const S cc = dot(c, mc);
  I_C.subtract_outer(-c, mc);
  I_C.xx -= cc;
  I_C.yy -= cc;
  I_C.zz -= cc;
  return I_C;
}

}  // namespace sinew
