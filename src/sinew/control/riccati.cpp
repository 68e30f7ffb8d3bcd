#include "sinew/control/riccati.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/control/hautus.h"
#include "sinew/math/dense.h"
#include "sinew/math/eigenvalues.h"

namespace sinew {
namespace {

using Complex = std::complex<double>;

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

// Factor that brings the eigenvalues of A, all in all, to the size of one, where Newton's iteration for the sign is quick.
double even(const Matrix& A, const Matrix& inverse_of_A) { return std::sqrt(norm(inverse_of_A) / norm(A)); }

constexpr int most_passes = 100;

// Newton's iteration A <- (A + A^-1) / 2, whose limit has the eigenvectors of A and eigenvalues -1 and 1. False: none.
bool find_sign(Matrix& A) {
  double before = INFINITY;
  for (int pass = 0; pass < most_passes; pass++) {
    const Matrix back = inverse(A);
    if (!is_finite(back)) return false;
    const double c = before < 1e-2 ? 1.0 : even(A, back);
    const Matrix next = 0.5 * (c * A + (1.0 / c) * back);
    const double change = norm(next - A) / norm(next);
    A = next;
    // near its end it doubles its digits each time, down to round-off, where it stops getting better
    if (change < 1e-14 || (change < 1e-8 && change >= 0.5 * before)) return true;
    before = change;
  }
  return before < 1e-6;
}

// X of A'X + X A + C = 0 for a stable A: the iteration above for [A, 0; C, -A'], of which only two blocks are needed.
Matrix solve_lyapunov(Matrix A, Matrix C) {
  double before = INFINITY;
  for (int pass = 0; pass < most_passes; pass++) {
    const Matrix back = inverse(A);
    if (!is_finite(back)) return back;
    const double c = before < 1e-2 ? 1.0 : even(A, back);
    C = 0.5 * (c * C + (1.0 / c) * (transpose(back) * C * back));
    const Matrix next = 0.5 * (c * A + (1.0 / c) * back);
    const double change = norm(next - A) / norm(next);
    A = next;
    if (change < 1e-14 || (change < 1e-8 && change >= 0.5 * before)) break;
    before = change;
  }
  return 0.5 * C;
}

// As many eigenvalues on either side of the imaginary axis, and none on it.
bool has_stable_half(const Matrix& H) {
  int stable = 0;
  double nearest = INFINITY;
  for (const Complex& value : eigenvalues(H)) {
    stable += value.real() < 0.0;
    nearest = std::min(nearest, std::abs(value.real()));
  }
  return 2 * stable == H.rows && !(nearest < 1e-12 * norm(H));
}

// X from sign(H): [S12; S22 + 1] X = -[S11 + 1; S21].
Matrix from_sign(const Matrix& sign) {
  const int n = sign.rows / 2;
  const Matrix shifted = sign + Matrix::identity(2 * n);
  return least_norm(block(shifted, 0, n, 2 * n, n), -block(shifted, 0, 0, 2 * n, n), 1e-15);
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
    if (size < least) least = size, best = X;
    X = X + solve_lyapunov(F - S * X, error);
  }
  return best;
}

const char* const unseen =
    "the weights do not see a motion that does not die out by itself: give its angles a weight > 0";

}  // namespace

Matrix riccati_residual(const Matrix& F, const Matrix& G, const Matrix& Q, const Matrix& R, const Matrix& X) {
  return transpose(F) * X + X * F - X * G * solve(R, transpose(G) * X) + Q;
}

Regulator solve_riccati(const Matrix& F, const Matrix& G, const Matrix& Q, const Matrix& R) {
  const int n = F.rows;
  Regulator out;
  const Matrix S = G * solve(R, transpose(G));
  // in units in which both sides weigh the same; X comes out in these units
  const double unit = norm(S) > 0.0 && norm(Q) > 0.0 ? std::sqrt(norm(Q) / norm(S)) : 1.0;
  Matrix H(2 * n, 2 * n);
  put(F, 0, 0, H), put(-unit * S, 0, n, H), put((-1.0 / unit) * Q, n, 0, H), put(-transpose(F), n, n, H);
  if (!is_finite(H)) {
    out.problem = "its matrices are not finite: check the weights of the inputs, which must be > 0";
    return out;
  }
  if (!has_stable_half(H) || !find_sign(H)) {
    out.problem = unreachable(F, G);
    if (out.problem.empty()) out.problem = unseen;
    return out;
  }
  out.X = without_round_off(F, G, Q, R, S, unit * from_sign(H));
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
