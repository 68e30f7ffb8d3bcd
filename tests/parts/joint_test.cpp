// The contract of a joint kind, run over the whole list: a new kind joins by being listed.
#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/parts/joint/list.h"
#include "tests/support/derivative.h"
#include "tests/support/dice.h"

namespace sinew {
namespace joint_test {

using joint::Dir;
using support::Dice;
using support::to_eigen;
using support::Vector6;

constexpr double rounding = 1e-14;     // a few operations on numbers below 4
constexpr double differences = 1e-11;  // difference quotients of order 8 of motions with rates up to 3 (derivative.h)

class JointContract : public testing::TestWithParam<JointKind> {
 protected:
  // Runs the test for the kind at 20 random places: q, u, and the parent's side X_WJ.
  template <class Test>
  void at_random_places(const Test& test) {
    Dice dice(1 + std::uint64_t(GetParam()));
    joint::visit(GetParam(), [&]<class J>() {
      for (int trial = 0; trial < 20; trial++) {
        std::vector<double> q = dice.numbers(J::nq, -1.5, 1.5), u = dice.numbers(J::nu, -1.5, 1.5);
        if (J::nq != J::nu) joint::write_quat(dice.rotation(), q.data() + J::nq - 4);
        const Mat3d R = to_matrix(dice.rotation());
        const Posed X_WJ{R, dice.vector(1.0)};
        test.template operator()<J>(dice, q, u, X_WJ);
      }
    });
  }
};

template <class J>
Posed place(const Posed& X_WJ, const std::vector<double>& q) {
  SinCos<double> trig[6] = {};
  for (std::size_t i = 0; i < J::angles.size(); i++) trig[i] = {std::sin(q[J::angles[i]]), std::cos(q[J::angles[i]])};
  return J::place(X_WJ, q.data(), trig);
}
template <class J>
std::vector<double> advanced(std::vector<double> q, const std::vector<double>& u, double dt) {
  J::advance(q.data(), u.data(), dt);
  return q;
}
template <class J>
Vector6 velocity(const Posed& X_WJ, const Posed& X_WF, const std::vector<double>& u) {
  Vec3d axis[6];
  J::axes(X_WJ.R, X_WF.R, axis);
  Vector6 V = Vector6::Zero();
  for (int i = 0; i < J::nu; i++) V.segment<3>(J::dirs[i] == Dir::Angular ? 0 : 3) += to_eigen(axis[i]) * u[i];
  return V;
}
// F moving away from X with the constant velocity V (world axes): turned and shifted.
Posed moved(const Posed& X, const Vec3d& w, const Vec3d& v, double s) {
  return {to_matrix(quaternion_exp(w * s)) * X.R, X.p + v * s};
}
double distance_of_coordinates(const std::vector<double>& a, const std::vector<double>& b, bool has_quaternion) {
  double e = 0.0, minus = 0.0, plus = 0.0;
  const std::size_t n = a.size() - (has_quaternion ? 4 : 0);
  for (std::size_t i = 0; i < a.size(); i++)
    if (i < n)
      e = std::max(e, std::abs(a[i] - b[i]));
    else
      minus = std::max(minus, std::abs(a[i] - b[i])), plus = std::max(plus, std::abs(a[i] + b[i]));
  return std::max(e, std::min(minus, plus));  // both signs of a quaternion are the same rotation
}

TEST_P(JointContract, neutral_coordinates_put_F_on_J) {
  at_random_places([]<class J>(Dice&, std::vector<double> q, auto&, const Posed& X_WJ) {
    J::neutral(q.data());
    EXPECT_LE(support::distance(place<J>(X_WJ, q), X_WJ), rounding);
  });
}

TEST_P(JointContract, axes_are_the_velocities_of_place) {
  at_random_places([]<class J>(Dice&, auto& q, auto& u, const Posed& X_WJ) {
    const Vector6 want = support::velocity_of([&](double s) { return place<J>(X_WJ, advanced<J>(q, u, s)); });
    EXPECT_LE((velocity<J>(X_WJ, place<J>(X_WJ, q), u) - want).norm(), differences);
  });
}

TEST_P(JointContract, drift_is_the_rate_of_the_axes_at_constant_velocities) {
  at_random_places([]<class J>(Dice&, auto& q, auto& u, const Posed& X_WJ) {
    const Vector6 want =
        support::derivative([&](double s) { return velocity<J>(X_WJ, place<J>(X_WJ, advanced<J>(q, u, s)), u); });
    Vec3d axis[6];
    J::axes(X_WJ.R, place<J>(X_WJ, q).R, axis);
    EXPECT_LE((to_eigen(J::drift(axis, u.data())) - want).norm(), differences);
  });
}

TEST_P(JointContract, coordinates_can_be_read_back_from_the_pose) {
  at_random_places([]<class J>(Dice&, auto& q, auto&, const Posed& X_WJ) {
    std::vector<double> back(J::nq);
    J::coordinates(X_WJ.inverse() * place<J>(X_WJ, q), back.data());
    EXPECT_LE(distance_of_coordinates(back, q, J::nq != J::nu), rounding);
  });
}

TEST_P(JointContract, gap_is_zero_wherever_the_joint_can_be) {
  at_random_places([]<class J>(Dice&, auto& q, auto&, const Posed& X_WJ) {
    double gap[6] = {};
    J::gap(X_WJ.inverse() * place<J>(X_WJ, q), gap);
    for (int i = 0; i < 6 - J::nu; i++) EXPECT_NEAR(gap[i], 0.0, rounding);
  });
}

template <class J>
Eigen::VectorXd row_velocities(const Posed& X_WJ, const Posed& X_WF, const Vec3d& w, const Vec3d& v) {
  Vec3d e[6];
  J::rows(X_WJ.R, X_WF.R, e);
  Eigen::VectorXd gamma(6 - J::nu);
  for (int i = 0; i < 6 - J::nu; i++) gamma[i] = dot(e[i], J::row_dirs[i] == Dir::Angular ? w : v);
  return gamma;
}
template <class J>
Eigen::VectorXd gap_of(const Posed& X_WJ, const Posed& X_WF) {
  double g[6] = {};
  J::gap(X_WJ.inverse() * X_WF, g);
  return Eigen::Map<Eigen::VectorXd>(g, 6 - J::nu);
}

TEST_P(JointContract, rows_are_the_rates_of_the_gap_for_every_velocity) {
  at_random_places([]<class J>(Dice& dice, auto& q, auto&, const Posed& X_WJ) {
    const Vec3d w = dice.vector(1.0), v = dice.vector(1.0);
    const Posed X_WF = place<J>(X_WJ, q);
    const Eigen::VectorXd want = support::derivative([&](double s) { return gap_of<J>(X_WJ, moved(X_WF, w, v, s)); });
    EXPECT_LE((row_velocities<J>(X_WJ, X_WF, w, v) - want).norm(), differences);
  });
}

// Off the joint's manifold by d, rows and the gap's gradient may differ by a few d: Newton's method still converges.
TEST_P(JointContract, rows_stay_near_the_rates_of_the_gap_near_the_joint) {
  at_random_places([]<class J>(Dice& dice, auto& q, auto&, const Posed& X_WJ) {
    const Vec3d w = dice.direction(), v = dice.direction();
    for (double d : {1e-2, 1e-4}) {
      const Posed X_WF = moved(place<J>(X_WJ, q), dice.direction(), dice.direction(), d);
      const Eigen::VectorXd want = support::derivative([&](double s) { return gap_of<J>(X_WJ, moved(X_WF, w, v, s)); });
      EXPECT_LE((row_velocities<J>(X_WJ, X_WF, w, v) - want).norm(), 2.0 * d);
    }
  });
}

TEST_P(JointContract, rows_rate_is_the_rate_of_the_rows) {
  at_random_places([]<class J>(Dice& dice, auto& q, auto&, const Posed& X_WJ) {
    const Vec3d w = dice.vector(1.0), v = dice.vector(1.0);
    const Posed X_WF = place<J>(X_WJ, q);
    Vec3d rate[6];
    std::fill(rate, rate + 6, Vec3d::zero());
    J::rows_rate(X_WJ.R, X_WF.R, w, rate);
    for (int i = 0; i < 6 - J::nu; i++) {
      const Eigen::Vector3d want = support::derivative([&](double s) {
        Vec3d e[6];
        J::rows(X_WJ.R, moved(X_WF, w, v, s).R, e);
        return to_eigen(e[i]);
      });
      EXPECT_LE((to_eigen(rate[i]) - want).norm(), differences) << "row " << i;
    }
  });
}

// Axes not listed in turning_axes stand still in the parent; rows_rate and axes_rate leave such entries alone.
TEST_P(JointContract, axes_rate_is_the_rate_of_the_axes) {
  at_random_places([]<class J>(Dice& dice, auto& q, auto&, const Posed& X_WJ) {
    const Vec3d w = dice.vector(1.0), v = dice.vector(1.0);
    const Posed X_WF = place<J>(X_WJ, q);
    Vec3d rate[6];
    std::fill(rate, rate + 6, Vec3d::zero());
    J::axes_rate(X_WJ.R, X_WF.R, w, rate);
    for (const int i : J::turning_axes) {
      const Eigen::Vector3d want = support::derivative([&](double s) {
        Vec3d axis[6];
        J::axes(X_WJ.R, moved(X_WF, w, v, s).R, axis);
        return to_eigen(axis[i]);
      });
      EXPECT_LE((to_eigen(rate[i]) - want).norm(), differences) << "axis " << i;
    }
    for (const int i : J::turning_axes) rate[i] = Vec3d::zero();
    for (int i = 0; i < J::nu; i++) EXPECT_EQ(norm(rate[i]), 0.0) << "axis " << i;
  });
}

TEST_P(JointContract, axes_and_rows_are_six_orthonormal_directions) {
  at_random_places([]<class J>(Dice&, auto& q, auto&, const Posed& X_WJ) {
    Vec3d axis[6], row[6];
    const Posed X_WF = place<J>(X_WJ, q);
    J::axes(X_WJ.R, X_WF.R, axis);
    J::rows(X_WJ.R, X_WF.R, row);
    Eigen::Matrix<double, 6, 6> B = Eigen::Matrix<double, 6, 6>::Zero();
    for (int i = 0; i < J::nu; i++) B.col(i).segment<3>(J::dirs[i] == Dir::Angular ? 0 : 3) = to_eigen(axis[i]);
    for (int i = 0; i < 6 - J::nu; i++)
      B.col(J::nu + i).template segment<3>(J::row_dirs[i] == Dir::Angular ? 0 : 3) = to_eigen(row[i]);
    EXPECT_LE((B.transpose() * B - Eigen::Matrix<double, 6, 6>::Identity()).norm(), rounding);
  });
}

TEST_P(JointContract, advancing_twice_is_advancing_by_the_sum) {
  at_random_places([]<class J>(Dice&, auto& q, auto& u, const Posed&) {
    const auto twice = advanced<J>(advanced<J>(q, u, 0.3), u, 0.5);
    EXPECT_LE(distance_of_coordinates(twice, advanced<J>(q, u, 0.8), J::nq != J::nu), rounding);
  });
}

// A step with the velocity in its middle is of order 2, also where axes turn with the joint: the error of one step falls
// eightfold when the step is halved.
TEST_P(JointContract, a_midpoint_step_is_accurate_to_second_order) {
  at_random_places([]<class J>(Dice&, auto& q, auto& u, const Posed& X_WJ) {
    const auto u_at = [&](double s) {  // smooth, each freedom with its own shape
      std::vector<double> now = u;
      for (int i = 0; i < J::nu; i++) now[i] = u[i] * std::cos(2.0 * s + i);
      return now;
    };
    const auto reached = [&](double dt, int steps) {
      std::vector<double> at = q;
      for (int k = 0; k < steps; k++) at = advanced<J>(at, u_at((k + 0.5) * dt / steps), dt / steps);
      return place<J>(X_WJ, at);
    };
    const auto error = [&](double dt) { return support::distance(reached(dt, 1), reached(dt, 256)); };
    const double coarse = error(0.08), fine = error(0.04);
    EXPECT_LE(fine, coarse / 6.0 + rounding);  // 8 but for higher orders
    EXPECT_LE(coarse, 1e-2);                   // u'' dt^3 / 24 is 1e-4 times the freedoms
  });
}

TEST_P(JointContract, displacement_undoes_advance) {
  at_random_places([]<class J>(Dice&, auto& q, auto& u, const Posed&) {
    std::vector<double> back(J::nu);
    const auto there = advanced<J>(q, u, 1.0);  // turns less than half a turn
    J::displacement(there.data(), q.data(), back.data());
    for (int i = 0; i < J::nu; i++) EXPECT_NEAR(back[i], u[i], rounding);
  });
}

// Springs of any stiffness: their forces along the axes are the gradient of their energy, also where rotations are large.
TEST_P(JointContract, spring_forces_are_the_gradient_of_the_energy_of_springs) {
  at_random_places([]<class J>(Dice& dice, auto& q, auto& u, const Posed&) {
    const std::vector<double> k = dice.numbers(J::nu, 0.5, 2.0);
    std::vector<double> rest = advanced<J>(q, dice.numbers(J::nu, -0.8, 0.8), 1.0);  // less than half a turn away
    const auto energy = [&](double s) {
      double e[6], sum = 0.0;
      J::strain(advanced<J>(q, u, s).data(), rest.data(), e);
      for (int i = 0; i < J::nu; i++) sum += 0.5 * k[i] * e[i] * e[i];
      return sum;
    };
    double e[6], f[6], power = 0.0;
    J::strain(q.data(), rest.data(), e);
    for (int i = 0; i < J::nu; i++) f[i] = -k[i] * e[i];
    J::spring_forces(q.data(), e, f);
    for (int i = 0; i < J::nu; i++) power += f[i] * u[i];
    EXPECT_NEAR(power, -support::derivative(energy), 10.0 * differences);  // energies up to 10
  });
}

TEST_P(JointContract, a_spring_at_rest_feels_nothing) {
  at_random_places([]<class J>(Dice&, auto& q, auto&, const Posed&) {
    double e[6] = {};
    J::strain(q.data(), q.data(), e);
    for (int i = 0; i < J::nu; i++) EXPECT_NEAR(e[i], 0.0, rounding);
  });
}

template <class J>
struct Driven {
  std::vector<double> q = std::vector<double>(J::nq), u = std::vector<double>(J::nu), u_rate = u;

