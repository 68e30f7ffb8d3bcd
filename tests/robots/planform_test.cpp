// From planform to links (docs/theory/softbot.md#from-planform-to-links), and what beam theory says about the chain.
#include "robots/softbot/planform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "sinew/sim/errors.h"
#include "sinew/sim/scenario.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/softbot.h"

namespace sinew::robots {
namespace planform_test {

using support::ClosedChain;
using support::MatrixXd;
using support::VectorXd;

Sheet sheet_of(PlanformKind kind, int n) {
  Sheet sheet;
  sheet.form.kind = kind;
  sheet.form.sm = usual_widest_place(kind);
  sheet.n = n;
  return sheet;
}

VectorXd frequencies(const Sheet& sheet) {
  const ClosedChain chain(links_of(sheet));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solved(chain.tridiagonal(chain.k), chain.mu());
  return solved.eigenvalues().cwiseSqrt();
}

// K th + g a cos(th) = 0 by Newton's method from the straight limb.
VectorXd sag(const Sheet& sheet, double g) {
  const ClosedChain chain(links_of(sheet));
  const MatrixXd K = chain.tridiagonal(chain.k);
  const VectorXd a = chain.a();
  VectorXd th = VectorXd::Zero(chain.n());
  for (int i = 0; i < 50; i++) {
    const VectorXd rest = K * th + g * (a.array() * th.array().cos()).matrix();
    MatrixXd slope = K;
    slope.diagonal() -= g * (a.array() * th.array().sin()).matrix();
    th -= slope.partialPivLu().solve(rest);
  }
  return th;
}
double tip_height(const Sheet& sheet, const VectorXd& th) {
  double y = 0.0;
  for (int i = 0; i < th.size(); i++) y += links_of(sheet)[i].l * std::sin(th[i]);
  return y;
}

struct Row {
  PlanformKind kind;
  int n;
  double mass, w1, w2, w3;
};
// Six digits printed.
constexpr Row known_rows[] = {{PlanformKind::Rectangle, 3, 1.8288, 0.0499949, 0.282214, 0.702746},
                              {PlanformKind::Rectangle, 7, 1.8288, 0.0520528, 0.318957, 0.875431},
                              {PlanformKind::Diamond, 3, 1.6002, 0.0517276, 0.299947, 0.754039},
                              {PlanformKind::Diamond, 7, 1.69351, 0.053737, 0.342015, 0.910158},
                              {PlanformKind::Petal, 3, 1.71654, 0.049046, 0.31818, 0.831023},
                              {PlanformKind::Petal, 7, 1.89117, 0.0438749, 0.335313, 0.964408}};

TEST(Planform, masses_and_frequencies_are_the_reference_values) {
  for (const Row& row : known_rows) {
    const Sheet sheet = sheet_of(row.kind, row.n);
    const VectorXd w = frequencies(sheet);
    EXPECT_NEAR(ClosedChain(links_of(sheet)).mass(), row.mass, 5e-6);
    EXPECT_NEAR(w[0], row.w1, 5e-7);
    EXPECT_NEAR(w[1], row.w2, 5e-7);
    EXPECT_NEAR(w[2], row.w3, 5e-7);
  }
}

// Trapezoids by numerical integration of mass, first and second moment over the link.
TEST(Planform, moments_of_a_link_are_integrals_over_its_width) {
  Sheet sheet = sheet_of(PlanformKind::Diamond, 3);
  sheet.thickness = 0.05;  // thick, so that the thickness shows
  for (const SheetLink& link : links_of(sheet)) {
    const int n = 2000;
    double m = 0, first = 0, second = 0, across = 0;
    for (int i = 0; i < n; i++) {
      const double s = link.l * (i + 0.5) / n, w = link.w_a + (link.w_b - link.w_a) * s / link.l,
                   dm = sheet.density * sheet.thickness * w * link.l / n;
      m += dm, first += dm * s, second += dm * s * s, across += dm * w * w / 12;
    }
    const double tt = sheet.thickness * sheet.thickness / 12, central = second - first * first / m;
    EXPECT_NEAR(link.m, m, 1e-6 * m);
    EXPECT_NEAR(link.lc, first / m, 1e-6);
    EXPECT_NEAR(link.I, central + m * tt, 1e-6 * link.I);
    EXPECT_NEAR(link.I_long, across + m * tt, 1e-6 * link.I_long);
    EXPECT_NEAR(link.I_normal, central + across, 1e-6 * link.I_normal);
  }
}

TEST(Planform, a_uniform_sheet_has_half_a_link_at_its_root) {
  const Sheet sheet = sheet_of(PlanformKind::Rectangle, 5);
  const double EI = sheet.E * 0.4 * std::pow(sheet.thickness, 3) / 12, l = sheet.length / 5;
  const auto links = links_of(sheet);
  EXPECT_NEAR(links[0].k, 2 * EI / l, 1e-15);
  for (int i = 1; i < 5; i++) EXPECT_NEAR(links[i].k, EI / l, 1e-15);
}

TEST(Planform, simple_rule_plate_and_given_numbers) {
  Sheet sheet = sheet_of(PlanformKind::Diamond, 3);
  const auto usual = links_of(sheet);
  sheet.nu = 0.5;
  EXPECT_NEAR(links_of(sheet)[1].k, usual[1].k / 0.75, 1e-15);
  sheet.nu = 0.0, sheet.stiffness = StiffnessRule::Simple;
  for (const SheetLink& s : links_of(sheet))
    EXPECT_NEAR(s.k, sheet.E * s.w_a * std::pow(sheet.thickness, 3) / (12 * s.l), 1e-15);
  sheet.damping = DampingRule::Material, sheet.tau_v = 3.0;
  for (const SheetLink& s : links_of(sheet)) EXPECT_EQ(s.c, 3.0 * s.k);
  sheet.k = {0.0}, sheet.c = {1.0, 2.0, 3.0};
  EXPECT_EQ(links_of(sheet)[2].k, 0.0);
  EXPECT_EQ(links_of(sheet)[2].c, 3.0);
}

TEST(Planform, a_table_of_its_own_widths_is_the_same_limb) {
  const Sheet diamond = sheet_of(PlanformKind::Diamond, 6);
  Sheet table = diamond;
  table.form = {.kind = PlanformKind::Table, .table_s = {0.0, 0.5, 1.0}, .table_w = {0.2, 0.6, 0.1}};
  for (int i = 0; i < 6; i++) EXPECT_NEAR(links_of(table)[i].k, links_of(diamond)[i].k, 1e-14);
  EXPECT_EQ(width(table.form, 1.0), 0.1);
}

TEST(Planform, widths_without_places_are_equally_far_apart) {
  const auto k = [](const std::string& table) {
    std::vector<double> out;
    const std::string text = "[robot]\nkind = \"soft-limb\"\nn = 6\n" + table + "[integrator]\nmethod = \"rk4\"\n";
    for (const JointPlan& j : text::parse_scenario(text, "file").plan.joints) out.push_back(j.stiffness[0]);
    return out;
  };
  EXPECT_EQ(k("planform = \"table\"\ntable_w = [0.2, 0.6, 0.1]\n"),
            k("planform = \"table\"\ntable_s = [0.0, 0.5, 1.0]\ntable_w = [0.2, 0.6, 0.1]\n"));
}

// Section 11, to the digits printed; a step that is too long for them is refused before anything runs.
TEST(Planform, fastest_vibrations_grow_with_the_square_of_the_links) {
  const double known[][2] = {{10, 10.3}, {20, 41.4}, {40, 165.6}, {80, 659.0}};
  for (const auto& [n, fastest] : known) {
    const VectorXd w = frequencies(sheet_of(PlanformKind::Petal, int(n)));
    EXPECT_NEAR(w[w.size() - 1], fastest, n < 80 ? 0.05 : 0.5) << n;
  }
  const auto problem = [](int n, double step) -> std::string {
    try {
      text::parse_scenario("[robot]\nkind = \"soft-limb\"\nn = " + std::to_string(n) +
                               "\n[integrator]\nmethod = \"rk4\"\nstep = " + std::to_string(step) + "\n",
                           "file");
    } catch (const InputError& e) {
      return e.problems.at(0);
    }
    return "";
  };
  EXPECT_EQ(problem(40, 0.01), "");
  EXPECT_EQ(problem(80, 0.004), "");
  EXPECT_NE(problem(80, 0.01).find("659"), std::string::npos);
  EXPECT_NE(problem(80, 0.01).find("0.00425 s"), std::string::npos);
}

TEST(Planform, given_lengths_replace_equal_ones) {
  Sheet sheet = sheet_of(PlanformKind::Petal, 9);
  sheet.lengths = {0.5, 0.3, 1.0};
  const auto links = links_of(sheet);
  ASSERT_EQ(links.size(), 3u);
  EXPECT_EQ(links[1].w_a, width(sheet.form, 0.5 / 1.8));
  EXPECT_EQ(links[2].w_b, 0.0);
}

// Modal damping of the 3-link petal with zeta = 0.4 (reference value), first mode.
TEST(Planform, first_mode_of_the_damped_petal) {
  Sheet sheet = sheet_of(PlanformKind::Petal, 3);
  sheet.zeta = 0.4;
  const ClosedChain chain(links_of(sheet));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solved(chain.tridiagonal(chain.k), chain.mu());
  const double expected[] = {0.0775763888, 0.535794496, 0.947064025};
  for (int i = 0; i < 3; i++) {
    const VectorXd mode = solved.eigenvectors().col(i);
    const double zeta = mode.dot(chain.tridiagonal(chain.c) * mode) / (2 * std::sqrt(solved.eigenvalues()[i]));
    EXPECT_NEAR(zeta, expected[i], 1e-8);
  }
}

// Test 11: (1 + 1/n^2) q L^4 / (8 EI), exactly.
TEST(Planform, linear_sag_of_a_uniform_limb) {
  for (const int n : {1, 2, 3, 5, 10, 40}) {
    const Sheet sheet = sheet_of(PlanformKind::Rectangle, n);
    const ClosedChain chain(links_of(sheet));
    const double g = 1e-3, EI = sheet.E * 0.4 * std::pow(sheet.thickness, 3) / 12,
                 q = sheet.density * sheet.thickness * 0.4 * g;
    const VectorXd th = chain.tridiagonal(chain.k).partialPivLu().solve(-g * chain.a());
    double y = 0.0;
    for (int i = 0; i < n; i++) y += chain.l[i] * th[i];
    const double exact = -q * std::pow(sheet.length, 4) / (8 * EI);
    EXPECT_NEAR(exact, -0.559792863, 5e-10);
    EXPECT_NEAR(y / exact, 1.0 + 1.0 / (n * n), 1e-10) << n;
  }
}

// Test 12: frequencies go to those of Euler and Bernoulli with 1/n^2; relative errors as listed, to 1e-4.
TEST(Planform, frequencies_converge_to_those_of_a_beam) {
  const double beam[] = {0.0525402434, 0.329264085, 0.921948972};
  const struct {
    int n;
    double error[3], tip_y, tip_angle;
  } rows[] = {{3, {-0.04844, -0.1429, -0.2378}, -0.5752035, -0.4118077},
              {5, {-0.01802, -0.05904, -0.09311}, -0.5410343, -0.3997344},
              {10, {-0.004568, -0.01565, -0.02551}, -0.526475, -0.3946091},
              {20, {-0.001146, -0.003969, -0.006509}, -0.5228263, -0.3933262},
              {40, {-0.0002871, -0.0009975, -0.001639}, -0.5219137, -0.3930054}};
  for (const auto& row : rows) {
    const Sheet sheet = sheet_of(PlanformKind::Rectangle, row.n);
    const VectorXd w = frequencies(sheet), th = sag(sheet, 1e-3);
    for (int i = 0; i < 3; i++) EXPECT_NEAR(w[i] / beam[i] - 1.0, row.error[i], 1e-4) << row.n;
    EXPECT_NEAR(tip_height(sheet, th), row.tip_y, 1e-6) << row.n;
    EXPECT_NEAR(th[row.n - 1], row.tip_angle, 1e-6) << row.n;
  }
  // order 2, from 20 to 40 links: the error falls by four
  const double coarse = frequencies(sheet_of(PlanformKind::Rectangle, 20))[0] / beam[0] - 1.0,
               fine = frequencies(sheet_of(PlanformKind::Rectangle, 40))[0] / beam[0] - 1.0;
  EXPECT_NEAR(coarse / fine, 4.0, 0.02);
}

// The heavy elastica EI th'' = q (L - s) cos(th), reference values; Richardson's rule on 40 and 80 links, order 2.
TEST(Planform, nonlinear_sag_converges_to_the_heavy_elastica) {
  const auto at = [](int n) {
    const Sheet sheet = sheet_of(PlanformKind::Rectangle, n);
    return tip_height(sheet, sag(sheet, 1e-3));
  };
  const double y40 = at(40), y80 = at(80);
  EXPECT_NEAR((4 * y80 - y40) / 3, -0.521609486, 1e-7);
  EXPECT_NEAR((y40 + 0.521609486) / (y80 + 0.521609486), 4.0, 0.02);
}

TEST(Planform, the_petal_with_more_links) {
  const struct {
    int n;
    double w[3], mass, tip_y;
  } rows[] = {{3, {0.049046, 0.31818, 0.831023}, 1.71654, -0.661111},
              {10, {0.0429205, 0.335707, 0.975751}, 1.91906, -0.767489},
              {40, {0.0417007, 0.331935, 0.971587}, 1.95405, -0.789968}};
  for (const auto& row : rows) {
    const Sheet sheet = sheet_of(PlanformKind::Petal, row.n);
    const VectorXd w = frequencies(sheet);
    for (int i = 0; i < 3; i++) EXPECT_NEAR(w[i], row.w[i], 5e-7);
    EXPECT_NEAR(ClosedChain(links_of(sheet)).mass(), row.mass, 5e-6);
    EXPECT_NEAR(tip_height(sheet, sag(sheet, 1e-3)), row.tip_y, 5e-7);
  }
}

}  // namespace planform_test
}  // namespace sinew::robots
