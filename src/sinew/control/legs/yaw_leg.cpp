#include "sinew/control/legs/yaw_leg.h"

#include <cmath>

#include "sinew/math/elementary.h"

namespace sinew::legged {

YawLegPoints points_of(const YawLeg& leg, const Vec3d& q) {
  const auto [s, c] = math::sin_and_cos(q[0]);
  const auto [sin_femur, cos_femur] = math::sin_and_cos(q[1]);
  const auto [sin_tibia, cos_tibia] = math::sin_and_cos(q[1] + q[2]);
  const double r2 = leg.l1 + leg.l2 * cos_femur, r3 = r2 + leg.l3 * cos_tibia;
  const double z2 = leg.l2 * sin_femur, z3 = z2 + leg.l3 * sin_tibia;
  return {Vec3d(leg.l1 * c, leg.l1 * s, 0.0), Vec3d(r2 * c, r2 * s, z2), Vec3d(r3 * c, r3 * s, z3)};
}

Vec3d foot_of(const YawLeg& leg, const Vec3d& q) { return points_of(leg, q).foot; }

Reach reach_for(const YawLeg& leg, const Vec3d& foot, Vec3d& q) {
  const double out = math::hypot(foot[0], foot[1]);
  if (!(out > 1e-9)) return Reach::OnAxis;
  const double r = out - leg.l1, z = foot[2];
  const double c = (r * r + z * z - leg.l2 * leg.l2 - leg.l3 * leg.l3) / (2.0 * leg.l2 * leg.l3);
  if (!(c <= 1.0)) return Reach::TooFar;
  if (!(c >= -1.0)) return Reach::TooNear;
  const double knee = -math::acos(c);
  const auto [sin_knee, cos_knee] = math::sin_and_cos(knee);
  q = Vec3d(math::atan2(foot[1], foot[0]),
            math::atan2(z, r) - math::atan2(leg.l3 * sin_knee, leg.l2 + leg.l3 * cos_knee), knee);
  if (q[1] > 3.141592653589793) q[1] -= 6.283185307179586;
  if (q[1] < -3.141592653589793) q[1] += 6.283185307179586;
  return Reach::Good;
}

bool within_limits(const YawLeg& leg, const Vec3d& q, double margin) {
  for (int i = 0; i < 3; i++)
    if (!(q[i] >= leg.low[i] + margin && q[i] <= leg.high[i] - margin)) return false;
  return true;
}

Mat3d foot_jacobian(const YawLeg& leg, const Vec3d& q) {
  const auto [s, c] = math::sin_and_cos(q[0]);
  const auto [sin_femur, cos_femur] = math::sin_and_cos(q[1]);
  const auto [sin_tibia, cos_tibia] = math::sin_and_cos(q[1] + q[2]);
  const double c2 = leg.l2 * cos_femur, s2 = leg.l2 * sin_femur;
  const double c3 = leg.l3 * cos_tibia, s3 = leg.l3 * sin_tibia;
  const double rho = leg.l1 + c2 + c3;
  return {Vec3d(-rho * s, rho * c, 0.0), Vec3d(-(s2 + s3) * c, -(s2 + s3) * s, c2 + c3), Vec3d(-s3 * c, -s3 * s, c3)};
}

double jacobian_determinant(const YawLeg& leg, const Vec3d& q) {
  const double rho = leg.l1 + leg.l2 * math::cos(q[1]) + leg.l3 * math::cos(q[1] + q[2]);
  return -rho * leg.l2 * leg.l3 * math::sin(q[2]);
}

bool joint_rates(const YawLeg& leg, const Vec3d& q, const Vec3d& v, Vec3d& q_rate) {
  const Mat3d J = foot_jacobian(leg, q);
  const double det = dot(J.col(0), cross(J.col(1), J.col(2)));
  if (!(std::abs(det) > 1e-9)) return false;
  q_rate =
      Vec3d(dot(v, cross(J.col(1), J.col(2))), dot(v, cross(J.col(2), J.col(0))), dot(v, cross(J.col(0), J.col(1)))) *
      (1.0 / det);
  return true;
}

Vec3d force_torques(const YawLeg& leg, const Vec3d& q, const Vec3d& force) {
  return transpose_times(foot_jacobian(leg, q), force);
}

bool foot_force(const YawLeg& leg, const Vec3d& q, const Vec3d& torques, Vec3d& force) {
  const Mat3d J = foot_jacobian(leg, q);
  const double det = dot(J.col(0), cross(J.col(1), J.col(2)));
  if (!(std::abs(det) > 1e-9)) return false;
  force = (cross(J.col(1), J.col(2)) * torques[0] + cross(J.col(2), J.col(0)) * torques[1] +
           cross(J.col(0), J.col(1)) * torques[2]) *
          (-1.0 / det);
  return true;
}

Vec3d to_leg(const YawLeg& leg, const Vec3d& p) {
  const auto [s, c] = math::sin_and_cos(leg.outward);
  const Vec3d d = p - leg.hip;
  return {c * d[0] + s * d[1], c * d[1] - s * d[0], d[2]};
}

Vec3d from_leg(const YawLeg& leg, const Vec3d& p) {
  const auto [s, c] = math::sin_and_cos(leg.outward);
  return leg.hip + Vec3d(c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]);
}

Vec3d mass_moment(const YawLeg& leg, const Vec3d& q) {
  const YawLegPoints p = points_of(leg, q);
  const auto between = [](const Vec3d& a, const Vec3d& b, double part) { return a + (b - a) * part; };
  return p.femur * (leg.at_coxa * leg.m_coxa) + between(p.femur, p.knee, leg.at_femur) * leg.m_femur +
         between(p.knee, p.foot, leg.at_tibia) * leg.m_tibia + p.foot * leg.m_foot;
}

}  // namespace sinew::legged
