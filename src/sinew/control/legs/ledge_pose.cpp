#include "sinew/control/legs/ledge_pose.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::legged {
namespace {

constexpr double soft_reach = 0.01, soft_joint = 0.08, soft_room = 0.015, soft_margin = 0.015;  // [m, rad, m, m]

bool has_row(unsigned rows, int row) { return (rows >> row & 1u) != 0; }

}  // namespace

bool share_rows(const std::array<double, ledge_rows>& x, unsigned carries, double com, double weight,
                std::array<double, ledge_rows>& F) {
  F.fill(0.0);
  for (unsigned left = carries; left != 0;) {
    double n = 0.0, sx = 0.0, sxx = 0.0;
    for (int i = 0; i < ledge_rows; i++) {
      if (!has_row(left, i)) continue;
      n += 1.0;
      sx += x[i];
      sxx += x[i] * x[i];
    }
    const double det = n * sxx - sx * sx;
    if (!(det > 1e-12)) return false;
    const double a = weight * (sxx - sx * com) / det, b = weight * (n * com - sx) / det;
    int worst = -1;
    for (int i = 0; i < ledge_rows; i++) {
      F[i] = has_row(left, i) ? a + b * x[i] : 0.0;
      if (F[i] < 0.0 && (worst < 0 || F[i] < F[worst])) worst = i;
    }
    if (worst < 0) return true;
    if (n < 2.5) return false;
    left &= ~(1u << worst);
  }
  return false;
}

struct LedgeJudge::Score {
  LedgeVerdict out;
  std::array<Vec3d, ledge_rows> q{};  // of the left legs
  // of a condition with a unit: it has `slack`, needs `hard` and is content with `hard + room`
  void need(LedgeLimit limit, int row, double slack, double hard, double room) {
    const double n = (slack - hard) / room;
    if (n < out.worst) {
      out.worst = n;
      out.limit = limit;
      out.row = row;
      out.lacking = hard - slack;
    }
    if (n >= 1.0) return;
    out.cost += (1.0 - n) * (1.0 - n) + (n < 0.0 ? 20.0 * n * n - 5.0 * n : 0.0);
  }
};

LedgeJudge::LedgeJudge(const SegmentedBody& body, const Ledge& ledge, const LedgePoseRules& rules)
    : body_(body), ledge_(ledge), rules_(rules) {
  SINEW_ASSERT(body.segments == ledge_rows);
  for (int i = 0; i < ledge_rows; i++) leg_[i] = body.leg_of(i);
}

double LedgeJudge::clearance(double x, double z) const {
  const double h = ledge_.height;
  if (x <= 0.0) return std::min(z, z < h ? -x : math::hypot(x, z - h));
  return z >= h ? z - h : -std::min(x, h - z);
}

namespace {

void place_all(const SegmentedBody& body, const LedgePose& pose, std::array<Posed, most_segments>& X_WB) {
  BodyPose p;
  p.hinge[0].pitch_up = pose.front;
  p.hinge[2].pitch_up = pose.rear;
  place_segments(body, p, X_WB);
  const Posed X_WR{robot_axes(0.0, pose.pitch, 0.0), Vec3d(pose.x, 0.0, pose.z)};
  for (int j = 0; j < ledge_rows; j++) X_WB[j] = {X_WR.R * X_WB[j].R, X_WR * X_WB[j].p};
}

}  // namespace

Vec3d LedgeJudge::to_segment(const LedgePose& pose, int row, const Vec3d& p) const {
  std::array<Posed, most_segments> X;
  place_all(body_, pose, X);
  return transpose_times(X[row].R, p - X[row].p);
}
Vec3d LedgeJudge::from_segment(const LedgePose& pose, int row, const Vec3d& p) const {
  std::array<Posed, most_segments> X;
  place_all(body_, pose, X);
  return X[row] * p;
}

LedgeVerdict LedgeJudge::judge(const LedgePose& pose, const LedgeAsk& ask) const {
  std::array<Posed, most_segments> X;
  place_all(body_, pose, X);
  Score score;
  judge_body(X, pose, score);
  judge_legs(pose, ask, X, score);
  judge_loads(ask, X, score);
  return score.out;
}

void LedgeJudge::judge_body(const std::array<Posed, most_segments>& X, const LedgePose& pose, Score& score) const {
  const double a = rules_.block_along, b = rules_.block_up;
  const Vec3d corner(0.0, 0.0, ledge_.height);
  double room = 1e9;
  for (int j = 0; j < ledge_rows; j++) {
    for (const double i : {-1.0, 1.0})
      for (const double k : {-1.0, 1.0}) {
        const Vec3d p = X[j] * Vec3d(i * a, 0.0, k * b);
        room = std::min(room, clearance(p[0], p[2]));
      }
    const Vec3d c = transpose_times(X[j].R, corner - X[j].p);  // the edge, beside the block
    const double dx = std::abs(c[0]) - a, dz = std::abs(c[2]) - b;
    room = std::min(room, dx > 0.0 && dz > 0.0 ? math::hypot(dx, dz) : std::max(dx, dz));
  }
  const Vec3d head = X[0] * Vec3d(body_.head_ahead, 0.0, 0.0);
  room = std::min(room, clearance(head[0], head[2]) - rules_.head_radius);
  score.need(LedgeLimit::Body, -1, room, rules_.body, soft_room);
  for (const double hinge : {pose.front, pose.rear})
    score.need(LedgeLimit::Joint, -1, rules_.hinge_most - std::abs(hinge), 0.0, 1e-3);
}

