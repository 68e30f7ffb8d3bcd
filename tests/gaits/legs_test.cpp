// The gait of legs on robots with four and six legs, written here, and chains whose axes alternate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gaits/catalog.h"
#include "gaits/leg_places.h"
#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/motion.h"

namespace sinew::gaits {
namespace legs_test {

using support::at;
using testing::HasSubstr;

// Rows of legs of three joints, 0.3 m apart. kp of the servos.
std::string robot(int rows, double kp, const std::string& gait, double duration = 6.0) {
  std::string text = "title = \"legs\"\nduration = " + std::to_string(duration) +
                     "\n[ground]\nkind = \"plane\"\n[contact]\nmu = 0.8\nbetween_bodies = false\n"
                     "[integrator]\nactuator = \"implicit\"\nstep = 0.002\n"
                     "[body.trunk]\nmass = 4.0\nshape.box = { kind = \"box\", size = [0.5, 0.2, 0.08] }\n"
                     "[joint.air]\nkind = \"free\"\nchild = \"trunk\"\nposition = [0, 0, 0.24, 1, 0, 0, 0]\n";
  for (int side = 1; side >= -1; side -= 2)
    for (int r = 0; r < rows; r++) {
      const std::string name = std::string(side > 0 ? "L" : "R") + std::to_string(r + 1);
      const std::string x = std::to_string(0.15 * (rows - 1) - 0.3 * r), y = std::to_string(0.12 * side);
      const auto joint = [&](const char* what, const std::string& parent, const std::string& child,
                             const std::string& place, const char* axis, double position) {
        text += "[joint." + name + "_" + what + "]\nparent = \"" + parent + "\"\nchild = \"" + child +
                "\"\np_parent = " + place + "\naxis = " + axis + "\nposition = " + std::to_string(position) +
                "\ndrive = \"servo\"\nkp = " + std::to_string(kp) + "\nkd = 2.0\n";
      };
      text += "[body." + name + "_hip]\nmass = 0.1\nshape.s = { kind = \"sphere\", radius = 0.02 }\n";
      text += "[body." + name +
              "_thigh]\nmass = 0.2\nshape.s = { kind = \"capsule\", radius = 0.015, length = 0.15, position = [0, 0, "
              "-0.075] }\n";
      text += "[body." + name +
              "_foot]\nmass = 0.1\nshape.s = { kind = \"capsule\", radius = 0.01, length = 0.15, position = [0, 0, "
              "-0.075] }\n";
      joint("roll", "trunk", name + "_hip", "[" + x + ", " + y + ", 0]", "[1, 0, 0]", 0.0);
      joint("pitch", name + "_hip", name + "_thigh", "[0, 0, 0]", "[0, 1, 0]", 0.7);
      joint("knee", name + "_thigh", name + "_foot", "[0, 0, -0.15]", "[0, 1, 0]", -1.4);
    }
  return text +
         "[output.result]\nway = { signal = \"body.trunk.p.x\", take = \"change\" }\n"
         "side = { signal = \"body.trunk.p.y\", take = \"change\" }\n"
         "turned = { signal = \"body.trunk.rpy.z\", take = \"change\" }\n"
         "tilt = { signal = \"body.trunk.rpy.x, body.trunk.rpy.y\", take = \"peak\", over = \"largest\" }\n" +
         gait;
}

struct Walk {
  double way, side, turned, tilt;
};
Walk walk(const std::string& text) {
  const sim::RunResult run = sim::run(text::parse_experiment(text, "legs.toml"), {});
  const auto result = [&](const char* name) {
    return std::ranges::find(run.results, name, &sim::ResultValue::name)->values.at(0);
  };
  return {result("way"), result("side"), result("turned"), result("tilt")};
}

// It goes from 0.5 s on: a period and a half for the first steps, half a period until it is as fast as told.
double expected_way(double speed, double period, double duration = 6.0) {
  return speed * (duration - 0.5 - 1.75 * period);
}

TEST(Legs, every_pattern_carries_six_legs_as_far_as_told) {
  for (const char* pattern : {"wave", "gallop", "tripod", "ripple", "amble"}) {
    const Walk w =
        walk(robot(3, 300.0, std::string("[gait]\nkind = \"legs\"\nspeed = 0.1\npattern = \"") + pattern + "\"\n"));
    EXPECT_NEAR(w.way, expected_way(0.1, 1.0), 0.05 * expected_way(0.1, 1.0)) << pattern;
    EXPECT_NEAR(w.side, 0.0, 0.02) << pattern;
    EXPECT_LT(w.tilt, 0.05) << pattern;
  }
}

TEST(Legs, four_legs_creep_over_their_feet_and_trot) {
  const std::string creep = "[gait]\nkind = \"legs\"\nspeed = 0.08\nperiod = 1.2\n";
  const Walk w = walk(robot(2, 300.0, creep));
  EXPECT_NEAR(w.way, expected_way(0.08, 1.2), 0.08 * expected_way(0.08, 1.2));
  EXPECT_LT(w.tilt, 0.05);
  const Walk trot =
      walk(robot(2, 300.0, "[gait]\nkind = \"legs\"\npattern = \"tripod\"\nspeed = 0.2\nperiod = 0.6\ntau = 0.4\n"));
  // On two feet nothing holds it up but its own motion: it tips a little at each step, and goes less far.
  EXPECT_GT(trot.way, 0.8 * expected_way(0.2, 0.6));
  EXPECT_LT(trot.way, expected_way(0.2, 0.6));
  EXPECT_LT(trot.tilt, 0.2);
}

TEST(Legs, a_turn_and_a_way_to_the_side_are_as_told) {
  const Walk turn = walk(robot(3, 300.0, "[gait]\nkind = \"legs\"\npattern = \"tripod\"\nspeed = 0.0\nturn = 0.2\n"));
  EXPECT_NEAR(turn.turned, expected_way(0.2, 1.0), 0.08 * expected_way(0.2, 1.0));
  const Walk crab = walk(robot(3, 300.0, "[gait]\nkind = \"legs\"\npattern = \"tripod\"\nspeed = 0.0\nleft = 0.06\n"));
  EXPECT_NEAR(crab.side, expected_way(0.06, 1.0), 0.08 * expected_way(0.06, 1.0));
}

// Servos a tenth as stiff sag by centimetres; what they aim at makes up for it.
TEST(Legs, soft_servos_walk_as_far_because_they_aim_ahead) {
  const std::string gait = "[gait]\nkind = \"legs\"\nspeed = 0.08\nperiod = 1.2\n";
  EXPECT_NEAR(walk(robot(2, 60.0, gait)).way, expected_way(0.08, 1.2), 0.15 * expected_way(0.08, 1.2));
}

Plan plan_of(const std::string& text) { return text::parse_scenario(text, "legs.toml").plan; }

// Servos that carry nothing: what they aim at are the places of the feet alone.
TEST(Legs, feet_that_stand_go_back_in_straight_lines_and_the_cycle_repeats) {
  Plan plan = plan_of(robot(3, 300.0, ""));
  for (JointPlan& j : plan.joints)
    if (j.drive == Drive::Servo) j.drive = Drive::Computed;
  const Plan moving = with_gait(*catalog().make("legs"), "legs", plan);
  const LeggedPlan legs(plan, {}, 0.0);
  ASSERT_EQ(legs.legs(), 6);
  EXPECT_EQ(legs.name(0), "L1_foot");
  EXPECT_EQ(legs.name(5), "R3_foot");
  const Places places(plan);
  const auto toe = [&](int leg, double t) {
    std::vector<double> q(plan.joints.size());
    for (std::size_t k = 0; k < q.size(); k++)
      if (!moving.joints[k].motion.empty()) q[k] = at(moving.joints[k].motion[0], t).m;
    return places.bodies(q)[std::size_t(legs.limb(leg).body)] * legs.limb(leg).toe;
  };
  // The wave begins its third period at 3.25 s. L3 is in the air for the first sixth of it, and then goes back 5/6 of the way of a period.
  const double begin = 0.5 + 1.75 + 2.0, height = toe(2, begin)[2];
  double highest = 0.0;
  for (double part = 0.0; part < 1.0; part += 0.02) {
    const Vec3d p = toe(2, begin + part);
    highest = std::max(highest, p[2] - height);
    if (part < 0.18 || part > 0.98) continue;
    EXPECT_NEAR(p[2], height, 2e-5) << part;
    EXPECT_NEAR(p[0] - toe(2, begin + part + 0.01)[0], 0.05 * 0.01, 2e-5) << part;
  }
  EXPECT_NEAR(highest, 0.03, 1e-3);
  for (const int joint : legs.limb(4).joints) {
    const Motion<double>& m = moving.joints[std::size_t(joint)].motion[0];
    for (const double t : {10.3, 47.9}) {
      EXPECT_NEAR(at(m, t + 1.0).m, at(m, t).m, 1e-12);
      EXPECT_NEAR(at(m, t + 1.0).rate, at(m, t).rate, 1e-10);
    }
  }
}

std::string refusal(const std::string& text) {
  try {
    text::parse_experiment(text, "legs.toml");
  } catch (const std::exception& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Legs, what_cannot_walk_is_refused_with_a_reason) {
  const std::string gait = "[gait]\nkind = \"legs\"\n";
  EXPECT_THAT(refusal(robot(3, 300.0, gait + "speed = 2.0\n")), HasSubstr("cannot be"));
  EXPECT_THAT(refusal(robot(3, 300.0, gait + "pattern = \"tripod\"\ntau = 0.4\nfeet = [\"L1_foot\", \"nose\"]\n")),
              HasSubstr("no body \"nose\""));
  EXPECT_THAT(refusal(robot(3, 300.0, gait + "feet = [\"L1_foot\", \"L2_foot\", \"R1_foot\"]\n")), HasSubstr("pairs"));
  EXPECT_THAT(refusal(robot(2, 300.0, gait + "tau = 0.4\n")), HasSubstr("tau"));
}

// Modules, each turned a quarter about the axis of the snake against the one before.
Plan modules(int n) {
  Plan plan;
  for (int i = 0; i < n; i++) {
    BodyPlan body;
    body.name = "m" + std::to_string(i);
    body.inertia = Sym3d::diagonal(1e-3);
    plan.bodies.push_back(body);
    JointPlan j;
    j.name = "j" + std::to_string(i);
    j.child = body.name;
    if (i == 0) {
      j.kind = JointKind::Free;
      j.position = {0, 0, 0.1, 1, 0, 0, 0};
    } else {
      j.parent = "m" + std::to_string(i - 1);
      j.drive = Drive::Servo;
      j.p_parent = Vec3d(-0.1, 0, 0);
      const double c = std::sqrt(0.5);
      j.orientation = Quatd{c, i == 1 ? 0.0 : c, 0.0, 0.0};
      if (i == 1) j.orientation = Quatd::identity();
      j.axis = Vec3d(0, 0, 1);
    }
    plan.joints.push_back(j);
  }
  return plan;
}

TEST(AlternatingChain, joints_turn_to_the_sides_and_up_and_down_in_turn) {
  const Plan plan = with_gait(*catalog().make("sidewinding"), "sidewinding", modules(9));
  const double lift = plan.joints[2].motion[0].amplitude, side = plan.joints[1].motion[0].amplitude;
  EXPECT_GT(std::abs(side), std::abs(lift));
  for (std::size_t k = 1; k < plan.joints.size(); k++) {
    const Motion<double>& m = plan.joints[k].motion[0];
    EXPECT_EQ(std::abs(m.amplitude), k % 2 == 1 ? std::abs(side) : std::abs(lift)) << k;
    // every second joint is turned half about against the one two before
    if (k > 2) {
      EXPECT_EQ(m.amplitude, -plan.joints[k - 2].motion[0].amplitude) << k;
    }
  }
  // a wave from head to tail: from joint to joint of one kind the same phase
  const auto phase = [&](std::size_t k) { return plan.joints[k].motion[0].phase; };
  for (std::size_t k = 5; k < plan.joints.size(); k++)
    EXPECT_NEAR(phase(k) - phase(k - 2), phase(k - 2) - phase(k - 4), 1e-12);
}

TEST(AlternatingChain, others_are_moved_as_before) {
  Plan pairs = modules(9);  // two joints that stand for one with two axes are no two stations of the wave
  for (std::size_t k = 2; k < pairs.joints.size(); k += 2) pairs.joints[k].second_of_pair = true;
  for (const JointPlan& j : with_gait(*catalog().make("sidewinding"), "sidewinding", pairs).joints)
    EXPECT_EQ(j.wave_axis, -1);
  Plan plan = modules(9);
  for (JointPlan& j : plan.joints)
    if (j.kind != JointKind::Free) j.orientation = Quatd::identity();
  EXPECT_THROW(with_gait(*catalog().make("sidewinding"), "sidewinding", plan), PlanError);
  for (const JointPlan& j : with_gait(*catalog().make("wave"), "wave", plan).joints) EXPECT_EQ(j.wave_axis, -1);
}

TEST(WithGait, what_a_joint_holds_stays_the_middle_of_its_wave) {
  Plan plan = modules(5);
  plan.joints[1].motion = {Motion<double>{.offset = 0.2}};
  const Plan moving = with_gait(*catalog().make("lateral-undulation"), "lateral-undulation", plan);
  EXPECT_EQ(moving.joints[1].motion[0].offset, 0.2);
  EXPECT_GT(std::abs(moving.joints[1].motion[0].amplitude), 0.0);
}

}  // namespace legs_test
}  // namespace sinew::gaits
