#include "sinew/world/world.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/model/fits.h"
#include "sinew/step/adhere.h"
#include "sinew/step/engine.h"
#include "sinew/step/past.h"
#include "sinew/step/penalty.h"
#include "sinew/step/workspace.h"

namespace sinew {

namespace {

// About sixty parts in a period of the fastest contact, and no shape moves by more than half of the thinnest one in a part
// (docs/theory/step.md#penalty-contacts-in-a-step), so that it cannot be on the other side before it was seen.
template <Real S>
int parts_of(const Model& model, const Params<S>& params, const State<S>& state, double dt, Workspace<S>& ws) {
  SINEW_ASSERT(model.substeps >= 0 && dt > 0.0);
  if (model.substeps > 0) return model.substeps;
  double parts = std::ceil(dt * model.contact_frequency / 0.1);
  if (model.thinnest > 0.0) {
    prescribe(model, params, state.t, ws.driven);
    evaluate_frames(model, params, state.q.data(), state.u.data(), ws.driven, ws.frames);
    parts = std::max(parts, std::ceil(dt * fastest_shape(model, ws.frames) / (0.5 * model.thinnest)));
  }
  return int(std::clamp(parts, 1.0, 100.0));
}

const Model& given(const std::shared_ptr<const Model>& model) {
  SINEW_CHECK(model, "World: there is no model");
  return *model;
}

StepReport worse_of(StepReport a, const StepReport& b) {
  a.finite = a.finite && b.finite, a.converged = a.converged && b.converged;
  a.gap = std::max(a.gap, b.gap), a.outside = std::max(a.outside, b.outside);
  a.friction = std::max(a.friction, b.friction), a.torque = std::max(a.torque, b.torque);
  a.saturated = a.saturated || b.saturated;
  a.thrown = std::max(a.thrown, b.thrown), a.stalled = a.stalled || b.stalled;
  a.iterations += b.iterations;
  if (b.residual > a.residual) a.residual = b.residual, a.worst_pair = b.worst_pair, a.worst_axis = b.worst_axis;
  return a;
}

}  // namespace

template <Real S>
World<S>::World(std::shared_ptr<const Model> model, Params<S> p, State<S> s, const Stepper& stepper)
    : params(std::move(p)),
      state(std::move(s)),
      input(neutral_input<S>(given(model))),
      model_(std::move(model)),
      stepper_(&stepper),
      work_(std::make_unique<Workspace<S>>(*model_)) {
  SINEW_CHECK(stepper_->function<S>() || (model_->engine && std::same_as<S, double>), "World: ", stepper_->name,
              " chooses steps of its own and cannot run a batch");
  check_fits("World", *model_, params);
  check_fits("World", *model_, state);
  SINEW_CHECK(state.past.empty() || state.past.size() == past_size(*model_), "World: the state has ", state.past.size(),
              " numbers of the past, the model ", past_size(*model_));
  if (stepper_->has_past && !model_->engine && model_->velocity_terms == VelocityTerms::Middle)
    state.past.resize(past_size(*model_), S(0.0));
}

template <Real S>
World<S>::World(const World& other)
    : params(other.params),
      state(other.state),
      input(other.input),
      model_(other.model_),
      stepper_(other.stepper_),
      work_(std::make_unique<Workspace<S>>(*model_)) {}

template <Real S>
World<S>& World<S>::operator=(const World& other) {
  if (this != &other) *this = World(other);
  return *this;
}

template <Real S>
World<S>::World(World&&) noexcept = default;
template <Real S>
World<S>& World<S>::operator=(World&&) noexcept = default;
template <Real S>
World<S>::~World() = default;

template <Real S>
StepReport World<S>::step(double dt) {
  SINEW_ASSERT(dt > 0.0 && work_);  // a world that was moved from has nothing to step with
  SINEW_ASSERT(fits(*model_, params) && fits(*model_, state) && fits(*model_, input));
  SINEW_ASSERT(state.past.empty() || state.past.size() == past_size(*model_));
  if constexpr (std::same_as<S, double>)
    if (model_->engine) return step_engine(*model_, stepper_->name, dt, state, *work_);
  const int parts = parts_of(*model_, params, state, dt, *work_);
  const double start = state.t;
  StepReport report;
  for (int i = 0; i < parts; i++) {
    work_->poison();
    state.t = start + i * (dt / parts);
    charge_pads(*model_, params, dt / parts, state);
    const StepReport part = stepper_->function<S>()(*model_, params, input, dt / parts, state, *work_);
    remember_pads(*model_, params, *work_, state);
    report = i == 0 ? part : worse_of(report, part);
  }
  state.t = start + dt;
  state.steps++;
  state.iterations = report.iterations, state.residual = report.residual;
  return report;
}

template class World<double>;
template class World<Lanes>;

World<Lanes> widen(const World<double>& world) {
  check_fits("widen", world.model(), world.input);
  World<Lanes> wide(world.shared_model(), broadcast<Lanes>(world.params), broadcast<Lanes>(world.state),
                    world.stepper());
  for (std::size_t i = 0; i < world.input.torque.size(); i++) wide.input.torque[i] = world.input.torque[i];
  for (std::size_t i = 0; i < world.input.external.size(); i++)
    wide.input.external[i] = {broadcast<Lanes>(world.input.external[i].n), broadcast<Lanes>(world.input.external[i].f)};
  return wide;
}

State<double> lane_state(const State<Lanes>& wide, int which) {
  SINEW_CHECK(which >= 0 && which < lane_count, "lane_state: lane ", which, " of ", lane_count);
  State<double> s;
  s.t = wide.t;
  s.steps = wide.steps;
  s.dt = wide.dt;
  s.iterations = wide.iterations, s.residual = wide.residual;
  s.q.resize(wide.q.size());
  s.u.resize(wide.u.size());
  s.contact.resize(wide.contact.size());
  s.axis_P.resize(wide.axis_P.size());
  s.pad.resize(wide.pad.size());
  s.engine.resize(wide.engine.size());
  s.past.resize(wide.past.size());
  s.memory.resize(wide.memory.size());
  std::vector<double> numbers;
  for_each_number(wide, [&](Lanes x) { numbers.push_back(x[which]); });
  auto next = numbers.begin();
  for_each_number(s, [&](double& x) { x = *next++; });
  return s;
}

void set_lane_state(State<Lanes>& wide, int which, const State<double>& s) {
  SINEW_CHECK(which >= 0 && which < lane_count, "set_lane_state: lane ", which, " of ", lane_count);
  check_same_sizes("set_lane_state", s, wide);
  wide.t = s.t;
  wide.steps = s.steps;
  wide.dt = s.dt;
  wide.iterations = s.iterations, wide.residual = s.residual;
  std::vector<double> numbers;
  for_each_number(s, [&](double x) { numbers.push_back(x); });
  auto next = numbers.begin();
  for_each_number(wide, [&](Lanes& x) { x.set(which, *next++); });
}

}  // namespace sinew
