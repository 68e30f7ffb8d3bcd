#include "robots/biped/whole_control.h"

#include <algorithm>

#include "sinew/math/rotation.h"
#include "sinew/parts/joint/joint.h"

namespace sinew::robots {

using namespace legged;

namespace {

constexpr double edge = 0.005;        // of a sole, that is not trusted [m]
constexpr double of_sole = 1e4;       // weight with which soles stand
constexpr double of_share = 1e-3;     // and with which two feet share the load as planned
constexpr double of_pressure = 1e-2;  // each where it is planned to push

// Half of what turns R_is to R_wanted, for small angles the whole vector.
Vec3d turn_between(const Mat3d& R_is, const Mat3d& R_wanted) {
  Vec3d out = Vec3d::zero();
  for (int k = 0; k < 3; k++) out += cross(R_is.col(k), R_wanted.col(k));
  return out * 0.5;
}

}  // namespace

void describe_whole(Keys& keys, BipedWholeGains& g) {
  const Table table(keys, "whole_body", "of balance.by = \"whole-body\": what its program wants, and how much");
  keys.number({"trunk_kp", "1/s^2", "attitude of the trunk: acceleration for an error", not_negative}, g.trunk_kp);
  keys.number({"trunk_kd", "1/s", "and for a rate", not_negative}, g.trunk_kd);
  keys.number({"height_kp", "1/s^2", "height of the mass centre", not_negative}, g.height_kp);
  keys.number({"height_kd", "1/s", "and its rate", not_negative}, g.height_kd);
  keys.number({"swing_kp", "1/s^2", "angles of a leg in the air", not_negative}, g.swing_kp);
  keys.number({"swing_kd", "1/s", "and their rates", not_negative}, g.swing_kd);
  keys.number({"stand_kp", "1/s^2", "angles of a leg that stands", not_negative}, g.stand_kp);
  keys.number({"stand_kd", "1/s", "and their rates", not_negative}, g.stand_kd);
  keys.number({"servo",
               "1",
               "share of the cascade's servos that stays under it, against friction of screws",
               {.low = 0.0, .high = 1.0}},
              g.servo);
  keys.number({"mu", "1", "friction that is relied on", positive}, g.mu);
  keys.number({"of_force", "1/N^2", "weight of the ground's force", not_negative}, g.of_force);
  keys.number({"of_spin", "1/(N m)^2", "of its moment about the mass centre", not_negative}, g.of_spin);
  keys.number({"of_trunk", "s^4", "of the trunk's attitude", not_negative}, g.of_trunk);
  keys.number({"of_swing", "s^4", "of a leg in the air", not_negative}, g.of_swing);
  keys.number({"of_stand", "s^4", "of a leg that stands", not_negative}, g.of_stand);
}

BipedWhole::BipedWhole(const BipedWholeGains& gains, const BipedBody& body, const Plan& rigid,
                       const BipedWiring& wiring, double force_limit)
    : c_(gains),
      body_(body),
      wiring_(wiring),
      force_limit_(force_limit),
      whole_(rigid),
      trunk_(whole_.link_of("root")),
      trunk_com_(rigid.bodies.front().com),
      q_(std::size_t(whole_.model().nq)),
      u_(std::size_t(whole_.model().nu)),
      rotors_(std::size_t(whole_.model().nu)) {
  constexpr std::array<const char*, 4> joints{"yaw_", "hip_", "knee_", "ankle_"};
  constexpr std::array<int, 5> first{six::yaw, six::roll, six::knee, six::ankle_pitch, six::count};
  for (int side = 0; side < 2; side++) {
    foot_[side] = whole_.link_of(std::string("ankle_") + biped_sides[std::size_t(side)]);
    for (std::size_t k = 0; k < joints.size(); k++) {
      const Link& link =
          whole_.model().links[std::size_t(whole_.link_of(std::string(joints[k]) + biped_sides[std::size_t(side)]))];
      for (int i = first[k]; i < first[k + 1]; i++) {
        freedom_[side][i] = link.u + i - first[k];
        coordinate_[side][i] = link.q + i - first[k];
      }
    }
  }
}

// The pelvis is where the feet that stand have it, and goes as they say.
void BipedWhole::look(const BipedSight& see, const BipedMoment& now) {
  constexpr double dt = 1e-5;  // of a difference along the legs' rates [s]
  Vec3d p = Vec3d::zero(), v = Vec3d::zero();
  double sum = 0.0;
  for (int side = 0; side < 2; side++) {
    const double carries = now.swings == side ? 0.0 : std::max(see.f[side][2], 1.0);
    SixAngles before = see.q[side], later = see.q[side];
    for (int i = 0; i < six::count; i++) {
      before[i] -= see.u[side][i] * dt;
      later[i] += see.u[side][i] * dt;
    }
    const Vec3d r = ankle_pose(body_, side, see.q[side]).p;
    const Vec3d moved =
        (ankle_pose(body_, side, later).p - ankle_pose(body_, side, before).p) * (0.5 / dt) + cross(see.rate, r);
    p += (now.foot[side].p + Vec3d(0.0, 0.0, body_.ankle_height) - see.R_WP * r) * carries;
    v -= see.R_WP * moved * carries;
    sum += carries;
  }
  p = p * (1.0 / sum) + see.R_WP * trunk_com_;
  v = v * (1.0 / sum) + see.R_WP * cross(see.rate, trunk_com_);
  const Link& root = whole_.model().links[std::size_t(trunk_)];
  for (int k = 0; k < 3; k++) {
    q_[std::size_t(root.q + k)] = p[k];
    u_[std::size_t(root.u + k)] = see.rate[k];
    u_[std::size_t(root.u + 3 + k)] = v[k];
  }
  joint::write_quat(to_quaternion(see.R_WP), q_.data() + root.q + 3);
  for (int side = 0; side < 2; side++) {
    const SixAngles rotors = rotor_inertia(wiring_.leg[std::size_t(side)], see.q[side]);
    for (int i = 0; i < six::count; i++) {
      q_[std::size_t(coordinate_[side][i])] = see.q[side][i];
      u_[std::size_t(freedom_[side][i])] = see.u[side][i];
      rotors_[std::size_t(freedom_[side][i])] = rotors[i];
    }
  }
  whole_.look(q_, u_, rotors_);
}

void BipedWhole::stand(const BipedMoment& now, const Wanted& wanted) {
  int soles = 0;
  for (int side = 0; side < 2; side++) {
    if (now.swings == side) continue;
    WholeBodySole sole;
    sole.link = foot_[side];
    sole.X_BP = {Mat3d::identity(), Vec3d(0.0, 0.0, -body_.ankle_height)};
    sole.ahead = body_.toe - edge;
    sole.behind = body_.heel - edge;
    sole.beside = 0.5 * body_.sole_width - edge;
    sole.mu = c_.mu;
    sole.weight = of_sole;
    whole_.stand_on(sole);
  }
  for (int side = 0; side < 2; side++) {
    if (now.swings == side) continue;
    whole_.want_push(soles, wanted.push[side].f, of_share);
    whole_.want_pressure_at(soles, wanted.push[side].at, of_pressure);
    soles++;
  }
}

// Rolls and leans as the inertial unit has them; its heading is that of feet that stand.
void BipedWhole::hold_trunk(const BipedSight& see, const BipedMoment& now, const BipedAim& aim) {
  Vec3d off = turn_between(see.R_WP, aim.R_WP);
  double heading = 0.0, sum = 0.0;
  for (int side = 0; side < 2; side++) {
    if (now.swings == side) continue;
    const Mat3d R = aim.X_WF[side].R * transpose(ankle_pose(body_, side, see.q[side]).R);
    const double carries = std::max(see.f[side][2], 1.0);
    heading += carries * turn_between(R, aim.R_WP)[2];
    sum += carries;
  }
  off[2] = heading / sum;
  whole_.want_turn(trunk_, off * c_.trunk_kp - see.R_WP * see.rate * c_.trunk_kd, c_.of_trunk);
}

void BipedWhole::limit_drives(const BipedSight& see) {
  for (int side = 0; side < 2; side++)
    for (const BipedWiring::Joint& joint : wiring_.leg[std::size_t(side)].joint) {
      if (!joint.has_rods) continue;
      const Strokes<double> at = transmission::strokes(joint.rods, see.q[side].data() + joint.first);
      WholeBodyDrive drive;
      drive.first = freedom_[side][joint.first];
      drive.n = joint.n;
      drive.most = force_limit_;
      for (int k = 0; k < joint.n; k++) {
        const double tau[2] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0};
        double F[2] = {0.0, 0.0};
        transmission::drive_forces(joint.rods, at, tau, F);
        for (int i = 0; i < joint.n; i++) drive.L[i][k] = F[i];
      }
      whole_.limit(drive);
    }
}

