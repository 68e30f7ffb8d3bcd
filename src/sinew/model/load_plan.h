// What is attached to bodies: loads that act on them over time, and points that are looked at (docs/own.md).
//   wrench(t) = (r(t) (factor + amplitude sin(2 pi frequency t + phase)) + table(t)) (force, couple), 0 before start
// r rises smoothly from 0 to 1 over `ramp`.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sinew/math/spatial.h"
#include "sinew/parts/device/motion_table.h"

namespace sinew {

// On a body at a point, or on a rod: at the abscissa `at`, or spread over its length, force and couple then being those of a metre.
struct LoadPlan {
  std::string name;
  std::string body = {};
  Vec3d point = Vec3d::zero();  // in the body's axes [m]
  std::string rod = {};         // instead of a body
  double at = -1.0;             // below 0: at the tip [m]
  bool spread = false;
  Vec3d force = Vec3d::zero(), couple = Vec3d::zero();  // [N, N m; spread: N/m, N]
  bool follows = false;                                 // they turn with the body: in its axes, else in the world's
  double factor = 1.0, amplitude = 0.0, frequency = 0.0, phase = 0.0, ramp = 0.0, start = 0.0;  // [1, 1, Hz, rad, s, s]
  std::shared_ptr<const MotionTable> table = {};
  bool table_smooth = false;  // a spline instead of straight lines
  // made of a rod: bodies on which it acts, where, and the share of each [1; spread: m]
  std::vector<std::string> bodies = {};
  std::vector<Vec3d> points = {};
  std::vector<double> shares = {};
};

// A point of a body whose place and velocity are asked for.
struct MarkerPlan {
  std::string name;
  std::string body = {};
  Vec3d position = Vec3d::zero();  // in the body's axes [m]
};

}  // namespace sinew
