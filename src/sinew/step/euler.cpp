// Linearly implicit Euler: springs, dampers and servos act with their end-of-step values, so stiff ones allow large steps.
//   (M + dt D + dt^2 K) (u_E - u_A) = dt (h(q_A, u_A) + tau_0 - (dt K + D) u_A) + W P,    W^T u_E = wanted
//   q_E = q_A (+) dt u_E, then the gaps of cut joints are closed
// First order; dissipates fast vibrations. The momentum of whole robots is kept (step/momentum.h).
#include "sinew/math/check.h"
#include "sinew/model/fits.h"
#include "sinew/step/depenetrate.h"
#include "sinew/step/methods.h"
#include "sinew/step/momentum.h"
#include "sinew/step/penalty.h"
#include "sinew/step/smooth.h"

namespace sinew {
namespace {

template <Real S>
void solve_rows(const Model& model, S* u_E, Workspace<S>& ws) {
  evaluate_velocities(model, ws.frames, u_E, ws.driven_E, 1.0, ws.V);
  row_velocities(model, ws.cuts, ws.V.data(), ws.cuts.rhs.data());
  driven_rows(model, ws.driven_E, ws.cuts.want.data(), ws.cuts.want_rate.data());
  for (int r = 0; r < model.n_rows; r++) ws.cuts.rhs[r] += ws.cuts.bias[r] - ws.cuts.want[r];
  correct_by_rows(model, u_E, ws);
}

// u_E into ws.u: smooth forces, cut joints and all set-valued laws.
template <Real S>
SolveReport solve_end_velocities(const Model& model, const Params<S>& params, double dt, const State<S>& state,
                                 Workspace<S>& ws) {
  ws.servos_in_rows = false;  // implicit already
  const bool laws = gather(model, params, state, state.q.data(), {dt, SoftMode::Implicit, true}, ws);
  if (laws && ws.rows.n_soft == 0 && use_recursion(model, ws))
    return solve_laws_by_recursion(model, params, ws.diag.data(), state.u.data(), dt, ws);
  forward_dynamics(model, params, ws.frames, {ws.tau.data(), &ws.applied, ws.diag.data()}, ws.blocks, ws.u_rate.data());
  for (int i = 0; i < model.nu; i++) ws.u[i] = state.u[i] + S(dt) * ws.u_rate[i];
  if (model.has_rows()) solve_rows(model, ws.u.data(), ws);
  const SolveReport soft = solve_soft(model, params, SoftRule::End, dt, ws.u.data(), ws);
  return laws ? worse_of(soft, solve_laws_by_responses(model, params, acting(ws.rows), ws.u.data(), ws)) : soft;
}

// Work of the step from state.u with the end velocity ws.u, consistent with the implicit forces.
template <Real S>
void book_end_work(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                   Workspace<S>& ws) {
  const S* u_E = ws.u.data();
  for (int i = 0; i < model.nu; i++) ws.u_rate[i] = (u_E[i] - state.u[i]) * S(1.0 / dt);
  evaluate_velocities(model, ws.frames, u_E, ws.driven_E, 1.0, ws.V);
  axis_velocities(model, ws.cuts, ws.driven_E, ws.V.data(), u_E, ws.axis_u.data());
  recover_implicit_forces(model, params, S(dt), ws);
  end_soft(model, u_E, ws);
  if (ws.rows.n_points() + ws.rows.n_axes > 0) {
    book_laws(model, ws.rows, state.work);
    if (model.has_driven) apply_laws(params, dt, ws);
  }
  read_back_drives(model, params, ws.u_rate.data(), S(1.0 / dt), ws);
  state.work.add(work_rates(model, params, input, ws.V.data(), ws), S(dt));
}

}  // namespace

template <Real S>
StepReport step_euler(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                      Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && fits(model, params) && fits(model, input) && fits(model, state));
  recognise(model, state, ws);
  begin_momentum(model, params, state, ws);
  if (model.n_motions > 0) {
    prescribe(model, params, state.t, ws.driven);
    prescribe(model, params, state.t + dt, ws.driven_E);
    for (int i = 0; i < model.n_prescribed_u; i++)
      ws.driven.u_rate[i] = (ws.driven_E.u[i] - ws.driven.u[i]) * S(1.0 / dt);
    ws.driven.motion = ws.driven_E.motion;  // servos aim at the end of the step
    ws.driven.motion_rate = ws.driven_E.motion_rate;
    ws.driven.motion_accel = ws.driven_E.motion_accel;
  }
  evaluate_frames(model, params, state.q.data(), state.u.data(), ws.driven, ws.frames);
  if (model.has_rows()) place_cuts(model, params, ws.frames, true, ws.cuts);
  actuate_implicit(model, params, input, state.q.data(), state.u.data(), S(dt), ws);
  give_late_momentum(model, params, dt, state, ws);
  const SolveReport solved = solve_end_velocities(model, params, dt, state, ws);
  book_end_work(model, params, input, dt, state, ws);
  remember(model, dt, ws, state);
  state.u.swap(ws.u);
  advance(model, state.u.data(), S(dt), state.q.data());
  depenetrate(model, params, state, ws);
  const double gap = close_gaps(model, params, state.t + dt, state.q.data(), static_cast<S*>(nullptr), ws);
  find_touched(model, ws);
  keep_momentum(model, params, dt, Moves::ByEnd, state, ws);
  keep_past(model, ws.u.data(), dt, false, state, ws);
  return report_of(model, state, dt, gap, solved, ws);
}

SINEW_INSTANTIATE_STEPPER(euler)

}  // namespace sinew
