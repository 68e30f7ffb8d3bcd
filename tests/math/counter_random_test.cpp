#include "sinew/math/counter_random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace sinew::math {
namespace counter_random_test {

// Known answers of Random123, the authors' own implementation (kat_vectors, philox4x32 with 10 rounds).
TEST(CounterRandom, gives_the_bits_of_the_authors) {
  using philox::ten_rounds;
  EXPECT_EQ(ten_rounds({0, 0, 0, 0}, 0, 0), (philox::Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(ten_rounds({~0u, ~0u, ~0u, ~0u}, ~0u, ~0u),
            (philox::Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(ten_rounds({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0),
            (philox::Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(CounterRandom, every_part_of_the_counter_counts) {
  const Counter c{7, 3, 2, 11};
  for (const Counter& other : {Counter{8, 3, 2, 11}, Counter{7, 4, 2, 11}, Counter{7, 3, 1, 11}, Counter{7, 3, 2, 12},
                               Counter{7 + (1ull << 32), 3, 2, 11}, Counter{7, 3, 2, 11 + (1ull << 32)}})
    EXPECT_NE(random_bits(c), random_bits(other));
  EXPECT_EQ(uniform(c), uniform(c));
}

TEST(CounterRandom, uniform_numbers_fill_their_interval_evenly) {
  std::array<int, 16> bins{};
  const int n = 160000;
  double sum = 0.0;
  for (int k = 0; k < n; k++) {
    const double x = uniform({1, 0, 0, std::uint64_t(k)});
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    bins[std::size_t(x * 16.0)]++;
    sum += x;
  }
  for (const int count : bins) EXPECT_NEAR(count, n / 16, 500);  // five deviations
  EXPECT_NEAR(sum / n, 0.5, 0.004);
}

TEST(CounterRandom, normal_numbers_have_the_moments_of_the_normal_distribution) {
  const int n = 200000;
  double sum = 0.0, squares = 0.0, fourth = 0.0, neighbours = 0.0, last = 0.0;
  for (int k = 0; k < n; k++) {
    const double x = normal({5, 1, 2, std::uint64_t(k)});
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    neighbours += x * last;
    last = x;
  }
  EXPECT_NEAR(sum / n, 0.0, 0.012);
  EXPECT_NEAR(squares / n, 1.0, 0.016);
  EXPECT_NEAR(fourth / n, 3.0, 0.12);
  EXPECT_NEAR(neighbours / n, 0.0, 0.012);
}

// Against the logarithm that rounds correctly, over all exponents that 53 bits have, and at the ends.
TEST(CounterRandom, the_logarithm_of_a_share_is_within_an_ulp) {
  EXPECT_EQ(log_of_share(1.0), 0.0);
  for (int e = 0; e <= 53; e++)
    for (int k = 0; k < 2000; k++) {
      const double x = std::ldexp(0.5 + 0.5 * uniform({3, 0, std::uint32_t(e), std::uint64_t(k)}), 1 - e);
      if (x > 1.0) continue;
      const double exact = math::log(x);
      EXPECT_NEAR(log_of_share(x), exact, 0x1p-52 * std::abs(exact)) << x;
    }
}

// The same on every machine: written down once.
TEST(CounterRandom, the_first_numbers_are_these) {
  EXPECT_EQ(uniform({0, 0, 0, 0}), double(0xe169c58d6627e8d5ull >> 11) * 0x1p-53);
  EXPECT_EQ(uniform({0, 0, 0, 0}), 0.8805201978886142);
}

}  // namespace counter_random_test
}  // namespace sinew::math
