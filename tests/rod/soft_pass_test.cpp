// The pass along a soft rod against equations that share nothing with it (docs/theory/soft_rods.md).
#include "sinew/rod/soft_pass.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/rod/soft_support.h"
#include "tests/support/allocations.h"

namespace sinew::rod::test {
namespace soft_pass_test {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

Eigen::Matrix3d hat(const Eigen::Vector3d& w) {
  Eigen::Matrix3d m;
  m << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  return m;
}
Matrix6 ad(const Vector6& x) {
  Matrix6 m = Matrix6::Zero();
  m.topLeftCorner<3, 3>() = m.bottomRightCorner<3, 3>() = hat(x.tail<3>());
  m.topRightCorner<3, 3>() = hat(x.head<3>());
  return m;
}

// State along X: R (9), r (3), eta, eta', Lambda; equations (6), (7), (8), (13) of Boyer et al. 2012 as they stand, from the tip inwards
// for Lambda by shooting from Lambda(0).
struct Outward {
  const SoftPlan& plan;
  const std::vector<double>&q, &v, &a;
  Vector6 field(double X, const std::vector<double>& c, const Six& start) const {
    Vector6 x;
    for (int i = 0; i < 6; i++) x[i] = start[i];
    for (std::size_t i = 0; i < plan.modes.size(); i++)
      x[plan.modes[i].component] += c[i] * mode_value(plan.modes[i], X);
    return x;
  }
  Eigen::VectorXd rate(double X, const Eigen::VectorXd& y) const {
    const Vector6 xi = field(X, q, plan.xi_star), xi_t = field(X, v, {}), xi_tt = field(X, a, {});
    const Eigen::Map<const Eigen::Matrix3d> R(y.data());
    const Vector6 eta = y.segment<6>(12), deta = y.segment<6>(18), Lambda = y.segment<6>(24);
    Vector6 F = Vector6::Zero(), M;
    for (int i = 0; i < 6; i++) M[i] = plan.inertia[i], F[i] = -plan.friction[i] * eta[i];
    F.head<3>() += plan.inertia[0] * R.transpose() * Eigen::Vector3d(plan.gravity[0], plan.gravity[1], plan.gravity[2]);
    Eigen::VectorXd d(30);
    Eigen::Map<Eigen::Matrix3d>(d.data()) = R * hat(xi.tail<3>());
    d.segment<3>(9) = R * xi.head<3>();
    d.segment<6>(12) = -ad(xi) * eta + xi_t;
    d.segment<6>(18) = -ad(xi) * deta - ad(xi_t) * eta + xi_tt;
    d.segment<6>(24) = ad(xi).transpose() * Lambda + Vector6(M.cwiseProduct(deta)) -
                       ad(eta).transpose() * Vector6(M.cwiseProduct(eta)) - F;
    return d;
  }
  // Lambda(l), and for each mode -int Phi^T Lambda
  Vector6 go(const Vector6& eta0, const Vector6& deta0, const Vector6& Lambda0, Eigen::VectorXd* work) const {
    Eigen::VectorXd y = Eigen::VectorXd::Zero(30);
    y[0] = y[4] = y[8] = 1.0;
    y.segment<6>(12) = eta0, y.segment<6>(18) = deta0, y.segment<6>(24) = Lambda0;
    const int N = 1000;
    const double h = plan.length / N;
    if (work) work->setZero(int(plan.modes.size()));
    for (int k = 0; k < N; k++) {
      const double X = k * h;
      const Eigen::VectorXd k1 = rate(X, y), k2 = rate(X + h / 2, y + h / 2 * k1), k3 = rate(X + h / 2, y + h / 2 * k2),
                            k4 = rate(X + h, y + h * k3), half = y + h / 24 * (5 * k1 + 4 * k2 + 4 * k3 - k4),
                            end = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      for (std::size_t i = 0; work && i < plan.modes.size(); i++) {
        const SoftMode& m = plan.modes[i];
        (*work)[int(i)] -=
            h / 6 *
            (mode_value(m, X) * y[24 + m.component] + 4 * mode_value(m, X + h / 2) * half[24 + m.component] +
             mode_value(m, X + h) * end[24 + m.component]);
      }
      y = end;
    }
    return y.segment<6>(24);
  }
};

SoftPlan rich_rod(bool floating) {
  SoftPlan p = with_legendre(soft_arm(), {0, 1, 2, 3, 4, 5}, 2);
  p.stiffness = p.viscosity = {};
  p.inertia[4] *= 1.7;  // three different moments
  p.cells = 100;
  p.gravity = Vec3d(1.0, -6.0, -7.0), p.friction = {0.3, 2.0, 1.5, 1e-4, 2e-4, 3e-4};
  p.xi_star = {1.0, 0.02, -0.01, 1.0, 0.5, 2.0};
  p.floating = floating;
  return with_tip_load(p, {}, {0.1, -0.2, 0.05, 1e-3, 2e-3, -1e-3});
}

std::vector<double> numbers(int n, double size, int seed) {
  std::vector<double> x(n);
  for (int i = 0; i < n; i++) x[i] = size * std::sin(1.0 + 2.3 * i + 5.1 * seed);
  return x;
}

TEST(SoftPass, residual_is_the_work_of_the_internal_wrench_of_the_strain_driven_rod) {
  for (const bool floating : {false, true}) {
    const SoftPlan plan = rich_rod(floating);
    const SoftModel<Space> m = build_soft_model<Space>(plan);
    SoftScratch<Space> w(m);
    std::vector<double> q = numbers(m.nq, 1.0, 1), v = numbers(m.nv, 2.0, 2), a = numbers(m.nv, 5.0, 3), r(m.nv);
    for (int i = 0; i < 6; i++) q[i] *= 0.05, v[m.nb + i] *= 0.1;  // stretch and shear
    inverse_dynamics(m, {0.0, m.base, q.data(), v.data(), a.data()}, w, r.data());
    Vector6 eta0 = Vector6::Zero(), deta0 = Vector6::Zero(), tip;
    for (int i = 0; i < m.nb; i++) eta0[i] = v[i], deta0[i] = a[i];
    for (int i = 0; i < 6; i++) tip[i] = plan.points[0].follower[i];
    const std::vector<double> vq(v.begin() + m.nb, v.end()), aq(a.begin() + m.nb, a.end());
    const Outward outward{plan, q, vq, aq};
    // Lambda is linear in Lambda(0): find the one that ends with the tip's wrench
    const Vector6 zero = outward.go(eta0, deta0, Vector6::Zero(), nullptr);
    Matrix6 map;
    for (int i = 0; i < 6; i++) map.col(i) = outward.go(eta0, deta0, Vector6::Unit(i), nullptr) - zero;
    const Vector6 Lambda0 = map.partialPivLu().solve(tip - zero);
    Eigen::VectorXd work;
    outward.go(eta0, deta0, Lambda0, &work);
    // order 4 with 100 cells: 1e-8 of the largest
    const double largest = work.cwiseAbs().maxCoeff();
    for (int i = 0; i < m.nq; i++) EXPECT_NEAR(r[m.nb + i], work[i], 1e-8 * largest) << i;
    for (int i = 0; i < m.nb; i++) EXPECT_NEAR(r[i], -Lambda0[i], 1e-8 * Lambda0.cwiseAbs().maxCoeff()) << i;
  }
}

// Planar rod from its tangent angle and simple sums, nothing else.
double kinetic(const SoftPlan& p, const std::vector<double>& q, const std::vector<double>& v) {
  const int N = 400;
  const double h = p.length / N;
  double angle = 0, rate = 0, vx = 0, vy = 0, T = 0;
  const auto strain = [&](double X, const std::vector<double>& c, int component, double start) {
    for (std::size_t i = 0; i < p.modes.size(); i++)
      if (p.modes[i].component == component) start += c[i] * mode_value(p.modes[i], X);
    return start;
  };
  for (int k = 0; k < N; k++) {  // midpoint rule
    const double X = (k + 0.5) * h, K = strain(X, q, 5, 0), K_t = strain(X, v, 5, 0);
    const double s = strain(X, q, 0, 1), g = strain(X, q, 1, 0), s_t = strain(X, v, 0, 0), g_t = strain(X, v, 1, 0);
    const double a = angle + h / 2 * K, b = rate + h / 2 * K_t, c = std::cos(a), n = std::sin(a);
    const double dx = c * s_t - n * g_t - b * (n * s + c * g), dy = n * s_t + c * g_t + b * (c * s - n * g);
    const double mx = vx + h / 2 * dx, my = vy + h / 2 * dy;
    T += h / 2 * (p.inertia[0] * (mx * mx + my * my) + p.inertia[5] * b * b);
    vx += h * dx, vy += h * dy, angle += h * K, rate += h * K_t;
  }
  return T;
}

TEST(SoftPass, residual_is_that_of_the_lagrangian_by_finite_differences) {
  SoftPlan p = with_legendre(soft_arm(), {0, 1, 5}, 2);
  p.stiffness = {};
  p.cells = 40;
  const SoftModel<Plane> m = build_soft_model<Plane>(p);
  SoftScratch<Plane> w(m);
  const std::vector<double> q{0.05, -0.03, 0.02, 0.04, 3.0, -4.0}, v{0.3, 0.2, -0.4, 0.1, 5.0, 8.0},
      a{1.0, -2.0, 0.5, 3.0, 20.0, -30.0};
  std::vector<double> r(m.nv);
  inverse_dynamics(m, {0.0, m.base, q.data(), v.data(), a.data()}, w, r.data());
  // momentum p_i = dT/dv_i is linear in v; d/dt p_i - dT/dq_i along the motion
  const double e = 1e-4;
  const auto momentum = [&](int i, const std::vector<double>& at, std::vector<double> speed) {
    speed[i] += 1.0;
    const double up = kinetic(p, at, speed);
    speed[i] -= 2.0;
    return (up - kinetic(p, at, speed)) / 2.0;
  };
  for (int i = 0; i < m.nq; i++) {
    std::vector<double> q1 = q, q0 = q, v1 = v, v0 = v, up = q, down = q;
    for (int j = 0; j < m.nq; j++) {
      q1[j] += e * v[j] + e * e / 2 * a[j], q0[j] -= e * v[j] - e * e / 2 * a[j];
      v1[j] += e * a[j], v0[j] -= e * a[j];
    }
    up[i] += e, down[i] -= e;
    const double expected =
        (momentum(i, q1, v1) - momentum(i, q0, v0)) / (2 * e) - (kinetic(p, up, v) - kinetic(p, down, v)) / (2 * e);
    // midpoint rule with 400 cells: 1e-5 of the largest entry
    EXPECT_NEAR(r[i], expected, 2e-5 * 0.06) << i;
  }
}

TEST(SoftPass, mass_matrix_is_the_derivative_of_the_residual) {
  const SoftModel<Space> m = build_soft_model<Space>(rich_rod(true));
  SoftScratch<Space> w(m);
  const std::vector<double> q = numbers(m.nq, 0.3, 4), v = numbers(m.nv, 1.0, 5);
  std::vector<double> zero(m.nv, 0.0), r0(m.nv), r(m.nv);
  inverse_dynamics(m, {0.0, m.base, q.data(), v.data(), zero.data()}, w, r0.data());
  mass_matrix(m, w);
  const std::vector<double> M = w.M;
  for (int j = 0; j < m.nv; j++) {
    std::vector<double> a = zero;
    a[j] = 1.0;
    inverse_dynamics(m, {0.0, m.base, q.data(), v.data(), a.data()}, w, r.data());
    for (int i = j; i < m.nv; i++) EXPECT_NEAR(M[std::size_t(i) * m.row + j], r[i] - r0[i], 1e-12) << i << " " << j;
  }
}

TEST(SoftPass, plane_equals_the_same_rod_in_space) {
  SoftPlan p = with_legendre(soft_arm(), {0, 1, 5}, 3);
  p.floating = true, p.gravity = Vec3d(1, -9, 0), p.friction = {1, 3, 3, 0, 0, 0};
  p = with_tip_load(p, {0.1, 0.2, 0, 0, 0, 0}, {0, 0.1, 0, 0, 0, 0.01});
  const SoftModel<Plane> flat = build_soft_model<Plane>(p);
  const SoftModel<Space> full = build_soft_model<Space>(p);
  SoftScratch<Plane> w2(flat);
  SoftScratch<Space> w3(full);
  const std::vector<double> q = numbers(9, 0.5, 1), v2 = numbers(12, 1.0, 2);
  std::vector<double> v3(15, 0.0), a2(12), a3(15);
  const int base[3] = {0, 1, 5};
  for (int i = 0; i < 3; i++) v3[base[i]] = v2[i];
  for (int i = 0; i < 9; i++) v3[6 + i] = v2[3 + i];
  ASSERT_TRUE(forward_dynamics(flat, {0.0, flat.base, q.data(), v2.data(), nullptr}, w2, a2.data()));
  ASSERT_TRUE(forward_dynamics(full, {0.0, full.base, q.data(), v3.data(), nullptr}, w3, a3.data()));
  double largest = 0.0;
  for (const double x : a2) largest = std::max(largest, std::abs(x));
  for (int i = 0; i < 3; i++) EXPECT_NEAR(a2[i], a3[base[i]], 1e-10 * largest);
  for (int i = 0; i < 9; i++) EXPECT_NEAR(a2[3 + i], a3[6 + i], 1e-10 * largest);
}

TEST(SoftPass, a_line_equals_the_plane_without_bending) {
  SoftPlan p = with_legendre(soft_arm(), {0}, 3);
  p.floating = true;
  const SoftModel<Line> line = build_soft_model<Line>(p);
  const SoftModel<Plane> flat = build_soft_model<Plane>(p);
  SoftScratch<Line> w1(line);
  SoftScratch<Plane> w2(flat);
  const std::vector<double> q{0.1, -0.05, 0.02}, v1{0.3, 1.0, 2.0, -1.0}, v2{0.3, 0.0, 0.0, 1.0, 2.0, -1.0};
  std::vector<double> a1(4), a2(6);
  ASSERT_TRUE(forward_dynamics(line, {0.0, line.base, q.data(), v1.data(), nullptr}, w1, a1.data()));
  ASSERT_TRUE(forward_dynamics(flat, {0.0, flat.base, q.data(), v2.data(), nullptr}, w2, a2.data()));
  EXPECT_NEAR(a1[0], a2[0], 1e-8);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(a1[1 + i], a2[3 + i], 1e-8 * std::abs(a1[1 + i]));
}

TEST(SoftPass, order_along_the_rod_is_four) {
  SoftPlan p = rich_rod(true);
  std::vector<std::vector<double>> r;
  for (const int cells : {5, 10, 20, 160}) {
    p.cells = cells;
    const SoftModel<Space> m = build_soft_model<Space>(p);
    SoftScratch<Space> w(m);
    std::vector<double> q = numbers(m.nq, 3.0, 1), v = numbers(m.nv, 2.0, 2), a = numbers(m.nv, 5.0, 3);
    for (int i = 0; i < 6; i++) q[i] *= 0.02, v[m.nb + i] *= 0.05;
    r.emplace_back(m.nv);
    inverse_dynamics(m, {0.0, m.base, q.data(), v.data(), a.data()}, w, r.back().data());
  }
  double error[3] = {};
  for (int k = 0; k < 3; k++)
    for (std::size_t i = 0; i < r[0].size(); i++) error[k] = std::max(error[k], std::abs(r[k][i] - r[3][i]));
  EXPECT_NEAR(std::log2(error[0] / error[1]), 4.0, 0.4);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 4.0, 0.25);
}

TEST(SoftPass, steps_and_readings_allocate_nothing) {
  SoftPlan p = rich_rod(true);
  p.stiffness = soft_arm().stiffness, p.cells = 10;
  p.cables.push_back({Vec3d(0, 0.006, 0), Vec3d(0, 0.003, 0), 0.2, {.value = 0.1, .ramp = 0.1}});
  const Soft<Space> plant(p);
  std::vector<double> state(plant.state_size()), out(plant.readings().size());
  std::vector<SectionMotion> seen(plant.sections().size());
  const auto scratch = plant.make_scratch();
  PlantPower work;
  const long before = sinew::test::allocations();
  plant.start(state);
  for (const std::string_view method : plant.methods())
    for (int k = 0; k < 5; k++) plant.advance({method, k * 1e-5, 1e-5}, state, work, *scratch);
  plant.read(0.0, {}, state, out, *scratch);
  plant.place(0.0, state, seen, *scratch);
  plant.energy(0.0, state, *scratch);
  EXPECT_EQ(sinew::test::allocations() - before, 0);
}

}  // namespace soft_pass_test
}  // namespace sinew::rod::test
