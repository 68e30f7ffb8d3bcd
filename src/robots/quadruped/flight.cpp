#include "robots/quadruped/flight.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/math/butcher.h"
#include "sinew/math/elementary.h"
#include "sinew/math/ramp.h"

namespace sinew::legged {
namespace {

struct PlanarTail {
  double A, B, l2, t_r;
};
PlanarTail planar(const Walker::Composite& body, const TailShape& tail) {
  const double l = tail.length[0], mu = body.m * tail.tip / (body.m + tail.tip);
  const Vec3d rc = tail.root - body.com;
  const double rho = std::sqrt(rc[1] * rc[1] + rc[2] * rc[2]);
  return {body.I.xx / mu + rho * rho + l * l, 2.0 * rho * l, l * l, math::atan2(-rc[2], -rc[1])};
}

// Integral of 1/(A + B cos x) from 0, on the continuous branch.
double F(const PlanarTail& p, double x) {
  const double turns = std::round(x / (2.0 * std::numbers::pi)), rest = x - 2.0 * std::numbers::pi * turns;
  const double root = std::sqrt(p.A * p.A - p.B * p.B);
  return 2.0 / root *
         (math::atan(std::sqrt((p.A - p.B) / (p.A + p.B)) * math::tan(0.5 * rest)) + std::numbers::pi * turns);
}

WalkerState start_of(const Walker& walker, const std::array<LegAngles, 4>& legs) {
  WalkerState s;
  s.p = s.v = s.w = Vec3d::zero();
  s.R = Mat3d::identity();
  s.tail.assign(walker.tail_size(), 0.0);
  s.tail_rate.assign(walker.tail_size(), 0.0);
  s.mode.fill(LegMode::Locked);
  s.theta = legs;
  return s;
}

Quatd advance(const Quatd& Q, const Vec3d& turn) { return normalized(quaternion_exp(turn) * Q); }  // turn in S

// In the air: place, turn since the start of a step as a rotation vector in S, their velocities, the tail's first two angles and the
// work of its torques. Also the rates of all that.
struct Airborne {
  Vec3d p = Vec3d::zero(), turn = Vec3d::zero(), v = Vec3d::zero(), w = Vec3d::zero();
  std::array<double, 2> z{}, z_rate{};
  double work = 0.0;

