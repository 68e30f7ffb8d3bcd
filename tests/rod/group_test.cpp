// Identities of the groups (docs/theory/rods.md), to 1e-12: round-off of a few products of order one.
#include "sinew/rod/group.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

#include "tests/support/dice.h"

namespace sinew::rod {
namespace group_test {

constexpr double tolerance = 1e-12;

// A twist as the 4x4 matrix of its motion; the plane lies in space.
Vec<6> in_space(const Vec<6>& a) { return a; }
Vec<6> in_space(const Vec<3>& a) { return {a[0], a[1], 0, 0, 0, a[2]}; }
Vec<6> in_space(const Vec<1>& a) { return {a[0], 0, 0, 0, 0, 0}; }
Eigen::Matrix4d hat(const Vec<6>& a) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Zero();
  m << 0, -a[5], a[4], a[0], a[5], 0, -a[3], a[1], -a[4], a[3], 0, a[2], 0, 0, 0, 0;
  return m;
}
Vec<6> vee(const Eigen::Matrix4d& m) { return {m(0, 3), m(1, 3), m(2, 3), m(2, 1), m(0, 2), m(1, 0)}; }
template <class G>
Eigen::Matrix4d matrix(const G& g) {
  const Posed X = g.pose();
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  for (int i = 0; i < 3; i++) {
    m(i, 3) = X.p[i];
    for (int j = 0; j < 3; j++) m(i, j) = X.R(i, j);
  }
  return m;
}

template <class G>
struct GroupTest : testing::Test {
  support::Dice dice{7};
  typename G::Twist any(double size = 1.0) {
    typename G::Twist a;
    for (int i = 0; i < G::n; i++) a[i] = size * dice.between(-1.0, 1.0);
    return a;
  }
  static void expect_near(const Vec<6>& a, const Vec<6>& b, double tol = tolerance) {
    for (int i = 0; i < 6; i++) EXPECT_NEAR(a[i], b[i], tol);
  }
};
using Groups = testing::Types<Line, Plane, Space>;
TYPED_TEST_SUITE(GroupTest, Groups);

TYPED_TEST(GroupTest, the_exponential_is_that_of_matrices) {
  for (const double size : {1e-9, 1e-5, 1e-3, 0.02, 0.1, 1.0, 2.5}) {
    const auto u = this->any(size);
    const Eigen::Matrix4d got = matrix(exponential<TypeParam>(u)), want = hat(in_space(u)).exp();
    EXPECT_LT((got - want).cwiseAbs().maxCoeff(), tolerance) << size;
  }
}

TYPED_TEST(GroupTest, the_adjoint_is_conjugation) {
  const TypeParam g = exponential<TypeParam>(this->any());
  const auto x = this->any();
  this->expect_near(in_space(adjoint(g, x)), vee(matrix(g) * hat(in_space(x)) * matrix(g).inverse()));
  this->expect_near(in_space(adjoint_inverse(g, adjoint(g, x))), in_space(x));
}

// (66) of Boyer et al. 2012, [R, -R r^; 0, R], is that of the inverse's translation.
TEST(Group, the_printed_adjoint_is_not_conjugation) {
  const Space g = exponential<Space>({0.3, -0.2, 0.5, 0.4, 0.9, -0.3});
  const Vec<6> x{0.1, 0.7, -0.4, 0.2, -0.6, 0.8};
  const Vec3d w = g.R * angular(x), printed = g.R * linear(x) - g.R * cross(g.p, angular(x));
  EXPECT_GT(norm(join(printed, w) - adjoint(g, x)), 0.1);
}

TYPED_TEST(GroupTest, the_bracket_is_that_of_matrices_and_the_derivative_of_the_adjoint) {
  const auto x = this->any(), y = this->any();
  const Eigen::Matrix4d a = hat(in_space(x)), b = hat(in_space(y));
  this->expect_near(in_space(bracket(x, y)), vee(a * b - b * a));
  const double s = 1e-5;  // central difference: error s^2, round-off 1e-16 / s
  const auto slope =
      (adjoint(exponential<TypeParam>(x * s), y) - adjoint(exponential<TypeParam>(x * -s), y)) * (0.5 / s);
  this->expect_near(in_space(slope), in_space(bracket(x, y)), 1e-9);
}

TYPED_TEST(GroupTest, wrenches_are_dual_to_twists) {
  const TypeParam g = exponential<TypeParam>(this->any());
  const auto x = this->any(), y = this->any(), F = this->any();
  EXPECT_NEAR(dot(cobracket(x, F), y), dot(F, bracket(x, y)), tolerance);
  EXPECT_NEAR(dot(to_base(g, F), adjoint(g, x)), dot(F, x), tolerance);
  EXPECT_NEAR(dot(to_section(g, F), adjoint_inverse(g, x)), dot(F, x), tolerance);
}

TYPED_TEST(GroupTest, the_logarithm_undoes_the_exponential_up_to_half_a_turn) {
  for (const double angle : {1e-8, 1e-3, 0.5, 2.0, 3.14159265358979 - 1e-6}) {
    auto u = this->any();
    if constexpr (TypeParam::n == 3) u[2] = angle;
    if constexpr (TypeParam::n == 6) {
      const Vec3d w = normalized(angular(u)) * angle;
      u = join(linear(u), w);
    }
    // near half a turn the axis follows from R - R^T, which is of size 1e-6 there
    this->expect_near(in_space(logarithm(exponential<TypeParam>(u))), in_space(u), angle > 3.0 ? 1e-8 : tolerance);
  }
}

TYPED_TEST(GroupTest, the_local_rate_is_that_of_a_motion_along_a_constant_twist) {
  // u(t) = t u moves with the body twist u; and of exp(u + s du) the body twist is found by differences
  const auto u = this->any(0.1), du = this->any();
  const double s = 1e-5;
  const TypeParam a = exponential<TypeParam>(u - du * s), b = exponential<TypeParam>(u + du * s);
  const auto twist = logarithm(a.inverse() * b) * (0.5 / s);
  // series up to the fourth power: the next term is |u|^6 / 30240
  this->expect_near(in_space(local_rate(u, twist)), in_space(du), 1e-7);
}

TEST(Group, the_plane_is_the_same_as_in_space) {
  support::Dice dice(3);
  for (int k = 0; k < 20; k++) {
    const Vec<3> u{dice.between(-1, 1), dice.between(-1, 1), dice.between(-2, 2)};
    const Vec<3> x{dice.between(-1, 1), dice.between(-1, 1), dice.between(-2, 2)};
    const Plane g = exponential<Plane>(u);
    const Space h = exponential<Space>(in_space(u));
    EXPECT_LT((matrix(g) - matrix(h)).cwiseAbs().maxCoeff(), tolerance);
    GroupTest<Space>::expect_near(in_space(adjoint(g, x)), adjoint(h, in_space(x)));
    GroupTest<Space>::expect_near(in_space(to_base(g, x)), to_base(h, in_space(x)));
    GroupTest<Space>::expect_near(in_space(bracket(u, x)), bracket(in_space(u), in_space(x)));
    GroupTest<Space>::expect_near(in_space(cobracket(u, x)), cobracket(in_space(u), in_space(x)));
  }
}

}  // namespace group_test
}  // namespace sinew::rod
