// Walking that is planned while it goes: its capture point, its footholds, and how they move.
#include "sinew/control/legs/step_chain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/control/legs/save_steps.h"

namespace sinew::legged {
namespace step_chain_test {

constexpr double dt = 1e-3;

StepChainWalk walker() { return {BipedBody{}, StepChainShape{}, CaptureFeedback{}, 9.81}; }

StepChain standing(const StepChainWalk& walk) {
  StepChain c;
  for (int side = 0; side < 2; side++) c.foot[std::size_t(side)].p = BipedBody{}.hip(side);
  walk.begin(c);
  return c;
}

void go(const StepChainWalk& walk, const WalkTwist& twist, double time, StepChain& c) {
  for (int k = 0; k < int(std::lround(time / dt)); k++) walk.advance(twist, dt, c);
}

TEST(StepChain, masses_of_the_lumped_pendulum_are_all_of_the_body) {
  const LumpedPendulum p = walker().pendulum();
  EXPECT_NEAR(p.A + 2.0 * p.B, 24.0, 1e-12);
  EXPECT_LT(p.w, std::sqrt(9.81 / 0.6));  // legs that swing along make it slower
  const Vec3d feet(0.4, 0.1, 0.0), at(0.2, 0.05, 0.0), X = p.lumped(at, feet, p.b);
  EXPECT_LT(norm(p.pushed(X, feet, p.b) - at), 1e-15);
  EXPECT_LT(norm(p.com(X, feet, p.b) - at), 1e-15);  // at rest the mass centre is over its zero-moment point
  EXPECT_LT(norm(p.state(at, feet, p.b) - X), 1e-15);
}

// Feet apart, hips anywhere between them: the mass centre of seven masses on bent legs.
TEST(StepChain, the_mass_centre_of_the_lumped_pendulum_is_that_of_all_masses_to_a_few_millimetres) {
  const BipedBody body;
  const StepChainWalk walk = walker();
  const LumpedPendulum& p = walk.pendulum();
  for (const double off : {-0.05, 0.0, 0.05}) {
    BothLegs q{};
    Vec3d feet = Vec3d::zero();
    for (int side = 0; side < 2; side++) {
      const Vec3d foot = body.hip(side) + Vec3d(side == 0 ? 0.1 : -0.1, 0.0, 0.0);
      feet += foot;
      const Vec3d ankle(foot[0] - off, 0.0, body.ankle_height - walk.shape().hip_height);
      ASSERT_EQ(reach_for(body.leg, {Mat3d::identity(), ankle}, q[std::size_t(side)]), Reach::Good);
    }
    const Vec3d hips(off, 0.0, 0.0), c = p.com(hips + feet * p.ratio, feet, p.b);
    EXPECT_LT(std::abs(off + mass_centre(body, q)[0] - c[0]), 6e-3) << off;
  }
}

TEST(StepChain, the_capture_point_of_the_plan_runs_away_from_its_push_while_a_foot_swings) {
  const StepChainWalk walk = walker();
  StepChain c = standing(walk);
  const WalkTwist twist{0.15, 0.02, 0.1};
  go(walk, twist, 4.0, c);
  const LumpedPendulum& p = walk.pendulum();
  int looked = 0;
  for (int k = 0; k < 1600; k++) {
    const StepChain before = c;
    walk.advance(twist, dt, c);
    if (c.what() != before.what() || c.side != before.side) continue;
    const Vec3d at = c.what() == ChainPhase::Swing ? c.p_to : c.p_from + (c.p_to - c.p_from) * ((c.t - 0.5 * dt) / c.T);
    const Vec3d push =
        (p.lumped(at, walk.feet(c), walk.ahead(c)) + p.lumped(at, walk.feet(before), walk.ahead(before))) * 0.5;
    const Vec3d rate = (c.xi - before.xi) * (1.0 / dt), runs = ((c.xi + before.xi) * 0.5 - push) * p.w;
    EXPECT_LT(norm(rate - runs), 2e-3) << k;
    looked++;
  }
  EXPECT_GT(looked, 1500);
}

TEST(StepChain, a_steady_walk_has_the_zero_moment_points_that_were_planned) {
  const StepChainWalk walk = walker();
  StepChain c = standing(walk);
  go(walk, {0.2, 0.0, 0.0}, 4.0, c);
  double worst = 0.0;
  for (int k = 0; k < 1600; k++) {
    go(walk, {0.2, 0.0, 0.0}, dt, c);
    if (c.what() == ChainPhase::Swing) worst = std::max(worst, norm(c.p - c.p_to));
  }
  EXPECT_LT(worst, 1e-3);
}

TEST(StepChain, steps_are_as_long_as_they_are_told_and_the_last_one_brings_the_feet_together) {
  const StepChainWalk walk = walker();
  StepChain c = standing(walk);
  go(walk, {0.15, 0.0, 0.0}, 5.0, c);
  EXPECT_NEAR(std::abs(c.foot[0].p[0] - c.foot[1].p[0]), 0.15 * 0.8, 1e-6);
  go(walk, {}, 5.0, c);
  EXPECT_EQ(c.what(), ChainPhase::Stand);
  EXPECT_NEAR(c.foot[0].p[0], c.foot[1].p[0], 1e-9);
  EXPECT_NEAR(c.foot[0].p[1] - c.foot[1].p[1], 0.18, 1e-9);
  EXPECT_LT(norm(c.V), 1e-3);
}

TEST(StepChain, motion_has_no_jumps_when_it_is_told_otherwise) {
  const StepChainWalk walk = walker();
  StepChain c = standing(walk);
  Vec3d v = Vec3d::zero();
  double worst = 0.0;
  for (int k = 0; k < 8000; k++) {
    walk.advance(k < 3000 ? WalkTwist{0.25, 0.0, 0.0} : k < 5000 ? WalkTwist{0.0, 0.05, -0.3} : WalkTwist{}, dt, c);
    const Vec3d now = walk.moment(c).v;
    worst = std::max(worst, norm(now - v) / dt);
    v = now;
  }
  EXPECT_LT(worst, 4.0);  // m/s^2: feet that swing move the mass centre as well
}

// In the middle of a swing.
StepChain swinging(const StepChainWalk& walk) {
  StepChain c = standing(walk);
  go(walk, {0.1, 0.0, 0.0}, 3.0, c);
  while (c.what() != ChainPhase::Swing || c.t < 0.2 || c.t > 0.3) walk.advance({0.1, 0.0, 0.0}, dt, c);
  return c;
}

TEST(SaveSteps, a_foothold_moves_only_where_the_sole_is_not_enough) {
  const StepChainWalk walk = walker();
  const StepChain start = swinging(walk);
  const ChainMoment m = walk.moment(start);
  const double w = 4.0;
  for (const double push : {0.0, 0.01, 0.15}) {
    StepChain c = start;
    const CaptureSeen seen{m.c + m.v * (1.0 / w) + Vec3d(push, 0.0, 0.0), m.p, w};
    for (int k = 0; k < 20; k++) save_by_steps(walk, {}, seen, dt, c);
    const double moved = c.to.p[0] - start.to.p[0];
    if (push < 0.1) {
      EXPECT_EQ(moved, 0.0) << push;
    } else {
      EXPECT_GT(moved, 0.05);
      EXPECT_EQ(c.saves, start.saves + 1.0);
    }
    StepChain off = start;
    save_by_steps(walk, {.is_on = false}, seen, dt, off);
    EXPECT_EQ(off.to.p[0], start.to.p[0]);
  }
}

TEST(SaveSteps, a_foothold_stays_within_reach_and_beside_the_other_foot) {
  const StepChainWalk walk = walker();
  const StepChain start = swinging(walk);
  const ChainMoment m = walk.moment(start);
  const SaveSteps save;
  const int side = int(start.side);
  for (const Vec3d& push : {Vec3d(0.9, 0.0, 0.0), Vec3d(-0.9, 0.0, 0.0), Vec3d(0.0, 0.9, 0.0), Vec3d(0.0, -0.9, 0.0)}) {
    StepChain c = start;
    for (int k = 0; k < 100; k++) save_by_steps(walk, save, {m.c + m.v * 0.25 + push, m.p, 4.0}, dt, c);
    const Vec3d off = c.to.p - c.foot[std::size_t(1 - side)].p;
    const double out = side == 0 ? off[1] : -off[1];
    EXPECT_GE(out, save.apart_least - 1e-9);
    EXPECT_LE(out, save.apart_most + 1e-9);
    EXPECT_LE(off[0], save.ahead + 1e-9);
    EXPECT_GE(off[0], -save.back - 1e-9);
  }
}

}  // namespace step_chain_test
}  // namespace sinew::legged
