// Stages with loops are taken back to what the loops allow before their accelerations count.
#include "sinew/step/runge_kutta.h"

#include <algorithm>
#include <cmath>

#include "sinew/dynamics/energy.h"
#include "sinew/math/check.h"
#include "sinew/step/depenetrate.h"
#include "sinew/step/penalty.h"
#include "sinew/step/smooth.h"

namespace sinew {

template <Real S>
void local_rates(const Model& model, const S* phi, const S* u, S* rate) {
  SINEW_ASSERT(model.nu == 0 || (phi && u && rate && rate != u));
  for (const Link& link : model.links)
    if (!link.driven)
      joint::visit(link.kind, [&]<class J>() { J::local_rate(phi + link.u, u + link.u, rate + link.u); });
}

namespace {

template <Real S>
void factor_rows(const Model& model, const Params<S>& params, double t, const S* q, const S* u, Workspace<S>& ws) {
  prescribe(model, params, t, ws.driven);
  evaluate_frames(model, params, q, u, ws.driven, ws.frames);
  place_cuts(model, params, ws.frames, false, ws.cuts);
  std::fill(ws.tau.begin(), ws.tau.end(), S(0.0));
  forward_dynamics(model, params, ws.frames, {ws.tau.data()}, ws.blocks, ws.u_rate.data());
  factor_cuts(model, ws.frames, ws.blocks, ws.cuts);
}

// Closes gaps, then velocities, with rows of the closed place. Leaves the rows' system there.
template <Real S>
void close_stage(const Model& model, const Params<S>& params, double t, S* q, S* u, Workspace<S>& ws) {
  constexpr double closed = 1e-12;  // of gaps, not far above round-off [m or rad]
  constexpr int most = 3;           // each squares the gaps
  for (int pass = 0;; pass++) {
    factor_rows(model, params, t, q, u, ws);
    if (pass == most) break;
    std::copy_n(q, model.nq, ws.open_q.data());
    close_gaps_by_mass(model, params, t, q, static_cast<S*>(nullptr), ws);
    S gap = S(0.0);
    for (const S& g : ws.cuts.gap) gap = max(gap, abs(g));
    const Mask<S> moves = gap > S(closed);
    for (int i = 0; i < model.nq; i++) q[i] = select(moves, q[i], ws.open_q[i]);
    if (!any(moves)) break;
  }
  close_velocities(model, u, ws);
}

}  // namespace

// Accelerations of rows know nothing of their gaps and velocities. At a distance a from a position where rows lose rank they answer
// to an error e of the velocities with e / a: taken as they are, stages close to it would throw the mechanism into another branch.
// The projected vector field is the same on the loops and has their solutions (Hairer, Lubich and Wanner, Geometric Numerical
// Integration, 2006, IV.4), so that the order stays.
template <Real S>
void accelerate_stage(const Model& model, const Params<S>& params, const Input<S>& input, const StagePoint<S>& at,
                      const State<S>& state, Workspace<S>& ws) {
  const bool closed = model.has_rows() && model.projection == Projection::Mass;
  if (closed) ws.cuts.redundant = Redundant::ByGap;
  const bool is_open = closed && at.stage == Stage::Later;
  if (is_open) close_stage(model, params, at.t, at.q, at.u, ws);
  accelerations(model, params, input, {at.t, at.q, at.u, &state}, ws, is_open ? RowSystem::Kept : RowSystem::New);
  ws.cuts.redundant = Redundant::MidStep;
  for (int i = 0; i < model.link_count(); i++) ws.V[i] = ws.frames.link[i].V;
}

template <Real S>
void book_stage(const Model& model, const Params<S>& params, const Input<S>& input, const StagePoint<S>& at,
                Work<S>& work, Workspace<S>& ws) {
  book_soft(ws.rows, ws.V.data(), S(at.weight), work);
  read_back_drives(model, params, ws.u_rate.data(), S(1.0), ws);
  axis_velocities(model, ws.cuts, ws.driven, ws.V.data(), at.u, ws.axis_u.data());
  work.add(work_rates(model, params, input, ws.V.data(), ws), S(at.weight));
}

template <Real S>
void evaluate_stage(const Model& model, const Params<S>& params, const Input<S>& input, const StagePoint<S>& at,
                    State<S>& state, Workspace<S>& ws) {
  accelerate_stage(model, params, input, at, state, ws);
  book_stage(model, params, input, at, state.work, ws);
}

template <Real S>
double close_loops(const Model& model, const Params<S>& params, const Input<S>& input, double t, State<S>& state,
                   Workspace<S>& ws) {
  if (model.projection == Projection::Mass) ws.cuts.redundant = Redundant::ByGap;
  accelerations(model, params, input, {t, state.q.data(), state.u.data()}, ws);
  ws.cuts.redundant = Redundant::MidStep;
  const double gap = close_gaps(model, params, t, state.q.data(), static_cast<S*>(nullptr), ws);
  close_velocities(model, state.u.data(), ws);
  return gap;
}

// du = M^-1 W P, so that du . M du = P . W^T du
template <Real S>
double thrown_part(const Model& model, const Params<S>& params, S kinetic, Workspace<S>& ws) {
  SINEW_ASSERT(model.has_rows() && int(ws.cuts.du.size()) == model.nu);
  evaluate_velocities(model, ws.frames, ws.cuts.du.data(), ws.driven, 0.0, ws.V);
  row_velocities(model, ws.cuts, ws.V.data(), ws.cuts.rhs.data());
  S taken = S(0.0);
  for (int r = 0; r < model.n_rows; r++) taken += S(0.5) * ws.cuts.P[r] * ws.cuts.rhs[r];
  S mass = S(0.0);
  for (const LinkParams<S>& link : params.links) mass += link.I_F.m;
  constexpr double slow = 1e-6;  // does not count as motion [m/s]
  const S there = max(kinetic, mechanics(model, params, ws.frames).kinetic) + mass * S(0.5 * slow * slow);
  double part = 0.0;
  for (int i = 0; i < lanes_of<S>; i++)
    if (lane(taken, i) > 0.0) part = std::max(part, std::sqrt(lane(taken, i) / lane(there, i)));
  return part;
}

template <Real S>
void commit_soft(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                 Workspace<S>& ws) {
  accelerations(model, params, input, {state.t + dt, state.q.data(), state.u.data(), &state}, ws);
  ws.rows.span = dt;
  for (int i = 0; i < ws.rows.n_soft; i++) {
    ContactRow<S>& c = ws.rows.contact[i];
    for (int r = 0; r < row::count; r++) {
      c.gamma[r] = c.before[r];
      c.P[r] = c.P[r] * S(dt);
    }
  }
  count_bounces(model, state.t + dt, dt, ws, state);
  remember_contacts(model, ws, state);
}

namespace {

// Adhesion was no part of the smooth step: what it does to the velocities, by the accelerations with it, which are in
// ws.applied by now, and without it, which are in ws.u_rate.
template <Real S>
void pull_after_step(const Model& model, const Params<S>& params, double dt, S* u, Workspace<S>& ws) {
  ws.k_u[0] = ws.u_rate;
  ws.impact.cut_P = ws.cuts.P;
  accelerations_at_frames(model, params, ws);
  for (int i = 0; i < model.nu; i++) u[i] += S(dt) * (ws.u_rate[i] - ws.k_u[0][i]);
  for (int r = 0; r < model.n_rows; r++) ws.cuts.P[r] = S(dt) * (ws.cuts.P[r] - ws.impact.cut_P[r]);
}

// Drives and dampers go along with the change du that the laws make, half of it over the step: without their work on
// that way the account of a robot that is driven in contact would not close at first order.
template <Real S>
void book_change(const Model& model, const S* du, double dt, Workspace<S>& ws, Work<S>& work) {
  evaluate_velocities(model, ws.frames, du, ws.driven, 0.0, ws.V);
  axis_velocities(model, ws.cuts, ws.driven, ws.V.data(), du, ws.axis_u.data());
  for (const JointInfo& joint : model.joints) {
    if (joint.driven) continue;
    for (int at = joint.axis; at < joint.axis + joint.n_axes; at++) {
      const S way = ws.axis_u[at] * S(0.5 * dt);
      work.actuators += ws.axis.actuator[at] * way;
      work.damping -= ws.axis.damper[at] * way;
    }
  }
}

// What pads pull with, into ws.applied.
template <Real S>
void apply_pulls(const Params<S>& params, Workspace<S>& ws) {
  const auto add = [&](int link, const Wrench<S>& W) {  // about the link's origin
    const Vec3<S> c = ws.frames.link[link].X.R * params.links[link].c_F;
    ws.applied[link].f += W.f;
    ws.applied[link].n += W.n - cross(c, W.f);
  };
  for (int i = 0; i < ws.rows.n_contacts; i++) {
    const ContactRow<S>& c = ws.rows.contact[i];
    spread(c, Wrench<S>{Vec3<S>::zero(), c.n * -c.pull}, add);
  }
}

// Given motions go on against what the laws do, which is in ws.cuts.P for cut joints: what their drives have to give more for it, at
// the velocities of the middle. Inverse dynamics is linear in accelerations and loads: the difference of two is the laws' part.
template <Real S>
void book_drives(const Model& model, const Params<S>& params, const S* du, double dt, Workspace<S>& ws, Work<S>& work) {
  if (!model.has_driven) return;
  driven_rows(model, ws.driven, ws.cuts.want.data(), ws.cuts.want_rate.data());
  work.actuators += work_of_driven_rows(model, ws);
  if (model.n_prescribed_u == 0) return;
  std::fill(ws.applied.begin(), ws.applied.end(), Wrench<S>::zero());
  apply_pulls(params, ws);
  apply_laws(params, dt, ws);
  add_row_wrenches(model, params, ws.frames, ws.cuts, S(1.0 / dt), ws.applied);
  for (const bool with_laws : {true, false}) {
    for (int i = 0; i < model.nu; i++) ws.k_u[0][i] = with_laws ? du[i] * S(1.0 / dt) : S(0.0);
    inverse_dynamics(model, params, ws.frames, {ws.k_u[0].data(), with_laws ? &ws.applied : nullptr}, ws.inverse,
                     ws.axis_torque.data());
    for (const JointInfo& joint : model.joints) {
      if (!joint.driven || joint.link < 0) continue;
      const Link& link = model.links[joint.link];
      for (int c = 0; c < joint.n_axes; c++)
        work.actuators += ws.axis_torque[link.axis + c] * ws.driven.u[link.u + c] * S(with_laws ? dt : -dt);
    }
  }
}

}  // namespace

template <Real S>
SolveReport apply_all_laws(const Model& model, const Params<S>& params, const Input<S>& input, double dt,
                           State<S>& state, Workspace<S>& ws) {
  SINEW_ASSERT(dt > 0.0 && ws.u.size() == state.u.size() && ws.q.size() == state.q.size());
  ws.servos_in_rows = false;
  state.u.swap(ws.u);  // rows see the velocities of the start
  advance(model, state.u.data(), S(0.5 * dt), ws.q.data());
  accelerations(model, params, input, {state.t + 0.5 * dt, ws.q.data(), state.u.data()}, ws);
  prescribe(model, params, state.t + dt, ws.driven_E);
  const bool laws = gather(model, params, state, ws.q.data(), {dt}, ws);
  state.u.swap(ws.u);
  SolveReport solved;
  if (laws) {
    const Mask<S> which = acting(ws.rows);
    ws.u = state.u;
    ws.q = state.q;
    if (!model.pads.empty() && ws.rows.n_soft == 0)
      pull_after_step(model, params, dt, state.u.data(), ws);
    else
      std::fill(ws.cuts.P.begin(), ws.cuts.P.end(), S(0.0));
    solved = solve_laws_by_responses(model, params, which, state.u.data(), ws);
    if (ws.rows.n_soft == 0) book_laws(model, ws.rows, state.work);
    for (int i = 0; i < model.nu; i++) ws.u[i] = state.u[i] - ws.u[i];
    if (ws.rows.n_soft == 0) {
      book_change(model, ws.u.data(), dt, ws, state.work);
      book_drives(model, params, ws.u.data(), dt, ws, state.work);
    }
    advance(model, ws.u.data(), S(0.5 * dt), ws.q.data());
    for (int i = 0; i < model.nq; i++) state.q[i] = select(which, ws.q[i], state.q[i]);
    depenetrate(model, params, state, ws);
  }
  const double last = state.dt;
  remember_axes(dt, ws, state);
  if (model.contact.response == Response::Penalty) {
    state.dt = last;  // 0: these contacts are those of the start
    commit_soft(model, params, input, dt, state, ws);
    state.dt = dt;
  } else {
    remember_contacts(model, ws, state);
  }
  return solved;
}

#define SINEW_INSTANTIATE_RUNGE_KUTTA(S)                                                                          \
  template void local_rates(const Model&, const S*, const S*, S*);                                                \
  template void accelerate_stage(const Model&, const Params<S>&, const Input<S>&, const StagePoint<S>&,           \
                                 const State<S>&, Workspace<S>&);                                                 \
  template void book_stage(const Model&, const Params<S>&, const Input<S>&, const StagePoint<S>&, Work<S>&,       \
                           Workspace<S>&);                                                                        \
  template void evaluate_stage(const Model&, const Params<S>&, const Input<S>&, const StagePoint<S>&, State<S>&,  \
                               Workspace<S>&);                                                                    \
  template double close_loops(const Model&, const Params<S>&, const Input<S>&, double, State<S>&, Workspace<S>&); \
  template double thrown_part(const Model&, const Params<S>&, S, Workspace<S>&);                                  \
  template void commit_soft(const Model&, const Params<S>&, const Input<S>&, double, State<S>&, Workspace<S>&);   \
  template SolveReport apply_all_laws(const Model&, const Params<S>&, const Input<S>&, double, State<S>&,         \
                                      Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_RUNGE_KUTTA)

}  // namespace sinew
