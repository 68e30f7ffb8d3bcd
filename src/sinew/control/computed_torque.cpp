#include "sinew/control/computed_torque.h"

#include <algorithm>

namespace sinew {
namespace {

Compiled compile_for_control(const Plan& plan) {
  std::vector<Problem> problems;
  for (const JointPlan& j : plan.joints) {
    if (j.loop)
      problems.push_back({"loop." + j.name, "computed torque needs a robot without loops"});
    else if (j.drive != Drive::Computed && j.drive != Drive::Motion && joint::freedom_count(j.kind) > 0)
      problems.push_back({"joint." + j.name + ".drive",
                          "computed torque needs every joint driven: set drive = \"computed\" or \"motion\""});
  }
  if (!problems.empty()) throw PlanError(std::move(problems));
  return compile(plan, Coordinates::Tree);
}

}  // namespace

ComputedTorque::ComputedTorque(const Plan& plan, const ComputedTorqueGains& gains) : ComputedTorque(compile_for_control(plan), gains) {}

ComputedTorque::ComputedTorque(const Compiled& compiled, const ComputedTorqueGains& gains)
    : gains_(gains),
      model_(compiled.model),
      params_(compiled.params),
      frames_(*model_),
      driven_(*model_),
      work_(*model_),
      q_(model_->nq),
      u_(model_->nu),
      u_rate_(model_->nu),
      torque_(model_->n_frame_axes) {}

void ComputedTorque::update(const Readings& readings, Input<double>& out) {
  prescribe(*model_, params_, readings.t, driven_);
  const double k = gains_.natural_frequency * gains_.natural_frequency;
  const double d = 2.0 * gains_.damping_ratio * gains_.natural_frequency;
  for (const JointInfo& info : model_->joints) {
    const Link& link = model_->links[info.link];
    if (link.driven) continue;
    joint::visit(info.kind, [&]<class J>() {
      const double* q = readings.q.data() + info.coord;
      const double* u = readings.u.data() + info.axis;
      std::copy_n(q, J::nq, q_.data() + link.q);
      std::copy_n(u, J::nu, u_.data() + link.u);
      if constexpr (J::nu > 0) {
        double target[J::nq], rate[J::nu], accel[J::nu], error[J::nu];
        J::prescribe(&driven_.motion[info.motion], &driven_.motion_rate[info.motion],
                     &driven_.motion_accel[info.motion], target, rate, accel);
        J::displacement(target, q, error);
        for (int i = 0; i < J::nu; i++)
          u_rate_[link.u + i] = accel[i] + d * (rate[i] - u[i]) + k * error[i];
      }
    });
  }
  evaluate_frames(*model_, params_, q_.data(), u_.data(), driven_, frames_);
  inverse_dynamics<double>(*model_, params_, frames_, u_rate_.data(), nullptr, work_, torque_.data());
  for (const JointInfo& info : model_->joints) {
    const Link& link = model_->links[info.link];
    if (link.driven) continue;
    joint::visit(info.kind, [&]<class J>() {
      double e[J::nu + 1] = {};
      if (info.has_spring) J::displacement(q_.data() + link.q, params_.rest.data() + info.coord, e);
      for (int i = 0; i < J::nu; i++) {  // the joint's own spring and damper help or hinder
        const Spring<double>& spring = params_.springs[info.axis + i];
        out.torque[info.axis + i] =
            torque_[link.axis + i] - spring.elastic_force(e[i]) - spring.damping_force(u_[link.u + i]);
      }
    });
  }
}

}  // namespace sinew
