#include "sinew/control/riccati.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Jacobi>
#include <Eigen/LU>
#include <Eigen/QR>
#include <vector>

namespace sinew {
namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Complex = std::complex<double>;

// Exchanges two neighbours on the diagonal of the triangular T by a rotation; U T U^* stays what it was.
void exchange(Eigen::Index k, MatrixXcd& T, MatrixXcd& U) {
  Eigen::JacobiRotation<Complex> turn;
  turn.makeGivens(T(k, k + 1), T(k + 1, k + 1) - T(k, k));
  T.applyOnTheLeft(k, k + 1, turn.adjoint());
  T.applyOnTheRight(k, k + 1, turn);
  U.applyOnTheRight(k, k + 1, turn);
  T(k + 1, k) = 0.0;
}

// Brings the eigenvalues with negative real parts to the front; returns how many there are.
Eigen::Index sort_stable_first(MatrixXcd& T, MatrixXcd& U) {
  Eigen::Index front = 0;
  for (Eigen::Index i = 0; i < T.rows(); i++) {
    if (!(T(i, i).real() < 0.0)) continue;
    for (Eigen::Index k = i - 1; k >= front; k--) exchange(k, T, U);
    front++;
  }
  return front;
}

// An eigenvalue of F that does not die out and whose motion no input reaches (the test of Popov, Belevitch and Hautus).
std::string unreachable(const MatrixXd& F, const MatrixXd& G, double slack) {
  const Eigen::VectorXcd values = F.eigenvalues();
  for (const Complex& value : values) {
    if (value.real() < -slack) continue;
    MatrixXcd test(F.rows(), F.cols() + G.cols());
    test << MatrixXcd::Identity(F.rows(), F.cols()) * value - F.cast<Complex>(), G.cast<Complex>();
    const Eigen::ColPivHouseholderQR<MatrixXcd> qr(test.adjoint());  // its diagonal falls to the rank
    if (std::abs(qr.matrixR()(F.rows() - 1, F.rows() - 1)) < 1e-9 * std::abs(qr.matrixR()(0, 0)))
      return fmt::format(
          "a motion with the eigenvalue {:.3g}{:+.3g}i 1/s does not die out by itself, and the actuated joints "
          "cannot change it",
          value.real(), value.imag());
  }
  return {};
}

// X of A'X + X A + C = 0 for a stable A (Bartels and Stewart, with a complex triangle).
MatrixXd solve_lyapunov(const MatrixXd& A, const MatrixXd& C) {
  const Eigen::ComplexSchur<MatrixXd> schur(A);
  const MatrixXcd &T = schur.matrixT(), &U = schur.matrixU();
  const MatrixXcd right = -(U.adjoint() * C * U);
  MatrixXcd Y = MatrixXcd::Zero(A.rows(), A.cols());
  for (Eigen::Index k = 0; k < A.cols(); k++) {  // T* y_k + T(k,k) y_k = what the columns before leave
    const Eigen::VectorXcd b = right.col(k) - Y.leftCols(k) * T.col(k).head(k);
    MatrixXcd left = T.adjoint();
    left.diagonal().array() += T(k, k);
    Y.col(k) = left.triangularView<Eigen::Lower>().solve(b);
  }
  return (U * Y * U.adjoint()).real();
}

void sort_slowest_first(Eigen::VectorXcd& poles) {
  std::stable_sort(poles.begin(), poles.end(), [](const Complex& a, const Complex& b) { return a.real() > b.real(); });
}

}  // namespace

MatrixXd riccati_residual(const MatrixXd& F, const MatrixXd& G, const MatrixXd& Q, const MatrixXd& R,
                          const MatrixXd& X) {
  return F.transpose() * X + X * F - X * G * R.ldlt().solve(G.transpose() * X) + Q;
}

Regulator solve_riccati(const MatrixXd& F, const MatrixXd& G, const MatrixXd& Q, const MatrixXd& R) {
  const Eigen::Index n = F.rows();
  Regulator out;
  const MatrixXd S = G * R.ldlt().solve(G.transpose());
  // in units in which both sides weigh the same; X comes out in these units
  const double unit = S.norm() > 0.0 && Q.norm() > 0.0 ? std::sqrt(Q.norm() / S.norm()) : 1.0;
  MatrixXd H(2 * n, 2 * n);
  H << F, -unit * S, -Q / unit, -F.transpose();
  if (!H.allFinite()) {
    out.problem = "its matrices are not finite: check the weights of the inputs, which must be > 0";
    return out;
  }
  Eigen::ComplexSchur<MatrixXd> schur(H);
  MatrixXcd T = schur.matrixT(), U = schur.matrixU();
  const double slack = 1e-9 * std::max(F.norm(), 1e-300);
  const double nearest = T.diagonal().real().cwiseAbs().minCoeff();
  const Eigen::Index stable = sort_stable_first(T, U);
  if (stable != n || nearest < 1e-12 * H.norm()) {
    out.problem = unreachable(F, G, slack);
    if (out.problem.empty())
      out.problem = "the weights do not see a motion that does not die out by itself: give its angles a weight > 0";
    return out;
  }
  const Eigen::PartialPivLU<MatrixXcd> lu(U.topLeftCorner(n, n).transpose());
  MatrixXd X = unit * lu.solve(U.bottomLeftCorner(n, n).transpose()).transpose().real();
  for (int pass = 0; pass < 3; pass++) {  // Newton's steps take out the round-off of badly scaled problems
    X = (0.5 * (X + X.transpose())).eval();
    if (pass < 2) X += solve_lyapunov(F - S * X, riccati_residual(F, G, Q, R, X));
  }
  out.X = X;
  out.gain = R.ldlt().solve(G.transpose() * out.X);
  out.poles = (F - G * out.gain).eigenvalues();
  sort_slowest_first(out.poles);
  const double scale = Q.norm() + 2.0 * (F.transpose() * out.X).norm();
  const double error = riccati_residual(F, G, Q, R, out.X).norm();
  if (!(error < 1e-6 * scale) || !(out.poles(0).real() < 0.0)) {
    out.problem = unreachable(F, G, slack);
    if (out.problem.empty())
      out.problem = fmt::format(
          "its equation is too badly scaled: a residual of {:.1e} is left; use weights that "
          "are nearer to one another",
          error / scale);
  }
  return out;
}

}  // namespace sinew
