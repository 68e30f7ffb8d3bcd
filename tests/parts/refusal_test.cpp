#include "sinew/parts/drive/refusal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sinew/sim/drive_account.h"
#include "sinew/sim/simulation.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace refusal_test {

sim::Simulation begin() {
  const std::vector<std::string> sets{"align=two-step", "drive.motor.align_time=0.2"};
  return sim::Simulation{sim::Experiment(shipped("drive/rotor-alignment", sets))};
}

// The current at this time [s].
double current(sim::Simulation& s, double t) {
  s.step(int(std::lround((t - s.world().state.t) * 1e4)));
  return s.get("drive.motor.current");
}

// Konyev 2011, sections 4.2 and C12 of its corrected equations: a step of the reference while a rotor is aligned is refused.
TEST(Refusal, set_points_that_come_during_alignment_are_refused) {
  sim::Simulation quiet = begin();
  sim::Simulation late = begin();
  current(late, 0.1);
  late.set("drive.motor.current", 1.0);
  EXPECT_EQ(current(late, 0.21), current(quiet, 0.21)) << "it waits for nothing that was told meanwhile";
  EXPECT_EQ(late.get("drive.motor.refused"), 1.0);
  EXPECT_EQ(quiet.get("drive.motor.refused"), 0.0);
  ASSERT_EQ(sim::remarks_on_drives(late.world()).size(), 1u);
  EXPECT_EQ(sim::remarks_on_drives(late.world())[0],
            "drive motor: 1 set-point refused while its rotor was being aligned: give it after 0.2 s");
  // From then on both do the same, even what was refused before.
  for (sim::Simulation* each : {&late, &quiet}) each->set("drive.motor.current", 0.5);
  EXPECT_EQ(current(late, 0.23), current(quiet, 0.23));
  EXPECT_GT(late.get("drive.motor.current"), 0.3);
  for (sim::Simulation* each : {&late, &quiet}) each->set("drive.motor.current", 1.0);
  EXPECT_EQ(current(late, 0.25), current(quiet, 0.25));
  EXPECT_GT(late.get("drive.motor.current"), 0.6);
  EXPECT_EQ(late.get("drive.motor.refused"), 1.0);
}

TEST(Refusal, set_points_told_before_the_alignment_hold_when_it_is_done) {
  sim::Simulation steady = begin();
  sim::Simulation early = begin();
  for (sim::Simulation* each : {&steady, &early}) each->set("drive.motor.current", 0.5);
  current(early, 0.1);
  early.set("drive.motor.current", 1.0);
  current(early, 0.12);
  early.set("drive.motor.current", 0.5);
  EXPECT_EQ(current(early, 0.22), current(steady, 0.22));
  EXPECT_GT(early.get("drive.motor.current"), 0.3);
  EXPECT_EQ(early.get("drive.motor.refused"), 1.0) << "on its way";
}

}  // namespace refusal_test
}  // namespace sinew::test
