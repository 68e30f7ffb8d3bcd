#include "sinew/control/legs/biped_body.h"

#include <algorithm>

namespace sinew::legged {

Posed ankle_pose(const BipedBody& body, int side, const SixAngles& q) {
  Posed X = foot_pose(body.leg, q);
  X.p += body.hip(side);
  return X;
}

std::array<MassPoint, 7> mass_points(const BipedBody& body, const BothLegs& q) {
  std::array<MassPoint, 7> out;
  out[0] = {body.m_trunk, Vec3d(0.0, 0.0, body.trunk_above)};
  for (int side = 0; side < 2; side++) {
    const Vec3d hip = body.hip(side), knee_at = hip + knee_point(body.leg, q[side]);
    const Posed foot = ankle_pose(body, side, q[side]);
    out[1 + 3 * side] = {body.m_thigh, (hip + knee_at) * 0.5};
    out[2 + 3 * side] = {body.m_shank, (knee_at + foot.p) * 0.5};
    out[3 + 3 * side] = {body.m_foot, foot * body.foot_com()};
  }
  return out;
}

Vec3d mass_centre(const BipedBody& body, const BothLegs& q) {
  Vec3d sum = Vec3d::zero();
  for (const MassPoint& point : mass_points(body, q)) sum += point.p * point.m;
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

SixAngles balance_torques(const BipedBody& body, int side, const Posed& X_WP, const SixAngles& q, const FootPush& push,
                          double g) {
  const Vec3d down(0.0, 0.0, -g);
  return balance_torques(body, side, X_WP, q, push, LegPull{down, down, down});
}

SixAngles balance_torques(const BipedBody& body, int side, const Posed& X_WP, const SixAngles& q, const FootPush& push,
                          const LegPull& pull) {
  const Posed hip{X_WP.R, X_WP * body.hip(side)};
  const Posed foot = X_WP * ankle_pose(body, side, q);
  const Vec3d knee_at = hip * knee_point(body.leg, q);
  const SixAngles turned_only{q[six::yaw], 0.0, 0.0, 0.0, 0.0, 0.0};
  const Mat3d after_yaw = hip.R * hip_rotation(turned_only), thigh = hip.R * hip_rotation(q);
  struct Load {
    Vec3d at, f;
  };
  const std::array<Load, 4> loads{{{(hip.p + knee_at) * 0.5, pull[0] * body.m_thigh},
                                   {(knee_at + foot.p) * 0.5, pull[1] * body.m_shank},
                                   {foot * body.foot_com(), pull[2] * body.m_foot},
                                   {push.at, push.f}}};
  const std::array<Vec3d, six::count> axis{after_yaw.col(2), after_yaw.col(0), thigh.col(1),
                                           thigh.col(1),     thigh.col(1),     foot.R.col(0)};
  const std::array<Vec3d, six::count> origin{hip.p, hip.p, hip.p, knee_at, foot.p, foot.p};
  constexpr std::array<int, six::count> first{0, 0, 0, 1, 2, 2};  // load beyond the joint
  SixAngles torque;
  for (int j = 0; j < six::count; j++) {
    Vec3d moment = Vec3d::zero();
    for (std::size_t k = std::size_t(first[j]); k < loads.size(); k++)
      moment += cross(loads[k].at - origin[j], loads[k].f);
    torque[j] = -dot(axis[j], moment);
  }
  return torque;
}

SharedPush share_push(const Vec3d& f, const Vec3d& p, const std::array<Vec3d, 2>& a,
                      const std::array<bool, 2>& stands) {
  double part = stands[0] ? 1.0 : 0.0;  // of the left foot
  if (stands[0] && stands[1]) {
    const Vec3d way(a[0][0] - a[1][0], a[0][1] - a[1][1], 0.0);
    part = std::clamp(((p[0] - a[1][0]) * way[0] + (p[1] - a[1][1]) * way[1]) / dot(way, way), 0.0, 1.0);
  }
  const Vec3d shift = p - (a[0] * part + a[1] * (1.0 - part));  // both points move alike
  return {{{{f * part, a[0] + shift}, {f * (1.0 - part), a[1] + shift}}}};
}

}  // namespace sinew::legged
