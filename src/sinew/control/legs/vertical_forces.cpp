#include "sinew/control/legs/vertical_forces.h"

#include <algorithm>
#include <cmath>

#include "sinew/control/legs/support_polygon.h"
#include "sinew/math/check.h"

namespace sinew::legged {

// Coordinates are taken from the feet's middle, along and across their longest extent: feet in a line need no row across it, which would be
// dependent on the others.
VerticalForces share_weight(std::span<const Vec3d> feet, const Vec3d& com, double weight, SmallQp& qp) {
  const int n = int(feet.size());
  SINEW_ASSERT(n <= most_legs);
  VerticalForces out;
  const SupportPolygon polygon = polygon_of(feet);
  out.margin = static_margin(polygon, com);
  if (n == 0) return out;
  out.balanced = out.margin >= -1e-9;
  const Vec3d over = nearest_inside(polygon, com);
  Vec3d middle = Vec3d::zero();
  for (const Vec3d& p : feet) middle += p * (1.0 / n);
  double xx = 0.0, xy = 0.0, yy = 0.0;
  for (const Vec3d& p : feet) {
    const Vec3d d = p - middle;
    xx += d[0] * d[0];
    xy += d[0] * d[1];
    yy += d[1] * d[1];
  }
  const double root = std::sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy), large = 0.5 * (xx + yy) + root;
  Vec3d along = xx >= yy ? Vec3d(large - yy, xy, 0.0) : Vec3d(xy, large - xx, 0.0);
  along = norm(along) > 0.0 ? normalized(along) : Vec3d(1.0, 0.0, 0.0);
  const Vec3d axes[2] = {along, Vec3d(-along[1], along[0], 0.0)};
  qp.n = n;
  qp.n_equal = qp.n_rows = 0;
  for (int i = 0; i < n; i++) {
    qp.g[i] = 0.0;
    for (int k = 0; k < n; k++) qp.H[i][k] = i == k ? 1.0 : 0.0;
  }
  const int sum = qp.add_row(1.0);
  for (int i = 0; i < n; i++) qp.c[sum][i] = 1.0;
  for (const Vec3d& axis : axes) {
    double size = 0.0;
    for (const Vec3d& p : feet) size = std::max(size, std::abs(dot(axis, p - middle)));
    if (!(size > 1e-6)) continue;
    const int row = qp.add_row(dot(axis, over - middle) / size);
    for (int i = 0; i < n; i++) qp.c[row][i] = dot(axis, feet[i] - middle) / size;
  }
  qp.n_equal = qp.n_rows;
  for (int i = 0; i < n; i++) qp.c[qp.add_row(0.0)][i] = 1.0;
  if (qp.solve() != SmallQp::Status::Solved) {
    out.balanced = false;
    return out;
  }
  for (int i = 0; i < n; i++) {
    out.F[i] = weight * std::max(0.0, qp.x[i]);
    out.multiplier[i] = weight * qp.multiplier[qp.n_equal + i];
  }
  return out;
}

double comply(const FootCompliance& c, double dy, double F_ref, double F, double dt) {
  const double rate = -c.alpha * (F_ref - F) - dy / c.leak;
  return std::clamp(dy + rate * dt, -c.most, c.most);
}

}  // namespace sinew::legged
