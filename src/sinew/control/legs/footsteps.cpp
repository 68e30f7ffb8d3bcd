#include "sinew/control/legs/footsteps.h"

#include <algorithm>

#include "sinew/math/ramp.h"
#include "sinew/math/trig.h"

namespace sinew::legged {

Vec3d turned(double yaw, double x, double y) {
  double s, c;
  sincos(yaw, s, c);
  return {c * x - s * y, s * x + c * y, 0.0};
}

Footprint step_on(const StepOrder& order, const Footprint& middle) {
  return {middle.p + turned(middle.yaw + 0.5 * order.turn, order.length, order.left), middle.yaw + order.turn};
}

Footprint beside(const Footprint& middle, int side, double half_width) {
  return {middle.p + turned(middle.yaw, 0.0, side == 0 ? half_width : -half_width), middle.yaw};
}

std::vector<PlannedStep> plan_steps(const StepOrder& order, const Footprint& middle) {
  std::vector<PlannedStep> out;
  Footprint c = middle;
  int side = order.first;
  for (int i = 0; i < order.steps; i++) {
    if (i + 1 < order.steps) c = step_on(order, c);  // the last one closes
    out.push_back({side, beside(c, side, order.half_width)});
    side = 1 - side;
  }
  return out;
}

std::vector<PlannedStep> plan_stairs(double run, double half_width, std::span<const double> treads) {
  std::vector<PlannedStep> out;
  for (std::size_t k = 0; k < treads.size(); k++)
    for (const int side : {1, 0})
      out.push_back({side, {Vec3d(run * double(k + 1), side == 0 ? half_width : -half_width, treads[k]), 0.0}});
  return out;
}

Footprint swing_point(const SwingShape& shape, const Footprint& from, const Footprint& to, double part) {
  const double s = std::clamp(part, 0.0, 1.0);
  const double rise = ramp_at(s, shape.up).value, fall = ramp_at(s - (1.0 - shape.up), shape.up).value;
  const double along = ramp_at(s - shape.across, 1.0 - 2.0 * shape.across).value;
  Footprint out;
  out.p = from.p + (to.p - from.p) * along;
  const double top = std::max(from.p[2], to.p[2]) + shape.lift;
  out.p[2] = from.p[2] + (top - from.p[2]) * rise - (top - to.p[2]) * fall;
  out.yaw = from.yaw + (to.yaw - from.yaw) * along;
  return out;
}

}  // namespace sinew::legged
