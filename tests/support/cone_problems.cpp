#include "tests/support/cone_problems.h"

#include <array>

#include "sinew/math/linear.h"

namespace sinew::support {
namespace {

struct Side {
  int body;  // -1: the ground
  double sign;
  Vec3d arm;
};

constexpr double mass = 2.0, inertia = 0.05, dt = 0.005;

// What an impulse along b at the second side does along a at the first, if they are the same body's.
double response(const Side& first, const Vec3d& a, const Side& second, const Vec3d& b) {
  if (first.body < 0 || first.body != second.body) return 0.0;
  return first.sign * second.sign * (dot(a, b) / mass + dot(cross(first.arm, a), cross(second.arm, b)) / inertia);
}

}  // namespace

ConeProblem random_cone_problem(std::uint64_t seed, int contacts, Scene scene) {
  return cone_problem(random_problem(seed, Friction::Isotropic, contacts, scene).problem);
}

ConeProblem brick_wall(int courses, int bricks, double mu) {
  std::vector<std::array<Side, 2>> contacts;  // the normal, upwards, points at the second
  const auto add = [&](int below, int above, double x_below, double x_above) {
    for (const double y : {-0.1, 0.1})
      for (const double x : {-0.04, 0.04})
        contacts.push_back({{{below, -1.0, Vec3d(x_below + x, y, 0.05)}, {above, 1.0, Vec3d(x_above + x, y, -0.05)}}});
  };
  for (int c = 0; c < courses; c++)
    for (int b = 0; b < bricks; b++) {
      const int above = c * bricks + b;
      if (c == 0) {
        add(-1, above, 0.0, 0.0);
        continue;
      }
      add(above - bricks, above, 0.1, -0.1);
      if (b + 1 < bricks) add(above - bricks + 1, above, -0.1, 0.1);
    }
  const Vec3d axes[3] = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  ConeProblem p;
  p.W.start = {0};
  for (const auto& one : contacts) {
    for (std::size_t k = 0; k < contacts.size(); k++) {
      std::array<double, 9> block{};
      bool some = false;
      for (int a = 0; a < 9; a++) {
        for (const Side& first : one)
          for (const Side& second : contacts[k]) block[a] += response(first, axes[a / 3], second, axes[a % 3]);
        some |= block[a] != 0.0;
      }
      if (!some) continue;
      p.W.column.push_back(int(k));
      p.W.value.insert(p.W.value.end(), block.begin(), block.end());
    }
    p.W.start.push_back(int(p.W.column.size()));
    p.mu.push_back(mu);
    const bool on_ground =
        one[0].body < 0;  // elsewhere both sides fall alike; a shove along the ground for the lowest course
    p.q.insert(p.q.end(), {on_ground ? -9.81 * dt : 0.0, on_ground ? 0.01 : 0.0, 0.0});
  }
  return p;
}

}  // namespace sinew::support
