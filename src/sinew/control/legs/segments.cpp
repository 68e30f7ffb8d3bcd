#include "sinew/control/legs/segments.h"

#include <cmath>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::legged {
namespace {

Mat3d about_y(double angle) {
  const auto [s, c] = math::sin_and_cos(angle);
  return {Vec3d(c, 0.0, -s), Vec3d(0.0, 1.0, 0.0), Vec3d(s, 0.0, c)};
}
Mat3d about_z(double angle) {
  const auto [s, c] = math::sin_and_cos(angle);
  return {Vec3d(c, s, 0.0), Vec3d(-s, c, 0.0), Vec3d(0.0, 0.0, 1.0)};
}
Mat3d about_x(double angle) {
  const auto [s, c] = math::sin_and_cos(angle);
  return {Vec3d(1.0, 0.0, 0.0), Vec3d(0.0, c, s), Vec3d(0.0, -s, c)};
}

}  // namespace

YawLeg SegmentedBody::leg_of(int i) const {
  SINEW_ASSERT(i >= 0 && i < legs());
  YawLeg out = leg;
  const double side = i < segments ? 1.0 : -1.0;
  out.hip = Vec3d(0.0, side * w_h, 0.0);
  out.outward = side * 0.5 * std::numbers::pi;
  return out;
}

double SegmentedBody::neutral_out() const {
  const double rise = leg.l3 - hip_height;
  return w_h + leg.l1 + std::sqrt(leg.l2 * leg.l2 - rise * rise);
}

Vec3d SegmentedBody::shoulder(int i) const { return {(middle() - segment_of(i)) * spacing(), 0.0, 0.0}; }

Vec3d SegmentedBody::neutral(int i) const {
  if (on_ellipse) return ellipse.neutral(*this, i);
  const double side = i < segments ? 1.0 : -1.0;
  return {(middle() - segment_of(i)) * spacing(), side * neutral_out(), -hip_height};
}

Vec3d NeutralEllipse::neutral(const SegmentedBody& body, int i) const {
  const double side = i < body.segments ? 1.0 : -1.0, th = step * (body.middle() - body.segment_of(i));
  return {a_x * math::sin(th), side * a_y * math::cos(th), -body.hip_height};
}

Mat3d robot_axes(double heading, double pitch_up, double roll) {
  return about_z(heading) * about_y(-pitch_up) * about_x(roll);
}

void place_segments(const SegmentedBody& body, const BodyPose& pose, std::array<Posed, most_segments>& X_RB) {
  SINEW_ASSERT(body.segments >= 1 && body.segments <= most_segments);
  const int m = body.middle();
  X_RB[m] = {Mat3d::identity(), Vec3d::zero()};
  for (int j = m - 1; j >= 0; j--) {
    const Posed& behind = X_RB[j + 1];
    const Mat3d R = behind.R * about_z(pose.hinge[j].yaw) * about_y(-pose.hinge[j].pitch_up);
    X_RB[j] = {R, behind.p + behind.R.col(0) * body.a_m + R.col(0) * body.l_bs};
  }
  for (int j = m + 1; j < body.segments; j++) {
    const Posed& ahead = X_RB[j - 1];
    const Mat3d R = ahead.R * about_z(-pose.hinge[j].yaw) * about_y(pose.hinge[j].pitch_up);
    X_RB[j] = {R, ahead.p - ahead.R.col(0) * body.a_m - R.col(0) * body.l_bs};
  }
}

Vec3d world_to_leg(const SegmentedBody& body, const BodyPose& pose, int leg, const Vec3d& p_W) {
  std::array<Posed, most_segments> X;
  place_segments(body, pose, X);
  const Vec3d p_R = transpose_times(robot_axes(pose.heading, pose.pitch_up, pose.roll), p_W - pose.o);
  const Posed& B = X[body.segment_of(leg)];
  return to_leg(body.leg_of(leg), transpose_times(B.R, p_R - B.p));
}

Vec3d mass_centre(const SegmentedBody& body, const BodyPose& pose, const std::array<Vec3d, most_legs>& q) {
  std::array<Posed, most_segments> X;
  place_segments(body, pose, X);
  Vec3d sum = (X[0].p + X[0].R.col(0) * body.head_ahead) * body.m_head;
  for (int j = 0; j < body.segments; j++) sum += X[j].p * body.m_segment;
  for (int i = 0; i < body.legs(); i++) {
    const Posed& B = X[body.segment_of(i)];
    const YawLeg leg = body.leg_of(i);
    const double m = leg.mass();
    const Vec3d in_B = from_leg(leg, mass_moment(leg, q[i]) * (1.0 / m));
    sum += (B.p + B.R * in_B) * m;
  }
  return sum * (1.0 / body.mass());
}

Differential motor_angles(const Hinge& hinge) { return {hinge.pitch_up + hinge.yaw, hinge.pitch_up - hinge.yaw}; }
Hinge hinge_angles(const Differential& m) { return {0.5 * (m.a + m.b), 0.5 * (m.a - m.b)}; }
Hinge hinge_torques(const Differential& t) { return {t.a + t.b, t.a - t.b}; }

}  // namespace sinew::legged
