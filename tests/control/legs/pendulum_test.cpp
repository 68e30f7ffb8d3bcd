#include "sinew/control/legs/pendulum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sinew/control/legs/capture_feedback.h"
#include "sinew/control/legs/footsteps.h"
#include "sinew/control/legs/preview.h"

namespace sinew::legged {
namespace pendulum_test {

const double w = pendulum_rate(0.68, 9.81);

// x'' = w^2 (x - p) by the classical method of Runge and Kutta, which knows nothing of exponentials.
PendulumState integrated(PendulumState s, const ZmpStretch& z, int n) {
  const double h = z.time / n, d = (z.to - z.from) / z.time;
  const auto slope = [&](const PendulumState& at, double t) {
    return PendulumState{at.v, w * w * (at.x - z.from - d * t)};
  };
  const auto moved = [](const PendulumState& a, const PendulumState& k, double by) {
    return PendulumState{a.x + by * k.x, a.v + by * k.v};
  };
  for (int i = 0; i < n; i++) {
    const double t = i * h;
    const PendulumState k1 = slope(s, t), k2 = slope(moved(s, k1, 0.5 * h), t + 0.5 * h);
    const PendulumState k3 = slope(moved(s, k2, 0.5 * h), t + 0.5 * h), k4 = slope(moved(s, k3, h), t + h);
    s = {s.x + h / 6.0 * (k1.x + 2.0 * k2.x + 2.0 * k3.x + k4.x),
         s.v + h / 6.0 * (k1.v + 2.0 * k2.v + 2.0 * k3.v + k4.v)};
  }
  return s;
}

std::vector<ZmpStretch> side_to_side() {
  return {{2.0, 0.0, 0.0},     {0.2, 0.0, 0.09},  {0.6, 0.09, 0.09}, {0.2, 0.09, -0.09},
          {0.6, -0.09, -0.09}, {0.2, -0.09, 0.0}, {2.0, 0.0, 0.0}};
}

TEST(Pendulum, the_closed_form_is_what_integration_gives) {
  const ZmpStretch z{0.7, 0.02, -0.05};
  const PendulumState exact = swing({0.01, -0.1}, z, z.time, w), numeric = integrated({0.01, -0.1}, z, 2000);
  EXPECT_NEAR(exact.x, numeric.x, 1e-10);
  EXPECT_NEAR(exact.v, numeric.v, 1e-10);
}

TEST(Pendulum, a_plan_is_the_closed_form_and_goes_on_without_a_jump) {
  const std::vector<ZmpStretch> z = side_to_side();
  std::vector<ComStretch> plan(z.size());
  plan_com(z, 0.0, w, plan);
  for (std::size_t i = 0; i < plan.size(); i++) {
    const PendulumState start{plan[i].x, w * (plan[i].xi - plan[i].x)};
    for (int k = 0; k <= 20; k++) {
      const double t = z[i].time * k / 20.0;
      const ComPoint c = com_at(plan[i], t, w);
      const PendulumState exact = swing(start, z[i], t, w);
      EXPECT_NEAR(c.x, exact.x, 1e-9);
      EXPECT_NEAR(c.v, exact.v, 1e-9);
      EXPECT_NEAR(c.x - c.a / (w * w), c.p, 1e-12);
    }
    if (i + 1 == plan.size()) continue;
    const ComPoint end = com_at(plan[i], z[i].time, w), next = com_at(plan[i + 1], 0.0, w);
    EXPECT_NEAR(end.x, next.x, 1e-15);
    EXPECT_NEAR(end.v, next.v, 1e-12);
  }
}

TEST(Pendulum, a_plan_starts_nearly_at_rest_after_a_long_stand_and_ends_over_its_last_point) {
  const std::vector<ZmpStretch> z = side_to_side();
  std::vector<ComStretch> plan(z.size());
  plan_com(z, 0.0, w, plan);
  EXPECT_LT(std::abs(com_at(plan, 0.0, w).v), 2e-4);  // 0.09 w e^(-2 w)
  EXPECT_NEAR(com_at(plan, 60.0, w).x, 0.0, 1e-12);
  EXPECT_NEAR(com_at(plan, 60.0, w).v, 0.0, 1e-12);
  const ComPoint end = com_at(plan, 5.79999, w), later = com_at(plan, 5.80001, w);
  EXPECT_NEAR(end.x, later.x, 1e-6);
  EXPECT_NEAR(end.v, later.v, 1e-6);
}

TEST(Pendulum, a_pendulum_whose_capture_point_is_its_zmp_comes_to_rest_there) {
  const PendulumState s{0.0, 0.3};
  const double xi = capture_point(s, w);
  EXPECT_NEAR(swing(s, {3.0, xi, xi}, 3.0, w).x, xi, 1e-5);
  EXPECT_GT(swing(s, {3.0, 0.9 * xi, 0.9 * xi}, 3.0, w).x, 1.0);  // short of it: it falls
}

TEST(Preview, a_reference_known_ahead_moves_the_mass_centre_before_it_changes) {
  const CartTable cart;
  const PreviewGains gains = preview_gains(cart);
  ASSERT_TRUE(gains.problem.empty());
  std::vector<double> p(400, 0.0);
  p.resize(1200, 0.1);
  CartState s;
  double before = 0.0;
  for (int k = 0; k < 800; k++) {
    if (k == 399) before = s.x;
    choose_jerk(cart, gains, {p.data() + k, 321}, s);
    s = cart_after(s, cart.T);
  }
  EXPECT_GT(before, 0.03);
  EXPECT_NEAR(s.x, 0.1, 1e-4);
  EXPECT_NEAR(cart_zmp(cart, s), 0.1, 1e-4);
}

TEST(Preview, gains_weigh_a_constant_reference_as_the_state_that_rests_on_it) {
  CartTable cart;
  cart.z_c = 0.6;
  cart.horizon = 2000;
  const PreviewGains gains = preview_gains(cart);
  double sum = 0.0;
  for (const double g : gains.G_d) sum += g;
  EXPECT_NEAR(sum, -gains.G_x[0], 1e-6 * gains.G_x[0]);
}

TEST(CaptureFeedback, an_error_of_the_capture_point_decays_with_k_omega) {
  const CaptureFeedback f;
  const Vec3d corners[4] = {{0.2, 0.2, 0}, {-0.2, 0.2, 0}, {-0.2, -0.2, 0}, {0.2, -0.2, 0}};
  const SupportPolygon polygon = polygon_of(corners);
  PendulumState s{0.03, 0.0};
  const double dt = 1e-3;
  double xi = 0.0;
  for (int i = 0; i < 500; i++) {
    CaptureAim aim;
    aim.xi[0] = capture_point(s, w);
    const CaptureCommand c = capture_command(f, polygon, aim);
    EXPECT_FALSE(c.is_clamped);
    s = swing(s, {dt, c.p[0], c.p[0]}, dt, w);
    xi = capture_point(s, w);
  }
  EXPECT_NEAR(xi, 0.03 * std::exp(-f.k * w * 0.5), 0.03 * 0.01);
}

TEST(CaptureFeedback, outside_the_soles_the_command_is_clamped_and_the_next_foot_moves) {
  const CaptureFeedback f;
  const Vec3d corners[4] = {{0.14, 0.055, 0}, {-0.08, 0.055, 0}, {-0.08, -0.055, 0}, {0.14, -0.055, 0}};
  const SupportPolygon polygon = polygon_of(corners);
  CaptureAim aim;
  aim.xi = Vec3d(0.0, 0.06, 0.0);
  const CaptureCommand c = capture_command(f, polygon, aim);
  EXPECT_TRUE(c.is_clamped);
  EXPECT_NEAR(c.p[1], 0.045, 1e-9);
  // the pendulum itself: where the capture point is after 0.3 s on the clamped point
  const double t = 0.3, xi_end = c.p[1] + (0.06 - c.p[1]) * std::exp(w * t);
  EXPECT_NEAR(foothold_shift(aim, c, t, w)[1], xi_end, 1e-12);
  EXPECT_EQ(foothold_shift(aim, c, t, w)[0], 0.0);
}

TEST(CaptureFeedback, the_slow_loop_ends_at_its_bound) {
  const CaptureFeedback f;
  EXPECT_NEAR(slow_offset(f, 0.0, 0.01, 1.0), 0.002, 1e-15);
  EXPECT_EQ(slow_offset(f, 0.0199, 1.0, 1.0), f.most);
}

TEST(Footsteps, ten_steps_of_ten_centimetres_go_nine_ahead_and_close) {
  const std::vector<PlannedStep> steps = plan_steps({}, {});
  ASSERT_EQ(steps.size(), 10u);
  EXPECT_EQ(steps[0].side, 1);
  EXPECT_NEAR(steps[0].to.p[0], 0.1, 1e-12);
  EXPECT_NEAR(steps[8].to.p[0], 0.9, 1e-12);
  EXPECT_NEAR(steps[9].to.p[0], 0.9, 1e-12);
  EXPECT_NEAR(steps[9].to.p[1], 0.09, 1e-12);
}

TEST(Footsteps, steps_that_turn_stay_on_a_circle) {
  StepOrder order;
  order.turn = 0.1;
  const std::vector<PlannedStep> steps = plan_steps(order, {});
  const double radius = 0.05 / std::sin(0.05);  // of the middle
  for (std::size_t i = 0; i < 9; i++) {
    const double beside = steps[i].side == 0 ? -0.09 : 0.09;  // inner and outer foot
    EXPECT_NEAR(norm(steps[i].to.p - Vec3d(0.0, radius, 0.0)), radius + beside, 1e-12);
    EXPECT_NEAR(steps[i].to.yaw, 0.1 * double(i + 1), 1e-12);
  }
}

TEST(Footsteps, a_swing_leaves_and_meets_the_ground_upright_and_is_highest_between) {
  const Footprint from{{0.0, 0.1, 0.0}, 0.0}, to{{0.2, 0.1, 0.03}, 0.3};
  const SwingShape shape;
  EXPECT_EQ(swing_point(shape, from, to, 0.1).p[0], 0.0);
  EXPECT_GT(swing_point(shape, from, to, 0.1).p[2], 0.0);
  EXPECT_NEAR(swing_point(shape, from, to, 0.5).p[2], 0.03 + shape.lift, 1e-12);  // over the higher place
  EXPECT_NEAR(swing_point(shape, from, to, 0.9).p[0], 0.2, 1e-12);
  EXPECT_NEAR(swing_point(shape, from, to, 1.0).p[2], 0.03, 1e-12);
  EXPECT_NEAR(swing_point(shape, from, to, 1.0).yaw, 0.3, 1e-12);
}

}  // namespace pendulum_test
}  // namespace sinew::legged
