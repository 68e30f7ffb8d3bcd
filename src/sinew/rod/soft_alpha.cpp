// The generalised-alpha method of Chung and Hulbert on a group (Arnold, Bruls, Cardona); docs/theory/soft_rods.md#time. With x the
// accelerations at the end of the step, unknown, and a those of the method:
//   (1 - am) a1 + am a0 = (1 - af) x + af x0,   v1 = v0 + h (1 - gamma) a0 + h gamma a1
//   g1 = g0 exp(h (v0 + (1/2 - beta) h a0 + beta h a1)),   residual(g1, v1, x) = 0
//   am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1), gamma = 1/2 + af - am, beta = (gamma + 1/2)^2 / 4
// Newton's method with the tangent of earlier steps; made anew, by differences of the residual, when it converges slowly.
#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/dense_lu.h"
#include "sinew/rod/soft_steps.h"

namespace sinew::rod {
namespace {

template <class G>
struct AlphaStep {
  const SoftModel<G>& m;
  const SoftLayout<G>& at;
  PlantInput input;
  double t, h;
  double* state;
  SoftScratch<G>& w;
  double am, af, gamma, beta, shape_gain;  // the last: change of q for a change of x by one
  G base0, base1;

  AlphaStep(const SoftModel<G>& m_, const SoftLayout<G>& at_, const PlantStep& step, double* state_, SoftScratch<G>& w_)
      : m(m_), at(at_), input(step.input), t(step.t), h(step.dt), state(state_), w(w_) {
    const double rho = m.plan.rho_inf;
    am = (2.0 * rho - 1.0) / (rho + 1.0);
    af = rho / (rho + 1.0);
    gamma = 0.5 + af - am;
    beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    shape_gain = beta * h * h * (1.0 - af) / (1.0 - am);
    base0 = base1 = load_base(G{}, state);
  }

  double alpha_rate(int i, const double* x) const {
    return ((1.0 - af) * x[i] + af * state[at.rate + i] - am * state[at.alpha + i]) / (1.0 - am);
  }

  // w.q, w.v, base1 for the accelerations x
  void move(const double* x) {
    auto u = G::Twist::zero();
    for (int i = 0; i < m.nv; i++) {
      const double a0 = state[at.alpha + i], a1 = alpha_rate(i, x), v0 = state[at.v + i];
      const double way = h * (v0 + h * ((0.5 - beta) * a0 + beta * a1));
      w.v[i] = v0 + h * ((1.0 - gamma) * a0 + gamma * a1);
      if (i < m.nb)
        u[i] = way;
      else
        w.q[i - m.nb] = state[at.q + i - m.nb] + way;
    }
    if (m.nb) base1 = base0 * exponential<G>(u);
    impose(m, t + h, w.q.data(), w.v.data());
  }

  void residual(const double* x, double* r) {
    move(x);
    inverse_dynamics(m, {t + h, base1, w.q.data(), w.v.data(), x, 1.0, input}, w, r);
  }

  // Columns are contiguous.
  bool make_tangent() {
    double* T = state + at.tangent;
    residual(w.x.data(), w.r.data());
    for (int i = 0; i < m.nv; i++) {
      const double kept = w.x[i], step = 1e-6 * m.scale[i] / shape_gain;
      w.x[i] = kept + step;
      residual(w.x.data(), w.k.data());
      w.x[i] = kept;
      for (int j = 0; j < m.nv; j++) T[i * m.nv + j] = (w.k[j] - w.r[j]) / step;
    }
    for (const SoftImposed& imposed : m.plan.imposed) {
      const int i = m.nb + imposed.mode;
      for (int j = 0; j < m.nv; j++) T[j * m.nv + i] = T[i * m.nv + j] = i == j ? 1.0 : 0.0;
    }
    const bool good = factor_dense(m.nv, T, m.nv, w.pivots.data(), w.dv.data());
    for (int i = 0; i < m.nv; i++) state[at.pivots + i] = w.pivots[i];
    state[at.step] = good ? h : 0.0;
    return good;
  }

