// What the biped is told to do (docs/theory/biped.md#steps-as-told): the table [command], which holds from the start on, and [command.change.NAME], each of
// which takes over at its time what it gives. What a page or a program sets while it runs counts as the last word.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "sinew/control/legs/save_steps.h"
#include "sinew/model/keys.h"

namespace sinew::robots {

struct TwistChange {
  std::string name;
  double at = 0.0;          // [s]
  legged::WalkTwist twist;  // infinite: as it was
};

struct BipedCommands {
  legged::WalkTwist first;
  std::vector<TwistChange> changes;  // in the order of time
};

void describe_twists(Keys& keys, BipedCommands& commands);

// All that is remembered of commands and of the steps that come of them: doubles alone.
struct ToldMemory {
  legged::WalkTwist set, now;  // as [command] had it when it was last looked at; as it holds
  double done = 0.0;           // changes that have come
  legged::StepChain chain;
  std::array<Vec3d, 2> stands{Vec3d::zero(), Vec3d::zero()};  // feet, where they have come to stand [m]
};
// The twist that holds at t.
legged::WalkTwist told_at(const BipedCommands& commands, double t, ToldMemory& m);

}  // namespace sinew::robots
