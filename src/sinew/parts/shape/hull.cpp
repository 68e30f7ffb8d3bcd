// Convex hull, point by point: the faces that see the point go, and the edges around them are joined to it (Clarkson, Shor
// 1989, without their bookkeeping: meshes are read once). A point that lies within eps of all faces' planes is taken as
// inside, so no face without area can arise: a new one stands on an edge of a face that the point sees from above eps.
// Triangles in one plane are then joined to facets.
#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/parts/shape/mesh.h"

namespace sinew {
namespace {

using Face = std::array<int, 3>;

struct Builder {
  const std::vector<Vec3d>& x;
  double eps;
  std::vector<Face> faces;
  std::vector<Vec3d> normals;

  double above(std::size_t f, int i) const { return dot(normals[f], x[i] - x[faces[f][0]]); }
  void add(int a, int b, int c) {
    faces.push_back({a, b, c});
    normals.push_back(normalized(cross(x[b] - x[a], x[c] - x[a])));
  }

  // Two points far apart, one far from their line, one far from their plane.
  bool start() {
    int a = 0, b = 0, c = -1, d = -1;
    for (int i = 0; i < int(x.size()); i++)
      if (std::tuple(x[i][0], x[i][1], x[i][2]) < std::tuple(x[a][0], x[a][1], x[a][2])) a = i;
    double far = eps;
    for (int i = 0; i < int(x.size()); i++)
      if (norm(x[i] - x[a]) > norm(x[b] - x[a])) b = i;
    if (norm(x[b] - x[a]) <= far) return false;
    const Vec3d u = normalized(x[b] - x[a]);
    for (int i = 0; i < int(x.size()); i++)
      if (const double s = norm(cross(u, x[i] - x[a])); s > far) {
        far = s;
        c = i;
      }
    if (c < 0) return false;
    const Vec3d n = normalized(cross(u, x[c] - x[a]));
    far = eps;
    for (int i = 0; i < int(x.size()); i++)
      if (const double s = std::abs(dot(n, x[i] - x[a])); s > far) {
        far = s;
        d = i;
      }
    if (d < 0) return false;
    if (dot(n, x[d] - x[a]) > 0.0) std::swap(b, c);
    add(a, b, c);
    add(a, d, b);
    add(b, d, c);
    add(c, d, a);
    return true;
  }

  void take(int i) {
    std::vector<bool> sees(faces.size());
    bool any = false;
    for (std::size_t f = 0; f < faces.size(); f++) {
      sees[f] = above(f, i) > eps;
      any = any || sees[f];
    }
    if (!any) return;
    std::map<std::pair<int, int>, bool> seen;  // directed edges of the faces that go
    for (std::size_t f = 0; f < faces.size(); f++)
      for (int e = 0; sees[f] && e < 3; e++) seen[{faces[f][e], faces[f][(e + 1) % 3]}] = true;
    std::size_t left = 0;
    for (std::size_t f = 0; f < faces.size(); f++)
      if (!sees[f]) {
        faces[left] = faces[f];
        normals[left] = normals[f];
        left++;
      }
    faces.resize(left);
    normals.resize(left);
    for (const auto& [edge, yes] : seen)
      if (!seen.contains({edge.second, edge.first})) add(edge.first, edge.second, i);
  }
};

// Loops around groups of triangles in one plane. `group`: of each triangle.
void find_facets(TriangleMesh& m) {
  std::vector<int> group(m.triangle.size(), -1);
  for (int t = 0; t < int(m.triangle.size()); t++) {
    if (group[t] >= 0) continue;
    const int g = int(m.facet.size());
    std::vector<int> waiting{t}, members;
    group[t] = g;
    while (!waiting.empty()) {
      const int at = waiting.back();
      waiting.pop_back();
      members.push_back(at);
      for (const int other : m.neighbour[at])
        if (other >= 0 && group[other] < 0 && norm(m.normal[other] - m.normal[t]) < 1e-7) {
          group[other] = g;
          waiting.push_back(other);
        }
    }
    std::map<int, int> next;
    Vec3d n = Vec3d::zero();
    for (const int at : members) {
      n = n + cross(m.corner(at, 1) - m.corner(at, 0), m.corner(at, 2) - m.corner(at, 0));
      for (int i = 0; i < 3; i++)
        if (m.neighbour[at][i] < 0 || group[m.neighbour[at][i]] != g)
          next[m.triangle[at][i]] = m.triangle[at][(i + 1) % 3];
    }
    const int first = int(m.loop.size()), begin = next.begin()->first;
    int v = begin;
    do {
      m.loop.push_back(v);
      v = next[v];
    } while (v != begin && m.loop.size() - std::size_t(first) < next.size());
    m.facet.push_back({normalized(n), first, int(m.loop.size()) - first});
  }
}

}  // namespace

MeshPtr make_hull(const std::vector<Vec3d>& points) {
  if (points.size() < 4 || !std::ranges::all_of(points, [](const Vec3d& x) { return is_finite(x); }))
    return make_mesh(points, {});
  Aabb box = Aabb::nothing();
  for (const Vec3d& x : points) box.add(x);
  Builder builder{points, 1e-10 * norm(box.high - box.low), {}, {}};
  if (!builder.start()) return make_mesh(points, {});
  for (int i = 0; i < int(points.size()); i++) builder.take(i);
  std::vector<int> name(points.size(), -1);
  std::vector<Vec3d> used;
  for (Face& face : builder.faces)
    for (int& v : face) {
      if (name[v] < 0) name[v] = 0;
    }
  for (std::size_t i = 0; i < points.size(); i++)
    if (name[i] == 0) {
      name[i] = int(used.size());
      used.push_back(points[i]);
    }
  for (Face& face : builder.faces)
    for (int& v : face) v = name[v];
  auto mesh = std::make_shared<TriangleMesh>(*make_mesh(std::move(used), std::move(builder.faces)));
  find_facets(*mesh);
  return mesh;
}

}  // namespace sinew
