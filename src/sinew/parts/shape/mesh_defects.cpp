// A closed surface has every edge twice, in opposite directions, and its volume sum a . (b x c) / 6 is positive if the
// triangles run anticlockwise seen from outside.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sinew/parts/shape/mesh.h"

namespace sinew {
namespace {

constexpr std::size_t most = 10;

struct DefectFinder {
  const TriangleMesh& m;
  std::vector<std::string>& found;

  void say(std::string what) {
    if (found.size() < most) found.push_back(std::move(what));
  }
  std::string at(int v) const {
    const Vec3d& x = m.vertex[std::size_t(v)];
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
  }

  bool numbers() {
    const std::size_t before = found.size();
    if (m.triangle.empty()) say("it has no triangles: give a surface");
    if (int(m.vertex.size()) > max_mesh_vertices)
      say(fmt::format("it has {} vertices, more than {}: simplify it", m.vertex.size(), max_mesh_vertices));
    for (std::size_t i = 0; i < m.vertex.size(); i++)
      if (!is_finite(m.vertex[i])) say(fmt::format("vertex {} is not finite: correct it", i + 1));
    for (std::size_t t = 0; t < m.triangle.size(); t++)
      for (const int v : m.triangle[t])
        if (v < 0 || v >= int(m.vertex.size()))
          say(fmt::format("triangle {} refers to vertex {}, but there are {}: correct its indices", t + 1, v + 1,
                          m.vertex.size()));
    return found.size() == before;
  }

  void areas() {
    for (int t = 0; t < int(m.triangle.size()); t++) {
      const Vec3d a = m.corner(t, 0), b = m.corner(t, 1), c = m.corner(t, 2);
      const double longest = std::max({dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c)});
      if (!(norm(cross(b - a, c - a)) > 1e-10 * longest))
        say(fmt::format("triangle {} at {} has no area: remove it, or move one of its corners", t + 1,
                        at(m.triangle[std::size_t(t)][0])));
    }
  }

  // Uses of each edge: in its own direction (low to high vertex) and against it.
  void edges(bool closed) {
    std::map<std::pair<int, int>, std::pair<int, int>> uses;
    for (const auto& t : m.triangle)
      for (int i = 0; i < 3; i++) {
        const int a = t[i], b = t[(i + 1) % 3];
        (a < b ? uses[{a, b}].first : uses[{b, a}].second)++;
      }
    for (const auto& [edge, count] : uses) {
      const int all = count.first + count.second;
      const std::string where = fmt::format("the edge from {} to {}", at(edge.first), at(edge.second));
      if (all > 2)
        say(fmt::format("{} belongs to {} triangles: at most two may share an edge", where, all));
      else if (all == 2 && count.first != 1)
        say(fmt::format("{} is run through twice in the same direction: turn one of its two triangles round", where));
      else if (all == 1 && closed)
        say(fmt::format("{} belongs to one triangle only: the surface of a body must be closed, so fill the hole",
                        where));
    }
  }

  void orientation() {
    double volume = 0.0;
    const Vec3d o = m.vertex[0];
    for (int t = 0; t < int(m.triangle.size()); t++)
      volume += dot(m.corner(t, 0) - o, cross(m.corner(t, 1) - o, m.corner(t, 2) - o)) / 6.0;
    if (!(volume > 1e-12 * m.size * m.size * m.size))
      say(
          fmt::format("its volume is {:.3g} m^3, so it is inside out or flat: list the corners of each triangle "
                      "anticlockwise as seen from outside",
                      volume));
  }
};

}  // namespace

std::vector<std::string> defects_of(const TriangleMesh& mesh, bool closed) {
  std::vector<std::string> found;
  DefectFinder finder{mesh, found};
  if (!finder.numbers()) return found;
  finder.areas();
  finder.edges(closed);
  if (found.empty() && closed) finder.orientation();
  return found;
}

}  // namespace sinew
