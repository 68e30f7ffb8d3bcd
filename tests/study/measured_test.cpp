#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "sinew/sim/errors.h"
#include "sinew/study/identify.h"
#include "tests/support/folder.h"

namespace measured_test {
using namespace sinew;
using namespace sinew::study;

Measured read(const std::string& text, const MeasuredOptions& options, const std::string& name = "data.csv") {
  const test::Folder folder;
  std::ofstream(folder / name) << text;
  return read_measured(folder / name, options);
}

TEST(Measured, a_table_without_names_has_columns_by_number) {
  const Measured data = read("0, 1.5, 2\n0.01, 1.6, nan\n", {.time = "1"});
  EXPECT_EQ(data.names, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(data.t, (std::vector<double>{0.0, 0.01}));
  EXPECT_EQ(data.values[1], (std::vector<double>{1.5, 1.6}));
  EXPECT_TRUE(std::isnan(data.values[2][1]));
}

TEST(Measured, a_table_without_times_has_a_rate) {
  const Measured data = read("1.5,2\n1.6,3\n1.7,4\n", {.rate = 148.0});
  EXPECT_EQ(data.t, (std::vector<double>{0.0, 1.0 / 148.0, 2.0 / 148.0}));
  EXPECT_EQ(data.values[1], (std::vector<double>{2.0, 3.0, 4.0}));
  EXPECT_EQ(read("x;y\n1;2\n3;4\n", {.rate = 2.0}).names, (std::vector<std::string>{"x", "y"}));
}

TEST(Measured, mistakes_are_told_with_their_line) {
  const auto said = [](const std::string& text, const MeasuredOptions& options) {
    try {
      read(text, options);
    } catch (const InputError& e) {
      return e.problems.at(0);
    }
    return std::string();
  };
  EXPECT_NE(said("1,2\n3,4\n", {}).find(":1: no column t"), std::string::npos);
  EXPECT_NE(said("1,2\n3\n", {.time = "1"}).find(":2: 1 cells, the first line has 2"), std::string::npos);
  EXPECT_NE(said("t,x\n0,1\n0.1,a\n", {}).find(":3: a is no number"), std::string::npos);
  EXPECT_NE(said("t,x\n0,1\n0,2\n", {}).find("grow"), std::string::npos);
}

// A servo's log as its users write it: x = x0 cos(w t) of a mass on a spring, in degrees, with a clock of its own name.
TEST(Measured, a_log_of_json_in_other_units_fits_with_a_factor) {
  std::string log = R"({"kp": 4, "entries": [)";
  for (int i = 0; i < 60; i++)
    log += (i ? ", " : "") + std::string("{\"timestamp\": ") + std::to_string(0.01 * i) +
           ", \"position\": " + std::to_string(std::cos(3.0 * 0.01 * i) * 18.0 / M_PI) + ", \"torque_enable\": true}";
  const Measured data = read(log + "]}", {.time = "timestamp"}, "log.json");
  const char* const spring = R"([body.bob]
mass = 2.0
inertia = [2.0, 2.0, 2.0]
[joint.pivot]
child = "bob"
position = 0.1
stiffness = 10.0
[integrator]
step = 0.001
method = "rk4"
)";
  IdentifyPlan plan;
  plan.fit = {"joint.pivot.stiffness"};
  plan.maps = {"joint.pivot.q=position*0.017453292519943295"};
  plan.threads = 1;
  const Identified found = identify(plan, {"spring", "spring.toml", spring}, data);
  EXPECT_NEAR(found.fit.at[0], 18.0, 0.01) << "w^2 J";
  plan.maps = {"joint.pivot.q=positions*2"};
  EXPECT_THROW(identify(plan, {"spring", "spring.toml", spring}, data), InputError);
}

}  // namespace measured_test
