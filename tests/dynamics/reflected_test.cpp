// Reflected inertia in everything that knows the mass matrix: M + A, against the same robot without rotors, and against one
// with rotors that are bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/dynamics/energy.h"
#include "sinew/dynamics/inverse.h"
#include "sinew/dynamics/mass.h"
#include "sinew/dynamics/unsymmetric.h"
#include "tests/support/random_plan.h"

namespace sinew {
namespace reflected_test {

using support::Dice;
using support::RandomRobot;

Plan with_rotors(Plan plan, std::uint64_t seed) {
  Dice dice(seed + 77);
  for (JointPlan& j : plan.joints)
    if (joint::coordinate_count(j.kind) == joint::freedom_count(j.kind) && joint::freedom_count(j.kind) > 0)
      j.armature = dice.numbers(joint::freedom_count(j.kind), 0.0, 3.0);
  return plan;
}

// The same robot without and with rotors, in the same state.
struct Pair {
  explicit Pair(std::uint64_t seed)
      : plain(seed, support::random_limbs(seed)), geared(seed, with_rotors(plain.plan, seed)) {
    geared.state = plain.state;
    geared.evaluate();
  }
  std::vector<double> rotors() const {  // per freedom
    std::vector<double> A(geared.model.nu, 0.0);
    for (const JointInfo& j : geared.model.joints)
      for (int c = 0; c < j.n_axes && !j.driven; c++)
        A[geared.model.links[j.link].u + c] = geared.params.armature[j.axis + c];
    return A;
  }
  RandomRobot plain, geared;
};

std::vector<double> mass_of(const RandomRobot& robot) {
  std::vector<double> M(robot.model.nu * robot.model.nu);
  MassWork<double> work(robot.model);
  mass_matrix(robot.model, robot.params, robot.frames, work, M.data());
  return M;
}

std::vector<double> torques(const RandomRobot& robot, const std::vector<double>& u_rate) {
  InverseWork<double> work(robot.model);
  std::vector<double> torque(robot.model.n_frame_axes);
  inverse_dynamics<double>(robot.model, robot.params, robot.frames, {u_rate.data()}, work, torque.data());
  return torque;
}

TEST(ReflectedInertia, adds_to_the_diagonal_of_the_mass_matrix) {
  for (std::uint64_t seed = 0; seed < 60; seed++) {
    const Pair p(seed);
    const std::vector<double> M0 = mass_of(p.plain), M = mass_of(p.geared), A = p.rotors();
    const int n = p.plain.model.nu;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) EXPECT_DOUBLE_EQ(M[i * n + k], M0[i * n + k] + (i == k ? A[i] : 0.0)) << seed;
  }
}

TEST(ReflectedInertia, inverse_dynamics_gives_what_accelerates_the_rotors_too) {
  for (std::uint64_t seed = 0; seed < 60; seed++) {
    Pair p(seed);
    const std::vector<double> u_rate = p.plain.dice.numbers(p.plain.model.nu, -10.0, 10.0);
    const std::vector<double> without = torques(p.plain, u_rate), with = torques(p.geared, u_rate);
    for (const JointInfo& j : p.geared.model.joints)
      for (int c = 0; c < j.n_axes; c++) {
        const Link& link = p.geared.model.links[j.link];
        const double accel = link.driven ? p.geared.driven.u_rate[link.u + c] : u_rate[link.u + c];
        const double want = without[link.axis + c] + p.geared.params.armature[j.axis + c] * accel;
        EXPECT_NEAR(with[link.axis + c], want, 1e-12 * (1.0 + std::abs(want))) << "seed " << seed;
      }
  }
}

// Residual of the plain robot's own equations, with A du/dt as one more force. Round-off of some dozens of terms of up to 1e3.
TEST(ReflectedInertia, forward_dynamics_satisfies_the_equations_with_rotors) {
  for (std::uint64_t seed = 0; seed < 60; seed++) {
    Pair p(seed);
    const int n = p.plain.model.nu;
    const std::vector<double> tau = p.plain.dice.numbers(n, -10.0, 10.0), A = p.rotors();
    std::vector<double> u_rate(n), by_unsymmetric(n);
    Blocks<double> blocks(p.geared.model);
    forward_dynamics<double>(p.geared.model, p.geared.params, p.geared.frames, {tau.data()}, blocks, u_rate.data());
    const std::vector<double> need = torques(p.plain, u_rate);
    double scale = 1.0;
    for (const double x : need) scale = std::max(scale, std::abs(x));
    for (const Link& link : p.plain.model.links)
      for (int c = 0; c < joint::freedom_count(link.kind) && !link.driven; c++)
        EXPECT_NEAR(need[link.axis + c] + A[link.u + c] * u_rate[link.u + c], tau[link.u + c], 1e-10 * scale) << seed;

    UnsymmetricWork<double> work(p.geared.model);
    own_parts<double>(p.geared.model, p.geared.params, p.geared.frames, nullptr, work.own.data());
    begin_unsymmetric(work);
    solve_unsymmetric<double>(p.geared.model, p.geared.frames, tau.data(), nullptr, work, by_unsymmetric.data());
    for (int i = 0; i < n; i++) EXPECT_NEAR(by_unsymmetric[i], u_rate[i], 1e-9 * (1.0 + std::abs(u_rate[i]))) << seed;
  }
}

TEST(ReflectedInertia, rotors_have_kinetic_energy_and_no_momentum) {
  for (std::uint64_t seed = 0; seed < 60; seed++) {
    const Pair p(seed);
    double T = 0.0;
    for (const JointInfo& j : p.geared.model.joints)
      for (int c = 0; c < j.n_axes; c++) {
        const Link& link = p.geared.model.links[j.link];
        const double u = (link.driven ? p.geared.driven.u : p.geared.state.u)[link.u + c];
        T += 0.5 * p.geared.params.armature[j.axis + c] * u * u;
      }
    const Mechanics<double> without = mechanics(p.plain.model, p.plain.params, p.plain.frames);
    const Mechanics<double> with = mechanics(p.geared.model, p.geared.params, p.geared.frames);
    EXPECT_NEAR(with.kinetic, without.kinetic + T, 1e-12 * with.kinetic);
    for (int i = 0; i < 3; i++) {
      EXPECT_EQ(with.linear[i], without.linear[i]);
      EXPECT_EQ(with.angular[i], without.angular[i]);
    }
  }
}

// An arm of two links in a plane whose second motor sits on the first link. The rotor is a body of its own behind a gear, phi = N q_2, and the
// gear is eliminated: J^T M J q'' = J^T (tau - h), phi = N q_2. Its axis is across the plane (bevel gear) or parallel to the hinges.
struct GearedArm {
  static constexpr double I_r = 2e-4;
  Plan with_body, with_armature;
  double N;
  GearedArm(double ratio, bool is_parallel) : N(ratio) {
    const auto link = [](const char* name, double mass) {
      BodyPlan b;
      b.name = name, b.mass = mass, b.com = {0.25, 0, 0}, b.inertia = {0.01, 0, 0, 0.02, 0, 0.03};
      return b;
    };
    BodyPlan rotor;
    rotor.name = "rotor", rotor.mass = 0.4, rotor.inertia = Sym3d::diagonal(I_r);
    JointPlan shoulder, elbow, shaft;
    shoulder.name = "shoulder", shoulder.child = "upper", shoulder.position = {0.3}, shoulder.velocity = {1.5};
    elbow.name = "elbow", elbow.parent = "upper", elbow.child = "lower", elbow.p_parent = {0.5, 0, 0};
    elbow.position = {0.7}, elbow.velocity = {-2.0};
    shaft.name = "shaft", shaft.parent = "upper", shaft.child = "rotor", shaft.p_parent = {0.5, 0, 0};
    shaft.axis = is_parallel ? Vec3d(0, 0, 1) : Vec3d(1, 0, 0), shaft.velocity = {-2.0 * N};
    with_body.gravity.g = {0, -9.81, 0};
    with_body.bodies = {link("upper", 2.0), link("lower", 1.0), rotor};
    with_body.joints = {shoulder, elbow, shaft};
    with_armature = with_body;
    with_armature.joints[1].armature = {N * N * I_r};
    with_armature.joints[2].kind = JointKind::Weld;  // mass, and inertia across its own axis, remain
    with_armature.joints[2].velocity = {};
    if (is_parallel) return;
    with_armature.bodies[2].inertia = {0, 0, 0, I_r, 0, I_r};
  }

