#include "sinew/sim/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"

namespace sinew::sim {
namespace statistics_test {

// exp(-t/10) (cos t, sin t), looked at in steps of 0.01 s until 60 s.
std::vector<double> of_spiral(const ResultPlan& plan) {
  Statistics s;
  for (int k = 0; k <= 6000; k++) {
    const double t = 0.01 * k, size = std::exp(-0.1 * t);
    if (is_looked_at(plan, t, 0.01)) add_look(plan, t, 0.01, std::vector{size * std::cos(t), size * std::sin(t)}, s);
  }
  return taken(plan, 60.0, s);
}

TEST(Statistics, max_at_and_min_at_tell_the_step_of_the_extremes) {
  // sin t: extremes where tan t = 10, the first and the second of them
  const std::vector<double> max_at = of_spiral({.name = "x", .signal = "", .take = Take::MaxAt});
  const std::vector<double> min_at = of_spiral({.name = "x", .signal = "", .take = Take::MinAt});
  EXPECT_EQ(max_at[0], 0.0);
  EXPECT_NEAR(max_at[1], std::atan(10.0), 0.005);
  EXPECT_NEAR(min_at[1], std::atan(10.0) + M_PI, 0.005);
}

TEST(Statistics, settled_is_when_the_last_excess_is_over) {
  ResultPlan plan{.name = "x", .signal = "", .take = Take::Settled, .within = 0.1, .over = Over::Norm};
  const double t = 10.0 * std::log(10.0);  // exp(-t/10) = 0.1
  EXPECT_EQ(of_spiral(plan).size(), 1u);
  EXPECT_NEAR(of_spiral(plan)[0], std::ceil(100.0 * t) / 100.0, 1e-9);
  plan.every = 1.0;
  EXPECT_NEAR(of_spiral(plan)[0], std::ceil(t), 1e-9);
  plan.within = 1e-4;  // not before the end
  EXPECT_TRUE(std::isnan(of_spiral(plan)[0]));
  plan = {.name = "x", .signal = "", .take = Take::Settled, .less = 0.0, .within = 2.0};
  EXPECT_EQ(of_spiral(plan)[0], 0.0);
  plan.from = 3.0;
  EXPECT_NEAR(of_spiral(plan)[0], 3.0, 1e-9);
}

TEST(Statistics, ever_is_whether_it_was_not_zero_at_any_time) {
  const ResultPlan plan{.name = "x", .signal = "", .take = Take::Ever};
  Statistics s;
  for (int k = 0; k < 10; k++) add_look(plan, k, 1.0, std::vector{k == 4 ? -0.3 : 0.0, 0.0}, s);
  EXPECT_EQ(taken(plan, 9.0, s), (std::vector{1.0, 0.0}));
  Statistics first;  // the first look counts
  add_look(plan, 0.0, 1.0, std::vector{2.0}, first);
  add_look(plan, 1.0, 1.0, std::vector{0.0}, first);
  EXPECT_EQ(taken(plan, 1.0, first), std::vector{1.0});
}

// A foot that slips with 1, then 2 mm/s for a second each, lifted for 0.5 s in between; in the second stance it sticks for one look.
TEST(Statistics, a_stretch_is_the_largest_integral_from_zero_to_zero) {
  const ResultPlan plan{.name = "x", .signal = "", .take = Take::Stretch};
  Statistics s;
  for (int k = 0; k <= 3500; k++) {
    const double t = 1e-3 * k;
    const double slip = t < 1.0 ? 1e-3 : t < 1.5 ? 0.0 : t < 2.5 ? (k == 2000 ? 0.0 : -2e-3) : 0.0;
    add_look(plan, t, 1e-3, std::vector{slip}, s);
  }
  EXPECT_NEAR(taken(plan, 3.5, s)[0], 2e-3, 4e-6);  // in magnitude, and not the sum of both
}

// exp(-t/10) cos t and sin t: the second component rises from 0 through 0.05 and 0.45 before it is at 0.5.
TEST(Statistics, rise_and_reached_tell_when_levels_are_passed_between_two_looks) {
  const auto when = [](double x) {  // exp(-t/10) sin t = x, the first time
    double a = 0.0, b = 1.0;
    for (int k = 0; k < 100; k++) {
      const double c = 0.5 * (a + b);
      (std::exp(-c / 10.0) * std::sin(c) < x ? a : b) = c;
    }
    return a;
  };
  const std::vector<double> reached = of_spiral({.name = "x", .signal = "", .take = Take::Reached, .level = 0.5});
  const std::vector<double> rise = of_spiral({.name = "x", .signal = "", .take = Take::Rise, .level = 0.5});
  EXPECT_NEAR(reached[1], when(0.5), 1e-4);
  EXPECT_NEAR(rise[1], when(0.45) - when(0.05), 1e-4);
  const std::vector<double> never = of_spiral({.name = "x", .signal = "", .take = Take::Reached, .level = 5.0});
  EXPECT_TRUE(std::isnan(never[1]));
}

TEST(Statistics, times_are_results_in_seconds) {
  const RunResult r = run(text::parse_scenario(R"(
duration = 3.0
[body.stone]
mass = 1.0
inertia = [1.0, 1.0, 1.0]
[joint.rail]
kind = "prismatic"
child = "stone"
axis = [0.0, 0.0, 1.0]
velocity = 9.81
[output.result]
top = { signal = "joint.rail.q", take = "max_at" }
slow = { signal = "joint.rail.u", take = "settled", within = 1.0 }
late = { signal = "joint.rail.u", take = "settled", within = 1.0, from = 10.0 }
)",
                                               "file"));
  EXPECT_NEAR(r.results[0].values[0], 1.0, 0.0051);
  EXPECT_EQ(r.results[0].unit, "s");
  EXPECT_TRUE(std::isnan(r.results[1].values[0]));  // it falls faster and faster
  EXPECT_TRUE(std::isnan(r.results[2].values[0]));  // never looked at
}

}  // namespace statistics_test
}  // namespace sinew::sim