void LedgeJudge::judge_legs(const LedgePose&, const LedgeAsk& ask, const std::array<Posed, most_segments>& X,
                            Score& score) const {
  for (int row = 0; row < ledge_rows; row++) {
    const YawLeg& leg = leg_[row];
    if (has_row(ask.flies, row))
      score.need(LedgeLimit::Shank, row, clearance(ask.foot[row][0], ask.foot[row][2]) - body_.foot_radius, -0.003,
                 0.003);
    const int points = row != ask.above ? 1 : std::isfinite(ask.via_x) ? 3 : 2;
    for (int k = 0; k < points; k++) {
      const Vec3d& foot = ask.foot[row];
      const Vec3d p_W = k == 2 ? Vec3d(ask.via_x, foot[1], ask.via_z) : foot + Vec3d(0.0, 0.0, k * ask.lift);
      Vec3d p = to_leg(leg, transpose_times(X[row].R, p_W - X[row].p)), q = Vec3d::zero();
      const double out = math::hypot(p[0], p[1]), r = out - leg.l1, d = math::hypot(r, p[2]);
      const double most = 0.998 * (leg.l2 + leg.l3), least = 1.002 * std::abs(leg.l2 - leg.l3);
      const bool counts = !has_row(ask.ignores, row);
      if (counts) {
        score.need(LedgeLimit::Reach, row, most - d, 0.0, soft_reach);
        score.need(LedgeLimit::Reach, row, d - least, 0.0, soft_reach);
      }
      if (d > most || d < least) {  // as near as it comes, for the mass centre
        const double scale = d > 1e-9 ? std::clamp(d, least, most) / d : 0.0, turn = out > 1e-9 ? 1.0 / out : 0.0;
        const double rho = leg.l1 + r * scale;
        p = Vec3d(p[0] * turn * rho, p[1] * turn * rho, p[2] * scale);
      }
      if (reach_for(leg, p, q) != Reach::Good) q = Vec3d(0.0, 0.0, -1.5);
      if (k == 0) score.q[row] = q;
      if (!counts) continue;
      for (int a = 0; a < 3; a++)
        score.need(LedgeLimit::Joint, row, std::min(q[a] - leg.low[a], leg.high[a] - q[a]), rules_.joint, soft_joint);
      judge_shanks(row, X[row], q, score);
    }
  }
}

void LedgeJudge::judge_shanks(int row, const Posed& X_WB, const Vec3d& q, Score& score) const {
  const YawLegPoints points = points_of(leg_[row], q);
  const Vec3d knee = X_WB * from_leg(leg_[row], points.knee), foot = X_WB * from_leg(leg_[row], points.foot);
  double room = 1e9;
  for (const double s : {0.0, 0.25, 0.5, 0.75}) {
    const Vec3d p = knee + (foot - knee) * s;
    room = std::min(room, clearance(p[0], p[2]));
  }
  score.need(LedgeLimit::Shank, row, room, rules_.shank, soft_reach);
}

