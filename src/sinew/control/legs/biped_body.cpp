#include "sinew/control/legs/biped_body.h"

namespace sinew::legged {

Posed ankle_pose(const BipedBody& body, int side, const SixAngles& q) {
  Posed X = foot_pose(body.leg, q);
  X.p += body.hip(side);
  return X;
}

Vec3d mass_centre(const BipedBody& body, const BothLegs& q) {
  Vec3d sum = Vec3d(0.0, 0.0, body.trunk_above) * body.m_trunk;
  for (int side = 0; side < 2; side++) {
    const Vec3d hip = body.hip(side), knee_at = hip + knee_point(body.leg, q[side]);
    const Posed foot = ankle_pose(body, side, q[side]);
    sum += (hip + knee_at) * (0.5 * body.m_thigh);
    sum += (knee_at + foot.p) * (0.5 * body.m_shank);
    sum += (foot * body.foot_com()) * body.m_foot;
  }
  return sum * (1.0 / body.mass());
}

std::array<Vec3d, 4> sole_corners(const BipedBody& body, const Posed& X) {
  const double b = 0.5 * body.sole_width, z = -body.ankle_height;
  return {X * Vec3d(body.toe, b, z), X * Vec3d(-body.heel, b, z), X * Vec3d(-body.heel, -b, z),
          X * Vec3d(body.toe, -b, z)};
}

SupportPolygon soles_polygon(const BipedBody& body, const std::array<Posed, 2>& X, const std::array<bool, 2>& stands) {
  std::array<Vec3d, 8> corners;
  int n = 0;
  for (int side = 0; side < 2; side++) {
    if (!stands[side]) continue;
    for (const Vec3d& corner : sole_corners(body, X[side])) corners[n++] = corner;
  }
  return polygon_of({corners.data(), std::size_t(n)});
}

Reach pose_biped(const BipedBody& body, const BipedAim& aim, Vec3d& p_WP, BothLegs& q) {
  // legs lag behind, so that the mass centre goes about 0.75 of the pelvis' way: with 1 / 0.75 little is left after a round
  constexpr int most_rounds = 40;
  constexpr double ahead = 1.3;
  Reach worst = Reach::Good;
  for (int round = 0; round < most_rounds; round++) {
    worst = Reach::Good;
    for (int side = 0; side < 2; side++) {
      const Posed X_WH{aim.R_WP, p_WP + aim.R_WP * body.hip(side)};
      const Reach reach = reach_for(body.leg, X_WH.inverse() * aim.X_WF[side], q[side]);
      if (reach != Reach::Good) worst = reach;
    }
    const Vec3d left = aim.c - (p_WP + aim.R_WP * mass_centre(body, q));
    if (!(dot(left, left) > 1e-20)) break;
    p_WP += left * ahead;
  }
  return worst;
}

}  // namespace sinew::legged
