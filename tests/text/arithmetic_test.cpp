#include "sinew/text/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace sinew::text {
namespace arithmetic_test {

double value(std::string_view text, const Parameters& parameters = {}) {
  const Evaluated e = evaluate(text, parameters);
  EXPECT_EQ(e.problem, "") << text;
  return e.value;
}
std::string problem(std::string_view text, const Parameters& parameters = {}) {
  return evaluate(text, parameters).problem;
}

TEST(Arithmetic, products_go_before_sums_and_powers_before_both) {
  EXPECT_EQ(value("1 + 2 * 3"), 7.0);
  EXPECT_EQ(value("(1 + 2) * 3"), 9.0);
  EXPECT_EQ(value("8 / 4 / 2"), 1.0);
  EXPECT_EQ(value("8 - 4 - 2"), 2.0);
  EXPECT_EQ(value("2 * 3 ^ 2"), 18.0);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512.0);
  EXPECT_EQ(value("-2 ^ 2"), -4.0);
  EXPECT_EQ(value("2 * -3"), -6.0);
  EXPECT_EQ(value("2 ^ -1"), 0.5);
  EXPECT_EQ(value("1e-3*2.5"), 2.5e-3);
}

TEST(Arithmetic, names_and_functions_are_known) {
  const Parameters p{{"leg", 0.2}, {"L2", 3.0}};
  EXPECT_EQ(value("leg/2", p), 0.1);
  EXPECT_EQ(value("2*L2 - leg", p), 5.8);
  EXPECT_EQ(value("sqrt(16) + abs(-2) + min(1, 2) + max(1, 2) + floor(2.7)"), 11.0);
  EXPECT_EQ(value("cos(0)"), 1.0);
  EXPECT_NEAR(value("sin(pi / 6) + tan(pi / 4) + exp(log(2))"), 3.5, 1e-15);
  EXPECT_NEAR(value("atan2(1, -1) + asin(1) + acos(1) + atan(1)"), 1.5 * std::numbers::pi, 1e-15);
}

TEST(Arithmetic, what_is_wrong_is_said) {
  const Parameters p{{"leg", 0.2}};
  EXPECT_EQ(problem("lag", p), "there is no parameter lag: [param] has leg");
  EXPECT_EQ(problem("lag"), "there is no parameter lag: [param] is empty");
  EXPECT_EQ(problem("(1 + 2"), "a ) is missing");
  EXPECT_EQ(problem("1 +"), "a number is missing at its end");
  EXPECT_EQ(problem(""), "a number is missing at its end");
  EXPECT_EQ(problem("1 2"), "\"2\" is not expected there");
  EXPECT_EQ(problem("1 $ 2"), "\"$\" is not expected there");
  EXPECT_EQ(problem("atan2(1)"), "atan2 takes 2 numbers");
  EXPECT_TRUE(problem("foo(1)").starts_with("there is no function foo"));
  EXPECT_EQ(problem("1 / 0"), "it is no finite number");
  EXPECT_EQ(problem("sqrt(-1)"), "it is no finite number");
  EXPECT_EQ(problem(std::string(1000, '(')), "it is nested too deeply");
  EXPECT_EQ(problem(std::string(1000, '-') + "1"), "it is nested too deeply");
}

TEST(Arithmetic, names_are_words) {
  EXPECT_TRUE(is_parameter_name("leg_2"));
  EXPECT_FALSE(is_parameter_name("leg-2"));
  EXPECT_FALSE(is_parameter_name("2leg"));
  EXPECT_FALSE(is_parameter_name("pi"));
  EXPECT_FALSE(is_parameter_name(""));
}

}  // namespace arithmetic_test
}  // namespace sinew::text
