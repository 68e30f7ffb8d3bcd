// What dry friction of a joint axis feels: how the axis moves, and what its drive transmits.
#pragma once
#include "sinew/step/workspace.h"

namespace sinew {

// Torque of the drive at the start of the step; of a servo that is a law itself, that of the last step.
template <Real S>
S transmitted(const Model& model, const State<S>& state, const Workspace<S>& ws, int index, const S& rate) {
  const AxisRowInfo& info = model.axis_rows[index];
  const int at = model.joints[info.joint].axis + info.component;
  S torque = ws.axis.actuator[at] - ws.axis.servo_slope[at] * rate;
  if (!ws.servos_in_rows || !(state.dt > 0.0)) return torque;
  for (std::size_t k = std::size_t(index) + 1; k < model.axis_rows.size();
       k++) {  // servos come after the other laws of an axis
    const AxisRowInfo& other = model.axis_rows[k];
    if (other.joint != info.joint || other.component != info.component) break;
    if (other.kind == AxisRowInfo::Kind::Servo) torque += state.axis_P[k] * S(1.0 / state.dt);
  }
  return torque;
}

template <Real S>
law::AxisMotion<S> axis_motion(const Params<S>& params, const State<S>& state, const Model& model, int index,
                               const law::AxisMotion<S>& now, const Workspace<S>& ws) {
  const AxisRowInfo& info = model.axis_rows[index];
  law::AxisMotion<S> out = now;
  out.friction = params.friction[model.joints[info.joint].axis + info.component];
  if (any(out.friction.load > S(0.0))) out.transmitted = transmitted(model, state, ws, index, now.rate);
  return out;
}

}  // namespace sinew
