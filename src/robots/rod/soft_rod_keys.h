// Keys of a soft rod, and the plan of its equations that follows from them (docs/theory/soft_rods.md).
#pragma once
#include "robots/catalog.h"
#include "sinew/model/rod_parameters.h"
#include "sinew/rod/soft_plan.h"

namespace sinew::robots {

struct SoftRodKeys : RodSize, RodElasticity {
  int dimension = 0;  // plane, space
  double tip_radius = 0.0, bending_damping = 0.0;
  std::vector<double> section_stiffness, rest_strain{1, 0, 0, 0, 0, 0};
  bool rotary_inertia = true, floating = false;
  std::vector<std::string> strains{"K_Z"};
  int basis = 0;  // legendre, pieces, hats
  std::vector<double> basis_size{4.0}, segment_starts;
  int cells = 40;
  Vec3d base_position = Vec3d::zero(), base_turn = Vec3d::zero();
  std::vector<double> base_twist{0, 0, 0, 0, 0, 0}, q, q_rate, X_profile;
  int start = 0;  // straight, rest
  int rest_steps = 10;
  std::vector<std::string> tip_hold;  // at rest: which of x, y, z, turn_x, turn_y, turn_z
  Vec3d tip_place = Vec3d::zero();
  double tip_turn = 0.0;
  // loads
  double drag_along = 0.0, drag_across = 0.0, load_ramp = 0.0, point_X = 0.0;
  double load_amplitude = 0.0, load_frequency = 0.0, load_phase = 0.0;
  Vec3d tip_force = Vec3d::zero(), tip_moment = Vec3d::zero();
  Vec3d tip_follower_force = Vec3d::zero(), tip_follower_moment = Vec3d::zero(), point_force = Vec3d::zero();
  // cables and chambers
  std::vector<double> cable_offset, cable_offset_tip, cable_end, tension, tension_amplitude;
  double tension_frequency = 0.0, tension_ramp = 0.0;
  double chamber_radius = 0.0, area = 0.0, pressure_ramp = 0.0;
  std::vector<double> angles, pressure;
  // servo of the curvature
  double kp = 0.0, kd = 0.0, limit = 0.0;
  RodWave wave;
  // imposed coordinates
  std::vector<double> imposed, imposed_value, imposed_amplitude;
  double imposed_frequency = 0.0, imposed_ramp = 0.0;
  double rho_inf = 0.8, tolerance = 1e-9;

  SoftRodKeys() : RodSize{.length = 0.3} {}
  void describe(Keys& keys);
  void describe_wave(Keys& keys);  // a table of its own, after all other keys
  bool is_planar() const { return dimension == 0; }
  double bending() const;  // E I about z
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
  void add_servo(rod::SoftPlan& p) const;
};

}  // namespace sinew::robots
