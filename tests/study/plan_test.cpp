#include "sinew/study/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sinew/sim/errors.h"
#include "sinew/study/expression.h"
#include "sinew/study/sample.h"

namespace plan_test {
using namespace sinew;
using namespace sinew::study;

std::vector<Trial> rows(const StudyPlan& plan) { return rows_of(plan, axes_of(plan)); }

std::string problem_of(const StudyPlan& plan) {
  try {
    rows(plan);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(StudyPlan, a_grid_has_every_value_with_every_other_and_the_last_key_changes_fastest) {
  StudyPlan plan;
  plan.vary = {"a=10:60:11", "b=0.1,0.2,0.4"};
  const auto all = rows(plan);
  ASSERT_EQ(all.size(), 33u);
  EXPECT_EQ(all[0].point[0].number, 10.0);
  EXPECT_EQ(all[1].point[1].number, 0.2);
  EXPECT_EQ(all[3].point[0].number, 15.0);
  EXPECT_EQ(all[32].point[0].number, 60.0);
  EXPECT_EQ(all[32].row, 32u);
  EXPECT_FALSE(all[0].seed.has_value());
}

TEST(StudyPlan, a_list_takes_values_side_by_side_and_words_as_they_are) {
  StudyPlan plan;
  plan.sampling = Sampling::List;
  plan.vary = {"method=moreau,rk4", "g=[0, 0, -1],[0, 0, -2]"};
  const auto all = rows(plan);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].point[0].written(), "rk4");
  EXPECT_EQ(all[1].point[1].written(), "[0, 0, -2]");
  plan.vary = {"a=1,2,3", "b=1,2"};
  EXPECT_NE(problem_of(plan).find("as many of each key"), std::string::npos);
}

TEST(StudyPlan, repeated_rows_have_seeds_of_their_own_that_follow_from_the_studys) {
  StudyPlan plan;
  plan.vary = {"a=1,2"};
  plan.repeat = 50;
  plan.seed = 7;
  std::set<std::uint64_t> seeds;
  for (const Trial& s : rows(plan)) {
    EXPECT_LT(*s.seed, 1u << 31);
    seeds.insert(*s.seed);
  }
  EXPECT_EQ(seeds.size(), 100u);
  EXPECT_EQ(rows(plan)[42].seed, seed_of_row(7, 42));
  EXPECT_NE(seed_of_row(7, 42), seed_of_row(8, 42));
}

TEST(StudyPlan, what_is_wrong_with_it_is_said) {
  StudyPlan plan;
  EXPECT_NE(problem_of(plan).find("nothing is varied"), std::string::npos);
  for (const char* bad : {"a", "a=", "=1", "a=2:1:3", "a=1:2:1", "a=1:2:x", "a=1:2:3:4", "a=1,,2", "a=1:2"}) {
    plan.vary = {bad};
    EXPECT_NE(problem_of(plan), "") << bad;
  }
  plan.vary = {"a=1,2", "a=3,4"};
  EXPECT_NE(problem_of(plan).find("varied twice"), std::string::npos);
  plan.vary = {"a=1:2"};
  plan.sampling = Sampling::Latin;
  EXPECT_NE(problem_of(plan).find("--samples"), std::string::npos);
  plan.samples = 4;
  EXPECT_EQ(problem_of(plan), "");
}

TEST(Sample, a_latin_hypercube_has_one_point_in_each_interval_of_each_key) {
  const auto points = latin_hypercube(97, 5, 3);
  for (std::size_t a = 0; a < 5; a++) {
    std::set<int> taken;
    for (const auto& p : points) taken.insert(int(p[a] * 97.0));
    EXPECT_EQ(taken.size(), 97u) << a;
  }
  EXPECT_NE(points, latin_hypercube(97, 5, 4));
}

// The first points of the sequence in two dimensions, in the order of Gray's code (Joe and Kuo's program prints these).
TEST(Sample, sobol_points_are_those_of_joe_and_kuo) {
  const double first[8] = {0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125};
  const double second[8] = {0, 0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625};
  const double third[8] = {0, 0.5, 0.25, 0.75, 0.625, 0.125, 0.875, 0.375};
  for (std::uint32_t i = 0; i < 8; i++) {
    EXPECT_EQ(double(sobol_bits(i, 0)) * 0x1p-32, first[i]) << i;
    EXPECT_EQ(double(sobol_bits(i, 1)) * 0x1p-32, second[i]) << i;
    EXPECT_EQ(double(sobol_bits(i, 2)) * 0x1p-32, third[i]) << i;
  }
}

// The definition of a digital net: of 2^m points each axis has one in each of 2^m intervals; the first two axes together one in each box.
TEST(Sample, sobol_points_are_one_in_each_interval_of_each_key) {
  const auto points = sobol_points(64, most_sobol_axes, 11);
  for (std::size_t a = 0; a < std::size_t(most_sobol_axes); a++) {
    std::set<int> taken;
    for (const auto& p : points) taken.insert(int(p[a] * 64.0));
    EXPECT_EQ(taken.size(), 64u) << a;
  }
  std::set<std::pair<int, int>> boxes;
  for (const auto& p : points) boxes.insert({int(p[0] * 8.0), int(p[1] * 8.0)});
  EXPECT_EQ(boxes.size(), 64u);
}

double number_named(const std::string& name) { return name == "a" ? 3.0 : name == "b.x" ? -2.0 : std::nan(""); }

TEST(Expression, follows_the_rules_of_arithmetic) {
  const auto value = [](const char* text) { return Expression(text, "test").value(number_named); };
  EXPECT_EQ(value("a + 2 * b.x"), -1.0);
  EXPECT_EQ(value("(a + 2) * b.x"), -10.0);
  EXPECT_EQ(value("-a ^ 2"), -9.0);
  EXPECT_EQ(value("2 ^ 3 ^ 0"), 2.0);
  EXPECT_EQ(value("8 / 4 / 2 - 1 - 1"), -1.0);
  EXPECT_EQ(value("max(abs(b.x), sqrt(a * a)) - min(1e-1, 2)"), 2.9);
  EXPECT_NEAR(value("log(exp(a))"), 3.0, 1e-15);
  EXPECT_TRUE(std::isnan(value("max(a, unknown)")));
  EXPECT_EQ(Expression("a + a * b.x", "test").names(), (std::vector<std::string>{"a", "b.x"}));
}

TEST(Expression, that_makes_no_sense_is_refused) {
  for (const char* bad : {"", "a +", "(a", "a)", "a b", "max(a)", "abs", "a $ b", "1..2", "<"})
    EXPECT_THROW(Expression(bad, "test"), InputError) << bad;
  EXPECT_THROW(Expression(std::string(10000, '('), "test"), InputError);
  EXPECT_THROW(Condition("a + 1", "test"), InputError);
}

TEST(Condition, tells_by_how_much_it_is_missed) {
  EXPECT_EQ(Condition("a < 8", "test").missed_by(number_named), 0.0);
  EXPECT_EQ(Condition("a <= 1", "test").missed_by(number_named), 2.0);
  EXPECT_EQ(Condition("a > 2 * a", "test").missed_by(number_named), 3.0);
  EXPECT_TRUE(std::isinf(Condition("other > 1", "test").missed_by(number_named)));
}

}  // namespace plan_test
