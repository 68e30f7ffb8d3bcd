// Computed torque: inverse dynamics of the controller's own model, driven along the joints' given motions.
//   tau = ID(q, u, m_accel + 2 zeta omega (m_rate - u) + omega^2 (m - q))
// With an exact model every axis error obeys e'' + 2 zeta omega e' + omega^2 e = 0. All joints of the plan must be driven
// so (Drive::Computed), follow a motion, or be welded.
#pragma once
#include "sinew/control/controller.h"
#include "sinew/dynamics/inverse.h"
#include "sinew/model/compile.h"

namespace sinew {

struct ComputedTorqueGains {
  double natural_frequency = 20.0;  // omega [rad/s]
  double damping_ratio = 1.0;       // zeta [-]
};

class ComputedTorque : public Controller {
 public:
  // Throws PlanError if a joint has no drive.
  ComputedTorque(const Plan& plan, const ComputedTorqueGains& gains);
  void update(const Readings& readings, Input<double>& out) override;

 private:
  ComputedTorque(const Compiled& compiled, const ComputedTorqueGains& gains);
  ComputedTorqueGains gains_;
  std::shared_ptr<const Model> model_;
  Params<double> params_;
  Frames<double> frames_;
  Prescribed<double> driven_;
  InverseWork<double> work_;
  std::vector<double> q_, u_, u_rate_, torque_;
};

}  // namespace sinew
