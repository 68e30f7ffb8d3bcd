// Drives inside a step: their account, the two ways in which they act, and that nothing depends on how a run is made.
#include "sinew/step/devices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/model/compile.h"
#include "sinew/report/checkpoint.h"
#include "sinew/report/report.h"
#include "sinew/sim/drive_account.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/sim/signals.h"
#include "sinew/world/observe.h"
#include "tests/support/allocations.h"
#include "tests/support/resumed.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace devices_test {

// A lever under gravity on a hinge, with this drive on it.
Plan lever(DrivePlan d) {
  Plan plan;
  plan.gravity.g = Vec3d(0, 0, -9.81);
  BodyPlan body{.name = "lever", .mass = 0.4};
  body.com = Vec3d(0.1, 0, 0);
  body.inertia = Sym3d::diagonal(2e-3);
  plan.bodies.push_back(body);
  JointPlan j;
  j.name = "hinge";
  j.child = "lever";
  j.axis = Vec3d(0, 1, 0);
  plan.joints.push_back(j);
  d.name = "motor";
  d.joint = "hinge";
  plan.drives.push_back(d);
  return plan;
}

// A weight on a screw that lifts it.
Plan lift(DrivePlan d) {
  Plan plan = lever(d);
  plan.bodies[0].com = Vec3d::zero();
  plan.bodies[0].mass = 5.0;
  plan.joints[0].kind = JointKind::Prismatic;
  plan.joints[0].axis = Vec3d(0, 0, 1);
  return plan;
}

DrivePlan pmsm(drive::Control control) {
  DrivePlan d = default_drive(drive::Kind::Pmsm);
  d.level = drive::Level::Full;
  d.control = control;
  d.gear = 50.0;
  d.efficiency = 0.8;
  d.kp = 20.0;
  d.kd = 0.5;
  return d;
}

Plan with_set(Plan plan, int command, double value) {
  plan.drives[0].set[std::size_t(command)] = value;
  return plan;
}

std::vector<Plan> several() {
  DrivePlan linear = default_drive(drive::Kind::Linear), elastic = default_drive(drive::Kind::SeriesElastic);
  linear.level = elastic.level = drive::Level::Full;
  linear.control = drive::Control::Position;
  linear.shaper_speed = 0.3;
  linear.shaper_accel = 5.0;
  elastic.control = drive::Control::PositionForce;
  elastic.kp = 2e4;
  elastic.kd = 360.0;
  elastic.shaper_speed = 0.3;
  elastic.shaper_accel = 5.0;
  return {with_set(lever(pmsm(drive::Control::Torque)), drive::command::torque, 1.5),
          with_set(lever(pmsm(drive::Control::Impedance)), drive::command::position, -0.7),
          with_set(lever(pmsm(drive::Control::Position)), drive::command::position, 2.0),
          with_set(lift(linear), drive::command::position, 0.04),
          with_set(lift(elastic), drive::command::position, 0.04)};
}

// Electrical in = mechanical out + copper + friction + stored, to 0.1 % of what went in.
TEST(Devices, the_account_of_drives_closes) {
  int which = 0;
  for (const Plan& plan : several()) {
    SCOPED_TRACE(which++);
    World<double> world = make_world(plan);
    for (int k = 0; k < 5000; k++) world.step(1e-4);
    const sim::DriveAccount account = sim::account_of_drives(world);
    EXPECT_GT(account.electrical, 0.1);
    EXPECT_LT(std::abs(account.error), 1e-3 * account.electrical);
    const auto seen = observe(world);
    EXPECT_LT(std::abs(seen.balance_error), 1e-3 * account.electrical);
    EXPECT_NEAR(world.state.work.actuators, account.work, 1e-9 * account.electrical);
  }
}

