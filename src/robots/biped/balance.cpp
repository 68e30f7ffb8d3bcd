#include "robots/biped/balance.h"

#include <algorithm>

namespace sinew::robots {

using namespace legged;

namespace {

constexpr double null_time = 0.4;         // [s]
constexpr double soft_time = 0.02;        // in which a foot begins to give way [s]
constexpr double untrusted_edge = 0.005;  // of a sole, that is not trusted [m]
constexpr double give_time =
    0.3;  // in which a foot in the air forgets how high the ground was, and the body finds its height [s]

double heading(const BipedMoment& m) { return 0.5 * (m.foot[0].yaw + m.foot[1].yaw); }

}  // namespace

void describe_balance(Keys& keys, bool elastic, BipedBalance& b) {
  const BipedBalance stiff;
  if (elastic && b.ankle_kp == stiff.ankle_kp) b.ankle_kp = 300.0;
  if (elastic && b.ankle_kd == stiff.ankle_kd) b.ankle_kd = 3.0;
  const Table table(keys, "balance", "of devices = \"real\": the capture point is fed back by the ankles");
  keys.flag({"on", "", "false: the plan alone is followed"}, b.is_on);
  keys.choice(
      {"by", "", "cascade: what carries the robot by virtual work, and servos; whole-body: one quadratic program"},
      balance_by_names, b.by);
  keys.number({"capture_k", "1", "of the capture point: errors decay with k times the pendulum's rate", positive},
              b.capture.k);
  keys.number({"inset", "m", "by which the zero-moment point stays inside of the soles", not_negative},
              b.capture.inset);
  keys.number({"slow", "1/s", "with which a lasting error of the zero-moment point is corrected", not_negative},
              b.capture.slow);
  keys.number({"slow_most", "m", "of that correction", not_negative}, b.capture.most);
  keys.flag({"footholds", "", "action \"commands\": they move where the soles are not enough"}, b.save.is_on);
  keys.number({"ankle_kp", "N m/rad", "stiffness of ankles whose foot carries", not_negative}, b.ankle_kp);
  keys.number({"ankle_kd", "N m s/rad", "their damping", not_negative}, b.ankle_kd);
  keys.number({"foot_damping", "N s/m", "of feet on the ground: too much load over the speed of giving way", positive},
              b.foot_damping);
  keys.number({"land_load", "N", "load at which a foot has landed", positive}, b.land_load);
  keys.number({"search", "m/s", "at which a foot that should stand goes down until it has", not_negative}, b.search);
  keys.number({"most_give", "m", "by which a foot may be higher or lower than planned", not_negative}, b.most_give);
  keys.number({"attitude_time", "s", "in which the attitude follows the accelerometers", positive}, b.attitude_time);
  keys.number({"com_rate", "1/s", "with which the mass centre follows the joint angles", positive}, b.com_rate);
}

BipedSense::BipedSense(const BipedBalance& balance, const BipedBody& body, const BipedWiring& wiring,
                       const Vec3d& gravity, const Times& times)
    : c_(balance), body_(body), wiring_(wiring), g_(gravity), period_(times.period), start_(times.start) {
  const Vec3d up = normalized(-gravity), y(0.0, 1.0, 0.0);
  slope_ = {cross(y, up), y, up};
}

Vec3d BipedSense::between_ankles(const Readings& r, double heading, const BipedMemory& m) const {
  std::array<SixAngles, 2> q;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < six::count; i++) q[side][i] = r.q[wiring_.leg[side].q[i]];
  return slope_ * upright_axes(m.up, heading) * (ankle_pose(body_, 1, q[1]).p - ankle_pose(body_, 0, q[0]).p);
}

// The plan's own acceleration is no tilt. While the robot stands before it begins, its trunk is upright: what the unit says besides is its null.
void BipedSense::follow_attitude(const Readings& r, const BipedMoment& now, BipedMemory& m) const {
  const double* s = r.sensor.data() + wiring_.inertial;
  const Vec3d rate(s[0], s[1], s[2]), specific(s[3], s[4], s[5]);
  const Vec3d moves = transpose_times(slope_ * upright_axes(m.up, heading(now)), Vec3d(now.a[0], now.a[1], 0.0));
  if (r.t > 2.0 * period_ && r.t < std::min(start_, null_time)) {
    m.nulled += 1.0;
    m.gyro_null += (rate - m.gyro_null) * (1.0 / m.nulled);
    m.accel_null += (specific - moves + g_ - m.accel_null) * (1.0 / m.nulled);
    return;
  }
  m.up = up_after(m.up, rate - m.gyro_null, specific - m.accel_null - moves, c_.attitude_time, period_);
}

// Of the ground on a foot, about the ankle, in level axes: what a sensor in the shank reads, and the weight of the foot.
FootWrench BipedSense::wrench_of(const Readings& r, int side, const BipedSight& see) const {
  const double* s = r.sensor.data() + wiring_.leg[side].force;
  const SixAngles& q = see.q[side];
  const Mat3d R_WF = see.R_WP * ankle_pose(body_, side, q).R;
  const FootWrench read{Vec3d(s[2], s[0], s[1]), Vec3d(s[5], s[3], s[4])};  // axes of the sensor: left, up, forward
  const SixAngles to_shank{q[six::yaw], q[six::roll], q[six::pitch] + q[six::knee], 0.0, 0.0, 0.0};
  FootWrench w = leveled(see.R_WP * hip_rotation(to_shank), read);
  const Vec3d weight = g_ * -body_.m_foot;
  w.f += weight;
  w.m += cross(R_WF * body_.foot_com(), weight);
  return w;
}

