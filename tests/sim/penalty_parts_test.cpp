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
  const int stiff = parts_with({"law=penalty", "k=1e6"});
  EXPECT_GT(stiff, 1);
  EXPECT_NEAR(parts_with({"law=penalty", "k=4e6"}), 2 * stiff, 2);  // as the frequency of the contacts
  EXPECT_EQ(parts_with({"law=penalty", "k=1e6", "substeps=7"}), 1);
  EXPECT_EQ(parts_with({"law=penalty", "k=1e6", "contact_forces=implicit"}), 1);
  EXPECT_EQ(parts_with({"law=rigid"}), 1);
}

}  // namespace penalty_parts_test
}  // namespace sinew::test
