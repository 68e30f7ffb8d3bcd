// The biped as bodies and joints against the closed forms of control/legs; its sensors against the contacts; what it does.
#include <gtest/gtest.h>

#include <cmath>

#include "robots/biped/walk_control.h"
#include "sinew/control/legs/zmp.h"
#include "sinew/sim/run.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew::robots {
namespace biped_test {

std::string scenario(const std::string& keys, double duration, const std::string& more = "") {
  return "title = \"t\"\nsource = \"s\"\nduration = " + std::to_string(duration) + "\n[robot]\nkind = \"biped\"\n" +
         keys +
         "\n[ground]\nkind = \"plane\"\n[contact]\nmu = 0.8\n[control]\nperiod = 1e-3\n[integrator]\nmethod = "
         "\"moreau\"\nstep = 1e-3\n" +
         more;
}

double result(const sim::RunResult& r, std::string_view name) {
  for (const auto& v : r.results)
    if (v.name == name) return v.values.at(0);
  ADD_FAILURE() << "no result " << name;
  return NAN;
}

std::string problems_of(const std::string& keys) {
  try {
    text::parse_scenario(scenario(keys, 1.0), "t");
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(Biped, it_has_twelve_joints_24_kg_and_the_mass_centre_of_the_closed_form) {
  Plan plan = text::parse_scenario(scenario("", 1.0), "t").robot_keys->plan();
  const legged::BipedBody body;
  int axes = 0;
  double mass = 0.0, k = 0.0;
  legged::BothLegs q{};
  for (JointPlan& j : plan.joints) {
    if (j.kind == JointKind::Free) continue;
    const int side = j.name.ends_with("_L") ? 0 : 1;
    int first = legged::six::yaw;
    if (j.name.starts_with("hip")) first = legged::six::roll;
    if (j.name.starts_with("knee")) first = legged::six::knee;
    if (j.name.starts_with("ankle")) first = legged::six::ankle_pitch;
    for (int i = 0; i < joint::freedom_count(j.kind); i++) {
      j.position[i] += 0.01 * (k += 1.0);
      q[side][first + i] = j.position[i];
      axes++;
    }
  }
  for (const BodyPlan& b : plan.bodies) mass += b.mass;
  EXPECT_EQ(axes, 12);
  EXPECT_NEAR(mass, 24.0, 1e-12);
  const World<double> world = make_world(plan, {.stepper = "moreau"});
  const Observation<double> seen = observe(world);
  const Posed trunk = seen.bodies[0].X_WB;
  const Vec3d pelvis = seen.bodies[0].p_WC - trunk.R * plan.bodies[0].com;
  EXPECT_LT(norm(seen.com.p - (pelvis + trunk.R * mass_centre(body, q))), 1e-12);
  for (int side = 0; side < 2; side++) {
    const std::size_t foot = side == 0 ? 4 : 8;
    ASSERT_EQ(plan.bodies[foot].name, side == 0 ? "foot_L" : "foot_R");
    const Posed X = ankle_pose(body, side, q[side]);
    EXPECT_LT(norm(seen.bodies[foot].p_WC - (pelvis + trunk.R * (X * body.foot_com()))), 1e-12);
  }
}

// The mass centre of the upper body at rest is that of the rigid trunk, so plans of one hold for the other.
TEST(Biped, with_torso_and_arms_it_has_27_joint_axes_and_the_same_mass_centre) {
  const auto plan_of = [](const std::string& keys) {
    return text::parse_scenario(scenario(keys, 1.0), "t").robot_keys->plan();
  };
  const Plan full = plan_of("upper_body = \"jointed\""), rigid = plan_of("");
  int axes = 0;
  double mass = 0.0;
  for (const JointPlan& j : full.joints)
    if (j.kind != JointKind::Free) axes += joint::freedom_count(j.kind);
  for (const BodyPlan& b : full.bodies) mass += b.mass;
  EXPECT_EQ(axes, 27);
  EXPECT_NEAR(mass, 24.0, 1e-12);
  const Vec3d c = observe(make_world(full, {.stepper = "moreau"})).com.p;
  EXPECT_LT(norm(c - observe(make_world(rigid, {.stepper = "moreau"})).com.p), 1e-12);
  EXPECT_NE(problems_of("upper_body = \"jointed\"\n[robot.upper]\nm_chest = 9.0").find("leave nothing of m_trunk"),
            std::string::npos);
}

// The legs' momentum is taken from the plan alone, so the signal that falls is one that the arms do not see.
TEST(Biped, arms_that_swing_leave_a_third_of_the_yaw_moment_or_less) {
  const auto moment = [](const char* swing) {
    const std::string keys =
        "upper_body = \"jointed\"\naction = \"walk-dynamic\"\nsteps = 4\nstep_length = 0.2\nhip_height = 0.765\n";
    const sim::Scenario s = text::parse_scenario(scenario(keys + "[robot.upper]\nswing = \"" + swing + "\"", 5.0), "t");
    return result(sim::run(s), "yaw_moment");
  };
  const double still = moment("still"), cancel = moment("cancel");
  EXPECT_GT(still, 1.0);
  EXPECT_LT(cancel, still / 3.0);
}

// Virtual work of all forces beyond the joints, by differences.
TEST(Biped, torques_that_carry_it_are_those_of_virtual_work) {
  const legged::BipedBody body;
  const legged::SixAngles q{0.1, -0.05, -0.4, 0.8, -0.35, 0.07};
  const double g = 9.81;
  const legged::FootPush push{Vec3d(5.0, -7.0, 120.0), Vec3d(0.03, 0.11, -0.7)};
  const Posed at{Mat3d::identity(), Vec3d::zero()};
  const legged::SixAngles torque = legged::balance_torques(body, 0, at, q, push, g);
  const Vec3d point_F = ankle_pose(body, 0, q).inverse() * push.at;
  const auto potential = [&](const legged::SixAngles& x) {
    const Posed foot = ankle_pose(body, 0, x);
    const Vec3d hip = body.hip(0), knee_at = hip + knee_point(body.leg, x);
    return g * (body.m_thigh * 0.5 * (hip + knee_at)[2] + body.m_shank * 0.5 * (knee_at + foot.p)[2] +
                body.m_foot * (foot * body.foot_com())[2]) -
           dot(push.f, foot * point_F);
  };
  for (int i = 0; i < legged::six::count; i++) {
    legged::SixAngles more = q, less = q;
    more[i] += 1e-5;
    less[i] -= 1e-5;
    EXPECT_NEAR(torque[i], (potential(more) - potential(less)) / 2e-5, 1e-6);
  }
}

TEST(Biped, two_feet_share_a_push_so_that_it_acts_where_it_should) {
  const std::array<Vec3d, 2> a{Vec3d(0.02, 0.085, 0.0), Vec3d(0.12, -0.085, 0.0)};
  const Vec3d f(3.0, 4.0, 235.0), p(0.06, 0.03, 0.0);
  const legged::SharedPush both = legged::share_push(f, p, a, {true, true});
  Vec3d moment = Vec3d::zero(), sum = Vec3d::zero();
  for (const legged::FootPush& foot : both.foot) {
    moment += cross(foot.at - p, foot.f);
    sum += foot.f;
  }
  EXPECT_LT(norm(sum - f), 1e-12);
  EXPECT_LT(std::abs(moment[0]) + std::abs(moment[1]), 1e-12);
  EXPECT_EQ(legged::share_push(f, p, a, {false, true}).foot[0].f[2], 0.0);
  EXPECT_LT(norm(legged::share_push(f, p, a, {false, true}).foot[1].at - p), 1e-15);
}

std::string force_sensor(const std::string& side, const std::string& errors) {
  return "[sensor.force_" + side + "]\nkind = \"force6\"\njoint = \"ankle_" + side + "\"\nbody = \"shank_" + side +
         "\"\norientation = [0.5, 0.5, 0.5, 0.5]\n" + errors;
}

// The sensor reads what the foot does to the shank: the foot's own weight is added to find the ground's push.
TEST(Biped, the_zero_moment_point_of_its_sensors_is_the_centre_of_pressure) {
  const legged::BipedBody body;
  const std::string errors = "upper = [300, 400, 300, 10, 20, 10]\nbits = 12\n";
  const std::string text = scenario("zmp_ahead = 0.0\npush = 0.5\npush_at = 0.2\n", 1.0,
                                    force_sensor("L", errors) + force_sensor("R", errors));
  sim::Simulation simulation(sim::Experiment(text::parse_scenario(text, "t")));
  double worst = 0.0, worst_without = 0.0;
  for (int k = 0; k < 1000; k++) {
    simulation.step();
    if (k % 50 != 49) continue;
    for (int s = 0; s < 2; s++) {
      const std::string side = biped_sides[s], sensor = "sensor.force_" + side;
      const auto get = [&](const std::string& name) { return simulation.get(name); };
      // sensor axes: left, up, forward of the shank
      const Vec3d f(get(sensor + ".fz"), get(sensor + ".fx"), get(sensor + ".fy"));
      const Vec3d m(get(sensor + ".mz"), get(sensor + ".mx"), get(sensor + ".my"));
      const legged::SixAngles ankle{
          0, 0, 0, 0, get("joint.ankle_" + side + ".q.0"), get("joint.ankle_" + side + ".q.1")};
      const Mat3d R_SF = legged::foot_pose(body.leg, ankle).R;  // foot in the shank: the foot is level
      legged::FootWrench w{transpose_times(R_SF, f), transpose_times(R_SF, m)};
      const legged::Zmp without = legged::zmp_of_wrench(w, body.ankle_height);
      const Vec3d weight(0.0, 0.0, 9.81 * body.m_foot);
      w.f += weight;
      w.m += cross(body.foot_com(), weight);
      const legged::Zmp zmp = legged::zmp_of_wrench(w, body.ankle_height);
      ASSERT_TRUE(zmp.is_valid);
      const std::string contact = "contact.foot_" + side + ".sole:ground";
      const double ankle_x = get("body.foot_" + side + ".p.x") - body.foot_com()[0];
      const double ankle_y = get("body.foot_" + side + ".p.y");
      const double x = get(contact + ".point.x") - ankle_x, y = get(contact + ".point.y") - ankle_y;
      worst = std::max({worst, std::abs(zmp.x - x), std::abs(zmp.y - y)});
      worst_without = std::max(worst_without, std::abs(without.x - x));
      EXPECT_NEAR(zmp.load, get(contact + ".normal"), 1.0);
    }
  }
  EXPECT_LT(worst, 1e-3);
  EXPECT_GT(worst_without, 3e-3);
}

TEST(Biped, keys_that_no_leg_can_follow_are_refused_by_name) {
  EXPECT_NE(problems_of("hip_height = 0.9\n").find("hips at 0.9 m"), std::string::npos);
  EXPECT_NE(problems_of("action = \"squat\"\nsquat_depth = 0.2\n").find("ankle pitch"), std::string::npos);
  EXPECT_NE(problems_of("action = \"walk-static\"\nshift_speed = 0.02\n").find("cycle"), std::string::npos);
  EXPECT_NE(problems_of("sole_width = 0.2\n").find("soles of 0.2 m overlap"), std::string::npos);
  EXPECT_NE(problems_of("knee_limits = [1.0, 0.5]\n").find("first end"), std::string::npos);
  EXPECT_NE(problems_of("m_hip = 6\n").find("two of 6 kg"), std::string::npos);
  EXPECT_EQ(problems_of(""), "");
}

// Reading a file asks for it several times, once more for each --set.
TEST(Biped, a_plan_is_made_anew_only_when_something_that_it_follows_from_has_changed) {
  const legged::BipedBody body;
  BipedControl control;
  control.plan = plan_of(control, body, 9.81);
  EXPECT_EQ(plan_of(control, body, 9.81), control.plan);
  EXPECT_NE(plan_of(control, body, 1.62), control.plan);
  legged::BipedBody other = body;
  other.leg.shank = 0.37;
  EXPECT_NE(plan_of(control, other, 9.81), control.plan);
  BipedControl steps = control, swing = control;
  steps.order.stairs = {0.01};
  EXPECT_NE(plan_of(steps, body, 9.81), control.plan);
  swing.order.swing.lift = 0.05;
  EXPECT_NE(plan_of(swing, body, 9.81), control.plan);
  // of dynamic walking the swing is another one than was asked for
  control.order.action = int(BipedAction::WalkDynamic);
  control.order.steps = 1;
  control.plan = plan_of(control, body, 9.81);
  EXPECT_EQ(plan_of(control, body, 9.81), control.plan);
}

TEST(Biped, pushes_are_survived_in_double_support_and_in_single_support) {
  for (const char* from : {"0", "90", "180", "270"}) {
    const sim::RunResult r = sim::run(text::parse_scenario(
        scenario(std::string("push = 5\npush_at = 0.2\npush_from_deg = ") + from + "\n", 2.0), "t"));
    EXPECT_EQ(result(r, "fallen"), 0.0) << from;
    EXPECT_LT(result(r, "max_slip"), 3e-3) << from;
  }
}

// Velocities hold at the middle of a step, so a sole that stands rises by micrometres while the legs move. Contacts that open at once for it let it fall for a
// step (docs/theory/biped.md#walking).
int steps_with_the_point_outside(const std::string& gap) {
  const std::string keys =
      "action = \"walk-dynamic\"\nsteps = 6\nstep_length = 0.2\nstep_time = 0.8\nhip_height = 0.765\n";
  std::string text = scenario(keys, 6.0);
  if (!gap.empty()) text.replace(text.find("mu = 0.8"), 8, "mu = 0.8\nactivation_gap = " + gap);
  sim::Simulation simulation(sim::Experiment(text::parse_scenario(text, "t")));
  int outside = 0;
  for (int k = 0; k < 6000; k++) {
    simulation.step();
    if (k >= 100 && !(simulation.get("zmp.margin") >= 0.005)) outside++;
  }
  EXPECT_NEAR(simulation.get("com.p.x"), 1.0 + 0.02, 0.02);
  return outside;
}

TEST(Biped, in_dynamic_walking_the_zero_moment_point_is_5_mm_inside_in_every_step) {
  EXPECT_EQ(steps_with_the_point_outside(""), 0);
}

TEST(Biped, contacts_that_open_at_a_micrometre_let_the_sole_fall_for_single_steps) {
  EXPECT_GT(steps_with_the_point_outside("1e-6"), 5);
}

}  // namespace biped_test
}  // namespace sinew::robots