BipedSight BipedSense::look(const Readings& r, const BipedMoment& now, double w, BipedMemory& m) const {
  BipedSight see;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < six::count; i++) {
      see.q[side][i] = r.q[wiring_.leg[side].q[i]];
      see.u[side][i] = r.u[wiring_.leg[side].u[i]];
    }
  const bool is_first = dot(m.up, m.up) == 0.0;
  if (is_first) m.up = slope_.col(2);
  follow_attitude(r, now, m);
  see.R_WP = slope_ * upright_axes(m.up, heading(now));
  const double* gyro = r.sensor.data() + wiring_.inertial;
  see.rate = Vec3d(gyro[0], gyro[1], gyro[2]) - m.gyro_null;
  std::array<Zmp, 2> zmp;
  Vec3d f(0.0, 0.0, 0.0), y = Vec3d::zero();
  double sum = 0.0;
  for (int side = 0; side < 2; side++) {
    const FootWrench wrench = wrench_of(r, side, see);
    const Vec3d ankle = now.stands[side].p + Vec3d(0.0, 0.0, body_.ankle_height);
    m.load[side] = wrench.f[2];
    see.f[side] = wrench.f;
    zmp[side] = zmp_of_wrench(wrench, body_.ankle_height);
    zmp[side].x += ankle[0];
    zmp[side].y += ankle[1];
    if (r.saturated[std::size_t(wiring_.leg[side].force_sensor)] > 0.5) zmp[side].is_valid = false;
    // a foot in the air tells nothing of where the robot is
    const double carries = now.swings == side ? 0.0 : std::max(wrench.f[2], 1.0);
    y += (ankle + see.R_WP * (mass_centre(body_, see.q) - ankle_pose(body_, side, see.q[side]).p)) * carries;
    sum += carries;
    if (now.swings != side || wrench.f[2] > least_load) f += wrench.f;
  }
  y = y * (1.0 / sum);
  if (is_first) m.com = {y, Vec3d::zero()};
  const Vec3d accel = f * (1.0 / body_.mass()) + g_;
  m.com = com_after(m.com, y, accel, c_.com_rate, period_);
  m.xi = m.com.c + m.com.v * (1.0 / w);
  const Zmp both = joint_zmp(zmp);
  const bool is_told =
      both.is_valid && (zmp[0].is_valid || m.load[0] < least_load) && (zmp[1].is_valid || m.load[1] < least_load);
  if (is_told) m.zmp = Vec3d(both.x, both.y, 0.0);
  if (is_told && c_.is_on)
    for (int i = 0; i < 2; i++) m.slow[i] = slow_offset(c_.capture, m.slow[i], m.p[i] - m.zmp[i], period_);
  return see;
}

void BipedSense::command(const BipedMoment& now, const BipedAim& aim, double w, BipedMemory& m) const {
  m.p_ref = Vec3d(now.p[0], now.p[1], 0.0);
  m.xi_ref = now.c + now.v * (1.0 / w);
  m.p = m.p_ref;
  if (!c_.is_on) return;
  const SupportPolygon polygon = soles_polygon(body_, aim.X_WF, {now.swings != 0, now.swings != 1});
  m.p = capture_command(c_.capture, polygon, {m.p_ref, m.xi_ref, m.xi}).p;
  m.p[2] = 0.0;
}

// The ground pushes with f at (x, y) of the sole, h below the ankle: pitch x f_z + h f_x, roll -(y f_z + h f_y).
void BipedSense::keep_flat(const BipedSight& see, int side, SixAngles& torque) const {
  const Vec3d& f = see.f[side];
  if (!c_.is_on || f[2] < least_load) return;
  const double h = body_.ankle_height, wide = 0.5 * body_.sole_width - untrusted_edge;
  double& pitch = torque[six::ankle_pitch];
  double& roll = torque[six::ankle_roll];
  pitch = std::clamp(pitch, h * f[0] - (body_.heel - untrusted_edge) * f[2],
                     h * f[0] + (body_.toe - untrusted_edge) * f[2]);
  roll = std::clamp(roll, -h * f[1] - wide * f[2], -h * f[1] + wide * f[2]);
}

void BipedSense::comply(const BipedMoment& now, const std::array<double, 2>& wanted, BipedMemory& m) const {
  const double mean = now.swings >= 0 ? 0.0 : 0.5 * (m.give[0] + m.give[1]);  // the body keeps its height
  for (int side = 0; side < 2; side++) {
    const bool feels = m.load[side] > c_.land_load, misses = !feels && wanted[side] > c_.land_load;
    const double falls = (now.height[side] - m.height[side]) / period_;  // of the plan
    m.height[side] = now.height[side];
    if (!c_.is_on) continue;
    double rate = 0.0;
    if (now.swings != side) {
      m.landed[side] = 0.0;
      if (now.swings < 0)
        rate = (misses ? -c_.search : (m.load[side] - wanted[side]) / c_.foot_damping) - mean / give_time;
    } else {
      if (now.part > 0.5 && feels) m.landed[side] = 1.0;
      if (now.part <= 0.5) m.landed[side] = 0.0;
      rate = m.landed[side] > 0.0 ? m.load[side] / c_.foot_damping - falls : -m.give[side] / give_time;
    }
    m.give_rate[side] += (rate - m.give_rate[side]) * (period_ / soft_time);
    m.give[side] = std::clamp(m.give[side] + m.give_rate[side] * period_, -c_.most_give, c_.most_give);
  }
}

}  // namespace sinew::robots
