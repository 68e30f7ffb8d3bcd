// Angles by triangles and half angles, which keep their digits near the stretched and the folded leg.
#include "sinew/control/legs/leg.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::legged {
namespace {

Vec3d along(double length, const SinCos<double>& ha, const SinCos<double>& h) {
  return Vec3d(-ha.sin * h.cos, -h.sin, -ha.cos * h.cos) * length;
}

SinCos<double> sincos_of(double angle) {
  SinCos<double> a;
  sincos(angle, a.sin, a.cos);
  return a;
}

// Sine and cosine of x + sign y.
SinCos<double> sum_of(const SinCos<double>& x, const SinCos<double>& y, double sign) {
  return {x.sin * y.cos + sign * x.cos * y.sin, x.cos * y.cos - sign * x.sin * y.sin};
}

}  // namespace

LegPose pose_of(const LegShape& leg, const LegAngles& angles) {
  LegPose pose;
  pose.ha = sincos_of(angles.ha);
  pose.hb = sincos_of(angles.hb);
  pose.k = sincos_of(angles.k);
  pose.g = sum_of(pose.hb, {pose.k.sin, -pose.k.cos}, leg.knee);  // kappa = pi - k
  pose.b = along(leg.l_th, pose.ha, pose.hb);
  pose.c = along(leg.l_sh, pose.ha, pose.g);
  pose.s = pose.b + pose.c;
  pose.rho = leg.l_th * pose.hb.cos + leg.l_sh * pose.g.cos;
  return pose;
}

// hb = gamma - sigma psi (docs/theory/quadruped.md#legs); gamma and psi are angles of triangles whose sides are known.
LegPose reach_for(const LegShape& leg, const Vec3d& s) {
  SINEW_ASSERT(leg.l_th > 0.0 && leg.l_sh > 0.0 && std::abs(leg.knee) == 1.0);
  LegPose pose;
  const double ss = dot(s, s), sum = leg.l_th + leg.l_sh, difference = leg.l_th - leg.l_sh;
  const double rho2 = s[0] * s[0] + s[2] * s[2];
  const double to_far = sum * sum - ss, to_near = ss - difference * difference;
  pose.s = s;
  pose.reach = !(to_far > 0.0) ? Reach::TooFar : !(to_near > 0.0) ? Reach::TooNear : Reach::Good;
  if (pose.reach == Reach::Good && !(rho2 > 1e-24 * ss)) pose.reach = Reach::OnAxis;
  if (pose.reach != Reach::Good) {
    pose.ha = pose.hb = pose.g = pose.k = {0.0, 1.0};
    pose.b = pose.c = Vec3d::zero();
    return pose;
  }
  const double length = std::sqrt(ss), rho = std::sqrt(rho2);
  const double twice = 2.0 * leg.l_th * leg.l_sh;
  const SinCos<double> kappa{std::sqrt(to_far * to_near) / twice,
                             (ss - leg.l_th * leg.l_th - leg.l_sh * leg.l_sh) / twice};
  const double per_length = 1.0 / length, per_rho = 1.0 / rho;
  const SinCos<double> gamma{-s[1] * per_length, rho * per_length};
  const SinCos<double> psi{leg.l_sh * kappa.sin * per_length, (leg.l_th + leg.l_sh * kappa.cos) * per_length};
  pose.rho = rho;
  pose.ha = {-s[0] * per_rho, -s[2] * per_rho};
  pose.hb = sum_of(gamma, psi, -leg.knee);
  pose.g = sum_of(pose.hb, kappa, leg.knee);
  pose.k = {kappa.sin, -kappa.cos};
  pose.b = along(leg.l_th, pose.ha, pose.hb);
  pose.c = s - pose.b;
  return pose;
}

