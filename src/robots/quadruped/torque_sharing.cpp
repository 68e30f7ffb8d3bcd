#include "robots/quadruped/torque_sharing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/dense.h"
#include "sinew/math/dense_lu.h"
#include "sinew/math/elementary.h"
#include "sinew/math/small_solve.h"
#include "sinew/math/svd.h"

namespace sinew::legged {
namespace {

constexpr int paper_rows[6] = {0, 1, 2, 3, 4, 5};
constexpr int leg_actuators[12] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13};

double residual_of(const double J[14][8], const Vec8& req, const Vec14& tau) {
  double worst = 0.0;
  for (int i = 0; i < 8; i++) {
    double s = -req[i];
    for (int a = 0; a < 14; a++) s += J[a][i] * tau[a];
    worst = std::max(worst, std::abs(s));
  }
  return worst;
}

bool is_finite(const Vec14& tau) {
  return std::ranges::all_of(tau, [](double x) { return std::isfinite(x); });
}

// Rows for |tau| <= limits, and for each foot f_z >= f_min and the facets of the pyramid; f = f0 + F tau.
void add_limits(const AffineStance& affine, const TorqueLimits& limits, const GroundLimits& ground, SmallQp& qp) {
  for (int a = 0; a < 14; a++) {
    const double most = a == 6 || a == 7 ? limits.tail : limits.leg;
    if (!std::isfinite(most)) continue;
    qp.c[qp.add_row(-most)][a] = 1.0;
    qp.c[qp.add_row(-most)][a] = -1.0;
  }
  const double inside = ground.mu * math::cos(std::numbers::pi / ground.facets);
  for (int foot = 0; foot < 4; foot++) {
    const int x = 3 * foot, y = x + 1, z = x + 2;
    const int up = qp.add_row(ground.f_min - affine.f0[z]);
    std::copy_n(affine.F[z], 14, qp.c[up]);
    for (int k = 0; k < ground.facets; k++) {
      double sine, cosine;
      sincos((2 * k + 1) * std::numbers::pi / ground.facets, sine, cosine);
      const int row = qp.add_row(cosine * affine.f0[x] + sine * affine.f0[y] - inside * affine.f0[z]);
      for (int a = 0; a < 14; a++)
        qp.c[row][a] = inside * affine.F[z][a] - cosine * affine.F[x][a] - sine * affine.F[y][a];
    }
  }
}

void begin(SmallQp& qp, double curvature) {
  qp.n = 14;
  qp.n_equal = qp.n_rows = 0;
  for (int i = 0; i < 14; i++) {
    std::fill_n(qp.H[i], 14, 0.0);
    qp.H[i][i] = curvature;
    qp.g[i] = 0.0;
  }
}

Torques result_of(const double J[14][8], const Vec8& req, SmallQp& qp) {
  Torques out;
  out.found = qp.solve() == SmallQp::Status::Solved;
  std::copy_n(qp.x, 14, out.tau.begin());
  out.residual = residual_of(J, req, out.tau);
  return out;
}

}  // namespace

void leg_rows(const double J[14][8], const int* which, int count, double (*rows)[6]) {
  for (int r = 0; r < count; r++) std::copy_n(J[which[r]], 6, rows[r]);
}

std::array<double, 6> singular_values(const double (*rows)[6], int m) {
  Svd svd;
  svd.rows = m;
  svd.columns = 6;
  for (int r = 0; r < m; r++)
    for (int k = 0; k < 6; k++) svd.u[k][r] = rows[r][k];
  svd.decompose();
  return std::to_array(svd.s);
}

double determinant(const double rows[6][6]) {
  Matrix A(6, 6);
  for (int i = 0; i < 6; i++) std::copy_n(rows[i], 6, &A(i, 0));
  return sinew::determinant(A);
}

// tau_a = J_a^-T (req - J_p^T tau_p). The tail's two rows are units, so only the legs' six are a system.
Torques share_given(const double J[14][8], const Vec8& req, const std::array<double, 6>& tau_p) {
  Torques out;
  double rows[6][6], a[36], scale[6], b[8];
  int pivot[6];
  leg_rows(J, paper_rows, 6, rows);
  out.s_min = singular_values(rows, 6)[5];
  for (int i = 0; i < 8; i++) {
    b[i] = req[i];
    for (int p = 0; p < 6; p++) b[i] -= J[8 + p][i] * tau_p[p];
  }
  for (int r = 0; r < 6; r++) std::copy_n(rows[r], 6, a + 6 * r);  // column r of J_a^T
  if (!factor_dense(6, a, 6, pivot, scale)) return out;
  solve_factored(6, a, 6, pivot, b);
  std::copy_n(b, 8, out.tau.begin());
  std::copy_n(tau_p.data(), 6, out.tau.begin() + 8);
  out.residual = residual_of(J, req, out.tau);
  out.found = is_finite(out.tau) && out.s_min > 1e-9;
  return out;
}

