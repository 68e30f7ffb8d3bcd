// Watcher: sees a simulation at the times of output.every, at the start and at the end.
#pragma once
#include "sinew/world/world.h"

namespace sinew::sim {

class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void look(const World<double>& world) = 0;
  virtual void keep() {}  // what was seen so far is sound
  virtual void drop() {}  // what was seen since the last keep() is not: the run goes back to that moment
  virtual bool wants_to_stop() const { return false; }
};

}  // namespace sinew::sim
