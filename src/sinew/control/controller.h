// A controller turns readings into commands. It sees no truth but its readings; it may evaluate a model of its own.
#pragma once
#include <span>

#include "sinew/model/readings.h"
#include "sinew/model/state.h"

namespace sinew {

class Controller {
 public:
  virtual ~Controller() = default;
  // Called before a step; writes out.torque, where it finds what it has given last. memory: State::memory. What it remembers besides
  // is there, in a block that the plan has for it: the controller itself is the same before and after.
  virtual void update(const Readings& readings, std::span<double> memory, Input<double>& out) = 0;
};

}  // namespace sinew
