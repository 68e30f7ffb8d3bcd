// Velocity Verlet on the manifold of the joints: half a kick, a drift, half a kick.
//   u_H = u_A + dt/2 a(q_A, u_A),    q_E = q_A (+) dt u_H,    u_E = u_H + dt/2 a(q_E, u_H)
// Of second order where accelerations do not depend on velocities, else of first. Cut joints enter by their accelerations; their
// gaps and velocities are closed after the step. Set-valued laws act once on the whole step, as in rk4.
// A kick's force does its work with the mean of the velocities before and after it, by which it changes the kinetic energy. So the
// account of dampers, servos and penalty contacts closes at second order, though the motion is of first.
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
  ws.start_q = state.q;
  ws.start_u = state.u;
  ws.q = state.q;
  ws.u = state.u;
  const auto kick = [&](Stage stage, double t) {
    StagePoint<S> at{stage, t, ws.q.data(), ws.u.data(), 0.5 * dt};
    accelerate_stage(model, params, input, at, state, ws);
    for (int i = 0; i < model.nu; i++) {
      ws.u_mean[i] = ws.u[i] + S(0.25 * dt) * ws.u_rate[i];
      ws.u[i] += S(0.5 * dt) * ws.u_rate[i];
    }
    evaluate_velocities(model, ws.frames, ws.u_mean.data(), ws.driven, 1.0, ws.V);
    at.u = ws.u_mean.data();
    book_stage(model, params, input, at, state.work, ws);
  };
  kick(Stage::First, state.t);
  advance(model, ws.u.data(), S(dt), ws.q.data());
  kick(Stage::Later, state.t + dt);
  state.q = ws.q;
  state.u = ws.u;
  SolveReport solved;
  if (model.has_laws()) {
    ws.q = ws.start_q;
    ws.u = ws.start_u;
    solved = apply_all_laws(model, params, input, dt, state, ws);
  }
  double gap = 0.0;
  if (model.has_rows()) gap = close_loops(model, params, input, state.t + dt, state, ws);
  return report_of(model, state, dt, gap, solved, ws);
}

SINEW_INSTANTIATE_STEPPER(verlet)

}  // namespace sinew
