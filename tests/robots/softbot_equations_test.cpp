// The tree of links against the closed equations of docs/theory/softbot.md: mass matrix, velocity terms and accelerations,
// mapped to the coordinates of that page; reference values of single states; faults of the printed derivation.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "sinew/dynamics/inverse.h"
#include "sinew/dynamics/mass.h"
#include "sinew/sim/scenario.h"
#include "sinew/step/smooth.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"
#include "tests/support/derivative.h"
#include "tests/support/dice.h"
#include "tests/support/softbot.h"

namespace sinew {
namespace softbot_equations_test {

using namespace support;

// q of that page = S times the joints' coordinates, in the order of the tree: a constant matrix.
MatrixXd limb_map(int n) {
  MatrixXd S = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) S(i, k) = 1.0;
  return S;
}
MatrixXd robot_map(int nL, int nR) {  // joints: x, y, th_h, L1 .. Ln, R1 .. Rn
  MatrixXd S = MatrixXd::Zero(nL + nR + 3, nL + nR + 3);
  for (int i = 0; i < 3; i++) S(nL + i, i) = 1.0;
  for (int i = 0; i < nL; i++) {
    S(nL - 1 - i, 2) = -1.0;
    for (int k = 0; k <= i; k++) S(nL - 1 - i, 3 + k) = 1.0;
  }
  for (int i = 0; i < nR; i++) {
    S(nL + 3 + i, 2) = 1.0;
    for (int k = 0; k <= i; k++) S(nL + 3 + i, 3 + nL + k) = 1.0;
  }
  return S;
}

// Our tree, asked in the coordinates of that page.
struct Tree {
  World<double> world;
  MatrixXd S;
  explicit Tree(const std::string& robot, MatrixXd map, double g = 0.0)
      : world(sim::make_world(text::parse_scenario("[robot]\n" + robot + "\n[gravity]\ng = [0.0, 0.0, " +
                                                       std::to_string(-g) + "]\n[integrator]\nmethod = \"rk4\"\n",
                                                   "file"))),
        S(std::move(map)) {}
  void put(const VectorXd& q, const VectorXd& v) {
    const VectorXd ours = S.partialPivLu().solve(q), rate = S.partialPivLu().solve(v);
    for (int i = 0; i < q.size(); i++) world.state.q[i] = ours[i], world.state.u[i] = rate[i];
  }
  Frames<double> frames() const {
    Prescribed<double> driven(world.model());
    Frames<double> f(world.model());
    evaluate_frames(world.model(), world.params, world.state.q.data(), world.state.u.data(), driven, f);
    return f;
  }
  MatrixXd mass() const {
    const int n = world.model().nu;
    MassWork<double> work(world.model());
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(n, n);
    mass_matrix(world.model(), world.params, frames(), work, M.data());
    const MatrixXd back = S.inverse();
    return back.transpose() * M * back;
  }
  // What the joints must give to keep all rates: velocity terms, and minus gravity.
  VectorXd bias() const {
    const int n = world.model().nu;
    InverseWork<double> work(world.model());
    const std::vector<double> none(n, 0.0);
    VectorXd h(n);
    inverse_dynamics(world.model(), world.params, frames(), {none.data()}, work, h.data());
    return S.inverse().transpose() * h;
  }
  VectorXd acceleration() const {
    Workspace<double> ws(world.model());
    accelerations(world.model(), world.params, world.input, {0.0, world.state.q.data(), world.state.u.data()}, ws);
    return S * Eigen::Map<const VectorXd>(ws.u_rate.data(), world.model().nu);
  }
};

robots::Sheet petal(int n, double zeta = 0.0) {
  robots::Sheet s;
  s.n = n, s.zeta = zeta;
  return s;
}
VectorXd random(Dice& dice, int n, double most) {
  VectorXd v(n);
  for (double& x : v) x = dice.between(-most, most);
  return v;
}
void expect_near(const VectorXd& a, const VectorXd& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (int i = 0; i < a.size(); i++) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}
void expect_equal_matrices(const MatrixXd& a, const MatrixXd& b, double tolerance) {
  expect_near(a.reshaped(), b.reshaped(), tolerance);
}

TEST(SoftLimb, single_state_has_the_reference_values) {
  ClosedLimb closed{ClosedChain(links_of(petal(3, 0.4))), 1e-3};
  Tree tree("kind = \"soft-limb\"\nn = 3\nzeta = 0.4", limb_map(3), 1e-3);
  const VectorXd q = vector({0.1, 0.2, 0.3}), v = vector({0.1, -0.2, 0.3});
  tree.put(q, v);
  MatrixXd M(3, 3);
  M << 0.512606612, 0.308684964, 0.053018303, 0.308684964, 0.263311110, 0.053826376, 0.053018303, 0.053826376,
      0.027048559;
  expect_equal_matrices(tree.mass(), M, 5e-10);
  expect_near(closed.bias(q, v), vector({-0.00220613296, -0.000176340612, 0.00032349949}), 5e-12);
  const VectorXd gravity = -1e-3 * (closed.chain.a().array() * q.array().cos()).matrix();
  expect_near(tree.bias() + gravity, closed.bias(q, v), 1e-12);
  expect_near(tree.acceleration(), vector({-0.142273447, 0.313093584, -0.54503554}), 5e-9);
  tree.world.input.torque = {1e-3, 2e-3, -1e-3};
  expect_near(tree.acceleration(), vector({-0.180577427, 0.394865613, -0.669651419}), 5e-9);
  expect_near(tree.acceleration(), closed.acceleration(q, v, vector({1e-3, 2e-3, -1e-3})), 1e-12);
  const auto seen = observe(tree.world);
  EXPECT_NEAR(seen.energy.kinetic, 0.00123370769, 5e-12);
  EXPECT_NEAR(seen.energy.elastic, 6.97876706e-05, 5e-14);
  EXPECT_NEAR(seen.energy.potential, 0.000219488651, 5e-13);
}

TEST(SoftLimb, tree_is_the_closed_form_in_any_state) {
  Dice dice(3);
  for (int n = 1; n <= 12; n++) {
    ClosedLimb closed{ClosedChain(links_of(petal(n, 0.4))), 1e-3};
    Tree tree("kind = \"soft-limb\"\nzeta = 0.4\nn = " + std::to_string(n), limb_map(n), 1e-3);
    for (int trial = 0; trial < 20; trial++) {
      const VectorXd q = random(dice, n, 3.0), v = random(dice, n, 0.5);
      tree.put(q, v);
      expect_equal_matrices(tree.mass(), closed.mass(q), 1e-12);
      const VectorXd gravity = -1e-3 * (closed.chain.a().array() * q.array().cos()).matrix();
      expect_near(tree.bias() + gravity, closed.bias(q, v), 1e-12);
      const VectorXd a = tree.acceleration();
      const VectorXd forces = closed.mass(q) * (a - closed.acceleration(q, v, VectorXd::Zero(n)));
      expect_near(forces, VectorXd::Zero(n), 1e-12);  // as forces: light tips turn round-off into large accelerations
    }
  }
}

const std::string unit_robot = R"(kind = "soft-robot"
hub_mass = 4.0
hub_inertia = 0.06
bL = 0.12
bR = 0.20
h = 0.08
[robot.right]
planform = "rectangle"
length = 1.5
w0 = 0.3
)";
ClosedRobot unit_closed(double g) {
  ClosedRobot r;
  robots::Sheet right = petal(2);
  right.form.kind = robots::PlanformKind::Rectangle, right.form.w0 = 0.3, right.length = 1.5;
  r.left = ClosedChain(links_of(petal(2))), r.right = ClosedChain(links_of(right));
  r.mh = 4.0, r.Ih = 0.06, r.bL = 0.12, r.bR = 0.2, r.h = 0.08, r.g = g;
  return r;
}

