// Computed torque: inverse dynamics of the controller's model, driven along the joints' given motions.
//   tau = ID(q, u, m_accel + 2 zeta omega (m_rate - u) + omega^2 (m - q))
// With an exact model every axis error obeys e'' + 2 zeta omega e' + omega^2 e = 0. All joints of the plan must be driven
// so (Drive::Computed), follow a motion, or be welded.
#pragma once
#include <memory>

#include "sinew/control/controller.h"
#include "sinew/model/compile.h"

namespace sinew {

struct ComputedTorqueGains {
  double natural_frequency = 20.0;  // omega [rad/s]
  double damping_ratio = 1.0;       // zeta [-]
};

class ComputedTorque : public Controller {
 public:
  // Throws PlanError if a joint has no drive. The model is that of the robot, or one of its own, compiled here.
  ComputedTorque(const PlannedTree& robot, const ComputedTorqueGains& gains);
  ComputedTorque(const Plan& own, const ComputedTorqueGains& gains);
  ~ComputedTorque() override;
  void update(const Readings& readings, std::span<double> memory, Input<double>& out) override;

 private:
  struct Own;  // the controller's model and scratch
  std::unique_ptr<Own> own_;
};

}  // namespace sinew
