// Pads pull through contacts: the pull of a pad is shared by its points, and only points that were closed before hold.
#include "sinew/step/adhere.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/model/set_points.h"
#include "sinew/parts/drive/drive.h"

namespace sinew {
namespace {

bool is_on(const PadGroupPlan& g, double t) {
  if (g.period > 0.0) {
    const double turns = (t - g.phase) / g.period;
    return turns - std::floor(turns) < g.duty;
  }
  if (g.on.empty()) return true;
  for (std::size_t i = 0; i < g.on.size(); i += 2)
    if (t >= g.on[i] && (i + 1 == g.on.size() || t < g.on[i + 1])) return true;
  return false;
}

// Was the point closed at the start of the step? Before the first one there is no memory: what touches then counts.
template <Real S>
Mask<S> is_bonded(const Model& model, const State<S>& state, const ContactPoint<S>& p) {
  const auto near = p.closed & (p.gap <= S(model.contact.activation_gap));
  if (state.dt <= 0.0) return near;
  if (p.old < 0) return mask_of<S>(false);
  const S key = state.contact[std::size_t(p.old) * slot::size + slot::key];
  return near & (key >= p.key) & (key <= p.key);
}

// f(pad) for every pad of the point's two shapes.
template <Real S, class F>
void each_pad(const Model& model, const ContactPoint<S>& p, F f) {
  for (const int shape : {p.shape2, p.shape1})
    if (shape >= 0)
      for (const int k : model.pads_of[shape]) f(k);
}

template <Real S>
const S* memory_of(const State<S>& state, int pad) {
  SINEW_ASSERT(pad >= 0 && std::size_t(pad + 1) * pad::size <= state.pad.size());
  return state.pad.data() + std::size_t(pad) * pad::size;
}

template <Real S>
struct PadForce {  // of the pads at one point: how they pull, and what they hold across [N]
  S pull = S(0.0), shear = S(0.0);
};

// Share of a pad's area that one of its points holds, and what it pulls with.
template <Real S>
void add_share(const Model& model, const Params<S>& params, const S* memory, int k, S count, PadForce<S>& sum) {
  const Pad& pad = model.pads[k];
  const PadNumbers<S>& numbers = params.pads[k];
  const S p = law::adhesive_pressure(params.adhesion, memory[pad::level], memory[pad::covered]);
  const S share = pad.per_point ? S(1.0) : S(1.0) / max(count, S(1.0));
  const auto lies = count >= S(double(pad.points));
  const S area = select(lies, numbers.area, numbers.width * params.adhesion.peel_length) * share;
  sum.pull += p * area;
  sum.shear += select(lies, params.adhesion.shear_strength * area, S(0.0));
}

}  // namespace

template <Real S>
void charge_pads(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state) {
  SINEW_ASSERT(dt > 0.0 && state.pad.size() == model.pads.size() * pad::size);
  SINEW_ASSERT(input.drive.size() == std::size_t(set_point_count(model)));
  for (std::size_t k = 0; k < model.pads.size(); k++) {
    const int group = model.pads[k].group;
    Mask<S> on = mask_of<S>(group < 0 || is_on(model.pad_groups[group], state.t + 0.5 * dt));
    if (group >= 0) {
      const S told = input.drive[std::size_t(first_switch(model) + group)];
      const auto is_told = told < S(drive::command::none);
      on = (is_told & (told > S(0.5))) | (negate(is_told) & on);
    }
    S& level = state.pad[k * pad::size + pad::level];
    const S up = law::charged(params.adhesion, level, true, S(dt));
    level = select(on, up, law::charged(params.adhesion, level, false, S(dt)));
  }
}

template <Real S>
void adhere(const Model& model, const Params<S>& params, const State<S>& state, Workspace<S>& ws) {
  SINEW_ASSERT(model.pads_of.size() == model.shapes.size() && params.pads.size() == model.pads.size());
  SINEW_ASSERT(ws.rows.n_points() == ws.contacts.count);  // row i is that of contact i
  std::fill(ws.pad_count.begin(), ws.pad_count.end(), S(0.0));
  std::fill(ws.pad_pull.begin(), ws.pad_pull.end(), S(0.0));
  const int n = ws.rows.n_points();
  for (int i = 0; i < n; i++) {
    const S one = select(is_bonded(model, state, ws.contacts.point[i]), S(1.0), S(0.0));
    each_pad(model, ws.contacts.point[i], [&](int k) { ws.pad_count[k] += one; });
  }
  const auto add = [&](int link, const Wrench<S>& W) {  // about the link's origin
    const Vec3<S> c = ws.frames.link[link].X.R * params.links[link].c_F;
    ws.applied[link].f += W.f;
    ws.applied[link].n += W.n - cross(c, W.f);
  };
  const S span = S(ws.rows.n_soft > 0 ? 1.0 : ws.rows.span);  // penalty laws know forces, not impulses
  for (int i = 0; i < n; i++) {
    ContactRow<S>& c = ws.rows.contact[i];
    const auto bonded = is_bonded(model, state, ws.contacts.point[i]);
    PadForce<S> sum;
    each_pad(model, ws.contacts.point[i], [&](int k) {
      const S before = sum.pull;
      add_share(model, params, memory_of(state, k), k, ws.pad_count[k], sum);
      ws.pad_pull[k] += select(bonded, sum.pull - before, S(0.0));
    });
    c.pull = select(bonded, sum.pull, S(0.0));
    const S mu = max(max(c.law.mu_forward, c.law.mu_backward), c.law.mu_trans);
    const auto holds = bonded & (mu > S(0.0));
    c.law.shear = select(holds, sum.shear * span / select(holds, mu, S(1.0)), S(0.0));
    spread(c, Wrench<S>{Vec3<S>::zero(), c.n * -c.pull}, add);
  }
}

template <Real S>
void remember_pads(const Model& model, const Params<S>& params, const Workspace<S>& ws, State<S>& state) {
  SINEW_ASSERT(ws.pad_count.size() == model.pads.size() && state.pad.size() == model.pads.size() * pad::size);
  const S bed = params.adhesion.bed_strength;
  for (std::size_t k = 0; k < model.pads.size(); k++) {
    S* memory = state.pad.data() + k * pad::size;
    const auto lies = ws.pad_count[k] >= S(double(model.pads[k].points));
    const auto comes_off = (memory[pad::attached] > S(0.0)) & negate(lies);
    const auto fails = comes_off & (law::pad_pressure(params.adhesion, memory[pad::level], memory[pad::covered]) > bed);
    memory[pad::covered] =
        select(fails, min(memory[pad::covered] + S(law::covered_by_failure), S(1.0)), memory[pad::covered]);
    memory[pad::attached] = select(lies, S(1.0), S(0.0));
    memory[pad::pull] = ws.pad_pull[k];
  }
}

#define SINEW_INSTANTIATE_ADHERE(S)                                                              \
  template void charge_pads(const Model&, const Params<S>&, const Input<S>&, double, State<S>&); \
  template void adhere(const Model&, const Params<S>&, const State<S>&, Workspace<S>&);          \
  template void remember_pads(const Model&, const Params<S>&, const Workspace<S>&, State<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_ADHERE)

}  // namespace sinew
