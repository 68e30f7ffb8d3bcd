// The generator without a table, and the strip of ground on which it chooses footholds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/control/legs/free_gait.h"
#include "sinew/control/legs/gait_generator.h"
#include "sinew/control/legs/segments.h"
#include "sinew/control/legs/terrain_strip.h"

namespace sinew::legged {
namespace free_walk_test {

// Chooses the next leg by next_leg, and the farthest place that is not in a ditch of the ground; `way` is how far the ground has gone back.
struct Chooser : StepChooser {
  SegmentedBody body;
  GaitTable table = free_gait_table(3);
  double from = INFINITY, to = INFINITY;  // of the ditch, ahead of the middle at the start

  bool good(int leg, double along, double travelled) const {
    const double x = travelled + body.neutral(leg)[0] + along;
    return x < from || x > to;
  }
  FreeStep choose(const GaitState& s) const override {
    const double L = s.shape.stroke, ahead = timing_of(s.shape).v_body * timing_of(s.shape).t_transfer;
    std::array<FreeGaitFoot, 6> feet;
    std::array<double, 6> place{};
    for (int i = 0; i < 6; i++) {
      feet[i] = {body.neutral(i) + Vec3d(s.leg[i].along, 0.0, 0.0), s.leg[i].along + 0.5 * L, true, false};
      for (double at = 0.5 * L + ahead; at > s.leg[i].along + 0.1 * L && !feet[i].has_place; at -= 0.01) {
        place[i] = at;
        feet[i].has_place = good(i, at, s.travelled);
      }
    }
    FreeGaitRules rules;
    rules.enough = 0.6 * L;
    rules.hurry = 0.15 * L;
    const FreeGaitChoice c = next_leg(feet, s.airborne(), table.neighbours, Vec3d(0.0224, 0.0, 0.0), rules);
    return {c.leg, c.leg < 0 ? 0.0 : place[c.leg], c.must_wait};
  }
};

struct Walked {
  double way = 0.0;
  int in_ditch = 0, neighbours = 0, most_airborne = 0;
  WalkMode mode{};
};

Walked walk(const StepShape& shape, double duration, double from = INFINITY, double to = INFINITY) {
  Chooser chooser;
  chooser.from = from;
  chooser.to = to;
  const GaitGenerator generator({chooser.table}, 1e-3);
  GaitState s = generator.standing(0, shape);
  generator.walk(s);
  GaitInput in;
  in.chooser = &chooser;
  Walked out;
  for (int k = 0; k < duration * 1e3; k++) {
    const LegSet before = s.airborne();
    generator.step(s, in);
    const LegSet now = s.airborne();
    out.most_airborne = std::max(out.most_airborne, count_legs(now));
    for (int i = 0; i < 6; i++) {
      if (has_leg(now, i) && (chooser.table.neighbours[i] & now) != 0) out.neighbours++;
      if (has_leg(before, i) && !has_leg(now, i) && !chooser.good(i, s.leg[i].along, s.travelled)) out.in_ditch++;
    }
  }
  out.way = s.travelled;
  out.mode = s.walk_mode();
  return out;
}

TEST(FreeWalk, a_generator_without_table_keeps_the_rules_and_its_speed) {
  for (const double tau : {0.1, 0.2, 1.0 / 3.0}) {
    const StepShape shape{.tau = tau};
    const Walked w = walk(shape, 30.0);
    EXPECT_EQ(w.mode, WalkMode::Walk);
    EXPECT_EQ(w.neighbours, 0);
    EXPECT_LE(w.most_airborne, 2);
    const double most = 27.0 * timing_of(shape).v_body;
    EXPECT_GT(w.way, 0.6 * most) << tau;
    if (tau <= 0.2) {
      EXPECT_GT(w.way, 0.95 * most) << tau;
    }
  }
}

TEST(FreeWalk, no_foot_lands_in_a_ditch_that_strokes_can_cross) {
  const StepShape shape{.stroke = 0.2, .tau = 0.12};
  const Walked w = walk(shape, 80.0, 0.4, 0.55);
  EXPECT_EQ(w.mode, WalkMode::Walk);
  EXPECT_EQ(w.in_ditch, 0);
  EXPECT_GT(w.way, 0.9);  // the rear feet are across
}

TEST(FreeWalk, before_a_ditch_that_is_too_wide_it_stops_and_says_that_a_leg_could_not_lift) {
  const StepShape shape{.stroke = 0.1, .tau = 0.12};
  Chooser chooser;
  chooser.from = 0.4;
  chooser.to = 0.55;
  const GaitGenerator generator({chooser.table}, 1e-3);
  GaitState s = generator.standing(0, shape);
  generator.walk(s);
  GaitInput in;
  in.chooser = &chooser;
  for (int k = 0; k < 60000; k++) generator.step(s, in);
  EXPECT_EQ(s.walk_mode(), WalkMode::Halt);
  EXPECT_EQ(s.walk_fault(), WalkFault::Held);
  EXPECT_LT(s.travelled + chooser.body.neutral(0)[0] + s.leg[0].along, 0.4);
}

TEST(TerrainStrip, a_ray_that_passes_below_the_ground_marks_a_hole_and_one_that_ends_high_an_obstacle) {
  TerrainStrip strip;
  strip.move_to(-0.5);
  see_by_ray(strip, {0.0, 0.15, 0.3, -0.15, true}, 0.025);  // ends on the ground at 0.3
  see_by_ray(strip, {0.0, 0.15, 0.6, -0.3, true}, 0.025);   // passes it at 0.3 to 0.35, ends in a ditch
  see_by_ray(strip, {0.0, 0.15, 0.8, -0.05, true}, 0.025);  // meets something 0.1 high
  EXPECT_EQ(strip.at(0.2), Footing::Unknown);
  EXPECT_EQ(strip.at(0.325), Footing::Bad);
  EXPECT_EQ(strip.at(0.805), Footing::Bad);
  EXPECT_EQ(strip.around(0.29, 0.02), Footing::Bad);
  TerrainStrip level;
  level.move_to(-0.5);
  see_by_ray(level, {0.0, 0.15, 0.305, -0.15, true}, 0.025);
  EXPECT_EQ(level.at(0.305), Footing::Ground);
  EXPECT_EQ(level.around(0.305, 0.02), Footing::Unknown);
}

TEST(TerrainStrip, what_lies_behind_is_forgotten_and_what_is_ahead_is_kept) {
  TerrainStrip strip;
  strip.move_to(0.0);
  strip.see(0.005, Footing::Bad);
  strip.see(1.005, Footing::Bad);
  strip.move_to(0.5);
  EXPECT_EQ(strip.at(0.005), Footing::Unknown);
  EXPECT_EQ(strip.at(1.005), Footing::Bad);
  EXPECT_EQ(strip.at(0.005 + TerrainStrip::cells * TerrainStrip::length), Footing::Unknown);  // the same slot
  strip.see(1.005, Footing::Ground);
  EXPECT_EQ(strip.at(1.005), Footing::Bad);  // bad once is bad
}

}  // namespace free_walk_test
}  // namespace sinew::legged