// tau = J (J^T J)^-1 req; legs and tail do not mix.
Torques share_min_norm(const double J[14][8], const Vec8& req) {
  Torques out;
  double S[36], y[6];
  for (int i = 0; i < 6; i++) {
    y[i] = req[i];
    for (int k = 0; k <= i; k++) {
      double s = 0.0;
      for (const int a : leg_actuators) s += J[a][i] * J[a][k];
      S[6 * i + k] = s;
    }
  }
  factor_small<6>(S);
  solve_small<6>(S, y);
  for (const int a : leg_actuators)
    for (int i = 0; i < 6; i++) out.tau[a] += J[a][i] * y[i];
  out.tau[6] = req[6];
  out.tau[7] = req[7];
  out.residual = residual_of(J, req, out.tau);
  double size = 1.0;
  for (const double x : req) size = std::max(size, std::abs(x));
  out.found = is_finite(out.tau) && out.residual <= 1e-6 * size;
  return out;
}

Torques share_damped(const double J[14][8], const Vec8& req, double lambda, double s0, double lambda0) {
  Torques out;
  double rows[6][6], S[64], x[8];
  leg_rows(J, paper_rows, 6, rows);
  out.s_min = singular_values(rows, 6)[5];
  const double ratio = out.s_min / s0;
  const double square = lambda >= 0.0 ? lambda * lambda : ratio < 1.0 ? lambda0 * lambda0 * (1.0 - ratio * ratio) : 0.0;
  for (int r = 0; r < 8; r++) {
    x[r] = 0.0;
    for (int i = 0; i < 8; i++) x[r] += J[r][i] * req[i];
    for (int c = 0; c < 8; c++) {
      double s = r == c ? square : 0.0;
      for (int i = 0; i < 8; i++) s += J[r][i] * J[c][i];
      S[8 * r + c] = s;
    }
  }
  factor_small<8>(S);
  solve_small<8>(S, x);
  std::copy_n(x, 8, out.tau.begin());
  out.residual = residual_of(J, req, out.tau);
  out.found = is_finite(out.tau);
  return out;
}

Torques share_qp(const ShareTask& task, const TorqueLimits& limits, const GroundLimits& ground, SmallQp& qp) {
  begin(qp, 1.0);
  for (int i = 0; i < 8; i++) {
    const int row = qp.add_row(task.req[i]);
    for (int a = 0; a < 14; a++) qp.c[row][a] = task.J[a][i];
  }
  qp.n_equal = 8;
  add_limits(task.affine, limits, ground, qp);
  return result_of(task.J, task.req, qp);
}

double least_friction(const ShareTask& task, const TorqueLimits& limits, int facets, SmallQp& qp, double most) {
  const auto works = [&](double mu) { return share_qp(task, limits, {mu, 0.0, facets}, qp).found; };
  if (!works(most)) return std::numeric_limits<double>::infinity();
  double low = 0.0, high = most;
  while (high - low > 1e-10 * high) {
    const double middle = 0.5 * (low + high);
    (works(middle) ? high : low) = middle;
  }
  return high;
}

Torques share_goal(const AffineStance& affine, const StanceGoal& goal, const TorqueLimits& limits,
                   const GroundLimits& ground, SmallQp& qp) {
  begin(qp, 2.0 * goal.eps);
  for (int i = 0; i < 8; i++) {
    const double w = 2.0 * goal.weight[i], miss = affine.a0[i] - goal.a[i];
    for (int a = 0; a < 14; a++) {
      qp.g[a] += w * affine.A[i][a] * miss;
      for (int c = 0; c <= a; c++) qp.H[a][c] += w * affine.A[i][a] * affine.A[i][c];
    }
  }
  add_limits(affine, limits, ground, qp);
  Torques out;
  out.found = qp.solve() == SmallQp::Status::Solved;
  std::copy_n(qp.x, 14, out.tau.begin());
  return out;
}

Torques share_limited(const ShareTask& task, const StanceGoal& goal, const TorqueLimits& limits,
                      const GroundLimits& ground, SmallQp& qp) {
  const Torques exact = share_qp(task, limits, ground, qp);
  if (exact.found) return exact;
  Torques soft = share_goal(task.affine, goal, limits, ground, qp);
  soft.residual = residual_of(task.J, task.req, soft.tau);
  soft.found = false;
  return soft;
}

}  // namespace sinew::legged