TEST(SoftRobot, single_state_has_the_reference_values) {
  const VectorXd q = vector({-0.3, 0.2, 0.5, 0.7, 0.25, -0.1, 0.4}),
                 v = vector({0.2, -0.1, 0.03, -0.02, 0.15, 0.1, -0.25});
  MatrixXd M(7, 7);
  M << 0.088448762, 0.155241564, -0.058085094, 0.187773319, -0.024342646, 0, 0,  //
      0.155241564, 0.826897165, 0.208869036, 1.030383300, -0.077017402, 0, 0,    //
      -0.058085094, 0.208869036, 6.681946810, 0, 0.197018166, 0.064186647, -0.083457218, 0.187773319, 1.030383300, 0,
      6.681946810, 0.095642758, 0.639725491, 0.197394884,  //
      -0.024342646, -0.077017402, 0.197018166, 0.095642758, 0.145045294, 0.138428537, 0.039819083, 0, 0, 0.064186647,
      0.639725491, 0.138428537, 0.428625307, 0.141057685,  //
      0, 0, -0.083457218, 0.197394884, 0.039819083, 0.141057685, 0.107156557;
  const VectorXd H = vector({-0.00052126051, 0.00633107233, -0.00307163143, 9.34124533e-05, 0.000385021183,
                             -0.00472121434, 0.00129615151}),
                 a = vector({0.0540302833, -0.0295319666, 0.00247413091, -0.000166249709, -0.0806210736, 0.0717036413,
                             -0.0854052846});
  Tree tree(unit_robot, robot_map(2, 2));
  tree.put(q, v);
  expect_equal_matrices(tree.mass(), M, 5e-9);  // nine significant digits, of numbers up to 6.7
  expect_near(tree.bias(), H, 1e-11);
  expect_near(tree.acceleration(), a, 1e-10);
  const auto seen = observe(tree.world);
  EXPECT_NEAR(seen.momentum.linear[0], 0.224790176, 5e-10);
  EXPECT_NEAR(seen.momentum.linear[2], -0.170152361, 5e-10);
  EXPECT_NEAR(-seen.momentum.angular[1], -0.12110274, 5e-9);
  EXPECT_NEAR(seen.com.p[0], 0.457288871, 5e-10);
  EXPECT_NEAR(seen.com.p[2], 0.695964701, 5e-10);
  EXPECT_NEAR(seen.energy.kinetic, 0.0132073973, 5e-11);
  EXPECT_NEAR(seen.energy.elastic, 0.00133389649, 5e-12);
  Tree falling(unit_robot, robot_map(2, 2), 1e-3);  // only the height feels it, by -g exactly
  falling.put(q, v);
  VectorXd lower = tree.acceleration();
  lower[3] -= 1e-3;
  expect_near(falling.acceleration(), lower, 1e-14);
  EXPECT_NEAR(observe(falling.world).energy.potential, 0.00465039912, 5e-12);
}