  // a motion of every axis with its own frequency and phase, below 1 rad/s
  explicit Driven(const std::vector<double>& phase, double t) {
    double m[6], d[6], dd[6];
    for (int i = 0; i < J::nu; i++) {
      const double k = 0.5 + 0.1 * i, x = k * t + phase[i];
      m[i] = std::sin(x), d[i] = k * std::cos(x), dd[i] = -k * k * std::sin(x);
    }
    J::prescribe(m, d, dd, q.data(), u.data(), u_rate.data());
  }
};

TEST_P(JointContract, prescribed_velocities_are_those_of_the_prescribed_pose) {
  at_random_places([]<class J>(Dice&, auto&, auto& phase, const Posed& X_WJ) {
    const Driven<J> now(phase, 0.0);
    const Vector6 want = support::velocity_of([&](double s) { return place<J>(X_WJ, Driven<J>(phase, s).q); });
    EXPECT_LE((velocity<J>(X_WJ, place<J>(X_WJ, now.q), now.u) - want).norm(), differences);
  });
}

TEST_P(JointContract, prescribed_accelerations_are_rates_of_the_prescribed_velocities) {
  at_random_places([]<class J>(Dice&, auto&, auto& phase, const Posed&) {
    const Driven<J> now(phase, 0.0);
    for (int i = 0; i < J::nu; i++) {
      const double want = support::derivative([&](double s) { return Driven<J>(phase, s).u[i]; });
      EXPECT_NEAR(now.u_rate[i], want, differences);
    }
  });
}

// phi(s) = phi + s local_rate(phi, u): does q_0 (+) phi(s) move with the velocity u? The inverse of the exponential's
// derivative is cut after phi^2; the next term is |phi|^4 / 720.
TEST_P(JointContract, local_rate_turns_velocities_into_rates_of_displacement) {
  at_random_places([]<class J>(Dice&, auto& q, auto& u, const Posed& X_WJ) {
    for (double size : {0.0, 0.05, 0.1, 0.2, 0.4}) {
      std::vector<double> phi = u, rate(J::nu), want = u;
      std::reverse(want.begin(), want.end());  // a velocity not along phi
      for (double& x : phi) x *= size;
      J::local_rate(phi.data(), want.data(), rate.data());
      const auto at = [&](double s) {
        std::vector<double> there = phi;
        for (int i = 0; i < J::nu; i++) there[i] += s * rate[i];
        return place<J>(X_WJ, advanced<J>(q, there, 1.0));
      };
      const Vector6 V = velocity<J>(X_WJ, at(0.0), want);
      const double turn = size * Eigen::Map<Eigen::VectorXd>(u.data(), J::nu).norm();
      const double speed = Eigen::Map<Eigen::VectorXd>(want.data(), J::nu).norm();
      EXPECT_LE((support::velocity_of(at) - V).norm(), std::pow(turn, 4) / 720 * speed * 1.5 + differences)
          << "displacement " << turn;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(every, JointContract, testing::ValuesIn(joint::all_kinds), [](const auto& info) {
  std::string name(joint::name_of(info.param));
  std::ranges::replace(name, '-', '_');  // a hyphen is no part of a test's name
  return name;
});

// What each kind does, in plain words: the contract alone does not tell a revolute joint about z from one about x.
TEST(JointKinds, place_F_as_their_names_say) {
  const double a = 0.7, b = -0.4;
  const auto turn = [](double angle, const Eigen::Vector3d& axis) {
    return Eigen::Matrix3d(Eigen::AngleAxisd(angle, axis));
  };
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY(), z = Eigen::Vector3d::UnitZ();
  const auto expect = [](const Posed& X, const Eigen::Matrix3d& R, const Eigen::Vector3d& p) {
    EXPECT_LE((to_eigen(X.R) - R).norm() + (to_eigen(X.p) - p).norm(), rounding);
  };
  const Posed I = Posed::identity();
  expect(place<joint::Revolute>(I, {a}), turn(a, z), 0.0 * z);
  expect(place<joint::Prismatic>(I, {a}), Eigen::Matrix3d::Identity(), a * z);
  expect(place<joint::Universal>(I, {a, b}), turn(a, z) * turn(b, y), 0.0 * z);
  expect(place<joint::Planar>(I, {a, b, 0.3}), turn(0.3, z), a * x + b * y);
  expect(place<joint::Ball>(I, {std::cos(a / 2), std::sin(a / 2), 0, 0}), turn(a, x), 0.0 * z);
  expect(place<joint::Free>(I, {1, 2, 3, std::cos(a / 2), 0, std::sin(a / 2), 0}), turn(a, y), x + 2 * y + 3 * z);
  expect(place<joint::Flex>(I, {1, 2, 3, std::cos(a / 2), 0, 0, std::sin(a / 2)}), turn(a, z), x + 2 * y + 3 * z);
  expect(place<joint::Cylindrical>(I, {a, b}), turn(a, z), b * z);
  expect(place<joint::Weld>(I, {}), Eigen::Matrix3d::Identity(), 0.0 * z);
}

TEST(JointKinds, a_driven_ball_turns_about_z_then_y_then_x) {
  const double m[3] = {0.7, -0.4, 1.1}, none[3] = {};
  double u[3], u_rate[3];
  std::vector<double> q(4);
  joint::Ball::prescribe(m, none, none, q.data(), u, u_rate);
  const Eigen::Matrix3d want(Eigen::AngleAxisd(m[0], Eigen::Vector3d::UnitZ()) *
                             Eigen::AngleAxisd(m[1], Eigen::Vector3d::UnitY()) *
                             Eigen::AngleAxisd(m[2], Eigen::Vector3d::UnitX()));
  EXPECT_LE((to_eigen(place<joint::Ball>(Posed::identity(), q).R) - want).norm(), rounding);
}

// Springs of a flex joint prefer neither body: seen from the other one, with J and F exchanged, the strain is the same but for
// its sign.
TEST(JointKinds, springs_of_a_flex_joint_look_the_same_from_both_bodies) {
  Dice dice(3);
  for (int trial = 0; trial < 20; trial++) {
    const Posed X{to_matrix(dice.rotation()), dice.vector(1.0)};
    double q[7], back[7], rest[7], e[6], e_back[6];
    joint::Flex::coordinates(X, q);
    joint::Flex::coordinates(X.inverse(), back);
    joint::Flex::neutral(rest);
    joint::Flex::strain(q, rest, e);
    joint::Flex::strain(back, rest, e_back);
    for (int i = 0; i < 6; i++) EXPECT_NEAR(e[i], -e_back[i], 10 * rounding);
  }
}

}  // namespace joint_test
}  // namespace sinew
