#include "sinew/control/legs/stroke_path.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/control/legs/gait_generator.h"

namespace sinew::legged {
namespace stroke_path_test {

std::vector<Vec3d> neutral_feet(const SegmentedBody& body) {
  std::vector<Vec3d> out;
  for (int i = 0; i < body.legs(); i++) out.push_back(body.neutral(i));
  return out;
}

// Body and feet walk through the world: x' = R(heading) (v_x, v_y), heading' = omega. Feet on the ground do not move.
TEST(StrokePath, feet_stand_still_in_the_world_for_any_twist) {
  const SegmentedBody body;
  const auto neutral = neutral_feet(body);
  const GaitGenerator g({gait_table(Gait::Tripod)});
  for (const PlaneTwist wanted : {PlaneTwist{0.1, 0.0, 0.0}, PlaneTwist{0.0, 0.1, 0.0}, turn_left, arc_of(0.8),
                                  arc_of(-0.4), PlaneTwist{0.05, -0.03, 0.2}}) {
    const PlaneTwist path = path_of(wanted, neutral);
    GaitState s = g.standing(0, {});
    g.walk(s);
    double x = 0.0, y = 0.0, heading = 0.0;
    std::array<Vec3d, 6> last{};
    std::array<bool, 6> stood{};
    for (int k = 0; k < 4000; k++) {
      const GaitReport r = g.step(s);
      const PlaneTwist v = body_twist(path, r.v_body);
      // a step along the twist, by the exponential: exact
      const Vec3d moved = along_path({v.v_x, v.v_y, v.omega}, Vec3d::zero(), 1e-3);
      x += std::cos(heading) * moved[0] - std::sin(heading) * moved[1];
      y += std::sin(heading) * moved[0] + std::cos(heading) * moved[1];
      heading += v.omega * 1e-3;
      for (int i = 0; i < 6; i++) {
        const Vec3d p = along_path(path, neutral[i], s.leg[i].along);
        const Vec3d W(x + std::cos(heading) * p[0] - std::sin(heading) * p[1],
                      y + std::sin(heading) * p[0] + std::cos(heading) * p[1], 0.0);
        const StepPhase phase = g.phase_tag(s, i);
        const bool stands =
            s.walk_mode() == WalkMode::Walk && phase != StepPhase::ForwardUp && phase != StepPhase::ForwardDown;
        if (stands && stood[i]) {
          ASSERT_LT(norm(W - last[i]), 1e-6) << k << " " << i;  // 1 mm/s
        }
        last[i] = W;
        stood[i] = stands;
      }
    }
  }
}

// Konyev 2011, section 3.4.3, turns by a scale of the strokes along Y_W, which is vertical: all horizontal strokes stay equal and nothing turns.
// A scale along Z_W to zero marches on the spot.
TEST(StrokePath, turning_needs_strokes_across_the_radius) {
  const SegmentedBody body;
  const auto neutral = neutral_feet(body);
  const auto yaw_of = [&](const auto& stroke_of) {  // least squares of a turn through all strokes
    double sum = 0.0, square = 0.0;
    for (const Vec3d& p : neutral) {
      const Vec3d d = stroke_of(p);
      sum += p[0] * d[1] - p[1] * d[0];
      square += p[0] * p[0] + p[1] * p[1];
    }
    return sum / square;
  };
  const PlaneTwist path = path_of(turn_left, neutral);
  EXPECT_NEAR(yaw_of([&](const Vec3d& p) { return along_path(path, p, 1e-6) - p; }) / 1e-6, path.omega, 1e-6);
  EXPECT_EQ(yaw_of([](const Vec3d&) { return Vec3d(0.07, 0.0, 0.025 * 3.0); }), 0.0);  // scaled along the vertical
  EXPECT_EQ(yaw_of([](const Vec3d&) { return Vec3d(0.0, 0.0, 0.025); }), 0.0);         // along Z to zero
}

TEST(StrokePath, no_stroke_is_longer_than_the_longest) {
  const SegmentedBody body;
  const auto neutral = neutral_feet(body);
  for (const double radius : {0.1, 0.3, 1.0, -2.0, 1e9}) {
    const PlaneTwist path = path_of(arc_of(radius), neutral);
    double most = 0.0;
    for (const Vec3d& p : neutral) most = std::max(most, path_scale(path, p));
    EXPECT_NEAR(most, 1.0, 1e-12) << radius;
    // strokes grow with the distance from the centre (0, radius)
    if (radius > 1e3) continue;
    const double expected =
        std::hypot(neutral[4][0], neutral[4][1] - radius) / std::hypot(neutral[3][0], neutral[3][1] - radius);
    EXPECT_NEAR(path_scale(path, neutral[4]) / path_scale(path, neutral[3]), expected, 1e-12);
  }
  EXPECT_EQ(path_of({}, neutral).v_x, 0.0);
}

TEST(StrokePath, a_chord_instead_of_the_arc_errs_by_its_sagitta) {
  const SegmentedBody body;
  const auto neutral = neutral_feet(body);
  const PlaneTwist path = path_of(turn_left, neutral);
  const double half = 0.5 * timing_of({}).stance_travel;
  const Vec3d a = along_path(path, neutral[0], -half), b = along_path(path, neutral[0], half);
  EXPECT_NEAR(norm(neutral[0] - (a + b) * 0.5), 0.934335e-3, 1e-8);
}

TEST(StrokePath, a_wide_arc_is_a_straight_line) {
  const Vec3d p(0.2, 0.21, -0.13);
  const Vec3d straight = along_path(straight_path(0.0), p, 0.03);
  EXPECT_LT(norm(along_path(arc_of(1e7), p, 0.03) - straight), 1e-8);
  EXPECT_LT(norm(along_path({1.0, 0.0, 0.9999e-4 / 0.03}, p, 0.03) - along_path({1.0, 0.0, 1.0001e-4 / 0.03}, p, 0.03)),
            2e-8);
}

// A new command, or a slip of more than 5 mm, leaves feet on the ground where they are; in the air they go back to their own places.
TEST(StrokePath, feet_that_stand_do_not_jump_when_the_path_changes) {
  const SegmentedBody body;
  const auto neutral = neutral_feet(body);
  const PlaneTwist one = path_of({0.1, 0.0, 0.0}, neutral), two = path_of(turn_left, neutral);
  const double s = -0.02;
  const Vec3d before = foot_on_path(one, neutral[2], {}, s);
  PathFoot foot = anchor_foot(two, neutral[2], before, s);
  EXPECT_LT(norm(foot_on_path(two, neutral[2], foot, s) - before), 1e-15);
  const double tick = 1e-3 / 0.4666667;
  for (double a = 0.0; a < 1.0; a += tick) forget_shift(foot, a, tick);
  EXPECT_EQ(std::abs(foot.shift_x) + std::abs(foot.shift_y), 0.0);
}

TEST(StrokePath, strokes_are_limited_by_what_the_legs_reach) {
  SegmentedBody body;
  StepShape shape;
  const PlaneTwist ahead = straight_path(0.0);
  EXPECT_EQ(longest_stroke(body, {}, ahead, shape), 0.07);
  shape.stroke = 1.0;
  const double most = longest_stroke(body, {}, ahead, shape);
  EXPECT_GT(most, 0.1);
  EXPECT_LT(most, 0.3);
  EXPECT_LT(longest_stroke(body, {}, straight_path(1.5707963), shape), most);  // sideways the legs are shorter
  body.leg.high[0] = 0.2;
  body.leg.low[0] = -0.2;
  const double narrow = longest_stroke(body, {}, ahead, shape);
  EXPECT_LT(narrow, most);
  // the rear end is 3/4 of the stroke behind: tan(0.2) (0.1366515) = 0.75 L
  EXPECT_NEAR(narrow, std::tan(0.2) * (body.neutral_out() - body.w_h) / 0.75, 1e-6);
}

}  // namespace stroke_path_test
}  // namespace sinew::legged
