// Drives in a step of any stepper (parts/drive/drive.h). Before the step each one advances through it by ticks of its own, while its axis
// moves as the last step lets expect; its mean torque then acts on the axis. In an implicit step the torque is a line in the velocity at the
// end, torque = constant - slope u_E, found by two trials of the drive; after the step it advances once more, with the motion that was found.
// Drives that move a joint by rods or gears (parts/transmission/transmission.h) have strokes s(q) as their axes. By the Jacobian, with
// J_M = J at q + u dt/2 and lines F_i = c_i - g_i (J_M u_E)_i [N or N m],
//   tau = J_M^T F,  of which  tau_r = sum_i J_ir (c_i - g_i sum_{k != r} J_ik u_A,k) - (sum_i g_i J_ir^2) u_E,r
// is what the step gets: the diagonal of J^T g J acts with the velocity at the end, the rest with that of the start. For two axes this is
// stable for any g >= 0, because 2 diag(G) - G is not negative where G is not. What acted is read back as F = J_M^-T tau. Work booked is
// F_i (J_M (q_E - q_A))_i: summed up it is the work on the axes to the last digit, and F_i (s_E - s_A)_i to the step's third order.
#pragma once
#include <vector>

#include "sinew/model/params.h"
#include "sinew/model/state.h"

namespace sinew {

template <Real S>
struct Workspace;

// A joint that drives move through a transmission, in this step.
template <Real S>
struct MovedJoint {
  Strokes<S> start, middle;
  S q[2] = {S(0.0), S(0.0)};          // at the start
  S rate[2] = {S(0.0), S(0.0)};       // of strokes at the start
  S commanded[2] = {S(0.0), S(0.0)};  // forces that are the torques which are commanded on the joint
};

template <Real S>
struct Devices {
  std::vector<S> constant, slope;    // of the torque on each joint axis; sized only where there are drives
  std::vector<S> trial;              // memory of one drive
  std::vector<MovedJoint<S>> moved;  // of Params::transmissions
  bool is_implicit = false;          // in this step slopes are not zero

  explicit Devices(const Model& model);
};

// Sets what drives do in a step from the state on, as ws.devices.is_implicit says.
template <Real S>
void begin_devices(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                   Workspace<S>& ws);

// Books what they did; the state is that of the end. u_A: velocity of each drive's axis at the start is remembered by begin_devices.
template <Real S>
void end_devices(const Model& model, const Params<S>& params, const Input<S>& input, double dt, State<S>& state,
                 Workspace<S>& ws);

// For those who look at a state: what drives did in the last step.
template <Real S>
void recall_devices(const Model& model, const State<S>& state, Workspace<S>& ws);

}  // namespace sinew
