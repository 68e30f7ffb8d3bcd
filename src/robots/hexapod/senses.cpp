#include "robots/hexapod/senses.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"

namespace sinew::robots {

using namespace legged;

namespace {

constexpr double up_time = 0.05;      // smoothing of the inclination [s]
constexpr double torque_time = 0.03;  // of forces by torques [s]
constexpr ContactRule torque_contact{.on = 8.0, .off = 2.0, .ticks = 15};

}  // namespace

HexapodSenses::HexapodSenses(const SegmentedBody& body, const HexapodWiring& wiring, const GaitGenerator& generator,
                             double weight, double period)
    : body_(body), wiring_(wiring), generator_(generator), weight_(weight), period_(period) {
  for (int i = 0; i < body.legs(); i++) leg_.push_back(body.leg_of(i));
}

// Angles, feet, mass centre, which way is up; forces of the feet.
void HexapodSenses::look(const Readings& r, HexapodMemory& m, Sight& see) const {
  BodyPose pose;
  for (int s = 0; s < body_.segments; s++)
    if (s != body_.middle()) pose.hinge[s] = {r.q[wiring_.hinge[s].q + 1], r.q[wiring_.hinge[s].q]};
  place_segments(body_, pose, see.X);
  see.R_GR = robot_axes(0.0, m.pitch + m.level_pitch, m.roll + m.level_roll);
  see.o = Vec3d(m.shift[0], m.shift[1], m.height);
  if (wiring_.level >= 0) {
    const Vec3d up = up_of(r.sensor[wiring_.level], r.sensor[wiring_.level + 1]);
    const bool first = dot(m.up, m.up) == 0.0;
    m.up = first ? up : normalized(m.up + (up - m.up) * std::min(1.0, period_ / up_time));
  }
  see.up = see.R_GR * m.up;
  const Vec3d ahead = normalized(Vec3d(1.0, 0.0, 0.0) - see.up * see.up[0]), left = cross(see.up, ahead);
  const auto levelled = [&](const Vec3d& p) { return Vec3d(dot(ahead, p), dot(left, p), dot(see.up, p)); };
  for (int i = 0; i < body_.legs(); i++) {
    const HexapodWiring::Leg& w = wiring_.leg[i];
    for (int a = 0; a < 3; a++) see.q[i][a] = r.q[w.q[a]];
    const Posed& B = see.X[body_.segment_of(i)];
    see.foot[i] = see.o + see.R_GR * (B * from_leg(leg_[i], foot_of(leg_[i], see.q[i])));
    see.level[i] = levelled(see.foot[i]);
    if (w.force >= 0) feel(i, r, see, m);
  }
  see.com_G = see.o + see.R_GR * mass_centre(body_, pose, see.q);
  see.com = see.load = levelled(see.com_G);
  see.weight = weight_;
  m.travelled = m.gait.travelled;
}

// The contact flag is that of the normal force; what is shared and plotted is the force along `up`.
void HexapodSenses::feel(int i, const Readings& r, Sight& see, HexapodMemory& m) const {
  LegWatch& w = m.watch[std::size_t(i)];
  const bool is_lost = r.lost[wiring_.leg[i].force_sensor] != 0.0;
  if (!is_lost && w.blind == 0.0) {
    const double* at = &r.sensor[wiring_.leg[i].force];
    if (m.gait.travelled != m.travelled) watch_force(w, Vec3d(at[0], at[1], at[2]), period_);
  }
  if (is_lost || w.blind != 0.0) return feel_by_torques(i, see, m);
  const double* said = &r.sensor[wiring_.leg[i].force];
  const Vec3d f_G = leg_to_ground(i, from_shank(see.q[i], Vec3d(said[0], said[1], said[2])), see);
  see.felt[i] = f_G;
  m.felt[i] = dot(see.up, f_G);
  ContactFlag flag{m.touching[i] != 0.0, int(m.count[i])};
  flag.update(ContactRule{}, f_G[2]);
  m.touching[i] = flag.touching ? 1.0 : 0.0;
  m.count[i] = flag.count;
}

Vec3d HexapodSenses::leg_to_ground(int i, const Vec3d& f, const Sight& see) const {
  const Posed& B = see.X[body_.segment_of(i)];
  const YawLeg turned{.outward = leg_[i].outward};
  return see.R_GR * (B.R * from_leg(turned, f));
}

// Force of the ground on a foot as the torques of the last tick say it, without what they need to carry the leg itself.
Vec3d HexapodSenses::torque_force(int i, const Sight& see, const HexapodMemory& m) const {
  constexpr double by = 1e-4, g = 9.81;
  Vec3d torque = m.watch[std::size_t(i)].given, f = Vec3d::zero();
  for (int a = 1; a < 3; a++) {
    Vec3d up = see.q[i], down = see.q[i];
    up[a] += by;
    down[a] -= by;
    torque[a] -= g * (mass_moment(leg_[i], up)[2] - mass_moment(leg_[i], down)[2]) / (2.0 * by);
  }
  if (!foot_force(leg_[i], see.q[i], torque, f)) return Vec3d::zero();
  return leg_to_ground(i, f, see);
}

// Without a force sensor. Torques feel friction and masses as well: contacts are looked at for longer, and only on the way down.
void HexapodSenses::feel_by_torques(int i, Sight& see, HexapodMemory& m) const {
  const Vec3d f = torque_force(i, see, m);
  const bool flies = m.gait.leg[i].in_air != 0.0;
  see.felt[i] = f;
  m.felt[i] = m.force[i];                            // torques are too coarse for the compliance
  m.count[i] = m.gait.leg[i].up <= 0.0 ? 1.0 : 0.0;  // where its cycle ends it lands, whatever they say
  LegWatch& w = m.watch[std::size_t(i)];
  if (!flies || generator_.phase_tag(m.gait, i) == StepPhase::BackDown) {
    ContactFlag flag{m.touching[i] != 0.0, int(w.count)};
    w.force += (f[2] - w.force) * std::min(1.0, period_ / torque_time);
    flag.update(torque_contact, w.force);
    m.touching[i] = flag.touching || !flies ? 1.0 : 0.0;
    w.count = flag.count;
  } else {
    m.touching[i] = w.count = w.force = 0.0;
  }
}

// Servo level: what must not go on.
void HexapodSenses::watch(const Readings& r, const Sight& see, HexapodMemory& m) const {
  for (int i = 0; i < body_.legs(); i++) {
    if (m.gait.leg[i].lost != 0.0) continue;
    const HexapodWiring::Leg& w = wiring_.leg[i];
    JointErrors e;
    for (std::size_t a = 0; a < 3; a++) {
      e.following = std::max(e.following, std::abs(m.q_ref[i][int(a)] - see.q[i][int(a)]));
      if (w.angle_sensor[a] >= 0 && r.lost[std::size_t(w.angle_sensor[a])] != 0.0) e.lost = true;
      if (w.pot[a] >= 0) e.apart = std::max(e.apart, std::abs(r.sensor[std::size_t(w.pot[a])] - see.q[i][int(a)]));
    }
    const WalkFault fault = watch_joints(m.watch[std::size_t(i)], e, period_);
    if (fault == WalkFault::None || m.gait.walk_mode() == WalkMode::Halt) continue;
    generator_.halt(m.gait, fault, i);
    m.halted_at = r.t;
  }
}

}  // namespace sinew::robots
