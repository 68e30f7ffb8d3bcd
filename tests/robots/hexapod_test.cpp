// The hexapod as bodies and joints against the closed forms of control/legs, and its walk.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "robots/hexapod/body_keys.h"
#include "robots/hexapod/walk_control.h"
#include "robots/hexapod/walk_forecast.h"
#include "sinew/control/legs/segments.h"
#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"
#include "tests/support/seeds.h"

namespace sinew::robots {
namespace hexapod_test {

std::string scenario(const std::string& keys, double duration, const std::string& command = "") {
  return "title = \"t\"\nsource = \"s\"\nduration = " + std::to_string(duration) + "\n[robot]\nkind = \"hexapod\"\n" +
         keys + "\n[command]\n" + command +
         "\n[ground]\nkind = \"plane\"\n[contact]\nmu = 0.6\n[control]\nperiod = 1e-3\n[integrator]\nmethod = "
         "\"moreau\"\nstep = 5e-4\n";
}

double result(const sim::RunResult& r, std::string_view name) {
  for (const auto& v : r.results)
    if (v.name == name) return v.values.at(0);
  ADD_FAILURE() << "no result " << name;
  return NAN;
}

Plan plan_with(const std::string& keys = "", const std::string& command = "") {
  return text::parse_scenario(scenario(keys, 1.0, command), "t").robot_keys->plan();
}

sim::RunResult walk(const std::string& keys, const std::string& command, double duration, std::uint64_t seed = 0) {
  sim::Scenario s = text::parse_scenario(scenario(keys, duration, command), "t");
  s.seed = seed;
  return sim::run(s);
}

std::string problem(const std::string& keys, const std::string& command = "") {
  try {
    text::parse_scenario(scenario(keys, 1.0, command), "t");
  } catch (const std::exception& e) {
    return std::string(e.what());
  }
  return std::string();
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
    Plan plan = plan_with("segments = " + std::to_string(n) + "\n", "gait = \"wave\"\n");
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
  const auto with = [](const std::string& coordinates) {
    return walk("feels = false\ncoordinates = \"" + coordinates + "\"\n", "start = 0.0\n", 1.15);
  };
  const sim::RunResult tree = with("tree"), maximal = with("maximal");
  EXPECT_GT(result(tree, "distance"), 0.015);
  EXPECT_NEAR(result(tree, "distance"), result(maximal, "distance"), 1e-3);
  EXPECT_NEAR(result(tree, "min_margin"), result(maximal, "min_margin"), 1e-3);
}

TEST(Hexapod, keys_that_do_not_fit_are_refused_with_what_is_allowed) {
  EXPECT_EQ(problem(""), "");
  EXPECT_NE(problem("tau = 0.4\n", "gait = \"gallop\"\n").find("in the air together"), std::string::npos);
  EXPECT_NE(problem("hip_height = 0.5\n").find("give 0.07 to 0.27"), std::string::npos);
  EXPECT_NE(problem("q1_limits = [0.3, -0.3]\n").find("the lower one first"), std::string::npos);
  EXPECT_NE(problem("", "gait = \"trot\"\n").find("command.gait"), std::string::npos);
  EXPECT_NE(problem("[robot.own_gait]\nmultiplier = [0, 1]\n").find("2 numbers are given for 6 legs"),
            std::string::npos);
  EXPECT_NE(problem("", "[command.change.x]\nat = 1\npitch = 3\n").find("is not possible"), std::string::npos);
  for (const char* gait : {"gallop", "tripod", "ripple", "amble"})  // of four legs two would be in the air
    EXPECT_NE(problem("segments = 2\n", fmt::format("gait = \"{}\"\n", gait)).find("2 feet stand"), std::string::npos)
        << gait;
  for (const char* gait : {"wave", "free"})
    EXPECT_EQ(problem("segments = 2\n", fmt::format("gait = \"{}\"\n", gait)), "");
  EXPECT_NE(problem("bends = true\nfeels = false\n").find("this needs force sensors"), std::string::npos);
  EXPECT_NE(problem("", "hump_radius = 0.5\nhump_height = 0.03\n").find("give robot.bends = true"), std::string::npos);
  EXPECT_NE(problem("bends = true\n", "hump_height = 0.03\n").find("both radius and height are told"),
            std::string::npos);
  EXPECT_NE(problem("bends = true\n", "hump_radius = 0.5\nhump_height = 0.6\n").find("is no hump of 0.6 m"),
            std::string::npos);
  EXPECT_NE(problem("[robot.own_gait]\nstance = 1\nswing = 1\nphase_offset = 0\n", "gait = \"own\"\n")
                .find("in the air together"),
            std::string::npos);
}

// Twist, pose, gait and stop, each at its time: where the robot is follows from what it was told.
TEST(Hexapod, it_does_what_it_is_told) {
  const sim::RunResult arc = walk("",
                                  "speed = 0.06\nturn = 0.12\n[output.result]\n"
                                  "rate = { signal = \"body.segment2.w.z\", take = \"mean\", from = 2.1675 }\n"
                                  "speed = { signal = \"com.v.x, com.v.y\", take = \"mean\", from = 2.1675 }\n",
                                  6.8342);
  EXPECT_NEAR(result(arc, "rate"), 0.12, 0.05 * 0.12);
  EXPECT_EQ(result(arc, "fallen"), 0.0);
  EXPECT_LT(result(arc, "max_slip"), 0.003);
  const sim::RunResult side = walk("", "speed = 0\nleft = 0.05\nstroke = 0.045\n", 5.0);
  EXPECT_GT(result(side, "com_dy"), 0.15);
  EXPECT_NEAR(result(side, "com_dx"), 0.0, 0.005);
  const sim::RunResult back = walk("", "speed = -0.1\n", 4.0);
  EXPECT_LT(result(back, "com_dx"), -0.2);
  const sim::RunResult stops = walk("",
                                    "[command.change.halt]\nat = 2\nmode = \"stand\"\n[output.result]\n"
                                    "mode = \"walk.mode\"\n",
                                    4.0);
  EXPECT_EQ(result(stops, "mode"), 0.0);
  EXPECT_LT(result(stops, "com_dx"), 0.12);
}

// All pairs of the five gaits and one of the user's own: nobody falls, and the new gait walks.
TEST(Hexapod, any_gait_changes_into_any_other) {
  const std::string own =
      "[robot.own_gait]\nstance = 3\nswing = 1\nphase_offset = 1\nmultiplier = [2, 0, 1, 0, 2, 3]\n";
  ASSERT_EQ(problem(own, "gait = \"own\"\n"), "");
  for (const auto& [a, b] : {std::pair{"wave", "own"},
                             {"own", "tripod"},
                             {"gallop", "amble"},
                             {"ripple", "gallop"},
                             {"tripod", "wave"},
                             {"amble", "ripple"}}) {
    const sim::RunResult r = walk(own,
                                  fmt::format("gait = \"{}\"\n[command.change.x]\nat = 1.5\ngait = \"{}\"\n"
                                              "[output.result]\nmode = \"walk.mode\"\ngait = \"walk.gait\"\n",
                                              a, b),
                                  7.0);
    EXPECT_EQ(result(r, "fallen"), 0.0) << a << b;
    EXPECT_EQ(result(r, "mode"), 2.0) << a << b;
    EXPECT_EQ(hexapod_gait_names[std::size_t(result(r, "gait"))], b);
    EXPECT_LT(result(r, "max_slip"), 0.003) << a << b;
  }
}

TEST(Hexapod, what_legs_and_gait_cannot_do_is_limited_with_a_word) {
  const auto said = [](const std::string& command) { return walk("", command, 0.5).remark; };
  EXPECT_EQ(said("speed = 0.1\n"), "");
  EXPECT_NE(said("speed = 0.2\n").find("makes 50 % of the speed"), std::string::npos);
  EXPECT_NE(said("speed = 0\nleft = 0.1\n").find("0.04892 m are made"), std::string::npos)
      << said("left = 0.1\nspeed = 0\n");
  const std::string high = said("step_height = 0.04\n");  // feet rise twice as high
  EXPECT_NE(high.find("0 m are made; lower steps"), std::string::npos) << high;
  EXPECT_EQ(high.find("of the height, pitch and roll"), std::string::npos) << high;
  EXPECT_NE(said("height = 0.2\n").find("of the height, pitch and roll"), std::string::npos);
}

// While it runs, the last word counts: a page's over the file's, a later change of the file over the page's.
TEST(Hexapod, commands_are_live) {
  const std::string file = scenario("", 10.0, "start = 0.0\n[command.change.x]\nat = 3\nspeed = 0.05\n");
  sim::Simulation s{sim::Experiment(text::parse_scenario(file, "t"))};
  const auto run_until = [&](double t) {
    while (s.time() < t) s.advance();
  };
  run_until(1.5);
  const double before = s.get("com.p.x");
  s.set("command.speed", 0.0);
  run_until(2.9);
  EXPECT_LT(s.get("com.p.x") - before, 0.02);
  EXPECT_EQ(s.get("walk.mode"), 0.0);
  run_until(5.0);
  EXPECT_EQ(s.get("walk.mode"), 2.0);
  s.set("command.gait", 0.0);
  run_until(6.5);
  EXPECT_EQ(s.get("walk.gait"), 0.0);
  EXPECT_THROW(s.set("command.gait", 0.5), std::exception);
  EXPECT_THROW(s.set("command.gait", 17.0), std::exception);
  EXPECT_THROW(s.set("command.start", 1.0), std::exception);
}

// Motors, gears, potentiometers, encoders, force sensors: five draws of their errors.
TEST(Hexapod, it_walks_with_real_devices_whatever_the_noise) {
  for (const std::uint64_t seed : noise_seeds()) {
    std::string file = scenario("devices = \"real\"\n", 5.9, "step_height = 0.015\n");
    file.replace(file.find("mu = 0.6"), 8, "mu = 0.6\nlaw = \"penalty\"\nk = 3e5");  // feet of rubber
    sim::Scenario s = text::parse_scenario(file, "t");
    s.seed = seed;
    const sim::RunResult r = sim::run(s);
    EXPECT_EQ(result(r, "fallen"), 0.0) << seed;
    EXPECT_NEAR(result(r, "distance"), 0.4667, 0.03 * 0.4667) << seed;
    EXPECT_LT(std::abs(result(r, "drift")), 0.01) << seed;
    EXPECT_GT(result(r, "min_margin"), 0.045) << seed;
    EXPECT_LE(result(r, "motor_peak"), 5.4101) << seed;
    EXPECT_LE(result(r, "torque_peak"), 12.805) << seed;  // stall torque over the square of the gear's efficiency
  }
}

// Legs weigh 2.88 of 6 kg, and most of them goes with the body by halves: their feet stay.
TEST(Hexapod, a_shift_of_the_body_moves_the_mass_centre_by_less) {
  const legged::SegmentedBody body;
  EXPECT_NEAR(com_gain(body), 0.705, 0.005);
}

// A force sensor of which nothing arrives any more: its leg steps without it. A sensor of the file takes the place of the robot's own.
TEST(Hexapod, it_walks_on_when_a_force_sensor_is_lost) {
  const std::string sensor =
      "[sensor.force_L1]\nkind = \"force3\"\nbody = \"tibia_L1\"\nposition = [0.085, 0, 0]\nlost_from = 2.0\n";
  const sim::RunResult r =
      walk("", "[output.result]\nlost = \"sensor.force_L1.lost\"\nmode = \"walk.mode\"\n" + sensor, 6.0);
  EXPECT_EQ(result(r, "lost"), 1.0);
  EXPECT_EQ(result(r, "fallen"), 0.0);
  EXPECT_EQ(result(r, "mode"), 2.0);
  EXPECT_GT(result(r, "min_margin"), 0.04);
  EXPECT_LT(result(r, "max_slip"), 0.003);
}

// No ground below -H: it stops, and says which leg and why.
TEST(Hexapod, a_hole_ends_the_walk_with_its_leg_and_reason) {
  std::string file = scenario("", 6.0, "");
  const std::string plane = "[ground]\nkind = \"plane\"\n";
  file.replace(
      file.find(plane), plane.size(),
      "[ground]\nkind = \"heights\"\n[ground.heights]\nnx = 4\nny = 2\nx0 = -1.0\ny0 = -1.0\ndx = 1.26\ndy = 2.0\n"
      "z = [0, 0, 0, 0, -0.4, -0.4, -0.4, -0.4]\n");
  const sim::RunResult r = sim::run(text::parse_scenario(file, "t"));
  EXPECT_EQ(result(r, "fallen"), 0.0);
  EXPECT_NE(r.remark.find("1: hole: a foot found no ground"), std::string::npos) << r.remark;
}

// Without one of its legs, any of them: it goes on.
TEST(Hexapod, it_walks_on_five_legs_whichever_is_lost) {
  for (const char* leg : {"L1", "L2", "L3", "R2"}) {
    const sim::RunResult r = walk(
        "", fmt::format("gait = \"wave\"\nspeed = 0.02\nlost = \"{}\"\n[output.result]\nmode = \"walk.mode\"\n", leg),
        9.0);
    EXPECT_EQ(result(r, "fallen"), 0.0) << leg;
    EXPECT_EQ(result(r, "mode"), 2.0) << leg;
    EXPECT_GT(result(r, "com_dx"), 0.05) << leg;
  }
}

// Where friction is below 0.2 it does not turn by itself.
TEST(Hexapod, on_slippery_ground_it_keeps_its_heading) {
  std::string file =
      scenario("", 5.0, "[output.result]\nyaw = { signal = \"body.segment2.rpy.z\", take = \"peak\" }\n");
  file.replace(file.find("mu = 0.6"), 8, "mu = 0.12");
  const sim::RunResult r = sim::run(text::parse_scenario(file, "t"));
  EXPECT_EQ(result(r, "fallen"), 0.0);
  EXPECT_LT(result(r, "yaw"), 0.02);
  EXPECT_LT(std::abs(result(r, "drift")), 0.01);
  EXPECT_GT(result(r, "com_dx"), 0.3);
}

// Feet on an ellipse: those of the front and rear rows stand further out along, and the robot walks as well.
TEST(Hexapod, it_walks_with_its_feet_on_an_ellipse) {
  const sim::RunResult r = walk("feet_on = \"ellipse\"\n", "speed = 0.06\nstroke = 0.05\n", 6.0);
  EXPECT_EQ(result(r, "fallen"), 0.0);
  EXPECT_GT(result(r, "com_dx"), 0.2);
  EXPECT_LT(result(r, "max_slip"), 0.003);
  EXPECT_GT(result(r, "min_margin"), 0.03);
  legged::SegmentedBody body;
  body.on_ellipse = true;
  for (int i = 0; i < 6; i++) {
    const Vec3d p = body.neutral(i);
    EXPECT_NEAR(p[0] * p[0] / (0.3855 * 0.3855) + p[1] * p[1] / (0.235 * 0.235), 1.0, 1e-12) << i;
  }
}

// On a slope of 20 degrees the body is parallel to the ground, or level by its inclination sensor.
TEST(Hexapod, on_a_slope_the_body_is_parallel_or_level) {
  for (const bool level : {false, true}) {
    std::string file = scenario(
        "", 17.0,
        std::string(level ? "body = \"level\"\ngait = \"wave\"\nstroke = 0.04\nheight = 0.03\n" : "gait = \"wave\"\n") +
            "speed = 0.025\n[output.result]\nmode = \"walk.mode\"\n"
            "pitch = { signal = \"-1 * body.segment2.rpy.y\", take = \"final\" }\n");
    const std::string plane = "[ground]\nkind = \"plane\"\n";
    file.replace(file.find(plane), plane.size(),
                 "[ground]\nkind = \"heights\"\n[ground.heights]\nnx = 3\nny = 2\nx0 = -1.7\ny0 = -2\ndx = 2.0\n"
                 "dy = 4\nz = [0, 0, 0, 0, 0.7279, 0.7279]\n");
    file.replace(file.find("step = 5e-4"), 11, "step = 1e-3");
    const sim::RunResult r = sim::run(text::parse_scenario(file, "t"));
    EXPECT_EQ(result(r, "fallen"), 0.0) << level;
    EXPECT_EQ(result(r, "mode"), 2.0) << level << r.remark;
    if (level) {
      EXPECT_NEAR(result(r, "pitch"), 0.0, 0.05);
    } else {
      EXPECT_GT(result(r, "pitch"), 0.1);
    }
  }
}

// Two to six segments, each with the gaits that its legs can walk.
TEST(Hexapod, robots_of_two_to_six_segments_walk) {
  for (const int n : {2, 4, 5, 6}) {
    const std::string command = n == 2 ? "gait = \"wave\"\nspeed = 0.02\n" : "gait = \"tripod\"\n";
    const sim::RunResult r = walk(fmt::format("segments = {}\n", n), command, n == 2 ? 9.0 : 4.0);
    EXPECT_EQ(result(r, "fallen"), 0.0) << n;
    EXPECT_GT(result(r, "com_dx"), 0.02) << n;
  }
}

}  // namespace hexapod_test
}  // namespace sinew::robots
