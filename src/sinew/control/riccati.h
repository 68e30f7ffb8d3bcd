// The linear regulator of least cost: for dr/dt = F r + G u it minimises the integral of r'Q r + u'R u.
//   F'X + X F - X G R^-1 G'X + Q = 0,   u = -gain r,   gain = R^-1 G'X            (softbot spec, section 8)
// X spans the stable invariant subspace of the Hamiltonian matrix [F, -G R^-1 G'; -Q, -F'].
#pragma once
#include <Eigen/Core>
#include <string>

namespace sinew {

struct Regulator {
  Eigen::MatrixXd X;       // symmetric, positive semidefinite
  Eigen::MatrixXd gain;    // one row per input
  Eigen::VectorXcd poles;  // eigenvalues of F - G gain, the slowest first [1/s]
  std::string problem;     // empty: solved; else why there is no such regulator, in words
};

// Q symmetric and positive semidefinite, R symmetric and positive definite.
Regulator solve_riccati(const Eigen::MatrixXd& F, const Eigen::MatrixXd& G, const Eigen::MatrixXd& Q,
                        const Eigen::MatrixXd& R);

// F'X + X F - X G R^-1 G'X + Q, which should be zero.
Eigen::MatrixXd riccati_residual(const Eigen::MatrixXd& F, const Eigen::MatrixXd& G, const Eigen::MatrixXd& Q,
                                 const Eigen::MatrixXd& R, const Eigen::MatrixXd& X);

}  // namespace sinew
