// Drives that move a joint by rods or gears: by the Jacobian and as bodies, their account, limits and faults.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/model/compile.h"
#include "sinew/model/drives.h"
#include "sinew/report/report.h"
#include "sinew/sim/drive_account.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/step/devices.h"
#include "sinew/world/observe.h"
#include "tests/support/allocations.h"
#include "tests/support/resumed.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace moved_joint_test {

// A foot of 10 kg that hangs on an ankle and follows a slow sweep.
Plan ankle(DrivePlan d) {
  Plan plan;
  plan.gravity.g = Vec3d(0, 0, -9.81);
  BodyPlan foot{.name = "foot", .mass = 10.0};
  foot.com = {0.05, 0.01, -0.25};
  foot.inertia = {0.05, 0, 0, 0.06, 0, 0.04};
  JointPlan j;
  j.name = "ankle";
  j.kind = JointKind::Universal;
  j.child = "foot";
  j.axis = {0, 1, 0};
  j.axis2 = {1, 0, 0};
  j.motion = {{.amplitude = 0.25, .frequency = 0.5, .ramp = 0.5},
              {.amplitude = 0.12, .frequency = 0.5, .phase = 0.7, .ramp = 0.5}};
  j.drive = Drive::Device;
  plan.bodies = {foot};
  plan.joints = {j};
  d.name = "pair";
  d.joint = "ankle";
  plan.drives = {d};
  return plan;
}

DrivePlan rods(MechanismModel mechanism = MechanismModel::Jacobian) {
  DrivePlan d = default_drive(drive::Kind::Linear);
  d.transmission.kind = Mechanism::Parallel;
  d.mechanism = mechanism;
  d.control = drive::Control::Impedance;
  d.kp = 2e5;
  d.kd = 7e3;
  return d;
}

DrivePlan gears() {
  DrivePlan d = default_drive(drive::Kind::DcMotor);
  d.transmission.kind = Mechanism::Differential;
  d.control = drive::Control::Voltage;
  d.friction = 0.0;
  return d;
}

// A crank instead, on the first axis alone.
Plan knee(DrivePlan d) {
  Plan plan = ankle(d);
  JointPlan& j = plan.joints[0];
  j.kind = JointKind::Revolute;
  j.position = {0.5};
  j.motion = {{.offset = 0.5, .amplitude = 0.3, .frequency = 0.5, .ramp = 0.5}};
  plan.drives[0].transmission.kind = Mechanism::Knee;
  return plan;
}

std::vector<Plan> several() {
  DrivePlan full = rods(), elastic = default_drive(drive::Kind::SeriesElastic);
  full.level = drive::Level::Full;
  elastic.transmission.kind = Mechanism::Parallel;
  elastic.control = drive::Control::PositionForce;
  elastic.level = drive::Level::Full;
  elastic.kp = 2e4;
  elastic.kd = 360.0;
  DrivePlan geared = gears();
  geared.control = drive::Control::Impedance;
  geared.kp = 30.0;
  geared.kd = 2.0;
  return {ankle(full), ankle(elastic), ankle(geared), knee(full), ankle(rods(MechanismModel::Bodies))};
}

void advance(World<double>& world, double time, double dt) {
  for (int k = 0; k < int(std::lround(time / dt)); k++) ASSERT_TRUE(world.step(dt).converged);
}

// Electrical in = mechanical out + copper + friction + stored, to 0.1 % of what went in; what drives give is what the axes get.
TEST(MovedJoint, the_account_of_its_drives_closes) {
  int which = 0;
  for (Plan plan : several()) {
    SCOPED_TRACE(which++);
    for (const bool is_implicit : {false, true}) {
      plan.implicit_servos = is_implicit;
      World<double> world = make_world(plan);
      advance(world, 1.0, 2e-4);
      const sim::DriveAccount account = sim::account_of_drives(world);
      EXPECT_GT(account.electrical, 0.1);
      EXPECT_LT(std::abs(account.error), 1e-3 * account.electrical);
      EXPECT_LT(std::abs(observe(world).balance_error), 1e-3 * account.electrical);
      const double closing =
          plan.drives[0].mechanism == MechanismModel::Bodies ? 1e-4 : 1e-9;  // of loops, after a step
      EXPECT_NEAR(world.state.work.actuators, account.work, closing * account.electrical);
    }
  }
}

