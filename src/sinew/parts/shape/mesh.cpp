// An edge sticks out if the far corner of its neighbour lies below the triangle's own plane: n . (w - a) < -ridge_sine |w - a|.
#include "sinew/parts/shape/mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "sinew/math/check.h"

namespace sinew {
namespace {

constexpr double ridge_sine = 1e-6;  // sine of the angle at which an edge begins to stick out; as in fields of heights

bool has_sound_indices(const TriangleMesh& m) {
  for (const auto& t : m.triangle)
    for (const int v : t)
      if (v < 0 || v >= int(m.vertex.size())) return false;
  return true;
}

struct HalfEdge {
  int low, high, triangle, edge;
  auto key() const { return std::tuple(low, high, triangle, edge); }
};

std::vector<HalfEdge> half_edges(const TriangleMesh& m) {
  std::vector<HalfEdge> all;
  for (int t = 0; t < int(m.triangle.size()); t++)
    for (int e = 0; e < 3; e++) {
      const auto [low, high] = std::minmax(m.triangle[t][e], m.triangle[t][(e + 1) % 3]);
      all.push_back({low, high, t, e});
    }
  std::ranges::sort(all, {}, &HalfEdge::key);
  return all;
}

bool sticks_out(const TriangleMesh& m, int t, int e, int other) {
  SINEW_ASSERT(e >= 0 && e < 3 && other < int(m.triangle.size()));
  if (other < 0) return true;
  const Vec3d& a = m.corner(t, e);
  for (int i = 0; i < 3; i++) {
    const int v = m.triangle[other][i];
    if (v == m.triangle[t][e] || v == m.triangle[t][(e + 1) % 3]) continue;
    const Vec3d w = m.vertex[v] - a, u = m.corner(t, (e + 1) % 3) - a;
    const Vec3d across = w - u * (dot(w, u) / std::max(dot(u, u), 1e-300));
    return dot(m.normal[t], across) < -ridge_sine * norm(across);
  }
  return true;
}

void join(TriangleMesh& m) {
  const std::size_t n = m.triangle.size();
  m.neighbour.assign(n, {-1, -1, -1});
  m.owns.assign(n, 0);
  m.sharp.assign(n, 0);
  const std::vector<HalfEdge> edges = half_edges(m);
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end].low == edges[i].low && edges[end].high == edges[i].high) end++;
    m.owns[edges[i].triangle] |= std::uint8_t(8 << edges[i].edge);
    if (end == i + 2) {
      m.neighbour[edges[i].triangle][edges[i].edge] = edges[i + 1].triangle;
      m.neighbour[edges[i + 1].triangle][edges[i + 1].edge] = edges[i].triangle;
    }
    i = end;
  }
  std::vector<bool> seen(m.vertex.size()), edged(m.vertex.size());
  for (int t = 0; t < int(n); t++)
    for (int i = 0; i < 3; i++) {
      if (!seen[m.triangle[t][i]]) {
        m.owns[t] |= std::uint8_t(1 << i);
        seen[m.triangle[t][i]] = true;
      }
      if (!sticks_out(m, t, i, m.neighbour[t][i])) continue;
      m.sharp[t] |= std::uint8_t(1 << i);
      edged[m.triangle[t][i]] = edged[m.triangle[t][(i + 1) % 3]] = true;
    }
  for (std::size_t t = 0; t < n; t++)
    for (int i = 0; i < 3; i++)
      if (edged[m.triangle[t][i]]) m.sharp[t] |= std::uint8_t(8 << i);
}

bool is_flat(const TriangleMesh& m, int t, int e) {
  const int other = m.neighbour[t][e];
  return other >= 0 && norm(m.normal[t] - m.normal[other]) < ridge_sine;
}

void find_patches(TriangleMesh& m) {
  m.patch.assign(m.triangle.size(), -1);
  std::vector<int> waiting;
  for (int t = 0; t < int(m.triangle.size()); t++) {
    if (m.patch[t] >= 0) continue;
    waiting.push_back(t);
    m.patch[t] = t;
    while (!waiting.empty()) {
      const int at = waiting.back();
      waiting.pop_back();
      for (int e = 0; e < 3; e++)
        if (is_flat(m, at, e) && m.patch[m.neighbour[at][e]] < 0) {
          m.patch[m.neighbour[at][e]] = t;
          waiting.push_back(m.neighbour[at][e]);
        }
    }
  }
}

void gather_rings(TriangleMesh& m) {
  const std::size_t n = m.vertex.size();
  std::vector<std::vector<int>> ring(n), fan(n);
  for (int t = 0; t < int(m.triangle.size()); t++)
    for (int i = 0; i < 3; i++) {
      fan[m.triangle[t][i]].push_back(t);
      ring[m.triangle[t][i]].push_back(m.triangle[t][(i + 1) % 3]);
      ring[m.triangle[t][i]].push_back(m.triangle[t][(i + 2) % 3]);
    }
  const auto flatten = [n](std::vector<std::vector<int>>& lists, std::vector<int>& first, std::vector<int>& all) {
    for (std::size_t v = 0; v < n; v++) {
      first.push_back(int(all.size()));
      std::ranges::sort(lists[v]);
      lists[v].erase(std::unique(lists[v].begin(), lists[v].end()), lists[v].end());
      all.insert(all.end(), lists[v].begin(), lists[v].end());
    }
    first.push_back(int(all.size()));
  };
  flatten(ring, m.ring_first, m.ring);
  flatten(fan, m.fan_first, m.fan);
}

