// The controller's numbers are its own, so that they may differ from the robot's.
#include "sinew/control/computed_torque.h"

#include <algorithm>

#include "sinew/dynamics/inverse.h"
#include "sinew/dynamics/joint_forces.h"
#include "sinew/math/check.h"

namespace sinew {
namespace {

const Plan& driven_throughout(const Plan& plan) {
  std::vector<Problem> problems;
  for (const JointPlan& j : plan.joints) {
    if (j.loop)
      problems.push_back({"loop." + j.name, "computed torque needs a robot without loops"});
    else if (j.drive != Drive::Computed && j.drive != Drive::Motion && joint::freedom_count(j.kind) > 0)
      problems.push_back({"joint." + j.name + ".drive",
                          "computed torque needs every joint driven: set drive = \"computed\" or \"motion\""});
  }
  for (const CouplingPlan& c : plan.couplings)
    problems.push_back({"coupling." + c.name, "computed torque knows no couplings: remove it, or use servos"});
  if (!problems.empty()) throw PlanError(std::move(problems));
  return plan;
}

}  // namespace

struct ComputedTorque::Own {
  Own(const Compiled& compiled, const ComputedTorqueGains& g)
      : gains(g),
        shared(compiled.model),
        model(*shared),
        params(compiled.params),
        frames(model),
        driven(model),
        scratch(model),
        q(model.nq),
        u(model.nu),
        u_rate(model.nu),
        torque(model.n_frame_axes) {}

  void read(const Readings& readings);
  void write(Input<double>& out);

  ComputedTorqueGains gains;
  std::shared_ptr<const Model> shared;
  const Model& model;
  Params<double> params;
  Frames<double> frames;
  Prescribed<double> driven;
  InverseWork<double> scratch;
  std::vector<double> q, u, u_rate, torque;
};

// The state that the encoders show, and the accelerations wanted there.
void ComputedTorque::Own::read(const Readings& readings) {
  SINEW_ASSERT(int(q.size()) == model.nq && int(u.size()) == model.nu && int(u_rate.size()) == model.nu);
  const double k = gains.natural_frequency * gains.natural_frequency;
  const double d = 2.0 * gains.damping_ratio * gains.natural_frequency;
  for (const JointInfo& info : model.joints) {
    const Link& link = model.links[info.link];
    if (link.driven) continue;
    joint::visit(info.kind, [&]<class J>() {
      const double* q_read = readings.q.data() + info.coord;
      const double* u_read = readings.u.data() + info.axis;
      std::copy_n(q_read, J::nq, q.data() + link.q);
      std::copy_n(u_read, J::nu, u.data() + link.u);
      if constexpr (J::nu > 0) {
        double target[J::nq], rate[J::nu], accel[J::nu], error[J::nu];
        J::prescribe(&driven.motion[info.motion], &driven.motion_rate[info.motion], &driven.motion_accel[info.motion],
                     target, rate, accel);
        J::displacement(target, q_read, error);
        for (int i = 0; i < J::nu; i++) u_rate[link.u + i] = accel[i] + d * (rate[i] - u_read[i]) + k * error[i];
      }
    });
  }
}

void ComputedTorque::Own::write(Input<double>& out) {
  for (const JointInfo& info : model.joints) {
    const Link& link = model.links[info.link];
    if (link.driven) continue;
    joint::visit(info.kind, [&]<class J>() {
      double elastic[J::nu + 1] = {};
      if (info.has_spring) spring_forces<J>(info, params, q.data() + link.q, elastic);
      for (int i = 0; i < J::nu; i++)  // the joint's own spring and damper help or hinder
        out.torque[info.axis + i] =
            torque[link.axis + i] - elastic[i] - params.springs[info.axis + i].damping_force(u[link.u + i]);
    });
  }
}

ComputedTorque::ComputedTorque(const PlannedTree& robot, const ComputedTorqueGains& gains)
    : own_(std::make_unique<Own>(robot.compiled, gains)) {
  driven_throughout(robot.plan);
  SINEW_CHECK(own_->model.coordinates == Coordinates::Tree, "ComputedTorque: the robot is not in tree coordinates");
}
ComputedTorque::ComputedTorque(const Plan& own, const ComputedTorqueGains& gains)
    : ComputedTorque(PlannedTree{own, compile(driven_throughout(own), Coordinates::Tree)}, gains) {}
ComputedTorque::~ComputedTorque() = default;

void ComputedTorque::update(const Readings& readings, std::span<double>, Input<double>& out) {
  SINEW_CHECK(int(readings.q.size()) == own_->model.n_coords && int(readings.u.size()) == own_->model.n_axes,
              "ComputedTorque: readings of ", readings.q.size(), " coordinates and ", readings.u.size(),
              " axes, the plan has ", own_->model.n_coords, " and ", own_->model.n_axes);
  SINEW_CHECK(int(out.torque.size()) == own_->model.n_axes, "ComputedTorque: torques of ", out.torque.size(),
              " axes, the plan has ", own_->model.n_axes);
  Own& own = *own_;
  prescribe(own.model, own.params, readings.t, own.driven);
  own.read(readings);
  evaluate_frames(own.model, own.params, own.q.data(), own.u.data(), own.driven, own.frames);
  inverse_dynamics<double>(own.model, own.params, own.frames, {own.u_rate.data()}, own.scratch, own.torque.data());
  own.write(out);
}

}  // namespace sinew
