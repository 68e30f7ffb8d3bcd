// A world is a value: copying its state is a snapshot, copying the world a fork.
#include "sinew/world/world.h"

#include <gtest/gtest.h>

#include "sinew/world/observe.h"
#include "tests/support/call_errors.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace world_test {

void steps(World<double>& world, int n) {
  for (int k = 0; k < n; k++) world.step(1e-3);
}

std::vector<WorldOptions> all_options() {
  std::vector<WorldOptions> out;
  for (const Stepper& stepper : steppers())
    for (const Coordinates c : both_coordinates) out.push_back({c, stepper.name});
  return out;
}

TEST(World, a_state_copied_in_mid_run_into_a_fresh_world_resumes_bit_for_bit) {
  for (const WorldOptions& options : all_options()) {
    SCOPED_TRACE(std::string(options.stepper) + " " + name_of(options.coordinates));
    World<double> straight = make_world(everything(), options);
    steps(straight, 150);
    World<double> resumed = make_world(everything(), options);
    resumed.state = straight.state;
    steps(straight, 150), steps(resumed, 150);
    EXPECT_EQ(hash(straight.state), hash(resumed.state));
  }
}

TEST(World, a_copy_is_a_fork_that_neither_disturbs_nor_follows_the_original) {
  for (const WorldOptions& options : all_options()) {
    SCOPED_TRACE(std::string(options.stepper) + " " + name_of(options.coordinates));
    World<double> original = make_world(everything(), options);
    steps(original, 50);
    World<double> fork = original;
    const auto at_fork = hash(original.state);
    steps(fork, 50);
    EXPECT_EQ(hash(original.state), at_fork);
    steps(original, 50);
    EXPECT_EQ(hash(original.state), hash(fork.state));
    World<double> assigned = make_world(mixed_chain(), options);
    assigned = original;  // another model
    steps(assigned, 20), steps(original, 20);
    EXPECT_EQ(hash(original.state), hash(assigned.state));
  }
}

TEST(World, a_fork_with_another_command_goes_another_way) {
  World<double> world = make_world(everything());
  World<double> fork = world;
  fork.input.torque[0] = 0.1;
  steps(world, 10), steps(fork, 10);
  EXPECT_NE(hash(world.state), hash(fork.state));
}

TEST(World, the_same_run_twice_gives_the_same_hash_and_another_run_another_one) {
  for (const WorldOptions& options : all_options()) {
    SCOPED_TRACE(std::string(options.stepper) + " " + name_of(options.coordinates));
    World<double> a = make_world(everything(), options), b = make_world(everything(), options);
    steps(a, 100), steps(b, 100);
    EXPECT_EQ(hash(a.state), hash(b.state));
    Plan other = everything();
    other.joints[0].damping = {0.3 + 1e-12};
    World<double> c = make_world(other, options);
    steps(c, 100);
    EXPECT_NE(hash(a.state), hash(c.state));
    steps(b, 1);
    EXPECT_NE(hash(a.state), hash(b.state));
  }
}

TEST(World, observing_does_not_change_the_run) {
  World<double> watched = make_world(everything(), {Coordinates::Tree, "rk4"});
  World<double> alone = watched;
  for (int k = 0; k < 50; k++) watched.step(1e-3), observe(watched);
  steps(alone, 50);
  EXPECT_EQ(hash(watched.state), hash(alone.state));
}

TEST(World, a_moved_world_goes_on) {
  World<double> world = make_world(everything()), straight = world;
  steps(world, 20), steps(straight, 20);
  World<double> moved = std::move(world);
  steps(moved, 20), steps(straight, 20);
  EXPECT_EQ(hash(moved.state), hash(straight.state));
}

TEST(World, time_and_steps_are_counted) {
  World<double> world = make_world(pinned_rod());
  steps(world, 7);
  EXPECT_EQ(world.state.steps, 7);
  EXPECT_NEAR(world.state.t, 0.007, 1e-17);  // sum of seven roundings of 1e-18
}

// A lane set from a state and read back is that state.
TEST(World, a_state_survives_the_way_into_a_lane_and_back) {
  World<double> world = make_world(everything());
  steps(world, 30);
  World<Lanes> wide = widen(make_world(everything()));
  for (int i = 0; i < lane_count; i++) {
    set_lane_state(wide.state, i, world.state);
    EXPECT_EQ(hash(lane_state(wide.state, i)), hash(world.state));
  }
}

// The classic: a state of another model would be read as something else, or past its end.
TEST(World, a_state_of_another_model_is_refused) {
  const World<double> one = make_world(pinned_rod()), other = make_world(everything());
  EXPECT_NE(call_error([&] { World<double>(one.shared_model(), one.params, other.state, one.stepper()); }), "");
  EXPECT_NE(call_error([&] { World<double>(one.shared_model(), other.params, one.state, one.stepper()); }), "");
  EXPECT_EQ(call_error([&] { World<double>(one.shared_model(), one.params, one.state, one.stepper()); }), "");
  EXPECT_EQ(call_error([&] { World<double>(nullptr, one.params, one.state, one.stepper()); }),
            "World: there is no model");
  State<double> state = one.state;
  state.past.resize(1);
  EXPECT_NE(call_error([&] { World<double>(one.shared_model(), one.params, state, one.stepper()); }).find("the past"),
            std::string::npos);
  World<double> changed = one;
  changed.state = other.state;
  EXPECT_NE(call_error([&] { settle(changed); }), "");
  EXPECT_NE(call_error([&] { observe(changed); }), "");
  Readings readings;
  EXPECT_NE(call_error([&] { read_sensors(changed, readings); }), "");
}

TEST(World, an_observer_of_another_model_is_refused) {
  Observer<double> observer(make_world(pinned_rod()).model());
  const World<double> other = make_world(everything());
  EXPECT_EQ(call_error([&] { observer.observe(other); }).find("Observer: made for 1 bodies"), 0u);
}

TEST(World, lanes_take_only_states_of_their_own_model) {
  const World<double> one = make_world(pinned_rod()), other = make_world(everything());
  World<Lanes> wide = widen(one);
  EXPECT_EQ(call_error([&] { set_lane_state(wide.state, lane_count, one.state); }), "set_lane_state: lane 4 of 4");
  EXPECT_EQ(call_error([&] { lane_state(wide.state, -1); }), "lane_state: lane -1 of 4");
  EXPECT_NE(call_error([&] { set_lane_state(wide.state, 0, other.state); }), "");
  EXPECT_EQ(call_error([&] { set_lane_state(wide.state, 3, one.state); }), "");
}

#ifndef NDEBUG
TEST(WorldDeathTest, a_step_with_a_state_of_another_model_ends_the_program) {
  World<double> world = make_world(pinned_rod());
  world.state = make_world(everything()).state;
  EXPECT_DEATH(world.step(1e-3), "this must hold: fits");
  World<double> still = make_world(pinned_rod());
  EXPECT_DEATH(still.step(0.0), "this must hold: dt > 0.0");
}
#endif

TEST(World, a_diverging_step_is_reported_as_not_finite) {
  Plan plan = pinned_rod();
  plan.joints[0].stiffness = {1e8};
  World<double> world = make_world(plan, {Coordinates::Tree, "rk4"});
  bool finite = true;
  for (int k = 0; k < 200 && finite; k++) finite = world.step(0.01).finite;
  EXPECT_FALSE(finite);
}

}  // namespace world_test
}  // namespace sinew::test
