// Random numbers that are the same on every machine: the engine's bits are fixed by the C++ standard, those of the
// standard distributions are not.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "sinew/math/rotation.h"

namespace sinew::support {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  double between(double low, double high) { return low + (high - low) * (double(engine_() >> 11) * 0x1p-53); }
  int below(int n) { return int(engine_() % std::uint64_t(n)); }
  bool chance(double probability) { return between(0.0, 1.0) < probability; }

  Vec3d vector(double size) {
    const double x = between(-size, size), y = between(-size, size);
    return {x, y, between(-size, size)};
  }
  // Uniform over all directions: the cube's corners are cut off.
  Vec3d direction() {
    while (true) {
      const Vec3d a = vector(1.0);
      if (norm(a) > 0.1 && norm(a) < 1.0) return normalized(a);
    }
  }
  Quatd rotation() {
    while (true) {
      const Vec3d a = vector(1.0);
      const double w = between(-1.0, 1.0), n2 = dot(a, a) + w * w;
      if (n2 > 0.01 && n2 < 1.0) return normalized(Quatd{w, a[0], a[1], a[2]});
    }
  }
  std::vector<double> numbers(int n, double low, double high) {
    std::vector<double> x(n);
    for (double& value : x) value = between(low, high);
    return x;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace sinew::support
