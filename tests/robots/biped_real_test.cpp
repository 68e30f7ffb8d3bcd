// The biped on linear drives and noisy sensors: what it has, what its controller knows, what it survives with any seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "robots/biped/walk_control.h"
#include "sinew/sim/run.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/seeds.h"

namespace sinew::robots {
namespace biped_real_test {

sim::Scenario real(const std::string& keys, double duration, std::uint64_t seed = 0, const std::string& more = "") {
  const std::string text =
      "title = \"t\"\nsource = \"s\"\nduration = " + std::to_string(duration) +
      "\n[robot]\nkind = \"biped\"\ndevices = \"real\"\n" + keys +
      "\n[robot.device]\nthermal_current = 7\n[ground]\nkind = \"plane\"\n[contact]\nmu = 0.8\n[control]\nperiod = "
      "1e-3\n[integrator]\nmethod = \"moreau\"\nstep = 1e-3\n" +
      more;
  sim::Scenario s = text::parse_scenario(text, "t");
  s.seed = seed;
  return s;
}

double result(const sim::RunResult& r, std::string_view name) {
  for (const auto& v : r.results)
    if (v.name == name) return v.values.at(0);
  ADD_FAILURE() << "no result " << name;
  return NAN;
}

const std::string dynamic_walk =
    "action = \"walk-dynamic\"\nsteps = 6\nstep_length = 0.2\nhip_height = 0.775\nzmp_ahead = 0.03\n";
const std::string static_walk = "action = \"walk-static\"\nsteps = 2\nhip_height = 0.775\n";

TEST(BipedReal, every_axis_has_a_drive_and_an_encoder_every_foot_a_sensor) {
  const sim::Experiment experiment(real("", 1.0));
  const Model& model = experiment.model();
  EXPECT_EQ(model.drives.size(), 12u);
  int encoders = 0, forces = 0, inertial = 0;
  for (const SensorInfo& s : model.sensors) {
    encoders += s.plan.kind == SensorKind::IncrementalEncoder;
    forces += s.plan.kind == SensorKind::Force6;
    inertial += s.plan.kind == SensorKind::Inertial;
  }
  EXPECT_EQ(encoders, 12);
  EXPECT_EQ(forces, 2);
  EXPECT_EQ(inertial, 1);
}

// A screw that is driven back keeps eta^2 of the torque that was asked for on its motor's side; one that does not move, or drives, all of it.
TEST(BipedReal, losses_are_counted_where_a_screw_is_driven_back) {
  BipedWiring::Leg leg;
  leg.joint[0] = {legged::six::knee, 1, true, transmission::knee(), 0.9};
  const legged::SixAngles q{0, 0, 0, 0.5, 0, 0};
  for (const double rate : {-1.0, 0.0, 1.0}) {
    legged::SixAngles torque{0, 0, 0, 10.0, 0, 0};
    count_losses(leg, q, {0, 0, 0, rate, 0, 0}, torque);
    EXPECT_NEAR(torque[legged::six::knee], rate < 0.0 ? 8.1 : 10.0, 1e-12);
  }
  const double lever = 0.07;  // of the knee at 50 degrees
  const legged::SixAngles A = rotor_inertia(leg, {0, 0, 0, 0.8726646259971648, 0, 0}, 8.0);
  EXPECT_NEAR(A[legged::six::knee], 8.0 * lever * lever, 1e-9);
}

TEST(BipedReal, it_knows_its_mass_centre_and_its_zero_moment_point) {
  sim::Simulation simulation(sim::Experiment(real(static_walk, 8.0, 3)));
  double com = 0.0, zmp = 0.0;
  for (int k = 0; k < 8000; k++) {
    simulation.step();
    if (k < 500 || k % 10 != 0) continue;
    for (const char* axis : {".x", ".y"}) {
      const auto off = [&](const std::string& knows, const std::string& is) {
        return std::abs(simulation.get(knows + axis) - simulation.get(is + axis));
      };
      com = std::max(com, off("walk.com", "com.p"));
      if (simulation.get("walk.load_L") > 200.0 && simulation.get("contact.foot_R.sole:ground.normal") == 0.0)
        zmp = std::max(zmp, off("walk.zmp", "zmp.p"));
    }
  }
  EXPECT_LT(com, 0.012);
  EXPECT_LT(zmp, 0.02);
  EXPECT_GT(zmp, 0.0);
}

// Ankles whose encoders are wrong by 20 mrad: what the controller does follows from what they say.
TEST(BipedReal, the_controller_sees_its_sensors_alone) {
  std::string wrong;
  for (const char* side : biped_sides)
    wrong += fmt::format(
        "[sensor.wrong_{0}]\nkind = \"potentiometer\"\njoint = \"ankle_{0}\"\naxis = 0\noffset = "
        "0.02\nrate_filter = 0.002\nperiod = 1e-3\n",
        side);
  const sim::RunResult right = sim::run(real("", 2.0, 1)), off = sim::run(real("", 2.0, 1, wrong));
  EXPECT_EQ(result(off, "fallen"), 0.0);
  EXPECT_GT(std::abs(result(off, "com_dx") - result(right, "com_dx")), 2e-3);
}

TEST(BipedReal, dynamic_walking_with_five_seeds_keeps_the_zero_moment_point_5_mm_inside) {
  for (const std::uint64_t seed : noise_seeds()) {
    const sim::RunResult r = sim::run(real(dynamic_walk, 7.0, seed));
    EXPECT_EQ(result(r, "fallen"), 0.0) << seed;
    EXPECT_LT(result(r, "max_slip"), 3e-3) << seed;
    EXPECT_GT(result(r, "min_zmp_margin"), 5e-3) << seed;
    EXPECT_NEAR(result(r, "distance"), 1.0, 0.05) << seed;
  }
}

TEST(BipedReal, static_walking_with_five_seeds_has_the_margins_that_are_asked_for) {
  for (const std::uint64_t seed : noise_seeds()) {
    const sim::RunResult r = sim::run(real(static_walk, 15.0, seed));
    EXPECT_EQ(result(r, "fallen"), 0.0) << seed;
    EXPECT_LT(result(r, "max_slip"), 2e-3) << seed;
    EXPECT_GT(result(r, "min_margin"), 0.015) << seed;
    EXPECT_GT(result(r, "min_zmp_margin"), 0.010) << seed;
  }
}

TEST(BipedReal, pushes_with_five_seeds_are_survived_on_both_feet_and_on_one) {
  const char* from[] = {"0", "90", "180", "270", "45"};
  for (const std::uint64_t seed : noise_seeds()) {
    const std::string side = std::string("push_from_deg = ") + from[seed - 1] + "\n";
    const sim::RunResult both = sim::run(real("push = 5\npush_at = 0.6\n" + side, 3.0, seed));
    EXPECT_EQ(result(both, "fallen"), 0.0) << seed;
    EXPECT_LT(result(both, "max_slip"), 3e-3) << seed;
    const std::string lateral = seed % 2 ? "push_from_deg = 90\n" : "push_from_deg = 270\n";
    const sim::RunResult one = sim::run(real(static_walk + "push = 3\npush_at = 4\n" + lateral, 8.0, seed));
    EXPECT_EQ(result(one, "fallen"), 0.0) << seed;
    EXPECT_LT(result(one, "max_slip"), 3e-3) << seed;
  }
}

TEST(BipedGround, feet_go_over_the_higher_of_two_treads_and_stand_on_each) {
  const double treads[] = {0.06, 0.0};
  const std::vector<legged::PlannedStep> steps = legged::plan_stairs(0.24, 0.09, treads);
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].side, 1);
  EXPECT_EQ(steps[1].side, 0);
  EXPECT_EQ(steps[1].to.p[2], 0.06);
  EXPECT_DOUBLE_EQ(steps[3].to.p[0], 0.48);
  const legged::SwingShape shape{.lift = 0.03, .up = 0.3, .across = 0.2};
  for (const auto& [from, to] : {std::pair{0.0, 0.06}, std::pair{0.06, 0.0}, std::pair{0.0, 0.0}}) {
    const legged::Footprint a{Vec3d(0.0, 0.0, from), 0.0}, b{Vec3d(0.24, 0.0, to), 0.0};
    EXPECT_EQ(legged::swing_point(shape, a, b, 0.0).p[2], from);
    EXPECT_NEAR(legged::swing_point(shape, a, b, 0.5).p[2], std::max(from, to) + 0.03, 1e-15);
    EXPECT_NEAR(legged::swing_point(shape, a, b, 1.0).p[2], to, 1e-15);
  }
}

