// A world that an plant moves, with the smallest plant there is: two sections on a spring, of which the solution is known.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sinew/math/check.h"
#include "sinew/model/section_plant.h"
#include "sinew/sim/signals.h"
#include "sinew/world/observe.h"
#include "tests/support/allocations.h"

namespace sinew {
namespace plant_test {

// Two masses of 1 kg at x and -x on a spring: x'' = -4 x, x(0) = 1.
class Spring : public SectionPlant {
 public:
  Spring() {
    for (const char* name : {"left", "right"}) sections_.push_back({name, 0.0, 1.0, Sym3d::diagonal(0.1), 0.05, 0.2});
    readings_ = {{"pull", "N", "of the spring"}};
  }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }
  const std::vector<Section>& sections() const override { return sections_; }
  const std::vector<PlantReading>& readings() const override { return readings_; }
  int state_size() const override { return 2; }
  void start(std::span<double> s) const override { s[0] = 1.0, s[1] = 0.0; }
  StepReport advance(const PlantStep& step, std::span<double> s, PlantPower&, Scratch&) const override {
    const double c = std::cos(2 * step.dt), k = std::sin(2 * step.dt), x = s[0];
    s[0] = c * x + 0.5 * k * s[1], s[1] = c * s[1] - 2 * k * x;
    return {};
  }
  std::span<const std::string_view> methods() const override { return methods_; }
  void place(double, std::span<const double> s, std::span<SectionMotion> out, Scratch&) const override {
    for (int i = 0; i < 2; i++) {
      const double side = i == 0 ? -1.0 : 1.0;
      out[i] = {{Mat3d::identity(), Vec3d(side * s[0], 0, 0)}, Vec3d::zero(), Vec3d(side * s[1], 0, 0)};
    }
  }
  void read(double, const PlantInput&, std::span<const double> s, std::span<double> out, Scratch&) const override {
    out[0] = 4.0 * s[0];
  }
  PlantEnergy energy(double, std::span<const double> s, Scratch&) const override {
    return {.elastic = 4.0 * s[0] * s[0], .kinetic = s[1] * s[1]};
  }

 private:
  std::vector<Section> sections_;
  std::vector<PlantReading> readings_;
  static constexpr std::array<std::string_view, 1> methods_{"rk4"};
};

Plan spring_plan() {
  Plan plan;
  plan.make_plant = [](const Plan&) { return std::make_shared<const Spring>(); };
  return plan;
}

TEST(Plant, moves_the_bodies_that_are_its_sections) {
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

TEST(Plant, readings_are_signals_and_its_energies_are_the_world_s) {
  World<double> world = make_world(spring_plan(), {.stepper = "rk4"});
  world.step(0.3);
  const auto seen = observe(world);
  EXPECT_NEAR(seen.energy.total(), 4.0, 1e-13);
  EXPECT_NEAR(seen.balance_error, 0.0, 1e-13);
  const auto signals = sim::signals_of(world.model());
  const auto found = sim::find_signals(signals, "rod.pull");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(signals[found[0]].unit, "N");
  EXPECT_NEAR(sim::evaluate(signals[found[0]], world, seen), 4.0 * std::cos(0.6), 1e-13);
  EXPECT_TRUE(sim::find_signals(signals, "joint.left.q").empty());  // sections have no joints of interest
}

TEST(Plant, a_copy_is_a_fork_with_the_same_bits) {
  World<double> world = make_world(spring_plan(), {.stepper = "rk4"});
  world.step(0.1);
  World<double> fork = world;
  world.step(0.1), fork.step(0.1);
  EXPECT_EQ(hash(world.state), hash(fork.state));
  fork.step(0.1);
  EXPECT_NE(hash(world.state), hash(fork.state));
}

TEST(Plant, steps_do_not_allocate) {
  World<double> world = make_world(spring_plan(), {.stepper = "rk4"});
  world.step(0.1);
  const auto count = test::count_allocations([&] {
    for (int i = 0; i < 10; i++) world.step(0.1);
  });
  EXPECT_EQ(count, 0);
}

TEST(Plant, methods_it_does_not_have_and_other_bodies_are_refused) {
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

TEST(Plant, the_forest_is_one) {
  Plan plan;
  plan.bodies.push_back({.name = "ball", .inertia = Sym3d::diagonal(0.1)});
  JointPlan air;
  air.name = air.child = "ball";
  air.kind = JointKind::Free;
  plan.joints.push_back(air);
  const World<double> world = make_world(plan);
  const Plant& forest = world.plant();
  EXPECT_EQ(&forest, &plant_of(world.model()));
  ASSERT_EQ(forest.methods().size(), steppers().size());
  EXPECT_EQ(forest.methods()[0], "moreau");
  EXPECT_TRUE(forest.has_joints() && forest.readings().empty() && forest.push_refusal().empty());
  for (std::size_t i = 0; i < steppers().size(); i++)
    EXPECT_EQ(forest.runs_batches(int(i)), steppers()[i].lanes != nullptr) << steppers()[i].name;
  EXPECT_FALSE(make_world(spring_plan(), {.stepper = "rk4"}).plant().has_joints());
}

TEST(Plant, its_numbers_are_copied_to_lanes_and_back) {
  World<double> world = make_world(spring_plan(), {.stepper = "rk4"});
  world.step(0.1);
  const State<Lanes> wide = broadcast<Lanes>(world.state);
  EXPECT_EQ(wide.plant.size(), 2u);
  EXPECT_EQ(hash(lane_state(wide, 1)), hash(world.state));
  EXPECT_EQ(list_sizes(wide), list_sizes(world.state));
}

TEST(Plant, runs_no_batches) { EXPECT_THROW(widen(make_world(spring_plan(), {.stepper = "rk4"})), CallError); }

}  // namespace plant_test
}  // namespace sinew
