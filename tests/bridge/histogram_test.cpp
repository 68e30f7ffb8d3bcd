#include "sinew/bridge/histogram.h"

#include <gtest/gtest.h>

#include "sinew/math/counter_random.h"

namespace sinew::bridge {
namespace histogram_test {

TEST(Histogram, puts_every_time_into_the_bin_in_which_it_lies) {
  for (std::int64_t t = 0; t < 4'000'000'000'000; t += 1 + t / 3) {
    Histogram h(1000);
    h.add(t);
    int bin = 0;
    while (h.at(bin) == 0) bin++;
    EXPECT_LE(h.from(bin), t);
    EXPECT_GT(h.from(bin + 1), t);
    EXPECT_LE(h.from(bin + 1) - h.from(bin), 1000 + t / 256) << "known to 0.4 %";
  }
}

// Times of a busy machine are thousands of bins long: their shares are no end of a range.
TEST(Histogram, knows_shares_of_times_of_any_length) {
  Histogram h(1000);
  const int n = 20000;
  for (int i = 0; i < n; i++) h.add(std::int64_t(1e8 * math::uniform({1, 0, 0, std::uint64_t(i)})));
  EXPECT_NEAR(double(h.share(0.5)), 0.5e8, 2e6);
  EXPECT_NEAR(double(h.share(0.99)), 0.99e8, 1e6);
  h.add(9'000'000'000'000'000);
  EXPECT_EQ(h.share(1.0), h.most());
  EXPECT_EQ(h.count(), n + 1);
}

}  // namespace histogram_test
}  // namespace sinew::bridge
