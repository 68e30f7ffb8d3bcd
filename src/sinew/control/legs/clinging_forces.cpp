#include "sinew/control/legs/clinging_forces.h"

#include "sinew/math/check.h"

namespace sinew::legged {

bool share_clinging(std::span<const Vec3d> feet, const Vec3d& com, const Vec3d& load, std::span<Vec3d> forces) {
  SINEW_ASSERT(forces.size() == feet.size());
  if (feet.empty()) return false;
  const double part = 1.0 / double(feet.size());
  Vec3d mean = Vec3d::zero();
  for (const Vec3d& p : feet) mean += p * part;
  double xx = 0.0, xy = 0.0, yy = 0.0;
  for (const Vec3d& p : feet) {
    const Vec3d d = p - mean;
    xx += d[0] * d[0];
    xy += d[0] * d[1];
    yy += d[1] * d[1];
  }
  const Vec3d moment = cross(mean - com, load);
  const double det = xx * yy - xy * xy, x = moment[1], y = -moment[0];  // sum x k, sum y k
  const bool good = det > 1e-9 * (xx + yy) * (xx + yy);
  const double a = good ? (x * yy - y * xy) / det : 0.0, b = good ? (y * xx - x * xy) / det : 0.0;
  for (std::size_t i = 0; i < feet.size(); i++) {
    const Vec3d d = feet[i] - mean;
    forces[i] = load * part + Vec3d(0.0, 0.0, a * d[0] + b * d[1]);
  }
  return good;
}

}  // namespace sinew::legged
