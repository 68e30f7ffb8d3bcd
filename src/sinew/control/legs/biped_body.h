// A biped: a trunk on two legs of six joints with flat soles (docs/theory/biped.md#robot). Frames, x forward, y left, z up: world W, pelvis P in the
// middle between the hips, foot F at the ankle's centre, along the sole. Sides: 0 left, 1 right.
//   c_P = (m_trunk c_trunk + sum m_k c_k) / sum m          mass centre from joint angles; links have theirs at half their length
// The sole is a rectangle below the ankle, from -heel to toe along x.
#pragma once
#include <array>

#include "sinew/control/legs/six_joint_leg.h"
#include "sinew/control/legs/support_polygon.h"

namespace sinew::legged {

struct BipedBody {
  SixJointLeg leg;
  double hip_beside = 0.09;                           // hip from the middle [m]
  double ankle_height = 0.08;                         // over the sole [m]
  double heel = 0.08, toe = 0.14, sole_width = 0.11;  // [m]
  double m_trunk = 10.0, trunk_above = 0.25;          // with the pelvis; its mass centre over the hips [kg, m]
  double m_thigh = 3.0, m_shank = 2.6, m_foot = 1.4;  // of one leg [kg]

  double mass() const { return m_trunk + 2.0 * (m_thigh + m_shank + m_foot); }
  Vec3d hip(int side) const { return {0.0, side == 0 ? hip_beside : -hip_beside, 0.0}; }  // in P
  Vec3d foot_com() const { return {0.5 * (toe - heel), 0.0, -0.5 * ankle_height}; }       // in F
  bool operator==(const BipedBody&) const = default;
};

using BothLegs = std::array<SixAngles, 2>;

Posed ankle_pose(const BipedBody& body, int side, const SixAngles& q);  // X_PF
Vec3d mass_centre(const BipedBody& body, const BothLegs& q);            // in P [m]
// All masses as points, in P.
struct MassPoint {
  double m = 0.0;           // [kg]
  Vec3d p = Vec3d::zero();  // [m]
};
std::array<MassPoint, 7> mass_points(const BipedBody& body, const BothLegs& q);
// Corners of the sole in the axes in which X has F.
std::array<Vec3d, 4> sole_corners(const BipedBody& body, const Posed& X);
SupportPolygon soles_polygon(const BipedBody& body, const std::array<Posed, 2>& X, const std::array<bool, 2>& stands);

// Where the pelvis must be, with given axes, so that the mass centre is at c: the mass centre moves with the pelvis, less what the legs leave behind,
// so a few rounds from the last place do. Good: both legs reach, and q has the angles.
struct BipedAim {
  Vec3d c = Vec3d::zero();  // in W [m]
  Mat3d R_WP = Mat3d::identity();
  std::array<Posed, 2> X_WF{Posed::identity(), Posed::identity()};
};
Reach pose_biped(const BipedBody& body, const BipedAim& aim, Vec3d& p_WP, BothLegs& q);

// Torques with which a leg stands still while the ground pushes its foot with f at a point, both in W: virtual work, weights of the links included.
//   tau_j = -a_j . sum (x - x_j) x F          over all forces F at x beyond the joint j with the axis a_j
struct FootPush {
  Vec3d f = Vec3d::zero(), at = Vec3d::zero();  // [N, m]
};
SixAngles balance_torques(const BipedBody& body, int side, const Posed& X_WP, const SixAngles& q, const FootPush& push,
                          double g);
// The same for a leg that moves: what pulls thigh, shank and foot, weight and inertia, for a kilogram each, g - a in W [m/s^2].
using LegPull = std::array<Vec3d, 3>;
SixAngles balance_torques(const BipedBody& body, int side, const Posed& X_WP, const SixAngles& q, const FootPush& push,
                          const LegPull& pull);

// How two feet share a push f of the ground at p: along the line between a_0 and a_1, where each of them would carry all of it. A foot that does not stand
// gets nothing.
struct SharedPush {
  std::array<FootPush, 2> foot;
};
SharedPush share_push(const Vec3d& f, const Vec3d& p, const std::array<Vec3d, 2>& a, const std::array<bool, 2>& stands);

}  // namespace sinew::legged
