#include "sinew/step/patches.h"

#include "sinew/math/check.h"
#include "sinew/parts/law/soft_ground.h"

namespace sinew {
namespace {

bool lies_on_ground(const Model& model, int shape1) { return shape1 < 0 || model.shapes[shape1].is_ground; }

template <Real S>
Mask<S> is_inside(const Patch& patch, const Vec3<S>& p) {
  auto inside = (p[0] >= S(patch.x[0])) & (p[0] <= S(patch.x[1])) & (p[1] >= S(patch.y[0])) & (p[1] <= S(patch.y[1]));
  if (!patch.disc) return inside;
  const S dx = p[0] - S(patch.center[0]), dy = p[1] - S(patch.center[1]);
  return inside & (dx * dx + dy * dy <= S(patch.radius2));
}

}  // namespace

template <Real S>
void put_on_patch(const Model& model, const Params<S>& params, const ContactPoint<S>& p, ContactRow<S>& c) {
  SINEW_ASSERT(params.patches.size() == model.patches.size());
  if (!lies_on_ground(model, p.shape1)) return;
  const ContactLaw<S> of_ground = c.law;
  for (std::size_t i = 0; i < model.patches.size(); i++) {
    const Patch& patch = model.patches[i];
    const Mask<S> inside = is_inside(patch, p.p);
    if (!any(inside)) continue;
    const PatchNumbers<S>& numbers = params.patches[i];
    ContactLaw<S> law =
        patch.law.empty() ? of_ground : params.contact_laws[patch.law[model.shapes[p.shape2].material_index]];
    law::put_on(numbers, law);
    const auto gives = numbers.stiffness > S(0.0);  // it bounces by its spring and damper
    law.restitution = select(gives, S(0.0), law.restitution);
    c.law = law::choose<S>(inside, law, c.law);
    c.stiffness = select(inside, numbers.stiffness, c.stiffness);
    c.damping = select(inside, numbers.damping, c.damping);
  }
}

template <Real S>
const PenaltyLaw<S>* patch_penalty(const Model& model, const Params<S>& params, const ContactPoint<S>& p,
                                   PenaltyLaw<S>& own) {
  const PenaltyLaw<S>* of_ground = &params.penalty_laws[p.law];
  if (model.patches.empty() || !lies_on_ground(model, p.shape1)) return of_ground;
  own = *of_ground;
  for (std::size_t i = 0; i < model.patches.size(); i++) {
    const Patch& patch = model.patches[i];
    const Mask<S> inside = is_inside(patch, p.p);
    if (!any(inside)) continue;
    PenaltyLaw<S> law =
        patch.law.empty() ? *of_ground : params.penalty_laws[patch.law[model.shapes[p.shape2].material_index]];
    law::put_on(params.patches[i], law);
    own = law::choose<S>(inside, law, own);
  }
  return &own;
}

template <Real S>
void sink(const Model& model, const LawSpan& span, Workspace<S>& ws) {
  SINEW_ASSERT(span.dt > 0.0 && ws.rows.n_contacts == ws.contacts.count);  // row i is that of point i
  const int n = ws.rows.n_contacts;
  const S dt = S(span.dt);
  for (int first = 0, last; first < n; first = last) {
    S count = S(0.0);
    for (last = first; last < n && ws.rows.contact[last].pair == ws.rows.contact[first].pair; last++) {
      const ContactRow<S>& c = ws.rows.contact[last];
      count += select(c.closed & (c.stiffness > S(0.0)), S(1.0), S(0.0));
    }
    const S share = model.contact.share_stiffness ? S(1.0) / max(count, S(1.0)) : S(1.0);
    for (int i = first; i < last; i++) {
      ContactRow<S>& c = ws.rows.contact[i];
      const auto gives = c.stiffness > S(0.0);
      if (!any(gives)) continue;
      const S k = select(gives, c.stiffness * share, S(1.0)), d = select(gives, c.damping * share, S(0.0));
      const S gap = ws.contacts.point[i].gap;
      const law::SoftRow<S> row = span.gaps_of_start ? law::soft_row_at_end(k, d, gap, dt)
                                                     : law::soft_row(k, d, gap, c.before[row::N], c.mass, dt);
      c.law.eps_N = select(gives, row.eps_N, c.law.eps_N);
      c.bias = select(gives, row.bias, c.bias);
    }
  }
}

#define SINEW_INSTANTIATE_PATCHES(S)                                                                                   \
  template void put_on_patch(const Model&, const Params<S>&, const ContactPoint<S>&, ContactRow<S>&);                  \
  template const PenaltyLaw<S>* patch_penalty(const Model&, const Params<S>&, const ContactPoint<S>&, PenaltyLaw<S>&); \
  template void sink(const Model&, const LawSpan&, Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_PATCHES)

}  // namespace sinew
