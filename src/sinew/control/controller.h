// A controller turns readings into commands. It sees no truth but its readings; it may evaluate a model of its own.
#pragma once
#include "sinew/model/readings.h"
#include "sinew/model/state.h"

namespace sinew {

class Controller {
 public:
  virtual ~Controller() = default;
  // Called before a step; writes out.torque.
  virtual void update(const Readings& readings, Input<double>& out) = 0;
};

}  // namespace sinew
