#include "sinew/io/plot_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/io/errors.h"

namespace sinew::io {
namespace {

const std::vector<ResultValue> results{{"forces", "N", true, {4.0, 1.0, 3.0, 2.0, 5.0}}, {"mean", "N", false, {3.0}}};

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

}  // namespace
}  // namespace sinew::io
