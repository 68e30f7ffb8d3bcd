#include "sinew/figure/thin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sinew::figure {
namespace thin_test {

struct Series {
  std::vector<double> x, y;
  Canvas canvas() const {
    Extent ex, ey;
    for (const double v : x) ex.add(v);
    for (const double v : y) ey.add(v);
    return {ex, ey, 600.0, 200.0};
  }
};

TEST(FigureThin, a_single_sample_among_a_million_is_kept) {
  Series s;
  for (int i = 0; i < 1000000; i++) s.x.push_back(i * 1e-3), s.y.push_back(std::sin(i * 0.1));
  s.y[654321] = 3.0;
  s.y[123456] = -4.0;
  const auto kept = thin(s.x, s.y, s.canvas());
  EXPECT_LT(kept.size(), 6000u);
  EXPECT_TRUE(std::ranges::is_sorted(kept));
  for (const std::size_t i : {0u, 123456u, 654321u, 999999u})
    EXPECT_TRUE(std::ranges::binary_search(kept, std::size_t(i))) << i;
}

TEST(FigureThin, few_points_all_stay) {
  Series s;
  for (int i = 0; i < 300; i++) s.x.push_back(i), s.y.push_back(i % 7);
  EXPECT_EQ(thin(s.x, s.y, s.canvas()).size(), 300u);
}

TEST(FigureThin, a_path_that_turns_round_and_round_keeps_its_outline) {
  Series s;
  for (int i = 0; i < 500000; i++) s.x.push_back(std::cos(i * 1e-3)), s.y.push_back(std::sin(i * 1e-3));
  const auto kept = thin(s.x, s.y, s.canvas());
  EXPECT_LE(kept.size(), 200000u);
  const auto at = [](const std::vector<double>& v) { return [&v](std::size_t i) { return v[i]; }; };
  EXPECT_EQ(s.x[std::ranges::max(kept, {}, at(s.x))], std::ranges::max(s.x));
  EXPECT_EQ(s.y[std::ranges::min(kept, {}, at(s.y))], std::ranges::min(s.y));
}

TEST(FigureThin, noise_all_over_the_place_is_not_endless) {
  Series s;
  for (int i = 0; i < 300000; i++)
    s.x.push_back(std::fmod(i * 0.618034, 1.0)), s.y.push_back(std::fmod(i * 0.414214, 1.0));
  EXPECT_LE(thin(s.x, s.y, s.canvas()).size(), 20000u);
}

}  // namespace thin_test
}  // namespace sinew::figure
