// Moreau's midpoint time stepping (docs/theory/step.md#moreau).
//   q_M = q_A (+) dt/2 u_A
//   M (u_E - u_A) = dt (h(q_M, u_b) + tau) + W P,      W^T (u_A + u_E) = 2 (wanted)       all at q_M
// with contacts and other set-valued laws on the rows of W by their own rules at u_E (parts/law), then
//   q_E = q_M (+) dt/2 u_E, then the gaps of cut joints are closed and what is left of W^T u_E at q_E is taken out
// The rule on the mean velocity lets joint forces do exactly no work; demanding W^T u_E = 0 would lose energy at first
// order. By itself it would turn the sign of a row's velocity error in every step and never lose it, which a passage
// through a singular position does not forgive; taking the rest out at q_E costs energy at second order, less
// than h does. u_b is an estimate of the velocity in the middle (step/past.h): of second order on smooth motion, but for explicit
// servos and what else acts with u_A. The momentum of whole robots is kept (step/momentum.h).
#include "sinew/math/check.h"
#include "sinew/model/fits.h"
#include "sinew/solve/axis_inertia.h"
#include "sinew/step/depenetrate.h"
#include "sinew/step/methods.h"
#include "sinew/step/momentum.h"
#include "sinew/step/penalty.h"
#include "sinew/step/smooth.h"
#include "sinew/step/soft_recursion.h"

