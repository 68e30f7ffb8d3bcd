// The tables [validate.*] of a scenario file.
#include "sinew/sim/cases.h"

#include <gtest/gtest.h>

#include "sinew/sim/errors.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/show.h"

namespace sinew::text {
namespace cases_test {

constexpr const char* scene = "[body.bob]\nmass = 1.0\n[joint.pivot]\nchild = \"bob\"\np_child = [1.0, 0.0, 0.0]\n";

sim::Scenario parse(const std::string& cases) { return parse_scenario(scene + cases, "file"); }

std::string problem_of(const std::string& cases) {
  try {
    parse(cases);
  } catch (const InputError& e) {
    return e.problems.size() == 1 ? e.problems[0] : "several";
  }
  return "none";
}

TEST(Cases, are_read_in_the_order_of_the_file) {
  const sim::Scenario s = parse(R"(
[validate.second]
source = "b"
set = ["mass=2", "duration=1"]
expect.x = { value = 1, tolerance = 0.5, relative = 0.1 }
expect.e = { of = "energy.balance_error", at_most = 1e-9 }
expect.p = { value = [1, 2], tolerance = [0.5, 0.25] }
[validate.second.figure.f]
panels = ["a, b", "c"]
x = "d"
[validate.first]
)");
  ASSERT_EQ(s.cases.size(), 2u);
  EXPECT_EQ(s.cases[1].name, "first");
  const sim::Case& c = s.cases[0];
  EXPECT_EQ(c.name, "second");
  EXPECT_EQ(c.sets, (std::vector<std::string>{"mass=2", "duration=1"}));
  ASSERT_EQ(c.expect.size(), 3u);
  EXPECT_EQ(c.expect[0].value, std::vector<double>{1.0});
  EXPECT_EQ(c.expect[0].relative, 0.1);
  EXPECT_EQ(c.expect[1].of, "energy.balance_error");
  EXPECT_TRUE(c.expect[1].value.empty());
  EXPECT_EQ(c.expect[2].tolerance, (std::vector<double>{0.5, 0.25}));
  ASSERT_EQ(c.figures.size(), 1u);
  EXPECT_EQ(c.figures[0].panels[0], "a, b");
  EXPECT_EQ(c.figures[0].x, "d");
}

TEST(Cases, mistakes_are_named_with_their_line) {
  const std::string head = "[validate.a]\n";  // line 6
  EXPECT_EQ(problem_of(head + "sorce = \"x\"").substr(0, 7), "file:7:");
  EXPECT_NE(problem_of(head + "sorce = \"x\"").find("did you mean source"), std::string::npos);
  EXPECT_NE(problem_of(head + "expect.x = { value = 1 }").find("no tolerance"), std::string::npos);
  EXPECT_NE(problem_of(head + "expect.x = { tolerance = 1 }").find("neither a value nor at_most"), std::string::npos);
  EXPECT_NE(problem_of(head + "expect.x = { value = 1, tolerance = 1, at_most = 2 }"), "none");
  EXPECT_NE(problem_of(head + "expect.x = { at_most = 1, tolerance = 1 }").find("has no tolerance"), std::string::npos);
  EXPECT_NE(problem_of(head + "expect.x = { value = [], tolerance = 1 }").find("empty"), std::string::npos);
  EXPECT_NE(problem_of(head + "expect.x = { value = [1, 2, 3], tolerance = [1, 1] }").find("as many"),
            std::string::npos);
  EXPECT_NE(problem_of(head + "expect.x = { value = nan, tolerance = 1 }").find("finite"), std::string::npos);
  EXPECT_NE(problem_of(head + "expect.x = { value = 1, tolerance = -1 }").find(">= 0"), std::string::npos);
  EXPECT_NE(problem_of(head + "expect.x = { value = \"one\", tolerance = 1 }").find("a number, or an array"),
            std::string::npos);
  EXPECT_NE(problem_of(head + "figure.f = { title = \"t\" }").find("no panels"), std::string::npos);
}

TEST(Cases, are_no_part_of_the_experiment) {
  const sim::Scenario with = parse("[validate.a]\nexpect.x = { value = 1, tolerance = 1 }\n"), without = parse("");
  EXPECT_EQ(show(with), show(without));
  // nor can they be set, or make a key ambiguous
  const std::vector<std::string> sets{"title=new"};
  EXPECT_EQ(parse_scenario(scene + std::string("[validate.a.figure.f]\npanels = [\"t\"]\n"), "file", sets).title,
            "new");
}

}  // namespace cases_test
}  // namespace sinew::text
