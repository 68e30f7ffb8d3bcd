// The penalty law by itself: restitution from damping and back, friction inside its cap.
#include "sinew/parts/law/penalty.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::law {
namespace penalty_test {

TEST(Penalty, damping_number_and_restitution_are_inverse) {
  for (double e = 0.01; e < 1.0; e += 0.007) {
    const double u = damping_number(e, RestitutionRule::Exact);
    // A3.3: 1e-12 by Newton's method, 5e-11 by the series near 1; the inverse adds its own round-off
    EXPECT_NEAR(restitution_of(u), e, e > 0.98 ? 1e-10 : 3e-12) << e;
  }
  EXPECT_EQ(damping_number(1.0, RestitutionRule::Exact), 0.0);
  EXPECT_EQ(damping_number(0.0, RestitutionRule::Exact), damping_number(0.01, RestitutionRule::Exact));
}

// Roots of the equation in docs/theory/laws.md#penalty-contacts, computed elsewhere with more digits.
TEST(Penalty, restitution_and_damping_number) {
  EXPECT_NEAR(restitution_of(0.1), 0.9374755799498968, 1e-11);
  EXPECT_NEAR(restitution_of(1.0), 0.5936242600400403, 1e-11);
  EXPECT_NEAR(restitution_of(10.0), 0.09998162475294389, 1e-11);
  EXPECT_NEAR(damping_number(0.5, RestitutionRule::Exact), 1.4327505332713752, 1e-9);
  EXPECT_NEAR(damping_number(0.99, RestitutionRule::Exact), 0.015151362108428587, 1e-11);
  EXPECT_NEAR(damping_number(0.05, RestitutionRule::Exact), 19.99999968153236, 1e-7);
}

// Where the published rule is worst.
TEST(Penalty, the_published_rule_is_off_by_up_to_0_094) {
  double worst = 0.0, at = 0.0;
  for (double e = 0.02; e < 1.0; e += 1e-4) {
    const double error = restitution_of(damping_number(e, RestitutionRule::Konyev)) - e;
    if (error > worst) worst = error, at = e;
  }
  EXPECT_NEAR(worst, 0.09363852312212007, 1e-6);
  EXPECT_NEAR(at, 0.5054276069017254, 2e-4);
}

// The closed start value of the iteration, as a rule of its own.
TEST(Penalty, the_closed_start_value_is_good_to_0_0136) {
  double worst = 0.0;
  for (double e = 0.02; e < 1.0; e += 1e-3) {
    const double u = (1.0 - e) / e * (1.0 + e - 0.5 * e * e);
    worst = std::max(worst, std::abs(restitution_of(u) - e));
  }
  EXPECT_NEAR(worst, 0.013621785144733278, 1e-4);
  EXPECT_NEAR(worst_restitution(RestitutionRule::Closed).error, worst, 1e-6);
  EXPECT_NEAR(worst_restitution(RestitutionRule::Konyev).asked, 0.5054276069017254,
              1e-4);  // flat: 5e-9 higher at 0.50533
  EXPECT_NEAR(worst_restitution(RestitutionRule::Konyev).error, 0.09363852312212007, 1e-8);
  EXPECT_LT(worst_restitution(RestitutionRule::Exact).error, 1e-10);
}

// Reference values by extrapolation of runs, here the integral.
TEST(Penalty, what_a_load_costs_is_the_integral) {
  EXPECT_NEAR(load_loss(0.9), 0.2241446, 1e-5);
  EXPECT_NEAR(load_loss(0.7), 0.6086948, 2e-5);
  EXPECT_NEAR(load_loss(0.5), 0.9171644, 5e-5);
  EXPECT_NEAR(load_loss(0.3), 1.1497132, 1e-4);
  EXPECT_EQ(load_loss(1.0), 0.0);
}

TEST(Penalty, the_load_is_made_up_for_where_it_is_small) {
  PenaltyLaw<double> law;
  law.restitution = 0.5, law.load_loss = load_loss(0.5), law.u = damping_number(0.5, RestitutionRule::Exact);
  EXPECT_NEAR(restitution_of(damping_under_load(law, 0.05)), 0.5 + 0.05 * law.load_loss, 1e-9);
  EXPECT_EQ(damping_under_load(law, 0.0), law.u);
  EXPECT_EQ(damping_under_load(law, 1.0), law.u);  // slow: as without
}

PenaltyPoint<double> resting() {
  return {.depth = 1e-3,
          .speed = 0.0,
          .d = 1.0,
          .share = 1.0,
          .sliding = {0, 0},
          .stretch = {0, 0},
          .stretch_rate = 1e-3,
          .stick = true,
          .mass = 1.0,
          .cap = INFINITY};
}

TEST(Penalty, the_force_only_pushes) {
  const PenaltyLaw<double> p{.stiffness = 1e4};
  for (const double n : {1.0, 1.5, 2.0}) {
    PenaltyLaw<double> law = p;
    law.exponent = n;
    PenaltyForce<double> f;
    PenaltyPoint<double> at = resting();
    for (const double v : {-10.0, -1.0, 0.0, 1.0}) {
      at.speed = v;
      penalty_normal(law, at, f);
      EXPECT_NEAR(f.normal, std::max(0.0, 1e4 * std::pow(1e-3, n) * (1.0 + v)), 1e-12);
      at.depth = -at.depth;
      penalty_normal(law, at, f);
      EXPECT_EQ(f.normal, 0.0);  // no force without overlap
      at.depth = -at.depth;
    }
  }
}

// A4.2: inside the cap a spring, at the cap it slips with the friction of motion and the anchor follows.
TEST(Penalty, the_anchor_holds_up_to_static_friction_and_is_dragged_along_beyond) {
  const ContactLaw<double> l{
      .mu_forward = 0.5, .mu_backward = 0.5, .mu_trans = 0.5, .static_ratio = 1.2, .stribeck_speed = 1e-3};
  const PenaltyLaw<double> p{.stiffness = 1e4, .tangential = 1e4, .tangential_damping = 10.0};
  PenaltyPoint<double> at = resting();  // N = 10
  at.stretch = {5.9e-4, 0.0};
  PenaltyForce<double> f = penalty_force(l, p, at);
  EXPECT_TRUE(f.stick);
  EXPECT_NEAR(f.friction.x, -5.9, 1e-12);
  at.stretch = {6.1e-4, 0.0};
  f = penalty_force(l, p, at);
  EXPECT_FALSE(f.stick);
  EXPECT_NEAR(f.friction.x, -6.0, 1e-12);  // at rest all of the static excess is there
  EXPECT_NEAR(f.stretch.x, 6e-4, 1e-15);
  at.stick = false, at.sliding = {1.0, 0.0};
  f = penalty_force(l, p, at);
  EXPECT_NEAR(f.friction.x, -5.0, 1e-12);
  EXPECT_LT(f.friction.x * at.sliding.x, 0.0);
}

// A4.1: the creep speed of a block is v_th tan(angle) / mu_s: the force at that speed is the weight's share.
TEST(Penalty, regularised_friction_is_proportional_below_the_threshold) {
  const ContactLaw<double> l{
      .mu_forward = 0.5, .mu_backward = 0.5, .mu_trans = 0.5, .static_ratio = 1.2, .stribeck_speed = 0.01};
  PenaltyLaw<double> p{.stiffness = 1e4, .threshold = 0.01};
  p.friction = FrictionRule::Regularised;
  PenaltyPoint<double> at = resting();
  at.sliding = {0.0029387830118077496, 0.0};
  EXPECT_NEAR(penalty_force(l, p, at).friction.x, -10.0 * std::tan(10.0 * M_PI / 180.0), 1e-9);
  at.sliding = {0.01, 0.0};
  EXPECT_NEAR(penalty_force(l, p, at).friction.x, -6.0, 1e-12);
  at.sliding = {1.0, 0.0};
  EXPECT_NEAR(penalty_force(l, p, at).friction.x, -5.0, 1e-12);
}

// A4.1: steep at rest, its top at v_th, then down to friction of motion; without a jump or a kink.
TEST(Penalty, smooth_friction_has_its_top_at_the_threshold) {
  const ContactLaw<double> l{.mu_forward = 0.5, .mu_backward = 0.5, .mu_trans = 0.5, .static_ratio = 1.2};
  PenaltyLaw<double> p{.stiffness = 1e4, .viscous = 0.0, .threshold = 0.01};
  p.friction = FrictionRule::Smooth;
  PenaltyPoint<double> at = resting();  // N = 10
  const auto friction = [&](double v) {
    at.sliding = {v, 0.0};
    return -penalty_force(l, p, at).friction.x;
  };
  EXPECT_EQ(friction(0.0), 0.0);
  EXPECT_NEAR(friction(0.01), 6.0, 1e-6);
  EXPECT_NEAR(friction(1.0), 5.0, 1e-12);
  EXPECT_EQ(friction(-0.003), -friction(0.003));
  for (double v = 1e-4; v < 0.05; v += 1e-4) {
    EXPECT_LT(friction(v), 6.0 + 1e-3);
    const double slope = (friction(v + 1e-7) - friction(v - 1e-7)) / 2e-7;
    at.sliding = {v, 0.0};
    EXPECT_NEAR(penalty_force(l, p, at).along, std::max(0.0, slope), 1e-3 * (1.0 + std::abs(slope))) << v;
  }
}

// A10: no more of the depth counts than the cap.
TEST(Penalty, the_cap_limits_the_depth_that_counts) {
  const PenaltyLaw<double> p{.stiffness = 1e4};
  PenaltyForce<double> f;
  PenaltyPoint<double> at = resting();
  at.depth = 5e-3, at.cap = 1e-3;
  penalty_normal(p, at, f);
  EXPECT_NEAR(f.normal, 10.0, 1e-12);
  EXPECT_EQ(f.normal_by_depth, 0.0);
  at.depth = 5e-4;
  penalty_normal(p, at, f);
  EXPECT_NEAR(f.normal, 5.0, 1e-12);
  EXPECT_NEAR(f.normal_by_depth, 1e4, 1e-9);
}

}  // namespace penalty_test
}  // namespace sinew::law
