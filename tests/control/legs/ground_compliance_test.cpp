#include "sinew/control/legs/ground_compliance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/math/counter_random.h"

namespace sinew::legged {
namespace ground_compliance_test {

constexpr int legs = 6;
constexpr double tick = 1e-3, weight = 60.0;
const std::array<Vec3d, legs> places{Vec3d(0.2, 0.21, 0),  Vec3d(0.0, 0.21, 0),  Vec3d(-0.2, 0.21, 0),
                                     Vec3d(0.2, -0.21, 0), Vec3d(0.0, -0.21, 0), Vec3d(-0.2, -0.21, 0)};

struct Noise {
  std::uint64_t seed, k = 0;
  double operator()(double sigma) { return sigma * math::normal({.seed = seed, .k = k++}); }
};

// A wave: one foot after the other is unloaded, lifts, lands and is loaded again. The body rises, rolls and pitches as the ground gives, and as it likes.
GroundCompliance walked(const std::array<double, legs>& stiffness, std::uint64_t seed, int periods) {
  GroundCompliance ground;
  Noise random{seed};
  std::array<double, legs> F;
  F.fill(weight / legs);
  for (int step = 0; step < legs * periods; step++) {
    const int i = step % legs;
    for (int k = 0; k < 800; k++) {
      std::array<double, legs> wanted;
      const bool flies = k >= 250 && k < 450, unloaded = k >= 100 && k < 600, lands = flies && k >= 430;
      wanted.fill(unloaded ? weight / (legs - 1) : weight / legs);
      if (unloaded) wanted[std::size_t(i)] = 0.0;
      std::array<FootOnGround, legs> feet;
      const double t = 1e-3 * (800 * step + k), rise = 2e-3 * std::sin(t), roll = 4e-3 * std::sin(1.3 * t);
      for (int j = 0; j < legs; j++) {
        double& f = F[std::size_t(j)];
        f = j == i && flies ? 0.0 : f + (wanted[std::size_t(j)] - f) * 0.1;
        const Vec3d& at = places[std::size_t(j)];
        const double lifted = j == i && flies && !lands ? 0.02 : 0.0;
        const double z = -0.13 - f / stiffness[std::size_t(j)] - rise - roll * at[1] + lifted;
        feet[std::size_t(j)] = {Vec3d(at[0], at[1], z + random(1e-5)), f + random(0.05), !(j == i && flies),
                                j == i && lands};
      }
      feel_ground(ground, feet, tick);
    }
  }
  return ground;
}

TEST(GroundCompliance, is_within_a_fifth_of_the_truth_for_every_foot_and_seed) {
  const std::array<double, legs> k{4e3, 6e3, 8e3, 1e4, 1.2e4, 5e3};
  for (std::uint64_t seed = 1; seed <= 5; seed++) {
    const GroundCompliance found = walked(k, seed, 8);
    for (std::size_t i = 0; i < legs; i++) EXPECT_NEAR(found.stiffness[i], k[i], 0.2 * k[i]) << i << " seed " << seed;
  }
}

TEST(GroundCompliance, of_hard_ground_nothing_is_said) {
  std::array<double, legs> k;
  k.fill(1e9);
  const GroundCompliance found = walked(k, 3, 4);
  for (std::size_t i = 0; i < legs; i++) EXPECT_EQ(found.stiffness[i], 0.0) << i;
}

// Three feet fit any ground: nothing can be known.
TEST(GroundCompliance, needs_four_feet) {
  GroundCompliance ground;
  std::array<FootOnGround, 3> feet;
  for (int k = 0; k < 3000; k++) {
    const double F = 20.0 + (k / 300 % 2 == 0 ? 5.0 : -5.0);
    for (std::size_t j = 0; j < 3; j++) feet[j] = {places[2 * j] - Vec3d(0, 0, F / 5e3), F, true, false};
    feel_ground(ground, feet, tick);
  }
  for (std::size_t j = 0; j < 3; j++) EXPECT_EQ(ground.stiffness[j], 0.0);
}

}  // namespace ground_compliance_test
}  // namespace sinew::legged
