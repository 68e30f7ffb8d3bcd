#include "sinew/control/legs/yaw_balance.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew::legged {
namespace {

Vec3d centre_of(std::span<const MassPoint> points) {
  Vec3d sum = Vec3d::zero();
  double mass = 0.0;
  for (const MassPoint& point : points) {
    sum += point.p * point.m;
    mass += point.m;
  }
  return sum * (1.0 / mass);
}

}  // namespace

double yaw_momentum(std::span<const MassPoint> before, std::span<const MassPoint> now, double dt) {
  SINEW_ASSERT(before.size() == now.size() && !now.empty() && dt > 0.0);
  const Vec3d c0 = centre_of(before), c1 = centre_of(now);
  double L = 0.0;
  for (std::size_t i = 0; i < now.size(); i++) {
    const Vec3d from = before[i].p - c0, to = now[i].p - c1;
    L += now[i].m * (from[0] * to[1] - from[1] * to[0]);  // = m (r x (to - from)), r in the middle
  }
  return L / dt;
}

void turn_against(double L, double forget, double dt, std::span<YawPart> parts) {
  SINEW_ASSERT(forget > 0.0 && dt > 0.0);
  double sum = 0.0;
  for (const YawPart& part : parts) sum += part.inertia * part.inertia;
  if (!(sum > 0.0)) return;
  for (YawPart& part : parts) {
    const double rate = -L * part.inertia / sum - part.s / forget;
    const double s = std::clamp(part.s + rate * dt, -part.most, part.most);
    part.rate = (s - part.s) / dt;
    part.s = s;
  }
}

}  // namespace sinew::legged
