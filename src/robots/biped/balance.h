// Balance of the biped on its sensors alone (docs/theory/biped.md#balance): encoders, inertial unit, six-component sensors at the ankles.
//   look: attitude, mass centre, loads, zero-moment point, capture point
//   comply: z' = (f - f_wanted) / d of a foot that stands, so that two feet share the load on any ground; a foot that swings lands when it feels the ground
//   command: the zero-moment point that is wanted, p = p_ref + (1 + k) (xi - xi_ref) within the soles, and a slow correction
#pragma once
#include "robots/biped/devices.h"
#include "robots/biped/walk_memory.h"
#include "robots/biped/walk_plan.h"
#include "sinew/control/legs/save_steps.h"
#include "sinew/control/legs/zmp.h"

namespace sinew::robots {

enum class BalanceBy { Cascade, WholeBody };
inline constexpr std::array<std::string_view, 2> balance_by_names{"cascade", "whole-body"};

struct BipedBalance {
  bool is_on = true;
  int by = 0;
  bool is_whole() const { return BalanceBy(by) == BalanceBy::WholeBody; }
  legged::CaptureFeedback capture;
  legged::SaveSteps save;
  double foot_damping = 50000.0, land_load = 20.0, search = 0.03, most_give = 0.03;  // [N s/m, N, m/s, m]
  double ankle_kp = 1000.0, ankle_kd = 20.0;    // of feet that carry [N m/rad, N m s/rad]
  double attitude_time = 2.0, com_rate = 40.0;  // of the estimates [s, 1/s]
};
void describe_balance(Keys& keys, bool elastic, BipedBalance& balance);

// What a tick sees.
struct BipedSight {
  legged::BothLegs q, u;
  std::array<Vec3d, 2> f{};  // of the ground on the feet, by their sensors [N]
  Mat3d R_WP = Mat3d::identity();
  Vec3d rate = Vec3d::zero();  // of the trunk, in its axes [rad/s]
};

class BipedSense {
 public:
  struct Times {
    double period, start;  // of ticks; it stands before [s]
  };
  BipedSense(const BipedBalance& balance, const legged::BipedBody& body, const BipedWiring& wiring,
             const Vec3d& gravity, const Times& times);
  BipedSight look(const Readings& r, const BipedMoment& now, double w, BipedMemory& m) const;
  // Moves m.p; the force of the ground follows from it.
  void command(const BipedMoment& now, const legged::BipedAim& aim, double w, BipedMemory& m) const;
  // From the left ankle to the right one, by joint angles and the inertial unit; heading: of the trunk [rad].
  Vec3d between_ankles(const Readings& r, double heading, const BipedMemory& m) const;
  // Torques of an ankle end where its sole would tip over an edge.
  void keep_flat(const BipedSight& see, int side, legged::SixAngles& torque) const;
  // Feet give way to the ground: wanted, the loads that each of them should have [N].
  void comply(const BipedMoment& now, const std::array<double, 2>& wanted, BipedMemory& m) const;

 private:
  void follow_attitude(const Readings& r, const BipedMoment& now, BipedMemory& m) const;
  legged::FootWrench wrench_of(const Readings& r, int side, const BipedSight& see) const;

  BipedBalance c_;
  legged::BipedBody body_;
  BipedWiring wiring_;
  Vec3d g_;  // in the axes of the ground
  double period_, start_;
  Mat3d slope_;  // axes with z up, in those of the ground
};

}  // namespace sinew::robots
