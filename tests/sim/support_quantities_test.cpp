// The static margin on ground of all kinds.
#include "sinew/sim/support_quantities.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"

namespace sinew::sim {
namespace support_quantities_test {

double least_margin(const std::string& ground) {
  const RunResult r = run(text::parse_scenario(
      "title = \"t\"\nsource = \"s\"\nduration = 3.0\n[robot]\nkind = \"hexapod\"\n[command]\nspeed = 0.1\n" + ground +
          "[contact]\nmu = 0.6\n[control]\nperiod = 1e-3\n[integrator]\nmethod = \"moreau\"\nstep = 1e-3\n",
      "t"));
  for (const auto& v : r.results)
    if (v.name == "min_margin") return v.values.at(0);
  return NAN;
}

// The same level ground as a plane, as heights, as a profile with a step far away: the same walk, the same margin.
TEST(StaticMargin, is_a_number_on_any_ground) {
  const double plane = least_margin("[ground]\nkind = \"plane\"\n");
  ASSERT_TRUE(std::isfinite(plane));
  const double heights = least_margin(
      "[ground]\nkind = \"heights\"\n[ground.heights]\nnx = 3\nny = 2\nx0 = -2\ny0 = -2\ndx = 2\ndy = 4\nz = [0, 0, 0, "
      "0, 0, 0]\n");
  const double profile = least_margin("[ground]\nkind = \"profile\"\n[ground.profile]\nx = [1.5]\nz = [0.0, 0.1]\n");
  EXPECT_NEAR(heights, plane, 0.003);
  EXPECT_NEAR(profile, plane, 0.003);
}

// A slope: a ball that touches it has its middle r / cos over it.
TEST(StaticMargin, is_a_number_on_a_slope) {
  const double margin = least_margin(
      "[ground]\nkind = \"heights\"\n[ground.heights]\nnx = 3\nny = 2\nx0 = -2\ny0 = -2\ndx = 2\ndy = 4\nz = [-0.01, "
      "-0.01, 0, 0, 0.01, 0.01]\n");
  EXPECT_GT(margin, 0.02);
  EXPECT_LT(margin, 0.1);
}

}  // namespace support_quantities_test
}  // namespace sinew::sim
