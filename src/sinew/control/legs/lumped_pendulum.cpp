#include "sinew/control/legs/lumped_pendulum.h"

#include <cmath>

namespace sinew::legged {

LumpedPendulum lumped_pendulum(const BipedBody& body, double hip_height, double g) {
  const double leg = hip_height - body.ankle_height, length = body.leg.thigh + body.leg.shank;
  const double thigh = 1.0 - 0.5 * body.leg.thigh / length, shank = 0.5 * body.leg.shank / length;  // part of the hips
  const double z_thigh = body.ankle_height + thigh * leg, z_shank = body.ankle_height + shank * leg;
  LumpedPendulum out;
  out.m = body.mass();
  out.A = body.m_trunk + 2.0 * (body.m_thigh * thigh + body.m_shank * shank);
  out.B = body.m_thigh * (1.0 - thigh) + body.m_shank * (1.0 - shank) + body.m_foot;
  const double S = body.m_trunk * (hip_height + body.trunk_above) +
                   2.0 * (body.m_thigh * z_thigh * thigh + body.m_shank * z_shank * shank);
  const double R = body.m_thigh * z_thigh * (1.0 - thigh) + body.m_shank * z_shank * (1.0 - shank) +
                   body.m_foot * (body.ankle_height + body.foot_com()[2]);
  out.ratio = R / S;
  out.k = out.B - out.A * out.ratio;
  out.w = std::sqrt(g * out.A / S);
  // standing, with feet below the hips
  BothLegs q{};
  for (int side = 0; side < 2; side++) reach_for(body.leg, {Mat3d::identity(), Vec3d(0.0, 0.0, -leg)}, q[side]);
  out.b = Vec3d(out.m * mass_centre(body, q)[0], 0.0, 0.0);
  return out;
}

}  // namespace sinew::legged