// At rest on a slope the weight goes through the zero-moment point.
TEST(BipedGround, on_a_slope_the_mass_centre_is_uphill_of_its_zero_moment_point) {
  BipedOrder order;
  order.slope = 5.0 * 3.14159265358979 / 180.0;
  const BipedPlan plan(legged::BipedBody{}, order, 9.81);
  const BipedMoment m = plan.at(0.0);
  const Vec3d arm = m.c - m.p;
  EXPECT_LT(norm(cross(arm, plan.gravity())), 1e-12);
  EXPECT_NEAR(norm(plan.gravity()), 9.81, 1e-12);
}

TEST(BipedGround, slope_and_plates_with_five_seeds) {
  for (const std::uint64_t seed : noise_seeds()) {
    const std::string uphill =
        "action = \"walk-static\"\nsteps = 2\nslope_deg = 5\nhip_height = 0.77\nzmp_ahead = -0.03\n";
    const std::string incline = "[gravity]\nincline_deg = 5\ndownhill_azimuth_deg = 180\n";
    const sim::RunResult slope = sim::run(real(uphill, 14.0, seed, incline));
    EXPECT_EQ(result(slope, "fallen"), 0.0) << seed;
    EXPECT_LT(result(slope, "max_slip"), 3e-3) << seed;
    EXPECT_GT(result(slope, "min_zmp_margin"), 5e-3) << seed;
    const std::string plate =
        "[ground.obstacle.plate]\nkind = \"box\"\nposition = [0.15, -0.1, 0.005]\nsize = [0.23, 0.15, 0.01]\n";
    const std::string over =
        "action = \"walk-static\"\nsteps = 2\nstep_length = 0.12\nstart = 0.5\nhip_height = 0.765\n";
    const sim::RunResult plates = sim::run(real(over, 14.0, seed, plate));
    EXPECT_EQ(result(plates, "fallen"), 0.0) << seed;
    EXPECT_LT(result(plates, "max_slip"), 3e-3) << seed;
  }
}

TEST(BipedGround, stairs_are_for_static_walking) {
  EXPECT_THROW(real("action = \"walk-dynamic\"\nstairs = [0.06]\n", 1.0), std::exception);
  EXPECT_THROW(real("action = \"walk-static\"\nstairs = [0.5]\n", 1.0), std::exception);
}

TEST(BipedReal, gains_of_other_numbers_than_six_are_refused) {
  const std::string text =
      "title = \"t\"\nsource = \"s\"\nduration = 1\n[robot]\nkind = \"biped\"\ndevices = \"real\"\n[robot.device]\n";
  for (const char* key : {"joint_kp = [1, 2, 3]", "joint_kd = [1, 2, 3, 4, 5, -1]", "level = \"exact\""}) {
    try {
      text::parse_scenario(text + key + "\n[ground]\nkind = \"plane\"\n", "t");
      ADD_FAILURE() << key;
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find(std::string(key).substr(0, 5)), std::string::npos) << e.what();
    }
  }
}

}  // namespace biped_real_test
}  // namespace sinew::robots
