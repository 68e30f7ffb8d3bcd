#include "sinew/math/rotation.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/bits.h"
#include "tests/support/dice.h"
#include "tests/support/eigen.h"

namespace sinew {
namespace rotation_test {

using support::Dice;
using support::to_eigen;

constexpr double rounding = 4e-15;  // a handful of operations on numbers of the size of 1, or of pi

// Rotation angles from tiny to half a turn, both sides of every switch between series and quotient.
constexpr double angles[] = {0.0,  1e-300, 1e-160, 1e-20, 1e-12, 1e-9, 9.99e-7, 1.01e-6, 9.99e-4,
                             1e-3, 1.1e-3, 0.01,   0.1,   1.0,   2.0,  3.0,     3.14,    3.1415926};

TEST(Quaternion, exponential_is_the_rotation_about_the_vector) {
  Dice dice(1);
  for (double angle : angles)
    for (int trial = 0; trial < 50; trial++) {
      const Vec3d axis = dice.direction();
      const Quatd a = quaternion_exp(axis * angle);
      const Eigen::Quaterniond want(Eigen::AngleAxisd(angle, to_eigen(axis)));
      EXPECT_LE((to_eigen(a).coeffs() - want.coeffs()).norm(), rounding) << "angle " << angle;
    }
}

TEST(Quaternion, exponential_has_length_one) {
  Dice dice(2);
  for (double angle : angles) {
    const Quatd a = quaternion_exp(dice.direction() * angle);
    EXPECT_NEAR(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z, 1.0, rounding) << "angle " << angle;
  }
}

// Relative, because small displacements are what springs and gaps measure. Below 1e-150 the square of the angle leaves
// the range of numbers; the series still carries it.
TEST(Quaternion, logarithm_undoes_the_exponential_with_relative_accuracy) {
  Dice dice(3);
  for (double angle : angles)
    for (int trial = 0; trial < 50; trial++) {
      const Vec3d phi = dice.direction() * angle, back = quaternion_log(quaternion_exp(phi));
      EXPECT_LE(norm((back - phi) * (1.0 / std::max(angle, 1e-300))), rounding) << "angle " << angle;
    }
}

TEST(Quaternion, logarithm_undoes_the_exponential_up_to_half_a_turn) {
  Dice dice(4);
  for (double below : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15})
    for (int trial = 0; trial < 50; trial++) {
      const Vec3d axis = dice.direction();
      const double angle = std::numbers::pi - below;
      const Vec3d back = quaternion_log(quaternion_exp(axis * angle));
      EXPECT_NEAR(norm(back), angle, rounding);
      // within rounding of half a turn the sign of w, and with it the side, is a matter of the last bit
      const double off = std::min(norm(back - axis * angle), norm(back + axis * angle));
      EXPECT_LE(below > 1e-14 ? norm(back - axis * angle) : off, 2 * rounding) << "pi - " << below;
    }
}

TEST(Quaternion, beyond_half_a_turn_the_logarithm_goes_the_shorter_way) {
  const Vec3d axis(0.6, 0.0, 0.8);
  const Vec3d back = quaternion_log(quaternion_exp(axis * 4.0));
  EXPECT_LE(norm(back - axis * (4.0 - 2 * std::numbers::pi)), rounding);
}

TEST(Quaternion, both_signs_have_the_same_logarithm) {
  Dice dice(5);
  for (int trial = 0; trial < 100; trial++) {
    const Quatd a = dice.rotation();
    EXPECT_EQ(norm(quaternion_log(a) - quaternion_log(Quatd{-a.w, -a.x, -a.y, -a.z})), 0.0);  // signs round nothing
  }
}

TEST(Quaternion, matrix_and_product_agree_with_eigen) {
  Dice dice(6);
  for (int trial = 0; trial < 500; trial++) {
    const Quatd a = dice.rotation(), b = dice.rotation();
    EXPECT_LE((to_eigen(to_matrix(a)) - to_eigen(a).toRotationMatrix()).norm(), rounding);
    EXPECT_LE((to_eigen(a * b).coeffs() - (to_eigen(a) * to_eigen(b)).coeffs()).norm(), rounding);
    EXPECT_LE((to_eigen(to_matrix(a * b)) - to_eigen(to_matrix(a) * to_matrix(b))).norm(), rounding);
    EXPECT_LE((to_eigen(to_matrix(conjugate(a))) - to_eigen(transpose(to_matrix(a)))).norm(), 0.0);
  }
}

TEST(Quaternion, comes_back_from_its_matrix_also_near_half_turns) {
  Dice dice(7);
  const auto expect_back = [](const Quatd& a) {
    const Quatd b = to_quaternion(to_matrix(a));
    const auto x = to_eigen(a).coeffs(), y = to_eigen(b).coeffs();
    EXPECT_LE(std::min((x - y).norm(), (x + y).norm()), rounding) << a.w << " " << a.x << " " << a.y << " " << a.z;
  };
  for (int trial = 0; trial < 500; trial++) expect_back(dice.rotation());
  for (double angle : angles) expect_back(quaternion_exp(dice.direction() * angle));
  for (double w : {0.0, 1e-17, 1e-9, -1e-9, 1e-4})
    for (int trial = 0; trial < 50; trial++) {
      const Vec3d axis = dice.direction();
      expect_back(normalized(Quatd{w, axis[0], axis[1], axis[2]}));
    }
  for (const Quatd& a : {Quatd{1, 0, 0, 0}, Quatd{0, 1, 0, 0}, Quatd{0, 0, 1, 0}, Quatd{0, 0, 0, 1}}) expect_back(a);
}

TEST(Quaternion, lanes_have_the_bits_of_scalars) {
  Dice dice(8);
  for (int trial = 0; trial < 500; trial++) {
    Vec3d phi[lane_count];
    Vec3<Lanes> wide;
    for (int i = 0; i < lane_count; i++) {
      phi[i] = dice.direction() * (dice.chance(0.7) ? dice.between(0.0, 4.0) : angles[dice.below(18)]);
      for (int k = 0; k < 3; k++) wide[k].set(i, phi[i][k]);
    }
    const Quat<Lanes> a = quaternion_exp(wide);
    const Mat3<Lanes> R = to_matrix(a);
    const Quat<Lanes> b = to_quaternion(R);
    const Vec3<Lanes> log = quaternion_log(b);
    for (int i = 0; i < lane_count; i++) {
      const Quatd a1 = quaternion_exp(phi[i]), b1 = to_quaternion(to_matrix(a1));
      EXPECT_TRUE(support::same_bits(R, i, to_matrix(a1)));
      EXPECT_TRUE(support::same_bits(b.w, i, b1.w) && support::same_bits(b.x, i, b1.x));
      EXPECT_TRUE(support::same_bits(log, i, quaternion_log(b1)));
    }
  }
}

}  // namespace rotation_test
}  // namespace sinew
