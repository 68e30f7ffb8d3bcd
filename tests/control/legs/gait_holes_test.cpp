// Feet over holes; changes between all gaits, one of the user's own among them.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/control/legs/gait_generator.h"

namespace sinew::legged {
namespace gait_holes_test {

std::vector<GaitTable> six_gaits() {
  std::vector<GaitTable> out;
  for (int g = 0; g < int(gait_names.size()); g++) out.push_back(gait_table(Gait(g), 3));
  static const int multiplier[6] = {2, 0, 1, 0, 2, 3};
  out.push_back(gait_table(GaitCounts{3, 1, 1, multiplier}, Neighbours::Ring));
  return out;
}

// Level ground with a ditch that leg L1 alone meets, at [from, to] of the world; along: of the leg's neutral point.
struct Walk {
  GaitGenerator generator;
  GaitState s;
  double from, to, most_search = 0.0;

  Walk(int tries, double from, double to)
      : generator({gait_table(Gait::Wave, 3)}, 1e-3, {.hole_tries = tries, .hole_step = 0.03}),
        s(generator.standing(0, StepShape{})),
        from(from),
        to(to) {
    generator.walk(s);
  }
  void step() {
    GaitInput in;
    in.senses = true;
    for (int i = 0; i < 6; i++) {
      const double x = s.travelled + s.leg[i].along;
      const bool hole = i == 0 && x > from && x < to;
      if (s.leg[i].up <= 0.0 && !hole) in.touching |= leg_bit(i);
    }
    generator.step(s, in);
    most_search = std::max(most_search, s.leg[0].search);
  }
};

TEST(GaitGenerator, a_foot_over_a_hole_finds_ground_beside_it) {
  for (const double width : {0.02, 0.05, 0.08}) {
    Walk walk(6, 0.15, 0.15 + width);
    for (int k = 0; k < 30000 && walk.s.travelled < 0.5; k++) walk.step();
    EXPECT_EQ(walk.s.walk_mode(), WalkMode::Walk) << width;
    EXPECT_GE(walk.s.travelled, 0.5) << width;
    if (width > 0.06) {
      EXPECT_GT(walk.most_search, 0.0) << width;  // a step is 0.0636 m long
    }
  }
}

TEST(GaitGenerator, a_foot_that_finds_no_ground_anywhere_halts) {
  for (const int tries : {0, 6}) {
    Walk walk(tries, -10.0, 10.0);
    for (int k = 0; k < 30000 && walk.s.walk_mode() != WalkMode::Halt; k++) walk.step();
    EXPECT_EQ(walk.s.walk_fault(), WalkFault::Hole);
    EXPECT_EQ(walk.s.fault_leg, 0.0);
    EXPECT_EQ(walk.most_search, double(tries));
  }
}

// Ground behind it, none ahead: it steps on the spot.
TEST(GaitGenerator, before_an_abyss_it_stays) {
  Walk walk(6, 0.1, 10.0);
  for (int k = 0; k < 30000; k++) walk.step();
  EXPECT_LT(walk.s.travelled, 0.2);
}

// A gait of the user's own to each of the five and back; with gait_generator_test.cpp these are all 30 pairs of six gaits: no rule is broken, at least three feet stand, and all feet are on their ideal cycle again after three periods of the slowest.
TEST(GaitGenerator, changes_from_and_to_a_gait_of_ones_own_obey_the_rules) {
  const GaitGenerator g(six_gaits());
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++) {
      if ((a == 5) == (b == 5)) continue;
      GaitState s = g.standing(a, StepShape{});
      g.walk(s);
      for (int k = 0; k < 9000; k++) g.step(s);
      ASSERT_EQ(s.walk_mode(), WalkMode::Walk) << a;
      g.change(s, b);
      for (int k = 0; k < 9000; k++) {
        g.step(s);
        const LegSet airborne = s.airborne();
        EXPECT_LE(count_legs(airborne), 3) << a << b;
        for (int i = 0; i < 6; i++)
          if (has_leg(airborne, i)) {
            ASSERT_EQ(g.table(s).neighbours[i] & airborne, 0u) << a << b << " at " << k;
          }
      }
      double off = 0.0;
      for (int i = 0; i < 6; i++) off = std::max(off, std::abs(s.leg[i].along - g.ideal(s, i).along));
      EXPECT_EQ(int(s.gait), b);
      EXPECT_EQ(s.walk_mode(), WalkMode::Walk) << a << b;
      EXPECT_LT(off, 1e-3) << a << b;
    }
}

}  // namespace gait_holes_test
}  // namespace sinew::legged