// Forces and currents over the same sweep, as the largest difference over the largest value.
TEST(MovedJoint, by_jacobian_and_as_bodies_its_drives_do_the_same_within_one_per_cent) {
  for (const bool is_knee : {false, true}) {
    SCOPED_TRACE(is_knee);
    std::vector<World<double>> worlds;
    for (const MechanismModel mechanism : {MechanismModel::Jacobian, MechanismModel::Bodies}) {
      DrivePlan d = rods(mechanism);
      d.friction = 0.0;
      worlds.push_back(make_world(is_knee ? knee(d) : ankle(d)));
    }
    double apart[3] = {}, most[3] = {};
    for (int k = 0; k < 100; k++) {
      for (World<double>& world : worlds) advance(world, 0.02, 5e-4);
      for (std::size_t i = 0; i < worlds[0].model().drives.size(); i++) {
        double value[2][3];
        for (std::size_t w = 0; w < 2; w++) {
          const double* own = worlds[w].state.memory.data() + worlds[w].model().drives[i].memory;
          value[w][0] = own[drive::memory::torque];
          value[w][1] = own[drive::memory::i_q];
          value[w][2] = own[drive::memory::x];
        }
        for (int c = 0; c < 3 && k > 20; c++) {
          apart[c] = std::max(apart[c], std::abs(value[1][c] - value[0][c]));
          most[c] = std::max(most[c], std::abs(value[0][c]));
        }
      }
    }
    EXPECT_GT(most[0], 30.0);
    EXPECT_GT(most[2], 0.01);
    for (int c = 0; c < 3; c++) EXPECT_LT(apart[c], 0.01 * most[c]) << c;
    EXPECT_NEAR(observe(worlds[0]).joints[0].q[0], observe(worlds[1]).joints[0].q[0], 2e-3);
  }
}

// a = pitch + yaw, b = pitch - yaw: with the same voltage the hinge pitches, with opposite ones it yaws, each with twice one motor's torque.
TEST(MovedJoint, both_axes_of_a_differential_see_twice_one_motors_torque) {
  for (const int axis : {0, 1}) {
    Plan plan = ankle(gears());
    plan.gravity.g = Vec3d::zero();
    plan.bodies[0].com = Vec3d::zero();
    World<double> world = make_world(plan);
    ASSERT_EQ(world.model().drives.size(), 2u);
    EXPECT_EQ(world.model().drives[0].name, "pair.1");
    EXPECT_EQ(world.model().drives[1].name, "pair.2");
    world.input.drive[drive::command::voltage] = 6.0;
    world.input.drive[drive::command::size + drive::command::voltage] = axis == 0 ? 6.0 : -6.0;
    advance(world, 1e-6, 1e-6);
    const DrivePlan& d = plan.drives[0];
    const double one = d.efficiency * d.gear * d.torque_constant * 6.0 / d.resistance;
    const auto seen = observe(world);
    EXPECT_NEAR(seen.joints[0].torque[axis], 2.0 * one, 1e-6 * one);
    EXPECT_NEAR(seen.joints[0].torque[1 - axis], 0.0, 1e-12);
    advance(world, 0.2, 1e-3);
    const double* memory = world.state.memory.data();
    const double a = memory[world.model().drives[0].memory + drive::memory::x],
                 b = memory[world.model().drives[1].memory + drive::memory::x];
    EXPECT_GT(std::abs(world.state.q[axis]), 0.01);
    EXPECT_NEAR(0.5 * (a + b), world.state.q[0], 1e-12);
    EXPECT_NEAR(0.5 * (a - b), world.state.q[1], 1e-12);
  }
}

