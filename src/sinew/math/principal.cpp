#include "sinew/math/principal.h"

#include "sinew/math/eigenvalues.h"

namespace sinew {

Vec3d principal_moments(const Sym3d& I) {
  const std::vector<double> p =
      symmetric_modes(Matrix(3, 3, {I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz})).values;
  return {p[2], p[1], p[0]};
}

}  // namespace sinew
