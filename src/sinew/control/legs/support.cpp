// A quadratic program over the forces of all feet.
#include "sinew/control/legs/support.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/math/rotation.h"

namespace sinew::legged {
namespace {

constexpr int facets = 8;  // of the pyramid inside a friction cone

// Two directions of length 1 across the normal.
void tangents(const Vec3d& n, Vec3d& a, Vec3d& b) {
  SINEW_ASSERT(is_unit(n));
  const Vec3d other = std::abs(n[0]) < 0.7 ? Vec3d(1.0, 0.0, 0.0) : Vec3d(0.0, 1.0, 0.0);
  a = normalized(other - n * dot(n, other));
  b = cross(n, a);
}

void add_bounds(std::span<const Foothold> feet, SmallQp& qp) {
  for (std::size_t i = 0; i < feet.size(); i++) {
    const Foothold& foot = feet[i];
    const auto set = [&](int row, const Vec3d& direction) {
      for (int c = 0; c < 3; c++) qp.c[row][3 * i + c] = direction[c];
    };
    set(qp.add_row(foot.f_min), foot.normal);
    if (std::isfinite(foot.f_max)) set(qp.add_row(-foot.f_max), -foot.normal);
    Vec3d a, b;
    tangents(foot.normal, a, b);
    const double inside = foot.mu * math::cos(std::numbers::pi / facets);
    for (int k = 0; k < facets; k++) {
      const double angle = (2 * k + 1) * std::numbers::pi / facets;
      set(qp.add_row(0.0), foot.normal * inside - a * math::cos(angle) - b * math::sin(angle));
    }
  }
}

}  // namespace

SupportShare share_support(std::span<const Foothold> feet, const Vec3d& about, const BodyWrench& wanted, SmallQp& qp,
                           std::span<Vec3d> forces, const SupportWeights& weights) {
  const auto [eps, length] = weights;
  SINEW_CHECK(int(feet.size()) <= most_feet && forces.size() >= feet.size(), "share_support: ", feet.size(),
              " feet of at most ", most_feet, ", room for ", forces.size(), " forces");
  SINEW_ASSERT(eps > 0.0 && length > 0.0);
  const int n = 3 * int(feet.size());
  double A[6][3 * most_feet], b[6];
  for (int r = 0; r < 3; r++) {
    b[r] = wanted.f[r];
    b[3 + r] = wanted.n[r] / length;
  }
  for (int k = 0; k < n; k++) {
    Vec3d e = Vec3d::zero();
    e[k % 3] = 1.0;
    const Vec3d moment = cross(feet[k / 3].point - about, e);
    for (int r = 0; r < 3; r++) {
      A[r][k] = e[r];
      A[3 + r][k] = moment[r] / length;
    }
  }
  qp.n = n;
  qp.n_equal = qp.n_rows = 0;
  for (int i = 0; i < n; i++) {
    qp.g[i] = 0.0;
    for (int r = 0; r < 6; r++) qp.g[i] -= A[r][i] * b[r];
    for (int k = 0; k <= i; k++) {
      double sum = i == k ? eps : 0.0;
      for (int r = 0; r < 6; r++) sum += A[r][i] * A[r][k];
      qp.H[i][k] = qp.H[k][i] = sum;
    }
  }
  add_bounds(feet, qp);
  SupportShare out;
  out.found = n > 0 && qp.solve() == SmallQp::Status::Solved;
  Vec3d f = Vec3d::zero(), moment = f;
  for (std::size_t i = 0; i < feet.size(); i++) {
    for (int c = 0; c < 3; c++) forces[i][c] = out.found ? qp.x[3 * i + c] : 0.0;
    f += forces[i];
    moment += cross(feet[i].point - about, forces[i]);
  }
  for (int c = 0; c < 3; c++)
    out.missed = std::max({out.missed, std::abs(f[c] - wanted.f[c]), std::abs(moment[c] - wanted.n[c])});
  return out;
}

BodyWrench wanted_wrench(double mass, const Sym3d& I, double g, const BodyGoal& goal, const BodyState& s) {
  SINEW_ASSERT(mass > 0.0);
  const Vec3d a = goal.a + (goal.p - s.p) * goal.kp + (goal.v - s.v) * goal.kd + Vec3d(0.0, 0.0, g);
  const Vec3d theta = quaternion_log(to_quaternion(transpose_times(s.R, goal.R)));  // in the body's axes
  const Vec3d w = transpose_times(s.R, s.w), turn = theta * goal.turn_kp - w * goal.turn_kd;
  return {a * mass, s.R * (I * turn + cross(w, I * w))};
}

Vec3d leg_torques(const LegShape& leg, const LegPose& pose, const Mat3d& R, const Vec3d& force) {
  return -transpose_times(foot_jacobian(leg, pose), transpose_times(R, force));
}

}  // namespace sinew::legged
