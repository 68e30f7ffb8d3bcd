// A world that an engine moves, with the smallest engine there is: two sections on a spring, of which the solution is known.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sinew/io/signals.h"
#include "sinew/math/check.h"
#include "sinew/step/engine.h"
#include "sinew/world/observe.h"
#include "tests/support/allocations.h"

namespace sinew {
namespace engine_test {

// Two masses of 1 kg at x and -x on a spring: x'' = -4 x, x(0) = 1.
class Spring : public rod::Engine {
 public:
  Spring() {
    for (const char* name : {"left", "right"}) sections_.push_back({name, 0.0, 1.0, Sym3d::diagonal(0.1), 0.05, 0.2});
    readings_ = {{"pull", "N", "of the spring"}};
  }
  std::unique_ptr<rod::Scratch> make_scratch() const override { return std::make_unique<rod::Scratch>(); }
  const std::vector<rod::Section>& sections() const override { return sections_; }
  const std::vector<rod::Reading>& readings() const override { return readings_; }
  int state_size() const override { return 2; }
  void start(std::span<double> s) const override { s[0] = 1.0, s[1] = 0.0; }
  rod::EngineReport step(std::string_view, double, double dt, std::span<double> s, rod::EnginePower&,
                         rod::Scratch&) const override {
    const double c = std::cos(2 * dt), k = std::sin(2 * dt), x = s[0];
    s[0] = c * x + 0.5 * k * s[1], s[1] = c * s[1] - 2 * k * x;
    return {};
  }
  std::span<const std::string_view> methods() const override { return methods_; }
  void place(double, std::span<const double> s, std::span<rod::SectionMotion> out, rod::Scratch&) const override {
    for (int i = 0; i < 2; i++) {
      const double side = i == 0 ? -1.0 : 1.0;
      out[i] = {{Mat3d::identity(), Vec3d(side * s[0], 0, 0)}, Vec3d::zero(), Vec3d(side * s[1], 0, 0)};
    }
  }
  void read(double, std::span<const double> s, std::span<double> out, rod::Scratch&) const override {
    out[0] = 4.0 * s[0];
  }
  rod::EngineEnergy energy(double, std::span<const double> s, rod::Scratch&) const override {
    return {.elastic = 4.0 * s[0] * s[0], .kinetic = s[1] * s[1]};
  }

 private:
  std::vector<rod::Section> sections_;
  std::vector<rod::Reading> readings_;
  static constexpr std::array<std::string_view, 1> methods_{"rk4"};
};

Plan spring_plan() {
  Plan plan;
  plan.make_engine = [](const Plan&) { return std::make_shared<const Spring>(); };
  return plan;
}

TEST(Engine, moves_the_bodies_that_are_its_sections) {
  World<double> world = make_world(spring_plan(), {.stepper = "rk4"});
  ASSERT_EQ(world.model().link_count(), 2);
  for (int i = 0; i < 100; i++) world.step(0.01);
  const auto seen = observe(world);
  EXPECT_NEAR(seen.bodies[1].p_WC[0], std::cos(2.0), 1e-13);
  EXPECT_NEAR(seen.bodies[1].v_WC[0], -2.0 * std::sin(2.0), 1e-13);
  EXPECT_NEAR(seen.bodies[0].p_WC[0], -std::cos(2.0), 1e-13);
  EXPECT_NEAR(seen.com.p[0], 0.0, 1e-15);
  EXPECT_NEAR(world.state.t, 1.0, 1e-12);
}

TEST(Engine, readings_are_signals_and_its_energies_are_the_world_s) {
  World<double> world = make_world(spring_plan(), {.stepper = "rk4"});
  world.step(0.3);
  const auto seen = observe(world);
  EXPECT_NEAR(seen.energy.total(), 4.0, 1e-13);
  EXPECT_NEAR(seen.balance_error, 0.0, 1e-13);
  const auto signals = io::signals_of(world.model());
  const auto found = io::find_signals(signals, "rod.pull");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(signals[found[0]].unit, "N");
  EXPECT_NEAR(io::evaluate(signals[found[0]], world, seen), 4.0 * std::cos(0.6), 1e-13);
  EXPECT_TRUE(io::find_signals(signals, "joint.left.q").empty());  // sections have no joints of interest
}

TEST(Engine, a_copy_is_a_fork_with_the_same_bits) {
  World<double> world = make_world(spring_plan(), {.stepper = "rk4"});
  world.step(0.1);
  World<double> fork = world;
  world.step(0.1), fork.step(0.1);
  EXPECT_EQ(hash(world.state), hash(fork.state));
  fork.step(0.1);
  EXPECT_NE(hash(world.state), hash(fork.state));
}

TEST(Engine, steps_do_not_allocate) {
  World<double> world = make_world(spring_plan(), {.stepper = "rk4"});
  world.step(0.1);
  const auto count = test::count_allocations([&] {
    for (int i = 0; i < 10; i++) world.step(0.1);
  });
  EXPECT_EQ(count, 0);
}

TEST(Engine, methods_it_does_not_have_and_other_bodies_are_refused) {
  const auto what = [](const Plan& plan, const WorldOptions& options) -> std::string {
    try {
      make_world(plan, options);
    } catch (const PlanError& e) {
      return e.problems.at(0).key + ": " + e.problems[0].what;
    }
    return "";
  };
  EXPECT_NE(what(spring_plan(), {.stepper = "moreau"}).find("integrator.method: \"moreau\""), std::string::npos);
  EXPECT_NE(what(spring_plan(), {.stepper = "moreau"}).find("\"rk4\""), std::string::npos);
  EXPECT_NE(what(spring_plan(), {.coordinates = Coordinates::Maximal, .stepper = "rk4"}).find("robot.coordinates"),
            std::string::npos);
  Plan crowded = spring_plan();
  crowded.bodies.push_back({.name = "other"});
  EXPECT_NE(what(crowded, {.stepper = "rk4"}).find("robot: "), std::string::npos);
}

TEST(Engine, runs_no_batches) { EXPECT_THROW(widen(make_world(spring_plan(), {.stepper = "rk4"})), CallError); }

}  // namespace engine_test
}  // namespace sinew
