// The end of a step: what contacts and laws on joint axes leave in the state.
#include <algorithm>
#include <vector>

#include "sinew/math/check.h"
#include "sinew/step/laws.h"
#include "sinew/step/penalty.h"

namespace sinew {
namespace {

// Most slots never hold anything, and zeros for all of them take longer to write than a look at each.
template <Real S>
void empty_slots(std::vector<S>& contact) {
  for (auto s = contact.begin(); s != contact.end(); s += slot::size)
    if (any((s[slot::key] > S(0.0)) | (s[slot::pair] > S(0.0)))) std::fill_n(s, int(slot::size), S(0.0));
}

}  // namespace

template <Real S>
void remember_contacts(const Model& model, const Workspace<S>& ws, State<S>& state) {
  SINEW_ASSERT(state.contact.size() == std::size_t(model.n_slots) * slot::size);
  if (!model.has_laws()) return;
  empty_slots(state.contact);
  const bool soft = ws.rows.n_soft > 0;
  const S least = S(model.pads.empty() ? 0.0 : -model.contact.activation_gap);  // depth with which a point touches
  for (int i = 0; i < ws.rows.n_points(); i++) {
    const ContactRow<S>& c = ws.rows.contact[i];
    const ContactPoint<S>& p = ws.contacts.point[i];
    SINEW_ASSERT(c.slot >= 0 && c.slot < model.n_slots && c.slot == p.slot);
    S* out = state.contact.data() + std::size_t(c.slot) * slot::size;
    const auto there = soft ? c.closed & (ws.soft.contact[i].at.depth > least) : c.closed;
    const auto put = [&](int at, S value) { out[at] = select(there, value, S(0.0)); };
    if (model.crowd)  // the whole block says whose it is
      for (int k = 0; k < p.n_slots; k++)
        state.contact[std::size_t(p.block + k) * slot::size + slot::pair] = S(p.pair + 1.0);
    put(slot::key, p.key);
    for (int r = 0; r < row::count; r++) put(slot::P + r, whole_impulse(ws.rows, i, r));
    for (int k = 0; k < 3; k++) {
      put(slot::point + k, p.p[k]);
      put(slot::n + k, c.n[k]);
      put(slot::t1 + k, c.t1[k]);
    }
    put(slot::gap, p.gap);
    put(slot::pull, c.pull * S(ws.rows.span));
    const S g1 = c.gamma[row::T1], g2 = c.gamma[row::T2];
    put(slot::slip, sqrt(g1 * g1 + g2 * g2));
    if (!soft) {
      for (int r = row::T1; r < row::count; r++) put(slot::change + r - 1, c.gamma[r] - c.before[r]);
      continue;
    }
    const SoftContact<S>& s = ws.soft.contact[i];
    put(slot::d, s.at.d);
    put(slot::stick, select(s.force.stick, S(1.0), S(0.0)) + select(s.deep, S(2.0), S(0.0)));
    const Vec3<S> stretch = c.t1 * s.force.stretch.x + c.t2 * s.force.stretch.y;
    for (int k = 0; k < 3; k++) put(slot::stretch + k, stretch[k]);
  }
}

template <Real S>
void remember_axes(double dt, const Workspace<S>& ws, State<S>& state) {
  std::fill(state.axis_P.begin(), state.axis_P.end(), S(0.0));
  for (int i = 0; i < ws.rows.n_axes; i++) {
    const AxisRow<S>& a = ws.rows.axis[i];
    SINEW_ASSERT(a.index >= 0 && a.index < int(state.axis_P.size()));
    state.axis_P[a.index] = select(a.closed, a.P, S(0.0));
  }
  state.dt = dt;
}

template <Real S>
void remember(const Model& model, double dt, const Workspace<S>& ws, State<S>& state) {
  if (model.contact.response == Response::Penalty) count_bounces(model, state.t + dt, dt, ws, state);
  remember_contacts(model, ws, state);
  remember_axes(dt, ws, state);
}

#define SINEW_INSTANTIATE_REMEMBER(S)                                            \
  template void remember(const Model&, double, const Workspace<S>&, State<S>&);  \
  template void remember_contacts(const Model&, const Workspace<S>&, State<S>&); \
  template void remember_axes(double, const Workspace<S>&, State<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_REMEMBER)

}  // namespace sinew
