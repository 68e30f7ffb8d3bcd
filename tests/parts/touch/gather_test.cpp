#include "sinew/parts/touch/gather.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::test {
namespace gather_test {

// Of a run that diverges: none of the points is worth a number, but those that are chosen are some that were added.
TEST(Gather, points_that_are_no_numbers_are_chosen_from_among_themselves) {
  const Vec3d nowhere(std::nan(""), 0.0, 0.0), up(0.0, 0.0, 1.0);
  Gather found{.margin = 1.0, .same = 0.0};
  for (int i = 0; i < 12; i++) found.add(nowhere, up, -0.1, 100 + i);
  Touch out[max_touches];
  ASSERT_EQ(found.choose(max_touches, out), max_touches);
  for (const Touch& t : out) {
    EXPECT_GE(t.feature, 100);
    EXPECT_LT(t.feature, 112);
  }
}

}  // namespace gather_test
}  // namespace sinew::test
