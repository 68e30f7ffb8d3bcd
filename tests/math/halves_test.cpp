#include "sinew/math/halves.h"

#include <gtest/gtest.h>

#include <array>

#include "sinew/math/lanes.h"
#include "tests/support/bits.h"
#include "tests/support/dice.h"

namespace sinew {
namespace {

using support::same_bits;
using Four = Halves<double>;

// Also where the processor has registers of four and Lanes are made of one.
TEST(Halves, operate_number_by_number) {
  support::Dice dice(1);
  for (int trial = 0; trial < 1000; trial++) {
    Four a, b;
    for (int i = 0; i < 4; i++) a.set(i, dice.between(-2, 2)), b.set(i, dice.chance(0.3) ? a[i] : dice.between(-2, 2));
    const Four sum = a + b, difference = a - b, product = a * b, quotient = a / b, opposite = -a;
    const HalvesMask less = a<b, most = a <= b, more = a> b, least = a >= b;
    for (int i = 0; i < 4; i++) {
      ASSERT_TRUE(same_bits(sum[i], a[i] + b[i]) && same_bits(difference[i], a[i] - b[i]));
      ASSERT_TRUE(same_bits(product[i], a[i] * b[i]) && same_bits(quotient[i], a[i] / b[i]));
      ASSERT_TRUE(same_bits(opposite[i], -a[i]));
      ASSERT_EQ(less[i], a[i] < b[i] ? -1 : 0);
      ASSERT_EQ(most[i], a[i] <= b[i] ? -1 : 0);
      ASSERT_EQ(more[i], a[i] > b[i] ? -1 : 0);
      ASSERT_EQ(least[i], a[i] >= b[i] ? -1 : 0);
      ASSERT_EQ((less | more)[i], a[i] == b[i] ? 0 : -1);
      ASSERT_EQ((most & least)[i], a[i] == b[i] ? -1 : 0);
      ASSERT_EQ((~less)[i], least[i]);
    }
  }
}

TEST(Halves, lie_in_memory_as_four_numbers_in_a_row_do) {
  const Four x(1.0, 2.0, 3.0, 4.0);
  for (int i = 0; i < 4; i++) EXPECT_EQ(reinterpret_cast<const double*>(&x)[i], i + 1.0);
  EXPECT_EQ(sizeof(Four), sizeof(Lanes));
  EXPECT_EQ(alignof(Four), alignof(Lanes));
}

TEST(Lanes, are_shuffled_as_the_numbers_say) {
  Lanes a, b;
  for (int i = 0; i < lane_count; i++) a.set(i, i), b.set(i, 4 + i);
  const Lanes c = shuffle<0, 5, 2, 7>(a, b), d = shuffle<3, 3, 4, 1>(a, b);
  for (int i = 0; i < lane_count; i++) {
    EXPECT_EQ(c[i], (std::array{0, 5, 2, 7})[i]);
    EXPECT_EQ(d[i], (std::array{3, 3, 4, 1})[i]);
  }
}

}  // namespace
}  // namespace sinew