  // Newton's correction of w.x; the change of shape it makes.
  double correct() {
    residual(w.x.data(), w.r.data());
    for (int i = 0; i < m.nv; i++) {
      w.k[i] = -w.r[i];
      w.pivots[i] = int(state[at.pivots + i]);
    }
    for (const SoftImposed& imposed : m.plan.imposed) w.k[m.nb + imposed.mode] = 0.0;
    solve_factored(m.nv, state + at.tangent, m.nv, w.pivots.data(), w.k.data());
    double change = 0.0;
    for (int i = 0; i < m.nv; i++) {
      w.x[i] += w.k[i];
      change = std::max(change, std::abs(w.k[i]) * shape_gain / m.scale[i]);
    }
    return change;
  }
};

}  // namespace

template <class G>
StepReport step_alpha(const SoftModel<G>& m, const SoftLayout<G>& at, const PlantStep& step, double* state,
                      PlantPower& work, SoftScratch<G>& w) {
  SINEW_ASSERT(state && step.dt > 0.0 && int(w.x.size()) == m.nv);
  SINEW_ASSERT(m.plan.rho_inf >= 0.0 && m.plan.rho_inf <= 1.0 && m.plan.tolerance > 0.0);
  const double t = step.t, dt = step.dt;
  const bool can_begin = follow_input(m, at, step, state, w);
  AlphaStep<G> s(m, at, step, state, w);
  std::copy(state + at.rate, state + at.rate + m.nv, w.x.begin());
  for (const SoftImposed& i : m.plan.imposed) w.x[m.nb + i.mode] = drive_at(i.drive, t + dt).acceleration;
  StepReport report;
  report.converged = false;
  report.finite = can_begin;
  bool fresh = std::abs(state[at.step]) != dt;
  if (fresh) report.finite = s.make_tangent() && report.finite;
  double before = 0.0;
  for (int k = 0; k < 25 && report.finite && !report.converged; k++) {
    report.iterations++;
    const double change = s.correct(), ratio = k ? change / before : 1.0;
    report.finite = std::isfinite(change);
    // what is left after this correction, by the rate at which the last ones fell
    const double left = ratio < 0.9 ? change * ratio / (1.0 - ratio) : change;
    report.residual = left;
    report.converged = left <= m.plan.tolerance;
    if (!report.converged && k && ratio > 0.3 && !fresh) {
      fresh = true;
      report.finite = s.make_tangent();
    }
    before = change;
  }
  s.move(w.x.data());
  for (const SoftImposed& i : m.plan.imposed) w.power.actuators += w.r[m.nb + i.mode] * w.v[m.nb + i.mode];
  const double f = 0.5 * dt, *p = state + at.power;
  work.actuators += f * (p[0] + w.power.actuators);
  work.external += f * (p[1] + w.power.external);
  work.damping += f * (p[2] + w.power.damping);
  work.friction += f * (p[3] + w.power.friction);
  store_power(w.power, state + at.power);
  state[at.step] = step.input.is_on() ? -std::abs(state[at.step]) : std::abs(state[at.step]);
  for (int i = 0; i < m.nv; i++) state[at.alpha + i] = s.alpha_rate(i, w.x.data());
  std::copy(w.x.begin(), w.x.end(), state + at.rate);
  std::copy(w.v.begin(), w.v.end(), state + at.v);
  std::copy(w.q.begin(), w.q.end(), state + at.q);
  if (m.nb) store_base(s.base1, state);
  report.torque = w.torque;
  for (int i = 0; i < m.nv; i++) report.finite = report.finite && std::isfinite(w.v[i]);
  return report;
}

#define SINEW_INSTANTIATE_SOFT_ALPHA(G)                                                                             \
  template StepReport step_alpha(const SoftModel<G>&, const SoftLayout<G>&, const PlantStep&, double*, PlantPower&, \
                                 SoftScratch<G>&);
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_SOFT_ALPHA)

}  // namespace sinew::rod
