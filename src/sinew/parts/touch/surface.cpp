#include "sinew/parts/touch/surface.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew {
namespace {

// Ericson, Real-Time Collision Detection, 5.1.5. `at`: 0 the face, 1 .. 3 edge, 4 .. 6 corner.
Vec3d nearest_on_triangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c, int& at) {
  const Vec3d ab = b - a, ac = c - a, ax = x - a;
  const double d1 = dot(ab, ax), d2 = dot(ac, ax);
  if (d1 <= 0.0 && d2 <= 0.0) return at = 4, a;
  const Vec3d bx = x - b;
  const double d3 = dot(ab, bx), d4 = dot(ac, bx);
  if (d3 >= 0.0 && d4 <= d3) return at = 5, b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return at = 1, a + ab * (d1 / (d1 - d3));
  const Vec3d cx = x - c;
  const double d5 = dot(ab, cx), d6 = dot(ac, cx);
  if (d6 >= 0.0 && d5 <= d6) return at = 6, c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return at = 3, a + ac * (d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) return at = 2, b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const double sum = 1.0 / (va + vb + vc);
  return at = 0, a + ab * (vb * sum) + ac * (vc * sum);
}

double distance2(const Aabb& box, const Vec3d& x) {
  double d2 = 0.0;
  for (int i = 0; i < 3; i++) {
    const double d = std::max({box.low[i] - x[i], x[i] - box.high[i], 0.0});
    d2 += d * d;
  }
  return d2;
}

}  // namespace

bool Surface::is_over(int t, const Vec3d& x) const {
  const Vec3d& n = m_.normal[std::size_t(t)];
  for (int i = 0; i < 3; i++) {
    const Vec3d &p = m_.corner(t, i), e = m_.corner(t, (i + 1) % 3) - p;
    if (dot(cross(e, x - p), n) < -tilts * dot(e, e)) return false;
  }
  return true;
}

// The vertical through x passes triangle t. Of triangles that share an edge exactly one has it, because each edge is asked in
// the same direction for both.
bool Surface::crosses(int t, const Vec3d& x) const {
  bool inside = false;
  for (int i = 0; i < 3; i++) {
    int a = m_.triangle[std::size_t(t)][i], b = m_.triangle[std::size_t(t)][(i + 1) % 3];
    if (a > b) std::swap(a, b);
    const Vec3d &p = m_.vertex[std::size_t(a)], &q = m_.vertex[std::size_t(b)];
    if ((p[1] > x[1]) == (q[1] > x[1])) continue;
    if (x[0] < p[0] + (q[0] - p[0]) * ((x[1] - p[1]) / (q[1] - p[1]))) inside = !inside;
  }
  return inside;
}

double Surface::ground_over(const Vec3d& x) const {
  int layers = 0;
  double lowest = 1e300;
  for_triangles(
      m_,
      [&](const Aabb& b) {
        return b.high[2] >= x[2] && b.low[0] <= x[0] && x[0] <= b.high[0] && b.low[1] <= x[1] && x[1] <= b.high[1];
      },
      [&](int t) {
        const Vec3d& n = m_.normal[std::size_t(t)];
        if (n[2] == 0.0 || !crosses(t, x)) return;
        const double up = -height(t, x) / n[2];
        if (!(up > 0.0)) return;
        layers += n[2] > 0.0 ? 1 : -1;
        if (n[2] > 0.0) lowest = std::min(lowest, up);
      });
  return layers > 0 ? lowest : -1.0;
}

bool Surface::is_border(int vertex) const {
  for (int k = m_.fan_first[std::size_t(vertex)]; k < m_.fan_first[std::size_t(vertex) + 1]; k++) {
    const int t = m_.fan[std::size_t(k)];
    for (int e = 0; e < 3; e++)
      if (m_.neighbour[std::size_t(t)][e] < 0 &&
          (m_.triangle[std::size_t(t)][e] == vertex || m_.triangle[std::size_t(t)][(e + 1) % 3] == vertex))
        return true;
  }
  return false;
}

