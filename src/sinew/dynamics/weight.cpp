#include "sinew/dynamics/weight.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew {

template <Real S>
void weight_on_freedoms(const Model& model, const Params<S>& params, const Frames<S>& frames, InverseWork<S>& work,
                        S* Q) {
  SINEW_ASSERT(params.links.size() == model.links.size() && frames.link.size() == model.links.size());
  SINEW_ASSERT(work.F.size() == model.links.size() && (model.nu == 0 || Q));
  std::fill(work.F.begin(), work.F.end(), Wrench<S>{Vec3<S>::zero(), Vec3<S>::zero()});
  for (int i = model.link_count() - 1; i >= 0; i--) {
    const Link& link = model.links[i];
    const LinkParams<S>& p = params.links[i];
    const Frame<S>& frame = frames.link[i];
    const Vec3<S> c = frame.X.R * p.c_F;
    const Vec3<S> f = fall(params.gravity, frame.X.p + c, frame.V.v + cross(frame.V.w, c)) * p.I_F.m;
    Wrench<S> F = work.F[i];
    F.f += f;
    F.n += cross(c, f);
    if (turns(params.gravity.kind))
      F.n += turning_torque(params.gravity.spin, rotate(frame.X.R, central(p.I_F.I, p.c_F, p.I_F.mc)), frame.V.w);
    joint::visit(link.kind, [&]<class J>() {
      for (int k = 0; k < J::nu && !link.driven; k++)
        Q[link.u + k] = dot(frames.axis[link.axis + k], J::dirs[k] == joint::Dir::Angular ? F.n : F.f);
    });
    if (link.parent >= 0) work.F[link.parent] += shift_to_parent(F, frame.r);
  }
}

template void weight_on_freedoms(const Model&, const Params<double>&, const Frames<double>&, InverseWork<double>&,
                                 double*);
template void weight_on_freedoms(const Model&, const Params<Lanes>&, const Frames<Lanes>&, InverseWork<Lanes>&, Lanes*);

}  // namespace sinew
