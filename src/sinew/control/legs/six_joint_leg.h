// A leg of six joints: yaw, roll, pitch of the hip, knee, pitch and roll of the ankle (docs/theory/biped.md#legs; Konyev 2011, chapter 4). Axes
// x forward, y left, z up; hip frame H at the hip's centre, foot frame F at the ankle's centre, along the sole.
//   R_HF = Rz(yaw) Rx(roll) Ry(pitch) Ry(k) Ry(a) Rx(r),   p_HF = R_hip [(0, 0, -l_t) + Ry(k) (0, 0, -l_s)]
// k: knee [rad], 0 straight, more moves the shank backward; a, r: pitch and roll of the ankle [rad]; l_t, l_s: thigh, shank [m].
#pragma once
#include <array>
#include <string_view>

#include "sinew/control/legs/leg.h"
#include "sinew/math/spatial.h"

namespace sinew::legged {

namespace six {
enum : int { yaw, roll, pitch, knee, ankle_pitch, ankle_roll, count };
}
using SixAngles = std::array<double, six::count>;  // [rad]
inline constexpr std::array<std::string_view, six::count> six_names{"hip yaw", "hip roll",    "hip pitch",
                                                                    "knee",    "ankle pitch", "ankle roll"};

struct SixJointLeg {
  double thigh = 0.36, shank = 0.36;  // [m]
  SixAngles low{-0.5, -0.4, -1.2, 0.0, -0.6, -0.35}, high{0.5, 0.4, 0.6, 1.8, 0.6, 0.35};
  // Nearly straight knees are bent this far: there the knee's angle goes with the square root of the distance.
  double straight = 0.03;
  static constexpr double straight_cosine = 0.9995;
  bool operator==(const SixJointLeg&) const = default;
};

Mat3d hip_rotation(const SixAngles& q);                        // R of the thigh in H
Posed foot_pose(const SixJointLeg& leg, const SixAngles& q);   // X_HF
Vec3d knee_point(const SixJointLeg& leg, const SixAngles& q);  // in H [m]

// Good: q puts the foot there. TooFar: the leg is (nearly) straight, q points to the foot with the knee bent by `straight`, and keeps the foot's
// attitude. TooNear, and OnAxis where the roll of the hip is at a right angle: q is as it was.
Reach reach_for(const SixJointLeg& leg, const Posed& X_HF, SixAngles& q);

int first_beyond(const SixJointLeg& leg, const SixAngles& q);  // the first joint beyond its limits; -1: none
SixAngles limited(const SixJointLeg& leg, SixAngles q);        // each joint at its nearest

}  // namespace sinew::legged