// Near the stretched and the folded leg the halves of kappa keep their digits where an arcus cosine would not.
LegAngles angles_of(const LegShape& leg, const LegPose& pose) {
  const Vec3d& s = pose.s;
  const double ss = dot(s, s), sum = leg.l_th + leg.l_sh, difference = leg.l_th - leg.l_sh;
  const double kappa = 2.0 * math::atan2(std::sqrt(std::max(0.0, sum * sum - ss)),
                                         std::sqrt(std::max(0.0, ss - difference * difference)));
  const double psi = math::atan2(leg.l_sh * math::sin(kappa), leg.l_th + leg.l_sh * math::cos(kappa));
  const double gamma = math::atan2(-s[1], std::sqrt(s[0] * s[0] + s[2] * s[2]));
  return {math::atan2(-s[0], -s[2]), gamma - leg.knee * psi, std::numbers::pi - kappa};
}

BarTurn bar_turn(double length, const SinCos<double>& ha, const SinCos<double>& h) {
  return {Vec3d(-ha.cos * h.cos, 0.0, ha.sin * h.cos) * length, Vec3d(ha.sin * h.sin, -h.cos, ha.cos * h.sin) * length};
}

Vec3d bar_drift(double length, const SinCos<double>& ha, const SinCos<double>& h, double ha_rate, double h_rate) {
  const double square = ha_rate * ha_rate + h_rate * h_rate, twice = 2.0 * ha_rate * h_rate;
  return Vec3d(ha.sin * h.cos * square + ha.cos * h.sin * twice, h.sin * h_rate * h_rate,
               ha.cos * h.cos * square - ha.sin * h.sin * twice) *
         length;
}

Mat3d foot_jacobian(const LegShape& leg, const LegPose& pose) {
  const BarTurn thigh = bar_turn(leg.l_th, pose.ha, pose.hb), shank = bar_turn(leg.l_sh, pose.ha, pose.g);
  return {thigh.by_ha + shank.by_ha, thigh.by_h + shank.by_h, shank.by_h * -leg.knee};
}

namespace {

// Rows of d(ha, hb, k)/ds (docs/theory/quadruped.md#legs): with them j = rows j_s, j_s = [-1  z~].
struct JointRows {
  Vec3d ha, hb, k;
};
JointRows joint_rows(const LegShape& leg, const LegPose& pose) {
  SINEW_ASSERT(!(pose.rho <= 0.0));
  const double per_rho = 1.0 / pose.rho;
  JointRows rows;
  rows.ha = Vec3d(pose.s[2], 0.0, -pose.s[0]) * (per_rho * per_rho);
  rows.k = pose.s * (1.0 / (leg.l_th * leg.l_sh * pose.k.sin));
  rows.hb = (Vec3d(0.0, -1.0, 0.0) + rows.k * (leg.knee * leg.l_sh * pose.g.cos)) * per_rho;
  return rows;
}

// y^T j_s = (-y, y^T z~) and y^T z~ x = y . (z x x) = (y x z) . x
void to_plate(const Vec3d& y, const Vec3d& z, double* row) {
  const Vec3d turn = cross(y, z);
  for (int i = 0; i < 3; i++) {
    row[i] = -y[i];
    row[3 + i] = turn[i];
  }
}

}  // namespace

