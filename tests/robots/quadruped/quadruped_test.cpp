// Two formulations of the quadruped: the tree with pinned feet and the closed form (docs/theory/quadruped.md#stance).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "robots/quadruped/stance_run.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/scenario.h"
#include "sinew/step/smooth.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/contacts.h"
#include "sinew/world/observe.h"
#include "tests/robots/quadruped/setup.h"
#include "tests/support/shipped.h"

namespace sinew {
namespace quadruped_test {

using legged::Vec8;

template <class List>
std::string text(const List& values) {
  std::string out = "[";
  for (const double x : values) out += fmt::format("{}{:.17g}", out.size() > 1 ? ", " : "", x);
  return out + "]";
}

sim::Scenario scenario_of(const legged::RandomState& s, const std::string& more = "") {
  std::vector<double> l_th, l_sh, sigma;
  for (const legged::LegShape& leg : s.robot.leg)
    l_th.push_back(leg.l_th), l_sh.push_back(leg.l_sh), sigma.push_back(leg.knee);
  const std::string file = fmt::format(
      "duration = 0.3\n[robot]\nkind = \"quadruped\"\nl_th = {}\nl_sh = {}\nsigma = {}\nm_t = {:.17g}\nq = {}\nu = "
      "{}\ntau = {}\n"
      "{}\n[integrator]\nmethod = \"rk4\"\nstep = 1e-4\n",
      text(l_th), text(l_sh), text(sigma), s.robot.tail.tip, text(s.q), text(s.u), text(s.tau), more);
  return text::parse_scenario(file, "quadruped.toml");
}

bool is_in_reach(const legged::RandomState& s) { return stance_at(s.robot, s).reach == legged::Reach::Good; }

TEST(QuadrupedTree, accelerations_and_foot_forces_are_those_of_the_closed_form) {
  std::mt19937_64 dice(11);
  int compared = 0;
  while (compared < 200) {
    const legged::RandomState s = legged::random_state(dice);
    if (!is_in_reach(s)) continue;
    compared++;
    const World<double> world = make_world(scenario_of(s));
    const Model& model = world.model();
    Workspace<double> ws(model);
    accelerations(model, world.params, world.input, {0.0, world.state.q.data(), world.state.u.data()}, ws);
    const legged::Stance stance = stance_at(s.robot, s);
    const Vec8 a = forward(s.robot, stance, s.tau);
    const auto find = [&](const std::string& name) -> const JointInfo& {
      return *std::ranges::find(model.joints, name, &JointInfo::name);
    };
    const double* plate = ws.u_rate.data() + model.links[find("plate").link].u;
    const double* tail = ws.u_rate.data() + model.links[find("tail").link].u;
    const Vec3d w_rate = stance.plate.R * Vec3d(plate[0], plate[1], plate[2]);
    double size = 1.0;
    for (const double x : a) size = std::max(size, std::abs(x));
    for (int i = 0; i < 3; i++) {
      EXPECT_NEAR(plate[3 + i], a[i], 1e-9 * size);
      EXPECT_NEAR(w_rate[i], a[3 + i], 1e-9 * size);
    }
    for (int c = 0; c < 2; c++) EXPECT_NEAR(tail[c], a[6 + c], 1e-9 * size);
    const legged::Feet f = foot_forces(s.robot, stance, a, s.tau);
    double force = 1.0;
    for (const Vec3d& x : f) force = std::max(force, norm(x));
    for (int i = 0; i < 4; i++) {
      const Cut& cut = model.cuts[find("foot" + std::to_string(i + 1)).cut];
      for (int c = 0; c < 3; c++) EXPECT_NEAR(ws.cuts.P[cut.row + c], f[i][c], 1e-9 * force) << i << c;
    }
  }
}

TEST(QuadrupedTree, a_run_with_pinned_feet_follows_the_closed_form) {
  legged::RandomState s;
  static_cast<legged::GivenState&>(s) = legged::state_B;
  for (double& x : s.u) x *= 0.2;
  World<double> world = make_world(scenario_of(s));
  legged::StanceProgram program;
  program.tau = s.tau;
  legged::StanceRun run{.q = s.q, .u = s.u};
  for (int i = 0; i < 1000; i++) {
    world.step(1e-4);
    ASSERT_TRUE(step({s.robot, legged::reference_feet, program}, 1e-4, run));
  }
  const auto seen = observe(world);
  const Vec3d phi = legged::angles_of(seen.bodies[0].X_WB.R);
  for (int i = 0; i < 3; i++) {
    EXPECT_NEAR(seen.bodies[0].p_WC[i], run.q[i], 1e-9);
    EXPECT_NEAR(phi[i], run.q[3 + i], 1e-9);
  }
}

// Feet that may lift and slip do neither where friction is enough: same trajectory as pinned feet, at the first order of the stepper.
TEST(QuadrupedTree, feet_with_enough_friction_are_as_good_as_pinned) {
  legged::RandomState s;
  static_cast<legged::GivenState&>(s) = legged::state_A;
  const std::string swing =
      "tau_sin = [0,0,0,0,0,0,0,-10,0,0,0,0,0,0]\ntau_omega = [0,0,0,0,0,0,0,31.4,0,0,0,0,0,0]\nfeet = \"contact\"\n"
      "[ground]\nkind = \"plane\"\n[contact]\nmu = 0.8\n";
  const Vec8 pinned{0.21199120700580265,  0.3443194507508056,  0.4020845583096532,  -0.01809816108324196,
                    -0.11930642273935796, 0.21495951127199883, 0.02447196393860269, -0.539947980846261};
  const auto error = [&](double h) {
    sim::Scenario scenario = scenario_of(s, swing);
    scenario.method = "moreau";
    World<double> world = make_world(scenario);
    for (int i = 0; i < int(std::lround(0.3 / h)); i++) {
      const StepReport report = world.step(h);
      EXPECT_TRUE(report.converged);
    }
    const auto seen = observe(world);
    const Vec3d phi = legged::angles_of(seen.bodies[0].X_WB.R);
    double e = 0.0;
    for (int i = 0; i < 3; i++)
      e = std::max({e, std::abs(seen.bodies[0].p_WC[i] - pinned[i]), std::abs(phi[i] - pinned[3 + i])});
    return e;
  };
  const double coarse = error(2e-4), fine = error(1e-4);
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(coarse / fine, 2.0, 0.4);
}

World<double> run_of(const sim::Scenario& scenario) {
  World<double> world = make_world(scenario);
  const auto controller = test::controller_of(scenario);
  Readings readings;
  for (int i = 0; i < int(std::lround(scenario.duration / scenario.step)); i++) {
    if (controller) {
      read_sensors(world, readings);
      controller->update(readings, world.state.memory, world.input);
    }
    EXPECT_TRUE(world.step(scenario.step).converged);
  }
  return world;
}

// Feet carry the weight by the place of the mass centre in their triangle, to 1e-3 N.
TEST(QuadrupedTree, three_feet_carry_what_statics_says) {
  const World<double> world =
      run_of(text::load_scenario(std::string(SINEW_SCENARIO_DIR) + "/quadruped/three-legs.toml", "three-legs"));
  const auto seen = observe(world);
  Vec3d foot[3];
  double fz[3];
  int n = 0;
  for (const ContactReading<double>& c : seen.contacts) {
    if (c.name.starts_with("shank1") || !c.name.starts_with("shank")) {  // thighs, plate and tail hang in the air
      EXPECT_EQ(c.normal, 0.0);
      continue;
    }
    ASSERT_LT(n, 3);
    foot[n] = c.point, fz[n++] = c.normal;
  }
  ASSERT_EQ(n, 3);
  const auto area = [](const Vec3d& a, const Vec3d& b, const Vec3d& c) { return cross(b - a, c - a)[2]; };
  Vec3d com = seen.com.p;
  const double whole = area(foot[0], foot[1], foot[2]), weight = 37.0393 * 9.8067;
  for (int i = 0; i < 3; i++)
    EXPECT_NEAR(fz[i], weight * area(com, foot[(i + 1) % 3], foot[(i + 2) % 3]) / whole, 1e-3);
}

TEST(QuadrupedTree, tail_stops_a_kick_that_throws_the_robot_without_it) {
  const std::string file = std::string(SINEW_SCENARIO_DIR) + "/quadruped/tail-stops-kick.toml";
  const auto peak = [&](const std::string& locked) {
    const std::vector<std::string> sets{"tail_locked=" + locked, "duration=0.4"};
    const sim::Scenario scenario = text::load_scenario(file, "kick", sets);
    World<double> world = make_world(scenario);
    const auto controller = test::controller_of(scenario);
    Readings readings;
    double most = 0.0;
    for (int i = 0; i < 400; i++) {
      read_sensors(world, readings);
      controller->update(readings, world.state.memory, world.input);
      world.step(scenario.step);
      most = std::max(most, std::abs(legged::angles_of(observe(world).bodies[0].X_WB.R)[2]));
    }
    return most;
  };
  EXPECT_LT(peak("false") / peak("true"), 0.5);
}

TEST(QuadrupedTree, trot_and_walk_go_where_they_should) {
  for (const auto& [name, speed] : {std::pair{"trot", 0.08 / 0.4}, {"walk", 0.08 / 1.2}}) {
    const sim::Scenario scenario =
        text::load_scenario(std::string(SINEW_SCENARIO_DIR) + "/quadruped/" + name + ".toml", name);
    const World<double> world = run_of(scenario);
    const auto seen = observe(world);
    // a foot that stands goes back by `stride` in `duty` of a stride, so the plate goes stride / duty forward; first stride grows
    const double duty = name == std::string("trot") ? 0.55 : 0.85;
    const double way = (scenario.duration - 0.7) * speed / duty;
    EXPECT_NEAR(seen.bodies[0].p_WC[1] - 0.3, way, 0.25 * way) << name;
    EXPECT_NEAR(seen.bodies[0].p_WC[2], 0.4, 0.02) << name;
    const Vec3d phi = legged::angles_of(seen.bodies[0].X_WB.R);
    EXPECT_LT(std::abs(phi[0]) + std::abs(phi[1]), 0.05) << name;
  }
}

TEST(QuadrupedTree, bad_keys_are_refused) {
  const auto problems = [](const std::string& keys) {
    try {
      text::parse_scenario("[robot]\nkind = \"quadruped\"\n" + keys, "q.toml");
    } catch (const InputError& e) {
      return e.problems.front();
    }
    return std::string();
  };
  EXPECT_NE(problems("sigma = 0.5").find("forward (1) or backward (-1)"), std::string::npos);
  EXPECT_NE(problems("q = [0.2, 0.3, 0.9, 0, 0, 0, 0, 0]").find("out of reach"), std::string::npos);
  EXPECT_NE(problems("q = [0.2, 0.3]").find("8 are needed"), std::string::npos);
  EXPECT_NE(problems("tail = \"arc\"").find("pendulum"), std::string::npos);
  EXPECT_NE(problems("controller = \"hold\"\nlegs = \"locked\"").find("torques"), std::string::npos);
  EXPECT_EQ(problems(""), "");
}

}  // namespace quadruped_test
}  // namespace sinew
