// Controllers that are FMUs: our own ones, exported, drive the robot that they come from.
#include "sinew/fmi/foreign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "sinew/sim/errors.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/fmi_client.h"
#include "tests/support/folder.h"
#include "tests/support/shipped.h"

namespace sinew::fmi {
namespace foreign_test {

using ::testing::HasSubstr;

sim::Experiment with_fmu(const std::string& scenario, const std::string& file, bool trust,
                         std::vector<std::string> sets = {}) {
  sets.push_back("control.fmu=" + file);
  sets.push_back("control.kind=fmu");
  return text::load_experiment(fmt::format("{}/{}.toml", SINEW_SCENARIO_DIR, scenario), scenario, sets,
                               {{.trust = trust}});
}

std::string problem_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& e) {
    return fmt::format("{}", fmt::join(e.problems, "\n"));
  }
  return {};
}

TEST(ForeignFmu, our_own_controller_moves_the_robot_as_it_does_without_one) {
  test::Folder folder;
  for (const std::string scenario : {"hexapod/tripod", "quadruped/walk"})
    for (const int version : {2, 3}) {
      SCOPED_TRACE(fmt::format("{} by FMI {}", scenario, version));
      const std::string file = folder / "law.fmu";
      test::write_bytes(file, test::fmu_of(test::shipped_experiment(scenario), version, Part::Controller));
      sim::Simulation native(test::shipped_experiment(scenario)), driven(with_fmu(scenario, file, true));
      for (int k = 0; k < 500; k++) {
        native.advance();
        driven.advance();
      }
      EXPECT_EQ(native.world().state.q, driven.world().state.q);
      EXPECT_EQ(native.world().state.u, driven.world().state.u);
      EXPECT_EQ(native.world().input.torque, driven.world().input.torque);
      EXPECT_EQ(native.world().input.drive, driven.world().input.drive);
      driven.reset();
      for (int k = 0; k < 500; k++) driven.advance();
      EXPECT_EQ(native.world().state.q, driven.world().state.q) << "begun anew";
    }
}

TEST(ForeignFmu, native_code_runs_only_where_it_is_trusted) {
  test::Folder folder;
  const std::string file = folder / "law.fmu";
  test::write_bytes(file, test::fmu_of(test::shipped_experiment("hexapod/tripod"), 3, Part::Controller));
  const sim::Experiment looked_at = with_fmu("hexapod/tripod", file, false);  // which is no harm
  EXPECT_THAT(problem_of([&] { sim::Simulation run(with_fmu("hexapod/tripod", file, false)); }),
              AllOf(HasSubstr("native code"), HasSubstr("--trust")));
}

TEST(ForeignFmu, outputs_and_inputs_are_connected_by_name_or_by_hand) {
  test::Folder folder;
  const std::string file = folder / "law.fmu";
  test::write_bytes(file, test::fmu_of(test::shipped_experiment("hexapod/tripod"), 3, Part::Controller));
  EXPECT_THAT(problem_of([&] { with_fmu("basics/pendulum", file, true); }), HasSubstr("none of its outputs"));
  EXPECT_THAT(
      problem_of([&] { with_fmu("hexapod/tripod", file, true, {"control.fmu_outputs=[\"tau = joint.x.torque\"]"}); }),
      HasSubstr("no output of this name"));
  EXPECT_THAT(problem_of([&] { with_fmu("hexapod/tripod", file, true, {"control.fmu_parameters=[\"a = b\"]"}); }),
              HasSubstr("VARIABLE = NUMBER"));
  EXPECT_THAT(problem_of([&] { with_fmu("hexapod/tripod", folder / "none.fmu", true); }), HasSubstr("cannot be read"));
}

}  // namespace foreign_test
}  // namespace sinew::fmi
