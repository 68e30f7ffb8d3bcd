// Controllers of soft robots against reference values (docs/theory/sources.md#reference-values).
#include "sinew/control/feedback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "sinew/control/balance.h"
#include "sinew/control/riccati.h"
#include "sinew/parts/device/actuator.h"
#include "sinew/sim/run.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/eigen.h"

namespace sinew {
namespace feedback_test {

using Eigen::MatrixXd;
using support::to_eigen;
using testing::HasSubstr;

sim::Scenario limb(int n, const std::string& control, const std::string& more = "") {
  return text::parse_scenario("[robot]\nkind = \"soft-limb\"\nn = " + std::to_string(n) +
                                  "\nzeta = 0.4\n[gravity]\ng = [0.0, 0.0, -1e-3]\n[control]\njoints = [\"joint*\"]\n" +
                                  control + "\n[integrator]\nmethod = \"rk4\"\nstep = 0.01\n" + more,
                              "limb.toml");
}

const char* lqr3 =
    "kind = \"lqr\"\nactuated = [\"joint1\", \"joint2\"]\nangles = \"link\"\nangle_weights = [1, 1, 0]\n"
    "rate_weights = [1, 1, 0]";

Feedback::Design design_of(const sim::Scenario& s) {
  return Feedback(sim::moving_plan(s), s.control_kind, s.feedback, s.step).design();
}

// Relative to the largest of all.
void expect_near(const std::vector<double>& values, const std::vector<double>& expected, double relative) {
  ASSERT_EQ(values.size(), expected.size());
  double largest = 0.0;
  for (const double x : expected) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < values.size(); i++) EXPECT_NEAR(values[i], expected[i], relative * largest) << i;
}

void expect_near_each(const std::vector<double>& values, const std::vector<double>& expected, double relative) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); i++)
    EXPECT_NEAR(values[i], expected[i], relative * std::abs(expected[i])) << i;
}