// Halves at the median of the centres along the longest edge. Sorted, not only parted: then no standard library decides the order
// inside a leaf.
void grow_tree(TriangleMesh& m, int first, int count) {
  Aabb box = Aabb::nothing(), centres = Aabb::nothing();
  const auto centre = [&](int t) { return m.corner(t, 0) + m.corner(t, 1) + m.corner(t, 2); };
  for (int i = first; i < first + count; i++) {
    for (int k = 0; k < 3; k++) box.add(m.corner(m.order[i], k));
    centres.add(centre(m.order[i]));
  }
  const int at = int(m.tree.size());
  m.tree.push_back({box, first, count});
  if (count <= 2) return;
  const Vec3d extent = centres.high - centres.low;
  const int axis = extent[0] >= extent[1] && extent[0] >= extent[2] ? 0 : extent[1] >= extent[2] ? 1 : 2;
  const auto begin = m.order.begin() + first;
  std::sort(begin, begin + count, [&](int a, int b) {
    const double x = centre(a)[axis], y = centre(b)[axis];
    return x != y ? x < y : a < b;
  });
  m.tree[at].count = 0;
  grow_tree(m, first, count / 2);
  m.tree[at].first = int(m.tree.size());
  grow_tree(m, first + count / 2, count - count / 2);
}

}  // namespace

MeshPtr make_mesh(std::vector<Vec3d> vertices, std::vector<std::array<int, 3>> triangles) {
  auto mesh = std::make_shared<TriangleMesh>();
  TriangleMesh& m = *mesh;
  m.vertex = std::move(vertices);
  m.triangle = std::move(triangles);
  Aabb box = Aabb::nothing();
  for (const Vec3d& x : m.vertex) {
    m.reach = std::max(m.reach, norm(x));
    box.add(x);
  }
  if (!m.vertex.empty())
    m.size = std::max({box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]});
  if (!has_sound_indices(m) || !std::ranges::all_of(m.vertex, [](const Vec3d& x) { return is_finite(x); })) return mesh;
  for (int t = 0; t < int(m.triangle.size()); t++) {
    const Vec3d n = cross(m.corner(t, 1) - m.corner(t, 0), m.corner(t, 2) - m.corner(t, 0));
    const double length = norm(n);
    m.normal.push_back(length > 0.0 ? n * (1.0 / length) : Vec3d::zero());
  }
  join(m);
  find_patches(m);
  gather_rings(m);
  m.order.resize(m.triangle.size());
  std::iota(m.order.begin(), m.order.end(), 0);
  if (!m.order.empty()) grow_tree(m, 0, int(m.order.size()));
  return mesh;
}

void weld(std::vector<Vec3d>& vertices, std::vector<std::array<int, 3>>& triangles) {
  std::map<std::array<double, 3>, int> known;
  std::vector<int> to(vertices.size());
  std::vector<Vec3d> kept;
  for (std::size_t i = 0; i < vertices.size(); i++) {
    const Vec3d& x = vertices[i];
    if (!is_finite(x)) {  // has no order; is reported later
      to[i] = int(kept.size());
      kept.push_back(x);
      continue;
    }
    const auto [at, fresh] = known.emplace(std::array{x[0], x[1], x[2]}, int(kept.size()));
    if (fresh) kept.push_back(x);
    to[i] = at->second;
  }
  const int n = int(vertices.size());
  std::vector<std::array<int, 3>> left;
  for (std::array<int, 3> t : triangles) {
    const bool had_three = t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
    for (int& v : t)
      if (v >= 0 && v < n) v = to[v];
    if (!had_three || (t[0] != t[1] && t[1] != t[2] && t[2] != t[0])) left.push_back(t);
  }
  vertices = std::move(kept);
  triangles = std::move(left);
}

int farthest(const TriangleMesh& m, const Vec3d& d) {
  SINEW_ASSERT(!m.vertex.empty());
  int best = 0;
  double most = -1e300;
  const auto take = [&](int v) {
    const double s = dot(d, m.vertex[std::size_t(v)]);
    if (s > most || (s == most && v < best)) {
      most = s;
      best = v;
    }
  };
  if (m.vertex.size() <= 32 || m.tree.empty()) {
    for (int v = 0; v < int(m.vertex.size()); v++) take(v);
    return best;
  }
  // the nearer child first would save little: boxes that cannot have it are left out in any order
  for_triangles(
      m, [&](const Aabb& box) { return box.extent(d) >= most; },
      [&](int t) {
        for (int i = 0; i < 3; i++) take(m.triangle[std::size_t(t)][i]);
      });
  return best;
}

}  // namespace sinew
