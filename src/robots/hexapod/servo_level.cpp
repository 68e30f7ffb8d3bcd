#include "robots/hexapod/servo_level.h"

#include <algorithm>
#include <cmath>

namespace sinew::robots {

using namespace legged;

double approached(const GaitState& s, int i, double tick, double landing) {
  const GaitState::Leg& leg = s.leg[i];
  const double H = s.shape.height, up = leg.up, n = std::abs(up) / H;
  const bool comes_down = leg.ticks * tick >= 0.75 * leg.air_time - 1e-9 && leg.pause == 0.0;
  if (!comes_down || leg.lost != 0.0 || leg.tries > 0.0 || leg.search > 0.0 || n >= 1.0) return up;
  return up * (landing + (1.0 - landing) * n * (2.0 - n));
}

HexapodServo::HexapodServo(const HexapodControl& control, const SegmentedBody& body, const HexapodWiring& wiring,
                           double period)
    : c_(control), body_(body), wiring_(wiring), period_(period) {
  for (int i = 0; i < body.legs(); i++) {
    neutral_.push_back(body.neutral(i));
    leg_.push_back(body.leg_of(i));
  }
}

// Servo level. Ideal servos are those of the plan, which pull to `rest` with the same gains; what is commanded moves their aim to q_ref.
void HexapodServo::drive_leg(int i, const Vec3d& foot, const Readings& r, const Sight& see, HexapodMemory& m,
                             Input<double>& out) const {
  const HexapodWiring::Leg& w = wiring_.leg[i];
  const Posed& B = see.X[body_.segment_of(i)];
  const Mat3d R_GR = robot_axes(0.0, m.pitch + m.level_pitch, m.roll + m.level_roll);
  const Vec3d o(m.shift[0], m.shift[1], m.height);
  const Vec3d p_B = transpose_times(B.R, transpose_times(R_GR, foot - o) - B.p);
  Vec3d q_ref = m.q_ref[i];
  if (reach_for(leg_[i], to_leg(leg_[i], p_B), q_ref) != Reach::Good) m.unreached += 1.0;  // the last angles stay
  for (int a = 0; a < 3; a++) q_ref[a] = std::clamp(q_ref[a], leg_[i].low[a], leg_[i].high[a]);
  const YawLeg turned{.outward = leg_[i].outward};
  const Vec3d down = -to_leg(turned, transpose_times(B.R, transpose_times(R_GR, m.push[i])));
  const Vec3d push = force_torques(leg_[i], see.q[i], down);
  Vec3d given;
  for (int a = 0; a < 3; a++) {
    const int u = w.u[a];
    const double rate = (q_ref[a] - m.q_ref[i][a]) / period_, limit = a == 2 ? c_.knee_limit : c_.torque_limit;
    const double servo = c_.devices.are_real() ? 0.0 : c_.kp * (w.rest[a] - see.q[i][a]) - c_.kd * r.u[u];
    const double wanted = c_.kp * (q_ref[a] - see.q[i][a]) + c_.kd * (rate - r.u[u]) + push[a];
    given[a] = std::clamp(wanted, -limit, limit);
    out.torque[u] = c_.devices.are_real() ? braked(given[a], r.u[u]) : given[a] - servo;
  }
  m.q_ref[i] = q_ref;
  m.watch[std::size_t(i)].given = given;
  give_way(i, see, given, m);
}

Vec3d HexapodServo::walking_foot(int i, const HexapodMemory& m) const {
  const GaitState::Leg& foot = m.gait.leg[i];
  double along = foot.along, up = foot.up;
  if (foot.in_air != 0.0) {
    up = approached(m.gait, i, period_, c_.landing);
    round_corners(m.gait, i, along, up);
  }
  up += m.give[i] + m.sink[i];
  return foot_on_path(m.path, neutral_[i], m.anchor[i], along) + Vec3d(0.0, 0.0, up);
}

// The cycle jumps from one speed to the next, which no motor follows.
void HexapodServo::round_corners(const GaitState& s, int i, double& along, double& up) const {
  const GaitState::Leg& leg = s.leg[i];
  const double T = leg.air_time, t = leg.ticks * period_, w = std::min(c_.round_time, 0.1 * T);
  if (!(w > 0.0) || leg.pause > 0.0 || leg.tries > 0.0) return;
  const double v = leg.speed + (s.walk_mode() == WalkMode::Walk ? timing_of(s.shape).v_body : 0.0);
  along += rounding(t - 0.75 * T, -v, w);  // of the corner at a quarter the speed is not yet known
  up += rounding(t - 0.5 * T, -8.0 * s.shape.height / T, w);
}

// A motor that brakes has the losses of its gear on its side: the axis gets N k i / eta, where a motor that drives gives eta N k i.
double HexapodServo::braked(double torque, double speed) const {
  const double eta = c_.devices.efficiency;
  return torque * speed < 0.0 ? torque * eta * eta : torque;
}

// Compliance, from what the sensor says that the ground does; without one, from what the torques say.
void HexapodServo::give_way(int i, const Sight& see, const Vec3d& torques, HexapodMemory& m) const {
  Vec3d force = Vec3d::zero();
  if (!feels() && foot_force(leg_[i], see.q[i], torques, force)) m.felt[i] = force[2];
  const bool stands = m.gait.leg[i].in_air == 0.0;
  m.give[i] = c_.complies && !c_.clings && stands ? comply(c_.compliance, m.give[i], m.force[i], m.felt[i], period_)
                                                  : m.give[i] * (1.0 - std::min(1.0, period_ / 0.1));
}

// Hinges at their reference, the neck straight. Ideal servos pull to zero by themselves.
void HexapodServo::hold_body(const Readings& r, std::span<const double> pitch, Input<double>& out) const {
  const bool real = c_.devices.are_real();
  const auto hold = [&](const HexapodWiring::Hinge& h, double kp, double kd, double aim) {
    for (int a = 0; a < 2; a++) {
      const double wanted = a == 1 ? aim : 0.0;
      const double torque = kp * (wanted - r.q[h.q + a]) - kd * r.u[h.u + a];
      const double given = std::clamp(torque, -2.0 * c_.torque_limit, 2.0 * c_.torque_limit);
      out.torque[h.u + a] = real ? braked(given, r.u[h.u + a]) : kp * wanted;
    }
  };
  for (int s = 0; s < body_.segments; s++)
    if (s != body_.middle()) hold(wiring_.hinge[s], c_.hinge_kp, c_.hinge_kd, pitch[std::size_t(s)]);
  hold(wiring_.neck, c_.neck_kp, c_.neck_kd, 0.0);
}

}  // namespace sinew::robots