  Airborne operator+(const Airborne& b) const {
    return {p + b.p,
            turn + b.turn,
            v + b.v,
            w + b.w,
            {z[0] + b.z[0], z[1] + b.z[1]},
            {z_rate[0] + b.z_rate[0], z_rate[1] + b.z_rate[1]},
            work + b.work};
  }
  Airborne operator*(double h) const {
    return {p * h, turn * h, v * h, w * h, {z[0] * h, z[1] * h}, {z_rate[0] * h, z_rate[1] * h}, work * h};
  }
};

// theta' = w - theta x w / 2 + ..., of which Runge-Kutta of order 4 needs the terms up to second order.
Vec3d turn_rate(const Vec3d& theta, const Vec3d& w) {
  return w - cross(theta, w) * 0.5 + cross(theta, cross(theta, w)) * (1.0 / 12.0);
}

// The turn over steps of dt with the angular velocity spin(t) in P: Magnus' method of order four on two Gauss points.
template <class Spin>
Quatd turn_by(const Spin& spin, int steps, double dt) {
  const double g = std::sqrt(3.0) / 6.0;
  Quatd Q = Quatd::identity();
  for (int i = 0; i < steps; i++) {
    const Vec3d a = spin((i + 0.5 - g) * dt), b = spin((i + 0.5 + g) * dt);
    const Vec3d turn = (a + b) * (0.5 * dt) + cross(a, b) * (std::sqrt(3.0) / 12.0 * dt * dt);
    Q = normalized(Q * quaternion_exp(turn));
  }
  return Q;
}

}  // namespace

double pitch_by_tail(const Walker::Composite& body, const TailShape& tail, double t0, double t1) {
  const PlanarTail p = planar(body, tail);
  return -0.5 * ((t1 - t0) + (2.0 * p.l2 - p.A) * (F(p, t1 - p.t_r) - F(p, t0 - p.t_r)));
}

double pitch_inertia(const Walker::Composite& body, const TailShape& tail, double ta) {
  const PlanarTail p = planar(body, tail);
  return body.m * tail.tip / (body.m + tail.tip) * (p.A + p.B * math::cos(ta - p.t_r));
}

// The slope has one sign as long as l > rho cos(..), which a longer tail than its lever guarantees; else the branch at 0 counts.
double tail_for_pitch(const Walker::Composite& body, const TailShape& tail, double pitch, double limit) {
  double low = -limit, high = limit;
  const auto miss = [&](double t) { return pitch_by_tail(body, tail, 0.0, t) - pitch; };
  if (!(miss(low) * miss(high) <= 0.0)) return std::numeric_limits<double>::quiet_NaN();
  const double sign = miss(low) > 0.0 ? 1.0 : -1.0;
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    (sign * miss(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Direction of the tail (sin a cos w, -cos a, -sin a sin w), then tb = asin(x), ta = atan2(-z, -y).
void ConePath::evaluate(double t, double* z, double* z_rate, double* z_accel) const {
  double a[3] = {alpha, 0.0, 0.0}, w[3] = {0.0, 0.0, 0.0};
  if (t < T[0]) {
    const auto [s, rate, accel] = ramp_at(t, T[0]);
    a[0] = alpha * s;
    a[1] = alpha * rate;
    a[2] = alpha * accel;
  } else if (t < T[0] + T[1]) {
    const auto [s, rate, accel] = ramp_at(t - T[0], T[1]);
    w[0] = psi * s;
    w[1] = psi * rate;
    w[2] = psi * accel;
  } else {
    const auto [s, rate, accel] = ramp_at(t - T[0] - T[1], T[2]);
    a[0] = alpha * (1.0 - s);
    a[1] = -alpha * rate;
    a[2] = -alpha * accel;
    w[0] = psi;
  }
  const double sa = math::sin(a[0]), ca = math::cos(a[0]), sw = math::sin(w[0]), cw = math::cos(w[0]);
  const double sa1 = ca * a[1], sa2 = ca * a[2] - sa * a[1] * a[1], ca1 = -sa * a[1],
               ca2 = -sa * a[2] - ca * a[1] * a[1];
  const double sw1 = cw * w[1], sw2 = cw * w[2] - sw * w[1] * w[1], cw1 = -sw * w[1],
               cw2 = -sw * w[2] - cw * w[1] * w[1];
  const double x = sa * cw, x1 = sa1 * cw + sa * cw1, x2 = sa2 * cw + 2.0 * sa1 * cw1 + sa * cw2;
  const double y = sa * sw, y1 = sa1 * sw + sa * sw1, y2 = sa2 * sw + 2.0 * sa1 * sw1 + sa * sw2;
  const double r2 = ca * ca + y * y, c = std::sqrt(r2);
  z[0] = math::atan2(y, ca);
  z[1] = math::asin(std::clamp(x, -1.0, 1.0));
  z_rate[0] = (ca * y1 - y * ca1) / r2;
  z_rate[1] = x1 / c;
  z_accel[0] = (ca * y2 - y * ca2 - 2.0 * z_rate[0] * (ca * ca1 + y * y1)) / r2;
  z_accel[1] = (x2 + x * z_rate[1] * z_rate[1]) / c;
}

ConeFlight fly_cone(const Quadruped& robot, const std::array<LegAngles, 4>& legs, const Quatd& Q, const ConePath& path,
                    double h) {
  Walker walker(robot);
  WalkerState s = start_of(walker, legs);
  const int steps = int(std::lround(path.duration() / h));
  const double dt = path.duration() / steps;
  ConeFlight out;
  Quatd attitude = normalized(Q);
  Airborne y;
  Vec3d start = Vec3d::zero();
  double z_accel[2], torque[2];
  const auto rate = [&](double t, const Airborne& at) {
    s.p = at.p;
    s.R = to_matrix(advance(attitude, at.turn));
    s.v = at.v;
    s.w = at.w;
    path.evaluate(t, s.tail.data(), s.tail_rate.data(), z_accel);
    walker.evaluate(s);
    Airborne k{.p = at.v, .turn = turn_rate(at.turn, at.w)};
    walker.carry_tail(z_accel, k.v, k.w, torque);
    return k;
  };
  for (int i = 0; i <= steps; i++) {
    const double t = i * dt;
    const Airborne k1 = rate(t, y);
    if (i == 0) start = walker.mass_centre();
    const Vec3d fall = start + Vec3d(0.0, 0.0, -0.5 * robot.g * t * t);
    out.momentum_drift = std::max(out.momentum_drift, norm(walker.angular_momentum()));
    out.com_error = std::max(out.com_error, norm(walker.mass_centre() - fall));
    for (int c = 0; c < 2; c++) out.peak[c] = std::max(out.peak[c], std::abs(torque[c]));
    out.drop = -y.p[2];
    out.com_drop = start[2] - walker.mass_centre()[2];
    if (i == steps) break;
    y = butcher::classical_step(y, k1, t, dt, rate);
    attitude = advance(attitude, y.turn);
    y.turn = Vec3d::zero();
  }
  out.Q = attitude;
  return out;
}

Quatd turn_by_cone(const Quadruped& robot, const std::array<LegAngles, 4>& legs, const ConePath& path, int steps) {
  Walker walker(robot);
  WalkerState s = start_of(walker, legs);
  double z_accel[2];
  const auto spin = [&](double t) {  // in P: R = 1
    path.evaluate(t, s.tail.data(), s.tail_rate.data(), z_accel);
    walker.evaluate(s);
    Vec3d v, w;
    walker.reconstruct(s.tail_rate, v, w);
    return w;
  };
  return turn_by(spin, steps, path.duration() / steps);
}

double pitch_by_path(const Quadruped& robot, const std::array<LegAngles, 4>& legs, double to, int steps) {
  Walker walker(robot);
  WalkerState s = start_of(walker, legs);
  s.tail_rate[0] = 1.0;
  if (robot.tail.kind == TailKind::Segments)
    for (std::size_t i = 2; i < s.tail_rate.size(); i += 2) s.tail_rate[i] = 1.0;
  const double d = to / steps, g = std::sqrt(3.0) / 6.0;
  double pitch = 0.0;
  for (int i = 0; i < steps; i++)
    for (const double side : {-g, g}) {
      for (std::size_t k = 0; k < s.tail.size(); k++) s.tail[k] = s.tail_rate[k] * (i + 0.5 + side) * d;
      walker.evaluate(s);
      Vec3d v, w;
      walker.reconstruct(s.tail_rate, v, w);
      pitch += 0.5 * d * w[0];
    }
  return pitch;
}

SwingFlight swing_tail(const Quadruped& robot, const std::array<LegAngles, 4>& legs, double to, double T, int steps) {
  Walker walker(robot);
  WalkerState s = start_of(walker, legs);
  std::vector<double> z_accel(s.tail.size(), 0.0), torque(s.tail.size());
  SwingFlight out;
  const auto spin = [&](double t) {
    const auto [part, rate, accel] = ramp_at(t, T);
    s.tail[1] = to * part;
    s.tail_rate[1] = to * rate;
    z_accel[1] = to * accel;
    s.v = s.w = Vec3d::zero();
    walker.evaluate(s);
    walker.reconstruct(s.tail_rate, s.v, s.w);
    const Vec3d w = s.w;
    walker.evaluate(s);
    Vec3d v_rate, w_rate;
    walker.carry_tail(z_accel, v_rate, w_rate, torque);
    out.peak = std::max(out.peak, std::abs(torque[1]));
    return w;
  };
  out.yaw = angles_of(to_matrix(turn_by(spin, steps, T / steps)))[2];
  return out;
}

TorqueFlight fly_torque(const Quadruped& robot, const std::array<LegAngles, 4>& legs, const TailDrive& drive, double T,
                        double h) {
  Walker walker(robot);
  WalkerState s = start_of(walker, legs);
  const int steps = int(std::lround(T / h));
  const double dt = T / steps;
  TorqueFlight out;
  FlightState& f = out.end;
  f.Q = Quatd::identity();
  WalkerTorques tau;
  tau.tail.assign(2, 0.0);
  std::vector<double> a(walker.tail_size() + 18);
  const auto rate = [&](double, const Airborne& at) {
    s.p = at.p;
    s.v = at.v;
    s.w = at.w;
    s.R = to_matrix(advance(f.Q, at.turn));
    Airborne k{.p = at.v, .turn = turn_rate(at.turn, at.w), .z = at.z_rate};
    for (int c = 0; c < 2; c++) {
      s.tail[c] = at.z[c];
      s.tail_rate[c] = at.z_rate[c];
      tau.tail[c] = drive.kp * (drive.goal[c] - at.z[c]) - drive.kd * at.z_rate[c];
      k.work += tau.tail[c] * at.z_rate[c];
    }
    walker.evaluate(s);
    walker.forward(tau, a);
    k.v = {a[0], a[1], a[2]};
    k.w = {a[3], a[4], a[5]};
    k.z_rate = {a[6], a[7]};
    return k;
  };
  Airborne y;
  walker.evaluate(s);
  const double start = walker.kinetic() + walker.potential();
  for (int i = 0; i < steps; i++) {
    y = butcher::classical_step(y, rate(0.0, y), 0.0, dt, rate);
    f.Q = advance(f.Q, y.turn);
    f.t += dt;
    y.turn = Vec3d::zero();
  }
  f.p = y.p;
  f.v = y.v;
  f.w = y.w;
  s.p = f.p;
  s.v = f.v;
  s.w = f.w;
  s.R = to_matrix(f.Q);
  f.tail.assign(y.z.begin(), y.z.end());
  f.tail_rate.assign(y.z_rate.begin(), y.z_rate.end());
  s.tail = f.tail;
  s.tail_rate = f.tail_rate;
  walker.evaluate(s);
  out.momentum = walker.angular_momentum();
  out.energy_defect = walker.kinetic() + walker.potential() - start - y.work;
  return out;
}

}  // namespace sinew::legged
