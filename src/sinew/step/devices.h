// Drives in a step of any stepper (parts/drive/drive.h). Before the step each one advances through it by ticks of its own, while its axis
// moves as the last step lets expect; its mean torque then acts on the axis. In an implicit step the torque is a line in the velocity at the
// end, torque = constant - slope u_E, found by two trials of the drive; after the step it advances once more, with the motion that was found.
#pragma once
#include <vector>

#include "sinew/model/params.h"
#include "sinew/model/state.h"

namespace sinew {

template <Real S>
struct Workspace;

template <Real S>
struct Devices {
  std::vector<S> constant, slope;  // of the torque on each joint axis; sized only where there are drives
  std::vector<S> trial;            // memory of one drive
  bool is_implicit = false;        // in this step slopes are not zero

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
