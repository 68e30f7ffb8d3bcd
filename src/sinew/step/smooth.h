// Stages shared by the steppers: accelerations of the constrained robot, torques of driven joints, closing of gaps.
#pragma once
#include "sinew/step/actuate.h"
#include "sinew/step/laws.h"

namespace sinew {

// The rows' own system is made anew, or is that of the last factor_cuts, which was at the same q.
enum class RowSystem { New, Kept };

// A time with place and velocities. memory: the state at its own time, whose penalty contacts go on; null: there are none.
template <Real S>
struct Instant {
  double t;
  const S *q, *u;
  const State<S>* memory = nullptr;
};

// du/dt at an instant with all drives, loops and cut joints, into ws.u_rate; row forces in ws.cuts.P. With a memory also penalty
// contacts, which are then in ws.rows.
template <Real S>
void accelerations(const Model& model, const Params<S>& params, const Input<S>& input, const Instant<S>& at,
                   Workspace<S>& ws, RowSystem system = RowSystem::New);

// Frames, forces of springs, dampers, servos and cables, and wrenches at an instant: what accelerations begins with.
template <Real S>
void forces(const Model& model, const Params<S>& params, const Input<S>& input, const Instant<S>& at, Workspace<S>& ws);

// Accelerations for frames, drives and wrenches that are in the workspace already.
template <Real S>
void accelerations_at_frames(const Model& model, const Params<S>& params, Workspace<S>& ws,
                             RowSystem system = RowSystem::New);

// Torques of driven joints into ws.axis.actuator: what the motion u_rate asks of them, less their springs and dampers.
// Row impulses in ws.cuts.P count times scale (1: they are forces; 1/dt: impulses of a step).
template <Real S>
void read_back_drives(const Model& model, const Params<S>& params, const S* u_rate, S scale, Workspace<S>& ws);

// Work of the drives of cut joints: impulses in ws.cuts.P at the velocities in ws.cuts.want.
template <Real S>
S work_of_driven_rows(const Model& model, const Workspace<S>& ws);

// Closes the gaps of cut joints at time t: q moves by the least displacement in the metric of the mass matrix. With u
// also takes out what is left of the rows' velocities at q. Uses the factor of the last factor_cuts. Returns the largest gap.
// Where the model has another projection than that, bodies move otherwise, or not at all, and u stays.
template <Real S>
double close_gaps(const Model& model, const Params<S>& params, double t, S* q, S* u, Workspace<S>& ws);
// The same, whatever the model's projection is.
template <Real S>
double close_gaps_by_mass(const Model& model, const Params<S>& params, double t, S* q, S* u, Workspace<S>& ws);

// Factors the rows' system, solves it for ws.cuts.rhs and corrects the velocities u by the response.
template <Real S>
void correct_by_rows(const Model& model, S* u, Workspace<S>& ws, RowSystem system = RowSystem::New);

// Makes velocities of cut joints consistent at frames where factor_cuts has been done: u moves least in that metric.
template <Real S>
void close_velocities(const Model& model, S* u, Workspace<S>& ws);

template <Real S>
StepReport report_of(const Model& model, const State<S>& state, double dt, double gap, const SolveReport& solved,
                     const Workspace<S>& ws);

}  // namespace sinew