// As a line in the end velocity, and with the velocity that the last step lets expect: the same motion as the step shrinks.
TEST(Devices, implicit_and_explicit_steps_agree_as_the_step_shrinks) {
  DrivePlan d = default_drive(drive::Kind::DcMotor);
  d.control = drive::Control::Voltage;
  d.friction = 0.0;
  const Plan plan = with_set(lever(d), drive::command::voltage, 9.0);
  double before = 1e9;
  for (const double dt : {4e-3, 2e-3, 1e-3, 5e-4}) {
    double end[3];
    for (int way = 0; way < 3; way++) {
      Plan of_way = plan;
      of_way.implicit_servos = way == 1;
      World<double> world = make_world(of_way, {Coordinates::Tree, way == 2 ? "euler" : "moreau"});
      for (int k = 0; k < int(std::lround(0.2 / dt)); k++) world.step(dt);
      end[way] = world.state.q[0];
    }
    const double apart = std::max(std::abs(end[0] - end[1]), std::abs(end[0] - end[2]));
    EXPECT_LT(apart, before / 1.7);
    before = apart;
  }
  EXPECT_LT(before, 2e-3);
}

// A motor that answers to speed far faster than the step: explicitly it would diverge.
TEST(Devices, an_implicit_step_holds_a_drive_that_is_faster_than_it) {
  DrivePlan d = default_drive(drive::Kind::DcMotor);
  d.control = drive::Control::Voltage;
  d.friction = d.inertia = 0.0;
  Plan plan = with_set(lever(d), drive::command::voltage, 12.0);
  plan.gravity.g = Vec3d::zero();
  World<double> world = make_world(plan, {Coordinates::Tree, "euler"});
  for (int k = 0; k < 100; k++) world.step(0.02);
  EXPECT_NEAR(world.state.u[0], 12.0 / (251.0 * d.torque_constant), 1e-9);
  World<double> without = make_world(plan);
  for (int k = 0; k < 100; k++) without.step(0.02);
  EXPECT_GT(std::abs(without.state.u[0] - world.state.u[0]), 1.0);
}

// Stall and no load, as the equations of the motor say.
TEST(Devices, a_dc_motor_ends_at_its_no_load_speed_with_reflected_inertia_on_the_way) {
  DrivePlan d = default_drive(drive::Kind::DcMotor);
  d.control = drive::Control::Voltage;
  d.friction = 0.0;
  d.efficiency = 1.0;
  Plan plan = with_set(lever(d), drive::command::voltage, 12.0);
  plan.gravity.g = Vec3d::zero();
  World<double> world = make_world(plan, {Coordinates::Tree, "rk4"});
  const double N = 251.0, k = d.torque_constant, I = 2e-3 + 0.4 * 0.01 + N * N * 1.1e-6;
  const double rate = N * N * k * k / (d.resistance * I), top = 12.0 / (N * k), dt = 1e-5, t = 0.02;
  for (int i = 0; i < 2000; i++) world.step(dt);
  EXPECT_NEAR(world.state.u[0], top * (1.0 - std::exp(-rate * t)), 1e-6);
}

// A universal joint has a motor for each axis.
TEST(Devices, each_axis_of_a_universal_joint_gets_a_drive) {
  DrivePlan d = default_drive(drive::Kind::Ideal);
  d.set[drive::command::torque] = 0.01;
  Plan plan = lever(d);
  plan.gravity.g = Vec3d::zero();
  plan.bodies[0].com = Vec3d::zero();
  plan.joints[0].kind = JointKind::Universal;
  plan.joints[0].axis2 = Vec3d(1, 0, 0);
  Plan by_hand = plan;
  by_hand.drives.clear();
  World<double> world = make_world(plan), other = make_world(by_hand);
  ASSERT_EQ(world.model().drives.size(), 2u);
  EXPECT_EQ(world.model().drives[1].name, "motor.1");
  for (double& torque : other.input.torque) torque = 0.01;
  for (int k = 0; k < 100; k++) {
    world.step(1e-3);
    other.step(1e-3);
  }
  for (int i = 0; i < 2; i++) EXPECT_NEAR(world.state.q[i], other.state.q[i], 1e-12);
}