  struct Accelerations {
    double shoulder, elbow;
  };
  static constexpr double tau[2] = {3.0, 2.0};

  Accelerations of_body() const {
    const Compiled c = compile(with_body);
    const Model& m = *c.model;
    Prescribed<double> driven(m);
    Frames<double> frames(m);
    evaluate_frames(m, c.params, c.state.q.data(), c.state.u.data(), driven, frames);
    MassWork<double> work(m);
    double M[9], zero[3] = {}, h[3];
    mass_matrix(m, c.params, frames, work, M);
    InverseWork<double> inverse(m);
    inverse_dynamics<double>(m, c.params, frames, {zero}, inverse, h);
    const int s = m.links[m.joints[0].link].u, e = m.links[m.joints[1].link].u, r = m.links[m.joints[2].link].u;
    const auto at = [&](int i, int k) { return M[3 * i + k]; };
    const double a = at(s, s), b = at(s, e) + N * at(s, r), d = at(e, e) + 2.0 * N * at(e, r) + N * N * at(r, r);
    const double f = tau[0] - h[s], g = tau[1] - h[e] - N * h[r];
    return {(d * f - b * g) / (a * d - b * b), (a * g - b * f) / (a * d - b * b)};
  }
  Accelerations of_armature() const {
    const Compiled c = compile(with_armature);
    const Model& m = *c.model;
    Prescribed<double> driven(m);
    Frames<double> frames(m);
    evaluate_frames(m, c.params, c.state.q.data(), c.state.u.data(), driven, frames);
    Blocks<double> blocks(m);
    double u_rate[2], torque[2];
    const int s = m.links[m.joints[0].link].u, e = m.links[m.joints[1].link].u;
    torque[s] = tau[0];
    torque[e] = tau[1];
    forward_dynamics<double>(m, c.params, frames, {torque}, blocks, u_rate);
    return {u_rate[s], u_rate[e]};
  }
};

TEST(ReflectedInertia, equals_a_rotor_that_is_a_body_behind_a_bevel_gear) {
  for (const double N : {1.0, 10.0, 100.0}) {
    const GearedArm arm(N, false);
    const auto want = arm.of_body(), got = arm.of_armature();
    EXPECT_NEAR(got.shoulder, want.shoulder, 1e-11 * std::abs(want.shoulder)) << N;  // round-off of two ways
    EXPECT_NEAR(got.elbow, want.elbow, 1e-11 * std::abs(want.elbow)) << N;
  }
}

// With parallel axes the torque that speeds the rotor up turns the upper link back, N I_r against N^2 I_r: what is left out is as 1 / N.
TEST(ReflectedInertia, leaves_out_one_part_in_the_gear_ratio_where_axes_are_parallel) {
  const auto error = [](double N) {
    GearedArm arm(N, true);
    const double reflected = 0.05, I = reflected / (N * N);  // the same at the joint, whatever the ratio
    for (Plan* plan : {&arm.with_body, &arm.with_armature}) plan->bodies[2].inertia = Sym3d::diagonal(I);
    arm.with_armature.joints[1].armature = {reflected};
    return std::abs(arm.of_armature().elbow / arm.of_body().elbow - 1.0);
  };
  EXPECT_NEAR(error(50.0) / error(100.0), 2.0, 0.1);
  EXPECT_LT(error(100.0), 0.01);
}

}  // namespace reflected_test
}  // namespace sinew
