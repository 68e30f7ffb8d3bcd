#include "sinew/control/legs/zmp.h"

namespace sinew::legged {

FootWrench leveled(const Mat3d& R, const FootWrench& wrench) { return {R * wrench.f, R * wrench.m}; }

Zmp zmp_of_wrench(const FootWrench& level, double h, double least) {
  const Vec3d &f = level.f, &m = level.m;
  if (!(f[2] > least)) return {};
  return {true, -(m[1] + h * f[0]) / f[2], (m[0] - h * f[1]) / f[2], f[2]};
}

Zmp joint_zmp(std::span<const Zmp> feet) {
  Zmp sum;
  for (const Zmp& foot : feet) {
    if (!foot.is_valid) continue;
    sum.x += foot.load * foot.x;
    sum.y += foot.load * foot.y;
    sum.load += foot.load;
  }
  if (!(sum.load > 0.0)) return {};
  return {true, sum.x / sum.load, sum.y / sum.load, sum.load};
}

Zmp zmp_of_motion(const CentroidalMotion& a, double least) {
  const double lift = a.c_dd[2] + a.g;
  if (!(a.mass * lift > least)) return {};
  return {true, a.c[0] - (a.c[2] * a.c_dd[0] + a.L_rate[1] / a.mass) / lift,
          a.c[1] - (a.c[2] * a.c_dd[1] - a.L_rate[0] / a.mass) / lift, a.mass * lift};
}

}  // namespace sinew::legged