TEST(Devices, a_servo_is_the_servo_of_its_joint_to_the_last_bit) {
  DrivePlan d = default_drive(drive::Kind::Servo);
  d.kp = 12.0;
  d.kd = 0.3;
  d.limit = 0.8;
  const Plan by_drive = lever(d);
  Plan by_joint = by_drive;
  by_joint.drives.clear();
  by_joint.joints[0].drive = Drive::Servo;
  by_joint.joints[0].kp = {12.0};
  by_joint.joints[0].kd = {0.3};
  by_joint.joints[0].limit = {0.8};
  World<double> a = make_world(by_drive), b = make_world(by_joint);
  for (int k = 0; k < 500; k++) {
    a.step(1e-3);
    b.step(1e-3);
  }
  EXPECT_EQ(hash(a.state), hash(b.state));
}

TEST(Devices, a_servo_has_signals_of_a_drive) {
  DrivePlan d = default_drive(drive::Kind::Servo);
  d.kp = 12.0;
  d.kd = 0.3;
  Plan plan = lever(d);
  plan.joints[0].motion = {{.offset = 0.2, .rate = 0.1}};
  World<double> world = make_world(plan);
  for (int k = 0; k < 100; k++) world.step(1e-3);
  const auto signals = sim::signals_of(world.model());
  const auto seen = observe(world);
  const auto value = [&](const char* name) {
    const auto found = sim::find_signals(signals, name);
    EXPECT_EQ(found.size(), 1u) << name;
    return found.empty() ? std::nan("") : sim::evaluate(signals[std::size_t(found[0])], world, seen);
  };
  EXPECT_NEAR(value("drive.motor.torque"), 12.0 * (0.21 - world.state.q[0]) + 0.3 * (0.1 - world.state.u[0]), 1e-2);
  EXPECT_EQ(value("drive.motor.torque"), value("joint.hinge.torque"));
  EXPECT_EQ(value("drive.motor.speed"), world.state.u[0]);
  EXPECT_NEAR(value("drive.motor.position_wanted"), 0.21, 1e-12);
  EXPECT_NEAR(value("drive.motor.velocity_wanted"), 0.1, 1e-12);
  EXPECT_EQ(value("drive.motor.power"), value("drive.motor.torque") * value("drive.motor.speed"));
}

TEST(Devices, a_lane_equals_a_run_of_its_own) {
  int which = 0;
  for (const Plan& plan : several()) {
    SCOPED_TRACE(which++);
    World<double> one = make_world(plan);
    World<Lanes> wide = widen(one);
    for (int k = 0; k < 200; k++) {
      one.step(3e-4);
      wide.step(3e-4);
    }
    EXPECT_EQ(hash(lane_state(wide.state, 2)), hash(one.state));
  }
}

TEST(Devices, drives_allocate_nothing_in_a_step) {
  if (!are_allocations_counted()) GTEST_SKIP();
  for (const char* method : {"moreau", "euler", "rk4"})
    for (const Plan& plan : several()) {
      World<double> world = make_world(plan, {Coordinates::Tree, method});
      EXPECT_EQ(count_allocations([&] {
                  for (int k = 0; k < 100; k++) world.step(1e-4);
                }),
                0);
    }
}

// Full model, shaper and samples on their way are in the memory of the state.
TEST(Devices, a_run_with_drives_goes_on_as_if_it_had_never_stopped) {
  expect_resumed_run_is_the_same(shipped("drive/position-step"), 0.1);
}

TEST(Devices, a_drive_that_is_limited_says_so) {
  const std::vector<std::string> weak{"drive.motor.voltage=6"};
  const sim::Scenario scenario = shipped("drive/position-step", weak);
  const sim::RunResult result = sim::run(scenario);
  ASSERT_EQ(result.drive_remarks.size(), 1u);
  EXPECT_NE(result.drive_remarks[0].find("drive motor: at its voltage limit"), std::string::npos);
  const std::vector<std::string> slow{"drive.motor.speed_limit=500"};
  const sim::RunResult held = sim::run(shipped("drive/position-step", slow));
  ASSERT_EQ(held.drive_remarks.size(), 1u);
  EXPECT_NE(held.drive_remarks[0].find("drive motor: at its force or speed limit"), std::string::npos);
}

