#include "sinew/report/plot_profiles.h"

#include <gtest/gtest.h>

#include "sinew/sim/errors.h"

namespace sinew::report {
namespace plot_profiles_test {

// Three places along a body, four rows in time: value = 100 column + row.
Traces rod() {
  Traces t{{"t", "rod.X.0", "rod.X.1", "rod.X.2", "rod.M_z.0", "rod.M_z.1", "rod.M_z.2", "rod.T.0", "rod.T.1"},
           {"s", "m", "m", "m", "N m", "N m", "N m", "N", "N"},
           {}};
  t.read = [](std::size_t i) {
    std::vector<double> column;
    for (int row = 0; row < 4; row++) column.push_back(i == 0 ? 0.5 * row : 100.0 * double(i) + row);
    return column;
  };
  return t;
}

std::string problem_of(const Traces& traces, const ProfilePlan& plan) {
  try {
    plot_profiles(traces, plan, "place");
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

TEST(PlotProfiles, draw_one_curve_a_moment_over_the_abscissa) {
  const auto f = plot_profiles(rod(), {"", "", "rod.M_z", "rod.X", {0.6, 1.5}}, "place");
  ASSERT_EQ(f.panels.size(), 1u);
  ASSERT_EQ(f.panels[0].curves.size(), 2u);
  EXPECT_EQ(f.panels[0].x.unit, "m");
  EXPECT_EQ(f.panels[0].y.unit, "N m");
  EXPECT_EQ(f.panels[0].curves[0].label, "t = 0.5 s");  // the nearest row
  EXPECT_EQ(f.panels[0].curves[0].x, (std::vector<double>{101, 201, 301}));
  EXPECT_EQ(f.panels[0].curves[0].y, (std::vector<double>{401, 501, 601}));
  EXPECT_EQ(f.panels[0].curves[1].y, (std::vector<double>{403, 503, 603}));
}

TEST(PlotProfiles, without_moments_show_start_end_and_two_between) {
  const auto f = plot_profiles(rod(), {"", "", "rod.M_z"}, "place");
  ASSERT_EQ(f.panels[0].curves.size(), 4u);
  EXPECT_EQ(f.panels[0].curves[0].label, "t = 0 s");
  EXPECT_EQ(f.panels[0].curves[3].label, "t = 1.5 s");
}

TEST(PlotProfiles, name_what_is_wrong) {
  EXPECT_NE(problem_of(rod(), {"", "", "rod.M_y"}).find("rod.M_z"), std::string::npos);
  EXPECT_NE(problem_of(rod(), {"", "", "rod.T"}).find("rod.T has 2 places along the body, rod.X has 3"),
            std::string::npos);
  EXPECT_NE(problem_of(rod(), {"", "", "rod.M_z", "rod.X", {2.0}}).find("2 s is not in the recording"),
            std::string::npos);
  EXPECT_NE(problem_of(rod(), {"", "", ","}).find("no profile is named"), std::string::npos);
  Traces bare{{"t", "energy.kinetic"}, {"s", "J"}, rod().read};
  EXPECT_NE(problem_of(bare, {"", "", "rod.M_z"}).find("nothing was recorded along a body"), std::string::npos);
}

}  // namespace plot_profiles_test
}  // namespace sinew::report
