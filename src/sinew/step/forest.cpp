#include "sinew/step/forest.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/model/contact_parts.h"
#include "sinew/step/adhere.h"
#include "sinew/step/devices.h"
#include "sinew/step/penalty.h"
#include "sinew/step/stepper.h"
#include "sinew/step/workspace.h"

namespace sinew {
namespace {

// As many as penalty contacts need, and no shape moves by more than half of the thinnest one in a part, so that it cannot be on the
// other side before it was seen.
template <Real S>
int parts_of(const Model& model, const Params<S>& params, const State<S>& state, double dt, Workspace<S>& ws) {
  SINEW_ASSERT(model.substeps >= 0 && dt > 0.0);
  if (model.substeps > 0) return model.substeps;
  double parts = contact_parts(model, dt);
  if (model.thinnest > 0.0) {
    prescribe(model, params, state.t, ws.driven);
    evaluate_frames(model, params, state.q.data(), state.u.data(), ws.driven, ws.frames);
    parts = std::max(parts, std::ceil(dt * fastest_shape(model, ws.frames) / (0.5 * model.thinnest)));
  }
  return int(std::clamp(parts, 1.0, most_parts));
}

StepReport worse_of(StepReport a, const StepReport& b) {
  a.finite = a.finite && b.finite;
  a.converged = a.converged && b.converged;
  a.gap = std::max(a.gap, b.gap);
  a.outside = std::max(a.outside, b.outside);
  a.friction = std::max(a.friction, b.friction);
  a.torque = std::max(a.torque, b.torque);
  a.saturated = a.saturated || b.saturated;
  a.thrown = std::max(a.thrown, b.thrown);
  a.stalled = a.stalled || b.stalled;
  a.iterations += b.iterations;
  for (std::size_t k = 0; k < a.lane_residual.size(); k++)
    a.lane_residual[k] = std::max(a.lane_residual[k], b.lane_residual[k]);
  if (b.residual > a.residual) {
    a.residual = b.residual;
    a.worst_pair = b.worst_pair;
    a.worst_axis = b.worst_axis;
  }
  return a;
}

// The step in parts, as many as penalty contacts and fast bodies need.
template <Real S>
StepReport step_in_parts(const StepCall<S>& call, State<S>& state, Workspace<S>& ws) {
  SINEW_ASSERT(call.method >= 0 && call.method < int(steppers().size()));
  const StepFunction<S> step = steppers()[std::size_t(call.method)].template function<S>();
  SINEW_ASSERT(step);  // null: a method that cannot run a batch
  const int parts = parts_of(call.model, call.params, state, call.dt, ws);
  const double start = state.t, dt = call.dt / parts;
  const Forces forces = steppers()[std::size_t(call.method)].forces;
  const bool drives_at_end = forces == Forces::AtEnd || (forces == Forces::ServosAtWill && call.model.implicit_servos);
  StepReport report;
  for (int i = 0; i < parts; i++) {
    ws.poison();
    state.t = start + i * dt;
    charge_pads(call.model, call.params, call.input, dt, state);
    ws.devices.is_implicit = drives_at_end && !call.model.drives.empty();
    begin_devices(call.model, call.params, call.input, dt, state, ws);
    const StepReport part = step(call.model, call.params, call.input, dt, state, ws);
    end_devices(call.model, call.params, call.input, dt, state, ws);
    remember_pads(call.model, call.params, ws, state);
    report = i == 0 ? part : worse_of(report, part);
  }
  state.t = start + call.dt;
  state.steps++;
  state.iterations = report.iterations;
  state.residual = report.residual;
  return report;
}

class Forest final : public Plant {
 public:
  Forest() {
    for (const Stepper& stepper : steppers()) methods_.push_back(stepper.name);
  }
  std::span<const std::string_view> methods() const override { return methods_; }
  std::unique_ptr<Scratch> make_workspace(const Model& model) const override {
    return std::make_unique<Workspace<double>>(model);
  }
  StepReport step(const StepCall<double>& call, State<double>& state, Scratch& workspace) const override {
    return step_in_parts(call, state, static_cast<Workspace<double>&>(workspace));
  }
  bool runs_batches(int method) const override { return steppers()[std::size_t(method)].lanes != nullptr; }
  std::unique_ptr<Scratch> make_lane_workspace(const Model& model) const override {
    return std::make_unique<Workspace<Lanes>>(model);
  }
  StepReport step_lanes(const StepCall<Lanes>& call, State<Lanes>& state, Scratch& workspace) const override {
    return step_in_parts(call, state, static_cast<Workspace<Lanes>&>(workspace));
  }

 private:
  std::vector<std::string_view> methods_;
};

}  // namespace

const Plant& forest() {
  static const Forest only;
  return only;
}

}  // namespace sinew
