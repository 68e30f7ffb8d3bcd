// A robot in a lane has the bits of the robot alone, for everything a step is made of.
#include <gtest/gtest.h>

#include "sinew/dynamics/articulated.h"
#include "sinew/dynamics/energy.h"
#include "sinew/dynamics/inverse.h"
#include "sinew/dynamics/mass.h"
#include "tests/support/bits.h"
#include "tests/support/random_plan.h"

namespace sinew {
namespace lanes_test {

using support::Dice;
using support::RandomRobot;
using support::same_bits;

// One robot's numbers, or a register of robots': filled and computed alike.
template <Real S>
struct Computed {
  Computed(const Model& model, const Params<S>& params)
      : params(params),
        q(model.nq),
        u(model.nu),
        tau(model.nu),
        diag(model.nu),
        external(model.links.size()),
        impulse(model.links.size()),
        driven(model),
        frames(model),
        blocks(model),
        u_rate(model.nu),
        torque(model.n_frame_axes),
        M(model.nu * model.nu),
        du(model.nu),
        V_du(model.links.size()) {}

  void compute(const Model& model, double t) {
    prescribe(model, params, t, driven);
    evaluate_frames(model, params, q.data(), u.data(), driven, frames);
    forward_dynamics(model, params, frames, {tau.data(), &external, diag.data()}, blocks, u_rate.data());
    a = blocks.a;
    InverseWork<S> inverse(model);
    inverse_dynamics(model, params, frames, {u_rate.data(), &external}, inverse, torque.data());
    MassWork<S> mass(model);
    mass_matrix(model, params, frames, mass, M.data());
    blocks.p = impulse;
    solve_impulse(model, frames, 0, model.link_count(), blocks, du.data());
    evaluate_velocities(model, frames, du.data(), driven, 0.5, V_du);
    energy = mechanics(model, params, frames);
    advance(model, u.data(), S(0.01), q.data());
  }

