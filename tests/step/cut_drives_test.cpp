// Drives and rotors on joints that are cut (coordinates = "maximal"): they do what they do in a tree.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/model/drives.h"
#include "sinew/sim/drive_account.h"
#include "sinew/world/observe.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace cut_drives_test {

// Two bars under gravity, on hinges at the world and between them.
Plan arm() {
  Plan plan;
  plan.gravity.g = Vec3d(0, 0, -9.81);
  for (const char* name : {"upper", "lower"}) {
    BodyPlan body{.name = name, .mass = 0.4};
    body.com = {0.1, 0.01, -0.02};
    body.inertia = {2e-3, 1e-4, 0, 3e-3, 0, 2e-3};
    JointPlan j;
    j.name = body.name == "upper" ? "shoulder" : "elbow";
    j.parent = body.name == "upper" ? "world" : "upper";
    j.child = name;
    j.axis = {0, 1, 0};
    if (body.name == "lower") j.p_parent = {0.2, 0, 0};
    plan.bodies.push_back(body);
    plan.joints.push_back(j);
  }
  return plan;
}

Plan with(DrivePlan d, const char* joint = "elbow", JointKind kind = JointKind::Revolute) {
  Plan plan = arm();
  JointPlan& j = plan.joints[joint == std::string("elbow") ? 1 : 0];
  j.kind = kind;
  if (kind == JointKind::Universal) {
    j.axis2 = {1, 0, 0};
    j.motion = {{.amplitude = 0.25, .frequency = 2.0, .ramp = 0.1}, {.amplitude = 0.12, .frequency = 2.0, .ramp = 0.1}};
    j.drive = Drive::Device;
  }
  d.name = "motor";
  d.joint = joint;
  plan.drives = {d};
  return plan;
}

DrivePlan kind_of(drive::Kind kind, drive::Control control, double kp = 0.0, double kd = 0.0) {
  DrivePlan d = default_drive(kind);
  d.control = control;
  d.kp = kp;
  d.kd = kd;
  return d;
}

DrivePlan moved_by(Mechanism mechanism, MechanismModel how = MechanismModel::Jacobian) {
  const bool turns = mechanism == Mechanism::Differential;
  DrivePlan d = turns ? kind_of(drive::Kind::DcMotor, drive::Control::Impedance, 30.0, 2.0)
                      : kind_of(drive::Kind::Linear, drive::Control::Impedance, 2e4, 700.0);
  d.transmission.kind = mechanism;
  d.mechanism = how;
  return d;
}

Plan with_set(Plan plan, int command, double value) {
  plan.drives[0].set[std::size_t(command)] = value;
  return plan;
}

struct Case {
  const char* name;
  Plan plan;
};

std::vector<Case> cases() {
  using drive::Control;
  using drive::Kind;
  DrivePlan full = kind_of(Kind::Pmsm, Control::Impedance, 20.0, 0.5), play = full, at_once = full;
  full.level = drive::Level::Full;
  full.gear = play.gear = at_once.gear = 50.0;
  at_once.level = drive::Level::Ideal;
  play.backlash = 0.01;
  play.spring = 200.0;
  DrivePlan linear = kind_of(Kind::Linear, Control::Position),
            elastic = kind_of(Kind::SeriesElastic, Control::PositionForce, 2e4, 360.0);
  linear.shaper_speed = elastic.shaper_speed = 0.3;
  linear.shaper_accel = elastic.shaper_accel = 5.0;
  linear.load_inertia = 0.8;
  const auto at = [](Plan plan, double place) { return with_set(std::move(plan), drive::command::position, place); };
  Plan knee = with(moved_by(Mechanism::Knee));
  knee.joints[1].position = {0.5};
  knee.joints[1].drive = Drive::Device;
  knee.joints[1].motion = {{.offset = 0.5, .amplitude = 0.3, .frequency = 2.0, .ramp = 0.1}};
  return {{"ideal", at(with(kind_of(Kind::Ideal, Control::Impedance, 20.0, 0.5)), 0.4)},
          {"dc-motor", with_set(with(kind_of(Kind::DcMotor, Control::Voltage)), drive::command::voltage, 12.0)},
          {"pmsm full", at(with(full), 0.4)},
          {"pmsm at once", at(with(at_once, "shoulder"), 0.4)},
          {"play", at(with(play), 0.4)},
          {"linear", at(with(linear, "shoulder", JointKind::Prismatic), 0.02)},
          {"series-elastic", at(with(elastic, "shoulder", JointKind::Prismatic), 0.02)},
          {"two axes", with(kind_of(Kind::DcMotor, Control::Impedance, 30.0, 2.0), "elbow", JointKind::Universal)},
          {"differential", with(moved_by(Mechanism::Differential), "elbow", JointKind::Universal)},
          {"rods", with(moved_by(Mechanism::Parallel), "shoulder", JointKind::Universal)},
          {"knee", knee},
          {"rods as bodies",
           with(moved_by(Mechanism::Parallel, MechanismModel::Bodies), "shoulder", JointKind::Universal)}};
}

