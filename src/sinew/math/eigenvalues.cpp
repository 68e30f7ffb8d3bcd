#include "sinew/math/eigenvalues.h"

#include <Eigen/Eigenvalues>

namespace sinew {

double largest_real_part(int n, const double* A) {
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> map(A, n, n);
  return Eigen::EigenSolver<Eigen::MatrixXd>(map, false).eigenvalues().real().maxCoeff();
}

}  // namespace sinew
