// make_world: what it refuses, and how it assembles loops and velocities.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/worlds.h"

namespace sinew::test {
namespace build_test {

using ::testing::HasSubstr;

std::vector<Problem> refused(const Plan& plan, const WorldOptions& options = {}) {
  try {
    make_world(plan, options);
  } catch (const PlanError& error) {
    return error.problems;
  }
  return {};
}

TEST(MakeWorld, a_loop_that_cannot_be_closed_is_named_with_its_gap) {
  Plan plan = parallelogram(0.8, 0.0);
  plan.joints[2].p_parent = {5, 0, 0};  // right pivot 5 m away: left crank, coupler and right crank reach 4 m
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto problems = refused(plan, {c, "moreau"});
    ASSERT_FALSE(problems.empty());
    bool named = false;
    for (const Problem& p : problems)
      named |= p.key == "loop.C" && p.what.find("cannot be closed") != std::string::npos;
    // in maximal coordinates the gap may settle in any of the joints
    EXPECT_TRUE(named || c == Coordinates::Maximal);
    EXPECT_THAT(problems[0].what, HasSubstr("gap of "));
  }
}

// Stretched to a line, 4 m of bars over 5 m leave 1 m; the largest of three components is at least 1 / sqrt(3) of it.
TEST(MakeWorld, the_gap_that_is_reported_is_not_less_than_what_is_missing) {
  Plan plan = parallelogram(0.3, 0.0);
  plan.joints[2].p_parent = {5, 0, 0};
  const auto problems = refused(plan);
  ASSERT_EQ(problems.size(), 1u);
  const auto at = problems[0].what.find("gap of ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_GE(std::stod(problems[0].what.substr(at + 7)), 0.577);
}

TEST(MakeWorld, a_joint_with_nothing_to_move_is_named) {
  Plan plan = pinned_rod();
  plan.bodies[0].mass = 0.0;
  plan.bodies[0].inertia = Sym3d::diagonal(0.0);
  const auto problems = refused(plan);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].key, "joint.pivot");
  EXPECT_THAT(problems[0].what, HasSubstr("bar"));
}

TEST(MakeWorld, a_point_mass_on_the_axis_of_its_joint_is_refused_and_one_beside_it_is_not) {
  Plan plan = pinned_rod();
  plan.bodies[0].inertia = Sym3d::diagonal(0.0);
  EXPECT_TRUE(refused(plan).empty());
  plan.bodies[0].com = {0, 0, 0.4};
  ASSERT_EQ(refused(plan).size(), 1u);
  EXPECT_EQ(refused(plan)[0].key, "joint.pivot");
}

TEST(MakeWorld, maximal_coordinates_ask_for_full_inertia_by_the_name_of_the_body) {
  Plan plan = pinned_rod();
  plan.bodies[0].inertia = Sym3d::diagonal(0.0);
  const auto problems = refused(plan, {Coordinates::Maximal, "moreau"});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].key, "body.bar");
}

TEST(MakeWorld, a_massless_link_that_carries_mass_is_accepted) {
  Plan plan = pinned_rod();
  plan.bodies.push_back(plan.bodies[0]);
  plan.bodies[0].mass = 0.0;
  plan.bodies[0].inertia = Sym3d::diagonal(0.0);
  plan.bodies[1].name = "end";
  plan.joints.push_back(pin("elbow", "bar", "end", {1, 0, 0}));
  EXPECT_TRUE(refused(plan).empty());
}

TEST(MakeWorld, an_unknown_stepper_is_refused) {
  const auto problems = refused(pinned_rod(), {Coordinates::Tree, "leapfrog"});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].key, "integrator.method");
  EXPECT_THAT(problems[0].what, HasSubstr("leapfrog"));
}

TEST(MakeWorld, every_problem_of_a_plan_is_reported_at_once) {
  Plan plan = mixed_chain();
  plan.bodies[0].mass = -1.0;
  plan.joints[1].parent = "nobody";
  plan.joints[3].stiffness = {-1.0};
  EXPECT_GE(refused(plan).size(), 3u);
}

TEST(MakeWorld, a_bad_guess_is_assembled_to_1e_12) {
  Plan plan = parallelogram(0.8, 0.0);
  plan.joints[0].position = {0.7}, plan.joints[1].position = {-0.9}, plan.joints[2].position = {1.0};
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    EXPECT_LT(observe(make_world(plan, {c, "moreau"})).gap, 1e-12);
  }
}

// A general four-bar, all lengths different: compared with the law of cosines at the angle that came out.
TEST(MakeWorld, an_assembled_four_bar_obeys_the_law_of_cosines) {
  Plan plan = parallelogram(0.0, 0.0);
  plan.bodies = {rod("left", 1.0), rod("coupler", 2.5, 2.0), rod("right", 1.7)};
  plan.joints[2].p_parent = {2.2, 0, 0};
  plan.joints[3].p_parent = {2.5, 0, 0}, plan.joints[3].p_child = {1.7, 0, 0};
  plan.joints[0].position = {1.2}, plan.joints[1].position = {-0.8}, plan.joints[2].position = {1.5};
  const auto seen = observe(make_world(plan));
  const double a = seen.joints[0].q[0], d = seen.joints[2].q[0];
  const double x = 2.2 + 1.7 * std::cos(d) - std::cos(a), y = 1.7 * std::sin(d) - std::sin(a);
  EXPECT_NEAR(std::hypot(x, y), 2.5, 1e-12);
  EXPECT_LT(seen.gap, 1e-12);
}

TEST(MakeWorld, inconsistent_velocities_are_made_consistent) {
  Plan plan = parallelogram(0.8, 0.0);
  plan.joints[0].velocity = {2.0}, plan.joints[1].velocity = {0.3}, plan.joints[2].velocity = {-1.0};
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const auto seen = observe(make_world(plan, {c, "rk4"}));
    const double u = seen.joints[0].u[0];
    // a parallelogram: cranks turn alike, the coupler not at all
    EXPECT_NEAR(seen.joints[2].u[0], u, 1e-12);
    EXPECT_NEAR(seen.bodies[1].w_WB[2], 0.0, 1e-12);
    // the least change in the metric of the masses keeps the momentum along the one free motion:
    //   u (2/3 + 2) = sum of each body's part;  the coupler turns at 2.3 rad/s before
    const double I = 1.0 / 3, m = 2.0;
    const Vec3d centre_v{-2.0 * std::sin(0.8), 2.0 * std::cos(0.8) + 2.3, 0};  // coupler level: + w x (1, 0, 0)
    const double along = -centre_v[0] * std::sin(0.8) + centre_v[1] * std::cos(0.8);
    EXPECT_NEAR(u * (2 * I + m), I * 2.0 + I * -1.0 + m * along, 1e-12);
  }
}

TEST(MakeWorld, consistent_velocities_are_left_as_they_are) {
  const auto seen = observe(make_world(parallelogram(0.8, 1.5)));
  EXPECT_NEAR(seen.joints[0].u[0], 1.5, 1e-14);
  EXPECT_NEAR(seen.joints[1].u[0], -1.5, 1e-14);
  EXPECT_NEAR(seen.joints[2].u[0], 1.5, 1e-14);
}

TEST(MakeWorld, maximal_coordinates_start_where_the_tree_does) {
  for (const Plan& plan : {mixed_chain(), floating_chain(), everything(), bricard()})
    EXPECT_LT(distance(make_world(plan, {Coordinates::Tree, "rk4"}), make_world(plan, {Coordinates::Maximal, "rk4"})),
              1e-12);  // round-off of poses of size 1
}

}  // namespace build_test
}  // namespace sinew::test
