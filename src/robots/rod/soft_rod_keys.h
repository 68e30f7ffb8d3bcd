// Keys of a soft rod, and the plan of its equations that follows from them (docs/theory/soft_rods.md).
#pragma once
#include "robots/catalog.h"
#include "sinew/rod/soft_plan.h"

namespace sinew::robots {

struct SoftRodKeys {
  int group = 0;  // plane, space
  double l = 0.3, rad = 0.01, rad_tip = 0.0, rho = 1000.0, E = 1e6, nu = 0.5, G = 0.0, k_s = 1.0, EI = 0.0;
  double viscosity = 0.0, damp = 0.0;
  std::vector<double> H, xi_star{1, 0, 0, 0, 0, 0};
  bool rotary_inertia = true, floating = false;
  std::vector<std::string> strains{"K_Z"};
  int basis = 0;  // legendre, pieces, hats
  std::vector<double> nb{4.0}, segments;
  int N = 40;
  Vec3d base_position = Vec3d::zero(), base_turn = Vec3d::zero();
  std::vector<double> base_twist{0, 0, 0, 0, 0, 0}, q, q_rate, X_profile;
  int start = 0;  // straight, rest
  int rest_steps = 10;
  std::vector<std::string> tip_hold;  // at rest: which of x, y, z, turn_x, turn_y, turn_z
  Vec3d tip_place = Vec3d::zero();
  double tip_turn = 0.0;
  // loads
  double ct = 0.0, cn = 0.0, load_ramp = 0.0, point_X = 0.0;
  Vec3d tip_force = Vec3d::zero(), tip_moment = Vec3d::zero();
  Vec3d tip_follower_force = Vec3d::zero(), tip_follower_moment = Vec3d::zero(), point_force = Vec3d::zero();
  // cables and chambers
  std::vector<double> d, d_tip, cable_end, tension, tension_swing;
  double tension_frequency = 0.0, tension_ramp = 0.0;
  double chamber_radius = 0.0, area = 0.0, pressure_ramp = 0.0;
  std::vector<double> angles, pressure;
  // servo
  rod::SoftServo servo;
  // imposed coordinates
  std::vector<double> imposed, imposed_value, imposed_swing;
  double imposed_frequency = 0.0, imposed_ramp = 0.0;
  double rho_inf = 0.8, tolerance = 1e-9;

  void describe(Keys& keys);
  bool is_planar() const { return group == 0; }
  double bending() const;  // E I
  rod::SoftPlan plan(const Vec3d& gravity) const;

 private:
  void describe_body(Keys& keys);
  void describe_loads(Keys& keys);
  void describe_actuators(Keys& keys);
  void check(Keys& keys) const;
  void check_actuators(Keys& keys) const;
  void add_modes(rod::SoftPlan& p) const;
  void add_loads(rod::SoftPlan& p) const;
  void add_actuators(rod::SoftPlan& p) const;
};

}  // namespace sinew::robots