namespace sinew {
namespace {

// Frames see driven joints at their place in the middle, with the velocity of the start and the mean acceleration.
template <Real S>
void prescribe_step(const Model& model, const Params<S>& params, double t, double dt, Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0);
  if (model.n_motions == 0) return;
  if (!model.has_driven) {  // targets of servos, given torques, at the time for which they are asked
    prescribe(model, params, model.implicit_servos ? t + dt : t + 0.5 * dt,
              model.implicit_servos ? ws.driven_E : ws.driven);
    if (model.implicit_servos && (model.has_torques || !model.cables.empty() || !model.loads.empty()))
      prescribe(model, params, t + 0.5 * dt, ws.driven);
    return;
  }
  prescribe(model, params, t, ws.driven);
  prescribe(model, params, t + dt, ws.driven_E);
  prescribe(model, params, t + 0.5 * dt, ws.driven_M);
  for (int i = 0; i < model.n_prescribed_u; i++)
    ws.driven.u_rate[i] = (ws.driven_E.u[i] - ws.driven.u[i]) * S(1.0 / dt);
  ws.driven.q = ws.driven_M.q;
  ws.driven.motion = ws.driven_M.motion;
  ws.driven.motion_rate = ws.driven_M.motion_rate;
  ws.driven.motion_accel = ws.driven_M.motion_accel;
}

// Frames at the place of the middle with the velocities of the start; terms quadratic in velocities at ws.u_b.
template <Real S>
void place_with_terms(const Model& model, const Params<S>& params, const State<S>& state, Workspace<S>& ws) {
  evaluate_frames(model, params, {state.q.data(), state.u.data(), ws.u_b.data(), ws.driven_u_b.data()}, ws.driven,
                  ws.frames);
}

// Dampers of tree joints act with the mean velocity of the step: d u_A is in tau, the rest of d (u_A + u_E) / 2 here. Implicit drives
// act with the end velocity: constant - slope u_A is in tau.
template <Real S>
const S* damp_in_middle(const Model& model, const Params<S>& params, double dt, Workspace<S>& ws) {
  const bool has_dampers = model.has_dampers && model.velocity_terms == VelocityTerms::Middle;
  if (!has_dampers && !ws.devices.is_implicit) return nullptr;
  std::fill(ws.diag.begin(), ws.diag.end(), S(0.0));
  for (const JointInfo& joint : model.joints) {
    if (!has_dampers || !joint.has_spring || joint.driven || joint.link < 0) continue;
    for (int c = 0; c < joint.n_axes; c++)
      ws.diag[model.links[joint.link].u + c] = params.springs[joint.axis + c].d * S(0.5 * dt);
  }
  for (const DriveInfo& d : model.drives)
    if (ws.devices.is_implicit && model.joints[d.joint].link >= 0) ws.diag[d.u] += ws.devices.slope[d.axis] * S(dt);
  return ws.diag.data();
}

// Of cut joints the same, in the rows of their axes.
template <Real S>
void hold_drives(const Model& model, double dt, Workspace<S>& ws) {
  if (!ws.devices.is_implicit) return;
  for (const ReflectedInfo& info : model.reflected) {
    if (!is_cut(info)) continue;
    S added[6];
    for (int c = 0; c < info.n_axes; c++) added[c] = ws.devices.slope[info.axis + c] * S(dt);
    hold_axes(model, ws.frames, info, added, ws.cuts);
  }
}

// The forces that dampers had, for who asks what they did.
template <Real S>
void recover_damping(const Model& model, const Params<S>& params, Workspace<S>& ws) {
  if (!model.has_dampers || model.velocity_terms != VelocityTerms::Middle) return;
  for (const JointInfo& joint : model.joints) {
    if (!joint.has_spring || joint.driven || joint.link < 0) continue;
    for (int c = 0; c < joint.n_axes; c++)
      ws.axis.damper[joint.axis + c] =
          params.springs[joint.axis + c].damping_force(ws.u_mean[model.links[joint.link].u + c]);
  }
}

// Row impulses that make the mean velocity of each row what is wanted; u_E is corrected. Robots that touch something: the
// end velocity, as the laws of contact do. Where contacts and joints say the same of a motion, two rules would contradict each
// other by the step's second order, and redundant contact forces would grow on the difference.
template <Real S>
void solve_rows(const Model& model, Mask<S> end_rule, double dt, S* u_E, Workspace<S>& ws) {
  for (int i = 0; i < model.link_count(); i++) ws.V[i] = ws.frames.link[i].V;
  row_velocities(model, ws.cuts, ws.V.data(), ws.cuts.gamma_A.data());
  evaluate_velocities(model, ws.frames, u_E, ws.driven_E, 1.0, ws.V);
  row_velocities(model, ws.cuts, ws.V.data(), ws.cuts.rhs.data());
  driven_rows(model, ws.driven_M, ws.cuts.want.data(), ws.cuts.want_rate.data());
  for (int r = 0; r < model.n_rows; r++)
    ws.cuts.rhs[r] += select(end_rule, S(0.0), ws.cuts.gamma_A[r] - S(2.0) * ws.cuts.want[r]);
  driven_rows(model, ws.driven_E, ws.cuts.want.data(), ws.cuts.want_rate.data());
  for (int r = 0; r < model.n_rows; r++) ws.cuts.rhs[r] -= select(end_rule, ws.cuts.want[r], S(0.0));
  for (const ReflectedInfo& info : model.reflected) {  // inertia wants the velocity of the start
    if (!is_cut(info)) continue;
    const int first = first_axis_row(model, info);
    for (int r = first; r < first + info.n_axes; r++)
      ws.cuts.rhs[r] -= select(end_rule, S(1.0), S(2.0)) * ws.cuts.gamma_A[r];
    add_compliant(model, info, ws.cuts, ws.frames.reflected_bias.data() + reflected_axis(model, info), S(dt),
                  ws.cuts.rhs.data() + first);
  }
  correct_by_rows(model, u_E, ws);
}

template <Real S>
Mask<S> end_rule(const Model& model, const Rows<S>& rows) {
  return model.joint_rule == JointRule::Auto ? acting(rows) : mask_of<S>(model.joint_rule == JointRule::End);
}

// u_E into ws.u: smooth forces, cut joints and all set-valued laws.
template <Real S>
SolveReport solve_velocities(const Model& model, const Params<S>& params, double dt, State<S>& state,
                             Workspace<S>& ws) {
  const S* diag = damp_in_middle(model, params, dt, ws);
  const bool implicit = model.contact.forces == PenaltyForces::Implicit || model.stiff_contacts;
  const SoftRule rule = model.stiff_contacts ? SoftRule::Stiff : SoftRule::Middle;
  const bool laws =
      gather(model, params, state, state.q.data(), {dt, implicit ? SoftMode::Implicit : SoftMode::Explicit}, ws);
  find_touched(model, ws);
  if (take_back_extrapolation(model, state, ws)) place_with_terms(model, params, state, ws);
  if (!implicit) push_softly(model, params, dt, ws);
  if (implicit && use_soft_recursion(model, ws))
    return solve_soft_by_recursion(model, params, diag, state.u.data(), {rule, dt}, ws);
  if (laws && !(implicit && ws.rows.n_soft > 0) && use_recursion(model, ws))
    return solve_laws_by_recursion(model, params, diag, state.u.data(), dt, ws);
  const Mask<S> by_end = end_rule(model, ws.rows);
  hold_servos(model, diag, dt, ws);
  SolveReport report;
  do {
    const bool held = ws.held.n > 0;
    forward_dynamics(model, params, ws.frames,
                     {held ? ws.held.tau.data() : ws.tau.data(), &ws.applied, held ? ws.held.diag.data() : diag},
                     ws.blocks, ws.u_rate.data());
    for (int i = 0; i < model.nu; i++) ws.u[i] = state.u[i] + S(dt) * ws.u_rate[i];
    if (model.has_rows()) solve_rows(model, by_end, dt, ws.u.data(), ws);
    report = implicit ? solve_soft(model, params, rule, dt, ws.u.data(), ws) : SolveReport{};
    if (laws) report = worse_of(report, solve_laws_by_responses(model, params, acting(ws.rows), ws.u.data(), ws));
  } while (release_servos(model, diag, state.u.data(), ws.u.data(), dt, ws));
  return report;
}

// Work of the step with the mean velocity; state.u is still that of the start, ws.u that of the end.
template <Real S>
void book_work(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
               Workspace<S>& ws) {
  const S rate = S(1.0 / dt);
  const S *u_A = state.u.data(), *u_E = ws.u.data();
  for (int i = 0; i < model.nu; i++) {
    ws.u_mean[i] = (u_A[i] + u_E[i]) * S(0.5);
    ws.u_rate[i] = (u_E[i] - u_A[i]) * rate;
  }
  recover_damping(model, params, ws);
  for (const DriveInfo& d : model.drives)
    if (ws.devices.is_implicit && model.joints[d.joint].link >= 0)
      ws.axis.actuator[d.axis] -= ws.devices.slope[d.axis] * (u_E[d.u] - u_A[d.u]);
  end_soft(model, u_E, ws);
  if (ws.rows.n_points() + ws.rows.n_axes > 0) {
    book_laws(model, ws.rows, state.work);
    if (model.has_driven) apply_laws(params, dt, ws);
  }
  read_back_drives(model, params, ws.u_rate.data(), rate, ws);
  for (int i = 0; i < model.n_prescribed_u; i++) ws.driven.u[i] = (ws.driven.u[i] + ws.driven_E.u[i]) * S(0.5);
  evaluate_velocities(model, ws.frames, ws.u_mean.data(), ws.driven, 1.0, ws.V);
  axis_velocities(model, ws.cuts, ws.driven, ws.V.data(), ws.u_mean.data(), ws.axis_u.data());
  for (const ReflectedInfo& info : model.reflected) {
    if (!is_cut(info) || !ws.devices.is_implicit) continue;
    const S* gamma_A = ws.cuts.gamma_A.data() + first_axis_row(model, info);
    for (int c = 0; c < info.n_axes; c++)  // u_E - u_A is twice the mean less u_A
      ws.axis.actuator[info.axis + c] -=
          ws.devices.slope[info.axis + c] * S(2.0) * (ws.axis_u[info.axis + c] - gamma_A[c]);
  }
  state.work.add(work_rates(model, params, input, ws.V.data(), ws), S(dt));
}

// What drives of cut joints do while the rows' velocities are made right at q_E. With the end rule that is a part of first
// order: rows turn by half a step after they were solved.
template <Real S>
void book_closing(const Model& model, Work<S>& work, const Workspace<S>& ws) {
  if (!model.has_driven || model.projection != Projection::Mass) return;
  work.actuators += work_of_driven_rows(model, ws);
}

}  // namespace

