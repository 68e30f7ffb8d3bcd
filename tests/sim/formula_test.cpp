#include "sinew/sim/formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"

namespace sinew::sim {
namespace formula_test {

const World<double>& world() {
  static const World<double> w = make_world(
      text::parse_scenario("[robot]\nkind = \"soft-limb\"\nn = 2\ntheta0 = [0.1, 0.4]\nrate0 = [0.2, -0.5]\n", "file"));
  return w;
}
std::vector<double> values(std::string_view text) {
  const auto signals = signals_of(world().model());
  std::vector<double> out;
  for (const Sum& sum : parse_formula(signals, text).components)
    out.push_back(evaluate(sum, signals, world(), observe(world())));
  return out;
}

TEST(Formula, sums_differences_and_lists) {
  EXPECT_EQ(values("joint.joint2.q"), std::vector{0.4 - 0.1});
  EXPECT_DOUBLE_EQ(values("joint.joint1.q + joint.joint2.q")[0], 0.4);
  EXPECT_DOUBLE_EQ(values("joint.joint1.q - joint.joint2.q")[0], -0.2);
  EXPECT_EQ(values("-joint.joint1.q, joint.joint1.u"), (std::vector{-0.1, 0.2}));
  EXPECT_EQ(values("com.p").size(), 3u);
}

TEST(Formula, numbers_as_factors_and_alone) {
  EXPECT_DOUBLE_EQ(values("2.5 * joint.joint1.q - 1e1 * joint.joint2.q")[0], 0.25 - 3.0);
  EXPECT_DOUBLE_EQ(values("-2 * joint.joint1.q + 0.5 - 3")[0], -2.7);
  EXPECT_TRUE(values("0.5 + joint.joint1.q").empty());  // what it is of comes first
  EXPECT_TRUE(values("x * joint.joint1.q").empty());
  EXPECT_TRUE(values("2 * 3 * joint.joint1.q").empty());
}

// The outer end of a limb is a sum over the centres of mass of its links.
TEST(Formula, tip_of_a_limb) {
  const Scenario s = text::parse_scenario(
      "[robot]\nkind = \"soft-limb\"\nn = 4\nx0 = 0.3\ny0 = -0.2\ntheta0 = [0.1, 0.4, -0.3, 0.7]\n", "file");
  const World<double> w = make_world(s);
  const auto signals = signals_of(w.model());
  const std::vector<ResultPlan> results = results_of(s);
  const auto tip = std::ranges::find(results, "tip", &ResultPlan::name);
  ASSERT_NE(tip, results.end());
  double x = 0.3, z = -0.2;
  for (const double angle : {0.1, 0.4, -0.3, 0.7}) x += 0.45 * std::cos(angle), z += 0.45 * std::sin(angle);
  const Formula formula = parse_formula(signals, tip->signal);
  ASSERT_EQ(formula.components.size(), 2u);
  EXPECT_NEAR(evaluate(formula.components[0], signals, w, observe(w)), x, 1e-12);
  EXPECT_NEAR(evaluate(formula.components[1], signals, w, observe(w)), z, 1e-12);
}

TEST(Formula, a_list_is_a_vector_and_a_sum_is_not) {
  const auto signals = signals_of(world().model());
  EXPECT_TRUE(parse_formula(signals, "com.p.x, com.p.z").is_vector);
  EXPECT_TRUE(parse_formula(signals, "com.p").is_vector);
  EXPECT_FALSE(parse_formula(signals, "com.p.x + com.p.z").is_vector);
}

TEST(Formula, names_what_it_does_not_know) {
  const auto signals = signals_of(world().model());
  for (const auto& [text, unknown] : {std::pair("com.p.x + com.q", "com.q"), std::pair("com.p.x, ", ""),
                                      std::pair("energy.kinetic+energy.elastic", "energy.kinetic+energy.elastic")}) {
    const Formula formula = parse_formula(signals, text);
    EXPECT_TRUE(formula.components.empty()) << text;
    EXPECT_EQ(formula.unknown, unknown);
  }
}

}  // namespace formula_test
}  // namespace sinew::sim