void LedgeJudge::judge_loads(const LedgeAsk& ask, const std::array<Posed, most_segments>& X, Score& score) const {
  LedgeVerdict& out = score.out;
  const double m_leg = body_.leg.mass(), head_x = (X[0] * Vec3d(body_.head_ahead, 0.0, 0.0))[0];
  std::array<double, ledge_rows> moment{}, x{};  // of a segment with its legs: sum of m x
  double sum = body_.m_head * head_x;
  for (int row = 0; row < ledge_rows; row++) {
    const Vec3d legs = X[row] * from_leg(leg_[row], mass_moment(leg_[row], score.q[row]) * (1.0 / m_leg));
    moment[row] = body_.m_segment * X[row].p[0] + 2.0 * m_leg * legs[0];
    sum += moment[row];
    x[row] = ask.foot[row][0];
  }
  out.com = sum / body_.mass();
  double low = 1e9, high = -1e9;
  for (int row = 0; row < ledge_rows; row++)
    if (has_row(ask.carries, row)) {
      low = std::min(low, x[row]);
      high = std::max(high, x[row]);
    }
  out.margin = std::min(out.com - low, high - out.com);
  score.need(LedgeLimit::Margin, -1, out.margin, rules_.s_min, soft_margin);
  if (std::isfinite(ask.low)) score.need(LedgeLimit::Window, -1, out.com - ask.low, 0.0, 0.004);
  if (std::isfinite(ask.high)) score.need(LedgeLimit::Window, -1, ask.high - out.com, 0.0, 0.004);
  share_rows(x, ask.carries, std::clamp(out.com, low, high), 0.5 * body_.mass() * rules_.g, out.force);
  for (int row = 0; row < ledge_rows; row++) {
    if (!has_row(ask.carries, row)) continue;
    if (has_row(ask.loaded, row)) score.need(LedgeLimit::Load, row, out.force[row], ask.load, 0.3);
    const YawLeg turned{.outward = leg_[row].outward};
    const Vec3d f = to_leg(turned, transpose_times(X[row].R, Vec3d(0.0, 0.0, out.force[row])));
    const Vec3d torque = force_torques(leg_[row], score.q[row], f);
    for (int a = 0; a < 3; a++) {
      const double most = a == 2 ? rules_.knee_limit : rules_.torque_limit;
      out.torque = std::max(out.torque, std::abs(torque[a]) / most);
      score.need(LedgeLimit::Torque, row, rules_.part * most - std::abs(torque[a]), 0.0, 0.1 * most);
    }
  }
  const double m = body_.m_segment + 2.0 * m_leg;
  const double at_front = (X[0] * Vec3d(-body_.l_bs, 0.0, 0.0))[0], at_rear = (X[2] * Vec3d(body_.l_bs, 0.0, 0.0))[0];
  const double front = 2.0 * out.force[0] * (x[0] - at_front) -
                       rules_.g * (moment[0] - m * at_front + body_.m_head * (head_x - at_front));
  const double rear = 2.0 * out.force[2] * (x[2] - at_rear) - rules_.g * (moment[2] - m * at_rear);
  out.hinge = std::max(std::abs(front), std::abs(rear));
  if (!rules_.rigid)
    score.need(LedgeLimit::Hinge, -1, rules_.part * rules_.hinge_limit - out.hinge, 0.0, 0.1 * rules_.hinge_limit);
}

namespace {

constexpr int n_free = 7;
constexpr std::array<double, n_free> first_steps{0.04, 0.04, 0.15, 0.25, 0.25, 0.04, 0.02};

}  // namespace

// Steps along axes and along fixed oblique directions, halved when none is better.
LedgeVerdict LedgeJudge::find(const Wish& wish, LedgePose& pose, LedgeAsk& ask) const {
  using Point = std::array<double, n_free>;
  const bool steps = wish.row >= 0;
  const auto pose_of = [&](const Point& p) {
    return LedgePose{p[0], p[1], p[2], rules_.rigid ? 0.0 : p[3], rules_.rigid ? 0.0 : p[4]};
  };
  LedgeVerdict verdict;
  const auto cost_of = [&](Point& p, LedgeVerdict& v) {
    if (steps) {
      p[5] = std::clamp(p[5], wish.low, wish.high);
      p[6] = std::clamp(p[6], 0.17, 0.27);
      ask.foot[wish.row][0] = p[5];
      ask.foot[wish.row][1] = p[6];
    }
    v = judge(pose_of(p), ask);
    const LedgePose& n = wish.near;
    const double dx = (p[0] - n.x) / 0.1, dz = (p[1] - n.z) / 0.1, dp = (p[2] - n.pitch) / 0.4,
                 df = (p[3] - n.front) / 0.6, dr = (p[4] - n.rear) / 0.6;
    double cost = v.cost + wish.keep * (dx * dx + dz * dz + dp * dp + df * df + dr * dr);
    if (steps)
      cost += wish.draw * std::abs(p[5] - wish.want) / 0.05 + 0.2 * std::abs(p[6] - body_.neutral_out()) / 0.05;
    return cost;
  };
  Point best{pose.x,
             pose.z,
             pose.pitch,
             pose.front,
             pose.rear,
             steps ? ask.foot[wish.row][0] : 0.0,
             steps ? ask.foot[wish.row][1] : 0.0};
  double least = cost_of(best, verdict);
  unsigned random = 12345u;
  for (double scale = 1.0; scale > 0.004;) {
    bool better = false;
    for (int k = 0; k < 2 * n_free + 24; k++) {
      Point p = best;
      for (int i = 0; i < n_free; i++) {
        random = random * 1664525u + 1013904223u;
        const double oblique = (double(random >> 8) / 8388608.0 - 1.0);
        p[i] += scale * first_steps[i] * (k < 2 * n_free ? (k / 2 == i ? (k % 2 == 0 ? 1.0 : -1.0) : 0.0) : oblique);
      }
      LedgeVerdict v;
      const double cost = cost_of(p, v);
      if (!(cost < least - 1e-9)) continue;
      better = true;
      least = cost;
      best = p;
      verdict = v;
    }
    if (!better) scale *= 0.5;
  }
  cost_of(best, verdict);
  pose = pose_of(best);
  return verdict;
}

}  // namespace sinew::legged
