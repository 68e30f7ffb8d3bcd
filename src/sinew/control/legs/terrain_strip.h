// What a walker has seen of the ground ahead, cell by cell along its way: ground on which a foot may stand, or none (docs/theory/hexapod.md#free-gait).
// A cell that is bad once stays bad. Cells are those of a ring: what lies a ring's length behind is forgotten.
#pragma once
#include <array>

namespace sinew::legged {

enum class Footing { Unknown, Ground, Bad };

// Doubles alone, so that it fits into a block of State::memory.
struct TerrainStrip {
  static constexpr int cells = 192;
  static constexpr double length = 0.01;  // of a cell [m]
  std::array<double, cells> kind{};       // Footing
  double first = 0.0, begun = 0.0;        // number of the rearmost cell; 1: there are any

  // x: along the way, from where it began [m]. Before anything else: the rearmost place of which it knows.
  void move_to(double rear);
  void see(double x, Footing what);
  void see(double from, double to, Footing what);
  Footing at(double x) const;
  // The worst of what is within `around` of x; unknown is better than bad.
  Footing around(double x, double around) const;
};

// From (x, z), a height over the plane of the feet, by (dx, dz) to where it ends [m]. met: it ends at something.
struct SeenRay {
  double x, z, dx, dz;
  bool met;
};
// Over ground whose height is 0 within +-zone: ends above the zone are obstacles; where a ray passes below it there is no ground.
void see_by_ray(TerrainStrip& strip, const SeenRay& ray, double zone);

}  // namespace sinew::legged
