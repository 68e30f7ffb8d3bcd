#include "sinew/control/legs/stroke_path.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"

namespace sinew::legged {

double path_scale(const PlaneTwist& w, const Vec3d& p) {
  return math::hypot(w.v_x - w.omega * p[1], w.v_y + w.omega * p[0]);
}

PlaneTwist path_of(const PlaneTwist& wanted, std::span<const Vec3d> neutral) {
  double most = 0.0;
  for (const Vec3d& p : neutral) most = std::max(most, path_scale(wanted, p));
  if (!(most > 0.0)) return {};
  return {wanted.v_x / most, wanted.v_y / most, wanted.omega / most};
}

PlaneTwist straight_path(double direction) { return {math::cos(direction), math::sin(direction), 0.0}; }

PlaneTwist arc_of(double radius) { return {1.0, 0.0, 1.0 / radius}; }

// The exponential of a planar twist: near kappa = 0 by series, so that straight walking is the limit of wide arcs.
Vec3d along_path(const PlaneTwist& w, const Vec3d& p, double s) {
  const double th = w.omega * s, c = math::cos(th), sn = math::sin(th);
  const bool small = std::abs(th) < 1e-4;
  const double a = small ? 1.0 - th * th / 6.0 : sn / th;                       // sin th / th
  const double b = small ? 0.5 * th * (1.0 - th * th / 12.0) : (1.0 - c) / th;  // (1 - cos th) / th
  return {c * p[0] - sn * p[1] + s * (a * w.v_x - b * w.v_y), sn * p[0] + c * p[1] + s * (b * w.v_x + a * w.v_y), p[2]};
}

PlaneTwist body_twist(const PlaneTwist& path, double v) { return {path.v_x * v, path.v_y * v, path.omega * v}; }

Vec3d foot_on_path(const PlaneTwist& path, const Vec3d& neutral, const PathFoot& foot, double s) {
  return along_path(path, neutral + Vec3d(foot.shift_x, foot.shift_y, 0.0), s);
}

PathFoot anchor_foot(const PlaneTwist& path, const Vec3d& neutral, const Vec3d& now, double s) {
  const Vec3d at_zero = along_path(path, now, -s);
  return {at_zero[0] - neutral[0], at_zero[1] - neutral[1]};
}

void forget_shift(PathFoot& foot, double a, double tick) {
  if (a < 0.25) return;
  const double left = 0.75 - a, keep = left > tick ? 1.0 - tick / left : 0.0;
  foot.shift_x *= keep;
  foot.shift_y *= keep;
}

double longest_stroke(const SegmentedBody& body, const BodyPose& pose, const PlaneTwist& path, const StepShape& shape,
                      double behind, double ahead) {
  constexpr int places = 10;
  std::array<Posed, most_segments> X;
  place_segments(body, pose, X);
  const Mat3d R_WR = robot_axes(0.0, pose.pitch_up, pose.roll);
  const auto reaches = [&](double L) {
    for (int i = 0; i < body.legs(); i++) {
      const YawLeg leg = body.leg_of(i);
      const Posed& B = X[body.segment_of(i)];
      for (int k = 0; k <= places; k++)
        for (const double up : {-shape.height, 0.0, 2.0 * shape.height}) {
          const double s = L * (-behind + (ahead + behind) * k / places);
          const Vec3d p_W = along_path(path, body.neutral(i), s) + Vec3d(0.0, 0.0, up);
          const Vec3d p_B = transpose_times(B.R, transpose_times(R_WR, p_W - pose.o) - B.p);
          Vec3d q;
          if (reach_for(leg, to_leg(leg, p_B), q) != Reach::Good || !within_limits(leg, q)) return false;
        }
    }
    return true;
  };
  if (reaches(shape.stroke)) return shape.stroke;
  if (!reaches(0.0)) return 0.0;
  double low = 0.0, high = shape.stroke;
  for (int k = 0; k < 40; k++) {
    const double middle = 0.5 * (low + high);
    (reaches(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace sinew::legged
