#include "sinew/validate/judge.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::validate {
namespace judge_test {

constexpr const char* run = R"({"sinew": "0.1.0", "energy": {"kinetic": 2.0, "balance_error": -3e-10},
  "result": {"x": 1.5, "p": [1.0, 2.0, 3.0], "none": null, "at": {"x": [1.0, 2.0], "p": [[1, 2, 3], [4, 5, 6]]}},
  "hash": "0123"})";

sim::Expectation expect(std::string name, std::vector<double> value, double tolerance, std::string of = "") {
  sim::Expectation e;
  e.name = std::move(name), e.of = std::move(of);
  e.value = std::move(value), e.tolerance = {tolerance};
  return e;
}

sim::Expectation bound(std::string name, double at_most, std::string of) {
  sim::Expectation e;
  e.name = std::move(name), e.of = std::move(of), e.at_most = at_most;
  return e;
}

struct Judged {
  std::vector<Entry> entries;
  std::vector<CaseProblem> problems;
};
Judged judged(const sim::Expectation& e) {
  sim::Case c{"case", "a source", {}, {e}, {}};
  Judged j;
  j.entries = judge("group/scenario", c, run, j.problems);
  return j;
}

TEST(Judge, a_number_inside_its_tolerance_passes_and_one_outside_fails) {
  const Judged good = judged(expect("x", {1.49}, 0.02)), bad = judged(expect("x", {1.47}, 0.02));
  ASSERT_EQ(good.entries.size(), 1u);
  EXPECT_EQ(good.entries[0].id, "group/scenario/case/x");
  EXPECT_EQ(good.entries[0].source, "a source");
  EXPECT_EQ(good.entries[0].measured, 1.5);
  EXPECT_TRUE(good.entries[0].pass);
  EXPECT_FALSE(bad.entries[0].pass);
}

TEST(Judge, the_edge_of_the_tolerance_belongs_to_it) {
  EXPECT_TRUE(judged(expect("x", {1.25}, 0.25)).entries[0].pass);
  EXPECT_FALSE(judged(expect("x", {1.25}, std::nextafter(0.25, 0.0))).entries[0].pass);
  EXPECT_TRUE(judged(expect("x", {1.5}, 0.0)).entries[0].pass);
}

TEST(Judge, a_relative_tolerance_comes_on_top) {
  sim::Expectation e = expect("x", {-1.0}, 0.5);
  e.relative = 2.0;
  EXPECT_EQ(judged(e).entries[0].tolerance, 2.5);
  EXPECT_TRUE(judged(e).entries[0].pass);
}

TEST(Judge, what_is_not_finite_fails) {
  const Entry entry = judged(expect("none", {0.0}, 1e300)).entries[0];
  EXPECT_FALSE(entry.pass);
  EXPECT_TRUE(std::isnan(entry.measured));
  EXPECT_FALSE(entry.reason.empty());
  EXPECT_FALSE(judged(bound("none", 1e300, "none")).entries[0].pass);
}

TEST(Judge, each_component_of_a_vector_is_an_entry) {
  const Judged j = judged(expect("p", {1.0, 2.5, 3.0}, 0.1));
  ASSERT_EQ(j.entries.size(), 3u);
  EXPECT_EQ(j.entries[1].id, "group/scenario/case/p.1");
  EXPECT_TRUE(j.entries[0].pass);
  EXPECT_FALSE(j.entries[1].pass);
  sim::Expectation own = expect("p", {1.0, 2.5, 3.0}, 0.0);
  own.tolerance = {0.0, 0.5, 0.0};
  EXPECT_TRUE(judged(own).entries[1].pass);
  EXPECT_EQ(judged(expect("all", {1, 2, 3, 4, 5, 6}, 0.0, "at.p")).entries.size(), 6u);
  EXPECT_EQ(judged(expect("second", {5}, 0.0, "at.p.1.1")).entries[0].measured, 5.0);
}

TEST(Judge, a_bound_is_on_the_magnitude_of_the_largest_component) {
  const Entry small = judged(bound("e", 1e-9, "energy.balance_error")).entries[0];
  EXPECT_TRUE(small.pass);
  EXPECT_EQ(small.expected, 0.0);
  EXPECT_EQ(small.tolerance, 1e-9);
  EXPECT_FALSE(judged(bound("e", 1e-10, "energy.balance_error")).entries[0].pass);
  EXPECT_EQ(judged(bound("p", 5.0, "p")).entries[0].measured, 3.0);
}

TEST(Judge, another_number_of_components_is_a_problem) {
  for (const auto& values : {std::vector<double>{1.0, 2.0}, std::vector<double>{1.0}}) {
    const Judged j = judged(expect("p", values, 1.0));
    ASSERT_EQ(j.problems.size(), 1u);
    EXPECT_EQ(j.problems[0].key, "validate.case.expect.p.value");
    EXPECT_NE(j.problems[0].text.find("3 numbers"), std::string::npos);
  }
}

TEST(Judge, a_path_that_leads_nowhere_is_a_problem_that_names_the_nearest) {
  const auto text = [](std::string of) {
    const Judged j = judged(expect("n", {0.0}, 1.0, std::move(of)));
    return j.problems.size() == 1 ? j.problems[0].text : "none";
  };
  EXPECT_NE(text("energy.balance_eror").find("did you mean energy.balance_error"), std::string::npos);
  EXPECT_NE(text("at.y").find("at.x?"), std::string::npos);
  EXPECT_NE(text("zzz").find("there are"), std::string::npos);
  EXPECT_NE(text("at.x.7"), "none");
  EXPECT_NE(text("hash").find("no number"), std::string::npos);
  EXPECT_NE(text("energy").find("no number"), std::string::npos);
}

TEST(Judge, the_run_of_a_case_that_failed_fails_all_its_entries) {
  const sim::Case c{"case", "", {}, {expect("x", {1.5}, 1.0), expect("p", {1, 2, 3}, 1.0)}, {}};
  const auto entries = all_failed("s", c, "it diverged");
  ASSERT_EQ(entries.size(), 4u);
  for (const Entry& e : entries) {
    EXPECT_FALSE(e.pass);
    EXPECT_EQ(e.reason, "it diverged");
  }
}

TEST(Judge, ids_are_chosen_by_a_part_or_by_a_pattern) {
  EXPECT_TRUE(is_wanted("", "a/b/c"));
  EXPECT_TRUE(is_wanted("b/c", "a/b/c"));
  EXPECT_TRUE(is_wanted("a/", "a/b/c"));
  EXPECT_FALSE(is_wanted("a/", "d/b-a/c"));  // a folder is that folder alone
  EXPECT_FALSE(is_wanted("b/", "a/b/c"));
  EXPECT_TRUE(is_wanted("a/*/c", "a/b/c"));
  EXPECT_FALSE(is_wanted("a/*/d", "a/b/c"));
  EXPECT_FALSE(is_wanted("d", "a/b/c"));
  EXPECT_FALSE(is_wanted("b*", "a/b/c"));  // a pattern is for the whole id
}

}  // namespace judge_test
}  // namespace sinew::validate
