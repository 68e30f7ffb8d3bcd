#include "sinew/parts/force/gravity.h"

#include <gtest/gtest.h>

#include "tests/support/derivative.h"
#include "tests/support/dice.h"
#include "tests/support/oracle.h"

namespace sinew {
namespace gravity_test {

using Eigen::Vector3d;
using support::Dice;
using support::from_eigen;
using support::to_eigen;
using support::Vector6;

constexpr double rounding = 1e-13;     // sums of a few products of numbers below 20
constexpr double differences = 1e-10;  // difference quotients of order 8 (derivative.h), of numbers below 20

struct Field {
  Gravity<double> gravity;
  double m = 1.7;
  Sym3d I_C{0.30, 0.02, -0.03, 0.25, 0.04, 0.20};
  Vec3d p, v, w;

  Field(GravityKind kind, Dice& dice) {
    gravity.kind = kind;
    gravity.g = dice.vector(10.0);
    gravity.GM = 30.0;
    gravity.centre = dice.vector(1.0);
    gravity.spin = dice.vector(1.0);
    gravity.axes = Vec3d(dice.between(0.5, 1.5), dice.between(0.5, 1.5), dice.between(0.5, 1.5));
    p = gravity.centre + dice.direction() * dice.between(2.0, 4.0);
    v = dice.vector(1.0), w = dice.vector(1.0);
  }
  double potential(const Vec3d& p_WC, const Sym3d& I) const { return gravity_potential(gravity, m, p_WC, I); }
};

class GravityContract : public testing::TestWithParam<int> {
 protected:
  template <class Test>
  void at_random_places(const Test& test) {
    Dice dice(7);
    for (int trial = 0; trial < 50; trial++) test(Field(GravityKind(GetParam()), dice));
  }
};

TEST_P(GravityContract, force_at_rest_is_minus_the_gradient_of_the_potential) {
  at_random_places([](const Field& f) {
    const Vec3d force = fall(f.gravity, f.p, Vec3d::zero()) * f.m;
    for (int k = 0; k < 3; k++) {
      const double slope = support::derivative([&](double s) {
        Vec3d there = f.p;
        there[k] += s;
        return f.potential(there, f.I_C);
      });
      EXPECT_NEAR(force[k], -slope, differences);
    }
  });
}

TEST_P(GravityContract, torque_at_rest_is_minus_the_gradient_of_the_potential) {
  at_random_places([](const Field& f) {
    const bool in_turning_axes = turns(f.gravity.kind);
    const Vec3d torque = in_turning_axes ? turning_torque(f.gravity.spin, f.I_C, Vec3d::zero()) : Vec3d::zero();
    for (int k = 0; k < 3; k++) {
      const double slope = support::derivative([&](double s) {
        Vec3d phi = Vec3d::zero();
        phi[k] = s;
        return f.potential(f.p, rotate(to_matrix(quaternion_exp(phi)), f.I_C));
      });
      EXPECT_NEAR(torque[k], -slope, differences);
    }
  });
}

// Power of force and torque on a moving body is the rate at which its potential falls: what depends on velocity (Coriolis
// and its torque) does no work.
TEST_P(GravityContract, no_work_is_done_but_that_of_the_potential) {
  at_random_places([](const Field& f) {
    const bool in_turning_axes = turns(f.gravity.kind);
    const Vec3d torque = in_turning_axes ? turning_torque(f.gravity.spin, f.I_C, f.w) : Vec3d::zero();
    const double power = f.m * dot(fall(f.gravity, f.p, f.v), f.v) + dot(torque, f.w);
    const double rate = support::derivative(
        [&](double s) { return f.potential(f.p + f.v * s, rotate(to_matrix(quaternion_exp(f.w * s)), f.I_C)); });
    EXPECT_NEAR(power, -rate, differences);
  });
}

// The oracle takes the body apart into points and sums their inertia forces.
TEST_P(GravityContract, force_torque_and_potential_equal_sums_over_the_points_of_the_body) {
  at_random_places([](const Field& f) {
    Vector6 V;
    V << to_eigen(f.w), to_eigen(f.v);
    const Vector6 want = support::gravity_wrench(f.gravity, f.m, to_eigen(f.I_C), to_eigen(f.p), V);
    const bool in_turning_axes = turns(f.gravity.kind);
    const Vec3d torque = in_turning_axes ? turning_torque(f.gravity.spin, f.I_C, f.w) : Vec3d::zero();
    EXPECT_LE((to_eigen(torque) - want.head<3>()).norm(), rounding);
    EXPECT_LE((f.m * to_eigen(fall(f.gravity, f.p, f.v)) - want.tail<3>()).norm(), rounding);
    EXPECT_NEAR(f.potential(f.p, f.I_C), support::gravity_energy(f.gravity, f.m, to_eigen(f.I_C), to_eigen(f.p)),
                rounding);
  });
}

INSTANTIATE_TEST_SUITE_P(every, GravityContract, testing::Range(0, int(gravity_names.size())),
                         [](const auto& info) { return std::string(gravity_names[info.param]); });

TEST(Gravity, in_turning_axes_a_resting_point_moves_on_a_circle_backwards) {
  Gravity<double> gravity;
  gravity.kind = GravityKind::Spinning;
  gravity.GM = 0.0;
  gravity.spin = Vec3d(0, 0, 0.5);
  const Vec3d rho(2.0, 1.0, 3.0), v = -cross(gravity.spin, rho);     // at rest in inertial axes
  const Vec3d want = cross(gravity.spin, cross(gravity.spin, rho));  // towards the axis
  EXPECT_LE(norm(fall(gravity, rho, v) - want), rounding);
}

TEST(Gravity, turning_axes_leave_planar_motion_about_a_principal_axis_without_torque) {
  const Sym3d I_C{0.3, 0.1, 0.0, 0.2, 0.0, 0.4};  // z is a principal axis
  const Vec3d torque = turning_torque(Vec3d(0, 0, 0.7), I_C, Vec3d(0, 0, -1.3));
  EXPECT_EQ(norm(torque), 0.0);  // every product has a factor that is exactly zero
}

TEST(Gravity, a_body_that_rests_in_inertial_axes_needs_no_torque_to_stay) {
  // In the turning axes it turns with -Omega: I dw/dt + w x I w = n must hold with dw/dt = 0, and I constant in itself.
  const Sym3d I_C{0.30, 0.02, -0.03, 0.25, 0.04, 0.20};
  const Vec3d spin(0.3, -0.5, 0.7), w = -spin;
  EXPECT_LE(norm(turning_torque(spin, I_C, w) - cross(w, I_C * w)), rounding);
}

}  // namespace gravity_test
}  // namespace sinew
