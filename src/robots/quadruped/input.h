// Keys that the quadruped and its test bench share, in the letters of docs/theory/quadruped.md.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "robots/quadruped/stance_run.h"
#include "robots/quadruped/walker.h"
#include "sinew/model/keys.h"
#include "sinew/parts/device/motion.h"

namespace sinew::robots {

struct QuadrupedInput {
  legged::Quadruped robot;
  legged::Feet feet{Vec3d(0.41, 0.63, 0.0), Vec3d(-0.01, 0.57, 0.0), Vec3d(-0.01, 0.03, 0.0), Vec3d(0.41, -0.03, 0.0)};
  std::vector<double> q{0.2, 0.3, 0.4, 0, 0, 0, 0, 0}, u{0, 0, 0, 0, 0, 0, 0, 0};
  std::vector<double> tau = std::vector<double>(14), tau_sin = tau,
                      tau_omega = tau;   // order: ha1 ha2 k1..k4 | tail | ha3 ha4 hb1..hb4
  std::vector<double> tau_t, tau_table;  // times, and for each all actuators: added to the above
  bool tau_smooth = false;
  std::vector<double> stance{1, 1, 1, 1};  // 1: the foot is held
  std::array<std::vector<double>, 4> swing{std::vector<double>{0, -1.2, 0.6},
                                           {0, -1.2, 0.6},
                                           {0, -1.2, 0.6},
                                           {0, -1.2, 0.6}};  // angles of legs that are not

  int tail_size() const { return robot.tail.coordinates(); }
  int actuators() const { return 12 + tail_size(); }
  // Place in tau of a leg's joint, and of the tail's first.
  int actuator(int leg, int joint) const;
  Motion<double> torque(int actuator) const;                          // given to it
  std::function<void(double t, legged::Vec14& tau)> profile() const;  // all of these, of a pendulum
  legged::WalkerState state() const;
  legged::WalkerTorques torques(const std::vector<double>& tau) const;
  // Of a pendulum on four feet.
  bool is_plain() const { return robot.tail.kind == legged::TailKind::Pendulum; }
  legged::Vec8 q8() const, u8() const;
};

void describe(Keys& keys, QuadrupedInput& in);

}  // namespace sinew::robots
