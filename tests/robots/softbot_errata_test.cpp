// Errata of Tambornini 2020 that are slips, claims in words or things left out (docs/theory/softbot.md#errata: E5, E7, E20, E23, E24,
// E25). What is right is computed another way, by derivatives of energies and places; what is printed must be seen to differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <Eigen/LU>

#include "sinew/control/properties.h"
#include "sinew/parts/law/electroadhesion.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "sinew/text/show.h"
#include "tests/support/derivative.h"
#include "tests/support/softbot.h"

namespace sinew {
namespace softbot_errata_test {

using namespace support;

template <class F>
VectorXd gradient(const F& f, const VectorXd& q) {
  VectorXd out(q.size());
  for (int i = 0; i < q.size(); i++)
    out[i] = derivative([&](double s) { return f(VectorXd(q + s * VectorXd::Unit(q.size(), i))); });
  return out;
}

// ---- E5

// I_i for I_s: row s needs the inertia of its own link. T by the places of the links, not by any mass matrix.
TEST(SoftErrata, E5_a_row_has_the_inertia_of_its_own_link) {
  const ClosedLimb one = limb();
  const ClosedChain& c = one.chain;
  const VectorXd q = vector({0.1, 0.6, -0.4}), v = vector({0.3, -0.2, 0.5});
  double T = 0.0;
  for (int i = 0; i < 3; i++) {
    const auto place = [&](double s) -> Eigen::Vector2d {
      Eigen::Vector2d p(0, 0);
      for (int k = 0; k <= i; k++) {
        const double angle = q[k] + s * v[k];
        p += (k < i ? c.l[k] : c.lc[k]) * Eigen::Vector2d(std::cos(angle), std::sin(angle));
      }
      return p;
    };
    T += 0.5 * c.m[i] * derivative(place).squaredNorm() + 0.5 * c.I[i] * v[i] * v[i];
  }
  EXPECT_NEAR(one.kinetic(q, v), T, 1e-12);
  ClosedLimb printed = one;  // i runs, s is meant: another link's inertia
  std::rotate(printed.chain.I.begin(), printed.chain.I.begin() + 1, printed.chain.I.end());
  EXPECT_GT(std::abs(printed.kinetic(q, v) - T), 1e-4);
}

// m_i for m_s in the partial derivative of the potential of gravity.
TEST(SoftErrata, E5_gravity_takes_the_mass_of_its_own_link) {
  ClosedLimb one = limb();
  one.g = 1e-3;
  const ClosedChain& c = one.chain;
  const VectorXd q = vector({0.1, 0.6, -0.4});
  const auto height_times_weight = [&](const VectorXd& at) {
    double V = 0.0, y = 0.0;
    for (int i = 0; i < 3; y += c.l[i] * std::sin(at[i]), i++) V += c.m[i] * one.g * (y + c.lc[i] * std::sin(at[i]));
    return V;
  };
  const VectorXd right = gradient(height_times_weight, q);
  const auto moments = [&](int shift) {
    VectorXd Q(3);
    for (int s = 0; s < 3; s++) {
      double outer = 0.0;
      for (int k = s + 1; k < 3; k++) outer += c.m[k];
      Q[s] = one.g * std::cos(q[s]) * (c.m[(s + shift) % 3] * c.lc[s] + c.l[s] * outer);
    }
    return Q;
  };
  EXPECT_LT((moments(0) - right).norm(), 1e-13);
  EXPECT_GT((moments(1) - right).norm(), 1e-5);
  EXPECT_LT((one.g * c.a().cwiseProduct(q.array().cos().matrix()) - right).norm(), 1e-13);
}

// Printed: dV/dq' = C q' and dD/dq = C q. The potential has no rates in it and the dissipation no angles.
TEST(SoftErrata, E5_dampers_come_from_the_dissipation_by_the_rates) {
  const ClosedLimb one = limb(0.4);
  const ClosedChain& c = one.chain;
  const MatrixXd C = c.tridiagonal(c.c);
  const VectorXd q = vector({0.1, 0.6, -0.4}), v = vector({0.3, -0.2, 0.5});
  const auto dissipation = [&](const VectorXd&, const VectorXd& rate) {
    double D = 0.0;
    for (int i = 0; i < 3; i++) D += 0.5 * c.c[i] * std::pow(rate[i] - (i > 0 ? rate[i - 1] : 0.0), 2);
    return D;
  };
  EXPECT_LT((gradient([&](const VectorXd& x) { return dissipation(q, x); }, v) - C * v).norm(), 1e-13);
  EXPECT_EQ(gradient([&](const VectorXd& x) { return dissipation(x, v); }, q).norm(), 0.0);
  EXPECT_GT((C * q).norm(), 1e-3);  // what is printed for it
  // and the limb's own accelerations have C q', not C q: at rest dampers do nothing
  const ClosedLimb undamped = limb();
  const VectorXd rest = VectorXd::Zero(3), none = VectorXd::Zero(3);
  EXPECT_LT((one.acceleration(q, rest, none) - undamped.acceleration(q, rest, none)).norm(), 1e-15);
  const VectorXd pull = one.mass(q) * (one.acceleration(q, v, none) - undamped.acceleration(q, v, none));
  EXPECT_LT((pull + C * v).norm(), 1e-13);
}

// The sign of dV_N/dth_s changes between two lines. Contacts push: the reactions that carry a flat limb's weight are positive.
TEST(SoftErrata, E5_contacts_push_up) {
  ClosedLimb one = limb();
  one.g = 1e-3;
  const ClosedChain& c = one.chain;
  MatrixXd W = MatrixXd::Zero(3, 3);  // dy_i/dth_s of the flat limb
  for (int i = 0; i < 3; i++)
    for (int s = 0; s <= i; s++) W(s, i) = c.l[s];
  const VectorXd weight = one.g * c.a(), N = W.partialPivLu().solve(weight);  // Q = W N = weight
  for (int i = 0; i < 3; i++) EXPECT_GT(N[i], 1e-5) << i;
  const VectorXd printed = (-W).partialPivLu().solve(weight);
  for (int i = 0; i < 3; i++) EXPECT_LT(printed[i], -1e-5) << i;
  EXPECT_LT(N.sum(), one.g * c.mass());  // the rest hangs on the pinned root
}

// ---- E7, E20: points of the robot

ClosedRobot robot() {
  ClosedRobot r;
  robots::Sheet sheet;
  sheet.n = 2;
  r.left = ClosedChain(links_of(sheet));
  sheet.length = 1.5, sheet.form.kind = robots::PlanformKind::Rectangle;
  r.right = ClosedChain(links_of(sheet));
  r.bL = 0.12, r.bR = 0.20, r.h = 0.08;
  return r;
}

// side -1: left; link 0: the root.
Eigen::Vector2d place(const ClosedRobot& r, const VectorXd& q, int side, int link) {
  const auto e = [](double angle) { return Eigen::Vector2d(std::cos(angle), std::sin(angle)); };
  const int x = r.left.n();
  Eigen::Vector2d p(q[x], q[x + 1]);
  const double th = q[r.hub()];
  if (side < 0)
    p -= std::hypot(r.bL, r.h) * e(th + std::atan2(r.h, r.bL));
  else
    p += std::hypot(r.bR, r.h) * e(th - std::atan2(r.h, r.bR));
  for (int i = 0; i < link; i++) {
    const double angle = side < 0 ? q[r.L(i)] : q[r.R(i)];
    p += (side < 0 ? r.left.l[i] : r.right.l[i]) * Eigen::Vector2d(side * std::cos(angle), std::sin(angle));
  }
  return p;
}
const VectorXd pose = vector({-0.3, 0.2, 0.5, 0.7, 0.25, -0.1, 0.4}),
               rates = vector({0.2, -0.1, 0.03, -0.02, 0.15, 0.1, -0.25});

// (2.18), (3.15): forces with a potential give back on the way back what they took. Friction takes on both ways.
TEST(SoftErrata, E7_friction_has_no_potential) {
  double lost[2];
  for (const int back : {0, 1}) {
    World<double> world = sim::make_world(text::parse_scenario(
        std::string("[robot]\nkind = \"soft-robot\"\ny0 = 0.1\nvx0 = ") + (back ? "-0.02" : "0.02") +
            "\n[gravity]\ng = [0, 0, -1e-3]\n[ground]\nkind = \"plane\"\n[contact]\nmu = 0.5\n",
        "file"));
    for (int k = 0; k < 1000; k++) world.step(0.01);
    lost[back] = world.state.work.friction;
    // v t - mu g t^2/2 along the motion, mu m g against it
    EXPECT_NEAR(std::abs(world.state.q[0]), 0.02 * 10.0 - 0.5 * 0.5e-3 * 100.0, 1e-9);
  }
  EXPECT_GT(lost[0], 1e-4);
  EXPECT_NEAR(lost[0], lost[1], 1e-12);  // a potential would give -lost[0]
}

// The normal force is none of the pose either: the same pose, pushed down by different weights, is held by different forces.
TEST(SoftErrata, E7_normal_forces_are_no_function_of_the_pose) {
  const auto N = [](double g) {
    ClosedLimb one = limb();
    one.g = g;
    MatrixXd W = MatrixXd::Zero(3, 3);
    for (int i = 0; i < 3; i++)
      for (int s = 0; s <= i; s++) W(s, i) = one.chain.l[s];
    return VectorXd(W.partialPivLu().solve(g * one.chain.a()));
  };
  EXPECT_GT((N(2e-3) - N(1e-3)).norm(), 1e-4);
}

// (3.15): the hub's row of the contact forces by virtual work, sum of N dy/dth_h. The printed sign for left contacts misses it.
TEST(SoftErrata, E7_hub_term_of_contacts_is_their_virtual_work) {
  const ClosedRobot r = robot();
  const double N[2][3] = {{0.3, 0.1, 0.7}, {0.2, 0.5, 0.4}};  // left, right; root, knee, tip
  const auto work = [&](const VectorXd& q) {
    double sum = 0.0;
    for (int i = 0; i <= 2; i++) sum += N[0][i] * place(r, q, -1, i)[1] + N[1][i] * place(r, q, 1, i)[1];
    return sum;
  };
  const double right = gradient(work, pose)[r.hub()], th = pose[r.hub()];
  const double left_arm = std::hypot(r.bL, r.h) * std::cos(th + std::atan2(r.h, r.bL)) * (0.3 + 0.1 + 0.7);
  const double right_arm = std::hypot(r.bR, r.h) * std::cos(th - std::atan2(r.h, r.bR)) * (0.2 + 0.5 + 0.4);
  EXPECT_NEAR(right, -left_arm + right_arm, 1e-12);
  EXPECT_GT(std::abs(right - (left_arm + right_arm)), 0.1);
  EXPECT_GT(std::abs(right - (left_arm - right_arm)), 0.1);
}

// (3.17): the hub's row of friction with the left forces on both sides; and E20: friction is -mu N sign(x') dx/dq with the places of the
// robot's points. Its power is never positive; what is printed does work on the robot.
TEST(SoftErrata, E20_friction_of_the_robot_is_opposed_to_every_slide) {
  const ClosedRobot r = robot();
  const double mu = 0.5;
  for (const int side : {-1, 1})
    for (int i = 0; i <= 2; i++) {
      const double N = side < 0 ? 0.3 : 0.7;
      const VectorXd row = gradient([&](const VectorXd& q) { return place(r, q, side, i)[0]; }, pose);
      const double slide = row.dot(rates), sign = slide > 0.0 ? 1.0 : -1.0;
      const VectorXd Q = -mu * N * sign * row;
      EXPECT_LT(Q.dot(rates), 0.0) << side << i;
      EXPECT_NEAR(Q.dot(rates), -mu * N * std::abs(slide), 1e-12);
      // along a limb +mu sign sin on the right, -mu sign sin on the left
      for (int s = 0; s < i; s++) {
        const double th = side < 0 ? pose[r.L(s)] : pose[r.R(s)], l = side < 0 ? r.left.l[s] : r.right.l[s];
        EXPECT_NEAR(Q[side < 0 ? r.L(s) : r.R(s)], side * mu * N * sign * l * std::sin(th), 1e-12);
      }
      EXPECT_NEAR(Q[r.hub() - 2], -mu * N * sign, 1e-12);  // dQ_x/dN without sign(x') pushes one way whatever the slide
      // E17, E20: places of the pinned limb have no x and no hub in them
      VectorXd pinned = row;
      pinned[r.hub() - 2] = pinned[r.hub()] = 0.0;
      EXPECT_GT(std::abs(pinned.dot(rates) - slide), 1e-3);
    }
  // (3.17): both arms of the hub with N_L
  const auto arm = [&](int side) {
    return gradient([&](const VectorXd& q) { return place(r, q, side, 0)[0]; }, pose)[r.hub()];
  };
  EXPECT_GT(std::abs((0.3 * arm(-1) + 0.7 * arm(1)) - 0.3 * (arm(-1) + arm(1))), 1e-2);
}

// ---- E23 to E25: words

// The overview promises averages of 3 to 16 N, and 0.1 N on grains. The table has less of both.
TEST(SoftErrata, E23_the_overview_promises_more_than_table_4_1_has) {
  double solid_least = 1e9, solid_most = 0.0, grain_mean = 0.0, grain_most = 0.0;
  for (const law::ElectroMaterial& m : law::electro_materials) {
    if (m.kind == law::SurfaceClass::Solid)
      solid_least = std::min(solid_least, m.mean), solid_most = std::max(solid_most, m.mean);
    if (m.kind == law::SurfaceClass::Granular)
      grain_mean = std::max(grain_mean, m.mean), grain_most = std::max(grain_most, m.high);
  }
  EXPECT_NEAR(solid_least, 3.1, 1e-12);
  EXPECT_NEAR(solid_most, 14.44, 1e-12);  // not 16
  EXPECT_NEAR(grain_mean, 0.058, 1e-12);
  EXPECT_NEAR(grain_most, 0.078, 1e-12);  // not 0.1
}

// The introduction has arms of a few centimetres. Bending goes with the cube of the thickness, weight with the thickness: such a limb
// sags by (2.54 mm / t)^2 of what figure 2.7 shows, and swings t / 2.54 mm times faster.
TEST(SoftErrata, E24_only_sheets_of_2_54_mm_sag_as_in_the_figures) {
  const auto steady = [](double t) {
    Plan plan =
        text::parse_scenario("[robot]\nkind = \"soft-limb\"\nthickness = " + std::to_string(t) +
                                 "\n[gravity]\ng = [0, 0, -1e-3]\n[integrator]\nmethod = \"rk4\"\nstep = 1e-3\n",
                             "file")
            .plan;
    const Compiled tree = compile(plan);
    const double slowest = frequencies_of({plan, tree})[0];
    EXPECT_TRUE(put_to_rest(tree, plan));
    return std::pair(plan.joints[0].position[0], slowest);
  };
  const auto [thin, slow] = steady(0.00254);
  const auto [thick, fast] = steady(0.03);
  EXPECT_NEAR(thin, -0.281863089, 1e-8);
  EXPECT_NEAR(slow, 0.0490460427, 1e-9);
  EXPECT_LT(std::abs(thick), 0.01 * std::abs(thin));
  EXPECT_NEAR(fast / slow, 0.03 / 0.00254, 0.01 * 0.03 / 0.00254);  // but for the inertia of the thickness itself
}

// What the thesis leaves out has to be chosen; a user can choose otherwise, and it matters.
TEST(SoftErrata, E25_whatever_the_thesis_does_not_state_is_a_key) {
  const auto keys = [](const std::string& text) { return text::show(text::parse_scenario(text, "file")); };
  const std::string limb = keys(
      "[robot]\nkind = \"soft-limb\"\n[ground]\nkind = \"plane\"\n[gait]\nkind = \"limb-arch\"\n[control]\nkind = "
      "\"lqr\"\njoints = [\"joint*\"]\nactuated = [\"joint1\", \"joint2\"]\nangles = \"link\"\n[integrator]\nmethod = "
      "\"rk4\"\nstep = 0.01\n");
  const std::string robot = keys("[robot]\nkind = \"soft-robot\"\n"), bench = keys("[robot]\nkind = \"shear-bench\"\n");
  const auto has = [](const std::string& text, const char* key) {
    return text.find(std::string("\n") + key + " = ") != text.npos;
  };
  for (const char* key : {"theta0", "rate0", "planform", "stiffness", "damping", "zeta", "mu_long", "activation_gap",
                          "lift", "period", "angle_weights", "rate_weights", "torque_weights"})
    EXPECT_TRUE(has(limb, key)) << key;
  for (const char* key : {"hub_mass", "hub_inertia", "bL", "bR", "h", "x0", "y0", "turn0", "vx0", "vy0", "spin0"})
    EXPECT_TRUE(has(robot, key)) << key;
  for (const char* key : {"pad_area", "pad_voltage", "ramp_time", "ramp_rate", "knee_lag"})
    EXPECT_TRUE(has(bench, key)) << key;
}

}  // namespace softbot_errata_test
}  // namespace sinew
