// Nearest points of a triangle mesh, and which normals its edges and vertices support. Private to this room.
// As for fields of heights, a point of the surface is locally nearest in direction n exactly if no part of the surface beside
// it rises along n. So each contact belongs to one face, edge or vertex; edges that do not stick out are never felt.
// Inside or outside: by the normal of the nearest face, the sum of both at an edge, the sum weighted with the angles at a
// vertex (Baerentzen, Aanaes 2005). An open surface has its ground below it; beside its border there is none.
#pragma once
#include "sinew/parts/touch/closest.h"

namespace sinew {

inline constexpr double tilts = 1e-9;  // sine of a slope that is still taken as none: rounding
inline constexpr double bends = 1e-6;  // sine of the angle at which surfaces begin to differ

struct Foot {    // of a point x on a surface
  Vec3d q, n;    // nearest point, unit normal out of the surface [m], [1]
  double s;      // (x - q) . n; negative: x is inside [m]
  int triangle;  // of a box: its face
};

struct SharpEdge {
  Segment line;
  Vec3d m[2];  // into the faces on both sides, across the edge, unit
  Vec3d n;     // of the first face
  int sides;   // 1 on a border
  int id;

  bool supports(const Vec3d& out, double slack = tilts) const {
    return dot(out, m[0]) <= slack && (sides == 1 ? dot(out, n) > 0.0 : dot(out, m[1]) <= slack);
  }
};

class Surface {
 public:
  explicit Surface(const TriangleMesh& mesh) : m_(mesh) {}
  const TriangleMesh& mesh() const { return m_; }

  // The nearest point, not farther than `within`. False: none, or x is beside the border and not above it.
  bool foot(const Vec3d& x, double within, Foot& out) const;
  // The nearest face that has x behind it, inside its outline, and whose normal `accept` takes.
  template <class Accept>
  bool foot_behind(const Vec3d& x, double within, Accept accept, Foot& out) const;

  // How high over x, straight up, the ground begins that x is in: more faces over it look up than down. -1: x is in none.
  double ground_over(const Vec3d& x) const;

  bool is_over(int t, const Vec3d& x) const;  // x projected along the normal lies in triangle t
  double height(int t, const Vec3d& x) const { return dot(m_.normal[std::size_t(t)], x - m_.corner(t, 0)); }
  SharpEdge edge(int t, int e) const;
  // The steepest way along the surface at a vertex: largest sine over n of the edges there.
  double rise(int vertex, const Vec3d& n) const;
  bool vertex_supports(int vertex, const Vec3d& n) const;

  int face_id(int t) const { return m_.patch[std::size_t(t)]; }
  int edge_id(int t, int e) const { return int(m_.triangle.size()) + 3 * t + e; }
  int vertex_id(int v) const { return 4 * int(m_.triangle.size()) + v; }

  // f(vertex) and f(edge) for those that stick out and lie in boxes that meet `box`: each once.
  template <class F>
  void for_sharp_vertices(const Aabb& box, F f) const {
    for_triangles(
        m_, [&](const Aabb& b) { return b.meets(box); },
        [&](int t) {
          for (int i = 0; i < 3; i++)
            if (m_.owns[std::size_t(t)] >> i & 1 && m_.sharp[std::size_t(t)] >> (3 + i) & 1)
              f(m_.triangle[std::size_t(t)][i]);
        });
  }
  template <class F>
  void for_sharp_edges(const Aabb& box, F f) const {
    for_triangles(
        m_, [&](const Aabb& b) { return b.meets(box); },
        [&](int t) {
          for (int e = 0; e < 3; e++)
            if (m_.owns[std::size_t(t)] >> (3 + e) & 1 && m_.sharp[std::size_t(t)] >> e & 1) f(edge(t, e));
        });
  }

 private:
  bool crosses(int t, const Vec3d& x) const;
  bool is_border(int vertex) const;
  Vec3d mean_normal(int vertex) const;
  const TriangleMesh& m_;
};

template <class Accept>
bool Surface::foot_behind(const Vec3d& x, double within, Accept accept, Foot& out) const {
  out.s = -within;
  bool found = false;
  for_triangles(
      m_,
      [&](const Aabb& box) {
        Aabb around{x, x};
        around.grow(-out.s);
        return box.meets(around);
      },
      [&](int t) {
        const double s = height(t, x);
        const Vec3d& n = m_.normal[std::size_t(t)];
        if (s > 0.0 || s <= out.s || !is_over(t, x) || !accept(n)) return;
        out = {x - n * s, n, s, t};
        found = true;
      });
  return found;
}

inline Aabb around(const Vec3d& x, double r) {
  Aabb box{x, x};
  box.grow(r);
  return box;
}

}  // namespace sinew
