// Accelerations with and without loops, and how gaps are closed: in the metric of the masses or joint by joint.
#include "sinew/step/smooth.h"

#include <algorithm>

#include "sinew/dynamics/weight.h"
#include "sinew/math/check.h"
#include "sinew/model/fits.h"
#include "sinew/solve/axis_inertia.h"
#include "sinew/step/inspect.h"
#include "sinew/step/penalty.h"

namespace sinew {

namespace {

// integrator.freeze_forces: the weight on the freedoms stays what it is at the start of the step, as in Tambornini 2020
// (docs/theory/step.md#rk4). Where it is now is taken back out of what the recursion will add.
template <Real S>
void freeze_weight(const Model& model, const Params<S>& params, bool is_start, Workspace<S>& ws) {
  SINEW_ASSERT(int(ws.weight.size()) == model.nu && int(ws.weight_A.size()) == model.nu);
  weight_on_freedoms(model, params, ws.frames, ws.inverse, ws.weight.data());
  if (is_start) ws.weight_A = ws.weight;
  for (int i = 0; i < model.nu; i++) ws.tau[i] += ws.weight_A[i] - ws.weight[i];
}

}  // namespace

template <Real S>
void forces(const Model& model, const Params<S>& params, const Input<S>& input, const Instant<S>& at,
            Workspace<S>& ws) {
  SINEW_ASSERT((model.nq == 0 || at.q) && (model.nu == 0 || at.u));
  prescribe(model, params, at.t, ws.driven);
  evaluate_frames(model, params, at.q, at.u, ws.driven, ws.frames);
  if (model.has_rows()) place_cuts(model, params, ws.frames, false, ws.cuts);
  actuate(model, params, input, at.q, at.u, ws);
}

template <Real S>
void accelerations(const Model& model, const Params<S>& params, const Input<S>& input, const Instant<S>& at,
                   Workspace<S>& ws, RowSystem system) {
  SINEW_ASSERT(!at.memory || fits(model, *at.memory));
  forces(model, params, input, at, ws);
  if (at.memory && model.freeze_forces) freeze_weight(model, params, at.t == at.memory->t, ws);
  if (at.memory && model.contact.response == Response::Penalty) {
    gather(model, params, *at.memory, at.q, {at.t - at.memory->t, SoftMode::Stage}, ws);
    push_softly(model, params, 1.0, ws);
  }
  accelerations_at_frames(model, params, ws, system);
}

template <Real S>
void accelerations_at_frames(const Model& model, const Params<S>& params, Workspace<S>& ws, RowSystem system) {
  forward_dynamics(model, params, ws.frames, {ws.tau.data(), &ws.applied}, ws.blocks, ws.u_rate.data());
  if (!model.has_rows()) return;
  row_accelerations(model, ws.frames, ws.cuts, ws.blocks.a.data(), ws.cuts.rhs.data());
  driven_rows(model, ws.driven, ws.cuts.want.data(), ws.cuts.want_rate.data());
  for (int r = 0; r < model.n_rows; r++) ws.cuts.rhs[r] -= ws.cuts.want_rate[r];
  for (const ReflectedInfo& info : model.reflected)
    if (is_cut(info))
      add_compliant(model, info, ws.cuts, ws.frames.reflected_bias.data() + reflected_axis(model, info), S(1.0),
                    ws.cuts.rhs.data() + first_axis_row(model, info));
  correct_by_rows(model, ws.u_rate.data(), ws, system);
}

template <Real S>
void read_back_drives(const Model& model, const Params<S>& params, const S* u_rate, S scale, Workspace<S>& ws) {
  SINEW_ASSERT(model.nu == 0 || u_rate);
  if (!model.has_driven) return;
  if (model.n_prescribed_u > 0) {
    if (model.has_rows()) add_row_wrenches(model, params, ws.frames, ws.cuts, scale, ws.applied);
    inverse_dynamics(model, params, ws.frames, {u_rate, &ws.applied}, ws.inverse, ws.axis_torque.data());
  }
  for (const JointInfo& joint : model.joints) {
    if (!joint.driven) continue;
    for (int c = 0; c < joint.n_axes; c++) {
      const int at = joint.axis + c;
      S total;
      if (joint.link >= 0) {
        total = ws.axis_torque[model.links[joint.link].axis + c];
      } else {
        const Cut& cut = model.cuts[joint.cut];
        total = ws.cuts.P[cut.row + cut.n_ideal + c] * scale;
      }
      ws.axis.actuator[at] = total - ws.axis.spring[at] - ws.axis.damper[at];
    }
  }
}

template <Real S>
S work_of_driven_rows(const Model& model, const Workspace<S>& ws) {
  S work = S(0.0);
  for (const Cut& cut : model.cuts) {
    if (!model.joints[cut.joint].driven) continue;
    for (int r = cut.row + cut.n_ideal; r < cut.row + cut.n_rows; r++) work += ws.cuts.P[r] * ws.cuts.want[r];
  }
  return work;
}

namespace {

// Each body where its parent and the joint's own coordinates put it: what is left of the joint's gap goes into the child.
template <Real S>
void place_downward(const Model& model, const Params<S>& params, Frames<S>& frames, S* q) {
  SINEW_ASSERT(model.cuts_downward.size() == model.cuts.size());
  for (const int k : model.cuts_downward) {
    const Cut& cut = model.cuts[k];
    const CutParams<S>& p = params.cuts[k];
    const Pose<S> X_WJ = cut.body1 < 0 ? p.X_1J : frames.link[cut.body1].X * p.X_1J;
    const Pose<S> X_WF = frames.link[cut.body2].X * p.X_2F;
    joint::visit(cut.kind, [&]<class J>() {
      S coords[J::nq + 1];
      SinCos<S> trig[J::nq + 1];
      J::coordinates(X_WJ.inverse() * X_WF, coords);
      for (std::size_t i = 0; i < J::angles.size(); i++) sincos(coords[J::angles[i]], trig[i].sin, trig[i].cos);
      frames.link[cut.body2].X = J::place(X_WJ, coords, trig) * p.X_2F.inverse();
    });
    joint::Free::coordinates(params.links[cut.body2].X_PJ.inverse() * frames.link[cut.body2].X,
                             q + model.links[cut.body2].q);
  }
}

// Gaps into ws.cuts.gap; the largest is returned. Rows stay where factor_cuts saw them; only gaps and velocities are new.
template <Real S>
double measure_gaps(const Model& model, const Params<S>& params, double t, const S* q, const S* u, Workspace<S>& ws) {
  SINEW_ASSERT(q && ws.u_mean.size() == std::size_t(model.nu));
  prescribe(model, params, t, ws.driven_E);
  if (!u) std::fill(ws.u_mean.begin(), ws.u_mean.end(), S(0.0));
  evaluate_frames(model, params, q, u ? u : ws.u_mean.data(), ws.driven_E, ws.frames_E);
  const S largest = row_gaps(model, params, ws.frames_E, ws.driven_E, ws.cuts);
  double gap = 0.0;
  for (int i = 0; i < lanes_of<S>; i++) gap = std::max(gap, lane(largest, i));
  return gap;
}

// By the measured gaps.
template <Real S>
void move_by_mass(const Model& model, const Params<S>& params, S* q, S* u, Workspace<S>& ws) {
  ws.cuts.rhs = ws.cuts.gap;
  solve_cuts(model, ws.frames, ws.blocks, ws.cuts);
  advance(model, ws.cuts.du.data(), S(1.0), q);
  if (!u) return;
  row_velocity_errors(model, params, ws.frames_E, ws.driven_E, ws.cuts, ws.cuts.rhs.data());
  solve_cuts(model, ws.frames, ws.blocks, ws.cuts);
  for (int i = 0; i < model.nu; i++) u[i] += ws.cuts.du[i];
}

}  // namespace

template <Real S>
double close_gaps(const Model& model, const Params<S>& params, double t, S* q, S* u, Workspace<S>& ws) {
  if (!model.has_rows()) return 0.0;
  const double gap = measure_gaps(model, params, t, q, u, ws);
  if (model.projection == Projection::Head) place_downward(model, params, ws.frames_E, q);
  if (model.projection == Projection::Mass) move_by_mass(model, params, q, u, ws);
  return gap;
}

template <Real S>
double close_gaps_by_mass(const Model& model, const Params<S>& params, double t, S* q, S* u, Workspace<S>& ws) {
  if (!model.has_rows()) return 0.0;
  const double gap = measure_gaps(model, params, t, q, u, ws);
  move_by_mass(model, params, q, u, ws);
  return gap;
}

template <Real S>
void correct_by_rows(const Model& model, S* u, Workspace<S>& ws, RowSystem system) {
  SINEW_ASSERT(model.nu == 0 || (u && u != ws.cuts.du.data()));
  if (system == RowSystem::New) factor_cuts(model, ws.frames, ws.blocks, ws.cuts);
  solve_cuts(model, ws.frames, ws.blocks, ws.cuts);
  for (int i = 0; i < model.nu; i++) u[i] += ws.cuts.du[i];
}

template <Real S>
void close_velocities(const Model& model, S* u, Workspace<S>& ws) {
  evaluate_velocities(model, ws.frames, u, ws.driven, 1.0, ws.V);
  row_velocities(model, ws.cuts, ws.V.data(), ws.cuts.rhs.data());
  driven_rows(model, ws.driven, ws.cuts.want.data(), ws.cuts.want_rate.data());
  for (int r = 0; r < model.n_rows; r++) ws.cuts.rhs[r] -= ws.cuts.want[r];
  rest_axes(model, ws.cuts.rhs.data());
  solve_cuts(model, ws.frames, ws.blocks, ws.cuts);
  for (int i = 0; i < model.nu; i++) u[i] += ws.cuts.du[i];
}

template <Real S>
StepReport report_of(const Model& model, const State<S>& state, double dt, double gap, const SolveReport& solved,
                     const Workspace<S>& ws) {
  SINEW_ASSERT(!(gap < 0.0) && !(solved.residual < 0.0) && int(state.q.size()) == model.nq);
  S sum = S(0.0);
  for (const S& x : state.u) sum += abs(x);
  for (const S& x : state.q) sum += abs(x);
  StepReport report;
  report.finite = all_finite(sum);
  report.gap = gap;
  report.iterations = solved.iterations;
  report.residual = solved.residual;
  report.converged = solved.converged;
  report.worst_pair = solved.worst_pair;
  report.worst_axis = solved.worst_axis;
  report.lane_residual = solved.lane_residual;
  if (ws.contacts.lost >= 0) {
    report.lane_residual.fill(no_room);  // which robot of a register had no room is not known
    report.converged = false;
    report.residual = no_room;
    report.worst_pair = ws.contacts.lost;
    report.worst_axis = -1;
  }
  inspect(model, dt, ws, report);
  return report;
}

#define SINEW_INSTANTIATE_SMOOTH(S)                                                                              \
  template void forces(const Model&, const Params<S>&, const Input<S>&, const Instant<S>&, Workspace<S>&);       \
  template void accelerations(const Model&, const Params<S>&, const Input<S>&, const Instant<S>&, Workspace<S>&, \
                              RowSystem);                                                                        \
  template void accelerations_at_frames(const Model&, const Params<S>&, Workspace<S>&, RowSystem);               \
  template void read_back_drives(const Model&, const Params<S>&, const S*, S, Workspace<S>&);                    \
  template S work_of_driven_rows(const Model&, const Workspace<S>&);                                             \
  template double close_gaps(const Model&, const Params<S>&, double, S*, S*, Workspace<S>&);                     \
  template double close_gaps_by_mass(const Model&, const Params<S>&, double, S*, S*, Workspace<S>&);             \
  template void correct_by_rows(const Model&, S*, Workspace<S>&, RowSystem);                                     \
  template void close_velocities(const Model&, S*, Workspace<S>&);                                               \
  template StepReport report_of(const Model&, const State<S>&, double, double, const SolveReport&, const Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_SMOOTH)

}  // namespace sinew
