#include "sinew/control/legs/gait_generator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "sinew/math/check.h"

namespace sinew::legged {
namespace gait_generator_test {

std::vector<GaitTable> all_gaits(int rows = 3) {
  std::vector<GaitTable> out;
  for (int g = 0; g < int(gait_names.size()); g++) out.push_back(gait_table(Gait(g), rows));
  return out;
}

bool neighbours_fly(const GaitGenerator& g, const GaitState& s) {
  const LegSet airborne = s.airborne();
  for (int i = 0; i < g.legs(); i++)
    if (has_leg(airborne, i) && (g.table(s).neighbours[i] & airborne) != 0) return true;
  return false;
}

double off_ideal(const GaitGenerator& g, const GaitState& s) {
  double off = 0.0;
  for (int i = 0; i < g.legs(); i++) off = std::max(off, std::abs(s.leg[i].along - g.ideal(s, i).along));
  return off;
}

GaitState walking(const GaitGenerator& g, int gait, const StepShape& shape = {}) {
  GaitState s = g.standing(gait, shape);
  g.walk(s);
  for (int k = 0; k < 20000 && s.walk_mode() != WalkMode::Walk; k++) g.step(s);
  EXPECT_EQ(s.walk_mode(), WalkMode::Walk);
  return s;
}

bool same_bits(const GaitState& a, const GaitState& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(GaitTable, ready_gaits_obey_their_own_neighbours) {
  for (int rows = 2; rows <= 6; rows++)
    for (const GaitTable& t : all_gaits(rows)) {
      if (rows == 2 && t.name != "wave" && t.name != "tripod" && t.name != "gallop")
        continue;  // tau of 1/2 in a ring of four
      EXPECT_EQ(problem_of(t), "") << t.name << " " << rows;
    }
}

// Konyev 2011 does not say who is a neighbour of whom. In a ring the symmetric gallop is forbidden: front legs, and rear legs, fly together.
TEST(GaitTable, the_symmetric_gallop_breaks_the_stability_rule_in_a_ring) {
  GaitTable gallop = gait_table(Gait::Gallop);
  EXPECT_EQ(problem_of(gallop), "");
  gallop.neighbours = neighbours_of(Neighbours::Ring, 3);
  EXPECT_NE(problem_of(gallop), "");
}

TEST(GaitTable, counts_of_stance_swing_and_offsets_make_the_ready_gaits) {
  const int tripod[6] = {0, 1, 0, 1, 0, 1}, wave[6] = {2, 1, 0, 5, 4, 3}, ripple[6] = {4, 2, 0, 1, 5, 3};
  const auto expect_same = [](const GaitTable& a, const GaitTable& b) {
    EXPECT_EQ(a.tau, b.tau);
    for (int i = 0; i < 6; i++) EXPECT_NEAR(a.offset[i], b.offset[i], 1e-15) << i;
    EXPECT_EQ(a.most_airborne, b.most_airborne);
  };
  expect_same(gait_table(GaitCounts{2, 2, 2, tripod}), gait_table(Gait::Tripod));
  expect_same(gait_table(GaitCounts{10, 2, 2, wave}), gait_table(Gait::Wave));
  expect_same(gait_table(GaitCounts{4, 2, 1, ripple}), gait_table(Gait::Ripple));
  const int none[3] = {0, 0, 0};
  EXPECT_THROW(gait_table(GaitCounts{2, 2, 2, none}), CallError);
}

TEST(GaitGenerator, every_change_between_two_gaits_obeys_the_rules_and_returns_to_the_ideal) {
  const GaitGenerator g(all_gaits());
  for (int a = 0; a < 5; a++)
    for (int b = 0; b < 5; b++) {
      GaitState s = walking(g, a);
      for (int k = 0; k < 4000; k++) g.step(s);
      g.change(s, b);
      int least = 6, violations = 0, last_off = 0, after = 0;
      const double slower = std::max(timing_of(s.shape).period, timing_of(s.next_shape).period);
      for (int k = 0; k < 12000; k++) {
        g.step(s);
        violations += neighbours_fly(g, s) ? 1 : 0;
        least = std::min(least, 6 - count_legs(s.airborne()));
        after += s.gait == b ? 1 : 0;
        if (s.gait == b && off_ideal(g, s) > 1.1e-3) last_off = after;
        for (int i = 0; i < 6; i++) ASSERT_TRUE(s.leg[i].along > -0.064 && s.leg[i].along < 0.0356) << s.leg[i].along;
      }
      EXPECT_EQ(s.gait, b);
      EXPECT_EQ(violations, 0) << a << " to " << b;
      EXPECT_GE(least, 3) << a << " to " << b;
      EXPECT_LT(last_off * 1e-3, 2.0 * slower) << a << " to " << b;
    }
}

// Phases follow from the number of ticks: after an hour they are as exact as after a second.
TEST(GaitGenerator, the_master_phase_does_not_drift) {
  const GaitGenerator g({gait_table(Gait::Tripod)});
  GaitState s = walking(g, 0);
  for (int k = 0; k < 3600000; k++) g.step(s);
  const double period = timing_of(s.shape).period, turns = 3600.0 / period;
  EXPECT_NEAR(g.master_phase(s), turns - std::floor(turns), 1e-9);
  EXPECT_LT(off_ideal(g, s), 1e-3);
  EXPECT_NEAR(s.travelled, 3600.0 * 0.1, 1e-6);
}

TEST(GaitGenerator, the_same_commands_at_the_same_ticks_give_the_same_bits) {
  const GaitGenerator g(all_gaits()), h(all_gaits());
  GaitState s = g.standing(0, {}), t = h.standing(0, {});
  for (int k = 0; k < 30000; k++) {
    for (const auto& [gen, state] : {std::pair(&g, &s), std::pair(&h, &t)}) {
      if (k == 10) gen->walk(*state);
      if (k % 2500 == 0) gen->change(*state, k / 2500 % 5);
      if (k == 21000) gen->stop(*state);
      if (k == 21100) gen->walk(*state);
      gen->step(*state);
    }
    ASSERT_TRUE(same_bits(s, t)) << k;
  }
  // and from a copy in mid-walk, as a restart from State::memory makes one
  double block[sizeof(GaitState) / sizeof(double)];
  static_assert(sizeof(GaitState) % sizeof(double) == 0);
  std::memcpy(block, &s, sizeof s);
  GaitState u;
  std::memcpy(static_cast<void*>(&u), block, sizeof u);
  for (int k = 0; k < 2000; k++) {
    g.step(s);
    g.step(u);
  }
  EXPECT_TRUE(same_bits(s, u));
}

TEST(GaitGenerator, commands_during_start_and_stop_wait) {
  const GaitGenerator g(all_gaits());
  GaitState s = g.standing(0, {});
  g.walk(s);
  for (int k = 0; k < 100; k++) g.step(s);
  ASSERT_EQ(s.walk_mode(), WalkMode::Start);
  g.stop(s);
  g.change(s, 2);
  for (int k = 0; k < 20000 && s.walk_mode() != WalkMode::Stand; k++) g.step(s);
  ASSERT_EQ(s.walk_mode(), WalkMode::Stand);
  for (int i = 0; i < 6; i++) EXPECT_LE(std::abs(s.leg[i].along), 2e-3);
  g.walk(s);
  g.step(s);
  EXPECT_EQ(s.gait, 2.0);
  for (int k = 0; k < 5000; k++) g.step(s);
  ASSERT_EQ(s.walk_mode(), WalkMode::Walk);
  g.stop(s);
  g.step(s);
  ASSERT_EQ(s.walk_mode(), WalkMode::Stop);
  g.walk(s);
  for (int k = 0; k < 5000; k++) g.step(s);
  EXPECT_EQ(s.walk_mode(), WalkMode::Walk);
}

TEST(GaitGenerator, another_stroke_takes_over_at_the_next_wrap) {
  const GaitGenerator g(all_gaits());
  GaitState s = walking(g, 2);
  StepShape shorter;
  shorter.stroke = 0.04;
  ASSERT_TRUE(g.change(s, shorter));
  EXPECT_EQ(s.shape.stroke, 0.07);
  StepShape wrong;
  wrong.height = -1.0;
  EXPECT_FALSE(g.change(s, wrong));
  for (int k = 0; k < 5000; k++) g.step(s);
  EXPECT_EQ(s.shape.stroke, 0.04);
  EXPECT_LT(off_ideal(g, s), 1.1e-3);
}

TEST(GaitGenerator, a_stroke_of_zero_marches) {
  const GaitGenerator g(all_gaits());
  StepShape zero;
  zero.stroke = 0.0;
  GaitState s = walking(g, 2, zero);
  int lifted = 0;
  for (int k = 0; k < 5000; k++) {
    g.step(s);
    lifted += count_legs(s.airborne()) == 3 ? 1 : 0;
    for (int i = 0; i < 6; i++) ASSERT_EQ(s.leg[i].along, 0.0);
  }
  EXPECT_GT(lifted, 4000);
  EXPECT_EQ(s.travelled, 0.0);
}

TEST(GaitGenerator, periods_of_any_length_are_walked_without_rounding) {
  const GaitGenerator g(all_gaits());
  for (const double stroke : {0.0613, 0.0501, 0.0697}) {
    StepShape odd;
    odd.stroke = stroke;
    GaitState s = walking(g, 2, odd);
    for (int k = 0; k < 60000; k++) {
      g.step(s);
      ASSERT_FALSE(neighbours_fly(g, s));
    }
    EXPECT_LT(off_ideal(g, s), 1e-3) << stroke;
    EXPECT_NEAR(g.master_phase(s), cycle_phase(60.0 / timing_of(s.shape).period), 1e-9);
  }
}

// --- ground

// Ground of a height for each leg, over the level at the start. What a foot feels: it is at or below the ground.
struct Terrain {
  std::array<double, 6> height{};
  LegSet touching(const GaitState& s) const {
    LegSet out = 0;
    for (int i = 0; i < 6; i++)
      if (s.leg[i].up + s.clearance <= height[i]) out |= leg_bit(i);
    return out;
  }
};

TEST(GaitGenerator, early_and_late_contact_leave_the_period_constant) {
  const GaitGenerator g(all_gaits());
  for (const double y : {0.02, 0.01, -0.01, -0.02}) {
    GaitState s = walking(g, 2);
    Terrain ground;
    ground.height[0] = y;  // under one leg alone: no reason for the body to rise
    std::vector<int> lifts, landings;
    bool was = false;
    for (int k = 0; k < 9000; k++) {
      GaitInput in;
      in.senses = true;
      in.touching = ground.touching(s);
      g.step(s, in);
      ASSERT_EQ(s.walk_fault(), WalkFault::None) << y;
      const bool is = s.leg[0].in_air != 0.0;
      if (is != was) (is ? lifts : landings).push_back(k);
      was = is;
    }
    EXPECT_LT(std::abs(s.clearance), 3e-4);  // what a foot moves in a tick: where it feels the ground
    const StepTiming t = timing_of(s.shape);
    ASSERT_GT(lifts.size(), 6u);
    for (std::size_t n = 2; n + 1 < lifts.size(); n++) {
      EXPECT_NEAR(lifts[n + 1] - lifts[n], 933.3, 2.0) << y;
      // ticks of lifting, of feeling and of landing, and the clearance above
      EXPECT_NEAR((landings[n] - lifts[n]) * 1e-3, landing_at(s.shape, t, y).time, 4.5e-3) << y;
    }
    EXPECT_NEAR(s.leg[0].in_air != 0.0 ? y : s.leg[0].up, y, 1e-3);
  }
}

TEST(GaitGenerator, a_hole_halts_and_names_the_leg) {
  const GaitGenerator g(all_gaits());
  GaitState s = walking(g, 2);
  Terrain ground;
  ground.height[4] = -0.1;
  for (int k = 0; k < 3000; k++) {
    GaitInput in;
    in.senses = true;
    in.touching = ground.touching(s);
    g.step(s, in);
  }
  EXPECT_EQ(s.walk_mode(), WalkMode::Halt);
  EXPECT_EQ(s.walk_fault(), WalkFault::Hole);
  EXPECT_EQ(s.fault_leg, 4.0);
  EXPECT_EQ(s.leg[4].up, -s.shape.height);
  EXPECT_EQ(s.airborne(), leg_bit(4));  // all others have landed
  const double travelled = s.travelled;
  for (int k = 0; k < 500; k++) g.step(s, {true, ground.touching(s), nullptr});
  EXPECT_EQ(s.travelled, travelled);
}

// A wall before the foot that ends at 55 mm: the second try, raised by H, goes over it. One of a metre: halt after two.
TEST(GaitGenerator, an_obstacle_above_the_zone_is_tried_again_higher_and_twice_at_most) {
  const GaitGenerator g(all_gaits());
  for (const double top : {0.055, 1.0}) {
    GaitState s = walking(g, 2);
    int retries = 0;
    for (int k = 0; k < 3000; k++) {
      GaitInput in;
      in.senses = true;
      for (int i = 0; i < 6; i++)
        if (s.leg[i].up <= 0.0) in.touching |= leg_bit(i);
      if (s.leg[0].in_air != 0.0 && s.leg[0].along > -0.01 && s.leg[0].along < 0.0 && s.leg[0].up < top)
        in.touching |= leg_bit(0);
      g.step(s, in);
      retries = std::max(retries, int(s.leg[0].tries));
    }
    EXPECT_EQ(s.walk_fault(), top < 0.1 ? WalkFault::None : WalkFault::Obstacle) << top;
    EXPECT_EQ(retries, top < 0.1 ? 1 : 2);
    EXPECT_EQ(s.fault_leg, top < 0.1 ? -1.0 : 0.0);
  }
}

// On a plate under all feet the body rises with the ground, at most by 0.05 m/s, and feet stand at the nominal level again.
TEST(GaitGenerator, the_body_follows_ground_that_is_higher_under_all_feet) {
  const GaitGenerator g(all_gaits());
  for (const double y : {0.02, -0.02}) {
    GaitState s = walking(g, 2);
    Terrain ground;
    ground.height.fill(y);
    double last = 0.0;
    for (int k = 0; k < 8000; k++) {
      g.step(s, {true, ground.touching(s), nullptr});
      ASSERT_LE(std::abs(s.clearance - last), 0.05e-3 + 1e-15);
      last = s.clearance;
    }
    EXPECT_EQ(s.walk_fault(), WalkFault::None);
    EXPECT_NEAR(s.clearance, y, 1.5e-3) << y;
  }
}

struct Forbid : LiftGuard {
  LegSet forbidden = 0;
  bool may_lift(int leg, LegSet) const override { return !has_leg(forbidden, leg); }
};

TEST(GaitGenerator, a_leg_that_never_may_lift_holds_the_body_and_halts_after_a_second) {
  const GaitGenerator g(all_gaits());
  GaitState s = walking(g, 2);
  Forbid guard;
  guard.forbidden = leg_bit(2);
  GaitInput in;
  in.guard = &guard;
  bool held = false;
  int frozen = 0;
  for (int k = 0; k < 4000 && s.walk_fault() == WalkFault::None; k++) {
    const GaitReport r = g.step(s, in);
    held = held || has_leg(r.held, 2);
    frozen += r.frozen ? 1 : 0;
    ASSERT_EQ(s.leg[2].in_air, 0.0);
    ASSERT_GT(s.leg[2].along, -0.0527);
  }
  EXPECT_TRUE(held);
  EXPECT_EQ(s.walk_fault(), WalkFault::Held);
  EXPECT_EQ(s.fault_leg, 2.0);
  EXPECT_NEAR(frozen, 1001, 1);
}

// Held for less than T_tr: back on the ideal within two periods.
TEST(GaitGenerator, after_a_short_disturbance_the_feet_return_to_the_ideal) {
  const GaitGenerator g(all_gaits());
  for (int gait = 0; gait < 5; gait++)
    for (int leg = 0; leg < 6; leg++) {
      GaitState s = walking(g, gait);
      Forbid guard;
      guard.forbidden = leg_bit(leg);
      GaitInput in;
      in.guard = &guard;
      for (int k = 0; k < 5000 && s.leg[leg].pending == 0.0; k++) g.step(s);
      for (int k = 0; k < 400; k++) g.step(s, in);
      const int two = int(2.0 * timing_of(s.shape).period / 1e-3);
      for (int k = 0; k < two; k++) {
        g.step(s);
        ASSERT_FALSE(neighbours_fly(g, s));
      }
      EXPECT_LT(off_ideal(g, s), 1.1e-3) << gait_names[gait] << " leg " << leg;
    }
}

TEST(GaitGenerator, four_and_twelve_legs_walk_as_well) {
  for (const int rows : {2, 6})
    for (const Gait gait : {Gait::Wave, Gait::Tripod}) {
      const GaitGenerator g({gait_table(gait, rows)});
      GaitState s = walking(g, 0);
      for (int k = 0; k < 20000; k++) {
        g.step(s);
        ASSERT_FALSE(neighbours_fly(g, s));
      }
      EXPECT_LT(off_ideal(g, s), 1.1e-3) << rows;
    }
}

}  // namespace gait_generator_test
}  // namespace sinew::legged
