// Runs that leave the rails are noticed, and the likely cause is named.
#include "sinew/world/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "tests/support/worlds.h"

namespace sinew::test {
namespace diagnosis_test {

using ::testing::HasSubstr;

// Steps until the watch raises its hand; the diagnosis of the step at which it did.
std::optional<Diagnosis> diagnosis_of(const Plan& plan, const WorldOptions& options, double dt, int steps) {
  World<double> world = make_world(plan, options);
  EnergyWatch watch = watch_from(world, observe(world));
  watch.look(world, observe(world), 0);
  for (int k = 0; k < steps; k++) {
    const World<double> before = world;
    const EnergyWatch good = watch;
    const StepReport report = world.step(dt);
    const Account found = report.finite ? watch.look(world, observe(world), 1) : Account::Unexplained;
    if (found == Account::Unexplained || found == Account::PutIn) return diagnose({before, world, dt, report, good});
  }
  return std::nullopt;
}

TEST(Diagnosis, sound_runs_are_not_called_diverged) {
  for (const Stepper& stepper : steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      for (const Plan& plan : {everything(), mixed_chain(), floating_chain(), bricard(), spinning_links(5, 6.0)})
        EXPECT_FALSE(diagnosis_of(plan, {c, stepper.name}, 1e-3, 300));
    }
}

TEST(Diagnosis, a_spring_that_is_too_stiff_is_named_with_the_stepper_that_bears_it) {
  Plan plan = mixed_chain();
  plan.joints[3].stiffness = {1e8};
  const auto d = diagnosis_of(plan, {Coordinates::Tree, "moreau"}, 1e-3, 1000);
  ASSERT_TRUE(d);
  EXPECT_THAT(d->cause, HasSubstr("spring"));
  EXPECT_THAT(d->cause, HasSubstr(plan.joints[3].name));
  EXPECT_THAT(d->advice, HasSubstr("euler"));
  EXPECT_FALSE(diagnosis_of(plan, {Coordinates::Tree, "euler"}, 1e-3, 1000)) << "the advice does not help";
}

TEST(Diagnosis, a_servo_that_is_too_stiff_is_called_a_servo) {
  Plan plan = mixed_chain();
  plan.joints[0].drive = Drive::Servo;
  plan.joints[0].kp = {1e8};
  const auto d = diagnosis_of(plan, {Coordinates::Tree, "rk4"}, 1e-3, 1000);
  ASSERT_TRUE(d);
  EXPECT_THAT(d->cause, HasSubstr("servo"));
  EXPECT_THAT(d->cause, HasSubstr(plan.joints[0].name));
}

TEST(Diagnosis, a_damper_that_is_too_strong_is_named) {
  Plan plan = pinned_rod();
  plan.joints[0].damping = {1e5};
  plan.joints[0].velocity = {1.0};
  for (const char* stepper : {"verlet", "rk4"}) {
    const auto d = diagnosis_of(plan, {Coordinates::Tree, stepper}, 1e-3, 1000);
    ASSERT_TRUE(d);
    EXPECT_THAT(d->cause, HasSubstr("damping"));
    EXPECT_THAT(d->cause, HasSubstr("pivot"));
  }
  // with the mean velocity of the step no damper of a tree joint is too strong
  EXPECT_FALSE(diagnosis_of(plan, {Coordinates::Tree, "moreau"}, 1e-3, 1000));
}

// A pendulum of given energy account: it swings with 1 J, `error` of them from nowhere, and contacts have taken out `taken`.
struct Booked {
  World<double> world = make_world(pinned_rod(), {Coordinates::Tree, "moreau"});
  Observation<double> seen = observe(world);
  EnergyWatch watch;
  Booked() {
    seen.energy = {1.0, 0.0, 0.0}, seen.balance_error = 0.0;
    EXPECT_EQ(watch.look(world, seen, 0), Account::InOrder);
  }
  Account look(double error, double taken, int steps) {
    seen.balance_error = error, world.state.work.impact = taken;
    return watch.look(world, seen, steps);
  }
};

TEST(Diagnosis, a_twentieth_of_the_energy_may_be_unexplained) {
  for (const double sign : {1.0, -1.0}) {
    Booked run;
    EXPECT_EQ(run.look(0.049 * sign, 0.0, 64), Account::InOrder);
    EXPECT_EQ(run.look(0.051 * sign, 0.0, 64), Account::InDoubt) << "a motion that begins";
    EXPECT_EQ(run.look(0.049 * sign, 0.0, 64), Account::InOrder);
    EXPECT_EQ(run.look(0.051 * sign, 0.0, 64), Account::InDoubt);
    EXPECT_EQ(run.look(0.051 * sign, 0.0, 64), Account::Unexplained) << "it lasts";
  }
  Booked run;
  EXPECT_EQ(run.look(1e4, 0.0, 1), Account::Unexplained) << "at once";
}

TEST(Diagnosis, contacts_may_put_in_a_twentieth_of_the_energy) {
  Booked run;
  EXPECT_EQ(run.look(0.0, 0.5, 1), Account::InOrder);
  EXPECT_EQ(run.look(0.0, 0.43, 1), Account::InOrder) << "1 J moves, and 0.5 J were taken out";
  EXPECT_EQ(run.look(0.0, 0.42, 1), Account::PutIn);
}

TEST(Diagnosis, an_implicit_method_may_damp) {
  Booked run;
  run.world = make_world(pinned_rod(), {Coordinates::Tree, "euler"});
  EXPECT_EQ(run.look(-0.5, 0.0, 1000), Account::InOrder);
  EXPECT_EQ(run.look(0.5, 0.0, 1000), Account::Unexplained);
}

TEST(Diagnosis, numbers_of_the_failed_step_are_those_of_the_two_worlds) {
  Plan plan = pinned_rod();
  plan.joints[0].stiffness = {1e8};
  World<double> world = make_world(plan, {Coordinates::Tree, "moreau"});
  run(world, 0.05, 5);
  const World<double> before = world;
  const StepReport report = world.step(0.01);
  const Diagnosis d = diagnose({before, world, 0.01, report, watch_from(before, observe(before))});
  EXPECT_EQ(d.t, before.state.t);
  EXPECT_EQ(d.body, "bar");
  EXPECT_EQ(d.energy_before, observe(before).energy.total());
  EXPECT_EQ(d.energy_after, observe(world).energy.total());
  EXPECT_DOUBLE_EQ(d.speed, std::abs(before.state.u[0]) * 0.5);
}

}  // namespace diagnosis_test
}  // namespace sinew::test
