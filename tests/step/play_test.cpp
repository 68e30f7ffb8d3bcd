// Drives whose motor is not where the joint is: play, slip, a spring without its sensor; and what holds or lets go of a load.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/model/compile.h"
#include "sinew/model/drives.h"
#include "sinew/sim/drive_account.h"
#include "sinew/world/observe.h"
#include "sinew/world/sense.h"

namespace sinew::test {
namespace play_test {

namespace at = drive::memory;

// A wheel on a hinge, or a slider, with one drive and no weight.
Plan axis(DrivePlan d, JointKind kind, double inertia) {
  Plan plan;
  plan.gravity.g = Vec3d::zero();
  BodyPlan body{.name = "load", .mass = kind == JointKind::Prismatic ? inertia : 1.0};
  body.inertia = Sym3d::diagonal(inertia);
  plan.bodies.push_back(body);
  JointPlan j;
  j.name = "axis";
  j.kind = kind;
  j.child = "load";
  j.axis = Vec3d(0, 1, 0);
  plan.joints.push_back(j);
  d.name = "motor";
  d.joint = "axis";
  plan.drives.push_back(d);
  return plan;
}

DrivePlan geared(drive::Control control) {
  DrivePlan d = default_drive(drive::Kind::Pmsm);
  d.control = control;
  d.gear = 50.0;
  d.spring = 400.0;
  d.backlash = 0.02;
  d.encoder = drive::Encoder::Motor;
  return d;
}

double memory_of(const World<double>& world, int entry) {
  return world.state.memory[std::size_t(world.model().drives[0].memory + entry)];
}

void expect_account_closes(const World<double>& world) {
  const sim::DriveAccount account = sim::account_of_drives(world);
  EXPECT_GT(account.electrical, 1e-3);
  EXPECT_LT(std::abs(account.error), 1e-3 * account.electrical);
}

// A torque from outside pushes the load through the play against the gear: half of the play, and what the gear gives way.
TEST(Play, a_held_motor_lets_its_load_move_by_half_the_play_either_way) {
  for (const double push : {0.5, -0.5}) {
    DrivePlan d = geared(drive::Control::Position);
    d.set[drive::command::position] = 0.0;
    Plan plan = axis(d, JointKind::Revolute, 5e-3);
    plan.joints[0].damping = {0.3};
    World<double> world = make_world(plan);
    world.input.external[0] = {Vec3d(0, push, 0), Vec3d::zero()};
    for (int k = 0; k < 10000; k++) world.step(1e-4);
    const double apart = world.state.q[0] - memory_of(world, at::motor_x);
    EXPECT_NEAR(apart, std::copysign(0.01 + 0.5 / 400.0, push), 1e-5);
    EXPECT_NEAR(memory_of(world, at::motor_x), 0.0, 1e-3);
  }
}

// Without contact with either flank the load goes on by itself.
TEST(Play, nothing_acts_inside_of_the_play) {
  DrivePlan d = geared(drive::Control::Current);
  d.friction = 0.05;  // holds the motor
  Plan plan = axis(d, JointKind::Revolute, 5e-3);
  plan.joints[0].velocity = {0.05};
  World<double> world = make_world(plan);
  for (int k = 0; k < 1000; k++) world.step(1e-4);
  EXPECT_NEAR(world.state.u[0], 0.05, 1e-4);  // 5 mrad of 10 are gone through; the motor brakes from the same speed
}

TEST(Play, every_geared_motor_may_have_it_and_its_account_closes) {
  for (const drive::Kind kind : {drive::Kind::DcMotor, drive::Kind::Pmsm})
    for (const drive::Level level : {drive::Level::Fast, drive::Level::Full}) {
      DrivePlan d = default_drive(kind);
      d.level = level;
      d.gear = 50.0;
      d.spring = 400.0;
      d.backlash = 0.02;
      d.control = drive::Control::Position;
      d.encoder = drive::Encoder::Motor;
      d.shaper_speed = 5.0;
      d.shaper_accel = 50.0;
      d.friction = 1e-3;
      d.set[drive::command::position] = 1.0;
      World<double> world = make_world(axis(d, JointKind::Revolute, 5e-3));
      for (int k = 0; k < 5000; k++) world.step(1e-4);
      expect_account_closes(world);
      EXPECT_NEAR(world.state.q[0], 1.0, 0.05);
    }
}

// The load is held by its inertia; the motor pushes with more than the belt bears.
TEST(Slip, a_belt_gives_no_more_than_its_limit_and_the_motor_runs_on) {
  DrivePlan d = geared(drive::Control::Torque);
  d.backlash = 0.0;
  d.slip = 2.0;
  d.set[drive::command::torque] = 5.0;
  World<double> world = make_world(axis(d, JointKind::Revolute, 1e3));
  for (int k = 0; k < 2000; k++) world.step(1e-4);
  EXPECT_NEAR(memory_of(world, at::force), 2.0, 1e-9);
  // With 5 N m on 4.6e-3 kg m^2 the motor takes 3 ms to stretch the belt by 2 N m; from then on it gets these.
  EXPECT_LT(world.state.u[0], 2.0 * 0.2 / 1e3);
  EXPECT_GT(world.state.u[0], 2.0 * 0.197 / 1e3);
  EXPECT_GT(memory_of(world, at::slip), 0.1);
  EXPECT_NEAR(memory_of(world, at::motor_x) - world.state.q[0] - memory_of(world, at::slip), 2.0 / 400.0, 1e-9);
  expect_account_closes(world);
  ASSERT_EQ(sim::remarks_on_drives(world).size(), 1u);
  EXPECT_NE(sim::remarks_on_drives(world)[0].find("its belt has slipped by"), std::string::npos);
  d.slip = 1e3;
  World<double> holds = make_world(axis(d, JointKind::Revolute, 1e3));
  for (int k = 0; k < 2000; k++) holds.step(1e-4);
  EXPECT_EQ(memory_of(holds, at::slip), 0.0);
  EXPECT_GT(memory_of(holds, at::force), 4.0);
}

DrivePlan screw(drive::Control control) {
  DrivePlan d = default_drive(drive::Kind::SeriesElastic);
  d.control = control;
  d.lower_switch = -1.0;
  d.upper_switch = 1.0;
  return d;
}

// A load that hardly moves. With its sensor the loop leaves F_c / (1 + K_p) of friction, without it up to F_c.
TEST(Blind, without_its_force_sensor_a_drive_goes_by_its_current_within_friction) {
  DrivePlan d = screw(drive::Control::Torque);
  d.set[drive::command::torque] = 50.0;
  d.blind_from = 0.2;
  d.blind_until = 0.4;
  World<double> world = make_world(axis(d, JointKind::Prismatic, 1e9));
  const drive::Numbers<double>& n = world.params.drives[0];
  double worst[3] = {};
  for (int k = 0; k < 6000; k++) {
    world.step(1e-4);
    if (k % 2000 > 1000) worst[k / 2000] = std::max(worst[k / 2000], std::abs(memory_of(world, at::force) - 50.0));
    if (k == 3000) world.input.drive[drive::command::torque] = 50.0;
  }
  const double left = n.F_c / (1.0 + n.K_p);
  EXPECT_LT(worst[0], 1.1 * left);
  EXPECT_LT(worst[1], n.F_c * (1.0 + 1e-6));
  EXPECT_LT(worst[2], 1.1 * left);
  ASSERT_EQ(sim::remarks_on_drives(world).size(), 1u);
  EXPECT_NE(sim::remarks_on_drives(world)[0].find("without its force sensor 33 % of the time"), std::string::npos);
}

TEST(Blind, a_command_takes_the_sensor_away_and_gives_it_back) {
  DrivePlan d = screw(drive::Control::Torque);
  d.set[drive::command::torque] = 50.0;
  World<double> world = make_world(axis(d, JointKind::Prismatic, 1e9));
  for (int k = 0; k < 1000; k++) world.step(1e-4);
  EXPECT_EQ(memory_of(world, at::is_blind), 0.0);
  world.input.drive[drive::command::blind] = 1.0;
  world.input.drive[drive::command::torque] = 80.0;
  for (int k = 0; k < 6000; k++) world.step(1e-4);  // comes to rest from outside, ever slower
  const drive::Numbers<double>& n = world.params.drives[0];
  EXPECT_EQ(memory_of(world, at::is_blind), 1.0);
  EXPECT_NEAR(memory_of(world, at::force), 80.0, n.F_c * (1.0 + 1e-6));
  EXPECT_GT(std::abs(memory_of(world, at::force) - 80.0), n.F_c / (1.0 + n.K_p));  // nobody corrects it
  world.input.drive[drive::command::blind] = 0.0;
  for (int k = 0; k < 2000; k++) world.step(1e-4);
  EXPECT_NEAR(memory_of(world, at::force), 80.0, 1.1 * n.F_c / (1.0 + n.K_p));
}

// Position over force against an obstacle at 40 mm that is taken away: the load goes on with the speed of the shaper, and does not jump.
TEST(Release, the_shaper_begins_anew_where_the_obstacle_lets_go) {
  DrivePlan d = screw(drive::Control::PositionForce);
  d.kp = 2e4;
  d.kd = 360.0;
  d.grip = 60.0;
  d.shaper_speed = 0.3;
  d.shaper_accel = 5.0;
  d.set[drive::command::position] = 0.06;
  World<double> world = make_world(axis(d, JointKind::Prismatic, 2.0));
  double fastest = 0.0, pressed = 0.0;
  for (int k = 0; k < 10000; k++) {
    const double deep = world.state.q[0] - 0.04, u = world.state.u[0];
    const double wall = k < 5000 && deep > 0.0 ? std::max(2e5 * deep * (1.0 + u), 0.0) : 0.0;
    world.input.external[0] = {Vec3d::zero(), Vec3d(0, -wall, 0)};
    world.step(1e-4);
    if (k == 4999) pressed = memory_of(world, at::force);
    if (k >= 5000) fastest = std::max(fastest, std::abs(world.state.u[0]));
  }
  const drive::Numbers<double>& n = world.params.drives[0];
  EXPECT_NEAR(pressed, 60.0, n.F_c / (1.0 + n.K_p));
  // 360 N s/m and 2e4 N/m on 10 kg, motor and load, are a loop with the damping 0.4, which overshoots a jump of 0.3 m/s by 25 %.
  EXPECT_LT(fastest, 1.25 * 0.3);
  EXPECT_NEAR(world.state.q[0], 0.06, 1e-4);
}

// A crank under a load that the motor's friction holds.
TEST(Stick, friction_of_a_motor_behind_a_crank_holds_its_load) {
  DrivePlan d = default_drive(drive::Kind::Linear);
  d.transmission.kind = Mechanism::Knee;
  d.control = drive::Control::Current;
  Plan plan = axis(d, JointKind::Revolute, 0.05);
  plan.joints[0].position = {0.5};
  plan.gravity.g = Vec3d(0, 0, -9.81);
  plan.bodies[0].mass = 0.5;
  plan.bodies[0].com = Vec3d(0.05, 0, 0);  // 0.25 N m, 3.5 N at the crank of 0.07 m; friction 6.3 N
  World<double> world = make_world(plan);
  for (int k = 0; k < 400; k++) world.step(5e-4);
  const double early = world.state.q[0];
  EXPECT_NEAR(early, 0.5, 1e-3);
  for (int k = 0; k < 4000; k++) world.step(5e-4);
  EXPECT_NEAR(world.state.q[0], early, 1e-9);
  EXPECT_NEAR(world.state.u[0], 0.0, 1e-9);
  world.input.drive[drive::command::current] = 0.3;  // more than friction
  for (int k = 0; k < 400; k++) world.step(5e-4);
  EXPECT_GT(std::abs(world.state.q[0] - early), 1e-2);
}

// Gains that reckon with the load make it move as a motor of that inertia alone.
TEST(LoadInertia, gains_know_the_load) {
  constexpr double load = 5e-3, gear = 20.0;
  const auto end_of = [&](double rotor, double of_load, double told) {
    DrivePlan d = default_drive(drive::Kind::Pmsm);
    d.control = drive::Control::Position;
    d.gear = gear;
    d.inertia = rotor;
    d.load_inertia = told;
    d.friction = 0.0;
    d.set[drive::command::position] = 0.5;
    World<double> world = make_world(axis(d, JointKind::Revolute, of_load));
    std::vector<double> path;
    for (int k = 0; k < 3000; k++) {
      world.step(1e-4);
      path.push_back(world.state.q[0]);
    }
    return path;
  };
  const std::vector<double> alone = end_of(1.83e-6 + load / (gear * gear), 1e-12, 0.0),
                            knows = end_of(1.83e-6, load, load), guesses = end_of(1.83e-6, load, 0.0);
  double apart = 0.0;
  for (std::size_t k = 0; k < alone.size(); k++) apart = std::max(apart, std::abs(alone[k] - knows[k]));
  EXPECT_LT(apart, 1e-6);
  EXPECT_NEAR(knows.back(), 0.5, 2e-3);
  EXPECT_GT(std::abs(guesses.back() - 0.5), 0.05);  // seven times too soft
}

// On the shaft it counts what the motor does: the play is not seen.
TEST(ShaftEncoder, reads_the_motor_in_front_of_the_play) {
  DrivePlan d = geared(drive::Control::Position);
  d.set[drive::command::position] = 0.3;
  Plan plan = axis(d, JointKind::Revolute, 5e-3);
  SensorPlan s;
  s.name = "shaft";
  s.kind = SensorKind::IncrementalEncoder;
  s.joint = "axis";
  s.drive = "motor";
  s.counts = 1024;
  s.gear_ratio = 50.0;
  plan.sensors = {s, s};
  plan.sensors[1].name = "joint";
  plan.sensors[1].drive = "";
  plan.sensors[1].to_controller = false;
  add_sensor_memory(plan, 1e-4);
  World<double> world = make_world(plan);
  Sensors<double> sensors(world.model());
  sensors.sample({1, 0, 1e-4}, world);
  for (int k = 0; k < 3000; k++) {
    world.step(1e-4);
    sensors.sample({1, 0, 1e-4}, world);
  }
  const auto says = [&](int i) {
    return world.state.memory[std::size_t(world.model().sensors[std::size_t(i)].memory + SensorLayout::value)];
  };
  const double count = 2.0 * std::numbers::pi / (1024 * 50.0);
  EXPECT_NEAR(says(0), memory_of(world, at::motor_x), count);
  EXPECT_NEAR(says(1), world.state.q[0], count);
  EXPECT_GT(std::abs(says(0) - says(1)), 10.0 * count);
  plan.sensors[0].drive = "moter";
  EXPECT_EQ(problems_of(plan)[0].key, "sensor.shaft.drive");
}

TEST(Play, what_makes_no_sense_names_its_key) {
  const auto key = [](auto change) {
    DrivePlan d = geared(drive::Control::Position);
    change(d);
    const auto problems = problems_of(axis(d, JointKind::Revolute, 1.0));
    return problems.empty() ? std::string() : problems[0].key;
  };
  EXPECT_EQ(key([](DrivePlan&) {}), "");
  EXPECT_EQ(key([](DrivePlan& d) { d.spring = 0.0; }), "drive.motor.spring");
  EXPECT_EQ(key([](DrivePlan& d) { d.backlash = -1.0; }), "drive.motor.backlash");
  EXPECT_EQ(key([](DrivePlan& d) { d.slip = 0.0; }), "drive.motor.slip");
  EXPECT_EQ(key([](DrivePlan& d) { d.load_inertia = -1e-9; }), "drive.motor.load_inertia");
  EXPECT_EQ(key([](DrivePlan& d) { d.encoder = drive::Encoder::Joint; }), "drive.motor.encoder");
  EXPECT_EQ(key([](DrivePlan& d) { d.backlash = 0.0; }), "drive.motor.encoder");
  EXPECT_EQ(key([](DrivePlan& d) {
              d.kind = drive::Kind::Ideal;
              d.control = drive::Control::Torque;
            }),
            "drive.motor.backlash");
}

}  // namespace play_test
}  // namespace sinew::test
