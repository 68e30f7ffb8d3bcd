// First the subspace, then Newton's method: the subspace is robust and not exact, Newton's method the other way round.
#include "sinew/control/riccati.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/control/hautus.h"
#include "sinew/math/check.h"
#include "sinew/math/dense.h"
#include "sinew/math/eigenvalues.h"
#include "sinew/math/schur.h"

namespace sinew {
namespace {

using Complex = std::complex<double>;

void check_riccati_shapes(const Matrix& F, const Matrix& G, const Matrix& Q, const Matrix& R) {
  const int n = F.rows, m = G.cols;
  SINEW_CHECK(n > 0 && F.cols == n && G.rows == n && Q.rows == n && Q.cols == n && R.rows == m && R.cols == m,
              "Riccati's equation: F ", F.rows, " x ", F.cols, ", G ", G.rows, " x ", G.cols, ", Q ", Q.rows, " x ",
              Q.cols, ", R ", R.rows, " x ", R.cols);
}

// An eigenvalue of F that does not die out and whose motion no input reaches.
std::string unreachable(const Matrix& F, const Matrix& G) {
  const double slack = 1e-9 * std::max(norm(F), 1e-300);
  for (const Complex& value : eigenvalues(F)) {
    if (value.real() < -slack || !(reach(F, G, value) < out_of_reach)) continue;
    return fmt::format(
        "a motion with the eigenvalue {:.3g}{:+.3g}i 1/s does not die out by itself, and the actuated joints "
        "cannot change it",
        value.real(), value.imag());
  }
  return {};
}

// X of the stable subspace of H, whose basis is [P; X P]. False: there are not as many eigenvalues on either side of the imaginary
// axis, or some on it.
bool find_stable_half(const Matrix& H, Matrix& X) {
  SINEW_ASSERT(H.rows == H.cols && H.rows % 2 == 0);
  const int n = H.rows / 2;
  Schur schur(H);
  double nearest = INFINITY;
  for (int i = 0; i < 2 * n; i++) nearest = std::min(nearest, std::abs(schur.value(i).real()));
  if (!schur.found() || schur.bring_stable_first() != n || nearest < 1e-12 * norm(H)) return false;
  X = transpose(least_norm(transpose(schur.subspace(0, n, n)), transpose(schur.subspace(n, n, n)), 1e-15));
  return true;
}

// Newton's steps until they no longer help; badly scaled problems need several.
Matrix without_round_off(const Matrix& F, const Matrix& G, const Matrix& Q, const Matrix& R, const Matrix& S,
                         Matrix X) {
  Matrix best = X;
  double least = INFINITY;
  for (int pass = 0, in_vain = 0; pass < 20 && in_vain < 3; pass++) {
    X = 0.5 * (X + transpose(X));
    const Matrix error = riccati_residual(F, G, Q, R, X);
    const double size = norm(error);
    in_vain = size < 0.5 * least ? 0 : in_vain + 1;
    if (size < least) {
      least = size;
      best = X;
    }
    X = X + Schur(F - S * X).solve_lyapunov(error);
  }
  return best;
}

const char* const unseen =
    "the weights do not see a motion that does not die out by itself: give its angles a weight > 0";

}  // namespace

Matrix riccati_residual(const Matrix& F, const Matrix& G, const Matrix& Q, const Matrix& R, const Matrix& X) {
  check_riccati_shapes(F, G, Q, R);
  SINEW_CHECK(X.rows == F.rows && X.cols == F.rows, "Riccati's equation: X ", X.rows, " x ", X.cols, " for ", F.rows,
              " states");
  return transpose(F) * X + X * F - X * G * solve(R, transpose(G) * X) + Q;
}

Regulator solve_riccati(const Matrix& F, const Matrix& G, const Matrix& Q, const Matrix& R) {
  check_riccati_shapes(F, G, Q, R);
  const int n = F.rows;
  Regulator out;
  const Matrix S = G * solve(R, transpose(G));
  // in units in which both sides weigh the same; X comes out in these units
  const double unit = norm(S) > 0.0 && norm(Q) > 0.0 ? std::sqrt(norm(Q) / norm(S)) : 1.0;
  Matrix H(2 * n, 2 * n);
  put(F, 0, 0, H);
  put(-unit * S, 0, n, H);
  put((-1.0 / unit) * Q, n, 0, H);
  put(-transpose(F), n, n, H);
  if (!is_finite(H)) {
    out.problem = "its matrices are not finite: check the weights of the inputs, which must be > 0";
    return out;
  }
  Matrix X;
  if (!find_stable_half(H, X)) {
    out.problem = unreachable(F, G);
    if (out.problem.empty()) out.problem = unseen;
    return out;
  }
  out.X = without_round_off(F, G, Q, R, S, unit * X);
  out.gain = solve(R, transpose(G) * out.X);
  out.poles = eigenvalues(F - G * out.gain);
  std::ranges::stable_sort(out.poles, [](const Complex& a, const Complex& b) { return a.real() > b.real(); });
  const double scale = norm(Q) + 2.0 * norm(transpose(F) * out.X);
  const double error = norm(riccati_residual(F, G, Q, R, out.X));
  if (!(error < 1e-6 * scale) || !(out.poles[0].real() < 0.0)) {
    out.problem = unreachable(F, G);
    if (out.problem.empty() && !unreachable(transpose(F), Q).empty()) out.problem = unseen;
    if (out.problem.empty())
      out.problem = fmt::format(
          "its equation is too badly scaled: a residual of {:.1e} is left; use weights that "
          "are nearer to one another",
          error / scale);
  }
  return out;
}

}  // namespace sinew