  Params<S> params;
  std::vector<S> q, u, tau, diag;
  std::vector<Wrench<S>> external, impulse;
  Prescribed<S> driven;
  Frames<S> frames;
  Blocks<S> blocks;
  std::vector<S> u_rate, torque, M, du;
  std::vector<Twist<S>> a, V_du;
  Mechanics<S> energy;
};

// Another state, other forces and another mass for every lane, written to the wide robots and to the single ones.
void fill(const Model& model, Dice& dice, int i, Computed<Lanes>& wide, Computed<double>& one) {
  const State<double> state = support::random_state(model, dice);
  const auto copy = [&](const std::vector<double>& from, std::vector<Lanes>& to, std::vector<double>& to_one) {
    to_one = from;
    for (std::size_t k = 0; k < from.size(); k++) to[k].set(i, from[k]);
  };
  copy(state.q, wide.q, one.q);
  copy(state.u, wide.u, one.u);
  copy(dice.numbers(model.nu, -5, 5), wide.tau, one.tau);
  copy(dice.numbers(model.nu, 0, 5), wide.diag, one.diag);
  for (std::size_t k = 0; k < model.links.size(); k++) {
    const Vec3d n = dice.vector(1), f = dice.vector(1), n2 = dice.vector(1), f2 = dice.vector(1);
    one.external[k] = {n, f}, one.impulse[k] = {n2, f2};
    for (int c = 0; c < 3; c++) {
      wide.external[k].n[c].set(i, n[c]), wide.external[k].f[c].set(i, f[c]);
      wide.impulse[k].n[c].set(i, n2[c]), wide.impulse[k].f[c].set(i, f2[c]);
    }
    const double m = one.params.links[k].I_F.m + dice.between(0.0, 1.0);
    one.params.links[k].I_F.m = m;
    wide.params.links[k].I_F.m.set(i, m);
  }
  for (std::size_t k = 0; k < one.params.armature.size(); k++) {
    one.params.armature[k] *= 1.0 + 0.3 * double(i);
    wide.params.armature[k].set(i, one.params.armature[k]);
  }
}

bool all_same(const std::vector<Lanes>& wide, int which, const std::vector<double>& one) {
  for (std::size_t k = 0; k < one.size(); k++)
    if (!same_bits(wide[k], which, one[k])) return false;
  return wide.size() == one.size();
}

bool frames_same(const Frames<Lanes>& wide, int which, const Frames<double>& one) {
  for (std::size_t k = 0; k < one.link.size(); k++) {
    const Frame<Lanes>& a = wide.link[k];
    const Frame<double>& b = one.link[k];
    if (!same_bits(a.X, which, b.X) || !same_bits(a.V, which, b.V) || !same_bits(a.V_b, which, b.V_b) ||
        !same_bits(a.coast, which, b.coast) || !same_bits(a.r, which, b.r))
      return false;
  }
  for (std::size_t k = 0; k < one.axis.size(); k++)
    if (!same_bits(wide.axis[k], which, one.axis[k])) return false;
  return true;
}

void expect_equal_bits(const RandomRobot& robot, std::uint64_t seed) {
  const Model& model = robot.model;
  Dice dice(seed);
  Computed<Lanes> wide(model, broadcast<Lanes>(robot.params));
  std::vector<Computed<double>> one(lane_count, Computed<double>(model, robot.params));
  for (int i = 0; i < lane_count; i++) fill(model, dice, i, wide, one[i]);
  wide.compute(model, robot.state.t);
  for (int i = 0; i < lane_count; i++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", lane " << i);
    Computed<double>& alone = one[i];
    alone.compute(model, robot.state.t);
    EXPECT_TRUE(frames_same(wide.frames, i, alone.frames));
    EXPECT_TRUE(all_same(wide.u_rate, i, alone.u_rate));
    EXPECT_TRUE(all_same(wide.torque, i, alone.torque));
    EXPECT_TRUE(all_same(wide.M, i, alone.M));
    EXPECT_TRUE(all_same(wide.du, i, alone.du));
    EXPECT_TRUE(all_same(wide.q, i, alone.q));
    for (std::size_t k = 0; k < model.links.size(); k++) {
      EXPECT_TRUE(same_bits(wide.a[k], i, alone.a[k]));
      EXPECT_TRUE(same_bits(wide.V_du[k], i, alone.V_du[k]));
      EXPECT_TRUE(same_bits(wide.blocks.a[k], i, alone.blocks.a[k]));
    }
    EXPECT_TRUE(same_bits(wide.energy.kinetic, i, alone.energy.kinetic));
    EXPECT_TRUE(same_bits(wide.energy.potential, i, alone.energy.potential));
    EXPECT_TRUE(same_bits(wide.energy.linear, i, alone.energy.linear));
    EXPECT_TRUE(same_bits(wide.energy.angular, i, alone.energy.angular));
  }
}

TEST(LanesInDynamics, every_result_has_the_bits_of_the_robot_alone) {
  for (std::uint64_t seed = 0; seed < 100; seed++) expect_equal_bits(RandomRobot(seed, 1 + int(seed % 12)), seed);
}

// A single robot takes such limbs side by side, a batch one after the other.
TEST(LanesInDynamics, links_of_one_robot_in_lanes_have_the_bits_of_links_alone) {
  int n_ranks = 0;
  for (std::uint64_t seed = 0; seed < 200; seed++) {
    const RandomRobot robot(seed, support::random_limbs(seed));
    n_ranks += int(robot.model.ranks.size());
    expect_equal_bits(robot, seed);
  }
  EXPECT_GT(n_ranks, 200);
}

TEST(LanesInDynamics, reflected_inertia_in_a_lane_has_the_bits_of_the_robot_alone) {
  for (std::uint64_t seed = 0; seed < 60; seed++) {
    Plan plan = support::random_limbs(seed);
    for (JointPlan& j : plan.joints) {
      const int n = joint::freedom_count(j.kind);
      if (n > 0 && joint::coordinate_count(j.kind) == n) j.armature.assign(n, 0.7);
    }
    expect_equal_bits(RandomRobot(seed, plan), seed);
  }
}

TEST(LanesInDynamics, transmissions_in_a_lane_have_the_bits_of_the_robot_alone) {
  int n = 0;
  for (std::uint64_t seed = 0; seed < 60; seed++) {
    Plan plan = support::random_limbs(seed);
    for (const JointPlan& j : plan.joints) {
      if (j.loop || (j.kind != JointKind::Universal && j.kind != JointKind::Revolute)) continue;
      TransmissionPlan t;
      t.name = t.joint = j.name;
      t.ratio = 3.0;
      t.reflected = 0.2;
      if (j.kind == JointKind::Universal) t.kind = Mechanism::Differential;
      plan.transmissions.push_back(t);
      n++;
    }
    expect_equal_bits(RandomRobot(seed, plan), seed);
  }
  EXPECT_GT(n, 50);
}

TEST(LanesInDynamics, an_angle_of_many_turns_in_one_lane_leaves_the_other_lanes) {
  Plan plan;
  BodyPlan body;
  body.name = "b";
  JointPlan joint;
  joint.name = "j", joint.child = "b", joint.p_child = {0.3, 0.0, 0.0};
  plan.bodies = {body}, plan.joints = {joint};
  const Compiled c = compile(plan);
  Dice dice(1);
  for (int trial = 0; trial < 200; trial++) {
    Prescribed<Lanes> driven(*c.model);
    Prescribed<double> driven_one(*c.model);
    Frames<Lanes> wide(*c.model);
    Frames<double> one(*c.model);
    const double angle = dice.between(-3.0, 3.0);
    Lanes q = angle;
    q.set(lane_count - 1, 1e6);
    const Lanes u = 1.0;
    const double u_one = 1.0;
    evaluate_frames(*c.model, broadcast<Lanes>(c.params), &q, &u, driven, wide);
    evaluate_frames(*c.model, c.params, &angle, &u_one, driven_one, one);
    ASSERT_TRUE(frames_same(wide, 0, one)) << "angle " << angle;
  }
}

}  // namespace lanes_test
}  // namespace sinew
