#include "robots/biped/walk_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/math/ramp.h"

namespace sinew::robots {

using namespace legged;

namespace {

constexpr double least_swing = 0.6;  // of static walking [s]
constexpr double stair_lean = 0.03;  // of the zero-moment point [m]
constexpr double rise_part = 0.4;    // of a swing, in which the trunk goes up or down a stair
constexpr double after = 2.0;        // it stands, at the end of a plan [s]

Posed level_foot(const BipedBody& body, const Footprint& print) {
  double s, c;
  sincos(print.yaw, s, c);
  return {{{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}}, print.p + Vec3d(0.0, 0.0, body.ankle_height)};
}

double zmp_at(const std::vector<ZmpStretch>& stretches, double t) {
  for (const ZmpStretch& s : stretches) {
    if (t < s.time) return s.from + (s.to - s.from) * (t / s.time);
    t -= s.time;
  }
  return stretches.back().to;
}

}  // namespace

BipedPlan::BipedPlan(const BipedBody& body, const BipedOrder& order, double weight)
    : body_(body), order_(order), asked_(order), weight_(weight) {
  double sine, cosine;
  sincos(order.slope, sine, cosine);
  const double g = weight * cosine;
  gravity_ = Vec3d(order.slope == 0.0 ? 0.0 : -weight * sine, 0.0, -g);
  for (int side = 0; side < 2; side++) foot_[side].p = body.hip(side);
  find_height();
  w_ = pendulum_rate(z_c_, g);
  uphill_ = z_c_ * sine / cosine;
  p_ = over_both();
  move_zmp(order.start, p_);
  add_span(order.start, -1, {});
  const StepOrder wanted{order.steps, order.length, order.left, order.turn, body.hip_beside, 1};
  const bool is_dynamic = BipedAction(order.action) == BipedAction::WalkDynamic;
  if (BipedAction(order.action) == BipedAction::WalkStatic)
    add_static(order.stairs.empty() ? plan_steps(wanted, {})
                                    : plan_stairs(order.length, body.hip_beside, order.stairs));
  if (is_dynamic) add_dynamic(plan_steps(wanted, {}));
  if (BipedAction(order.action) == BipedAction::Squat) end_ += 2.0 * order.squat_time;
  add_span(after, -1, {});
  move_zmp(end_ - (spans_.back().begin), p_);
  for (int axis = 0; axis < 2; axis++) {
    com_[axis].resize(zmp_[axis].size());
    plan_com(zmp_[axis], zmp_[axis].front().from, w_, com_[axis]);
  }
  if (is_dynamic) {
    order_.swing = {order.swing.lift, 0.5, 0.05};  // quick steps: all the time that there is
    run_preview(g);
  }
  if (problem_.empty()) check_joints();
}

BipedAim BipedPlan::aim_of(const BipedMoment& m) const {
  BipedAim aim;
  aim.c = m.c;
  aim.R_WP = level_foot(body_, {m.c, 0.5 * (m.foot[0].yaw + m.foot[1].yaw)}).R;
  for (int side = 0; side < 2; side++) aim.X_WF[side] = level_foot(body_, m.foot[side]);
  return aim;
}

// The foot in the air may lift its heel where its ankle ends: the controller keeps to the limits, and a foot that is not quite level clears the ground.
void BipedPlan::check_joints() {
  constexpr double heel_lift = 0.2;  // [rad]
  Vec3d p(0.0, 0.0, order_.hip_height);
  BothLegs q{};
  for (int k = 0; k * 0.05 < end_ && problem_.empty(); k++) {
    const double t = k * 0.05;
    const BipedMoment now = at(t);
    if (pose_biped(body_, aim_of(now), p, q) != Reach::Good)
      problem_ = fmt::format("the legs do not reach at {:g} s", t);
    for (int side = 0; side < 2 && problem_.empty(); side++) {
      SixJointLeg leg = body_.leg;
      if (now.swings == side) leg.low[six::ankle_pitch] -= heel_lift;
      if (const int j = first_beyond(leg, q[side]); j >= 0)
        problem_ =
            fmt::format("the {} of the {} leg would be at {:.3g} rad at {:g} s, its limits are {:g} and {:g}",
                        six_names[j], side == 0 ? "left" : "right", q[side][j], t, body_.leg.low[j], body_.leg.high[j]);
    }
  }
}

void BipedPlan::find_height() {
  Vec3d p(0.0, 0.0, order_.hip_height);
  BothLegs q{};
  for (int side = 0; side < 2; side++) {
    const Posed X_WH{Mat3d::identity(), p + body_.hip(side)};
    if (reach_for(body_.leg, X_WH.inverse() * level_foot(body_, foot_[side]), q[side]) != Reach::Good)
      problem_ = fmt::format("legs of {:g} m do not have hips at {:g} m", body_.leg.thigh + body_.leg.shank,
                             order_.hip_height);
  }
  z_c_ = p[2] + mass_centre(body_, q)[2];
}

Reach BipedPlan::stand(Vec3d& p_WP, BothLegs& q) const {
  const BipedMoment m = at(0.0);
  p_WP = Vec3d(m.c[0], m.c[1], order_.hip_height);
  return pose_biped(body_, aim_of(m), p_WP, q);
}

void BipedPlan::add_span(double time, int swings, const Footprint& to) {
  spans_.push_back({end_, time, swings, foot_, to});
  end_ += time;
  if (swings >= 0) foot_[swings] = to;
}

void BipedPlan::move_zmp(double time, const Vec3d& to) {
  for (int axis = 0; axis < 2; axis++) zmp_[axis].push_back({time, p_[axis], to[axis]});
  p_ = to;
}

// Over a sole, `beside` from the middle of the feet where they stand straight. Clamp method: with the margin s_min at least.
Vec3d BipedPlan::over_sole(const std::array<Footprint, 2>& foot, int side) const {
  const double inward = (side == 0 ? 1.0 : -1.0) * (order_.beside - body_.hip_beside), half = 0.5 * body_.sole_width;
  const double s = order_.s_min;
  const auto clamped = [](double x, double low, double high) {
    return low < high ? std::clamp(x, low, high) : 0.5 * (low + high);
  };
  const Vec3d at =
      turned(foot[side].yaw, clamped(order_.ahead, s - body_.heel, body_.toe - s), clamped(inward, s - half, half - s));
  return Vec3d(foot[side].p[0] + at[0], foot[side].p[1] + at[1], 0.0);
}

Vec3d BipedPlan::over_both() const {
  return (foot_[0].p + turned(foot_[0].yaw, order_.ahead, 0.0) + foot_[1].p + turned(foot_[1].yaw, order_.ahead, 0.0)) *
         0.5;
}

void BipedPlan::add_static(const std::vector<PlannedStep>& steps) {
  const auto shift_to = [&](const Vec3d& to) {
    const double time = std::max(norm(to - p_) / order_.shift_speed, 1e-3);
    move_zmp(time, to);
    add_span(time, -1, {});
    return time;
  };
  for (const PlannedStep& step : steps) {
    Vec3d over = over_sole(foot_, 1 - step.side);
    if (!order_.stairs
             .empty())  // towards the other foot, which is a stair away: where it comes from, or else where it goes
      over[0] += foot_[step.side].p[0] < foot_[1 - step.side].p[0] - 1e-6 ? -stair_lean : stair_lean;
    const double shift = shift_to(over);
    const double swing = order_.cycle - shift;
    if (swing < least_swing && problem_.empty())
      problem_ = fmt::format("a shift takes {:.3g} s of a cycle of {:g} s, a swing {:g} s at least", shift,
                             order_.cycle, least_swing);
    move_zmp(std::max(swing, least_swing), p_);
    add_span(std::max(swing, least_swing), step.side, step.to);
  }
  shift_to(over_both());
}

void BipedPlan::add_dynamic(const std::vector<PlannedStep>& steps) {
  const double both = order_.double_part * order_.step_time, one = order_.step_time - both;
  for (std::size_t i = 0; i < steps.size(); i++) {
    const double time = i == 0 ? order_.step_time : both;
    move_zmp(time, over_sole(foot_, 1 - steps[i].side));
    add_span(time, -1, {});
    move_zmp(one, p_);
    add_span(one, steps[i].side, steps[i].to);
  }
  move_zmp(order_.step_time, over_both());
  add_span(order_.step_time, -1, {});
}

namespace {

// Preview control of a reference that is known to its end, from rest on its first number: n samples.
std::vector<CartState> previewed(const CartTable& cart, const PreviewGains& gains, const std::vector<double>& p,
                                 int n) {
  std::vector<CartState> out;
  CartState s;
  s.x = p[0];
  s.sum = -gains.G_x[0] * p[0] / gains.G_i;  // the jerk of a constant reference is none
  for (const double d : gains.G_d) s.sum -= d * p[0] / gains.G_i;
  for (int k = 0; k < n; k++) {
    choose_jerk(cart, gains, {p.data() + k, gains.G_d.size() + 1}, s);
    out.push_back(s);
    s = cart_after(s, cart.T);
  }
  return out;
}

}  // namespace

// By how much the angular momentum of legs that swing moves the zero-moment point from that of the cart: p = p_cart + (-L_y', L_x') / (m g).
std::array<std::vector<double>, 2> BipedPlan::off_by_momentum(int n, double g) const {
  std::vector<std::array<MassPoint, 7>> points;
  Vec3d p(0.0, 0.0, order_.hip_height);
  BothLegs q{};
  for (int k = 0; k < n; k++) {
    const BipedMoment m = at(k * cart_.T);
    const BipedAim aim = aim_of(m);
    pose_biped(body_, aim, p, q);
    points.push_back(mass_points(body_, q));
    for (MassPoint& point : points.back()) point.p = p + aim.R_WP * point.p - m.c;
  }
  std::vector<Vec3d> L(n, Vec3d::zero());
  for (int k = 1; k + 1 < n; k++)
    for (int i = 0; i < 7; i++)
      L[k] += cross(points[k][i].p, points[k + 1][i].p - points[k - 1][i].p) * (0.5 * points[k][i].m / cart_.T);
  std::array<std::vector<double>, 2> off{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  for (int k = 2; k + 2 < n; k++) {
    const Vec3d rate = (L[k + 1] - L[k - 1]) * (0.5 / cart_.T);
    off[0][k] = -rate[1] / (body_.mass() * g);
    off[1][k] = rate[0] / (body_.mass() * g);
  }
  return off;
}

void BipedPlan::run_preview(double g) {
  cart_.z_c = z_c_;
  cart_.g = g;
  const PreviewGains gains = preview_gains(cart_);
  if (!gains.problem.empty()) {
    problem_ = gains.problem;
    return;
  }
  const int n = int(std::ceil(end_ / cart_.T)) + 1;
  std::array<std::vector<double>, 2> p;
  for (int axis = 0; axis < 2; axis++) {
    for (int k = 0; k < n + cart_.horizon; k++) p[axis].push_back(zmp_at(zmp_[axis], double(k) * cart_.T));
    carts_[axis] = previewed(cart_, gains, p[axis], n);
  }
  for (int round = 0; round < 2; round++) {  // the mass centre that this moves changes the momentum a little
    const std::array<std::vector<double>, 2> off = off_by_momentum(n, g);
    for (int axis = 0; axis < 2; axis++) {
      std::vector<double> wanted = p[axis];
      for (int k = 0; k < n; k++) wanted[k] -= off[axis][k];
      carts_[axis] = previewed(cart_, gains, wanted, n);
    }
  }
}

// The ground that the mass centre keeps its height over: the lower foot's. It changes while one foot is in the air.
double BipedPlan::floor_at(const Span& span, double part) const {
  const double before = std::min(span.from[0].p[2], span.from[1].p[2]);
  if (span.swings < 0) return before;
  const double after = std::min(span.from[1 - span.swings].p[2], span.to.p[2]);
  // up at the begin of a swing, so that the foot that follows need not be drawn up as far; down before it comes down
  const double share =
      after > before ? ramp_at(part, rise_part).value : ramp_at(part - 0.5 * rise_part, rise_part).value;
  return before + (after - before) * share;
}

BipedMoment BipedPlan::at(double t) const {
  BipedMoment m;
  for (int axis = 0; axis < 2; axis++) {
    const ComPoint point = com_at(com_[axis], t, w_);
    m.c[axis] = point.x;
    m.v[axis] = point.v;
    m.a[axis] = point.a;
    m.p[axis] = point.p;
    if (carts_[axis].empty()) continue;
    const int k = std::clamp(int(t / cart_.T), 0, int(carts_[axis].size()) - 1);
    const CartState s = cart_after(carts_[axis][k], std::clamp(t - k * cart_.T, 0.0, cart_.T));
    m.c[axis] = s.x;
    m.v[axis] = s.v;
    m.a[axis] = s.a;
  }
  m.c[0] += uphill_;
  m.c[2] = z_c_;
  if (BipedAction(order_.action) == BipedAction::Squat) {
    const double T = order_.squat_time, s = t - order_.start;
    m.c[2] -= order_.squat_depth * (ramp_at(s, T).value - ramp_at(s - T, T).value);
  }
  std::size_t i = 0;
  while (i + 1 < spans_.size() && t >= spans_[i + 1].begin) i++;
  const Span& span = spans_[i];
  m.foot = span.from;
  for (int side = 0; side < 2; side++) m.over[side] = over_sole(span.from, side);
  for (int side = 0; side < 2; side++) m.height[side] = m.foot[side].p[2];
  const double part = std::clamp((t - span.begin) / span.time, 0.0, 1.0), floor = floor_at(span, part);
  m.c[2] += floor;
  m.p[2] = floor;
  m.stands = m.foot;
  if (span.swings < 0) return m;
  m.swings = span.swings;
  m.part = part;
  m.left = span.begin + span.time - t;
  m.foot[span.swings] = swing_point(order_.swing, span.from[span.swings], span.to, m.part);
  m.height[span.swings] = m.foot[span.swings].p[2];
  m.stands[span.swings] = m.foot[span.swings];
  return m;
}

}  // namespace sinew::robots