// Steps of 10 ms, in which the motor goes through most of its acceleration, which the drive does not foresee.
TEST(Devices, gains_for_less_than_they_move_are_told) {
  DrivePlan d = pmsm(drive::Control::Position);
  d.gear = 10.0;  // 1.83e-4 kg m^2 of the rotor, and a lever of 6e-3 kg m^2
  const auto said = sim::remarks_on_drives(make_world(lever(d)));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("load_inertia"), std::string::npos) << said[0];
  d.load_inertia = 6e-3;
  EXPECT_TRUE(sim::remarks_on_drives(make_world(lever(d))).empty());
}

TEST(Devices, an_account_that_steps_of_too_great_length_leave_open_is_told) {
  const auto doubt = [](const std::string& step, const std::string& method) {
    const std::vector<std::string> sets{"step=" + step, "method=" + method};
    return sim::run(shipped("drive/position-step", sets)).drive_doubt;
  };
  EXPECT_EQ(doubt("0.001", "moreau"), "");
  EXPECT_EQ(doubt("0.001", "euler"), "");  // books too much work of drives, and loses as much in the bodies
  for (const char* step : {"0.005", "0.01"})
    EXPECT_NE(doubt(step, "moreau").find("drive motor: of"), std::string::npos) << step;
}

// What a load has got in the end says nothing about what went through its drive.
TEST(Devices, a_load_that_is_moved_from_rest_to_rest_is_trusted) {
  DrivePlan d = default_drive(drive::Kind::Ideal);
  d.control = drive::Control::Impedance;
  d.kp = 50.0;
  d.kd = 1.0;
  d.loop_rate = 250.0;
  Plan plan = with_set(lever(d), drive::command::position, 0.3);
  plan.gravity.g = Vec3d::zero();
  plan.bodies[0].inertia = Sym3d::diagonal(0.05);
  sim::Scenario scenario;
  scenario.plan = plan;
  scenario.step = 1e-3;
  scenario.duration = 1.0;
  const sim::RunResult result = sim::run(sim::Experiment(scenario));
  EXPECT_EQ(result.drive_doubt, "");
  EXPECT_LT(result.drives.work, 1e-2);
}

TEST(Devices, a_sweep_that_steps_cannot_follow_is_refused) {
  const std::vector<std::string> sets{"drive.screw.sweep.to=3000"}, back{"drive.screw.sweep.from=2501"};
  try {
    shipped_experiment("drive/force-bode", sets);
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("drive.screw.sweep.to: a sweep moves once in a step of 0.0001 s"),
              std::string::npos)
        << e.what();
    EXPECT_NE(std::string(e.what()).find("use at most 2500 Hz, or integrator.step = 8.3e-05"), std::string::npos);
  }
  EXPECT_THROW(shipped_experiment("drive/force-bode", back), InputError);
}

TEST(Devices, set_points_come_from_outside_by_name) {
  sim::Simulation s{sim::Experiment(shipped("drive/current-step"))};
  s.set("drive.motor.current", 1.0);
  s.step(2000);
  EXPECT_NEAR(s.get("drive.motor.current"), 1.0, 1e-3);
}

// A drive either turns or slides, and its signals say so; those of the sweep are of what it controls.
TEST(Devices, signals_have_the_unit_of_the_axis) {
  const auto unit = [](const sim::Experiment& e, const std::string& name) {
    for (const sim::Signal& s : e.signals())
      if (s.name == name) return s.unit;
    return std::string("none");
  };
  const sim::Experiment turns(shipped("drive/position-step")), slides(shipped("drive/force-bode"));
  EXPECT_EQ(unit(turns, "drive.motor.speed"), "rad/s");
  EXPECT_EQ(unit(turns, "drive.motor.position_wanted"), "rad");
  EXPECT_EQ(unit(slides, "drive.screw.velocity_wanted"), "m/s");
  EXPECT_EQ(unit(slides, "drive.screw.motor_position"), "m");
  EXPECT_EQ(unit(slides, "drive.screw.spring"), "N");
  EXPECT_EQ(unit(slides, "drive.screw.sweep"), "N");
}

