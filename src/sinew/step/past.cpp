// Who writes a state from outside need not know of this: what is kept counts only where q and u are as they were left.
#include "sinew/step/past.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew {
namespace {

// Factors of velocities that give the weights 3/2 and 1/2 of quadratic terms.
constexpr double root_3_2 = 1.2247448713915890491, root_1_2 = 0.70710678118654752440;

template <class F>
void each_freedom(const Link& link, F f) {
  const int end = link.u + joint::visit(link.kind, []<class J>() { return J::nu; });
  for (int k = link.u; k < end; k++) f(k);
}

}  // namespace

std::size_t past_size(const Model& model) {
  return std::size_t(model.nq) + 2 * std::size_t(model.nu) + std::size_t(model.n_robots) +
         momentum::size * model.flyers.size();
}

template <Real S>
Past<S> past_of(const Model& model, State<S>& state) {
  SINEW_ASSERT(state.past.empty() || state.past.size() == past_size(model));
  Past<S> past{};
  if (state.past.empty()) return past;
  past.q = state.past.data();
  past.u = past.q + model.nq;
  past.rate = past.u + model.nu;
  past.terms = past.rate + model.nu;
  past.momenta = past.terms + model.n_robots;
  return past;
}

template <Real S>
void recognise(const Model& model, State<S>& state, Workspace<S>& ws) {
  ws.continues = mask_of<S>(false);
  const Past<S> past = past_of(model, state);
  if (!past.is_kept()) return;
  const auto same = [](const S& a, const S& b) { return (a >= b) & (a <= b); };
  Mask<S> all = mask_of<S>(true);
  for (int i = 0; i < model.nq; i++) all = all & same(state.q[i], past.q[i]);
  for (int i = 0; i < model.nu; i++) all = all & same(state.u[i], past.u[i]);
  ws.continues = all;
}

template <Real S>
bool extrapolate(const Model& model, double dt, State<S>& state, Workspace<S>& ws) {
  const Past<S> past = past_of(model, state);
  if (!past.is_kept()) return false;
  bool elsewhere = false;
  for (int i = 0; i < model.link_count(); i++) {
    const Link& link = model.links[i];
    const auto in_middle = negate(takes_terms_at_start(past, model.robot[i], ws));
    const S weight = select(returns_to_middle(past, model.robot[i], ws), S(root_3_2), S(1.0));
    elsewhere = elsewhere || any(in_middle);
    each_freedom(link, [&](int k) {
      if (link.driven) {
        const S mean = (ws.driven.u[k] + ws.driven_E.u[k]) * S(0.5);
        ws.driven_u_b[k] = select(in_middle, mean, ws.driven.u[k]) * weight;
      } else {
        ws.u_b[k] = (state.u[k] + select(ws.continues & in_middle, past.rate[k], S(0.0)) * S(0.5 * dt)) * weight;
      }
    });
  }
  return elsewhere;
}

template <Real S>
bool take_back_extrapolation(const Model& model, State<S>& state, Workspace<S>& ws) {
  const Past<S> past = past_of(model, state);
  if (!past.is_kept()) return false;
  bool is_news = false;
  for (int i = 0; i < model.link_count(); i++) {
    const Link& link = model.links[i];
    const auto news = negate(takes_terms_at_start(past, model.robot[i], ws)) & Mask<S>(ws.jumps[model.robot[i]]);
    if (!any(news)) continue;
    is_news = true;
    const S weight = select(returns_to_middle(past, model.robot[i], ws), S(1.0), S(root_1_2));
    each_freedom(link, [&](int k) {
      S& u_b = link.driven ? ws.driven_u_b[k] : ws.u_b[k];
      u_b = select(news, (link.driven ? ws.driven.u[k] : state.u[k]) * weight, u_b);
    });
  }
  return is_news;
}

template <Real S>
void find_touched(const Model& model, Workspace<S>& ws) {
  SINEW_ASSERT(int(ws.jumps.size()) == model.n_robots && model.robot.size() == model.links.size());
  std::fill(ws.touches_other.begin(), ws.touches_other.end(), mask_of<S>(false));
  std::fill(ws.jumps.begin(), ws.jumps.end(), mask_of<S>(false));
  for (int i = 0; i < ws.rows.n_points(); i++) {
    const ContactRow<S>& c = ws.rows.contact[i];
    const int robot1 = c.link1 < 0 ? -1 : model.robot[c.link1], robot2 = model.robot[c.link2];
    for (const int robot : {robot1, robot2}) {
      if (robot < 0) continue;
      ws.jumps[robot] = ws.jumps[robot] | c.closed;
      if (robot1 != robot2) ws.touches_other[robot] = ws.touches_other[robot] | c.closed;
    }
  }
  for (int i = 0; i < ws.rows.n_axes; i++) {
    const AxisRow<S>& a = ws.rows.axis[i];
    const AxisRowInfo::Kind kind = model.axis_rows[a.index].kind;
    if (kind != AxisRowInfo::Kind::Lower && kind != AxisRowInfo::Kind::Upper) continue;
    ws.jumps[model.robot[a.link2]] = ws.jumps[model.robot[a.link2]] | a.closed;
  }
}

template <Real S>
void keep_past(const Model& model, const S* u_A, double dt, bool keep_rate, State<S>& state, const Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && (model.nu == 0 || (u_A && u_A != state.u.data())));
  const Past<S> past = past_of(model, state);
  if (!past.is_kept()) return;
  std::copy(state.q.begin(), state.q.end(), past.q);
  std::copy(state.u.begin(), state.u.end(), past.u);
  if (!keep_rate) return;
  const S per_step = S(1.0 / dt);
  for (int i = 0; i < model.link_count(); i++) {
    if (model.links[i].driven) continue;
    each_freedom(model.links[i], [&](int k) {
      past.rate[k] = select(ws.jumps[model.robot[i]], S(0.0), (state.u[k] - u_A[k]) * per_step);
    });
  }
  for (int i = 0; i < model.n_robots; i++) {
    const S next = select(takes_terms_at_start(past, i, ws), S(terms::returns), S(terms::middle));
    past.terms[i] = select(ws.jumps[i], S(terms::at_start), next);
  }
}

#define SINEW_INSTANTIATE_PAST(S)                                                \
  template Past<S> past_of(const Model&, State<S>&);                             \
  template void recognise(const Model&, State<S>&, Workspace<S>&);               \
  template bool extrapolate(const Model&, double, State<S>&, Workspace<S>&);     \
  template bool take_back_extrapolation(const Model&, State<S>&, Workspace<S>&); \
  template void find_touched(const Model&, Workspace<S>&);                       \
  template void keep_past(const Model&, const S*, double, bool, State<S>&, const Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_PAST)

}  // namespace sinew
