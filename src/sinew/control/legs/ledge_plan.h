// The way of a body of three hinged segments up a ledge (docs/theory/hexapod.md#ledge; Konyev 2011, Fig. 3.31): frames one after the other, in each of
// which and between which the conditions of ledge_pose.h hold. Rows of feet step in pairs, rear, middle, front.
// Between two frames the pose goes straight, feet that stand stay, feet in the air go straight in the axes of their segment.
#pragma once
#include <array>

#include "sinew/control/legs/climbing.h"
#include "sinew/control/legs/ledge_pose.h"

namespace sinew::legged {

// Doubles alone.
struct LedgeFrame {
  LedgePose pose;
  double foot[ledge_rows][3]{};  // middles of the left feet [m]
  double stands[ledge_rows]{1, 1, 1};
  double phase = 0.0;  // LedgePhase
  double time = 0.0;   // from the frame before [s]
};
inline constexpr int most_ledge_frames = 96;

struct LedgeSpeeds {
  double body = 0.04, foot = 0.12, turn = 0.25;  // [m/s, m/s, rad/s]
  double least = 0.2;                            // time of a frame [s]
};

struct LedgePlan {
  struct Failure {
    double phase = -1.0, limit = 0.0, row = -1.0, lacking = 0.0;  // LedgePhase, -1: none; LedgeLimit
  };
  double frames = 0.0;
  Failure failure;
  double margin = 1e9, torque = 0.0,
         hinge = 0.0;  // least, largest as a part of its limit, largest [N m], of all frames
  std::array<LedgeFrame, most_ledge_frames> frame{};
  bool works() const { return failure.phase < 0.0 && frames > 0.0; }
};

struct LedgeStart {
  LedgePose pose;  // straight and level
  LedgeFeet foot{};
};
// Where a robot stands that has walked up to the wall: straight, level, its head `gap` before the wall.
LedgeStart ledge_start(const SegmentedBody& body, double gap, double head_radius);
void plan_ledge(const LedgeJudge& judge, const LedgeStart& start, const LedgeSpeeds& speeds, LedgePlan& plan);

// Pose and feet between two frames, s from 0 to 1.
LedgePose pose_between(const LedgePose& a, const LedgePose& b, double s);
Vec3d foot_between(const LedgeJudge& judge, const LedgeFrame& a, const LedgeFrame& b, int row, double s);

// The greatest height with a plan, to within `fine`: up from `low` in steps, then by halves. 0: not even `low`.
double greatest_ledge(const SegmentedBody& body, const LedgePoseRules& rules, double low, double high, double fine);

}  // namespace sinew::legged
