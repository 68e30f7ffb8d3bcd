#include "sinew/math/check.h"

#include <gtest/gtest.h>

#include "sinew/math/dense.h"
#include "sinew/math/eigenvalues.h"
#include "sinew/math/lanes.h"
#include "sinew/math/schur.h"
#include "tests/support/call_errors.h"

namespace sinew::test {
namespace check_test {

constexpr int half(int x) {
  SINEW_ASSERT(x % 2 == 0);
  return x / 2;
}
static_assert(half(4) == 2);

template <Real S>
S root_of(const S& x) {
  SINEW_ASSERT(all(x >= S(0.0)));
  return sqrt(x);
}

TEST(Assert, what_holds_changes_nothing) {
  EXPECT_EQ(half(6), 3);
  EXPECT_EQ(root_of(4.0), 2.0);
  EXPECT_EQ(root_of(Lanes(9.0))[3], 3.0);
}

TEST(Assert, its_condition_is_evaluated_in_builds_without_NDEBUG_alone) {
  int count = 0;
  const auto holds = [&count] { return ++count > 0; };
  SINEW_ASSERT(holds());
#ifdef NDEBUG
  EXPECT_EQ(count, 0);
#else
  EXPECT_EQ(count, 1);
#endif
}

TEST(AssertDeathTest, what_does_not_hold_is_printed_with_its_place_and_ends_the_program) {
  EXPECT_DEATH(promise::broken("room/file.cpp", 17, "n >= 0"), "room/file.cpp:17: this must hold: n >= 0");
#ifndef NDEBUG
  volatile int odd = 3;
  EXPECT_DEATH(half(odd), "check_test.cpp:[0-9]+: this must hold: x % 2 == 0");
  Lanes mixed(1.0);
  mixed.set(2, -1.0);
  EXPECT_DEATH(root_of(mixed), "this must hold: all");
#endif
}

TEST(Check, words_are_joined_only_where_it_fails) {
  int asked = 0;
  const auto word = [&asked] { return ++asked; };
  SINEW_CHECK(true, "never said ", word());
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(
      call_error([&] { SINEW_CHECK(false, "said ", word(), " time, in ", std::size_t(2), std::string(" words")); }),
      "said 1 time, in 2 words");
}

TEST(Check, a_call_error_is_a_mistake_of_the_program) { EXPECT_THROW(SINEW_CHECK(false, "no"), std::logic_error); }

TEST(Check, matrices_that_do_not_fit_are_refused_with_their_sizes) {
  const Matrix a(2, 3), b(3, 2), c(2, 2);
  Matrix whole(3, 3);
  EXPECT_EQ(call_error([&] { return a + b; }), "sum of matrices: 2 x 3 and 3 x 2");
  EXPECT_EQ(call_error([&] { return a - c; }), "difference of matrices: 2 x 3 and 2 x 2");
  EXPECT_EQ(call_error([&] { return a * c; }), "product of matrices: 2 x 3 times 2 x 2");
  EXPECT_EQ(call_error([&] { return beside(a, b); }), "matrices side by side: 2 rows beside 3");
  EXPECT_EQ(call_error([&] { return block(a, 1, 0, 2, 2); }), "block of a matrix: 2 x 2 from (1, 0) on in 2 x 3");
  EXPECT_EQ(call_error([&] { put(a, 2, 0, whole); }), "part of a matrix: 2 x 3 from (2, 0) on in 3 x 3");
  EXPECT_EQ(call_error([&] { return Matrix::unit(3, 3); }), "unit vector: entry 3 of 3");
  EXPECT_EQ(call_error([&] { return Matrix(2, 2, {1, 2, 3}); }), "Matrix: 3 numbers for 2 x 2");
}

TEST(Check, systems_that_are_not_square_or_have_another_right_side_are_refused) {
  const Matrix a(2, 3), c = Matrix::identity(2);
  EXPECT_EQ(call_error([&] { return solve(a, c); }), "linear system: a matrix of 2 x 3 is not square");
  EXPECT_EQ(call_error([&] { return solve(c, Matrix(3, 1)); }), "linear system: 2 rows, the right side has 3");
  EXPECT_EQ(call_error([&] { return least_norm(a, Matrix(3, 1), 1e-12); }),
            "least squares: 2 rows, the right side has 3");
  EXPECT_EQ(call_error([&] { return eigenvalues(a); }), "eigenvalues: a matrix of 2 x 3 is not square");
  EXPECT_EQ(call_error([&] { return symmetric_modes(c, Matrix::identity(3)); }), "modes: stiffness 2 x 2, mass 3 x 3");
  EXPECT_EQ(call_error([&] { return Schur(c).solve_lyapunov(a); }),
            "Lyapunov's equation: of size 2, the right side is 2 x 3");
}

}  // namespace check_test
}  // namespace sinew::test
