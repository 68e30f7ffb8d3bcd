// The hexapod as bodies and joints against the closed forms of control/legs, and its walk.
#include <gtest/gtest.h>

#include <cmath>

#include "robots/hexapod/body_keys.h"
#include "robots/hexapod/walk_control.h"
#include "sinew/control/legs/segments.h"
#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew::robots {
namespace hexapod_test {

std::string scenario(const std::string& keys, double duration) {
  return "title = \"t\"\nsource = \"s\"\nduration = " + std::to_string(duration) + "\n[robot]\nkind = \"hexapod\"\n" +
         keys +
         "\n[ground]\nkind = \"plane\"\n[contact]\nmu = 0.6\n[control]\nperiod = 1e-3\n[integrator]\nmethod = "
         "\"moreau\"\nstep = 5e-4\n";
}

double result(const sim::RunResult& r, std::string_view name) {
  for (const auto& v : r.results)
    if (v.name == name) return v.values.at(0);
  ADD_FAILURE() << "no result " << name;
  return NAN;
}

Plan plan_with(const std::string& keys = "") {
  return text::parse_scenario(scenario(keys, 1.0), "t").robot_keys->plan();
}

// Konyev 2011, section 3.2, counts 24 joint sensors and describes 22 joints: the neck has the other two.
TEST(Hexapod, it_has_24_joints_6_kg_and_its_mass_centre) {
  const Plan plan = plan_with();
  int axes = 0;
  double mass = 0.0;
  for (const JointPlan& j : plan.joints)
    if (j.kind != JointKind::Free) axes += joint::freedom_count(j.kind);
  for (const BodyPlan& b : plan.bodies) mass += b.mass;
  EXPECT_EQ(axes, 24);
  EXPECT_NEAR(mass, 6.0, 1e-12);
  const World<double> world = make_world(plan, {.stepper = "moreau"});
  const Vec3d com = observe(world).com.p;
  EXPECT_LT(norm(com - Vec3d(0.0224, 0.0, 0.142 - 0.00467)), 1e-12);
}

// With every joint somewhere: feet and mass centre of the tree are those of segments.h, for all numbers of segments.
TEST(Hexapod, the_tree_agrees_with_the_closed_forms) {
  for (const int n : {2, 3, 4, 6}) {
    Plan plan = plan_with("segments = " + std::to_string(n) + "\ngait = \"wave\"\n");
    legged::SegmentedBody body;
    body.segments = n;
    legged::BodyPose pose;
    std::array<Vec3d, legged::most_legs> q;
    for (JointPlan& j : plan.joints) {
      for (int s = 0; s < n; s++)
        if (j.name == "hinge" + std::to_string(s + 1)) {
          pose.hinge[s] = {0.2 + 0.1 * s, -0.1 + 0.07 * s};
          j.position = {pose.hinge[s].yaw, pose.hinge[s].pitch_up};
        }
      for (int i = 0; i < body.legs(); i++) {
        const std::string name = leg_name(i, n);
        if (j.name == "hip_" + name) j.position = {q[i][0] = -0.3 + 0.05 * i};
        if (j.name == "femur_" + name) j.position = {q[i][1] = 0.2 + 0.05 * i};
        if (j.name == "knee_" + name) j.position = {q[i][2] = -1.9 + 0.04 * i};
      }
    }
    const World<double> world = make_world(plan, {.stepper = "moreau"});
    const Observation<double> seen = observe(world);
    const Vec3d o(0.0, 0.0, 0.142);
    EXPECT_LT(norm(seen.com.p - o - legged::mass_centre(body, pose, q)), 1e-12) << n;
    std::array<Posed, legged::most_segments> X;
    legged::place_segments(body, pose, X);
    for (int i = 0; i < body.legs(); i++) {
      const legged::YawLeg leg = body.leg_of(i);
      const Vec3d foot = o + X[body.segment_of(i)] * legged::from_leg(leg, legged::foot_of(leg, q[i]));
      const auto& names = world.model().body_names;
      const auto at = std::ranges::find(names, "tibia_" + leg_name(i, n)) - names.begin();
      EXPECT_LT(norm(seen.bodies[at].X_WB * Vec3d(leg.l3, 0.0, 0.0) - foot), 1e-12) << n << " " << i;
    }
  }
}

// Legs without torque, and with joints that stop nowhere near, give way: it lies on its blocks, and says so.
TEST(Hexapod, a_fall_is_reported_and_a_stand_is_none) {
  const auto with = [](const std::string& keys) { return sim::run(text::parse_scenario(scenario(keys, 0.6), "t")); };
  EXPECT_EQ(result(with("kp = 0\nkd = 0.001\nshares_force = false\nq2_limits = [-3.0, 3.0]\nq3_limits = [-3.1, 3.1]\n"),
                   "fallen"),
            1.0);
  EXPECT_EQ(result(with(""), "fallen"), 0.0);
}

TEST(Hexapod, tree_and_maximal_coordinates_walk_alike) {
  const auto walk = [](const std::string& coordinates) {
    return sim::run(
        text::parse_scenario(scenario("walk_from = 0.0\ncoordinates = \"" + coordinates + "\"\n", 1.15), "t"));
  };
  const sim::RunResult tree = walk("tree"), maximal = walk("maximal");
  EXPECT_GT(result(tree, "distance"), 0.015);
  EXPECT_NEAR(result(tree, "distance"), result(maximal, "distance"), 1e-3);
  EXPECT_NEAR(result(tree, "min_margin"), result(maximal, "min_margin"), 1e-3);
}

TEST(Hexapod, keys_that_do_not_fit_are_refused_with_what_is_allowed) {
  const auto problem = [](const std::string& keys) {
    try {
      text::parse_scenario(scenario(keys, 1.0), "t");
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem(""), "");
  EXPECT_NE(problem("forward = 0\nleft = 1\n").find("at most 0.0489"), std::string::npos);
  EXPECT_NE(problem("gait = \"gallop\"\ntau = 0.4\n").find("in the air together"), std::string::npos);
  EXPECT_NE(problem("hip_height = 0.5\n").find("give 0.07 to 0.27"), std::string::npos);
  EXPECT_NE(problem("q1_limits = [0.3, -0.3]\n").find("the lower one first"), std::string::npos);
}

}  // namespace hexapod_test
}  // namespace sinew::robots
