#include "sinew/text/load_tables.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "sinew/sim/errors.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"
#include "tests/support/folder.h"

namespace sinew::text {
namespace load_tables_test {

const test::Folder& folder() {
  static const test::Folder one;
  return one;
}
std::string file_of(const std::string& text) {
  const std::string path = folder() / "table.csv";
  std::ofstream(path) << text;
  return path;
}
std::string problem_of(const std::string& text) {
  try {
    read_table(file_of(text));
  } catch (const InputError& e) {
    return e.problems.front();
  }
  return "";
}

TEST(LoadTables, names_comments_and_spaces_are_no_numbers) {
  const TableFile table = read_table(file_of("# torques\nt, a, b\n0, 1, 2\r\n\n 0.5,+3e0, -4\n"));
  EXPECT_EQ(table.t, (std::vector{0.0, 0.5}));
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[1], (std::vector{2.0, -4.0}));
}

TEST(LoadTables, bad_files_are_refused_at_their_line) {
  EXPECT_NE(problem_of("0,1\n0,2\n").find(":2: the time is not later"), std::string::npos);
  EXPECT_NE(problem_of("0,1\n1,2,3\n").find(":2: 3 numbers"), std::string::npos);
  EXPECT_NE(problem_of("0,1\n1,two\n").find(":2: no row of numbers"), std::string::npos);
  EXPECT_NE(problem_of("0,1\n1,inf\n").find(":2: no row"), std::string::npos);
  EXPECT_NE(problem_of("5\n").find("at least one number"), std::string::npos);
  EXPECT_NE(problem_of("").find("no numbers"), std::string::npos);
}

std::string zeros(int n) {
  std::string list = "0";
  for (int i = 1; i < n; i++) list += ", 0";
  return list;
}

std::string arm(const std::string& motion, const char* drive = "torque") {
  return std::string(
             "duration = 1\n[body.arm]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n[joint.hinge]\nchild = \"arm\"\naxis = "
             "[0, 0, 1]\ndrive = \"") +
         drive + "\"\n[joint.hinge.motion]\n" + motion +
         "\n[gravity]\nkind = \"none\"\n[ground]\nkind = \"none\"\n[integrator]\nmethod = \"rk4\"\nstep = 1e-3\n";
}

// I = 0.1: a torque that rises from 0 to 0.2 in a second gives half of 0.2 s to the momentum.
TEST(LoadTables, a_joint_feels_the_torque_of_its_table) {
  file_of("t,torque\n0,0\n1,0.2\n");
  for (const char* motion : {"table_t = [0, 1]\ntable = [0, 0.2]", "table_file = \"table.csv\""}) {
    const sim::Scenario scenario = parse_scenario(arm(motion), folder() / "arm.toml");
    World<double> world = make_world(scenario);
    for (int i = 0; i < 1000; i++) world.step(1e-3);
    EXPECT_NEAR(world.state.u[0], 1.0, 1e-9) << motion;
  }
}

TEST(LoadTables, a_driven_joint_needs_a_smooth_table) {
  const auto problem = [](const std::string& motion, const char* drive) {
    try {
      parse_scenario(arm(motion, drive), "arm.toml");
    } catch (const InputError& e) {
      return e.problems.front();
    }
    return std::string();
  };
  const std::string table = "table_t = [0, 0.5, 1]\ntable = [0, 0.3, 0]\n";
  EXPECT_NE(problem(table, "motion").find("smooth"), std::string::npos);
  EXPECT_EQ(problem(table + "interpolate = \"smooth\"", "motion"), "");
  EXPECT_EQ(problem(table, "servo"), "");
  EXPECT_NE(problem("table_t = [0, 1]\ntable = [1, 2, 3]", "servo").find("2 are needed"), std::string::npos);
  EXPECT_NE(problem("table_t = [0]\ntable = [1]\ntable_file = \"x.csv\"", "servo").find("twice"), std::string::npos);
}

// I = 0.1 and a torque sin(3 t + 0.4), as 21 numbers: the rate at the end is 10 times its integral. That of the spline errs by
// 3e-6, of one that starts and ends at rest by 1.2e-2.
TEST(LoadTables, a_smooth_torque_is_right_up_to_its_ends) {
  std::string t, m, csv;
  for (int i = 0; i <= 20; i++) {
    const double time = 0.05 * i, torque = std::sin(3.0 * time + 0.4);
    t += fmt::format("{}{:.17g}", i ? ", " : "", time), m += fmt::format("{}{:.17g}", i ? ", " : "", torque);
    csv += fmt::format("{:.17g},{:.17g}\n", time, torque);
  }
  file_of(csv);
  for (const std::string& motion :
       {"table_t = [" + t + "]\ntable = [" + m + "]", std::string("table_file = \"table.csv\"")}) {
    const sim::Scenario scenario = parse_scenario(arm(motion + "\ninterpolate = \"smooth\""), folder() / "arm.toml");
    World<double> world = make_world(scenario);
    for (int i = 0; i < 1000; i++) world.step(1e-3);
    EXPECT_NEAR(world.state.u[0], 10.0 / 3.0 * (std::cos(0.4) - std::cos(3.4)), 5e-6) << motion;
  }
}

TEST(LoadTables, errors_name_the_key_that_was_set) {
  const auto problem = [](const std::string& text) {
    try {
      parse_scenario(text, folder() / "robot.toml");
    } catch (const InputError& e) {
      return e.problems.size() == 1 ? e.problems.front() : "several";
    }
    return std::string();
  };
  const std::string robot = "duration = 0.1\n[robot]\nkind = \"quadruped\"\n";
  const std::string missing = problem(robot + "tau_file = \"missing.csv\"\n");
  EXPECT_NE(missing.find("robot.toml:4: robot.tau_file"), std::string::npos) << missing;
  const std::string late = problem(arm("table_t = [1, 0]\ntable = [1, 2]"));
  EXPECT_NE(late.find("robot.toml:10: time 2 is not later"), std::string::npos) << late;
  const std::string times = problem(robot + "tau_t = [1, 0]\ntau_table = [" + zeros(28) + "]\n");
  EXPECT_NE(times.find("robot.toml:4: time 2 is not later"), std::string::npos) << times;
}

}  // namespace load_tables_test
}  // namespace sinew::text
