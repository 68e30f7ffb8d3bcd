#include "sinew/control/hautus.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

// Two oscillators of frequency 1 and 2 side by side; r = (x1, x1', x2, x2').
Matrix two_oscillators() {
  Matrix F(4, 4);
  F(0, 1) = F(2, 3) = 1.0;
  F(1, 0) = -1.0, F(3, 2) = -4.0;
  return F;
}

TEST(Hautus, an_input_reaches_the_oscillator_that_it_pushes_and_not_the_other) {
  const Matrix F = two_oscillators(), G = Matrix::unit(4, 1);
  EXPECT_GT(reach(F, G, {0.0, 1.0}), 0.1);
  EXPECT_LT(reach(F, G, {0.0, 2.0}), 1e-15);
  EXPECT_LT(reach(F, G, {0.0, -2.0}), 1e-15);
}

TEST(Hautus, one_input_can_reach_two_oscillators_of_different_frequency_but_not_of_the_same) {
  const Matrix G = Matrix::column({0, 1, 0, 1});
  Matrix F = two_oscillators();
  EXPECT_GT(reach(F, G, {0.0, 1.0}), 0.01);
  EXPECT_GT(reach(F, G, {0.0, 2.0}), 0.01);
  F(3, 2) = -1.0;
  EXPECT_LT(reach(F, G, {0.0, 1.0}), 1e-15);
}

TEST(Hautus, reach_is_the_ratio_of_singular_values) {
  // [F - 1, G] = [3, 0, 4; 0, 0.5, 0] has the singular values 5 and 0.5
  EXPECT_NEAR(reach(Matrix::diagonal({4.0, 1.5}), Matrix::column({4.0, 0.0}), 1.0), 0.1, 1e-15);
  // [F - i, G] = [1 - i, 0, 1; 0, -i, 0] has the singular values sqrt(3) and 1
  EXPECT_NEAR(reach(Matrix::diagonal({1.0, 0.0}), Matrix::column({1.0, 0.0}), {0.0, 1.0}), 1.0 / std::sqrt(3.0), 1e-15);
}

}  // namespace
}  // namespace sinew
