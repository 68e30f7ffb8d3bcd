#include "sinew/report/plot_phases.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/errors.h"

namespace sinew::report {
namespace plot_phases_test {

using Spans = std::vector<std::pair<double, double>>;

// Two legs, ten rows 0.1 s apart: the first lifts from 0.3 to 0.6 s and then stands on a plate, the second flies at first, with one row
// of contact by chance.
Traces two_legs() {
  Traces t{{"t", "contact.tibia_L1.foot:ground.normal", "contact.tibia_L1.foot:obstacle.plate.normal",
            "contact.tibia_L1.foot:ground.friction.x", "contact.tibia_R1.foot:ground.normal",
            "contact.trunk.shell:ground.normal"},
           {"s", "N", "N", "N", "N", "N"},
           {}};
  t.read = [](std::size_t i) {
    const double loads[6][10] = {{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9},
                                 {5, 5, 5, 0, 0, 0, 0, 0, 0, 0},
                                 {0, 0, 0, 0, 0, 0, 9, 9, 9, 9},
                                 {1, 1, 1, 0, 0, 0, 1, 1, 1, 1},
                                 {0, 0, 3, 0, 0, 7, 7, 0, 7, 7},
                                 {4, 4, 4, 4, 4, 4, 4, 4, 4, 4}};
    return std::vector<double>(loads[i], loads[i] + 10);
  };
  return t;
}

TEST(PlotPhases, a_foot_stands_from_landing_to_lifting_whatever_it_stands_on) {
  const auto legs = phases_of(two_legs(), "place");
  ASSERT_EQ(legs.size(), 2u);
  EXPECT_EQ(legs[0].name, "L1");
  EXPECT_EQ(legs[0].stance, (Spans{{0.0, 0.3}, {0.6, 0.9}}));
  EXPECT_EQ(legs[0].transfer, (Spans{{0.3, 0.6}}));
  EXPECT_EQ(legs[1].name, "R1");
  EXPECT_EQ(legs[1].stance, (Spans{{0.5, 0.9}}));  // single rows do not count
  EXPECT_EQ(legs[1].transfer, (Spans{{0.0, 0.5}}));
}

// Of a biped and of robots of other programs the foot is a body, with a shape of any name, or several.
TEST(PlotPhases, bodies_that_are_feet_are_legs_too) {
  const Traces t{{"t", "contact.foot_L.box:ground.normal", "contact.foot_L.heel:ground.normal",
                  "contact.foot_R.box:ground.step0.normal", "contact.trunk.box:ground.normal"},
                 {"s", "N", "N", "N", "N"},
                 [](std::size_t i) {
                   const double loads[5][4] = {{0, 1, 2, 3}, {5, 5, 0, 0}, {0, 0, 0, 0}, {0, 0, 5, 5}, {1, 1, 1, 1}};
                   return std::vector<double>(loads[i], loads[i] + 4);
                 }};
  const auto legs = phases_of(t, "place");
  ASSERT_EQ(legs.size(), 2u);
  EXPECT_EQ(legs[0].name, "L");
  EXPECT_EQ(legs[0].stance, (Spans{{0.0, 2.0}}));
  EXPECT_EQ(legs[1].name, "R");
  EXPECT_EQ(legs[1].stance, (Spans{{2.0, 3.0}}));
  EXPECT_EQ(phases_of({{"t", "contact.FL_Foot.sphere:ground.normal"}, {"s", "N"}, t.read}, "place")[0].name, "FL_Foot");
}

TEST(PlotPhases, have_a_row_for_each_leg_the_first_at_the_top) {
  const auto f = plot_phases(two_legs(), {"title", "", {}}, "place");
  ASSERT_EQ(f.panels.size(), 1u);
  EXPECT_EQ(f.panels[0].y_names, (std::vector<std::string>{"L1", "R1"}));
  const figure::Curve& stance = f.panels[0].curves[0];
  EXPECT_TRUE(stance.filled);
  ASSERT_EQ(stance.x.size(), 18u);  // three bars of five points, and gaps
  EXPECT_DOUBLE_EQ(stance.x[0], 0.0);
  EXPECT_DOUBLE_EQ(stance.x[1], 0.3);
  EXPECT_NEAR(stance.y[0], 2.0, 0.4);
  EXPECT_NEAR(stance.y[12], 1.0, 0.4);
  EXPECT_TRUE(std::isnan(stance.y[5]));
  const figure::Curve& transfer = f.panels[0].curves[1];
  EXPECT_FALSE(transfer.filled);
  ASSERT_EQ(transfer.x.size(), 6u);  // two lines, and gaps
  EXPECT_DOUBLE_EQ(transfer.x[1], 0.6);
}

std::string problem_of(const Traces& traces) {
  try {
    phases_of(traces, "place");
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

TEST(PlotPhases, say_what_is_missing) {
  const auto nothing = [](std::size_t) { return std::vector<double>{}; };
  EXPECT_NE(problem_of({{"t", "energy.kinetic"}, {"s", "J"}, nothing}).find("add contact.*"), std::string::npos);
  EXPECT_NE(problem_of({{"t", "contact.bob.skin:ground.normal"}, {"s", "N"}, nothing}).find("is called \"foot\""),
            std::string::npos);
}

}  // namespace plot_phases_test
}  // namespace sinew::report
