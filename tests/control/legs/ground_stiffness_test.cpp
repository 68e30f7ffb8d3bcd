#include "sinew/control/legs/ground_stiffness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/math/counter_random.h"
#include "sinew/world/observe.h"

namespace sinew::legged {
namespace ground_stiffness_test {

struct Noise {
  std::uint64_t seed;
  std::uint64_t k = 0;
  double operator()(double sigma) { return sigma * math::normal({.seed = seed, .k = k++}); }
};

// A foot that is loaded from 0 to 30 N within 0.2 s and then carries on, read every millisecond.
GroundStiffness loaded(double stiffness, const StiffnessNoise& noise, std::uint64_t seed) {
  GroundStiffness sums;
  Noise random{seed};
  for (int i = 0; i < 400; i++) {
    const double F = 30.0 * std::min(1.0, i / 200.0) + 4.0 * std::sin(0.02 * i);
    sums.add(F + random(noise.force), 0.13 + F / stiffness + random(noise.way));
  }
  return sums;
}

TEST(GroundStiffness, is_exact_without_noise) {
  GroundStiffness sums;
  for (int i = 0; i < 50; i++) sums.add(0.6 * i, 0.1 + 0.6 * i / 5000.0);
  const StiffnessFound found = stiffness_of(sums, {});
  ASSERT_TRUE(found.found);
  EXPECT_NEAR(found.stiffness, 5000.0, 1e-6);
}

TEST(GroundStiffness, is_within_a_fifth_of_the_truth_on_noisy_readings_for_every_seed) {
  for (const double k : {1e3, 3e3, 1e4, 3e4})
    for (std::uint64_t seed = 1; seed <= 20; seed++) {
      const StiffnessFound found = stiffness_of(loaded(k, {}, seed), {});
      ASSERT_TRUE(found.found) << k;
      EXPECT_NEAR(found.stiffness, k, 0.2 * k) << "seed " << seed;
      EXPECT_LT(found.deviation, 0.1 * k);
    }
}

// The mean over seeds errs far less than least squares, which takes the noise of the way for a way.
TEST(GroundStiffness, has_no_bias_where_least_squares_has) {
  const double k = 6e4;
  double deming = 0.0, least = 0.0;
  for (std::uint64_t seed = 1; seed <= 50; seed++) {
    const GroundStiffness s = loaded(k, {}, seed);
    deming += stiffness_of(s, {}).stiffness / 50.0;
    least += (s.xF - s.x * s.F / s.n) / (s.xx - s.x * s.x / s.n) / 50.0;
  }
  EXPECT_NEAR(deming, k, 0.05 * k);
  EXPECT_LT(least, 0.7 * k);
}

TEST(GroundStiffness, is_not_found_on_hard_ground_nor_under_a_steady_load_nor_from_few_points) {
  EXPECT_FALSE(stiffness_of(loaded(1e9, {}, 3), {}).found);
  GroundStiffness steady, few;
  Noise random{7};
  for (int i = 0; i < 400; i++) steady.add(20.0 + random(0.05), 0.1 + random(2e-4));
  EXPECT_FALSE(stiffness_of(steady, {}).found);
  for (int i = 0; i < 9; i++) few.add(i, 1e-3 * i);
  EXPECT_FALSE(stiffness_of(few, {}).found);
  few.reset();
  EXPECT_EQ(few.n, 0.0);
}

// A real step: a foot that is pressed into soft ground with damping, from force and height as they are with noise.
TEST(GroundStiffness, of_a_soft_patch_in_a_simulation_is_found) {
  for (const double k : {2000.0, 8000.0}) {
    Plan plan;
    BodyPlan body;
    body.name = "foot", body.mass = 0.5, body.inertia = Sym3d::diagonal(1e-3);
    ShapePlan shape;
    shape.name = "foot", shape.shape = {.kind = ShapeKind::Sphere, .radius = 0.012};
    body.shapes = {shape};
    JointPlan air;
    air.name = "air", air.kind = JointKind::Free, air.child = "foot", air.position = {0, 0, 0.012, 1, 0, 0, 0};
    plan.bodies = {body}, plan.joints = {air};
    plan.ground.terrain.kind = TerrainKind::Plane;
    PatchPlan patch;
    patch.name = "mud", patch.stiffness = k, patch.damping = 50.0;
    plan.ground.patches = {patch};
    World<double> world = make_world(plan);
    GroundStiffness sums;
    Noise random{11};
    const double dt = 1e-3;
    for (int i = 0; i < 400; i++) {
      world.input.external[0].f = {0, 0, -20.0 * std::min(1.0, i / 300.0)};
      world.step(dt);
      const double F = world.state.contact[slot::P] / dt;
      sums.add(F + random(0.05), -observe(world).bodies[0].p_WC[2] + random(2e-4));
    }
    const StiffnessFound found = stiffness_of(sums, {});
    ASSERT_TRUE(found.found);
    EXPECT_NEAR(found.stiffness, k, 0.2 * k);
  }
}

}  // namespace ground_stiffness_test
}  // namespace sinew::legged
