#include "robots/hexapod/walk_forecast.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "robots/hexapod/walk_memory.h"
#include "sinew/control/legs/climbing.h"
#include "sinew/control/legs/support_polygon.h"
#include "sinew/math/check.h"

namespace sinew::robots {

using namespace legged;

namespace {
constexpr double smooth_time = 0.1;  // over which a forecast is averaged, so that it has no steps of velocity [s]
}  // namespace

// Rear and front edge of the support through the mass centre at every entry.
void forecast_walk(const ForecastInput& in, std::span<double> shift) {
  SINEW_ASSERT(int(shift.size()) == forecast_size);
  constexpr int n = forecast_size;
  std::ranges::fill(shift, 0.0);
  const StepTiming t = timing_of(in.shape);
  std::array<double, n> rear, front, raw;
  std::array<YawLeg, most_legs> leg;
  std::array<Vec3d, most_legs> neutral, shoulder;
  for (int i = 0; i < in.body.legs(); i++) {
    leg[i] = in.body.leg_of(i);
    neutral[i] = in.body.neutral(i);
    shoulder[i] = in.body.shoulder(i);
  }
  for (int k = 0; k < n; k++) {
    std::array<Vec3d, most_legs> q, feet;
    int standing = 0;
    for (int i = 0; i < in.body.legs(); i++) {
      const StepPoint p = step_point(in.shape, t, cycle_phase(double(k) / n - in.table.offset[i]));
      const Vec3d at = along_path(in.path, neutral[i], p.along) + Vec3d(0.0, 0.0, p.up);
      if (reach_for(leg[i], to_leg(leg[i], at - shoulder[i]), q[i]) != Reach::Good) return;
      if (!is_airborne(p.phase) && !has_leg(in.lost, i)) feet[standing++] = at;
    }
    const Vec3d com = mass_centre(in.body, {}, q);
    if (!span_through(polygon_of({feet.data(), std::size_t(standing)}), com, 0, rear[k], front[k])) return;
    rear[k] -= com[0];
    front[k] -= com[0];
  }
  forecast_shift({in.s_min, in.speed, t.period / n}, rear, front, raw);
  const int half = std::min(n / 2, int(0.5 * smooth_time * n / t.period));
  const double gain = com_gain(in.body);
  for (int k = 0; k < n; k++) {
    double sum = 0.0;
    for (int d = -half; d <= half; d++) sum += raw[(k + d + n) % n];
    shift[k] = sum / ((2 * half + 1) * gain);
  }
}

double com_gain(const SegmentedBody& body) {
  constexpr double by = 1e-3;
  std::array<Vec3d, most_legs> q[2];
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < body.legs(); i++) {
      const YawLeg leg = body.leg_of(i);
      const Vec3d foot = body.neutral(i) - body.shoulder(i) + Vec3d((1 - 2 * side) * by, 0.0, 0.0);
      if (reach_for(leg, to_leg(leg, foot), q[side][i]) != Reach::Good) return 1.0;
    }
  return 1.0 - (mass_centre(body, {}, q[0]) - mass_centre(body, {}, q[1]))[0] / (2.0 * by);
}

bool bend_over_ground(const SegmentedBody& body, const GaitState& gait, double height_over, double& angle) {
  constexpr double most_bend = 0.5;  // of a hinge [rad]
  double height[most_segments], worst = 0.0;
  for (int row = 0; row < body.segments; row++) {
    double sum = 0.0, n = 0.0;
    for (const int i : {row, body.segments + row})
      if (gait.leg[i].in_air == 0.0) {
        sum += gait.leg[i].up;
        n += 1.0;
      }
    if (n == 0.0) return false;  // nobody stands there now
    height[row] = sum / n;
  }
  const double d = body.spacing();
  for (int row = 1; row + 1 < body.segments; row++) {
    const double curvature = (height[row - 1] - 2.0 * height[row] + height[row + 1]) / (d * d);
    if (std::abs(curvature) > std::abs(worst)) worst = curvature;
  }
  const double clearance = body.hip_height + body.foot_radius + height_over;
  const double away = worst < 0.0 ? clearance : -clearance, R = std::abs(worst) > 0.05 ? 1.0 / std::abs(worst) : 0.0;
  const double bent = R > 0.0 && R + away > d ? hump_angle(R, away, d) : R > 0.0 ? most_bend : 0.0;
  angle = std::clamp(worst < 0.0 ? -bent : bent, -most_bend, most_bend);
  return true;
}

}  // namespace sinew::robots
