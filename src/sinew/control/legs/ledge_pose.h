// One pose of a body of three hinged segments at a ledge (docs/theory/hexapod.md#ledge): does it hold there, and which pose does it best? Left and
// right are alike, so that a row of feet is one point. x from the wall, away from the robot, z from the ground [m].
//   slack_k >= hard_k for all conditions k of a pose;   best pose: min sum_k max(0, 1 - n_k)^2 + preference,  n_k = (slack_k - hard_k) / (soft_k - hard_k)
// Forces of the rows are vertical: min sum F^2, sum F = P / 2, sum F x = P x_com / 2, F >= 0. Torques of the joints J^T F; of a hinge: what is
// beyond it, about its axis.
#pragma once
#include <array>
#include <limits>
#include <string_view>

#include "sinew/control/legs/segments.h"

namespace sinew::legged {

inline constexpr int ledge_rows = 3;  // front, middle, rear

struct Ledge {
  double height = 0.25;  // [m]
};

enum class LedgeLimit { Reach, Joint, Body, Shank, Margin, Window, Load, Torque, Hinge };
inline constexpr std::array<std::string_view, 9> ledge_limit_names{"the legs reach their feet [m]",
                                                                   "joints of the legs are within their limits [rad]",
                                                                   "the body is clear of the ledge [m]",
                                                                   "shanks and feet are clear of the wall [m]",
                                                                   "static margin [m]",
                                                                   "place of the mass centre [m]",
                                                                   "feet carry [N]",
                                                                   "joint torques are below their limits [N m]",
                                                                   "hinge torque is below its limit [N m]"};

struct LedgePoseRules {
  double s_min = 0.01;                                                             // static margin [m]
  double joint = 0.01, body = 0.004, shank = 0.0;                                  // least room [rad, m, m]
  double torque_limit = 5.41, knee_limit = 2.71, hinge_limit = 10.82, part = 0.9;  // [N m]; part of them that is used
  double hinge_most = 1.05, g = 9.81;                                              // [rad, m/s^2]
  double block_along = 0.05, block_up = 0.03, head_radius = 0.04;                  // halves of a segment's block [m]
  bool rigid = false;                                                              // hinges stay straight
};

// Doubles alone, so that it fits into a block of State::memory.
struct LedgePose {
  double x = 0.0, z = 0.0, pitch = 0.0;  // of the middle shoulders; nose up [rad]
  double front = 0.0, rear = 0.0;        // hinges, far ends up [rad]
};
using LedgeFeet = std::array<Vec3d, ledge_rows>;  // middles of the left feet

// What a pose has to satisfy.
struct LedgeAsk {
  LedgeFeet foot{};
  unsigned carries = 7;  // rows that bear the weight, by bits
  unsigned ignores = 0;  // rows whose reach does not matter
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();  // of x_com
  unsigned flies = 0;   // rows whose feet are in the air, and clear of the wall
  unsigned loaded = 0;  // rows whose feet carry `load` each [N]
  double load = 0.0;
  int above = -1;  // this row reaches also `lift` above its foot
  double lift = 0.0;
  double via_x = std::numeric_limits<double>::infinity(), via_z = 0.0;  // and this place; infinite: none
};

struct LedgeVerdict {
  double cost = 0.0, worst = 1e9;  // least n_k; below 0: does not hold
  LedgeLimit limit = LedgeLimit::Reach;
  int row = -1;                                    // whose leg it is; -1: of the body
  double lacking = 0.0;                            // of the worst [its unit]
  double com = 0.0;                                // x [m]
  double margin = 0.0, torque = 0.0, hinge = 0.0;  // least, largest as a part of its limit, largest [N m]
  std::array<double, ledge_rows> force{};          // of a foot of each row [N]
  bool holds() const { return worst >= 0.0; }
};

class LedgeJudge {
 public:
  LedgeJudge(const SegmentedBody& body, const Ledge& ledge, const LedgePoseRules& rules);

  LedgeVerdict judge(const LedgePose& pose, const LedgeAsk& ask) const;
  // The best pose from `near` on. foot_row >= 0: the foot of this row is free within [low, high] and drawn to `want`.
  struct Wish {
    LedgePose near;
    double keep = 0.3;  // weight of staying near it
    int row = -1;
    double low = 0.0, high = 0.0, want = 0.0, draw = 0.0;
  };
  LedgeVerdict find(const Wish& wish, LedgePose& pose, LedgeAsk& ask) const;

  double clearance(double x, double z) const;  // of a point: to the ground, the wall, the edge [m]; negative: inside
  const SegmentedBody& body() const { return body_; }
  const LedgePoseRules& rules() const { return rules_; }
  const Ledge& ledge() const { return ledge_; }
  // Between the world and the axes of the segment of a row.
  Vec3d to_segment(const LedgePose& pose, int row, const Vec3d& p) const;
  Vec3d from_segment(const LedgePose& pose, int row, const Vec3d& p) const;
  double ground(bool on_top) const { return (on_top ? ledge_.height : 0.0) + body_.foot_radius; }

 private:
  struct Score;
  void judge_legs(const LedgePose& pose, const LedgeAsk& ask, const std::array<Posed, most_segments>& X,
                  Score& score) const;
  void judge_shanks(int row, const Posed& X_WB, const Vec3d& q, Score& score) const;
  void judge_body(const std::array<Posed, most_segments>& X, const LedgePose& pose, Score& score) const;
  void judge_loads(const LedgeAsk& ask, const std::array<Posed, most_segments>& X, Score& score) const;

  SegmentedBody body_;
  Ledge ledge_;
  LedgePoseRules rules_;
  std::array<YawLeg, ledge_rows> leg_;
};

// Vertical forces of feet at x_i that carry `weight` at `com`, least squares with F >= 0; false: com is beyond them.
bool share_rows(const std::array<double, ledge_rows>& x, unsigned carries, double com, double weight,
                std::array<double, ledge_rows>& F);

}  // namespace sinew::legged
