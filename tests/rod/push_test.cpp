// Rods under wrenches from outside and commands: momentum, work, rest, and what is refused.
#include <gtest/gtest.h>

#include <memory>

#include "sinew/world/world.h"
#include "tests/rod/rods.h"
#include "tests/rod/soft_support.h"
#include "tests/support/allocations.h"

namespace sinew::rod {
namespace push_test {

using Wrenches = std::vector<Wrench<double>>;

// No forces, couples, but at one section.
Wrenches at_section(const SectionPlant& plant, int section, const Vec3d& force, const Vec3d& couple) {
  Wrenches all(plant.sections().size(), {Vec3d::zero(), Vec3d::zero()});
  all[section] = {couple, force};
  return all;
}

// Of all sections, about the world's origin; exact as far as sections carry the rod's mass by the quadrature of its equations.
struct Momenta {
  Vec3d linear = Vec3d::zero(), angular = Vec3d::zero();
};
Momenta momenta_of(const SectionPlant& plant, double t, const std::vector<double>& state, Scratch& scratch) {
  std::vector<SectionMotion> seen(plant.sections().size());
  plant.place(t, state, seen, scratch);
  Momenta sum;
  for (std::size_t i = 0; i < seen.size(); i++) {
    const Section& s = plant.sections()[i];
    const Vec3d p = seen[i].v * s.mass;
    const Mat3d& R = seen[i].X_WS.R;
    sum.linear += p;
    sum.angular += cross(seen[i].X_WS.p, p) + R * (s.inertia * transpose_times(R, seen[i].w));
  }
  return sum;
}

Running free_swimmer() {
  StrainDrivenPlan<Space> plan;
  plan.rod = make_rod<Space>(wave_law<Space>({1.0, 120, 5}, Space::straight(), waving()));
  plan.rod.scheme = Scheme::Fine;  // so that what is left of momentum's drift is that of the steps
  plan.looks.X_profile = {0.5};
  plan.start_twist = {0.3, 0.2, -0.1, 0.4, -0.3, 0.2};
  return Running(make_strain_driven(plan));
}
Vec3d read(Running& run, const std::string& name) {
  return {run.read(name + ".x"), run.read(name + ".y"), run.read(name + ".z")};
}

TEST(PushedRod, a_force_changes_momentum_by_its_impulse_and_its_work_is_booked) {
  for (const std::string_view method : {"rk4", "rk45", "euler"}) {
    Running run = free_swimmer();
    const Vec3d before = read(run, "momentum"), F(0.7, -1.1, 0.4);
    const Wrenches push = at_section(*run.plant, 3, F, Vec3d(0.02, 0.01, -0.03));
    const bool is_fine = method != "euler";  // of order 2
    run.input.external = push;
    run.run(method, 0.2, 0.001);
    EXPECT_LT(norm(read(run, "momentum") - (before + F * 0.2)), is_fine ? 1e-9 : 2e-5) << method;
    EXPECT_LT(run.read("end_residual"), 1e-11);  // wrenches inside are in balance with it
    run.input = {};
    run.run(method, 0.4, 0.001);
    EXPECT_LT(norm(read(run, "momentum") - (before + F * 0.2)), is_fine ? 1e-9 : 4e-5) << method;
    EXPECT_LT(std::abs(run.balance()), is_fine ? 1e-9 : 1e-4) << method;
    EXPECT_GT(std::abs(run.work.external), 1e-3);
  }
}

TEST(PushedRod, a_couple_changes_angular_momentum_by_its_impulse) {
  Running run = free_swimmer();
  const Vec3d before = read(run, "angular_momentum"), p = read(run, "momentum"), n(0.02, 0.05, -0.03);
  const Wrenches push = at_section(*run.plant, 11, Vec3d::zero(), n);
  run.input.external = push;
  run.run("rk4", 0.2, 0.001);
  EXPECT_LT(norm(read(run, "angular_momentum") - (before + n * 0.2)), 1e-9);
  EXPECT_LT(norm(read(run, "momentum") - p), 1e-9);
}

TEST(PushedRod, no_force_is_as_no_input_to_the_last_bit) {
  Running a = free_swimmer(), b = free_swimmer();
  const Wrenches none(b.plant->sections().size(), {Vec3d::zero(), Vec3d::zero()});
  b.input.external = none;
  a.run("rk4", 0.1, 0.001), b.run("rk4", 0.1, 0.001);
  EXPECT_EQ(a.state, b.state);
}

TEST(PushedRod, a_kinematic_rod_says_why_it_cannot_be_pushed) {
  KinematicPlan<Plane> k;
  k.rod = make_rod<Plane>(snake_law<Plane>({1.0, 40}, SnakeGait{}));
  k.connect = Connect::Shape;
  const auto plant = make_kinematic(k);
  EXPECT_NE(plant->push_refusal().find("decide where it goes"), std::string::npos);
  EXPECT_TRUE(plant->is_given());
  EXPECT_EQ(free_swimmer().plant->push_refusal(), "");
}

World<double> kinematic_snake() {
  auto plan = std::make_unique<Plan>();  // on the stack gcc 12 sees it uninitialised
  plan->make_plant = [](const Plan&) {
    KinematicPlan<Plane> k;
    k.rod = make_rod<Plane>(snake_law<Plane>({1.0, 40}, SnakeGait{}));
    k.connect = Connect::Shape;
    return make_kinematic(k);
  };
  return make_world(*plan, {.stepper = "rk4"});
}

// As a program pushes it, without asking: it is told, and nothing has moved.
TEST(PushedRod, a_kinematic_rod_that_is_pushed_all_the_same_refuses_the_step) {
  World<double> world = kinematic_snake();
  ASSERT_TRUE(world.step(1e-3).finite);
  const auto before = hash(world.state);
  world.input.external[1].f = Vec3d(0.0, 1e-3, 0.0);
  try {
    world.step(1e-3);
    FAIL() << "a push was left out in silence";
  } catch (const CallError& e) {
    EXPECT_NE(std::string(e.what()).find("decide where it goes"), std::string::npos) << e.what();
  }
  EXPECT_EQ(hash(world.state), before);
  world.input.external[1].f = Vec3d::zero();
  EXPECT_TRUE(world.step(1e-3).finite);
}

SoftPlan floating_arm() {
  SoftPlan p = test::with_legendre(test::soft_arm(), {1, 2, 3, 4, 5}, 2);
  p.floating = true;
  p.base_twist = {0.1, 0.0, 0.05, 1.0, -0.5, 2.0};
  p.tolerance = 1e-13;
  p.cells = 40;  // momentum drifts by their fourth power
  return p;
}

// At ends of cells and in the middle of one: stations 0, 2, ... and 1, 3, ...
TEST(PushedSoftRod, a_wrench_changes_momentum_by_its_impulse_and_its_work_is_booked) {
  for (const char* method : {"rk4", "generalized-alpha"})
    for (const int section : {0, 7, 12}) {
      const bool is_fine = std::string_view(method) == "rk4";  // else of order 2
      const double dt = is_fine ? 2e-5 : 5e-5, error = is_fine ? 1e-10 : 3e-6;
      test::SoftRun<Space> run(floating_arm(), method);
      const auto now = [&] { return momenta_of(run.plant, run.t, run.state, *run.scratch); };
      const Momenta before = now();
      const Vec3d F(0.2, -0.3, 0.1);
      const Wrenches push = at_section(run.plant, section, F, Vec3d::zero());
      run.until(0.005, dt);  // begins between steps of an even motion
      run.input.external = push;
      run.until(0.015, dt);
      EXPECT_LT(run.reading("residual"),
                1e-5 * norm(F));  // Newton leaves tolerance / (beta dt^2) times the mass, 1e-6 N
      run.input = {};
      run.until(0.02, dt);
      EXPECT_LT(norm(now().linear - (before.linear + F * 0.01)), error) << method << section;
      EXPECT_LT(std::abs(run.balance()), is_fine ? 1e-9 : 1e-5) << method << section;
      EXPECT_GT(std::abs(run.work.external), 1e-5);
    }
}

TEST(PushedSoftRod, a_couple_changes_angular_momentum_by_its_impulse) {
  test::SoftRun<Space> run(floating_arm(), "rk4");
  const auto now = [&] { return momenta_of(run.plant, run.t, run.state, *run.scratch); };
  const Momenta before = now();
  const Vec3d n(2e-3, -3e-3, 1e-3);
  const Wrenches push = at_section(run.plant, 9, Vec3d::zero(), n);
  run.input.external = push;
  run.until(0.01, 2e-5);
  EXPECT_LT(norm(now().angular - (before.angular + n * 0.01)), 1e-10);
  EXPECT_LT(norm(now().linear - before.linear), 1e-10);
}

// The second order of the method is not lost where input begins and ends.
TEST(PushedSoftRod, steps_across_the_ends_of_a_push_are_of_second_order) {
  const auto tip = [](double dt) {
    test::SoftRun<Plane> run(test::with_legendre(test::soft_arm(), {5}, 2), "generalized-alpha");
    const Wrenches push = at_section(run.plant, int(run.plant.sections().size()) - 1, Vec3d(0, 0.1, 0), Vec3d::zero());
    run.until(0.01, dt);
    run.input.external = push;
    run.until(0.03, dt);
    run.input = {};
    run.until(0.05, dt);
    return run.tip()[1];
  };
  const double exact = tip(1.25e-5), coarse = tip(4e-4) - exact, fine = tip(2e-4) - exact;
  EXPECT_NEAR(coarse / fine, 4.0, 0.5);
  EXPECT_LT(std::abs(fine), 1e-4);
}

TEST(PushedSoftRod, at_rest_under_a_held_push_it_is_the_elastica_of_a_tip_force) {
  const Vec3d F(0.0, 0.05, 0.0);
  SoftPlan p = test::with_legendre(test::soft_arm(), {5}, 4);
  const auto rest = test::static_tip<Plane>(test::with_tip_load(p, {F[0], F[1], F[2], 0, 0, 0}));
  p.friction = {2.5, 2.5, 2.5, 0.0, 0.0, 0.0};  // brings it to rest, below what is critical: 2 m omega = 3.9 N s/m^2
  test::SoftRun<Plane> run(p, "generalized-alpha");
  const Wrenches push = at_section(run.plant, int(run.plant.sections().size()) - 1, F, Vec3d::zero());
  run.input.external = push;
  run.until(8.0, 4e-3);
  EXPECT_GT(rest.pose.p[1], 0.05);
  EXPECT_LT(norm(run.tip() - rest.pose.p), 1e-7);
  EXPECT_NEAR(run.work.external, dot(F, rest.pose.p), 1e-3 * dot(F, rest.pose.p));
}

TEST(CommandedSoftRod, what_it_is_told_is_added_to_what_the_plan_gives) {
  const auto arm = [](double tension, double bias) {
    SoftPlan p = test::with_legendre(test::soft_arm(), {5}, 3);
    p.cables.push_back({Vec3d(0, 0.008, 0), Vec3d(0, 0.004, 0), p.length, {.value = tension}});
    p.tolerance = 1e-13;
    p.servo = {.is_on = true, .bias = bias, .T = 1.0, .kp = 0.02, .kd = 1e-4};
    return p;
  };
  for (const char* method : {"rk4", "generalized-alpha"}) {
    test::SoftRun<Plane> planned(arm(0.8, 3.0), method), told(arm(0.5, 1.0), method);
    ASSERT_EQ(told.plant.commands().size(), 2u);
    EXPECT_EQ(told.plant.commands()[0].name, "cable.0.tension");
    EXPECT_EQ(told.plant.commands()[1].unit, "1/m");
    const std::vector<double> command{0.3, 2.0};
    told.input.command = command;
    planned.until(0.05, 1e-4), told.until(0.05, 1e-4);
    EXPECT_LT(norm(planned.tip() - told.tip()), 1e-9) << method;
    EXPECT_NEAR(planned.work.actuators, told.work.actuators, 1e-9) << method;
    EXPECT_LT(std::abs(told.balance()), 1e-5) << method;
  }
}

TEST(PushedSoftRod, takes_no_memory_in_a_step) {
  test::SoftRun<Space> run(floating_arm(), "generalized-alpha");
  Running swimmer = free_swimmer();
  const Wrenches soft = at_section(run.plant, 5, Vec3d(0, 0, 0.1), Vec3d::zero());
  Wrenches all(swimmer.plant->sections().size(), {Vec3d::zero(), Vec3d(0, 0, 0.1)});
  const auto count = sinew::test::count_allocations([&] {
    for (int k = 0; k < 3; k++) {
      run.plant.advance({"generalized-alpha", k * 5e-5, 5e-5, {.external = soft}}, run.state, run.work, *run.scratch);
      swimmer.plant->advance({"rk4", k * 1e-3, 1e-3, {.external = all}}, swimmer.state, swimmer.work, *swimmer.scratch);
    }
  });
  EXPECT_EQ(count, 0);
}

}  // namespace push_test
}  // namespace sinew::rod
