// The classical Runge-Kutta method; the base moves in the algebra of its group, g = g_n exp(u) (docs/theory/soft_rods.md#time).
#include <algorithm>
#include <cmath>

#include "sinew/math/butcher.h"
#include "sinew/math/check.h"
#include "sinew/rod/soft_steps.h"

namespace sinew::rod {

template <class G>
StepReport step_rk4(const SoftModel<G>& m, const SoftLayout<G>& at, const PlantStep& step, double* state,
                    PlantPower& work, SoftScratch<G>& w) {
  SINEW_ASSERT(state && step.dt > 0.0 && int(w.k.size()) == m.nv);
  using Twist = typename G::Twist;
  constexpr auto &node = butcher::classical.node, &weight = butcher::classical.weight;
  const double t = step.t, dt = step.dt;
  const G base = load_base(G{}, state);
  double *q = state + at.q, *v = state + at.v;
  std::ranges::fill(w.dq, 0.0);
  std::ranges::fill(w.dv, 0.0);
  Twist du = Twist::zero(), u_rate = Twist::zero();
  StepReport report;
  report.finite = follow_input(m, at, step, state, w);
  // rates of the last stage: w.v of q, w.k of v
  for (int k = 0; k < 4; k++) {
    const double c = node[k] * dt;
    for (int i = 0; i < m.nq; i++) w.q[i] = q[i] + (k ? c * w.v[m.nb + i] : 0.0);
    for (int i = 0; i < m.nv; i++) w.v[i] = v[i] + (k ? c * w.k[i] : 0.0);
    const Twist u = u_rate * c;
    impose(m, t + c, w.q.data(), w.v.data());
    const G here = base * exponential<G>(u);
    if (k == 0) {  // the end of the last step
      std::copy(state + at.rate, state + at.rate + m.nv, w.k.begin());
      w.power = {state[at.power], state[at.power + 1], state[at.power + 2], state[at.power + 3]};
    } else if (!accelerate(m, {t + c, here, w.q.data(), w.v.data(), nullptr, 1.0, step.input}, w, w.k.data())) {
      report.finite = false;
    }
    if (m.nb) {
      Twist eta = Twist::zero();
      for (int i = 0; i < G::n && i < m.nb; i++) eta[i] = w.v[i];
      u_rate = local_rate(u, eta);
      du += u_rate * (weight[k] * dt);
    }
    for (int i = 0; i < m.nq; i++) w.dq[i] += weight[k] * dt * w.v[m.nb + i];
    for (int i = 0; i < m.nv; i++) w.dv[i] += weight[k] * dt * w.k[i];
    work.add(w.power, weight[k] * dt);
    report.torque = std::max(report.torque, w.torque);
  }
  store_base(base * exponential<G>(du), state);
  for (int i = 0; i < m.nq; i++) q[i] += w.dq[i];
  for (int i = 0; i < m.nv; i++) v[i] += w.dv[i];
  impose(m, t + dt, q, v);
  const SoftMotion<G> end{t + dt, load_base(G{}, state), q, v, nullptr, 1.0, step.input};
  report.finite = accelerate(m, end, w, state + at.rate) && report.finite;
  store_power(w.power, state + at.power);
  std::copy(state + at.rate, state + at.rate + m.nv, state + at.alpha);
  state[at.step] = step.input.is_on() ? -1.0 : 0.0;
  for (int i = 0; i < m.nv; i++) report.finite = report.finite && std::isfinite(v[i]);
  report.iterations = 4;
  return report;
}

#define SINEW_INSTANTIATE_SOFT_RK4(G)                                                                             \
  template StepReport step_rk4(const SoftModel<G>&, const SoftLayout<G>&, const PlantStep&, double*, PlantPower&, \
                               SoftScratch<G>&);
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_SOFT_RK4)

}  // namespace sinew::rod