// Rotors turn with both axes: the inertia of each axis is that of two of them, and the torque of both drives acts on it.
TEST(MovedJoint, rotors_are_in_the_mass_of_the_joint) {
  Plan plan = ankle(gears());
  plan.gravity.g = Vec3d::zero();
  plan.bodies[0].com = Vec3d::zero();
  const Plan made = sinew::with_drives(plan);
  ASSERT_EQ(made.transmissions.size(), 1u);
  EXPECT_NEAR(made.transmissions[0].reflected, 251.0 * 251.0 * 1.1e-6, 1e-12);
  EXPECT_TRUE(made.joints[0].armature.empty());
  World<double> world = make_world(plan);
  for (const int i : {0, 1}) world.input.drive[std::size_t(i * drive::command::size + drive::command::voltage)] = 6.0;
  const DrivePlan& d = plan.drives[0];
  const double torque = 2.0 * d.efficiency * d.gear * d.torque_constant * 6.0 / d.resistance;
  advance(world, 1e-6, 1e-6);
  EXPECT_NEAR(world.state.u[0], 1e-6 * torque / (0.06 + 2.0 * made.transmissions[0].reflected), 1e-12);
}

// A torque that is commanded on the joint reaches it through drives of kind ideal unchanged.
TEST(MovedJoint, torques_commanded_on_it_are_set_points_of_its_drives) {
  for (const MechanismModel mechanism : {MechanismModel::Jacobian, MechanismModel::Bodies}) {
    DrivePlan d = default_drive(drive::Kind::Ideal);
    d.transmission.kind = Mechanism::Parallel;
    d.transmission.slider_mass = d.rod_mass = 1e-6;
    d.mechanism = mechanism;
    Plan driven = ankle(d), free = driven;
    free.drives.clear();
    free.joints[0].drive = Drive::None;
    free.joints[0].motion.clear();
    World<double> a = make_world(driven), b = make_world(free);
    for (int k = 0; k < 200; k++) {
      for (World<double>* world : {&a, &b}) {
        world->input.torque[0] = 3.0;
        world->input.torque[1] = -2.0;
        world->step(1e-4);
      }
    }
    const auto one = observe(a), other = observe(b);
    for (int i = 0; i < 2; i++)
      EXPECT_NEAR(one.joints[0].q[i], other.joints[0].q[i], 1e-5 * std::abs(other.joints[0].q[i]));
  }
}

TEST(MovedJoint, a_lane_equals_a_run_of_its_own) {
  int which = 0;
  for (Plan plan : several()) {
    SCOPED_TRACE(which++);
    for (const bool is_implicit : {false, true}) {
      plan.implicit_servos = is_implicit;
      World<double> one = make_world(plan);
      World<Lanes> wide = widen(one);
      for (int k = 0; k < 100; k++) {
        one.step(3e-4);
        wide.step(3e-4);
      }
      EXPECT_EQ(hash(lane_state(wide.state, 2)), hash(one.state));
    }
  }
}

TEST(MovedJoint, drives_allocate_nothing_in_a_step) {
  if (!are_allocations_counted()) GTEST_SKIP();
  for (const Plan& plan : several()) {
    World<double> world = make_world(plan);
    EXPECT_EQ(count_allocations([&] {
                for (int k = 0; k < 100; k++) world.step(1e-4);
              }),
              0);
  }
}

TEST(MovedJoint, implicit_and_explicit_steps_agree_as_the_step_shrinks) {
  const Plan plan = ankle([] {
    DrivePlan d = gears();
    d.set[drive::command::voltage] = 3.0;
    return d;
  }());
  double before = 1e9;
  for (const double dt : {2e-3, 1e-3, 5e-4}) {
    double end[2][2];
    for (const bool is_implicit : {false, true}) {
      Plan of_way = plan;
      of_way.implicit_servos = is_implicit;
      World<double> world = make_world(of_way);
      advance(world, 0.2, dt);
      for (int i = 0; i < 2; i++) end[is_implicit][i] = world.state.q[std::size_t(i)];
    }
    const double apart = std::max(std::abs(end[0][0] - end[1][0]), std::abs(end[0][1] - end[1][1]));
    EXPECT_LT(apart, before / 1.7);
    before = apart;
  }
}

TEST(MovedJoint, a_run_goes_on_as_if_it_had_never_stopped) {
  for (const char* mechanism : {"mechanism=jacobian", "mechanism=bodies"}) {
    const std::vector<std::string> set{mechanism};
    expect_resumed_run_is_the_same(shipped("drive/ankle-sweep", set), 0.1);
  }
}

