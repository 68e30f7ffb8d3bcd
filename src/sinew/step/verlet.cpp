// Velocity Verlet on the manifold of the joints: half a kick, a drift, half a kick.
//   u_H = u_A + dt/2 a(q_A, u_A),    q_E = q_A (+) dt u_H,    u_E = u_H + dt/2 a(q_E, u_H)
// Of second order where accelerations do not depend on velocities, else of first. Cut joints enter by their accelerations; their
// gaps and velocities are closed after the step. Set-valued laws act once on the whole step, as in rk4.
#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/model/fits.h"
#include "sinew/step/methods.h"
#include "sinew/step/runge_kutta.h"
#include "sinew/step/smooth.h"

namespace sinew {

template <Real S>
StepReport step_verlet(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                       Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && fits(model, params) && fits(model, input) && fits(model, state));
  std::fill(ws.soft.fastest.begin(), ws.soft.fastest.end(), S(0.0));
  ws.start_q = state.q, ws.start_u = state.u;
  ws.q = state.q, ws.u = state.u;
  const auto kick = [&](Stage stage, double t) {  // frames, and so the work of the kick, at ws.q and ws.u
    evaluate_stage(model, params, input, stage, t, ws.q.data(), ws.u.data(), 0.5 * dt, state, ws);
    for (int i = 0; i < model.nu; i++) ws.u[i] += S(0.5 * dt) * ws.u_rate[i];
  };
  kick(Stage::First, state.t);
  advance(model, ws.u.data(), S(dt), ws.q.data());
  kick(Stage::Later, state.t + dt);
  state.q = ws.q, state.u = ws.u;
  SolveReport solved;
  if (model.has_laws()) {
    ws.q = ws.start_q, ws.u = ws.start_u;
    solved = apply_all_laws(model, params, input, dt, state, ws);
  }
  double gap = 0.0;
  if (!model.cuts.empty()) gap = close_loops(model, params, input, state.t + dt, state, ws);
  return report_of(model, state, dt, gap, solved, ws);
}

template StepReport step_verlet(const Model&, const Params<double>&, const Input<double>&, double, State<double>&,
                                Workspace<double>&);
template StepReport step_verlet(const Model&, const Params<Lanes>&, const Input<Lanes>&, double, State<Lanes>&,
                                Workspace<Lanes>&);

}  // namespace sinew
