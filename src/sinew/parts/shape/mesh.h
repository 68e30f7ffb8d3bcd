// Surfaces made of triangles, with all that contact needs to know about them beforehand: neighbours, which edges and vertices
// stick out, and a tree of boxes. Immutable once made; shapes and models share it.
// Triangles run anticlockwise seen from outside; edge i of a triangle goes from its corner i to corner i + 1.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/math/check.h"
#include "sinew/math/linear.h"
#include "sinew/parts/shape/aabb.h"

namespace sinew {

inline constexpr int max_mesh_vertices = 100000;

// A polygon of a convex hull: corners loop[first .. first + count), anticlockwise from outside.
struct Facet {
  Vec3d n;  // unit, out
  int first, count;
};

struct TriangleMesh {
  std::vector<Vec3d> vertex;                 // [m]
  std::vector<std::array<int, 3>> triangle;  // indices of vertices

  // Found by make_mesh.
  std::vector<Vec3d> normal;                  // of the triangles: unit, out; zero where a triangle has no area
  std::vector<std::array<int, 3>> neighbour;  // across edge i; -1: none, the edge is on the border
  std::vector<std::uint8_t>
      sharp;                       // bit i: edge i sticks out or is on the border; bit 3 + i: corner i has such an edge
  std::vector<std::uint8_t> owns;  // bit i: corner i, bit 3 + i: edge i is visited with this triangle and no other
  std::vector<int> patch;          // lowest triangle of all that lie in one plane with it, without a fold between them
  std::vector<int> ring_first, ring;  // neighbours of vertex v: ring[ring_first[v] .. ring_first[v + 1])
  std::vector<int> fan_first, fan;    // its triangles, likewise
  struct Node {
    Aabb box;
    int first,
        count;  // a leaf: order[first .. first + count); else count = 0: children at its own index + 1 and at first
  };
  std::vector<Node> tree;  // the root first; empty: nothing to find
  std::vector<int> order;
  double reach = 0.0;  // of a sphere about the origin that holds all vertices [m]
  double size = 0.0;   // largest edge of the box around it [m]

  // Of hulls only.
  std::vector<Facet> facet;
  std::vector<int> loop;

  const Vec3d& corner(int t, int i) const { return vertex[std::size_t(triangle[t][i])]; }
};
using MeshPtr = std::shared_ptr<const TriangleMesh>;

// Any numbers are taken: defects_of says what is wrong with the result.
MeshPtr make_mesh(std::vector<Vec3d> vertices, std::vector<std::array<int, 3>> triangles);

// The convex hull of points, with facets. Points inside are left out, and points within 1e-10 of its size from the
// hull. Without four points that span a space: an empty mesh.
MeshPtr make_hull(const std::vector<Vec3d>& points);

// Equal vertices become one; triangles that lose their area by that are left out.
void weld(std::vector<Vec3d>& vertices, std::vector<std::array<int, 3>>& triangles);

// What makes a mesh useless as a surface: each "WHAT: HOW TO FIX"; at most ten. A body's surface must be closed.
std::vector<std::string> defects_of(const TriangleMesh& mesh, bool closed);

// f(t) for the triangles whose boxes `meets` lets through.
template <class Meets, class F>
void for_triangles(const TriangleMesh& mesh, Meets meets, F f) {
  int stack[64], top = 0;
  if (!mesh.tree.empty()) stack[top++] = 0;
  while (top > 0) {
    const int at = stack[--top];
    SINEW_ASSERT(top + 2 <= 64 && at >= 0 && std::size_t(at) < mesh.tree.size());
    const TriangleMesh::Node& node = mesh.tree[std::size_t(at)];
    if (!meets(node.box)) continue;
    for (int i = 0; i < node.count; i++) f(mesh.order[std::size_t(node.first + i)]);
    if (node.count == 0) {
      stack[top++] = node.first;
      stack[top++] = at + 1;
    }
  }
}

// Vertex that lies farthest along d. Of equal ones the lowest.
int farthest(const TriangleMesh& mesh, const Vec3d& d);

}  // namespace sinew