TEST(SoftRobot, tree_is_the_closed_form_in_any_state) {
  Dice dice(4);
  for (const auto& [nL, nR] : {std::pair(2, 2), std::pair(1, 3), std::pair(4, 1), std::pair(5, 6)}) {
    ClosedRobot closed;
    robots::Sheet right = petal(nR, 0.2);
    right.form.kind = robots::PlanformKind::Diamond, right.form.sm = 0.5, right.length = 1.5, right.thickness = 3e-3;
    closed.left = ClosedChain(links_of(petal(nL, 0.4))), closed.right = ClosedChain(links_of(right));
    closed.bL = 0.12, closed.bR = 0.2, closed.h = 0.08, closed.g = 1e-3;
    Tree tree(
        "kind = \"soft-robot\"\nbL = 0.12\nbR = 0.2\nh = 0.08\n[robot.left]\nzeta = 0.4\nn = " + std::to_string(nL) +
            "\n[robot.right]\nplanform = \"diamond\"\nzeta = 0.2\nlength = 1.5\nthickness = 3e-3\nn = " +
            std::to_string(nR),
        robot_map(nL, nR), 1e-3);
    for (int trial = 0; trial < 20; trial++) {
      const VectorXd q = random(dice, closed.size(), 3.0), v = random(dice, closed.size(), 0.5);
      tree.put(q, v);
      expect_equal_matrices(tree.mass(), closed.mass(q), 1e-12);
      expect_near(tree.bias() + closed.gravity(q), closed.bias(q, v), 1e-12);
      expect_near(closed.mass(q) * (tree.acceleration() - closed.acceleration(q, v)), VectorXd::Zero(closed.size()),
                  1e-12);
      const Eigen::Vector3d P = closed.momenta(q, v);
      const auto seen = observe(tree.world);
      EXPECT_NEAR(seen.momentum.linear[0], P[0], 1e-12);
      EXPECT_NEAR(seen.momentum.linear[2], P[1], 1e-12);
      EXPECT_NEAR(-seen.momentum.angular[1], P[2], 1e-12);
    }
  }
}

// Test 9: 1000 random states, all n up to 12.
TEST(SoftRobot, mass_matrix_is_positive_definite) {
  Dice dice(5);
  for (int trial = 0; trial < 1000; trial++) {
    ClosedRobot r;
    r.left = ClosedChain(links_of(petal(1 + trial % 12))), r.right = ClosedChain(links_of(petal(1 + trial / 12 % 12)));
    const MatrixXd M = r.mass(random(dice, r.size(), 3.2));
    ASSERT_EQ((M - M.transpose()).norm(), 0.0);
    ASSERT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(M).eigenvalues()[0], 0.0);
  }
}

