#include "sinew/dynamics/inverse.h"

namespace sinew {
namespace {

// F = I a + velocity terms - gravity, about the link's origin. Vectors are turned into the link's axes instead of the
// inertia into the world's: cheaper when each is used once.
template <Real S>
SINEW_INLINE Wrench<S> newton_euler(const LinkParams<S>& p, const Frame<S>& F, const Gravity<S>& gravity,
                                    const Twist<S>& a) {
  const Mat3<S>& R = F.X.R;
  const Vec3<S> w_F = transpose_times(R, F.V.w), alpha_F = transpose_times(R, a.w);
  const Vec3<S> mc = R * p.I_F.mc, c = R * p.c_F;
  Vec3<S> free_fall = Vec3<S>::zero();
  if (gravity.kind != GravityKind::None) free_fall = fall(gravity, F.X.p + c, F.V.v + cross(F.V.w, c));
  const Vec3<S> lift = a.v - free_fall;
  Wrench<S> out;
  out.f = lift * p.I_F.m + cross(a.w, mc) + cross(F.V.w, cross(F.V.w, mc));
  out.n = R * (p.I_F.I * alpha_F + cross(w_F, p.I_F.I * w_F)) + cross(mc, lift);
  if (gravity.kind == GravityKind::Spinning)
    out.n -= turning_torque(gravity.spin, rotate(R, central(p.I_F.I, p.c_F, p.I_F.mc)), F.V.w);
  return out;
}

}  // namespace

template <Real S>
void inverse_dynamics(const Model& model, const Params<S>& params, const Frames<S>& frames, const S* u_rate,
                      const std::vector<Wrench<S>>* external, InverseWork<S>& work, S* axis_torque) {
  const int n = model.link_count();
  for (int i = 0; i < n; i++) {
    const Link& link = model.links[i];
    const Frame<S>& F = frames.link[i];
    joint::visit(link.kind, [&]<class J>() {
      Twist<S> a = F.zeta;
      if (link.parent >= 0) a = a + shift_to_child(work.a[link.parent], F.r);
      if (!link.driven)
        for (int c = 0; c < J::nu; c++) {
          if (J::dirs[c] == joint::Dir::Angular)
            a.w += frames.axis[link.axis + c] * u_rate[link.u + c];
          else
            a.v += frames.axis[link.axis + c] * u_rate[link.u + c];
        }
      work.a[i] = a;
      work.F[i] = newton_euler(params.links[i], F, params.gravity, a);
    });
    if (external) {
      const Vec3<S> c = F.X.R * params.links[i].c_F;
      const Wrench<S>& X = (*external)[i];
      work.F[i].n -= X.n + cross(c, X.f);
      work.F[i].f -= X.f;
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    const Link& link = model.links[i];
    joint::visit(link.kind, [&]<class J>() {
      for (int c = 0; c < J::nu; c++)
        axis_torque[link.axis + c] =
            dot(frames.axis[link.axis + c], J::dirs[c] == joint::Dir::Angular ? work.F[i].n : work.F[i].f);
    });
    if (link.parent >= 0) work.F[link.parent] += shift_to_parent(work.F[i], frames.link[i].r);
  }
}

#define SINEW_INSTANTIATE(S)                                                                 \
  template void inverse_dynamics(const Model&, const Params<S>&, const Frames<S>&, const S*, \
                                 const std::vector<Wrench<S>>*, InverseWork<S>&, S*);
SINEW_INSTANTIATE(double)
SINEW_INSTANTIATE(Lanes)

}  // namespace sinew
