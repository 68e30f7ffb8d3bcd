#include "sinew/control/legs/ledge_plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/control/legs/support_polygon.h"
#include "sinew/control/legs/vertical_forces.h"

namespace sinew::legged {
namespace ledge_plan_test {

LedgePlan plan_for(double height, const LedgePoseRules& rules = {}) {
  const SegmentedBody body;
  LedgePlan plan;
  plan_ledge(LedgeJudge(body, {height}, rules), ledge_start(body, 0.03, rules.head_radius), {}, plan);
  return plan;
}

TEST(LedgePose, forces_of_rows_are_those_of_least_squares) {
  SmallQp qp;
  const std::array<double, 3> x{0.06, -0.11, -0.34};
  for (const unsigned carries : {7u, 5u, 3u, 6u})
    for (double com = -0.1; com <= 0.0; com += 0.02) {
      std::vector<Vec3d> feet;
      for (int row = 0; row < 3; row++)
        if (carries >> row & 1u)
          for (const double side : {0.2, -0.2}) feet.emplace_back(x[std::size_t(row)], side, 0.0);
      const VerticalForces wanted = share_weight(feet, Vec3d(com, 0.0, 0.0), 60.0, qp);
      std::array<double, 3> F;
      const bool found = share_rows(x, carries, com, 30.0, F);
      EXPECT_EQ(found, wanted.balanced) << carries << " " << com;
      if (!found) continue;
      for (int row = 0, k = 0; row < 3; row++)
        if (carries >> row & 1u) {
          EXPECT_NEAR(F[std::size_t(row)], wanted.F[std::size_t(k)], 1e-9) << carries << " " << com;
          k += 2;
        }
    }
}

TEST(LedgePose, clearance_is_the_distance_to_ground_wall_edge_and_top) {
  const LedgeJudge judge(SegmentedBody{}, {0.25}, {});
  EXPECT_NEAR(judge.clearance(-0.1, 0.03), 0.03, 1e-15);
  EXPECT_NEAR(judge.clearance(-0.02, 0.1), 0.02, 1e-15);
  EXPECT_NEAR(judge.clearance(-0.03, 0.29), 0.05, 1e-12);
  EXPECT_NEAR(judge.clearance(0.1, 0.28), 0.03, 1e-15);
  EXPECT_NEAR(judge.clearance(0.01, 0.2), -0.01, 1e-15);
}

// Of every frame and of points between them, by means that the planner does not use: legs reach within their limits, the mass centre of all links is over the feet
// that stand, feet on the ground do not move.
TEST(LedgePlan, what_it_plans_can_be_done) {
  const SegmentedBody body;
  for (const double height : {0.1, 0.25, 0.3}) {
    const LedgePlan plan = plan_for(height);
    ASSERT_TRUE(plan.works()) << height << " " << plan.failure.phase << " " << plan.failure.lacking;
    const LedgeJudge judge(body, {height}, {});
    for (int k = 0; k + 1 < int(plan.frames); k++) {
      const LedgeFrame &a = plan.frame[std::size_t(k)], &b = plan.frame[std::size_t(k + 1)];
      EXPECT_GT(b.time, 0.0);
      EXPECT_GE(b.phase, a.phase);
      for (const double s : {0.0, 0.31, 0.62}) {
        const LedgePose pose = pose_between(a.pose, b.pose, s);
        BodyPose p;
        p.o = Vec3d(pose.x, 0.0, pose.z);
        p.pitch_up = pose.pitch;
        p.hinge[0].pitch_up = pose.front;
        p.hinge[2].pitch_up = pose.rear;
        std::array<Vec3d, most_legs> q{};
        std::vector<Vec3d> stand;
        for (int i = 0; i < 6; i++) {
          const int row = i % 3;
          Vec3d foot = foot_between(judge, a, b, row, s);
          if (i >= 3) foot[1] = -foot[1];
          ASSERT_EQ(reach_for(body.leg_of(i), world_to_leg(body, p, i, foot), q[std::size_t(i)]), Reach::Good);
          EXPECT_TRUE(within_limits(body.leg_of(i), q[std::size_t(i)], 0.005)) << height << " " << k << " " << i;
          if (a.stands[row] != 0.0 && b.stands[row] != 0.0) {
            stand.push_back(foot);
            EXPECT_EQ(a.foot[row][0], b.foot[row][0]);
            EXPECT_NEAR(foot[2], foot[0] > 0.0 ? height + 0.012 : 0.012, 1e-12);
          }
        }
        ASSERT_GE(stand.size(), 4u);
        const Vec3d com = p.o + robot_axes(0.0, p.pitch_up, 0.0) * mass_centre(body, p, q);
        EXPECT_GT(static_margin(polygon_of(stand), com), 0.008) << height << " " << k << " " << s;
      }
    }
    const LedgeFrame& last = plan.frame[std::size_t(plan.frames) - 1];
    EXPECT_NEAR(last.pose.pitch, 0.0, 0.03);
    for (const auto& foot : last.foot) EXPECT_GT(foot[0], 0.0);
  }
}

TEST(LedgePlan, all_phases_after_the_approach_have_frames) {
  const LedgePlan plan = plan_for(0.25);
  std::array<int, 10> frames{};
  for (int k = 0; k < int(plan.frames); k++) frames[std::size_t(plan.frame[std::size_t(k)].phase)]++;
  for (int phase = 1; phase < 8; phase++)
    EXPECT_GT(frames[std::size_t(phase)], 0) << ledge_phase_names[std::size_t(phase)];
}

// Konyev 2011, Fig. 3.31: hinges let it climb higher. Both are far below eq. (3.11), which counts with a straight leg that stands upright: the femur's limit does not allow that.
TEST(LedgePlan, hinges_let_it_climb_higher) {
  const SegmentedBody body;
  LedgePoseRules rules;
  const double hinged = greatest_ledge(body, rules, 0.29, 0.36, 0.01);
  rules.rigid = true;
  const double rigid = greatest_ledge(body, rules, 0.18, 0.3, 0.01);
  EXPECT_GT(hinged, 0.3);
  EXPECT_LT(hinged, ledge_height(body, 1.05));
  EXPECT_LT(rigid, 0.25);
  EXPECT_GE(rigid, 0.18);
}

TEST(LedgePlan, what_has_no_way_fails_with_phase_condition_and_what_is_lacking) {
  const LedgePlan high = plan_for(0.4);
  EXPECT_FALSE(high.works());
  EXPECT_GE(high.failure.phase, double(LedgePhase::FrontUp));
  EXPECT_GT(high.failure.lacking, 0.0);
  LedgePoseRules weak;
  weak.knee_limit = 0.6;
  const LedgePlan feeble = plan_for(0.2, weak);
  EXPECT_FALSE(feeble.works());
  EXPECT_EQ(LedgeLimit(int(feeble.failure.limit)), LedgeLimit::Torque);
  EXPECT_GT(feeble.failure.lacking, 0.0);
}

TEST(LedgePlan, the_same_ledge_has_the_same_plan) {
  const LedgePlan a = plan_for(0.22), b = plan_for(0.22);
  ASSERT_EQ(a.frames, b.frames);
  for (int k = 0; k < int(a.frames); k++) EXPECT_EQ(a.frame[std::size_t(k)].pose.x, b.frame[std::size_t(k)].pose.x);
}

}  // namespace ledge_plan_test
}  // namespace sinew::legged
