// A leg that turns about a vertical axis and lifts by two horizontal ones, as those of insects (docs/theory/hexapod.md#legs).
// Frame of the leg: origin on the first axis, x outward, y across, z up.
//   foot = (rho cos q1, rho sin q1, l2 sin q2 + l3 sin(q2 + q3)),     rho = l1 + l2 cos q2 + l3 cos(q2 + q3)
//   q1 = atan2(y, x),  r = hypot(x, y) - l1,  c = (r^2 + z^2 - l2^2 - l3^2) / (2 l2 l3),  q3 = -acos c (knee up),
//   q2 = atan2(z, r) - atan2(l3 sin q3, l2 + l3 cos q3);       det J = -rho l2 l3 sin q3
// l1, l2, l3 coxa, femur, tibia [m]; q1 left of outward, q2 up from level, q3 from the femur's line [rad].
#pragma once
#include <array>

#include "sinew/control/legs/leg.h"

namespace sinew::legged {

struct YawLeg {
  Vec3d hip = Vec3d::zero();  // of the leg's frame, in that of what carries it [m]
  double outward = 0.0;       // direction of the leg's x axis there, about z [rad]
  double l1 = 0.045, l2 = 0.10, l3 = 0.17;
  std::array<double, 3> low{-0.79, -0.79, -2.62}, high{0.79, 1.4, -0.17};  // of q1, q2, q3 [rad]
  double m_coxa = 0.13, m_femur = 0.19, m_tibia = 0.14, m_foot = 0.02;     // [kg]
  double at_coxa = 0.5, at_femur = 0.4, at_tibia = 0.45;                   // mass centres, as parts of the lengths
  double mass() const { return m_coxa + m_femur + m_tibia + m_foot; }
};

struct YawLegPoints {
  Vec3d femur, knee, foot;  // ends of coxa, femur, tibia, in the frame of the leg [m]
};
YawLegPoints points_of(const YawLeg& leg, const Vec3d& q);
Vec3d foot_of(const YawLeg& leg, const Vec3d& q);
// Good, or why the point has no angles: q is not changed then. OnAxis: no direction of the coxa reaches it, or any would.
Reach reach_for(const YawLeg& leg, const Vec3d& foot, Vec3d& q);
bool within_limits(const YawLeg& leg, const Vec3d& q, double margin = 0.0);

Mat3d foot_jacobian(const YawLeg& leg, const Vec3d& q);  // d foot / d q, by columns
double jacobian_determinant(const YawLeg& leg, const Vec3d& q);
// q' of a foot that moves with v in the frame of the leg. False: singular, within 1e-9 m^3.
bool joint_rates(const YawLeg& leg, const Vec3d& q, const Vec3d& v, Vec3d& q_rate);
// J^T F: what a force on the foot asks of joints that hold it, but for the sign: they give -J^T F.
Vec3d force_torques(const YawLeg& leg, const Vec3d& q, const Vec3d& force);
// The other way round: the force of the ground on the foot, when joints of a leg without mass give `torques`. False: singular.
bool foot_force(const YawLeg& leg, const Vec3d& q, const Vec3d& torques, Vec3d& force);

// Between the frame of the leg and that of what carries it.
Vec3d to_leg(const YawLeg& leg, const Vec3d& p);
Vec3d from_leg(const YawLeg& leg, const Vec3d& p);

// Sum of m p of its links and its foot, in the frame of the leg [kg m].
Vec3d mass_moment(const YawLeg& leg, const Vec3d& q);

}  // namespace sinew::legged
