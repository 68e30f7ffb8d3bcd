// Phases of contact, tails and flight (docs/theory/quadruped.md#other-phases-and-tails).
#include "robots/quadruped/walker.h"

#include <gtest/gtest.h>

#include <numbers>

#include "robots/quadruped/flight.h"
#include "tests/robots/quadruped/setup.h"

namespace sinew::legged {
namespace walker_test {

constexpr double pi = std::numbers::pi;

WalkerState walker_state(const GivenState& s) {
  const StanceState x = stance_of(s.q, s.u);
  WalkerState w;
  w.p = x.p, w.v = x.v, w.w = x.w, w.R = x.R;
  w.tail = {x.tail[0], x.tail[1]}, w.tail_rate = {x.tail_rate[0], x.tail_rate[1]};
  w.foot = reference_feet;
  return w;
}

WalkerTorques walker_torques(const Vec14& tau) {
  WalkerTorques t;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) t.leg[i][j] = tau[actuator_of[i][j]];
  t.tail = {tau[6], tau[7]};
  return t;
}

TEST(Walker, four_held_feet_are_the_stance_and_one_segment_is_the_pendulum) {
  std::mt19937_64 dice(21);
  for (int n = 0; n < 50; n++) {
    RandomState s = random_state(dice);
    const Stance stance = stance_at(s.robot, s);
    if (stance.reach != Reach::Good) continue;
    const Vec8 want = forward(s.robot, stance, s.tau);
    double size = 1.0;
    for (const double x : want) size = std::max(size, std::abs(x));
    for (const TailKind kind : {TailKind::Pendulum, TailKind::Segments}) {
      s.robot.tail.kind = kind;
      Walker walker(s.robot);
      ASSERT_TRUE(walker.evaluate(walker_state(s)));
      std::vector<double> a(walker.size());
      const WalkerTorques tau = walker_torques(s.tau);
      walker.forward(tau, a);
      for (int i = 0; i < 8; i++) EXPECT_NEAR(a[i], want[i], 1e-12 * size * 10);
      const Feet f = walker.foot_forces(a, tau), g = foot_forces(s.robot, stance, want, s.tau);
      for (int i = 0; i < 4; i++) EXPECT_LT(norm(f[i] - g[i]), 1e-9);
    }
  }
}

TEST(Walker, two_held_feet_accelerate_as_the_reference_value) {
  WalkerState s =
      walker_state({{0.21, 0.28, 0.4, 0.05, 0.03, -0.04, 0.2, -0.3}, {0.3, 0.5, -0.1, 0.2, -0.3, 0.4, 0.5, -0.6}, {}});
  s.mode = {LegMode::Held, LegMode::Free, LegMode::Held, LegMode::Free};
  s.theta[1] = {0.1, -0.6, 1.2}, s.theta[3] = {-0.05, -0.4, 1.0};
  s.theta_rate[1] = {1, -2, 1.5}, s.theta_rate[3] = {-0.5, 1.2, -1};
  WalkerTorques t;
  t.leg = {{{1, -2, 20}, {0.5, 3, 4}, {-1, 2, 25}, {-0.5, 2, 5}}}, t.tail = {-6, 1};
  Walker walker({});
  ASSERT_TRUE(walker.evaluate(s));
  std::vector<double> a(walker.size());
  walker.forward(t, a);
  const double want[14] = {-0.016470483,  0.783246492,   -1.932339403, 6.779497856,  10.53535588,
                           -10.84122435,  -7.759942644,  22.475264887, -0.57176846,  80.724990553,
                           204.646181807, -28.374904147, 29.609512761, 159.500394279};
  ASSERT_EQ(a.size(), 14u);
  for (int i = 0; i < 14; i++) EXPECT_NEAR(a[i], want[i], 1e-9 * 205);
}

TEST(Walker, a_segmented_tail_that_bends_together_tends_to_the_arc) {
  const auto tip_acceleration = [](int n) {
    GivenState s{{0.21, 0.29, 0.4, 0.0, 0.0, 0.0, 0.8, 0.0}, {0.1, 0.0, 0.05, 0.4, 0.0, 0.0, 1.5, 0.0}, {}};
    Quadruped robot;
    robot.tail.kind = n ? TailKind::Shared : TailKind::Arc;
    robot.tail.tip = 0.0;
    robot.tail.length.assign(std::max(n, 1), 0.6 / std::max(n, 1));
    robot.tail.mass.assign(std::max(n, 1), 1.4347 / std::max(n, 1));
    Walker walker(robot);
    walker.evaluate(walker_state(s));
    WalkerTorques tau = walker_torques({0, 0, 18, 18, 20, 20, -3, 0});
    std::vector<double> a(walker.size());
    walker.forward(tau, a);
    return a[6];
  };
  const double arc = tip_acceleration(0), coarse = tip_acceleration(12) - arc, fine = tip_acceleration(24) - arc;
  EXPECT_NEAR(coarse / fine, 4.0, 0.3);  // second order in 1/n for planar bending
}

TEST(Flight, pitch_by_the_tail_is_the_closed_form_and_turns_back) {
  std::array<LegAngles, 4> tuck;
  tuck.fill({0.0, -1.2, 0.6});
  const Quadruped robot;
  Walker walker(robot);
  WalkerState s = walker_state({});
  s.p = Vec3d::zero(), s.mode.fill(LegMode::Locked), s.theta = tuck;
  walker.evaluate(s);
  const Walker::Composite body = walker.composite();
  const double want[4][2] = {
      {pi / 4, -0.201986100}, {1.2, -0.299767299}, {pi / 2, -0.378308877}, {-pi / 2, 0.386490740}};
  for (const auto& [to, pitch] : want) {
    EXPECT_NEAR(pitch_by_tail(body, robot.tail, 0.0, to), pitch, 1e-9);
    EXPECT_NEAR(pitch_by_path(robot, tuck, to, 300), pitch, 1e-9);
    EXPECT_NEAR(tail_for_pitch(body, robot.tail, pitch, 2.0), to, 1e-7);
  }
  EXPECT_TRUE(std::isnan(tail_for_pitch(body, robot.tail, -2.0, 2.0)));
}

TEST(Flight, torques_of_the_tail_leave_the_momentum_and_do_the_work) {
  std::array<LegAngles, 4> tuck;
  tuck.fill({0.0, -1.2, 0.6});
  const TorqueFlight coarse = fly_torque({}, tuck, {}, 0.6, 4e-4), fine = fly_torque({}, tuck, {}, 0.6, 2e-4);
  EXPECT_NEAR(fine.end.tail[0], 1.570088091, 1e-8);
  EXPECT_NEAR(angles_of(to_matrix(fine.end.Q))[0], -0.378168415, 1e-8);
  EXPECT_LT(norm(fine.momentum), 1e-10);
  EXPECT_NEAR(std::log2(std::abs(coarse.energy_defect / fine.energy_defect)), 4.0, 0.5);
}

TEST(Flight, a_cone_rolls_the_robot_whatever_its_timing) {
  std::array<LegAngles, 4> tuck;
  tuck.fill({0.0, -1.2, 0.6});
  const ConePath slow{1.2, 2 * pi, {0.3, 1.2, 0.3}}, fast{1.2, 2 * pi, {0.2, 0.3, 0.1}};
  const Quatd a = turn_by_cone({}, tuck, slow, 3000), b = turn_by_cone({}, tuck, fast, 3000);
  EXPECT_NEAR(norm(quaternion_log(a)) * 180 / pi, 91.426131, 1e-5);
  EXPECT_NEAR(std::abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z), 1.0, 1e-12);
  const ConeFlight flown = fly_cone({}, tuck, Quatd::identity(), slow, 4e-4);
  EXPECT_NEAR(std::abs(a.w * flown.Q.w + a.x * flown.Q.x + a.y * flown.Q.y + a.z * flown.Q.z), 1.0, 1e-12);
  EXPECT_LT(flown.momentum_drift, 1e-8);
  EXPECT_LT(flown.com_error, 1e-8);
}

}  // namespace walker_test
}  // namespace sinew::legged
