// CouplingPlan: one equation that joints, or points of two bodies, obey beside what the joints demand (docs/own.md).
//   Joints    sum_i (a_i q_i + b_i q_i^2 + c_i q_i^3 + d_i q_i^4) = sum      q: coordinates of joint axes [rad or m]
//   Distance  |p_2 - p_1| = length                                         p: places of two points of bodies [m]
#pragma once
#include <array>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/parts/joint/list.h"

namespace sinew {

enum class CouplingKind { Joints, Distance };
inline constexpr std::array<std::string_view, 2> coupling_kind_names{"joints", "distance"};

struct CouplingPlan {
  std::string name;
  CouplingKind kind = CouplingKind::Joints;
  std::vector<std::string> joints = {};                        // one entry for each term of the sum
  std::vector<double> axes = {};                               // of each, which of its axes; empty: the first, 0
  std::vector<double> factors = {};                            // a
  std::vector<double> squares = {}, cubes = {}, fourths = {};  // b, c, d; empty: zero
  double sum = 0.0;
  std::vector<std::string> bodies = {};  // two of them, or "world"
  std::vector<double> points = {};       // x, y, z of a point of each, in its axes [m]
  double length = 0.0;                   // [m]
};

// What a joint holds beside its kind, by a coupling of its own (docs/theory/joints.md#ties).
//   Screw     a cylindrical joint with q_1 = pitch / (2 pi) q_0
//   Distance  a flex joint with |p| = length: p leads from the joint's point in the parent to that in the child
enum class JointTie { None, Screw, Distance };

struct TiePlan {
  JointTie kind = JointTie::None;
  double pitch = 0.0;   // of a screw: way along the axis of one turn; below 0: left-handed [m]
  double length = 0.0;  // of a distance [m]

  constexpr bool is_there() const { return kind != JointTie::None; }
  constexpr double slope() const { return pitch / (2.0 * std::numbers::pi); }  // of a screw [m/rad]
};

constexpr std::string_view name_of(JointTie tie) {
  return tie == JointTie::Screw ? "screw" : tie == JointTie::Distance ? "distance" : "";
}
constexpr JointKind kind_of(JointTie tie) { return tie == JointTie::Screw ? JointKind::Cylindrical : JointKind::Flex; }

}  // namespace sinew
