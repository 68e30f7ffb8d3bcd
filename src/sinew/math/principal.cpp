#include "sinew/math/principal.h"

#include <Eigen/Eigenvalues>

namespace sinew {

Vec3d principal_moments(const Sym3d& I) {
  Eigen::Matrix3d full;
  full << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::Vector3d p = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(full, Eigen::EigenvaluesOnly).eigenvalues();
  return {p[2], p[1], p[0]};
}

}  // namespace sinew
