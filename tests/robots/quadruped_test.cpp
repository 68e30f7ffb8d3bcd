// Two formulations of the quadruped: the tree with pinned feet and the closed form (quadruped spec, section 10; acceptance Q4, Q10).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/io/scenario.h"
#include "sinew/legged/run.h"
#include "sinew/step/smooth.h"
#include "tests/legged/setup.h"

namespace sinew {
namespace {

using legged::Vec8;

template <class List>
std::string text(const List& values) {
  std::string out = "[";
  for (const double x : values) out += fmt::format("{}{:.17g}", out.size() > 1 ? ", " : "", x);
  return out + "]";
}

io::Scenario scenario_of(const legged::RandomState& s, const std::string& more = "") {
  std::vector<double> l_th, l_sh, sigma;
  for (const legged::LegShape& leg : s.robot.leg)
    l_th.push_back(leg.l_th), l_sh.push_back(leg.l_sh), sigma.push_back(leg.knee);
  const std::string file = fmt::format(
      "duration = 0.3\n[robot]\nkind = \"quadruped\"\nl_th = {}\nl_sh = {}\nsigma = {}\nm_t = {:.17g}\nq = {}\nu = "
      "{}\ntau = {}\n"
      "{}\n[integrator]\nmethod = \"rk4\"\nstep = 1e-4\n",
      text(l_th), text(l_sh), text(sigma), s.robot.tail.tip, text(s.q), text(s.u), text(s.tau), more);
  return io::parse_scenario(file, "quadruped.toml", {}, io::Purpose::Start);
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
    accelerations(model, world.params, world.input, 0.0, world.state.q.data(), world.state.u.data(), ws);
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
    io::Scenario scenario = scenario_of(s, swing);
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

}  // namespace
}  // namespace sinew
