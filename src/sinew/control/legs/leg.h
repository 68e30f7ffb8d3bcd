// A leg of three joints on a plate (docs/theory/quadruped.md#legs): abduction ha about the plate's y axis, flexion hb, interior
// knee angle k (pi: stretched). All vectors in the plate's axes P.
//   b = l_th (-sin ha cos hb, -sin hb, -cos ha cos hb)      hip to knee
//   c = l_sh (-sin ha cos g,  -sin g,  -cos ha cos g)       knee to foot,   g = hb + sigma (pi - k)
//   s = b + c                                               hip to foot
// sigma = +1: the knee points forward (+y), -1: backward. Thigh and shank are uniform bars.
#pragma once
#include <array>
#include <string_view>

#include "sinew/math/linear.h"
#include "sinew/math/trig.h"

namespace sinew::legged {

struct LegShape {
  Vec3d hip = Vec3d::zero();  // a, in P [m]
  double l_th = 0.3;          // thigh, shank [m]
  double l_sh = 0.3;
  double m_th = 0.9453;  // [kg]
  double m_sh = 1.2289;
  double knee = 1.0;  // sigma
};

struct LegAngles {
  double ha = 0.0, hb = 0.0, k = 1.5;  // [rad]
};

// Why a foot has no joint angles, or none that can be used. OnAxis: it lies on the line about which ha turns.
enum class Reach { Good, TooFar, TooNear, OnAxis };
inline constexpr std::array<std::string_view, 4> reach_names{"good", "too far", "too near", "on the abduction axis"};

// Sines and cosines of all angles, and what follows from them; no angle itself.
struct LegPose {
  Reach reach = Reach::Good;
  SinCos<double> ha, hb, g, k;
  double rho = 0.0;  // distance of the foot from the abduction axis [m]
  Vec3d s, b, c;     // [m]
};

LegPose pose_of(const LegShape& leg, const LegAngles& angles);
// Inverse kinematics: the hip solution with the foot below the hip, the knee of leg.knee. No arcus is taken.
LegPose reach_for(const LegShape& leg, const Vec3d& s);
LegAngles angles_of(const LegShape& leg, const LegPose& pose);

// ds / d(ha, hb, k), by columns.
Mat3d foot_jacobian(const LegShape& leg, const LegPose& pose);

// db / d(ha, hb) and its rate; for c: with g instead of hb.
struct BarTurn {
  Vec3d by_ha, by_h;
};
BarTurn bar_turn(double length, const SinCos<double>& ha, const SinCos<double>& h);
// Q' (ha', h'): acceleration of the bar's end that joint rates alone cause.
Vec3d bar_drift(double length, const SinCos<double>& ha, const SinCos<double>& h, double ha_rate, double h_rate);

// The plate as its legs see it: its own axes.
struct PlateMotion {
  Mat3d R;     // columns: axes of P in S
  Vec3d p;     // of the plate's mass centre, in S [m]
  Vec3d v, w;  // of the plate, in P [m/s, rad/s]
  Vec3d lift;  // minus the field of gravity, in P [m/s^2]
};

inline constexpr int ha = 0, hb = 1, knee = 2;  // joints of a leg

// A leg whose foot stands still: its joints follow the plate, theta' = j (v, w), theta'' = j (v', w') + bias.
// bad: no number but pose.reach means anything.
struct HeldLeg {
  LegPose pose;
  double j[3][6];
  double rate[3], bias[3];  // [rad/s, rad/s^2]
  Vec3d J_k[6];             // knee: velocity by (v, w)
  BarTurn turn;             // Q
  Vec3d a_h0, a_k0;         // accelerations of hip and knee with v' = w' = 0 [m/s^2]
};
void hold_leg(const LegShape& leg, const PlateMotion& plate, const Vec3d& foot, HeldLeg& out);  // foot: d, in S

// Rates of the rows j along the motion: j' (v, w) = bias.
void row_rates(const LegShape& leg, const PlateMotion& plate, const Vec3d& foot, const HeldLeg& held,
               double j_rate[3][6]);

// Velocity of a point of the plate's axes by (v, w): column i.
SINEW_INLINE Vec3d point_column(const Vec3d& x, int i) {
  switch (i) {
    case 0:
      return {1, 0, 0};
    case 1:
      return {0, 1, 0};
    case 2:
      return {0, 0, 1};
    case 3:
      return {0, -x[2], x[1]};
    case 4:
      return {x[2], 0, -x[0]};
    default:
      return {-x[1], x[0], 0};
  }
}

}  // namespace sinew::legged