// A recording begins before the first step of a drive: a set-point of 0 there would be a jump that nobody gave.
TEST(Devices, before_the_first_step_motor_and_set_point_are_where_the_axis_is) {
  sim::Simulation turns{sim::Experiment(shipped("drive/position-step"))};
  EXPECT_EQ(turns.get("drive.motor.position_wanted"), turns.get("joint.shaft.q"));
  turns.step(5);
  EXPECT_NEAR(turns.get("drive.motor.position_wanted"), -62.8119, 1e-3) << "20000 rad/s^2, 1 ms";
  const std::vector<std::string> bent{"joint.ankle.position=[0.1, 0.05]"};
  sim::Simulation ankle{sim::Experiment(shipped("drive/ankle-sweep", bent))};
  const double before = ankle.get("drive.ankle.1.position_wanted"), speed = ankle.get("drive.ankle.1.speed");
  EXPECT_NEAR(before, 0.06 * 0.1 + 0.045 * 0.05, 5e-4) << "by the Jacobian at 0";
  EXPECT_EQ(speed, 0.0);
}

std::string first_key(const Plan& plan) {
  const auto problems = problems_of(plan);
  return problems.empty() ? "" : problems[0].key;
}

TEST(Devices, bad_numbers_name_their_key) {
  const Plan good = lever(pmsm(drive::Control::Torque));
  EXPECT_EQ(first_key(good), "");
  const auto with = [&](auto change) {
    Plan plan = good;
    change(plan.drives[0]);
    return first_key(plan);
  };
  EXPECT_EQ(with([](DrivePlan& d) { d.voltage = -3.0; }), "drive.motor.voltage");
  EXPECT_EQ(with([](DrivePlan& d) { d.gear = 0.0; }), "drive.motor.gear");
  EXPECT_EQ(with([](DrivePlan& d) { d.gear = 1e200; }), "drive.motor.gear");
  EXPECT_EQ(with([](DrivePlan& d) {
              d.align = drive::Align::OneStep;
              d.align_current = 0.0;
            }),
            "drive.motor.align_current");
  EXPECT_EQ(with([](DrivePlan& d) { d.efficiency = 1.3; }), "drive.motor.efficiency");
  EXPECT_EQ(with([](DrivePlan& d) { d.inductance = 0.0; }), "drive.motor.inductance");
  EXPECT_EQ(with([](DrivePlan& d) { d.rate = 0.0; }), "drive.motor.rate");
  EXPECT_EQ(with([](DrivePlan& d) { d.joint = "elbow"; }), "drive.motor.joint");
  EXPECT_EQ(with([](DrivePlan& d) { d.backlash = 1e-3; }), "drive.motor.spring");
  EXPECT_EQ(with([](DrivePlan& d) { d.control = drive::Control::PositionForce; }), "drive.motor.control");
  EXPECT_EQ(with([](DrivePlan& d) { d.shaper_speed = 1.0; }), "drive.motor.shaper_accel");
  EXPECT_EQ(with([](DrivePlan& d) { d.kind = drive::Kind::Linear; }), "drive.motor.joint");
  EXPECT_EQ(with([](DrivePlan& d) {
              d.lower_switch = 1e9;
              d.upper_switch = 0.0;
            }),
            "drive.motor.lower_switch");
  Plan twice = good;
  twice.drives.push_back(good.drives[0]);
  twice.drives[1].name = "second";
  EXPECT_EQ(first_key(twice), "drive.second.joint");
  EXPECT_TRUE(problems_of(good, Coordinates::Maximal).empty());
}

}  // namespace devices_test
}  // namespace sinew::test