Vec3d Surface::mean_normal(int vertex) const {
  Vec3d sum = Vec3d::zero();
  for (int k = m_.fan_first[std::size_t(vertex)]; k < m_.fan_first[std::size_t(vertex) + 1]; k++) {
    const int t = m_.fan[std::size_t(k)];
    int i = 0;
    while (m_.triangle[std::size_t(t)][i] != vertex) i++;
    const Vec3d a = normalized(m_.corner(t, (i + 1) % 3) - m_.corner(t, i));
    const Vec3d b = normalized(m_.corner(t, (i + 2) % 3) - m_.corner(t, i));
    sum = sum + m_.normal[std::size_t(t)] * math::acos(std::clamp(dot(a, b), -1.0, 1.0));
  }
  return sum;
}

bool Surface::foot(const Vec3d& x, double within, Foot& out) const {
  SINEW_ASSERT(!(within < 0.0));
  double best = within * within;
  int t = -1, at = 0;
  Vec3d q = x;
  for_triangles(
      m_, [&](const Aabb& box) { return distance2(box, x) <= best; },
      [&](int candidate) {
        int where = 0;
        const Vec3d y =
            nearest_on_triangle(x, m_.corner(candidate, 0), m_.corner(candidate, 1), m_.corner(candidate, 2), where);
        const double d2 = dot(x - y, x - y);
        // where several share the nearest point, a face has it before an edge, and the first before the others
        if (d2 > best || (t >= 0 && d2 == best && (where != 0 || at == 0))) return;
        best = d2;
        t = candidate;
        at = where;
        q = y;
      });
  if (t < 0) return false;
  const Vec3d& n = m_.normal[std::size_t(t)];
  const double s = height(t, x), d = std::sqrt(best);
  out = {x - n * s, n, s, t};
  if (at == 0) return true;
  const int i = (at - 1) % 3;
  bool border = false;
  Vec3d mean = n;
  if (at <= 3) {
    const int other = m_.neighbour[std::size_t(t)][i];
    border = other < 0;
    if (!border) mean = n + m_.normal[std::size_t(other)];
  } else {
    border = is_border(m_.triangle[std::size_t(t)][i]);
    mean = mean_normal(m_.triangle[std::size_t(t)][i]);
  }
  const double side = dot(x - q, mean) < 0.0 ? -1.0 : 1.0;
  // too near for a direction of its own, or the face's own
  if (d <= 1e-9 * m_.size || norm((x - q) * (side / d) - n) < bends) return true;
  if (border && side < 0.0) return false;
  out = {q, (x - q) * (side / d), side * d, t};
  return true;
}

SharpEdge Surface::edge(int t, int e) const {
  SINEW_ASSERT(t >= 0 && t < int(m_.triangle.size()) && e >= 0 && e < 3);
  const Vec3d &a = m_.corner(t, e), d = m_.corner(t, (e + 1) % 3) - a;
  const double length = norm(d);
  const Vec3d u = d * (1.0 / length), &n = m_.normal[std::size_t(t)];
  const int other = m_.neighbour[std::size_t(t)][e];
  SharpEdge out{{a + d * 0.5, u, 0.5 * length}, {cross(n, u), Vec3d::zero()}, n, other < 0 ? 1 : 2, edge_id(t, e)};
  if (other >= 0) out.m[1] = cross(u, m_.normal[std::size_t(other)]);
  return out;
}

double Surface::rise(int vertex, const Vec3d& n) const {
  SINEW_ASSERT(vertex >= 0 && vertex < int(m_.vertex.size()));
  double most = -1.0;
  const Vec3d& v = m_.vertex[std::size_t(vertex)];
  for (int k = m_.ring_first[std::size_t(vertex)]; k < m_.ring_first[std::size_t(vertex) + 1]; k++) {
    const Vec3d e = m_.vertex[std::size_t(m_.ring[std::size_t(k)])] - v;
    most = std::max(most, dot(n, e) / norm(e));
  }
  return most;
}

bool Surface::vertex_supports(int vertex, const Vec3d& n) const {
  return rise(vertex, n) <= tilts && (!is_border(vertex) || dot(n, mean_normal(vertex)) > 0.0);
}

}  // namespace sinew
