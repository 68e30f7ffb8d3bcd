#include "sinew/control/legs/support_polygon.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::legged {
namespace {

double turn_of(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

Vec3d nearest_on(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
  const double ex = b[0] - a[0], ey = b[1] - a[1], length2 = ex * ex + ey * ey;
  const double t = length2 > 0.0 ? ((p[0] - a[0]) * ex + (p[1] - a[1]) * ey) / length2 : 0.0;
  const double part = std::clamp(t, 0.0, 1.0);
  return {a[0] + part * ex, a[1] + part * ey, p[2]};
}

// Over all edges, a line has one and a point none but itself.
Vec3d nearest_edge(const SupportPolygon& g, const Vec3d& p, double& distance) {
  Vec3d best = p;
  distance = std::numeric_limits<double>::infinity();
  const int edges = g.n > 2 ? g.n : 1;
  for (int i = 0; i < edges; i++) {
    const Vec3d x = nearest_on(g.corner[i], g.corner[(i + 1) % g.n], p);
    const double d = math::hypot(x[0] - p[0], x[1] - p[1]);
    if (d >= distance) continue;
    distance = d;
    best = x;
  }
  return best;
}

bool contains(const SupportPolygon& g, const Vec3d& p) {
  if (g.n < 3) return false;
  for (int i = 0; i < g.n; i++)
    if (turn_of(g.corner[i], g.corner[(i + 1) % g.n], p) < 0.0) return false;
  return true;
}

}  // namespace

// Andrew's monotone chain. Corners that lie on an edge, to a part in 1e12, are none.
SupportPolygon polygon_of(std::span<const Vec3d> feet) {
  SINEW_ASSERT(feet.size() <= most_legs);
  Vec3d p[most_legs];
  int n = int(feet.size());
  std::copy(feet.begin(), feet.end(), p);
  std::sort(p, p + n, [](const Vec3d& a, const Vec3d& b) { return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]); });
  n = int(std::unique(p, p + n, [](const Vec3d& a, const Vec3d& b) { return a[0] == b[0] && a[1] == b[1]; }) - p);
  SupportPolygon out;
  if (n == 0) return out;
  Vec3d hull[2 * most_legs];
  int k = 0;
  const auto add = [&](const Vec3d& x, int base) {
    const auto is_flat = [&] {
      const Vec3d &a = hull[k - 2], &b = hull[k - 1];
      const double size = math::hypot(b[0] - a[0], b[1] - a[1]) * math::hypot(x[0] - a[0], x[1] - a[1]);
      return turn_of(a, b, x) <= 1e-12 * size;
    };
    while (k >= base + 2 && is_flat()) k--;
    hull[k++] = x;
  };
  for (int i = 0; i < n; i++) add(p[i], 0);
  const int lower = k - 1;
  for (int i = n - 2; i >= 0; i--) add(p[i], lower);
  out.n = n == 1 ? 1 : k - 1;
  std::copy(hull, hull + out.n, out.corner.begin());
  return out;
}

double static_margin(const SupportPolygon& g, const Vec3d& p) {
  if (g.n == 0) return -std::numeric_limits<double>::infinity();
  double distance = 0.0;
  nearest_edge(g, p, distance);
  return contains(g, p) ? distance : -distance;
}

Vec3d nearest_inside(const SupportPolygon& g, const Vec3d& p) {
  double distance = 0.0;
  return g.n == 0 || contains(g, p) ? p : nearest_edge(g, p, distance);
}

bool span_through(const SupportPolygon& g, const Vec3d& p, int axis, double& low, double& high) {
  const int other = 1 - axis;
  low = std::numeric_limits<double>::infinity();
  high = -low;
  for (int i = 0; i < g.n; i++) {
    const Vec3d &a = g.corner[i], &b = g.corner[(i + 1) % g.n];
    const double da = a[other] - p[other], db = b[other] - p[other];
    if ((da > 0.0 && db > 0.0) || (da < 0.0 && db < 0.0)) continue;
    const auto take = [&](double x) {
      low = std::min(low, x);
      high = std::max(high, x);
    };
    if (da == db) {
      take(a[axis]);
      take(b[axis]);
    } else {
      take(a[axis] + (b[axis] - a[axis]) * (da / (da - db)));
    }
  }
  return low <= high;
}

// Projections onto the edges moved inward, in turn (Dykstra's corrections make them end at the nearest point of all).
bool clamp_shift(const SupportPolygon& g, const Vec3d& com, double s_min, Vec3d& shift) {
  shift = Vec3d::zero();
  if (g.n < 3) {
    if (g.n > 0) shift = nearest_inside(g, com) - com;
    return false;
  }
  Vec3d x = com, correction[most_legs];
  std::fill(correction, correction + g.n, Vec3d::zero());
  for (int round = 0; round < 400; round++)
    for (int i = 0; i < g.n; i++) {
      const Vec3d &a = g.corner[i], &b = g.corner[(i + 1) % g.n];
      const double length = math::hypot(b[0] - a[0], b[1] - a[1]);
      const Vec3d in(-(b[1] - a[1]) / length, (b[0] - a[0]) / length, 0.0);
      const Vec3d y = x + correction[i];
      const double missing = s_min - (in[0] * (y[0] - a[0]) + in[1] * (y[1] - a[1]));
      x = missing > 0.0 ? y + in * missing : y;
      correction[i] = y - x;
    }
  shift = x - com;
  return static_margin(g, x) >= s_min - 1e-9;
}

bool slope_of(std::span<const Vec3d> points, double (&slope)[2]) {
  if (points.size() < 3) return false;
  Vec3d mean = Vec3d::zero();
  for (const Vec3d& p : points) mean += p * (1.0 / double(points.size()));
  double xx = 0.0, xy = 0.0, yy = 0.0, xz = 0.0, yz = 0.0;
  for (const Vec3d& p : points) {
    const Vec3d d = p - mean;
    xx += d[0] * d[0];
    xy += d[0] * d[1];
    yy += d[1] * d[1];
    xz += d[0] * d[2];
    yz += d[1] * d[2];
  }
  const double det = xx * yy - xy * xy;
  if (!(det > 1e-9 * (xx + yy) * (xx + yy))) return false;
  slope[0] = (xz * yy - yz * xy) / det;
  slope[1] = (yz * xx - xz * xy) / det;
  return true;
}

}  // namespace sinew::legged
