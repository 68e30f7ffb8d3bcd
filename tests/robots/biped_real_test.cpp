// The biped on linear drives and noisy sensors: what it has, what its controller knows, what it survives with any seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "robots/biped/walk_control.h"
#include "sinew/sim/run.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/seeds.h"

namespace sinew::robots {
namespace biped_real_test {

sim::Scenario real(const std::string& keys, double duration, std::uint64_t seed = 0, const std::string& more = "",
                   const std::string& device = "") {
  const std::string text = "title = \"t\"\nsource = \"s\"\nduration = " + std::to_string(duration) +
                           "\n[robot]\nkind = \"biped\"\ndevices = \"real\"\n" + keys +
                           "\n[robot.device]\nthermal_current = 7\n" + device +
                           "[ground]\nkind = \"plane\"\n[contact]\nmu = 0.8\n[control]\nperiod = "
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
  leg.joint[0] = {legged::six::knee, 1, true, transmission::knee(), 0.9, 8.0};
  const legged::SixAngles q{0, 0, 0, 0.5, 0, 0};
  for (const double rate : {-1.0, 0.0, 1.0}) {
    legged::SixAngles torque{0, 0, 0, 10.0, 0, 0};
    count_losses(leg, q, {0, 0, 0, rate, 0, 0}, torque);
    EXPECT_NEAR(torque[legged::six::knee], rate < 0.0 ? 8.1 : 10.0, 1e-12);
  }
  const double lever = 0.07;  // of the knee at 50 degrees
  const legged::SixAngles A = rotor_inertia(leg, {0, 0, 0, 0.8726646259971648, 0, 0});
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

// Rods and sliders as bodies in closed loops. They are light, screws have no friction and sensors no errors, so that nothing but the way of computing differs.
TEST(BipedReal, rods_as_bodies_agree_with_their_jacobian_within_1_percent_in_a_squat) {
  const std::string exact =
      "friction = 0\nrod_mass = 1e-4\nslider_mass = 1e-4\nforce_noise = 0\nhysteresis = 0\ncross_talk = 0\ngyro_noise "
      "= 0\n"
      "gyro_offset = 0\naccel_noise = 0\naccel_offset = 0\ncounts = 1e6\nencoder_bits = 28\n";
  const std::string squat = "action = \"squat\"\nsquat_time = 0.5\nhip_height = 0.775\n";
  std::string wanted = "[output.result]\nelectrical = \"energy.work_electrical\"\n";
  const std::vector<std::string> drives{"knee_L", "knee_R", "ankle_L.1", "ankle_L.2"};
  const auto name_of = [](std::string drive) {
    std::ranges::replace(drive, '.', '-');
    return drive;
  };
  for (const std::string& d : drives)
    wanted += fmt::format("{} = {{ signal = \"drive.{}.current\", take = \"rms\", from = 0.5 }}\n", name_of(d), d);
  sim::RunResult run[2];
  for (int k = 0; k < 2; k++) {
    const std::string how = fmt::format("mechanism = \"{}\"\n", k == 0 ? "jacobian" : "bodies");
    run[k] = sim::run(real(squat, 1.5, 0, wanted, how + exact));
    EXPECT_EQ(result(run[k], "fallen"), 0.0);
    EXPECT_GT(result(run[k], "knee_L"), 3.0);
  }
  EXPECT_NE(result(run[0], "knee_L"), result(run[1], "knee_L"));
  for (const std::string& d : drives) {
    const double by_jacobian = result(run[0], name_of(d));
    EXPECT_NEAR(result(run[1], name_of(d)), by_jacobian, 0.01 * by_jacobian) << d;
  }
  EXPECT_NEAR(result(run[1], "electrical"), result(run[0], "electrical"), 0.01 * result(run[0], "electrical"));
  EXPECT_NEAR(result(run[1], "min_zmp_margin"), result(run[0], "min_zmp_margin"), 1e-3);
}

// The force sensors are above the rods of the ankles, and measure what these carry as well.
TEST(BipedReal, with_rods_as_bodies_it_walks_on_its_sensors_alone) {
  const std::string walk = "action = \"walk-static\"\nsteps = 2\nhip_height = 0.775\ncycle = 4\nshift_speed = 0.1\n";
  const sim::RunResult r = sim::run(real(walk, 3.0, 1, "", "mechanism = \"bodies\"\n"));
  EXPECT_EQ(r.ending, sim::Ending::Done);
  EXPECT_EQ(r.solver.unconverged_steps, 0);
  EXPECT_EQ(result(r, "fallen"), 0.0);
  EXPECT_LT(result(r, "max_slip"), 3e-3);
  EXPECT_GT(result(r, "min_zmp_margin"), 5e-3);
  EXPECT_GT(result(r, "com_dx"), 0.0);
  for (const auto& v : r.results) EXPECT_NE(v.name, "knee_torque");  // the joint itself has none
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

// Springs at the knees alone: the other joints keep their rotors and gains.
TEST(BipedReal, springs_are_an_option_for_each_kind_of_joint) {
  const sim::Experiment experiment(real("", 1.0, 0, "", "elastic = true\nelastic_joints = \"knee\"\n"));
  int springs = 0;
  for (const DriveInfo& d : experiment.model().drives) {
    EXPECT_EQ(d.setup.has_spring(), d.name.starts_with("knee_")) << d.name;
    springs += d.setup.has_spring();
  }
  EXPECT_EQ(springs, 2);
  const sim::RunResult r = sim::run(experiment);
  EXPECT_EQ(result(r, "fallen"), 0.0);
  EXPECT_LT(result(r, "max_slip"), 3e-3);
}

// With springs at the knees a leg in the air goes another way than it is led without; a rotor of 8 kg at the screw does not let it.
TEST(BipedReal, a_ballistic_leg_goes_its_own_way_where_its_knee_has_a_spring_and_still_lands) {
  double in_the_air[2] = {0.0, 0.0};
  for (int k = 0; k < 2; k++) {
    const std::string knees = k == 0 ? "" : "elastic = true\nelastic_joints = \"knee\"\n";
    sim::Simulation led(sim::Experiment(real(dynamic_walk, 3.0, 1, "", knees)));
    sim::Simulation flown(sim::Experiment(real(dynamic_walk, 3.0, 1, "", knees + "ballistic = 0.5\n")));
    for (int i = 0; i < 3000; i++) {
      led.step();
      flown.step();
      if (flown.get("contact.foot_L.sole:ground.normal") == 0.0)
        in_the_air[k] = std::max(in_the_air[k], std::abs(led.get("joint.knee_L.q") - flown.get("joint.knee_L.q")));
    }
    EXPECT_EQ(flown.get("body.trunk.contact.count"), 0.0);
    EXPECT_NEAR(flown.get("com.p.z"), led.get("com.p.z"), 0.02);
  }
  EXPECT_GT(in_the_air[0], 0.0);
  EXPECT_LT(in_the_air[0], 0.003);
  EXPECT_GT(in_the_air[1], 0.008);
}

TEST(BipedReal, gains_of_other_numbers_than_six_are_refused) {
  const std::string text =
      "title = \"t\"\nsource = \"s\"\nduration = 1\n[robot]\nkind = \"biped\"\ndevices = \"real\"\n[robot.device]\n";
  for (const char* key : {"joint_kp = [1, 2, 3]", "joint_kd = [1, 2, 3, 4, 5, -1]", "level = \"exact\"",
                          "elastic_joints = \"elbow\"", "mechanism = \"wood\"", "ballistic = 2"}) {
    try {
      text::parse_scenario(text + key + "\n[ground]\nkind = \"plane\"\n", "t");
      ADD_FAILURE() << key;
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find(std::string(key).substr(0, 5)), std::string::npos) << e.what();
    }
  }
}

// On ideal servos they would do nothing, and nobody would know.
TEST(BipedReal, keys_of_drives_are_refused_where_there_are_none) {
  const std::string text = "title = \"t\"\nsource = \"s\"\nduration = 1\n[robot]\nkind = \"biped\"\n[robot.device]\n";
  for (const char* key : {"mechanism = \"bodies\"", "level = \"full\"", "elastic = true", "ballistic = 0.5"}) {
    try {
      text::parse_scenario(text + key + "\n[ground]\nkind = \"plane\"\n", "t");
      ADD_FAILURE() << key;
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find("devices is \"ideal\""), std::string::npos) << e.what();
    }
  }
}

}  // namespace biped_real_test
}  // namespace sinew::robots
