// Meshes and hulls before anything touches: what is found about them, and what is wrong with them.
#include "sinew/parts/shape/mesh.h"

#include <gtest/gtest.h>

#include <set>

#include "sinew/parts/terrain/height.h"
#include "tests/parts/touch/solids.h"

namespace sinew::support {
namespace mesh_test {

using Triangles = std::vector<std::array<int, 3>>;
const std::vector<Vec3d> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const Triangles tetrahedron{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

std::string first_defect(const std::vector<Vec3d>& vertices, const Triangles& triangles, bool closed = true) {
  const auto found = defects_of(*make_mesh(vertices, triangles), closed);
  return found.empty() ? "" : found[0];
}
bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Mesh, sound_ones_have_no_defects) {
  EXPECT_EQ(first_defect(corners, tetrahedron), "");
  EXPECT_EQ(first_defect(corners, {{0, 1, 2}}, false), "");  // ground may be open
}

TEST(Mesh, defects_are_named) {
  EXPECT_TRUE(says(first_defect(corners, {}), "no triangles"));
  EXPECT_TRUE(says(first_defect(corners, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}}), "belongs to one triangle only"));
  EXPECT_TRUE(says(first_defect(corners, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}), "inside out"));
  EXPECT_TRUE(says(first_defect(corners, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 3, 0}}), "twice in the same direction"));
  EXPECT_TRUE(
      says(first_defect({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}, false), "triangle 1 at (0, 0, 0) has no area"));
  EXPECT_TRUE(says(first_defect(corners, {{0, 1, 4}}, false), "refers to vertex 5, but there are 4"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(says(first_defect({{0, 0, 0}, {1, nan, 0}, {0, 1, 0}}, {{0, 1, 2}}, false), "vertex 2 is not finite"));
  auto five = corners;
  five.push_back({0, -1, 0});
  EXPECT_TRUE(says(first_defect(five, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}, false), "belongs to 3 triangles"));
}

TEST(Mesh, many_defects_are_told_at_once_but_not_hundreds) {
  Triangles none(100, {0, 0, 0});
  EXPECT_EQ(defects_of(*make_mesh(corners, none), false).size(), 10u);
}

TEST(Mesh, welding_joins_equal_vertices_and_drops_what_vanishes) {
  std::vector<Vec3d> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 0}};
  Triangles triangles{{0, 1, 2}, {3, 5, 4}, {0, 6, 1}};
  weld(vertices, triangles);
  EXPECT_EQ(vertices.size(), 4u);
  ASSERT_EQ(triangles.size(), 2u);
  EXPECT_EQ(triangles[1], (std::array{1, 3, 2}));
}

TEST(Mesh, only_edges_that_stick_out_are_sharp) {
  // two squares in a right angle, hollow or ridge, each cut by a diagonal
  const auto sharp_inner = [](double z) {
    const MeshPtr m = make_mesh({{-1, 0, z}, {0, 0, 0}, {1, 0, z}, {-1, 1, z}, {0, 1, 0}, {1, 1, z}},
                                {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}});
    int inner = 0;
    for (std::size_t t = 0; t < 4; t++)
      for (int e = 0; e < 3; e++) inner += m->neighbour[t][e] >= 0 && (m->sharp[t] >> e & 1);
    return inner;
  };
  EXPECT_EQ(sharp_inner(-1.0), 2);  // the ridge, from both sides
  EXPECT_EQ(sharp_inner(1.0), 0);
  EXPECT_EQ(sharp_inner(0.0), 0);
}

TEST(Mesh, every_vertex_and_edge_is_visited_once) {
  Dice dice(1);
  const Shape ball = any_hull(dice, 60);
  std::multiset<int> vertices;
  std::multiset<std::pair<int, int>> edges;
  const TriangleMesh& m = *ball.mesh;
  for_triangles(
      m, [](const Aabb&) { return true; },
      [&](int t) {
        for (int i = 0; i < 3; i++) {
          if (m.owns[t] >> i & 1) vertices.insert(m.triangle[t][i]);
          if (m.owns[t] >> (3 + i) & 1) edges.insert(std::minmax(m.triangle[t][i], m.triangle[t][(i + 1) % 3]));
        }
      });
  EXPECT_EQ(vertices.size(), m.vertex.size());
  EXPECT_EQ(std::set(vertices.begin(), vertices.end()).size(), m.vertex.size());
  EXPECT_EQ(edges.size(), m.vertex.size() + m.triangle.size() - 2);  // Euler
  EXPECT_EQ(std::set(edges.begin(), edges.end()).size(), edges.size());
}

TEST(Mesh, farthest_vertex_is_that_of_a_full_search) {
  Dice dice(2);
  const Shape shape = any_hull(dice, 300);
  for (int i = 0; i < 300; i++) {
    const Vec3d d = dice.direction();
    double most = -1e300;
    for (const Vec3d& x : shape.mesh->vertex) most = std::max(most, dot(d, x));
    EXPECT_EQ(extent(shape, d), most);
  }
}

TEST(Hull, holds_its_points_and_has_no_defects) {
  Dice dice(3);
  for (int i = 0; i < 30; i++) {
    std::vector<Vec3d> points;
    for (int k = 0; k < 80; k++) points.push_back(dice.vector(0.3));
    const MeshPtr m = make_hull(points);
    EXPECT_TRUE(defects_of(*m, true).empty());
    for (const Vec3d& x : points)
      for (std::size_t t = 0; t < m->triangle.size(); t++)
        EXPECT_LE(dot(m->normal[t], x - m->corner(int(t), 0)), 1e-10);
  }
}

TEST(Hull, of_a_box_has_six_faces_of_four_corners_whatever_lies_inside_or_on_it) {
  auto points = box_corners({0.1, 0.2, 0.3});
  for (const Vec3d& extra : {Vec3d(0, 0, 0), Vec3d(0.1, 0, 0), Vec3d(0.1, 0.2, 0), Vec3d(0.1, 0.2, 0.3)})
    points.push_back(extra);
  const MeshPtr m = make_hull(points);
  EXPECT_EQ(m->vertex.size(), 8u);
  ASSERT_EQ(m->facet.size(), 6u);
  for (const Facet& f : m->facet) EXPECT_EQ(f.count, 4);
}

TEST(Hull, of_points_in_a_plane_is_empty) {
  EXPECT_TRUE(make_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}})->triangle.empty());
  EXPECT_TRUE(make_hull({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}})->triangle.empty());
  EXPECT_TRUE(make_hull({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}})->triangle.empty());
}

TEST(Mesh, height_of_mesh_ground_is_that_of_the_highest_triangle) {
  HeightField field{
      .nx = 3, .ny = 3, .x0 = -1, .y0 = -1, .dx = 1, .dy = 1, .z = {0, 0.1, 0.2, 0.3, 0.1, 0, 0.2, 0.1, 0.4}};
  Terrain heights, mesh = ground_of(mesh_of(field));
  heights.kind = TerrainKind::Heights, heights.field = field;
  Dice dice(4);
  for (int i = 0; i < 200; i++) {
    const double x = dice.between(-0.99, 0.99), y = dice.between(-0.99, 0.99);
    EXPECT_NEAR(height_at(mesh, x, y), height_at(heights, x, y), 1e-12);
  }
  EXPECT_EQ(height_at(mesh, 5.0, 0.0), 0.0);
}

}  // namespace mesh_test
}  // namespace sinew::support
