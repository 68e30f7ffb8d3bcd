#include "sinew/world/world.h"

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/model/fits.h"
#include "sinew/model/section_plant.h"
#include "sinew/step/forest.h"
#include "sinew/step/past.h"

namespace sinew {
namespace {

int method_of(const Plant& plant, const Stepper& stepper) {
  const auto methods = plant.methods();
  const auto found = std::ranges::find(methods, stepper.name);
  SINEW_CHECK(found != methods.end(), "World: ", stepper.name, " is no method of what moves this robot");
  return int(found - methods.begin());
}

const Model& given(const std::shared_ptr<const Model>& model) {
  SINEW_CHECK(model, "World: there is no model");
  return *model;
}

template <Real S>
std::unique_ptr<Scratch> make_workspace(const Plant& plant, const Model& model) {
  if constexpr (std::same_as<S, double>)
    return plant.make_workspace(model);
  else
    return plant.make_lane_workspace(model);
}

}  // namespace

const Plant& plant_of(const Model& model) {
  if (model.plant) return *model.plant;
  return forest();
}

template <Real S>
World<S>::World(std::shared_ptr<const Model> model, Params<S> p, State<S> s, const Stepper& stepper)
    : params(std::move(p)),
      state(std::move(s)),
      input(neutral_input<S>(given(model))),
      model_(std::move(model)),
      plant_(&plant_of(*model_)),
      stepper_(&stepper),
      method_(method_of(*plant_, stepper)),
      work_(make_workspace<S>(*plant_, *model_)) {
  SINEW_CHECK((std::same_as<S, double>) || plant_->runs_batches(method_), "World: ", stepper_->name,
              " of this robot cannot run a batch: it chooses steps of its own, or the robot has equations of its own");
  check_fits("World", *model_, params);
  check_fits("World", *model_, state);
  SINEW_CHECK(state.past.empty() || state.past.size() == past_size(*model_), "World: the state has ", state.past.size(),
              " numbers of the past, the model ", past_size(*model_));
  if (stepper_->has_past && model_->velocity_terms == VelocityTerms::Middle)
    state.past.resize(past_size(*model_), S(0.0));
}

template <Real S>
World<S>::World(const World& other)
    : params(other.params),
      state(other.state),
      input(other.input),
      model_(other.model_),
      plant_(other.plant_),
      stepper_(other.stepper_),
      method_(other.method_),
      work_(make_workspace<S>(*plant_, *model_)) {}

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
  const StepCall<S> call{*model_, params, input, method_, dt};
  if constexpr (std::same_as<S, double>)
    return plant_->step(call, state, *work_);
  else
    return plant_->step_lanes(call, state, *work_);
}

template class World<double>;
template class World<Lanes>;

World<Lanes> widen(const World<double>& world) {
  check_fits("widen", world.model(), world.input);
  World<Lanes> wide(world.shared_model(), broadcast<Lanes>(world.params), broadcast<Lanes>(world.state),
                    world.stepper());
  for (std::size_t i = 0; i < world.input.torque.size(); i++) wide.input.torque[i] = world.input.torque[i];
  for (std::size_t i = 0; i < world.input.drive.size(); i++) wide.input.drive[i] = world.input.drive[i];
  for (std::size_t i = 0; i < world.input.external.size(); i++)
    wide.input.external[i] = {broadcast<Lanes>(world.input.external[i].n), broadcast<Lanes>(world.input.external[i].f)};
  return wide;
}

State<double> lane_state(const State<Lanes>& wide, int which) {
  SINEW_CHECK(which >= 0 && which < lane_count, "lane_state: lane ", which, " of ", lane_count);
  State<double> s = shaped_like<double>(wide);
  std::vector<double> numbers;
  for_each_number(wide, [&](Lanes x) { numbers.push_back(x[which]); });
  auto next = numbers.begin();
  for_each_number(s, [&](double& x) { x = *next++; });
  return s;
}

void set_lane_state(State<Lanes>& wide, int which, const State<double>& s) {
  SINEW_CHECK(which >= 0 && which < lane_count, "set_lane_state: lane ", which, " of ", lane_count);
  check_same_sizes("set_lane_state", s, wide);
  static_cast<StepClock&>(wide) = s;
  std::vector<double> numbers;
  for_each_number(s, [&](double x) { numbers.push_back(x); });
  auto next = numbers.begin();
  for_each_number(wide, [&](Lanes& x) { x.set(which, *next++); });
}

}  // namespace sinew
