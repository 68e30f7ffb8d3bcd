// A body of segments in a row, hinged to one another, each with a left and a right leg (docs/theory/hexapod.md#frames). Frames, x forward, y left,
// z up: world W, robot R at the shoulders of the segment in the middle, body B_j at the shoulders of segment j, leg L_i at its first joint.
//   p_R = R_WR^T (p_W - o_R),   R_WR = Rz(heading) Ry(-pitch_up) Rx(roll);      roll > 0: left side up
//   in front of the middle: o_j = hinge + R_j (l_BS, 0, 0),   R_j = R_(j+1) Rz(yaw) Ry(-pitch_up),  hinge a_m ahead of the shoulders behind it
//   behind it:              o_j = hinge - R_j (l_BS, 0, 0),   R_j = R_(j-1) Rz(-yaw) Ry(pitch_up);  pitch_up raises the far end, yaw moves it left
// Segments are counted from the front; legs are L1 L2 ... R1 R2 ...
#pragma once
#include <array>

#include "sinew/control/legs/gait_table.h"
#include "sinew/control/legs/yaw_leg.h"
#include "sinew/math/spatial.h"

namespace sinew::legged {

inline constexpr int most_segments = most_legs / 2;

struct Hinge {
  double pitch_up = 0.0, yaw = 0.0;  // [rad]
};

struct SegmentedBody;

// Neutral feet on an ellipse (a_y cos th, a_x sin th), at the angles th from front to rear.
struct NeutralEllipse {
  double a_y = 0.235, a_x = 0.3855, step = 0.592;  // [m, m, rad]
  Vec3d neutral(const SegmentedBody& body, int i) const;
};

struct SegmentedBody {
  int segments = 3;
  double a_m = 0.03, l_bs = 0.17, w_h = 0.075;     // shoulder to hinge, hinge to next shoulder, hip beside the axis [m]
  double m_segment = 0.90, m_head = 0.42;          // [kg]
  double head_ahead = 0.12;                        // of the front shoulder [m]
  double hip_height = 0.13, foot_radius = 0.012;   // over the foot's centre, neutral; [m]
  Vec3d block{0.05, 0.06, 0.03};                   // halves of a segment's block, along, across, up [m]
  double link_radius = 0.015, head_radius = 0.04;  // of the rods of the legs, of the head [m]
  YawLeg leg;                                      // all are alike; hip and outward are set by leg_of
  bool on_ellipse = false;                         // where neutral feet are; false: on a rectangle
  NeutralEllipse ellipse;

  int legs() const { return 2 * segments; }
  int middle() const { return segments / 2; }
  double spacing() const { return a_m + l_bs; }
  double mass() const { return segments * (m_segment + 2.0 * leg.mass()) + m_head; }
  int segment_of(int i) const { return i % segments; }
  YawLeg leg_of(int i) const;  // in the frame of its segment
  // Tibia vertical below a femur that rises: how far the foot is from the axis of the body [m]. NaN: no such pose.
  double neutral_out() const;
  Vec3d neutral(int i) const;   // foot, in R
  Vec3d shoulder(int i) const;  // of its segment, in R, when the body is straight
};

struct BodyPose {
  Vec3d o = Vec3d::zero();  // of R, in W [m]
  double heading = 0.0, pitch_up = 0.0, roll = 0.0;
  std::array<Hinge, most_segments> hinge{};  // of segment j to the one nearer to the middle; of the middle: not used
};

Mat3d robot_axes(double heading, double pitch_up, double roll);  // R_WR
// X_RB of all segments.
void place_segments(const SegmentedBody& body, const BodyPose& pose, std::array<Posed, most_segments>& X_RB);
// A foot of the world in the frame of its leg.
Vec3d world_to_leg(const SegmentedBody& body, const BodyPose& pose, int leg, const Vec3d& p_W);
// Mass centre in R from joint angles [m].
Vec3d mass_centre(const SegmentedBody& body, const BodyPose& pose, const std::array<Vec3d, most_legs>& q);

// Two equal motors a, b of a differential hinge: pitch = (a + b) / 2, yaw = (a - b) / 2; torques pitch: a + b, yaw: a - b.
struct Differential {
  double a = 0.0, b = 0.0;
};
Differential motor_angles(const Hinge& hinge);
Hinge hinge_angles(const Differential& motors);
Hinge hinge_torques(const Differential& motor_torques);

}  // namespace sinew::legged
