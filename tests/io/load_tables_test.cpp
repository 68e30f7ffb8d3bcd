#include "sinew/io/load_tables.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sinew/io/errors.h"
#include "sinew/io/scenario.h"
#include "sinew/world/observe.h"
#include "tests/support/folder.h"

namespace sinew::io {
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
    const Scenario scenario = parse_scenario(arm(motion), folder() / "arm.toml", {}, Purpose::Start);
    World<double> world = make_world(scenario);
    for (int i = 0; i < 1000; i++) world.step(1e-3);
    EXPECT_NEAR(world.state.u[0], 1.0, 1e-9) << motion;
  }
}

TEST(LoadTables, a_driven_joint_needs_a_smooth_table) {
  const auto problem = [](const std::string& motion, const char* drive) {
    try {
      parse_scenario(arm(motion, drive), "arm.toml", {}, Purpose::Start);
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

}  // namespace load_tables_test
}  // namespace sinew::io
