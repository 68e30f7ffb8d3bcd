// Classical Runge-Kutta of order 4 on the manifold of the joints: stages are displacements phi in q = q_A (+) phi, with
// d/dt phi = (inverse differential of the exponential) u (Munthe-Kaas). Cut joints enter by their accelerations; their
// gaps and velocities are closed in every stage, and after the step. Work is integrated with the same weights.
// Set-valued laws act once, on the velocity that the smooth step ends with; their rows are taken in the middle of the step,
// and the position moves with half of the change, as for forces that are constant over the step.
#include <algorithm>

#include "sinew/dynamics/energy.h"
#include "sinew/math/butcher.h"
#include "sinew/math/check.h"
#include "sinew/model/fits.h"
#include "sinew/step/methods.h"
#include "sinew/step/runge_kutta.h"
#include "sinew/step/smooth.h"

namespace sinew {

template <Real S>
StepReport step_rk4(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                    Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && fits(model, params) && fits(model, input) && fits(model, state));
  constexpr auto &node = butcher::classical.node, &weight = butcher::classical.weight;
  std::fill(ws.phi.begin(), ws.phi.end(), S(0.0));
  ws.u = state.u;
  S kinetic = S(0.0);
  std::fill(ws.soft.fastest.begin(), ws.soft.fastest.end(), S(0.0));
  for (int s = 0; s < 4; s++) {
    ws.q = state.q;
    if (s > 0) {
      const S a = S(node[s] * dt);
      for (int i = 0; i < model.nu; i++) {
        ws.phi[i] = a * ws.k_q[s - 1][i];
        ws.u[i] = state.u[i] + a * ws.k_u[s - 1][i];
      }
      advance(model, ws.phi.data(), S(1.0), ws.q.data());
    }
    const StagePoint<S> at{s == 0 ? Stage::First : Stage::Later, state.t + node[s] * dt, ws.q.data(), ws.u.data(),
                           weight[s] * dt};
    evaluate_stage(model, params, input, at, state, ws);
    if (s == 0 && model.has_rows()) kinetic = mechanics(model, params, ws.frames).kinetic;
    ws.k_u[s] = ws.u_rate;
    local_rates(model, ws.phi.data(), ws.u.data(), ws.k_q[s].data());
  }
  if (model.has_laws()) {
    ws.u = state.u;
    ws.q = state.q;
  }
  for (int i = 0; i < model.nu; i++) {
    const auto sum = [&](const auto& k) { return S(dt / 6) * (k[0][i] + S(2.0) * (k[1][i] + k[2][i]) + k[3][i]); };
    ws.phi[i] = sum(ws.k_q);
    state.u[i] += sum(ws.k_u);
  }
  advance(model, ws.phi.data(), S(1.0), state.q.data());
  SolveReport solved;
  if (model.has_laws()) solved = apply_all_laws(model, params, input, dt, state, ws);
  double gap = 0.0, thrown = 0.0;
  if (model.has_rows()) {
    const bool is_smooth = !model.has_laws() || ws.rows.n_points() + ws.rows.n_axes == 0;
    gap = close_loops(model, params, input, state.t + dt, state, ws);
    if (is_smooth) thrown = thrown_part(model, params, kinetic, ws);
  }
  StepReport report = report_of(model, state, dt, gap, solved, ws);
  report.thrown = thrown;
  return report;
}

SINEW_INSTANTIATE_STEPPER(rk4)

}  // namespace sinew