void hold_leg(const LegShape& leg, const PlateMotion& plate, const Vec3d& foot, HeldLeg& out) {
  const Vec3d z = transpose_times(plate.R, foot - plate.p);
  out.pose = reach_for(leg, z - leg.hip);
  if (out.pose.reach != Reach::Good) return;
  const LegPose& pose = out.pose;
  const Vec3d& s = pose.s;
  const Vec3d& w = plate.w;
  const JointRows rows = joint_rows(leg, pose);
  to_plate(rows.ha, z, out.j[ha]);
  to_plate(rows.hb, z, out.j[hb]);
  to_plate(rows.k, z, out.j[knee]);
  const Vec3d s_rate = cross(z, w) - plate.v;
  const Vec3d s0 = cross(w, s_rate) * -2.0 - cross(w, cross(w, z));
  const double ha_rate = dot(rows.ha, s_rate), hb_rate = dot(rows.hb, s_rate), k_rate = dot(rows.k, s_rate);
  const double g_rate = hb_rate - leg.knee * k_rate, per_rho = 1.0 / pose.rho;
  out.rate[ha] = ha_rate;
  out.rate[hb] = hb_rate;
  out.rate[knee] = k_rate;
  out.bias[ha] =
      (s[2] * s0[0] - s[0] * s0[2] - 2.0 * (s[0] * s_rate[0] + s[2] * s_rate[2]) * ha_rate) * (per_rho * per_rho);
  const double k0 =
      ((dot(s_rate, s_rate) + dot(s, s0)) / (leg.l_th * leg.l_sh) - pose.k.cos * k_rate * k_rate) / pose.k.sin;
  out.bias[knee] = k0;
  out.bias[hb] = (-s0[1] + leg.knee * leg.l_sh * pose.g.cos * k0 + leg.l_th * pose.hb.sin * hb_rate * hb_rate +
                  leg.l_sh * pose.g.sin * g_rate * g_rate) *
                 per_rho;
  out.turn = bar_turn(leg.l_th, pose.ha, pose.hb);
  const Vec3d x = leg.hip + pose.b;
  for (int i = 0; i < 6; i++)
    out.J_k[i] = point_column(x, i) + out.turn.by_ha * out.j[ha][i] + out.turn.by_h * out.j[hb][i];
  out.a_h0 = cross(w, cross(w, leg.hip));
  const Vec3d b_rate = out.turn.by_ha * ha_rate + out.turn.by_h * hb_rate;
  out.a_k0 = cross(w, cross(w, x)) + cross(w, b_rate) * 2.0 + out.turn.by_ha * out.bias[ha] +
             out.turn.by_h * out.bias[hb] + bar_drift(leg.l_th, pose.ha, pose.hb, ha_rate, hb_rate);
}

void row_rates(const LegShape& leg, const PlateMotion& plate, const Vec3d& foot, const HeldLeg& held,
               double j_rate[3][6]) {
  const LegPose& pose = held.pose;
  const Vec3d z = transpose_times(plate.R, foot - plate.p), &s = pose.s, &w = plate.w, &v = plate.v;
  const Vec3d s_rate = cross(z, w) - v;
  const double rho2 = pose.rho * pose.rho, kk = held.rate[knee], g_rate = held.rate[hb] - leg.knee * kk;
  // j_s' = [R^T w~, -R^T w~ (d-p)~ - R^T v~], here with its columns turned into P: [w~, -w~ z~ - v~]
  const auto s_row = [&](const Vec3d& y, bool rate, double* row) {
    if (!rate) return to_plate(y, z, row);
    const Vec3d a = cross(y, w), b = -cross(a, z) - cross(y, v);
    for (int i = 0; i < 3; i++) {
      row[i] = a[i];
      row[3 + i] = b[i];
    }
  };
  double part[4][6];
  s_row({s_rate[2], 0.0, -s_rate[0]}, false, part[0]);
  s_row({s[2], 0.0, -s[0]}, true, part[1]);
  s_row(s_rate, false, part[2]);
  s_row(s, true, part[3]);
  double y_row[6];
  s_row({0.0, 1.0, 0.0}, true, y_row);
  const double n_rate = -leg.l_th * pose.hb.sin * held.rate[hb] - leg.l_sh * pose.g.sin * g_rate;
  const double grow = 2.0 * (s[0] * s_rate[0] + s[2] * s_rate[2]);
  for (int i = 0; i < 6; i++) {
    j_rate[ha][i] = (part[0][i] + part[1][i] - grow * held.j[ha][i]) / rho2;
    j_rate[knee][i] =
        (part[2][i] + part[3][i]) / (leg.l_th * leg.l_sh * pose.k.sin) - pose.k.cos / pose.k.sin * kk * held.j[knee][i];
    j_rate[hb][i] =
        (-y_row[i] + leg.knee * leg.l_sh * (pose.g.cos * j_rate[knee][i] - pose.g.sin * g_rate * held.j[knee][i]) -
         n_rate * held.j[hb][i]) /
        pose.rho;
  }
}

}  // namespace sinew::legged
