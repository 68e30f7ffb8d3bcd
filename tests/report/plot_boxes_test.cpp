#include "sinew/report/plot_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/sim/errors.h"

namespace sinew::report {
namespace plot_boxes_test {

const std::vector<sim::ResultValue> results{{"forces", "N", true, {4.0, 1.0, 3.0, 2.0, 5.0}},
                                            {"mean", "N", false, {3.0}}};

TEST(PlotBoxes, a_box_has_quartiles_median_and_extremes) {
  const std::vector<std::string> panels{"forces"};
  const figure::Figure f = plot_boxes(results, panels, {"title", "", {}}, "here");
  ASSERT_EQ(f.panels.size(), 1u);
  ASSERT_EQ(f.panels[0].curves.size(), 1u);
  const figure::Curve& box = f.panels[0].curves[0];
  for (const double y : {1.0, 2.0, 3.0, 4.0, 5.0}) EXPECT_NE(std::ranges::find(box.y, y), box.y.end()) << y;
  for (const double y : box.y) EXPECT_FALSE(y < 1.0 || y > 5.0);  // gaps are not numbers
  EXPECT_EQ(f.panels[0].y.unit, "N");
}

TEST(PlotBoxes, what_is_no_list_is_refused) {
  for (const char* name : {"mean", "nothing", ""}) {
    const std::vector<std::string> panels{name};
    EXPECT_THROW(plot_boxes(results, panels, {"title", "", {}}, "here"), InputError) << name;
  }
}

TEST(PlotBoxes, lists_of_a_run_that_belong_together_are_found) {
  const std::vector<sim::ResultValue> lists = recorded_lists(
      R"({"result": {"glass_forces": [9, 10, 9.5], "sand_forces": [0.04, 0.05, 0.03], "wood_forces": [5, 6, 5.5],
          "glass_table": [8, 10], "wood_table": [5, 6], "mean": 3.0, "words": ["a", "b"]}})",
      {});
  ASSERT_EQ(lists.size(), 5u);
  EXPECT_EQ(usual_boxes(lists), (std::vector<std::string>{"glass_forces,wood_forces", "sand_forces"}));
  EXPECT_TRUE(usual_boxes(std::span(lists).first(1)).empty());
  EXPECT_TRUE(recorded_lists("", {}).empty());
}

}  // namespace plot_boxes_test
}  // namespace sinew::report