std::string refusal(const std::string& control, int n = 3) {
  try {
    limb(n, control);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(Lqr, gain_of_the_three_link_limb_is_the_published_one) {
  const Feedback::Design d = design_of(limb(3, lqr3));
  expect_near_each(d.gain,
                   {0.961782527, 0.233468925, 0.0220260261, 1.42927745, 0.513175943, 0.0515215555, -0.251376537,
                    0.949588565, 0.0130924593, -0.0921416627, 1.05666237, 0.0301780047},
                   1e-6);
  std::vector<double> poles = d.poles_re;
  std::ranges::reverse(poles);  // published from the fastest on
  expect_near_each(poles, {-34.1392361, -1.05617842, -1.05617842, -1.00007566, -0.16990366, -0.16990366}, 1e-6);
}

TEST(Lqr, gain_of_the_four_link_limb_is_the_published_one) {
  const Feedback::Design d =
      design_of(limb(4,
                     "kind = \"lqr\"\nactuated = [\"joint1\", \"joint2\", \"joint3\"]\nangles = \"link\"\n"
                     "angle_weights = [1, 1, 1, 0]\nrate_weights = [1, 1, 1, 0]"));
  expect_near_each(d.gain, {0.950895963,   0.269827914,  0.0745914959, 0.0310766413, 1.40084576,     0.655785491,
                            0.28185586,    0.0542800666, -0.285110422, 0.894095076,  0.305778084,    0.0234599805,
                            -0.0530560162, 1.10864125,   0.43976449,   0.0376416306, -0.00612121119, -0.338624379,
                            0.916653607,   0.0145369515, 0.0524820175, -0.268377933, 0.967810529,    0.0213858377},
                   1e-6);
}

TEST(Lqr, two_actuators_hold_six_links_in_the_published_pose) {
  const Feedback::Design d =
      design_of(limb(6,
                     "kind = \"lqr\"\nactuated = [\"joint1\", \"joint4\"]\nangles = \"link\"\nbalance = true\n"
                     "torque_weights = 10.0"));
  expect_near_each(d.held, {0.00326008784, 0.00194900456}, 1e-6);
  expect_near(d.held_at, {0.175306325, -0.0449788483, -0.133330868, 0.00858658905, -0.00313334236, -0.00537587794},
              1e-6);
  expect_near(d.gain, {0.449491281,   0.0213058595, 0.0488966372, 0.0871439068, 0.0389745794, 0.00235226062,
                       3.09889968,    2.67491656,   2.38694109,   1.83636641,   0.983937197,  0.182251107,
                       -0.0552781544, 0.0430138963, -0.105548334, 0.450594603,  0.0953178873, -0.0243873747,
                       0.158075153,   0.271073854,  0.224190844,  0.893504517,  0.599152047,  0.117668754},
              1e-6);
  EXPECT_NEAR(d.poles_re.front(), -0.0650725987, 1e-6 * 0.0650725987);
}

TEST(Lqr, six_links_sag_as_published) {
  Statics statics(limb(6, "kind = \"pd\"").plan);
  std::vector<double> q(6, 0.0);
  ASSERT_TRUE(find_rest(statics, Matrix(6, 1), q));
  for (int i = 1; i < 6; i++) q[i] += q[i - 1];
  expect_near(q, {-0.188766594, -0.387823992, -0.466383791, -0.496532252, -0.506777657, -0.508736228}, 1e-6);
}

TEST(Lqr, six_links_come_within_2_percent_of_their_pose_in_65_s) {
  sim::Scenario s = limb(6,
                         "kind = \"lqr\"\nactuated = [\"joint1\", \"joint4\"]\nangles = \"link\"\nbalance = true\n"
                         "torque_weights = 10.0",
                         "[output]\nat = [0.0, 60.0, 65.0]");
  const std::vector<double> sag{-0.188766594, -0.387823992, -0.466383791, -0.496532252, -0.506777657, -0.508736228};
  for (std::size_t i = 0; i < 6; i++) s.plan.joints[i].position = {i == 0 ? sag[0] : sag[i] - sag[i - 1]};
  s.duration = 65.0;
  const std::vector<double> pose{0.175306325,   -0.0449788483,  -0.133330868,
                                 0.00858658905, -0.00313334236, -0.00537587794};
  const sim::RunResult r = sim::run(s);
  const auto distance = [&](int at) {
    double sum = 0.0, theta = 0.0;
    for (std::size_t i = 0; i < 6; i++) {
      theta += r.snapshots[at]->q[i];
      sum += (theta - pose[i]) * (theta - pose[i]);
    }
    return std::sqrt(sum);
  };
  EXPECT_LT(distance(2), 0.02 * distance(0));
  EXPECT_GT(distance(1), 0.02 * distance(0));
}

sim::Scenario waver() {
  return text::parse_scenario(
      "duration = 60.0\n[robot]\nkind = \"soft-robot\"\n[robot.left]\ntheta0 = [-0.2, -0.3]\n[robot.right]\n"
      "theta0 = [0.2, 0.3]\n[gravity]\nkind = \"none\"\n[control]\nkind = \"lqr\"\njoints = [\"L*\", \"R*\"]\n"
      "torque_weights = 100.0\n[integrator]\nmethod = \"rk4\"\nstep = 0.01\n[output]\nat = [0.0, 5.0, 10.0, 20.0, "
      "40.0, 60.0]",
      "waver.toml");
}

TEST(ShapeLqr, gain_of_the_free_robot_is_the_published_one) {
  const Feedback::Design d = design_of(waver());
  expect_near(
      d.gain,
      {0.0963240629, -6.72898535e-05, -2.1979872e-08,  -3.26694182e-05, 0.272746155,     0.0406958543,    0.145879684,
       0.0295354588, 6.73083356e-05,  0.097121303,     3.26783913e-05,  -2.19738352e-08, 0.0410321118,    0.136915721,
       0.0297793395, 0.0057350119,    -2.19798736e-08, -3.26694182e-05, 0.0963240629,    -6.72898535e-05, 0.145879684,
       0.0295354588, 0.272746155,     0.0406958543,    3.26783913e-05,  -2.19738357e-08, 6.73083356e-05,  0.097121303,
       0.0297793395, 0.0057350119,    0.0410321118,    0.136915721},
      1e-6);
  std::vector<double> poles = d.poles_re;
  std::ranges::reverse(poles);
  expect_near_each(
      poles, {-4.90261873, -3.14546724, -1.39819686, -1.39819686, -1.06578459, -1.02936335, -0.233535655, -0.233535655},
      1e-6);
}

// 1e-6 relative, but the last two are all but zero: round-off of the published run
TEST(ShapeLqr, joints_of_the_waver_come_to_rest_as_published) {
  const sim::RunResult r = sim::run(waver());
  const double expected[] = {0.316227766,    0.00196659592,  0.000272651126,
                             5.75159444e-06, 2.84781549e-07, 1.01795068e-10};
  for (std::size_t i = 0; i < 6; i++) {
    double sum = 0.0;
    for (std::size_t j = 3; j < 7; j++) sum += r.snapshots[i]->q[j] * r.snapshots[i]->q[j];
    EXPECT_NEAR(std::sqrt(sum), expected[i], 1e-6 * expected[i] + 1e-10) << i;
  }
}

TEST(ShapeLqr, a_base_that_feels_gravity_is_refused_in_words) {
  sim::Scenario s = waver();
  s.plan.gravity.kind = GravityKind::Uniform;
  s.plan.gravity.g = Vec3d(0, 0, -1e-3);
  try {
    design_of(s);
    FAIL() << "a falling robot was taken for a free one";
  } catch (const PlanError& e) {
    EXPECT_THAT(e.what(), HasSubstr("joints that are not followed feel gravity"));
  }
}

// The limb with two actuators in the directions of its links: dr/dt = F r + G u, r = (theta, theta').
struct Limb3 {
  MatrixXd M, C, K, E;
  Limb3() {
    Statics statics(limb(3, "kind = \"pd\"").plan);
    const Linear linear = statics.about({0, 0, 0});
    MatrixXd back(3, 3);
    back << 1, 0, 0, -1, 1, 0, 0, -1, 1;
    M = back.transpose() * to_eigen(linear.M) * back, C = back.transpose() * to_eigen(linear.C) * back;
    K = back.transpose() * to_eigen(linear.K) * back, E = back.transpose().leftCols(2);
  }
  MatrixXd F() const {
    MatrixXd F = MatrixXd::Zero(6, 6);
    F.topRightCorner(3, 3).setIdentity();
    F.bottomLeftCorner(3, 3) = -M.inverse() * K, F.bottomRightCorner(3, 3) = -M.inverse() * C;
    return F;
  }
  MatrixXd G() const {
    MatrixXd G = MatrixXd::Zero(6, 2);
    G.bottomRows(3) = M.inverse() * E;
    return G;
  }
  // The thesis' form B r' + A r = p.
  MatrixXd A() const {
    MatrixXd A = MatrixXd::Zero(6, 6);
    A.topLeftCorner(3, 3) = K, A.bottomRightCorner(3, 3) = -M;
    return A;
  }
  MatrixXd B() const {
    MatrixXd B = MatrixXd::Zero(6, 6);
    B.topLeftCorner(3, 3) = C, B.topRightCorner(3, 3) = B.bottomLeftCorner(3, 3) = M;
    return B;
  }
};

double slowest(const MatrixXd& F) { return F.eigenvalues().real().maxCoeff(); }

// Erratum E8: the thesis prints M = +Kp e + Kd e', which pushes a link further away.
TEST(Errata, E8_feedback_must_be_opposed_to_the_error) {
  const Limb3 limb3;
  const Feedback::Design d = design_of(limb(
      3, "kind = \"pd\"\nactuated = [\"joint1\", \"joint2\"]\nangles = \"link\"\nangle_gain = 1.0\nrate_gain = 1.5"));
  const MatrixXd gain = Eigen::Map<const Eigen::Matrix<double, 2, 6, Eigen::RowMajor>>(d.gain.data());
  EXPECT_NEAR(slowest(limb3.F() - limb3.G() * gain), -0.149351346, 1e-6 * 0.149351346);
  EXPECT_GT(slowest(limb3.F() + limb3.G() * gain), 0.1);  // as printed
}

// The sign in the controller itself: ahead of its path, a link is pushed back.
TEST(Errata, E8_a_link_ahead_of_its_path_is_pushed_back) {
  const sim::Scenario s = limb(
      3, "kind = \"pd\"\nactuated = [\"joint1\", \"joint2\"]\nangles = \"link\"\nangle_gain = 2.0\nrate_gain = 3.0");
  Feedback controller(sim::moving_plan(s), s.control_kind, s.feedback, s.step);
  Readings readings;
  readings.q = {0.1, 0.0, 0.0};
  readings.u = {0.0, 0.0, 0.0};
  Input<double> input{std::vector<double>(3, 0.0), {}};
  controller.update(readings, {}, input);
  EXPECT_NEAR(input.torque[0], -0.2, 1e-15);
  EXPECT_NEAR(input.torque[1], -0.2, 1e-15);  // its link has turned along
  EXPECT_EQ(input.torque[2], 0.0);            // no actuator
}

// Erratum E9: (2.24) prints F = B^-1 A, (2.25) G = B^-1.
TEST(Errata, E9_F_is_minus_B_inverse_A) {
  const Limb3 limb3;
  EXPECT_LT((limb3.F() + limb3.B().inverse() * limb3.A()).norm(), 1e-9 * limb3.F().norm());
  const Matrix Q = Matrix::diagonal({1, 1, 0, 1, 1, 0}), R = Matrix::identity(2);
  const Matrix G = support::matrix_from_eigen(limb3.G());
  const Regulator printed = solve_riccati(support::matrix_from_eigen(limb3.B().inverse() * limb3.A()), G, Q, R);
  const Regulator right = solve_riccati(support::matrix_from_eigen(limb3.F()), G, Q, R);
  ASSERT_EQ(right.problem, "");
  EXPECT_NEAR(right.gain(0, 0), 0.961782527, 1e-6);
  EXPECT_TRUE(!printed.problem.empty() || norm(printed.gain - right.gain) > 0.1);
}

TEST(Errata, E9_torques_change_rates_and_never_angles_at_once) {
  const Limb3 limb3;
  MatrixXd input = MatrixXd::Zero(6, 2);
  input.topRows(3) = limb3.E;
  EXPECT_LT((limb3.B().inverse() * input - limb3.G()).norm(), 1e-9 * limb3.G().norm());
  EXPECT_EQ(limb3.G().topRows(3).norm(), 0.0);
  EXPECT_GT(limb3.B().inverse().topRows(3).norm(), 1.0);  // B^-1 alone would have inputs that move angles at once
}

TEST(Actuator, limit_lag_and_angle_act_one_after_the_other) {
  const Actuator weak{.limit = 2.0};
  EXPECT_EQ(weak.torque(5.0, 0.0, 0.0, 0.01), 2.0);
  EXPECT_EQ(weak.torque(-5.0, 0.0, 0.0, 0.01), -2.0);
  EXPECT_EQ(weak.torque(1.5, 9.0, 0.0, 0.01), 1.5);
  const Actuator slow{.limit = 2.0, .lag = 0.2};
  EXPECT_NEAR(slow.torque(5.0, 0.0, 1.0, 0.1), 2.0 + (1.0 - 2.0) * std::exp(-0.5), 1e-15);
  const Actuator bent{.limit = 2.0, .limit_angle = 0.5};
  EXPECT_NEAR(bent.torque(5.0, -0.2, 0.0, 0.01), 2.0 * (1.0 - 0.4), 1e-15);
  EXPECT_EQ(bent.torque(5.0, 0.7, 0.0, 0.01), 0.0);
}

TEST(Feedback, what_makes_no_sense_is_refused_in_words) {
  EXPECT_THAT(refusal("kind = \"pd\"\nactuated = [\"knee\"]"),
              HasSubstr("no joint that the controller follows is named"));
  EXPECT_THAT(refusal("kind = \"pd\"\nangle_gain = [1.0, 2.0]"), HasSubstr("2 values are given for 3 actuated axes"));
  EXPECT_THAT(refusal("kind = \"pd\"\nbalance = true"), HasSubstr("balance has no meaning for control.kind"));
  EXPECT_THAT(refusal("kind = \"lqr\"\nangle_gain = 3.0"), HasSubstr("angle_gain has no meaning for control.kind"));
  EXPECT_THAT(refusal("kind = \"pd\"\nactuator_limit_angle = 1.0"), HasSubstr("give a finite control.actuator_limit"));
  EXPECT_THAT(refusal("kind = \"lqr\"\nangle_weights = -1.0"), HasSubstr("angle_weights"));
}

}  // namespace feedback_test
}  // namespace sinew
