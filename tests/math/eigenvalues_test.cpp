// Eigenvalues against matrices whose spectra are known, against their definition, and against Eigen's. Round-off moves a simple
// eigenvalue by eps times the norm times its condition, an m-fold defective one by the m-th root of that.
#include "sinew/math/eigenvalues.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <Eigen/Eigenvalues>
#include <numbers>
#include <random>

#include "sinew/math/principal.h"
#include "tests/support/eigen.h"

namespace sinew {
namespace {

using Complex = std::complex<double>;
using support::to_eigen;

Matrix random_matrix(std::mt19937& bits, int rows, int cols) {
  std::normal_distribution<double> normal;
  Matrix out(rows, cols);
  for (double& x : out.values) x = normal(bits);
  return out;
}

// The polynomial x^n + c[n-1] x^(n-1) + ... + c[0].
Matrix companion(const std::vector<double>& c) {
  const int n = int(c.size());
  Matrix out(n, n);
  for (int i = 0; i < n; i++) out(i, n - 1) = -c[i];
  for (int i = 1; i < n; i++) out(i, i - 1) = 1.0;
  return out;
}

void sort(std::vector<Complex>& values) {
  std::ranges::sort(values, [](const Complex& a, const Complex& b) {
    return std::abs(a.real() - b.real()) > 1e-9 ? a.real() < b.real() : a.imag() < b.imag();
  });
}

TEST(Eigenvalues, of_triangles_are_on_their_diagonal) {
  std::vector<Complex> values = eigenvalues(Matrix(4, 4, {3, 1, 4, 1, 0, -1, 5, 9, 0, 0, 2, 6, 0, 0, 0, 5}));
  sort(values);
  const double expected[] = {-1, 2, 3, 5};
  for (int i = 0; i < 4; i++) {
    EXPECT_NEAR(values[i].real(), expected[i], 1e-14);
    EXPECT_EQ(values[i].imag(), 0.0);
  }
}

TEST(Eigenvalues, of_a_permutation_in_a_circle_are_the_roots_of_one) {
  for (const int n : {2, 3, 5, 8}) {  // plain double shifts never converge for these
    std::vector<double> c(n, 0.0);
    c[0] = -1.0;
    for (const Complex& x : eigenvalues(companion(c))) EXPECT_NEAR(std::abs(x), 1.0, 1e-14) << n;
    const std::vector<Complex> values = eigenvalues(companion(c));
    for (int k = 0; k < n; k++) {
      const Complex root = std::polar(1.0, 2.0 * std::numbers::pi * k / n);
      EXPECT_TRUE(std::ranges::any_of(values, [&](const Complex& x) { return std::abs(x - root) < 1e-14; }))
          << n << " " << k;
    }
  }
}

TEST(Eigenvalues, come_in_pairs_with_the_positive_imaginary_part_first) {
  const std::vector<Complex> values = eigenvalues(Matrix(2, 2, {1, -2, 2, 1}));
  EXPECT_EQ(values[0], Complex(1, 2));
  EXPECT_EQ(values[1], Complex(1, -2));
}

TEST(Eigenvalues, agree_with_eigens_for_random_matrices) {
  std::mt19937 bits(5);
  for (int trial = 0; trial < 300; trial++) {
    const int n = 1 + trial % 30;
    const Matrix A = random_matrix(bits, n, n);
    std::vector<Complex> found = eigenvalues(A);
    const Eigen::VectorXcd solved = to_eigen(A).eigenvalues();
    std::vector<Complex> expected(solved.begin(), solved.end());
    Complex trace = 0.0;
    for (const Complex& x : found) {  // each to its nearest, none twice
      trace += x;
      const auto nearest = std::ranges::min_element(expected, {}, [&](const Complex& y) { return std::abs(x - y); });
      EXPECT_LT(std::abs(x - *nearest), 1e-10 * norm(A)) << trial;
      expected.erase(nearest);
    }
    double diagonal = 0.0;
    for (int i = 0; i < n; i++) diagonal += A(i, i);
    EXPECT_NEAR(trace.real(), diagonal, 1e-14 * n * norm(A)) << trial;
    EXPECT_EQ(trace.imag(), 0.0) << trial;
  }
}

TEST(Eigenvalues, of_a_defective_matrix_are_known_to_the_root_of_round_off) {
  for (const Complex& x : eigenvalues(companion({1.0, -4.0, 6.0, -4.0})))  // (x - 1)^4
    EXPECT_LT(std::abs(x - 1.0), 10.0 * std::pow(2.2e-16, 0.25));
  for (const Complex& x : eigenvalues(Matrix(3, 3, {0, 1, 0, 0, 0, 1, 0, 0, 0}))) EXPECT_EQ(x, Complex(0.0, 0.0));
}

TEST(Eigenvalues, of_a_chain_of_oscillators_are_imaginary) {
  const int n = 20;
  Matrix A(2 * n, 2 * n);  // x'' = -K x, K tridiagonal: frequencies 2 sin(k pi / (2 (n + 1)))
  for (int i = 0; i < n; i++) {
    A(i, n + i) = 1.0, A(n + i, i) = -2.0;
    if (i > 0) A(n + i, i - 1) = A(n + i - 1, i) = 1.0;
  }
  std::vector<double> frequencies;
  for (const Complex& x : eigenvalues(A)) {
    EXPECT_LT(std::abs(x.real()), 1e-12);
    if (x.imag() > 0.0) frequencies.push_back(x.imag());
  }
  std::ranges::sort(frequencies);
  ASSERT_EQ(int(frequencies.size()), n);
  for (int k = 1; k <= n; k++)
    EXPECT_NEAR(frequencies[k - 1], 2.0 * std::sin(k * std::numbers::pi / (2.0 * (n + 1))), 1e-12) << k;
}

TEST(Eigenvalues, largest_real_part_is_that_of_a_pair_as_well) {
  EXPECT_EQ(largest_real_part(Matrix(3, 3, {-5, 0, 0, 0, 1, -2, 0, 2, 1})), 1.0);
}

TEST(Eigenvalues, of_what_is_not_finite_are_no_numbers) {
  Matrix A = Matrix::identity(4);
  A(2, 1) = NAN;
  for (const Complex& x : eigenvalues(A)) EXPECT_TRUE(std::isnan(x.real()));
  EXPECT_TRUE(std::isnan(largest_real_part(A)));
  EXPECT_TRUE(eigenvalues(Matrix()).empty());
}

TEST(SymmetricModes, satisfy_their_definition) {
  std::mt19937 bits(6);
  for (const int n : {1, 2, 3, 10, 40}) {
    const Matrix B = random_matrix(bits, n, n), A = B + transpose(B);
    const Modes modes = symmetric_modes(A);
    EXPECT_TRUE(std::ranges::is_sorted(modes.values));
    EXPECT_LT(norm(transpose(modes.vectors) * modes.vectors - Matrix::identity(n)), 1e-14 * n) << n;
    EXPECT_LT(norm(A * modes.vectors - modes.vectors * Matrix::diagonal(modes.values)), 1e-14 * n * norm(A)) << n;
  }
}

TEST(SymmetricModes, of_second_differences_are_known) {
  const int n = 30;
  Matrix A(n, n);
  for (int i = 0; i < n; i++) {
    A(i, i) = 2.0;
    if (i > 0) A(i, i - 1) = A(i - 1, i) = -1.0;
  }
  const Modes modes = symmetric_modes(A);
  for (int k = 1; k <= n; k++) {
    const double half = std::sin(k * std::numbers::pi / (2.0 * (n + 1)));
    EXPECT_NEAR(modes.values[k - 1], 4.0 * half * half, 2.2e-16 * n * 4.0) << k;
  }
}

TEST(SymmetricModes, of_equal_and_of_no_values_are_found) {
  EXPECT_EQ(symmetric_modes(Matrix::identity(3)).values, std::vector<double>(3, 1.0));
  EXPECT_EQ(symmetric_modes(Matrix(2, 2)).values, std::vector<double>(2, 0.0));
  Matrix ones(5, 5);
  std::ranges::fill(ones.values, 1.0);
  const std::vector<double> values = symmetric_modes(ones).values;
  for (int i = 0; i < 4; i++) EXPECT_NEAR(values[i], 0.0, 1e-15);
  EXPECT_NEAR(values[4], 5.0, 1e-14);
}

// A graded matrix: the smallest value is known to its own digits, not only to those of the largest.
TEST(SymmetricModes, of_graded_matrices_are_exact_also_where_they_are_small) {
  const Matrix A(2, 2, {1e12, 1.0, 1.0, 1e-6});
  const double determinant = 1e6 - 1.0;
  EXPECT_NEAR(symmetric_modes(A).values[0], determinant / 1e12, 1e-15 * determinant / 1e12);
}

TEST(SymmetricModes, of_a_pair_of_matrices_satisfy_their_definition) {
  std::mt19937 bits(8);
  for (const int n : {1, 2, 6, 25}) {
    const Matrix B = random_matrix(bits, n, n), K = B + transpose(B), C = random_matrix(bits, n, n);
    const Matrix M = C * transpose(C) + Matrix::identity(n);
    const Modes modes = symmetric_modes(K, M);
    const Matrix &V = modes.vectors, D = Matrix::diagonal(modes.values);
    EXPECT_LT(norm(transpose(V) * M * V - Matrix::identity(n)), 1e-13 * n) << n;
    EXPECT_LT(norm(K * V - M * V * D), 1e-14 * n * norm(K) * norm(M) * norm(V)) << n;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> expected(to_eigen(K), to_eigen(M));
    for (int i = 0; i < n; i++) EXPECT_NEAR(modes.values[i], expected.eigenvalues()(i), 1e-12 * norm(K)) << n;
  }
}

TEST(SymmetricModes, of_a_mass_that_is_not_positive_are_no_numbers) {
  EXPECT_TRUE(std::isnan(symmetric_modes(Matrix::identity(2), Matrix::diagonal({1.0, -1.0})).values[0]));
}

TEST(PrincipalMoments, are_found_in_any_attitude_the_largest_first) {
  const Eigen::Matrix3d R = Eigen::Quaterniond(0.3, -0.5, 0.7, 0.4).normalized().toRotationMatrix();
  const Eigen::Matrix3d I = R * Eigen::Vector3d(2.0, 7.0, 5.5).asDiagonal() * R.transpose();
  const Vec3d p = principal_moments(support::symmetric_from_eigen(I));
  EXPECT_NEAR(p[0], 7.0, 1e-14);
  EXPECT_NEAR(p[1], 5.5, 1e-14);
  EXPECT_NEAR(p[2], 2.0, 1e-14);
}

}  // namespace
}  // namespace sinew
