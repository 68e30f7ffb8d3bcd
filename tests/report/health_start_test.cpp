#include "sinew/report/health_start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/text/load_scenario.h"

namespace sinew::report {
namespace health_start_test {

using ::testing::HasSubstr;

// Boxes of 0.2 x 0.2 x height m on a plane, each floating with its centre at these heights and places along x.
std::string boxes(double height, std::vector<std::array<double, 2>> places, const std::string& tilt = "1, 0, 0, 0") {
  std::string text = "[ground]\nkind = \"plane\"\n";
  for (std::size_t i = 0; i < places.size(); i++) {
    const std::string name = "box" + std::to_string(i);
    text += "[body." + name + "]\ndensity = 500\nshape.s = { kind = \"box\", size = [0.2, 0.2, " +
            std::to_string(height) + "] }\n[joint." + name + "]\nkind = \"free\"\nchild = \"" + name +
            "\"\nposition = [" + std::to_string(places[i][0]) + ", 0, " + std::to_string(places[i][1]) + ", " + tilt +
            "]\n";
  }
  return text;
}
std::string start_of(const std::string& text) { return health_of_start(text::parse_experiment(text, "file.toml")); }

TEST(HealthOfStart, a_box_on_the_ground_stands_and_overlaps_nothing) {
  const std::string text = start_of(boxes(0.2, {{0.0, 0.1}}));
  EXPECT_THAT(text, HasSubstr("at the start nothing overlaps\n"));
  EXPECT_THAT(text, HasSubstr("it stands: after 1 s: box0 is "));
}

TEST(HealthOfStart, a_tall_box_on_its_edge_falls) {
  // leans by 20 degrees, beyond the 5.7 at which its centre is above its edge
  const std::string text = start_of(boxes(2.0, {{0.0, 1.0}}, "0.984807753012208, 0, 0.17364817766693, 0"));
  EXPECT_THAT(text, HasSubstr("! it falls: after 1 s: box0"));
}

TEST(HealthOfStart, overlaps_are_named_with_their_depth) {
  const std::string text = start_of(boxes(0.2, {{0.0, 0.1}, {0.19, 0.1}, {1.0, 0.07}}));
  EXPECT_THAT(text, HasSubstr("! at the start 2 pairs of shapes overlap:"));
  EXPECT_THAT(text, HasSubstr("box2.s:ground by 0.03 m"));
  EXPECT_THAT(text, HasSubstr("by 0.01 m"));
}

TEST(HealthOfStart, what_hangs_on_the_world_is_not_asked) {
  EXPECT_EQ(start_of("[body.a]\ncom = [1, 0, 0]\n[joint.a]\nchild = \"a\"\n"), "");
}

}  // namespace health_start_test
}  // namespace sinew::report
