// Whole-body control (docs/theory/control.md#whole-body): what a robot on flat feet should do with all of its joints at once, a quadratic program at each tick.
//   min  sum of weights |A x - b|^2 over the tasks,      x = (du/dt, wrenches w_k of the ground on the feet)
//   with M du/dt + h = S^T tau + sum J_k^T w_k, where the freedoms of the base have no tau,
//        f_z >= 0, |f_x|, |f_y| <= mu f_z / sqrt 2, the point of pressure inside of the sole, |m_z| <= mu_turn f_z,
//        |L tau| <= F_most           L: from torques of a joint's axes to the forces of its drives, J^-T of a transmission
// Momentum is a task on the wrenches alone: dl/dt = sum f_k + m g, dk/dt = sum (p_k - c) x f_k + m_k, c: the mass centre. Sources: Wensing and Orin, ICRA
// 2013; Herzog et al., Autonomous Robots 2016. The program is solved by the active-set method of math/qp.h.
#pragma once
#include <memory>
#include <span>

#include "sinew/math/qp.h"
#include "sinew/model/compile.h"

namespace sinew {

// A sole that stands. Its frame P has z out of the ground; X_BP: in the axes of the plan's body.
struct WholeBodySole {
  int link = 0;
  Posed X_BP = Posed::identity();
  double ahead = 0.1, behind = 0.1, beside = 0.05;  // of P to its edges [m]
  double mu = 0.6, mu_turn = 0.03;                  // [1, m]
  double least = 0.0;                               // of f_z [N]
  // acceleration that it should have at P, angular and linear, and how much that matters
  Vec3d alpha = Vec3d::zero(), a = Vec3d::zero();
  double weight = 1e3;
};

// Forces of one or two drives: F = L tau of n axes from freedom `first` on, |F_i| <= most.
struct WholeBodyDrive {
  int first = 0, n = 1;
  double L[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
  double most = 0.0;  // [N or N m]
};

class WholeBody {
 public:
  explicit WholeBody(
      const Plan& plan);  // of a tree with one free joint; drives and sensors are not looked at. Throws PlanError
  ~WholeBody();
  WholeBody(WholeBody&&) noexcept;

  const Model& model() const;
  int link_of(std::string_view joint) const;  // that this joint carries; -1: none
  double mass() const;

  // Where it is now, and inertia of rotors on each freedom, which may be empty. Begins a program without tasks.
  void look(std::span<const double> q, std::span<const double> u, std::span<const double> rotors);
  Vec3d com() const;           // [m]
  Vec3d com_rate() const;      // [m/s]
  Vec3d spin() const;          // angular momentum about it [N m s]
  Posed pose(int link) const;  // of the plan's body

  // Soles first, then tasks, then limits.
  void stand_on(const WholeBodySole& sole);
  void want_accel(int freedom, double accel, double weight);
  void want_turn(int link, const Vec3d& alpha, double weight);      // angular acceleration, in W [rad/s^2]
  void want_momentum(const Vec3d& force, const Vec3d& weight);      // sum of the soles' forces [N]
  void want_spin(const Vec3d& moment, const Vec3d& weight);         // of the soles about the mass centre [N m]
  void want_push(int sole, const Vec3d& force, double weight);      // of one of them [N]
  void want_pressure_at(int sole, const Vec3d& at, double weight);  // moment 0 about a point, in W
  void limit(const WholeBodyDrive& drive);

  SmallQp::Status solve();
  double torque(int freedom) const;  // of the last solution, rotors included [N m or N]
  double accel(int freedom) const;
  Vec3d force(int sole) const;  // of the ground, in W [N]
  int iterations() const;

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace sinew
