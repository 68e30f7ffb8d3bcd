// A run tells into how many parts penalty contacts make it divide its steps.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/sim/run.h"
#include "tests/support/shipped.h"

namespace sinew::test {
namespace penalty_parts_test {

int parts_with(std::vector<std::string> sets) {
  sets.insert(sets.end(), {"mu_roll=0", "duration=0"});
  return sim::run(shipped_experiment("snake/lateral-undulation", sets)).penalty_parts;
}

TEST(PenaltyParts, are_those_that_nobody_asked_for) {
  const std::string as_asked = "contact_forces=explicit";
  const int stiff = parts_with({"law=penalty", "k=1e6", as_asked});
  EXPECT_GT(stiff, 10);
  EXPECT_NEAR(parts_with({"law=penalty", "k=4e6", as_asked}), 2 * stiff, 2);  // as the frequency of the contacts
  EXPECT_EQ(parts_with({"law=penalty", "k=1e6", "substeps=7"}), 1);
  EXPECT_EQ(parts_with({"law=penalty", "k=1e6"}), 1);  // more than ten: not followed
  EXPECT_EQ(parts_with({"law=penalty", "k=1e4"}), parts_with({"law=penalty", "k=1e4", as_asked}));
  EXPECT_GT(parts_with({"law=penalty", "k=1e4"}), 1);
  EXPECT_EQ(parts_with({"law=penalty", "k=1e6", "contact_forces=implicit"}), 1);
  EXPECT_EQ(parts_with({"law=rigid"}), 1);
}

// A box that falls on its corner: followed, it bounces as its restitution says; not followed, it comes to rest, and never higher than it
// fell from. By the rule of the middle it gains energy, and the run says so.
TEST(PenaltyParts, stiff_contacts_take_energy_out_or_the_run_says_so) {
  const std::vector<std::string> stiff{"contact.law=penalty", "contact.k=1e8", "restitution=0.5",
                                       "integrator.method=moreau", "step=0.001"};
  const sim::RunResult rests = sim::run(shipped_experiment("contact/box-drop", stiff));
  EXPECT_TRUE(rests.stiff_contacts);
  EXPECT_FALSE(rests.diagnosis);
  EXPECT_GT(rests.work.impact + rests.work.friction, 0.7);
  EXPECT_LT(rests.energy.kinetic, 1e-9);
  std::vector<std::string> middle = stiff;
  middle.push_back("contact_forces=implicit");
  const sim::RunResult gains = sim::run(shipped_experiment("contact/box-drop", middle));
  ASSERT_TRUE(gains.diagnosis);
  EXPECT_NE(gains.diagnosis->what.find("contacts put in"), std::string::npos);
  EXPECT_NE(gains.diagnosis->advice.find("contact_forces = \"auto\""), std::string::npos);
}

}  // namespace penalty_parts_test
}  // namespace sinew::test
