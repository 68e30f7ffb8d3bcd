// Torques of the biped's joints by one quadratic program for all of them (docs/theory/biped.md#whole-body), in place of those that carry it and the servos
// about them. Wanted, each with a weight:
//   force of the ground      f = sum m (a_ref - g) + m w^2 ((c - c_ref) - (p - p_ref)),   upright also k_z (c_ref - c) + d_z (c_ref' - c')
//   moment about the mass centre, of the plan; attitude of the trunk; no motion of soles that stand; angles of the legs, firmly of the one in the air
// within what friction, soles and the drives through their rods can do.
#pragma once
#include <array>
#include <memory>

#include "robots/biped/balance.h"
#include "sinew/control/whole_body.h"

namespace sinew::robots {

struct BipedWholeGains {
  double trunk_kp = 400.0, trunk_kd = 40.0;    // attitude [1/s^2, 1/s]
  double height_kp = 200.0, height_kd = 28.0;  // of the mass centre [1/s^2, 1/s]
  double swing_kp = 2500.0, swing_kd = 80.0;   // angles of a leg in the air [1/s^2, 1/s]
  double stand_kp = 2500.0, stand_kd = 80.0;   // of legs that stand
  double servo = 0.35;  // share of the cascade's servos that stays, against friction of screws [1]
  double mu = 0.6;      // friction that is relied on [1]
  // weights: force, moment, trunk, legs in the air, legs that stand
  double of_force = 1.0, of_spin = 10.0, of_trunk = 100.0, of_swing = 10.0, of_stand = 1.0;
};
void describe_whole(Keys& keys, BipedWholeGains& gains);

// What it remembers of its programs.
struct WholeMemory {
  double iterations = 0.0;  // of the last one
  double unsolved = 0.0;    // ticks that the cascade had to do
};

class BipedWhole {
 public:
  // rigid: the robot with no joints but its legs', in the axes of the ground.
  BipedWhole(const BipedWholeGains& gains, const legged::BipedBody& body, const Plan& rigid, const BipedWiring& wiring,
             double force_limit);

  struct Wanted {
    legged::BothLegs q, rate, accel;  // of the legs [rad, rad/s, rad/s^2]
    Vec3d f, spin;                    // of the ground, moment about the mass centre [N, N m]
    std::array<legged::FootPush, 2> push;
  };
  // Torques of both legs; false: there is no solution.
  bool solve(const BipedSight& see, const BipedMoment& now, const legged::BipedAim& aim, const Wanted& wanted,
             std::array<legged::SixAngles, 2>& torque);
  int iterations() const { return whole_.iterations(); }

 private:
  void look(const BipedSight& see, const BipedMoment& now);
  void stand(const BipedMoment& now, const Wanted& wanted);
  void hold_trunk(const BipedSight& see, const BipedMoment& now, const legged::BipedAim& aim);
  void limit_drives(const BipedSight& see);

  BipedWholeGains c_;
  legged::BipedBody body_;
  BipedWiring wiring_;
  double force_limit_;
  WholeBody whole_;
  int trunk_ = -1;
  Vec3d trunk_com_;
  std::array<int, 2> foot_{};
  std::array<std::array<int, legged::six::count>, 2> freedom_{}, coordinate_{};
  std::vector<double> q_, u_, rotors_;
};

}  // namespace sinew::robots
