// Several robots in one register: each lane is bit for bit what the same robot computes alone.
#include <gtest/gtest.h>

#include "tests/support/worlds.h"

namespace sinew::test {
namespace lanes_test {

// The same robot with other numbers: masses, stiffness, gains, motions, gravity, start.
Plan varied(Plan plan, int lane) {
  const double s = 1.0 + 0.07 * lane;
  for (BodyPlan& b : plan.bodies) {
    b.mass *= s;
    Sym3d& I = b.inertia;
    for (double* x : {&I.xx, &I.xy, &I.xz, &I.yy, &I.yz, &I.zz}) *x *= s * s;
  }
  for (JointPlan& j : plan.joints) {
    for (auto* values : {&j.stiffness, &j.damping, &j.kp, &j.kd, &j.limit})
      for (double& x : *values) x *= s;
    for (Motion<double>& m : j.motion) m.amplitude *= s, m.frequency *= s, m.phase += 0.1 * lane;
    for (double& x : j.velocity) x *= s;
    if (joint::coordinate_count(j.kind) == joint::freedom_count(j.kind))
      for (double& x : j.position) x *= 1.0 - 0.02 * lane;
  }
  plan.gravity.g = plan.gravity.g * s;
  return plan;
}

template <class Wide, class One>
void set_each(std::vector<Wide>& wide, const std::vector<One>& one, void (*set)(Wide&, const One&, int), int lane) {
  for (std::size_t i = 0; i < wide.size(); i++) set(wide[i], one[i], lane);
}

void set_vector(Vec3<Lanes>& a, const Vec3d& b, int lane) {
  for (int i = 0; i < 3; i++) a[i].set(lane, b[i]);
}
void set_pose(Pose<Lanes>& a, const Posed& b, int lane) {
  for (int i = 0; i < 3; i++) set_vector(a.R.col(i), b.R.col(i), lane);
  set_vector(a.p, b.p, lane);
}
void set_link(LinkParams<Lanes>& a, const LinkParams<double>& b, int lane) {
  set_pose(a.X_PJ, b.X_PJ, lane);
  set_vector(a.c_F, b.c_F, lane);
  a.I_F.m.set(lane, b.I_F.m);
  set_vector(a.I_F.mc, b.I_F.mc, lane);
  Sym3<Lanes>& I = a.I_F.I;
  const Sym3d& J = b.I_F.I;
  I.xx.set(lane, J.xx), I.xy.set(lane, J.xy), I.xz.set(lane, J.xz);
  I.yy.set(lane, J.yy), I.yz.set(lane, J.yz), I.zz.set(lane, J.zz);
}
void set_cut(CutParams<Lanes>& a, const CutParams<double>& b, int lane) {
  set_pose(a.X_1J, b.X_1J, lane), set_pose(a.X_2F, b.X_2F, lane);
}
void set_spring(Spring<Lanes>& a, const Spring<double>& b, int lane) { a.k.set(lane, b.k), a.d.set(lane, b.d); }
void set_servo(Servo<Lanes>& a, const Servo<double>& b, int lane) {
  a.kp.set(lane, b.kp), a.kd.set(lane, b.kd), a.limit.set(lane, b.limit);
  a.no_load_speed.set(lane, b.no_load_speed), a.play.set(lane, b.play);
}
void set_motion(Motion<Lanes>& a, const Motion<double>& b, int lane) {
  a.offset.set(lane, b.offset), a.rate.set(lane, b.rate), a.amplitude.set(lane, b.amplitude);
  a.frequency.set(lane, b.frequency), a.phase.set(lane, b.phase), a.ramp.set(lane, b.ramp);
}
void set_number(Lanes& a, const double& b, int lane) { a.set(lane, b); }

void set_params(Params<Lanes>& wide, const Params<double>& one, int lane) {
  set_each(wide.links, one.links, set_link, lane);
  set_each(wide.cuts, one.cuts, set_cut, lane);
  set_each(wide.springs, one.springs, set_spring, lane);
  set_each(wide.rest, one.rest, set_number, lane);
  set_each(wide.servos, one.servos, set_servo, lane);
  set_each(wide.motions, one.motions, set_motion, lane);
  set_vector(wide.gravity.g, one.gravity.g, lane);
}

// Commands from outside differ as well.
void command(World<double>& world, int lane) {
  for (std::size_t i = 0; i < world.input.torque.size(); i++) world.input.torque[i] = 0.01 * double(i) * (lane - 1);
  for (auto& F : world.input.external)
    F = {Vec3d(0.01, 0.02, 0.0) * double(lane), Vec3d(0.1, 0.0, -0.1) * double(lane)};
}

World<Lanes> pack(const std::vector<World<double>>& robots) {
  World<Lanes> wide = widen(robots[0]);
  for (int i = 0; i < lane_count; i++) {
    set_params(wide.params, robots[i].params, i);
    set_lane_state(wide.state, i, robots[i].state);
    set_each(wide.input.torque, robots[i].input.torque, set_number, i);
    for (std::size_t b = 0; b < wide.input.external.size(); b++) {
      set_vector(wide.input.external[b].n, robots[i].input.external[b].n, i);
      set_vector(wide.input.external[b].f, robots[i].input.external[b].f, i);
    }
  }
  return wide;
}

void expect_equal_bits(const Plan& plan, const WorldOptions& options) {
  std::vector<World<double>> robots;
  for (int i = 0; i < lane_count; i++) {
    robots.push_back(make_world(varied(plan, i), options));
    command(robots.back(), i);
  }
  World<Lanes> wide = pack(robots);
  for (int k = 0; k < 300; k++) wide.step(1e-3);
  for (int i = 0; i < lane_count; i++) {
    for (int k = 0; k < 300; k++) robots[i].step(1e-3);
    EXPECT_EQ(hash(wide.state, i), hash(robots[i].state)) << "lane " << i;
    EXPECT_EQ(hash(lane_state(wide.state, i)), hash(robots[i].state)) << "lane " << i;
    EXPECT_TRUE(std::isfinite(observe(robots[i]).energy.total()));
    for (int j = 0; j < i; j++) EXPECT_NE(hash(wide.state, i), hash(wide.state, j)) << "the lanes do not differ";
  }
}

TEST(Lanes, every_lane_equals_the_robot_alone_bit_for_bit) {
  for (const Stepper& stepper : fixed_steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      expect_equal_bits(mixed_chain(), {c, stepper.name});
      expect_equal_bits(floating_chain(), {c, stepper.name});
    }
}

TEST(Lanes, loops_drives_springs_and_servos_do_not_break_the_equality) {
  for (const Stepper& stepper : fixed_steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      expect_equal_bits(everything(), {c, stepper.name});
      expect_equal_bits(bricard(), {c, stepper.name});
    }
}

// A servo at its limit in one lane and inside in another: a mask chooses, no branch.
TEST(Lanes, robots_on_different_sides_of_a_limit_share_a_register) {
  for (const Stepper& stepper : fixed_steppers()) {
    SCOPED_TRACE(stepper.name);
    Plan plan = pinned_rod();
    plan.joints[0].drive = Drive::Servo;
    plan.joints[0].motion = {{.offset = 0.1}};
    plan.joints[0].kp = {60}, plan.joints[0].kd = {4}, plan.joints[0].limit = {5.0};
    plan.joints[0].velocity = {0.5};
    expect_equal_bits(plan, {Coordinates::Tree, stepper.name});
    expect_equal_bits(plan, {Coordinates::Maximal, stepper.name});
  }
}

}  // namespace lanes_test
}  // namespace sinew::test
