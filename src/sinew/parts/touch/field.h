// The triangles, edges and vertices of a field of heights, and which normals they support. Private to this room.
// A point of the surface is locally nearest in direction n (out of the ground) exactly if no part of the surface beside it
// rises along n: n . m <= 0 for the directions m into both triangles of an edge, n . e <= 0 for all edges e of a
// vertex. With that each contact belongs to one face, edge or vertex, and an edge between coplanar triangles is not felt.
#pragma once
#include <cstdint>

#include "sinew/parts/touch/closest.h"

namespace sinew {

inline constexpr double rises = 1e-9;  // sine of a slope that is still taken as none: rounding
inline constexpr double folds = 1e-6;  // sine of the angle at which an edge begins to be a ridge

struct Triangle {
  Vec3d a, b, c, n;  // anticlockwise from above; unit normal, up
  int id;

  double height(const Vec3d& x) const { return dot(n, x - a); }
  bool below(const Vec3d& x) const {  // x projected along n lies in the triangle
    const auto left_of = [&](const Vec3d& p, const Vec3d& q) {
      const Vec3d e = q - p;
      return dot(cross(e, x - p), n) >= -rises * dot(e, e);
    };
    return left_of(a, b) && left_of(b, c) && left_of(c, a);
  }
};

struct Edge {
  Segment line;
  Vec3d m[2];  // into the triangles on both sides, across the edge, unit
  int sides;   // 1 on the border of the field
  int id;

  bool supports(const Vec3d& n, double slack = rises) const {
    return n[2] > 0.0 && dot(n, m[0]) <= slack && (sides == 1 || dot(n, m[1]) <= slack);
  }
  bool is_ridge() const {
    if (sides == 1) return true;
    const Vec3d n = cross(line.u, m[0]);  // normal of the first triangle, up or down
    return (n[2] < 0.0 ? -dot(n, m[1]) : dot(n, m[1])) < -folds;
  }
};

struct Nodes {
  int i0, i1, k0, k1;  // points of the grid from - to, both included; none if i0 > i1
};

class Field {
 public:
  explicit Field(const HeightField& field) : f_(field) {}

  bool has(int i, int k) const { return i >= 0 && k >= 0 && i < f_.nx && k < f_.ny; }
  bool has_cell(int i, int k) const { return has(i, k) && has(i + 1, k + 1); }
  Vec3d vertex(int i, int k) const { return {f_.x0 + i * f_.dx, f_.y0 + k * f_.dy, f_.at(i, k)}; }
  int vertex_id(int i, int k) const { return id(i, k, 2); }

  // All points of cells that meet the rectangle of half widths rx, ry about c.
  Nodes around(const Vec3d& c, double rx, double ry) const {
    Nodes nodes{1, 0, 1, 0};
    if (f_.nx < 2 || f_.ny < 2) return nodes;
    const auto range = [](double low, double high, int n, int& first, int& last) {  // in units of the grid
      if (!(high >= 0.0 && low <= n - 1)) return false;                             // also what is no number
      first = int(std::clamp(std::floor(low), 0.0, n - 2.0));
      last = int(std::clamp(std::floor(high), 0.0, n - 2.0)) + 1;
      return true;
    };
    const double x = (c[0] - f_.x0) / f_.dx, y = (c[1] - f_.y0) / f_.dy;
    Nodes found{};
    if (!range(x - rx / f_.dx, x + rx / f_.dx, f_.nx, found.i0, found.i1)) return nodes;
    if (!range(y - ry / f_.dy, y + ry / f_.dy, f_.ny, found.k0, found.k1)) return nodes;
    return found;
  }

  // 0: below the diagonal of the cell (larger x), 1: above
  Triangle triangle(int i, int k, int which) const {
    const Vec3d a = vertex(i, k), d = vertex(i + 1, k + 1);
    const Vec3d b = which == 0 ? vertex(i + 1, k) : d, c = which == 0 ? d : vertex(i, k + 1);
    return {a, b, c, normalized(cross(b - a, c - a)), id(i, k, which)};
  }

  // The triangle over or under x; false outside the grid.
  bool triangle_at(const Vec3d& x, Triangle& out) const {
    const Nodes cell = around(x, 0.0, 0.0);
    if (cell.i0 > cell.i1) return false;
    const double u = (x[0] - f_.x0) / f_.dx - cell.i0, v = (x[1] - f_.y0) / f_.dy - cell.k0;
    out = triangle(cell.i0, cell.k0, u >= v ? 0 : 1);
    return true;
  }
  bool buries(const Vec3d& x) const {
    Triangle triangle;
    return triangle_at(x, triangle) && triangle.height(x) < 0.0;
  }

  // Edges that start at a point: 0 along x, 1 along y, 2 the diagonal.
  bool line(int i, int k, int which, Segment& out) const {
    const int i2 = i + (which != 1), k2 = k + (which != 0);
    if (!has(i2, k2)) return false;
    const Vec3d p = vertex(i, k), e = vertex(i2, k2) - p;
    const double length = norm(e);
    out = {p + e * 0.5, e * (1.0 / length), 0.5 * length};
    return true;
  }
  Edge edge(int i, int k, int which, const Segment& line) const {
    // third points of the triangles on both sides, from (i, k)
    constexpr int wings[3][2][2] = {{{1, 1}, {0, -1}}, {{1, 1}, {-1, 0}}, {{1, 0}, {0, 1}}};
    Edge edge{line, {}, 0, id(i, k, 3 + which)};
    for (const auto& wing : wings[which]) {
      if (!has(i + wing[0], k + wing[1])) continue;
      const Vec3d w = vertex(i + wing[0], k + wing[1]) - vertex(i, k);
      edge.m[edge.sides++] = normalized(w - line.u * dot(w, line.u));
    }
    return edge;
  }

  // No neighbour of the vertex rises along n. `peak`: some fall, or it is on the border.
  bool vertex_supports(int i, int k, const Vec3d& n, bool& peak) const {
    constexpr int neighbours[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
    if (n[2] <= 0.0) return false;
    peak = false;
    for (const auto& step : neighbours) {
      if (!has(i + step[0], k + step[1])) {
        peak = true;
        continue;
      }
      const Vec3d e = vertex(i + step[0], k + step[1]) - vertex(i, k);
      const double rise = dot(n, e), length = norm(e);
      if (rise > rises * length) return false;
      peak = peak || rise < -folds * length;
    }
    return true;
  }

 private:
  int id(int i, int k, int kind) const { return int((6 * (std::int64_t(i) * f_.ny + k) + kind) & 0x7fffffff); }
  const HeightField& f_;
};

}  // namespace sinew
