#include "sinew/parts/terrain/rough.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/counter_random.h"
#include "sinew/math/elementary.h"

namespace sinew {
namespace {

constexpr int wave_count = 64;

struct Wave {
  double kx, ky, phase;  // [rad/m, rad]
};

std::vector<Wave> waves_of(const Roughness& rough) {
  constexpr double turn = 2.0 * std::numbers::pi;
  std::vector<Wave> waves;
  for (int i = 0; i < wave_count; i++) {
    const auto random = [&](int which) {
      return math::uniform({.seed = std::uint64_t(rough.seed), .k = std::uint64_t(3 * i + which)});
    };
    const double direction = turn * random(0), k = turn / rough.length * (0.5 + (i + random(1)) / wave_count);
    waves.push_back({k * math::cos(direction), k * math::sin(direction), turn * random(2)});
  }
  return waves;
}

}  // namespace

std::vector<double> rough_heights(const HeightField& grid, const Roughness& rough) {
  SINEW_CHECK(grid.nx >= 0 && grid.ny >= 0 && rough.length > 0.0, "rough_heights: waves without a length, or ", grid.nx,
              " x ", grid.ny, " points");
  const std::vector<Wave> waves = waves_of(rough);
  const double a = rough.rms * std::sqrt(2.0 / wave_count);
  std::vector<double> z;
  z.reserve(std::size_t(grid.nx) * std::size_t(grid.ny));
  for (int i = 0; i < grid.nx; i++)
    for (int k = 0; k < grid.ny; k++) {
      const double x = grid.x0 + i * grid.dx, y = grid.y0 + k * grid.dy;
      const double out = (std::sqrt(x * x + y * y) - rough.level) / (2.0 * rough.length);
      const double share = rough.level > 0.0 ? std::clamp(out, 0.0, 1.0) : 1.0;
      double sum = 0.0;
      for (const Wave& w : waves) sum += math::cos(w.kx * x + w.ky * y + w.phase);
      z.push_back(a * share * sum);
    }
  return z;
}

}  // namespace sinew
