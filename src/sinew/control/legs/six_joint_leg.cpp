#include "sinew/control/legs/six_joint_leg.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"

namespace sinew::legged {
namespace {

Mat3d six_about_x(double angle) {
  double s, c;
  sincos(angle, s, c);
  return {{1.0, 0.0, 0.0}, {0.0, c, s}, {0.0, -s, c}};
}
Mat3d six_about_y(double angle) {
  double s, c;
  sincos(angle, s, c);
  return {{c, 0.0, -s}, {0.0, 1.0, 0.0}, {s, 0.0, c}};
}
Mat3d six_about_z(double angle) {
  double s, c;
  sincos(angle, s, c);
  return {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}};
}

}  // namespace

Mat3d hip_rotation(const SixAngles& q) {
  return six_about_z(q[six::yaw]) * six_about_x(q[six::roll]) * six_about_y(q[six::pitch]);
}

Vec3d knee_point(const SixJointLeg& leg, const SixAngles& q) { return hip_rotation(q) * Vec3d(0.0, 0.0, -leg.thigh); }

Posed foot_pose(const SixJointLeg& leg, const SixAngles& q) {
  const Mat3d hip = hip_rotation(q);
  double s, c;
  sincos(q[six::knee], s, c);
  const Vec3d p = hip * Vec3d(-leg.shank * s, 0.0, -leg.thigh - leg.shank * c);
  return {hip * six_about_y(q[six::knee] + q[six::ankle_pitch]) * six_about_x(q[six::ankle_roll]), p};
}

Reach reach_for(const SixJointLeg& leg, const Posed& X_HF, SixAngles& q) {
  const Vec3d w = -transpose_times(X_HF.R, X_HF.p);  // the hip as the foot sees it
  const double lt = leg.thigh, ls = leg.shank;
  const double cosine = (dot(w, w) - lt * lt - ls * ls) / (2.0 * lt * ls);
  if (!(cosine >= -1.0)) return Reach::TooNear;
  Reach reach = Reach::Good;
  double k = cosine < 1.0 ? math::acos(cosine) : 0.0;
  if (cosine > SixJointLeg::straight_cosine && k < leg.straight) {
    k = leg.straight;
    reach = Reach::TooFar;
  }
  const double r = math::atan2(w[1], w[2]);
  const double a = math::atan2(-lt * math::sin(k), ls + lt * math::cos(k)) - math::atan2(w[0], math::hypot(w[1], w[2]));
  const Mat3d R = X_HF.R * transpose(six_about_x(r)) * transpose(six_about_y(k + a));
  if (std::abs(R(2, 1)) > 1.0 - 1e-9) return Reach::OnAxis;
  q = {math::atan2(-R(0, 1), R(1, 1)), math::asin(R(2, 1)), math::atan2(-R(2, 0), R(2, 2)), k, a, r};
  return reach;
}

int first_beyond(const SixJointLeg& leg, const SixAngles& q) {
  for (int i = 0; i < six::count; i++)
    if (!(q[i] >= leg.low[i] && q[i] <= leg.high[i])) return i;
  return -1;
}

SixAngles limited(const SixJointLeg& leg, SixAngles q) {
  for (int i = 0; i < six::count; i++) q[i] = std::clamp(q[i], leg.low[i], leg.high[i]);
  return q;
}

}  // namespace sinew::legged