// The motion asks for more than the ball joints of the rods let happen.
TEST(MovedJoint, a_drive_whose_rod_leans_too_far_stops_and_says_so) {
  for (const MechanismModel mechanism : {MechanismModel::Jacobian, MechanismModel::Bodies}) {
    Plan plan = knee(rods(mechanism));
    plan.gravity.g = Vec3d::zero();
    plan.joints[0].position = {1.5};
    plan.joints[0].velocity = {0.8};
    plan.joints[0].motion = {{.offset = 1.5, .rate = 0.8}};
    plan.drives[0].lower_switch = -1.0;
    plan.drives[0].upper_switch = 1.0;
    const double stop = std::acos((0.0585 - 0.16 * std::sin(0.45)) / 0.07) - plan.drives[0].transmission.angle;
    World<double> world = make_world(plan);
    const double& fault = world.state.memory[std::size_t(world.model().drives[0].memory + drive::memory::fault)];
    for (int k = 0; k < 4000 && fault == 0.0; k++) world.step(5e-4);
    EXPECT_EQ(fault, double(drive::Fault::Rod));
    const double at = observe(world).joints[0].q[0];
    ASSERT_EQ(sim::remarks_on_drives(world).size(), 1u);
    EXPECT_NE(sim::remarks_on_drives(world)[0].find("drive pair: stopped because its rod leans"), std::string::npos);
    EXPECT_NEAR(at, stop, 1e-2);
  }
}

TEST(MovedJoint, what_does_not_fit_names_its_key) {
  const auto key = [](const Plan& plan, Coordinates c = Coordinates::Tree) {
    const auto problems = problems_of(plan, c);
    return problems.empty() ? std::string() : problems[0].key;
  };
  const auto with = [&](auto change) {
    Plan plan = ankle(rods());
    change(plan);
    return key(plan);
  };
  for (const Plan& plan : several()) EXPECT_EQ(key(plan), "");
  EXPECT_EQ(with([](Plan& p) {
              p.joints[0].kind = JointKind::Revolute;
              p.joints[0].motion.clear();
            }),
            "drive.pair.transmission");
  EXPECT_EQ(with([](Plan& p) { p.drives[0].transmission.kind = Mechanism::Knee; }), "drive.pair.transmission");
  EXPECT_EQ(with([](Plan& p) { p.drives[0].transmission.kind = Mechanism::Differential; }), "drive.pair.transmission");
  EXPECT_EQ(with([](Plan& p) {
              p.drives[0].transmission.rod = 0.01;
              p.joints[0].position = {0.6, 0.0};
            }),
            "drive.pair.rod");  // does not reach
  EXPECT_EQ(with([](Plan& p) { p.drives[0].transmission.moving = {0.5, 0.0, 0.0}; }), "drive.pair.rod");
  EXPECT_EQ(with([](Plan& p) { p.joints[0].position = {2.2, 0.0}; }), "drive.pair.rod");  // leans by 0.7 rad
  EXPECT_EQ(with([](Plan& p) { p.drives[0].transmission.base = {0.1, 0.2}; }), "drive.pair.base");
  EXPECT_EQ(with([](Plan& p) { p.drives[0].transmission.along = Vec3d::zero(); }), "drive.pair.along");
  EXPECT_EQ(with([](Plan& p) { p.drives[0].transmission.slider_mass = -1.0; }), "drive.pair.slider_mass");
  EXPECT_EQ(with([](Plan& p) { p.drives[0].kind = drive::Kind::Servo; }), "drive.pair.transmission");
  const auto bodies = [&](auto change) {
    Plan plan = ankle(rods(MechanismModel::Bodies));
    change(plan.drives[0]);
    return key(plan);
  };
  EXPECT_EQ(bodies([](DrivePlan& d) { d.rod_mass = 0.0; }), "drive.pair.rod_mass");
  EXPECT_EQ(bodies([](DrivePlan& d) { d.transmission.slider_mass = 0.0; }), "drive.pair.slider_mass");
  EXPECT_EQ(bodies([](DrivePlan& d) {
              d.kind = drive::Kind::Pmsm;
              d.transmission.kind = Mechanism::Differential;
            }),
            "drive.pair.mechanism");
  EXPECT_EQ(key(ankle(rods()), Coordinates::Maximal), "");
  const std::vector<std::string> unknown{"drive.ankle.rods=0.2"};
  EXPECT_THROW(shipped("drive/ankle-sweep", unknown), InputError);
}

}  // namespace moved_joint_test
}  // namespace sinew::test
