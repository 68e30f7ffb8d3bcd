// Balance on any number of feet (docs/theory/quadruped.md#support): which forces of the ground move a body as wanted, and which torques
// of the joints make them. Nothing here knows a robot: feet are points on the ground, legs are those of leg.h.
//   sum f_i = F,   sum (x_i - c) x f_i = N,   f_i inside a pyramid in its friction cone,   f_min <= f_i . n <= f_max
// The wrench (F, N) is the soft part: there is always an answer, and it says what is missed.
#pragma once
#include <limits>
#include <span>

#include "sinew/control/legs/leg.h"
#include "sinew/math/qp.h"

namespace sinew::legged {

inline constexpr int most_feet = 8;

struct Foothold {
  Vec3d point = Vec3d::zero();          // in S [m]
  Vec3d normal = Vec3d(0.0, 0.0, 1.0);  // of the ground there, of length 1
  double mu = 0.8, f_min = 0.0;         // friction; least normal force [N]
  double f_max = std::numeric_limits<double>::infinity();
};

struct BodyWrench {
  Vec3d f, n;  // force, and torque about the body's mass centre, in S [N, N m]
};

struct SupportShare {
  bool found = false;   // false: no forces satisfy the bounds
  double missed = 0.0;  // largest entry of the wrench that the feet cannot give [N, N m]
};

struct SupportWeights {
  double eps = 1e-6;    // of the forces
  double length = 0.3;  // over which torques count as forces [m]
};

// min |A f - (F, N / length)|^2 + eps |f|^2 within the bounds; forces: as many as feet, in S. Up to most_feet feet.
SupportShare share_support(std::span<const Foothold> feet, const Vec3d& about, const BodyWrench& wanted, SmallQp& qp,
                           std::span<Vec3d> forces, const SupportWeights& weights = {});

// The robot as one rigid body.
struct BodyState {
  Vec3d p, v, w;  // mass centre and speeds, in S
  Mat3d R;        // axes of the body in S
};
struct BodyGoal {
  Vec3d p = Vec3d::zero(), v = Vec3d::zero(),
        a = Vec3d::zero();  // where its mass centre should be, how fast, and what is fed forward
  Mat3d R = Mat3d::identity();
  double kp = 100.0, kd = 20.0, turn_kp = 100.0, turn_kd = 20.0;  // [1/s^2, 1/s]
};
// What the ground must do: m (a + kp (p_d - p) + kd (v_d - v) + g e_z) and I (turn_kp theta - turn_kd w) + w x I w, where theta turns R into
// the goal's. I: in the body's axes.
BodyWrench wanted_wrench(double mass, const Sym3d& I, double g, const BodyGoal& goal, const BodyState& state);

// Torques (ha, hb, k) by which a leg without mass lets the ground push its foot with `force`, in S; R: axes of what carries the hip.
Vec3d leg_torques(const LegShape& leg, const LegPose& pose, const Mat3d& R, const Vec3d& force);

}  // namespace sinew::legged
