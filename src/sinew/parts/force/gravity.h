// Gravity as one field: uniform, of a point mass, and of a spinning small body, round or an ellipsoid, seen in its rotating frame.
//   uniform   f = m g                                    V = -m g . p
//   point     f = -m GM rho / |rho|^3                    V = -m GM / |rho|,        rho = p - centre
//   spinning  the point mass in axes that turn with the constant rate Omega through the centre: adds to a body of mass m,
//             central inertia I, angular velocity w, velocity v of its mass centre (all relative to the turning axes)
//     f = -2 m Omega x v - m Omega x (Omega x rho)       V = -m |Omega x rho|^2 / 2 - Omega . I Omega / 2
//     n = I (w x Omega) - w x I Omega - Omega x I w - Omega x I Omega
//   ellipsoid  the same with the attraction of a homogeneous ellipsoid (ellipsoid.h) in place of the point mass
//   n is what is left of the same inertia forces summed over the body; only its last term does work.
// rho [m], GM [m^3/s^2], Omega [rad/s], f [N] at the mass centre, n [N m], V [J]. Tidal torque over one body is neglected.
// docs/theory/forces.md#gravity; the torque follows from d/dt (I (w + Omega)) = 0 in inertial axes.
#pragma once
#include <array>
#include <string_view>

#include "sinew/math/spatial.h"
#include "sinew/parts/force/ellipsoid.h"

namespace sinew {

enum class GravityKind { None, Uniform, Point, Spinning, Ellipsoid };
inline constexpr std::array<std::string_view, 5> gravity_names{"none", "uniform", "point", "spinning", "ellipsoid"};
// Seen in axes that turn.
constexpr bool turns(GravityKind kind) { return kind == GravityKind::Spinning || kind == GravityKind::Ellipsoid; }

template <Real S>
struct Gravity {
  GravityKind kind = GravityKind::Uniform;
  Vec3<S> g = broadcast<S>(Vec3d(0, 0, -9.81));  // uniform field [m/s^2]
  S GM = S(0.0);                                 // of the attracting body [m^3/s^2]
  Vec3<S> centre = Vec3<S>::zero();              // of the attracting body [m]
  Vec3<S> spin = Vec3<S>::zero();                // Omega [rad/s]
  Vec3<S> axes = broadcast<S>(Vec3d(1, 1, 1));   // semi-axes of an ellipsoid along x, y, z [m]
};

template <Real S>
Gravity<S> broadcast(const Gravity<double>& a) {
  return {a.kind, broadcast<S>(a.g), S(a.GM), broadcast<S>(a.centre), broadcast<S>(a.spin), broadcast<S>(a.axes)};
}

// Acceleration of free fall at p_WC with velocity v_WC.
template <Real S>
SINEW_INLINE Vec3<S> fall(const Gravity<S>& gravity, const Vec3<S>& p_WC, const Vec3<S>& v_WC) {
  if (gravity.kind == GravityKind::Uniform) return gravity.g;
  if (gravity.kind == GravityKind::None) return Vec3<S>::zero();
  const Vec3<S> rho = p_WC - gravity.centre;
  Vec3<S> a;
  if (gravity.kind == GravityKind::Ellipsoid) {
    a = ellipsoid_field(gravity.axes, gravity.GM, rho).acceleration;
  } else {
    const S r2 = dot(rho, rho);
    a = rho * (-gravity.GM / (r2 * sqrt(r2)));
  }
  if (turns(gravity.kind)) a -= cross(gravity.spin, v_WC) * S(2.0) + cross(gravity.spin, cross(gravity.spin, rho));
  return a;
}

// The torque of the turning axes on a body with central inertia I_C (world axes).
template <Real S>
Vec3<S> turning_torque(const Vec3<S>& spin, const Sym3<S>& I_C, const Vec3<S>& w) {
  const Vec3<S> I_spin = I_C * spin;
  return I_C * cross(w, spin) - cross(w, I_spin) - cross(spin, I_C * w) - cross(spin, I_spin);
}

template <Real S>
SINEW_INLINE S gravity_potential(const Gravity<S>& gravity, S m, const Vec3<S>& p_WC, const Sym3<S>& I_C) {
  if (gravity.kind == GravityKind::None) return S(0.0);
  if (gravity.kind == GravityKind::Uniform) return -m * dot(gravity.g, p_WC);
  const Vec3<S> rho = p_WC - gravity.centre;
  S V = gravity.kind == GravityKind::Ellipsoid ? m * ellipsoid_field(gravity.axes, gravity.GM, rho).potential
                                               : -m * gravity.GM / sqrt(dot(rho, rho));
  if (turns(gravity.kind)) {
    const Vec3<S> v = cross(gravity.spin, rho);
    V -= S(0.5) * (m * dot(v, v) + dot(gravity.spin, I_C * gravity.spin));
  }
  return V;
}

}  // namespace sinew