template <Real S>
StepReport step_moreau(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                       Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && fits(model, params) && fits(model, input) && fits(model, state));
  recognise(model, state, ws);
  begin_momentum(model, params, state, ws);
  prescribe_step(model, params, state.t, dt, ws);
  const bool has_terms = extrapolate(model, dt, state, ws);
  advance(model, state.u.data(), S(0.5 * dt), state.q.data());
  if (has_terms)
    place_with_terms(model, params, state, ws);
  else
    evaluate_frames(model, params, state.q.data(), state.u.data(), ws.driven, ws.frames);
  if (model.has_rows()) place_cuts(model, params, ws.frames, false, ws.cuts);
  hold_drives(model, dt, ws);
  ws.servos_in_rows = model.implicit_servos;
  actuate(model, params, input, state.q.data(), state.u.data(), ws);
  give_late_momentum(model, params, dt, state, ws);
  const SolveReport solved = solve_velocities(model, params, dt, state, ws);
  book_work(model, params, input, dt, state, ws);
  remember(model, dt, ws, state);
  state.u.swap(ws.u);
  advance(model, state.u.data(), S(0.5 * dt), state.q.data());
  depenetrate(model, params, state, ws);
  const double gap = close_gaps(model, params, state.t + dt, state.q.data(), state.u.data(), ws);
  book_closing(model, state.work, ws);
  keep_momentum(model, params, dt, Moves::ByMean, state, ws);
  keep_past(model, ws.u.data(), dt, true, state, ws);
  return report_of(model, state, dt, gap, solved, ws);
}

SINEW_INSTANTIATE_STEPPER(moreau)

}  // namespace sinew
