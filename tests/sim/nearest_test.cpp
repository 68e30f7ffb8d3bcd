#include "sinew/sim/nearest.h"

#include <gtest/gtest.h>

namespace sinew::sim {
namespace nearest_test {

TEST(Nearest, distance_counts_letters) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("mass", "mass"), 0);
  EXPECT_EQ(edit_distance("mass", "Mass"), 0);
  EXPECT_EQ(edit_distance("mas", "mass"), 1);
  EXPECT_EQ(edit_distance("mess", "mass"), 1);
  EXPECT_EQ(edit_distance("duratoin", "duration"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Nearest, suggests_what_was_meant_and_nothing_far_away) {
  const std::vector<std::string> known{"mass", "com", "inertia", "body.bob.mass"};
  EXPECT_EQ(nearest("mas", known), (std::vector<std::string>{"mass", "body.bob.mass"}));
  EXPECT_EQ(nearest("inerita", known), (std::vector<std::string>{"inertia"}));
  EXPECT_TRUE(nearest("friction", known).empty());
  EXPECT_TRUE(nearest("x", known).empty());
  EXPECT_TRUE(nearest("", known).empty());
}

TEST(Nearest, sentence) {
  const std::vector<std::string> known{"tree", "maximal"};
  EXPECT_EQ(did_you_mean("trees", known), "did you mean tree? ");
  EXPECT_EQ(did_you_mean("penalty", known), "");
}

}  // namespace nearest_test
}  // namespace sinew::sim
