// The standing biped in every simulator: the plan of the robot "biped" on the springs and dampers of its servos, and what a simulator must offer.
#pragma once
#include <array>
#include <functional>
#include <memory>

#include "sinew/model/plan.h"

namespace sinew::bench {

Plan standing_biped();
inline constexpr double biped_step = 1e-3;  // [s]

class BipedPeer {
 public:
  virtual ~BipedPeer() = default;
  virtual void step() = 0;
  virtual std::array<double, 3> place() = 0;  // mass centre of the trunk [m]
  virtual int unsolved() const { return 0; }  // steps that it did not solve, as far as it says so
};

using MakeBipedPeer = std::function<std::unique_ptr<BipedPeer>()>;
void add_biped_peer(const char* name, const MakeBipedPeer& make);

}  // namespace sinew::bench