TEST(SoftRobot, frequencies_of_the_flat_free_robot) {
  ClosedRobot r;
  r.left = r.right = ClosedChain(links_of(petal(2)));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solved(r.stiffness(), r.mass(VectorXd::Zero(7)));
  const double expected[] = {0.0628925787, 0.251756446, 0.315286785, 0.41641959};
  for (int i = 0; i < 3; i++) EXPECT_NEAR(solved.eigenvalues()[i], 0.0, 1e-14);
  for (int i = 0; i < 4; i++) EXPECT_NEAR(std::sqrt(solved.eigenvalues()[3 + i]), expected[i], 1e-9);
}

// E1: eigenvalues of the printed matrix of the flat petal.
TEST(SoftLimbErrata, printed_mass_matrix_is_indefinite) {
  const ClosedChain chain(links_of(petal(3)));
  const VectorXd w = Eigen::SelfAdjointEigenSolver<MatrixXd>(chain.mu(Fault::Diagonal)).eigenvalues();
  EXPECT_NEAR(w[0], -0.2258, 5e-5);
  EXPECT_NEAR(w[1], 0.0118, 5e-5);
  EXPECT_NEAR(w[2], 0.4108, 5e-5);
}

// E2, E3: what the printed signs would do to the limb, in watts; the correct terms do none.
TEST(SoftLimbErrata, printed_signs_do_work_that_nobody_does) {
  const VectorXd q = vector({0.1, 0.6, -0.4}), v = vector({0.3, -0.2, 0.5});
  ClosedLimb limb{ClosedChain(links_of(petal(3)))};
  const auto gain = [&](const ClosedLimb& l) {  // d/dt (T + V) along the motion
    const VectorXd a = l.acceleration(q, v, VectorXd::Zero(3));
    return derivative([&](double s) {
      const VectorXd there = q + s * v + 0.5 * s * s * a, rate = v + s * a;
      return limb.kinetic(there, rate) + limb.elastic(there);
    });
  };
  EXPECT_NEAR(gain(limb), 0.0, 1e-11);
  limb.fault = Fault::CoriolisSign;
  ClosedLimb faulty = limb;
  limb.fault = Fault::None;
  EXPECT_GT(std::abs(gain(faulty)), 1e-3);
  // all links turning as one: nothing is strained between them, so only the root's damper acts
  ClosedLimb damped{ClosedChain(links_of(petal(3, 0.4)))};
  const VectorXd together = VectorXd::Ones(3);
  EXPECT_NEAR(together.dot(damped.chain.tridiagonal(damped.chain.c) * together), damped.chain.c[0], 1e-15);
  EXPECT_GT(together.dot(damped.chain.tridiagonal(damped.chain.c, 1.0) * together), 2 * damped.chain.c[0]);
}

// E18, E21: against the tree.
TEST(SoftRobotErrata, gravity_of_outer_links_only_and_roots_counted_twice_are_wrong) {
  const VectorXd q = vector({-0.3, 0.2, 0.5, 0.7, 0.25, -0.1, 0.4}), v = VectorXd::Zero(7);
  Tree tree(unit_robot, robot_map(2, 2), 1e-3);
  tree.put(q, v);
  ClosedRobot closed = unit_closed(1e-3);
  expect_near(tree.acceleration(), closed.acceleration(q, v), 1e-12);
  closed.fault = Fault::GravityOfOuter;
  EXPECT_GT((tree.acceleration() - closed.acceleration(q, v)).norm(), 1e-6);
  closed.fault = Fault::None;
  VectorXd u = vector({1e-3, -2e-3, 3e-3, 4e-3});  // L2, L1, R1, R2
  tree.world.input.torque = {0, 0, 0, u[1], u[0], u[2], u[3]};
  const VectorXd pushed = tree.acceleration() - closed.acceleration(q, v);
  expect_near(closed.mass(q) * pushed, closed.moments() * u, 1e-12);
  closed.fault = Fault::RootTwice;
  EXPECT_GT((closed.mass(q) * pushed - closed.moments() * u).norm(), 1e-3);
}

}  // namespace softbot_equations_test
}  // namespace sinew
