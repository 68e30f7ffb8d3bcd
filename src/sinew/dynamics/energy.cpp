#include "sinew/dynamics/energy.h"

#include "sinew/kinematics/reflect.h"
#include "sinew/math/check.h"

namespace sinew {

template <Real S>
Mechanics<S> mechanics(const Model& model, const Params<S>& params, const Frames<S>& frames) {
  SINEW_ASSERT(params.links.size() == model.links.size() && frames.link.size() == model.links.size());
  Mechanics<S> sum{S(0.0), S(0.0), Vec3<S>::zero(), Vec3<S>::zero()};
  for (int i = 0; i < model.link_count(); i++) {
    const LinkParams<S>& link = params.links[i];
    const Frame<S>& F = frames.link[i];
    const Vec3<S> c = F.X.R * link.c_F, p_WC = F.X.p + c, v_WC = F.V.v + cross(F.V.w, c);
    const Sym3<S> I_C = rotate(F.X.R, central(link.I_F.I, link.c_F, link.I_F.mc));
    const Vec3<S> spin = I_C * F.V.w, momentum = v_WC * link.I_F.m;
    sum.kinetic += S(0.5) * (dot(momentum, v_WC) + dot(spin, F.V.w));
    sum.potential += gravity_potential(params.gravity, link.I_F.m, p_WC, I_C);
    sum.linear += momentum;
    sum.angular += cross(p_WC, momentum) + spin;
  }
  for (const ReflectedInfo& info : model.reflected) {
    const int axis = reflected_axis(model, info), n = info.n_axes;
    for (int r = 0; r < n; r++)
      for (int c = 0; c < n; c++)
        sum.kinetic += S(0.5) * frames.reflected[6 * axis + r * n + c] * frames.reflected_u[axis + r] *
                       frames.reflected_u[axis + c];
  }
  return sum;
}

template Mechanics<double> mechanics(const Model&, const Params<double>&, const Frames<double>&);
template Mechanics<Lanes> mechanics(const Model&, const Params<Lanes>&, const Frames<Lanes>&);

}  // namespace sinew