// Largest difference of a joint's coordinates, and of the electrical energy as a share.
struct Apart {
  double angle = 0.0, electrical = 0.0;
};
Apart compare(const Plan& plan, const std::string& method, double dt, double time) {
  World<double> tree = make_world(plan, {.stepper = method}),
                cut = make_world(plan, {.coordinates = Coordinates::Maximal, .stepper = method});
  Apart out;
  for (int k = 0; k < int(std::lround(time / dt)); k++) {
    EXPECT_TRUE(tree.step(dt).converged);
    EXPECT_TRUE(cut.step(dt).converged);
    const auto a = observe(tree), b = observe(cut);
    for (const JointPlan& j : plan.joints) {
      const int i = tree.model().joint(j.name);
      for (std::size_t c = 0; c < a.joints[std::size_t(i)].u.size(); c++)
        out.angle = std::max(out.angle, std::abs(a.joints[std::size_t(i)].q[c] - b.joints[std::size_t(i)].q[c]));
    }
  }
  const sim::DriveAccount of_tree = sim::account_of_drives(tree), of_cut = sim::account_of_drives(cut);
  out.electrical = std::abs(of_tree.electrical - of_cut.electrical) / std::abs(of_tree.electrical);
  return out;
}

TEST(CutDrives, a_drive_of_every_kind_moves_a_cut_joint_as_it_moves_that_of_a_tree) {
  for (Case& c : cases())
    for (const auto& [method, is_implicit] : {std::pair{"moreau", false}, {"moreau", true}, {"euler", true}}) {
      SCOPED_TRACE(c.name + std::string(" ") + method + (is_implicit ? " implicit" : ""));
      c.plan.implicit_servos = is_implicit;
      const Apart a = compare(c.plan, method, 2.5e-4, 0.1);
      EXPECT_LT(a.angle, 1e-3);  // what steps of this length leave; joints move by some tenths
      EXPECT_LT(a.electrical, 1e-3);
    }
}

// Without friction and servos the equations are the same: what Runge and Kutta's method finds is as well.
TEST(CutDrives, rotors_on_cut_joints_are_those_of_a_tree_to_round_off) {
  Plan plan = arm();
  plan.joints[0].armature = {0.02};
  plan.joints[1].armature = {0.05};
  TransmissionPlan rods;
  rods.name = "rods", rods.joint = "elbow", rods.kind = Mechanism::Parallel;
  rods.reflected = 8.0, rods.slider_mass = 0.02;
  Plan moved = arm();
  moved.joints[1].kind = JointKind::Universal;
  moved.joints[1].axis2 = {1, 0, 0};
  moved.joints[1].velocity = {2.0, 1.0};
  moved.transmissions = {rods};
  for (const Plan& p : {plan, moved}) {
    World<double> tree = make_world(p, {.stepper = "rk4"}),
                  cut = make_world(p, {.coordinates = Coordinates::Maximal, .stepper = "rk4"});
    EXPECT_NEAR(observe(tree).energy.kinetic, observe(cut).energy.kinetic, 1e-13);
    const double start = observe(cut).energy.total();
    for (int k = 0; k < 400; k++) {
      tree.step(5e-4);
      cut.step(5e-4);
    }
    const auto a = observe(tree), b = observe(cut);
    for (std::size_t j = 0; j < 2; j++)
      for (std::size_t c = 0; c < a.joints[j].u.size(); c++) {
        EXPECT_NEAR(a.joints[j].q[c], b.joints[j].q[c], 1e-9);
        EXPECT_NEAR(a.joints[j].u[c], b.joints[j].u[c], 1e-8);
      }
    EXPECT_NEAR(b.energy.total(), start, 1e-8);
  }
}

TEST(CutDrives, the_account_closes) {
  for (Case& c : cases()) {
    SCOPED_TRACE(c.name);
    c.plan.implicit_servos = true;
    World<double> world = make_world(c.plan, {.coordinates = Coordinates::Maximal});
    for (int k = 0; k < 1000; k++) ASSERT_TRUE(world.step(2e-4).converged);
    const sim::DriveAccount account = sim::account_of_drives(world);
    EXPECT_LT(std::abs(account.error), 1e-3 * account.electrical);
    EXPECT_LT(std::abs(observe(world).balance_error), 1e-3 * account.electrical);
    EXPECT_NEAR(world.state.work.actuators, account.work, 1e-3 * account.electrical);
  }
}

// More than a turn, which the angle between two bodies does not show.
TEST(CutDrives, a_drive_knows_how_often_its_cut_joint_has_turned) {
  Plan plan =
      with_set(with(kind_of(drive::Kind::DcMotor, drive::Control::Voltage), "shoulder"), drive::command::voltage, 12.0);
  plan.gravity.g = Vec3d::zero();
  plan.joints[0].position = {-9.0};
  World<double> tree = make_world(plan), cut = make_world(plan, {.coordinates = Coordinates::Maximal});
  for (int k = 0; k < 4000; k++) {
    tree.step(1e-3);
    cut.step(1e-3);
  }
  const double there = tree.state.memory[std::size_t(tree.model().drives[0].memory + drive::memory::x)];
  EXPECT_GT(there, -9.0 + 2.0 * 3.15);
  EXPECT_NEAR(cut.state.memory[std::size_t(cut.model().drives[0].memory + drive::memory::x)], there, 1e-3);
}

}  // namespace cut_drives_test
}  // namespace sinew::test
