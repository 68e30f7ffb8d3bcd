// What a page asks for (docs/view-protocol.md), checked as far as it can be without knowing the robot.
#pragma once
#include <string>
#include <string_view>

#include "sinew/math/linear.h"

namespace sinew::view {

struct Request {
  enum class Kind { Play, Pause, Step, Reset, Speed, Set, Push, Release, Load };
  Kind kind = Kind::Pause;
  std::string name = {};  // key, body or scenario
  double value = 0.0;     // of a key, or the speed
  Vec3d point = Vec3d::zero(), target = Vec3d::zero();
};

// Throws InputError.
Request parse_request(std::string_view json);

}  // namespace sinew::view
