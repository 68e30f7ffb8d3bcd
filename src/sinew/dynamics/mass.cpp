#include "sinew/dynamics/mass.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew {
namespace {

// A composite's momentum for unit motion along one axis.
template <joint::Dir dir, Real S>
SINEW_INLINE Wrench<S> momentum(const Inertia<S>& I, const Vec3<S>& s) {
  if constexpr (dir == joint::Dir::Angular)
    return {I.I * s, cross(s, I.mc)};
  else
    return {cross(I.mc, s), s * I.m};
}

// parent += child shifted by r (Steiner for a body given about its origin)
template <Real S>
SINEW_INLINE void add_shifted(const Inertia<S>& c, const Vec3<S>& r, Inertia<S>& parent) {
  parent.m += c.m;
  const Vec3<S> mr = r * c.m, mc2 = c.mc * S(2.0) + mr;  // I' = I + (2 mc.r + m r.r) 1 - (mc r^T + r mc^T + m r r^T)
  parent.mc += c.mc + mr;
  const S d = dot(mc2, r);
  const Vec3<S> a = c.mc + mr;
  parent.I.xx += c.I.xx + d - (a[0] * r[0] + r[0] * c.mc[0]);
  parent.I.xy += c.I.xy - (a[0] * r[1] + r[0] * c.mc[1]);
  parent.I.xz += c.I.xz - (a[0] * r[2] + r[0] * c.mc[2]);
  parent.I.yy += c.I.yy + d - (a[1] * r[1] + r[1] * c.mc[1]);
  parent.I.yz += c.I.yz - (a[1] * r[2] + r[1] * c.mc[2]);
  parent.I.zz += c.I.zz + d - (a[2] * r[2] + r[2] * c.mc[2]);
}

// Rows of one link's axes against its own and all its ancestors'.
template <class J, Real S>
void link_rows(const Model& model, const Frames<S>& frames, const Inertia<S>& composite, int i, S* M) {
  constexpr int n = J::nu;
  const Link& link = model.links[i];
  if constexpr (n > 0) {
    if (link.driven) return;
    Wrench<S> F[n];
    const Vec3<S>* axis = frames.axis.data() + link.axis;
    joint::each_axis<J>([&]<int c>() SINEW_INLINE_LAMBDA { F[c] = momentum<J::dirs[c]>(composite, axis[c]); });
    int at = i;
    while (true) {
      const Link& other = model.links[at];
      if (!other.driven)
        joint::visit(other.kind, [&]<class K>() {
          for (int r = 0; r < n; r++)
            for (int c = 0; c < K::nu; c++) {
              const S entry = dot(frames.axis[other.axis + c], K::dirs[c] == joint::Dir::Angular ? F[r].n : F[r].f);
              M[(link.u + r) * model.nu + other.u + c] = entry;
              M[(other.u + c) * model.nu + link.u + r] = entry;
            }
        });
      if (at == i && !frames.reflected.empty())
        for (int r = 0; r < n; r++)
          for (int c = 0; c < n; c++)
            M[(link.u + r) * model.nu + link.u + c] += frames.reflected[6 * link.axis + r * n + c];
      if (other.parent < 0) return;
      const Vec3<S>& shift = frames.link[at].r;
      for (int r = 0; r < n; r++) F[r].n += cross(shift, F[r].f);
      at = other.parent;
    }
  }
}

}  // namespace

template <Real S>
void mass_matrix(const Model& model, const Params<S>& params, const Frames<S>& frames, MassWork<S>& work, S* M) {
  SINEW_ASSERT(params.links.size() == model.links.size() && frames.link.size() == model.links.size());
  SINEW_ASSERT(work.composite.size() == model.links.size() && (model.nu == 0 || M));
  const int n = model.link_count();
  std::fill(M, M + model.nu * model.nu, S(0.0));
  for (int i = 0; i < n; i++) {
    const Mat3<S>& R = frames.link[i].X.R;
    const Inertia<S>& I = params.links[i].I_F;
    work.composite[i] = {I.m, R * I.mc, rotate(R, I.I)};
  }
  for (int i = n - 1; i >= 0; i--) {
    const Link& link = model.links[i];
    if (link.parent >= 0) add_shifted(work.composite[i], frames.link[i].r, work.composite[link.parent]);
    joint::visit(link.kind, [&]<class J>() { link_rows<J>(model, frames, work.composite[i], i, M); });
  }
}

#define SINEW_INSTANTIATE_MASS(S) \
  template void mass_matrix(const Model&, const Params<S>&, const Frames<S>&, MassWork<S>&, S*);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_MASS)

}  // namespace sinew
