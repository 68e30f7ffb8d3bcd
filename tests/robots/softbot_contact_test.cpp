// Contact of the soft robots in closed form, and what the printed formulas would do: errata E4, E6, E10, E17, E19 of
// docs/theory/softbot.md#errata; the others are in softbot_errata_test.cpp. The engine itself is held against the same numbers by scenarios/softbot.
#include <gtest/gtest.h>

#include <cmath>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"
#include "tests/support/derivative.h"
#include "tests/support/softbot.h"

namespace sinew {
namespace softbot_contact_test {

using namespace support;

// ---- the limb: w_N = dy/dq, w_T = dx/dq of the outer end of link i

VectorXd normal_row(const ClosedChain& c, const VectorXd& q, int i) {
  VectorXd w = VectorXd::Zero(c.n());
  for (int s = 0; s <= i; s++) w[s] = c.l[s] * std::cos(q[s]);
  return w;
}
VectorXd tangent_row(const ClosedChain& c, const VectorXd& q, int i) {
  VectorXd w = VectorXd::Zero(c.n());
  for (int s = 0; s <= i; s++) w[s] = -c.l[s] * std::sin(q[s]);
  return w;
}

// E6: (2.21) prints N l (cos - mu sign(x') sin): friction along the motion. Reference values.
TEST(SoftContactErrata, E6_friction_is_opposed_to_sliding) {
  const ClosedLimb one = limb();
  const VectorXd q = vector({0.2, -0.2, 0.0}), before = vector({-0.05, -0.04, -0.02});
  const MatrixXd M = one.mass(q);
  const auto after = [&](double sign) {  // of friction
    const double P_N[] = {0.0387568103, 0.00885436401};
    VectorXd v = before;
    for (int i : {1, 2})
      v += M.partialPivLu().solve(P_N[i - 1] *
                                  (normal_row(one.chain, q, i) - sign * 0.5 * tangent_row(one.chain, q, i)));
    return v;
  };
  const double T = one.kinetic(q, before);
  const VectorXd right = after(1.0);
  EXPECT_NEAR(right[0], -0.0321146256, 1e-9);
  EXPECT_NEAR(right[1], 0.0321146256, 1e-9);
  EXPECT_NEAR(T - one.kinetic(q, right), 0.00141832228, 1e-10);
  // both points slide to +x before and after: their friction takes energy out, the printed one would put it in
  for (int i : {1, 2}) {
    const VectorXd w_T = tangent_row(one.chain, q, i);
    EXPECT_GT(w_T.dot(before), 0.0);
    EXPECT_GT(w_T.dot(right), 0.0);
  }
  EXPECT_GT(one.kinetic(q, after(-1.0)), one.kinetic(q, right) + 1e-4);
  EXPECT_GT(std::abs(normal_row(one.chain, q, 1).dot(after(-1.0))), 1e-3);  // and the point would not stay closed
}

// E4: the velocity terms are dM/dt v - dT/dq; with the sign as (2.14) is introduced they are not.
TEST(SoftContactErrata, E4_velocity_terms_have_minus_the_partial_derivative_of_T) {
  const ClosedLimb one = limb();
  const VectorXd q = vector({0.1, 0.6, -0.4}), v = vector({0.3, -0.2, 0.5});
  VectorXd partial(3), change(3);
  for (int i = 0; i < 3; i++) {
    partial[i] = derivative([&](double s) { return one.kinetic(q + s * VectorXd::Unit(3, i), v); });
    change[i] = derivative([&](double s) { return (one.mass(q + s * v) * v)[i]; });
  }
  EXPECT_LT((change - partial - one.bias(q, v)).norm(), 1e-9);
  EXPECT_GT((change + partial - one.bias(q, v)).norm(), 1e-3);
}

// ---- the robot: heights of L2, L1, L0, R0, R1, R2

struct Point {
  double side;
  int link;  // 0: the root
};
constexpr Point points[] = {{-1, 2}, {-1, 1}, {-1, 0}, {1, 0}, {1, 1}, {1, 2}};

// dy/dq; `left`: sign of the hub's entry for points on the left, -1 as printed in dQ_h/dN, psi_h (E19).
VectorXd height_row(const ClosedRobot& r, const VectorXd& q, const Point& p, double left = 1.0) {
  VectorXd w = VectorXd::Zero(r.size());
  const double th = q[r.hub()];
  w[r.hub() - 1] = 1.0;
  if (p.side < 0) {
    w[r.hub()] = -left * std::hypot(r.bL, r.h) * std::cos(th + std::atan2(r.h, r.bL));
    for (int i = 0; i < p.link; i++) w[r.L(i)] = r.left.l[i] * std::cos(q[r.L(i)]);
  } else {
    w[r.hub()] = std::hypot(r.bR, r.h) * std::cos(th - std::atan2(r.h, r.bR));
    for (int i = 0; i < p.link; i++) w[r.R(i)] = r.right.l[i] * std::cos(q[r.R(i)]);
  }
  return w;
}

MatrixXd rows(const ClosedRobot& r, std::initializer_list<int> which, double left = 1.0) {
  MatrixXd W(r.size(), which.size());
  int k = 0;
  for (const int i : which) W.col(k++) = height_row(r, VectorXd::Zero(r.size()), points[i], left);
  return W;
}

// The signs against the robot of the program, in a bent and turned pose.
TEST(SoftContactErrata, E19_rows_are_the_velocities_of_the_points) {
  const sim::Scenario s = text::parse_scenario(
      "[robot]\nkind = \"soft-robot\"\ny0 = 0.7\nturn0 = 0.25\nvy0 = -0.02\nspin0 = 0.15\n[robot.left]\ntheta0 = [0.2, "
      "-0.3]\n"
      "rate0 = [-0.1, 0.2]\n[robot.right]\ntheta0 = [-0.1, 0.4]\nrate0 = [0.1, -0.25]\n[gravity]\nkind = \"none\"\n",
      "file");
  const auto seen = observe(sim::make_world(s));
  const ClosedRobot r = even_robot();
  const VectorXd q = vector({-0.3, 0.2, 0.0, 0.7, 0.25, -0.1, 0.4}),
                 v = vector({0.2, -0.1, 0, -0.02, 0.15, 0.1, -0.25});
  for (const Point& p : points) {
    const std::string body = p.link == 0 ? "hub" : (p.side < 0 ? "L" : "R") + std::to_string(p.link);
    const std::string shape = p.link > 0 ? "tip" : p.side < 0 ? "L0" : "R0";
    for (std::size_t b = 0; b < s.plan.bodies.size(); b++) {
      if (s.plan.bodies[b].name != body) continue;
      for (const ShapePlan& one : s.plan.bodies[b].shapes) {
        if (one.name != shape) continue;
        const BodyMotion<double>& m = seen.bodies[b];
        const Vec3d at = m.X_WB.p + m.X_WB.R * one.position;
        const double rate = (m.v_WC + cross(m.w_WB, at - m.p_WC))[2];
        EXPECT_NEAR(height_row(r, q, p).dot(v), rate, 1e-12) << body;
        if (p.side < 0) {
          EXPECT_GT(std::abs(height_row(r, q, p, -1.0).dot(v) - rate), 1e-2) << body;
        }
      }
    }
  }
}

double condition(const MatrixXd& A) {
  const VectorXd s = Eigen::JacobiSVD<MatrixXd>(A).singularValues();
  return s[0] / s[s.size() - 1];
}

// E19, E20. With the printed signs Newton's method converges slowly, and not at all once all six points are
// closed: the reason for the thesis' remark on the number of iterations. With the right ones it needs a single step.
TEST(SoftContactErrata, E19_printed_jacobian_is_singular_with_all_points_closed) {
  const ClosedRobot r = even_robot();
  const MatrixXd inverse = r.mass(VectorXd::Zero(7)).inverse();
  const auto jacobian = [&](std::initializer_list<int> which, double left) -> MatrixXd {
    const MatrixXd W = rows(r, which, left);
    return W.transpose() * inverse * W;
  };
  const auto contraction = [&](std::initializer_list<int> which) {
    const MatrixXd J = jacobian(which, -1.0), G = jacobian(which, 1.0);
    return (MatrixXd::Identity(J.rows(), J.rows()) - J.inverse() * G).eigenvalues().cwiseAbs().maxCoeff();
  };
  EXPECT_NEAR(condition(jacobian({0, 5}, 1.0)), 1.0010461, 1e-6);
  EXPECT_NEAR(condition(jacobian({0, 5}, -1.0)), 1.07968384, 1e-6);
  EXPECT_NEAR(contraction({0, 5}), 0.0721648343, 1e-7);
  EXPECT_NEAR(condition(jacobian({0, 1, 4, 5}, 1.0)), 7.91850835, 1e-5);
  EXPECT_NEAR(condition(jacobian({0, 1, 4, 5}, -1.0)), 8.36578828, 1e-5);
  EXPECT_NEAR(contraction({0, 1, 4, 5}), 0.562688431, 1e-6);
  EXPECT_NEAR(condition(jacobian({0, 1, 2, 3, 4, 5}, 1.0)), 30.7029797, 1e-4);
  EXPECT_GT(condition(jacobian({0, 1, 2, 3, 4, 5}, -1.0)), 1e15);
}

// Static reactions of the flat robot (reference values): they balance its weight, and the hub does not turn. With E19's signs it would.
TEST(SoftContactErrata, E19_reactions_of_the_flat_robot_do_not_turn_its_hub) {
  ClosedRobot r = even_robot();
  r.g = 1e-3;
  const VectorXd N =
      vector({0.000218391136, 0.000949764543, 0.00287079114, 0.00287079114, 0.000949764543, 0.000218391136});
  const VectorXd weight = r.gravity(VectorXd::Zero(7));
  EXPECT_LT((rows(r, {0, 1, 2, 3, 4, 5}) * N + weight).norm(), 1e-11);
  EXPECT_GT(std::abs((rows(r, {0, 1, 2, 3, 4, 5}, -1.0) * N + weight)[r.hub()]), 1e-4);
}

// E17: the left limb's lengths in the right limb. Mass matrix, unequal limbs.
TEST(SoftContactErrata, E17_lengths_of_the_other_limb_make_another_robot) {
  ClosedRobot r = even_robot();
  robots::Sheet sheet;
  sheet.n = 2, sheet.length = 1.5, sheet.form.kind = robots::PlanformKind::Rectangle, sheet.form.w0 = 0.3;
  r.right = ClosedChain(links_of(sheet));
  r.mh = 4.0, r.Ih = 0.06, r.bL = 0.12, r.bR = 0.20, r.h = 0.08;
  const VectorXd q = vector({-0.3, 0.2, 0.5, 0.7, 0.25, -0.1, 0.4});
  EXPECT_NEAR(r.mass(q)(5, 5), 0.428625307, 1e-9);
  r.right.l = r.left.l;
  EXPECT_GT(std::abs(r.mass(q)(5, 5) - 0.428625307), 0.05);
}

// ---- E10: gravity frozen over a step of Runge-Kutta, figures 2.7 to 2.9

struct Swing {
  double rate = 0.0, off = 0.0;  // largest energy rate; and off the prediction -(h/2) sum of g a sin(th) th'^2 [W]
};
Swing swing(double dt, bool frozen) {
  ClosedLimb one = limb();
  one.g = 1e-3;
  ClosedLimb weightless = one;
  weightless.g = 0.0;
  const VectorXd a = one.chain.a();
  VectorXd q = vector({0.1, 0.15, 0.2}), v = VectorXd::Constant(3, 0.01);
  const auto energy = [&] { return one.kinetic(q, v) + one.elastic(q) + one.potential(q); };
  Swing most;
  for (int k = 0; k < int(std::lround(100.0 / dt)); k++) {
    const VectorXd load = -one.g * (a.array() * q.array().cos()).matrix();
    const auto f = [&](const VectorXd& at, const VectorXd& rate) -> VectorXd {
      if (!frozen) return one.acceleration(at, rate, VectorXd::Zero(3));
      return weightless.acceleration(at, rate, VectorXd::Zero(3)) + one.mass(at).partialPivLu().solve(load);
    };
    const double before = energy();
    double expected = 0.0;
    for (int i = 0; i < 3; i++) expected -= 0.5 * dt * one.g * a[i] * std::sin(q[i]) * v[i] * v[i];
    rk4_step(f, dt, q, v);
    const double rate = (energy() - before) / dt;
    most.rate = std::max(most.rate, std::abs(rate)), most.off = std::max(most.off, std::abs(rate - expected));
  }
  return most;
}

TEST(SoftContactErrata, E10_frozen_gravity_has_an_energy_error_of_first_order) {
  const double known[][3] = {{0.04, 1.20881565e-8, 5.31783689e-11},
                             {0.02, 6.0373922e-9, 1.32762036e-11},
                             {0.01, 3.01702182e-9, 3.3162954e-12}};
  double last = 0.0;
  for (const auto& [dt, rate, off] : known) {
    const Swing s = swing(dt, true);
    EXPECT_NEAR(s.rate, rate, 0.02 * rate) << dt;
    EXPECT_NEAR(s.off, off, 0.02 * off) << dt;
    EXPECT_LT(s.off, 0.01 * s.rate) << dt;  // and the rate is the predicted one, to 1 % of its maximum
    if (last > 0.0) {
      EXPECT_NEAR(last / s.rate, 2.0, 0.02);
    }
    last = s.rate;
  }
  EXPECT_LT(swing(0.04, false).rate, 1e-3 * swing(0.04, true).rate);
}

// Our own stepper evaluates gravity in every stage: its energy rate is far below the frozen one.
TEST(SoftContactErrata, E10_our_steps_have_none_of_it) {
  World<double> world = sim::make_world(text::parse_scenario(
      "[robot]\nkind = \"soft-limb\"\ntheta0 = [0.1, 0.15, 0.2]\nrate0 = [0.01, 0.01, 0.01]\n[gravity]\ng = [0, 0, "
      "-1e-3]\n[integrator]\nmethod = \"rk4\"\n",
      "file"));
  double last = observe(world).balance_error, most = 0.0;
  for (int k = 0; k < 2500; k++) {
    world.step(0.04);
    const double now = observe(world).balance_error;
    most = std::max(most, std::abs(now - last) / 0.04), last = now;
  }
  EXPECT_LT(most, 1e-3 * 1.20881565e-8);
}

}  // namespace softbot_contact_test
}  // namespace sinew
