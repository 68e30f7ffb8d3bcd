#include "sinew/control/legs/step_chain.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"
#include "sinew/math/ramp.h"

namespace sinew::legged {
namespace {

constexpr int steps_ahead = 4;         // of a plan: what comes later moves the capture point by e^(-w t) of it
constexpr double still_part = 0.05;    // of a swing, at its begin and end: the foot goes up and down alone
constexpr double drop_rate_of = 25.0;  // with which hips go down for feet far apart [1/s]

Footprint middle_of(const Footprint& foot, int side, double half_width) {
  return beside(foot, 1 - side, half_width);  // the other way
}

// A stretch of a plan: p_X goes from P0 to P1, at a constant rate or as a foot swings.
struct CapturePiece {
  double T = 0.0, done = 0.0;
  Vec3d P0, P1;
  bool swings = false;
};

// xi at its begin, t after which it is `done`, with xi at its end:
//   xi(t) = e^(-w (T - t)) xi(T) + w int_t^T e^(-w (s - t)) p_X(s) ds
// where the integral of e^(-w s) f(s) is -e^(-w s) sum_j f^(j)(s) / w^(j + 1), for f a polynomial.
Vec3d capture_before_piece(const CapturePiece& piece, const Vec3d& xi_end, double w) {
  const double left = piece.T - piece.done, decay = math::exp(-w * left);
  const Vec3d way = piece.P1 - piece.P0;
  double share;
  if (!piece.swings) {
    const double rate = 1.0 / (w * piece.T);
    share = piece.done / piece.T + rate - decay * (1.0 + rate);
  } else {
    // derivatives of x^3 (10 - 15 x + 6 x^2), each over (w T)^j; at the end 1, 0, 0, 60, 360, 720
    const double x = piece.done / piece.T, u = 1.0 / (w * piece.T), y = 1.0 - x;
    const double d0 = x * x * x * (10.0 - x * (15.0 - 6.0 * x)), d1 = 30.0 * x * x * y * y;
    const double d2 = 60.0 * x * y * (1.0 - 2.0 * x), d3 = 60.0 - x * (360.0 - 360.0 * x), d4 = 720.0 * x - 360.0;
    const auto sum = [u](double a, double b, double c, double d, double e) {
      return a + u * (b + u * (c + u * (d + u * (e + u * 720.0))));
    };
    share = sum(d0, d1, d2, d3, d4) - decay * sum(1.0, 0.0, 0.0, 60.0, 360.0);
  }
  return xi_end * decay + piece.P0 * (1.0 - decay) + way * share;
}

}  // namespace

StepChainWalk::StepChainWalk(const BipedBody& body, const StepChainShape& shape, const CaptureFeedback& feedback,
                             double g)
    : body_(body), shape_(shape), feedback_(feedback), pendulum_(lumped_pendulum(body, shape.hip_height, g)) {}

Vec3d StepChainWalk::over_sole(const Footprint& foot, int side) const {
  const Vec3d at = foot.p + turned(foot.yaw, shape_.ahead, side == 0 ? -shape_.inward : shape_.inward);
  return {at[0], at[1], 0.0};
}

Vec3d StepChainWalk::over_both(const std::array<Footprint, 2>& foot) const {
  return (over_sole(foot[0], 0) + over_sole(foot[1], 1)) * 0.5;
}

// The way that a foot in the air has turned.
double StepChainWalk::yaw_of(const StepChain& c, int side) const {
  const double from = c.foot[std::size_t(side)].yaw;
  if (c.what() != ChainPhase::Swing || int(c.side) != side) return from;
  return swing_point({shape_.lift, 0.5, still_part}, {Vec3d::zero(), from}, {Vec3d::zero(), c.to.yaw}, c.t / c.T).yaw;
}

Vec3d StepChainWalk::ahead(const StepChain& c) const {
  return turned(0.5 * (yaw_of(c, 0) + yaw_of(c, 1)), pendulum_.b[0], pendulum_.b[1]);
}

Vec3d StepChainWalk::feet(const StepChain& c) const {
  Vec3d sum = Vec3d::zero();
  for (int side = 0; side < 2; side++) {
    const bool flies = c.what() == ChainPhase::Swing && int(c.side) == side;
    const Vec3d& p = flies ? c.at : c.foot[std::size_t(side)].p;
    sum += Vec3d(p[0], p[1], 0.0);
  }
  return sum;
}

SupportPolygon StepChainWalk::soles(const StepChain& c) const {
  std::array<Posed, 2> X;
  std::array<bool, 2> stands{};
  for (std::size_t side = 0; side < 2; side++) {
    X[side] = {{turned(c.foot[side].yaw, 1.0, 0.0), turned(c.foot[side].yaw, 0.0, 1.0), Vec3d(0.0, 0.0, 1.0)},
               c.foot[side].p};
    stands[side] = c.what() != ChainPhase::Swing || std::size_t(c.side) != side;
  }
  return soles_polygon(body_, X, stands);
}

void StepChainWalk::begin(StepChain& c) const {
  c.p = c.p_from = c.p_to = over_both(c.foot);
  c.X = c.xi = pendulum_.lumped(c.p, feet(c), ahead(c));
  c.V = Vec3d::zero();
}

void StepChainWalk::follow_twist(const WalkTwist& wanted, double dt, StepChain& c) const {
  const auto towards = [&](double& x, double to, double rate) { x += std::clamp(to - x, -rate * dt, rate * dt); };
  towards(c.twist.speed, wanted.speed, shape_.accel);
  towards(c.twist.left, wanted.left, shape_.accel);
  towards(c.twist.turn, wanted.turn, shape_.turn_accel);
}

bool StepChainWalk::is_closed(const std::array<Footprint, 2>& foot) const {
  const Footprint right = beside(middle_of(foot[0], 0, body_.hip_beside), 1, body_.hip_beside);
  const Vec3d off = right.p - foot[1].p;
  return dot(off, off) < 1e-6 && std::abs(right.yaw - foot[1].yaw) < 1e-3;
}

Footprint StepChainWalk::next_foothold(const std::array<Footprint, 2>& foot, int side, const WalkTwist& twist) const {
  const double T = shape_.step_time;
  const StepOrder order{2, twist.speed * T, twist.left * T, twist.turn * T, body_.hip_beside, side};
  const Footprint middle = middle_of(foot[std::size_t(1 - side)], 1 - side, body_.hip_beside);
  return beside(step_on(order, middle), side, body_.hip_beside);
}

void StepChainWalk::begin_shift(double T, bool closes, StepChain& c) const {
  c.phase = int(ChainPhase::Shift);
  c.t = 0.0;
  c.T = T;
  c.closes = closes ? 1.0 : 0.0;
  c.p_from = c.p_to;
  const int stands = 1 - int(c.side);
  c.p_to = closes ? over_both(c.foot) : over_sole(c.foot[std::size_t(stands)], stands);
}

void StepChainWalk::change_phase(StepChain& c) const {
  const double both = shape_.double_part * shape_.step_time;
  switch (c.what()) {
    case ChainPhase::Stand:
      if (c.twist.is_rest()) return;
      if (c.twist.left > 0.0 || c.twist.turn > 0.0) c.side = 0.0;  // the foot that can go there
      if (c.twist.left < 0.0 || c.twist.turn < 0.0) c.side = 1.0;
      begin_shift(shape_.step_time, false, c);
      return;
    case ChainPhase::Shift:
      c.t = 0.0;
      if (c.closes > 0.0) {
        c.phase = int(ChainPhase::Stand);
        return;
      }
      c.phase = int(ChainPhase::Swing);
      c.T = shape_.step_time - both;
      c.p_from = c.p_to;
      c.to = next_foothold(c.foot, int(c.side), c.twist);
      c.at = c.foot[std::size_t(c.side)].p;
      c.rate = c.accel = Vec3d::zero();
      return;
    case ChainPhase::Swing:
      c.foot[std::size_t(c.side)] = {c.at, c.to.yaw};
      c.side = 1.0 - c.side;
      begin_shift(both, c.twist.is_rest() && is_closed(c.foot), c);
  }
}

// The way of least jerk from where the foot is and how it moves to where it is told to land:
//   p + v t + a t^2 / 2 + c3 s^3 + c4 s^4 + c5 s^5,   s = t / T, at rest after T
void StepChainWalk::swing_foot(double dt, StepChain& c) const {
  const double T = c.T * (1.0 - still_part) - (c.t - dt), s = std::min(dt / T, 1.0);
  if (c.t - dt < c.T * still_part || T < 0.5 * dt) return;
  const Vec3d d = c.to.p - c.at, v = c.rate * T, a = c.accel * (T * T);
  const Vec3d c3 = d * 10.0 - v * 6.0 - a * 1.5, c4 = d * -15.0 + v * 8.0 + a * 1.5, c5 = d * 6.0 - v * 3.0 - a * 0.5;
  c.at += (v + a * (0.5 * s)) * s + (c3 + c4 * s + c5 * (s * s)) * (s * s * s);
  c.rate = (v + a * s + (c3 * 3.0 + c4 * (4.0 * s) + c5 * (5.0 * s * s)) * (s * s)) * (1.0 / T);
  c.accel = (a + (c3 * 6.0 + c4 * (12.0 * s) + c5 * (20.0 * s * s)) * s) * (1.0 / (T * T));
  c.at[2] = c.rate[2] = c.accel[2] = 0.0;
}

Vec3d StepChainWalk::capture_plan(const StepChain& now) const {
  std::array<CapturePiece, 4 * (steps_ahead + 2)> pieces;
  std::size_t n = 0;
  StepChain c = now;
  const auto add = [&](double begin, double T, const Vec3d& P0, const Vec3d& P1, bool swings) {
    pieces[n++] = {T, std::clamp(c.t - begin, 0.0, T), P0, P1, swings};
  };
  Vec3d last = pendulum_.lumped(over_both(c.foot), feet(c), ahead(c));
  for (int steps = 0; n + 4 <= pieces.size() && c.what() != ChainPhase::Stand;) {
    if (c.what() == ChainPhase::Swing) {
      StepChain from = c, to = c;
      from.at = c.foot[std::size_t(c.side)].p;
      from.t = 0.0;
      to.at = c.to.p;
      to.t = c.T;
      const Vec3d P0 = pendulum_.lumped(c.p_to, feet(from), ahead(from));
      const Vec3d P1 = pendulum_.lumped(c.p_to, feet(to), ahead(to));
      const double still = c.T * still_part;
      add(0.0, still, P0, P0, false);
      add(still, c.T - 2.0 * still, P0, P1, true);
      add(c.T - still, still, P1, P1, false);
      c.at = c.to.p;
      if (++steps == steps_ahead) c.twist = {};
    } else {
      const Vec3d sum = feet(c), front = ahead(c);
      add(0.0, c.T, pendulum_.lumped(c.p_from, sum, front), pendulum_.lumped(c.p_to, sum, front), false);
    }
    change_phase(c);
    last = pendulum_.lumped(over_both(c.foot), feet(c), ahead(c));
  }
  Vec3d xi = last;
  while (n-- > 0) xi = capture_before_piece(pieces[n], xi, pendulum_.w);
  return xi;
}

// The leg that is farthest from its foot says how high the hips can be.
double StepChainWalk::wanted_drop(const StepChain& c) const {
  const double most = 0.99 * (body_.leg.thigh + body_.leg.shank), yaw = 0.5 * (yaw_of(c, 0) + yaw_of(c, 1));
  const Vec3d hips = c.X - feet(c) * pendulum_.ratio;
  double drop = 0.0;
  for (int side = 0; side < 2; side++) {
    const bool flies = c.what() == ChainPhase::Swing && int(c.side) == side;
    const Vec3d off = (flies ? c.at : c.foot[std::size_t(side)].p) - hips -
                      turned(yaw, 0.0, side == 0 ? body_.hip_beside : -body_.hip_beside);
    const double d2 = off[0] * off[0] + off[1] * off[1];
    const double high = body_.ankle_height + std::sqrt(std::max(most * most - d2, 0.25 * most * most));
    drop = std::max(drop, shape_.hip_height - high);
  }
  return drop;
}

void StepChainWalk::advance(const WalkTwist& wanted, double dt, StepChain& c) const {
  follow_twist(wanted, dt, c);
  c.t += dt;
  if (c.what() == ChainPhase::Stand || c.t >= c.T - 0.5 * dt) change_phase(c);
  if (c.what() == ChainPhase::Swing) swing_foot(dt, c);
  const double w = pendulum_.w;
  c.xi = capture_plan(c);
  if (c.what() == ChainPhase::Stand) c.p_to = over_both(c.foot);
  const Vec3d p_plan = c.what() == ChainPhase::Shift ? c.p_from + (c.p_to - c.p_from) * (c.t / c.T) : c.p_to;
  const Vec3d sum = feet(c), front = ahead(c);
  const double share = pendulum_.A / pendulum_.m;
  // in points of the ground, where the soles are
  const CaptureAim aim{p_plan, c.xi * share, (c.X + c.V * (1.0 / w)) * share};
  c.p = capture_command(feedback_, soles(c), aim).p;
  const Vec3d accel = (c.X - pendulum_.lumped(c.p, sum, front)) * (w * w);
  c.X += c.V * dt + accel * (0.5 * dt * dt);
  c.V += accel * dt;
  c.drop_rate += (drop_rate_of * drop_rate_of * (wanted_drop(c) - c.drop) - 2.0 * drop_rate_of * c.drop_rate) * dt;
  c.drop += c.drop_rate * dt;
}

ChainMoment StepChainWalk::moment(const StepChain& c) const {
  ChainMoment m;
  const bool swings = c.what() == ChainPhase::Swing;
  const Vec3d sum = feet(c), front = ahead(c), none = Vec3d::zero();
  const Vec3d accel = (c.X - pendulum_.lumped(c.p, sum, front)) * (pendulum_.w * pendulum_.w);
  m.c = pendulum_.com(c.X, sum, front);
  m.v = pendulum_.com(c.V, swings ? c.rate : none, none);
  m.a = pendulum_.com(accel, swings ? c.accel : none, none);
  m.p = c.p;
  m.foot = c.foot;
  for (int side = 0; side < 2; side++) m.over[std::size_t(side)] = over_sole(c.foot[std::size_t(side)], side);
  m.drop = c.drop;
  if (!swings) return m;
  m.swings = int(c.side);
  m.part = std::clamp(c.t / c.T, 0.0, 1.0);
  m.left = c.T - c.t;
  const Footprint& from = c.foot[std::size_t(c.side)];
  const SwingShape shape{shape_.lift, 0.5, still_part};
  Footprint& foot = m.foot[std::size_t(c.side)];
  foot = swing_point(shape, from, c.to, m.part);
  foot.p[0] = c.at[0];
  foot.p[1] = c.at[1];
  return m;
}

}  // namespace sinew::legged