bool BipedWhole::solve(const BipedSight& see, const BipedMoment& now, const BipedAim& aim, const Wanted& wanted,
                       std::array<SixAngles, 2>& torque) {
  look(see, now);
  stand(now, wanted);
  Vec3d f = wanted.f;
  f[2] +=
      whole_.mass() * (c_.height_kp * (aim.c[2] - whole_.com()[2]) + c_.height_kd * (now.v[2] - whole_.com_rate()[2]));
  whole_.want_momentum(f, Vec3d(c_.of_force, c_.of_force, c_.of_force));
  whole_.want_spin(wanted.spin, Vec3d(c_.of_spin, c_.of_spin, c_.of_spin));
  hold_trunk(see, now, aim);
  for (int side = 0; side < 2; side++) {
    const bool flies = now.swings == side;
    const double kp = flies ? c_.swing_kp : c_.stand_kp, kd = flies ? c_.swing_kd : c_.stand_kd;
    for (int i = 0; i < six::count; i++)
      whole_.want_accel(freedom_[side][i],
                        wanted.accel[side][i] + kp * (wanted.q[side][i] - see.q[side][i]) +
                            kd * (wanted.rate[side][i] - see.u[side][i]),
                        flies ? c_.of_swing : c_.of_stand);
  }
  limit_drives(see);
  if (whole_.solve() != SmallQp::Status::Solved) return false;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < six::count; i++) torque[std::size_t(side)][i] = whole_.torque(freedom_[side][i]);
  return true;
}

}  // namespace sinew::robots
