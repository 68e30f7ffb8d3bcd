// State: all that is needed to resume a run, as plain values. Copy = snapshot. Input: what is commanded from outside.
#pragma once
#include <cstdint>
#include <vector>

#include "sinew/math/spatial.h"
#include "sinew/model/model.h"

namespace sinew {

// Work done so far [J]; integrated with the stepper's own quadrature so that the balance closes at its order.
template <Real S>
struct Work {
  S actuators = S(0.0);  // by servos, commanded torques and driven joints
  S external = S(0.0);   // by wrenches applied from outside
  S damping = S(0.0);    // taken out by dampers (positive)
  S start = S(0.0);      // mechanical energy when the run began

  void add(const Work& rate, S dt) {
    actuators += rate.actuators * dt, external += rate.external * dt, damping += rate.damping * dt;
  }
};

template <Real S>
struct State {
  double t = 0.0;  // [s]
  std::int64_t steps = 0;
  std::vector<S> q, u;  // coordinates and velocities of the forest
  Work<S> work;
};

template <Real S>
struct Input {
  std::vector<S> torque;            // commanded on each joint axis, held over a step [N m or N]
  std::vector<Wrench<S>> external;  // on each body: about its centre of mass, world axes
};

// 64-bit hash of one robot's state: equal bits, equal hash.
template <Real S>
std::uint64_t hash(const State<S>& state, int lane = 0);

}  // namespace sinew
