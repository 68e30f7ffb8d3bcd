// A robot's own controller as an FMU: readings in, commands out. In a communication step from t to t + h it is asked at each tick from t on and
// before t + h, with the readings that it was given at t.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fmu/part.h"
#include "sinew/sim/errors.h"

namespace fmu {
namespace {

namespace sim = sinew::sim;
using sinew::InputError;

class ControllerPart : public MovingPart {
 public:
  explicit ControllerPart(std::shared_ptr<const sim::Experiment> experiment) : experiment_(std::move(experiment)) {
    variables_ = fmi::variables_of(*experiment_, fmi::Part::Controller);
    for (const fmi::Variable& v : variables_) values_.push_back(v.start);
    start();
  }

  void start() override {
    const auto experiment = with_parameters(experiment_, variables_, values_);
    const sinew::World<double> world = experiment->world();
    controller_ = experiment->make_controller();
    acting_ = values_;
    memory_ = world.state.memory;
    input_ = world.input;
    const sinew::Model& model = world.model();
    readings_ = {};
    readings_.q.resize(std::size_t(model.n_coords));
    readings_.u.resize(std::size_t(model.n_axes));
    readings_.saturated.resize(model.sensors.size());
    readings_.lost.resize(model.sensors.size());
    if (!model.sensors.empty())
      readings_.sensor.resize(std::size_t(model.sensors.back().reading + model.sensors.back().n));
    k_ = 0;
  }

  double get(std::size_t i) override {
    const fmi::Variable& v = variables_[i];
    if (v.source == fmi::Source::Time) return double(k_) * experiment_->scenario.step;
    if (v.causality == fmi::Causality::Output) return sinew::command_at(input_, std::size_t(v.at));
    return values_[i];
  }

  void set(std::size_t i, double value) override {
    const bool is_parameter = variables_[i].causality == fmi::Causality::Parameter;
    if (!std::isfinite(value))
      throw InputError(fmt::format("{}: {} is refused: give a finite number", variables_[i].name, value));
    values_[i] = is_parameter ? fmi::from_fmi(value) : value;
  }

  void apply() override {
    for (std::size_t i = 0; i < variables_.size(); i++) {
      if (variables_[i].causality != fmi::Causality::Parameter || values_[i] == acting_[i]) continue;
      try {
        return start();
      } catch (...) {
        values_ = acting_;
        throw;
      }
    }
    acting_ = values_;
  }

  Advance advance_to(double t) override {
    const sim::Scenario& s = experiment_->scenario;
    const std::int64_t target = std::int64_t(std::floor(t / s.step + 1e-6));
    for (std::size_t i = 0; i < variables_.size(); i++)
      if (variables_[i].source == fmi::Source::Reading)
        *sinew::number_at(readings_, std::size_t(variables_[i].at)) = values_[i];
    for (; k_ < target; k_++) {
      if (!is_tick(s.schedule, k_, s.step)) continue;
      readings_.t = double(k_) * s.step;
      controller_->update(readings_, memory_, input_);
    }
    return {};
  }

  void save(fmi::BytesWriter& out) override {
    out.put(k_);
    for (const auto* list : {&values_, &memory_, &input_.torque, &input_.drive}) out.put(*list);
  }

  void restore(fmi::BytesReader& in) override {
    std::int64_t k = 0;
    std::vector<double> values = values_, memory = memory_, torque = input_.torque, drive = input_.drive;
    in.take(k);
    for (auto* list : {&values, &memory, &torque, &drive}) in.take_as_many(*list);
    in.finish();
    std::swap(values, values_);
    try {
      start();  // the values of its parameters
    } catch (...) {
      std::swap(values, values_);
      throw;
    }
    k_ = k;
    memory_ = std::move(memory);
    input_.torque = std::move(torque);
    input_.drive = std::move(drive);
  }

 private:
  std::shared_ptr<const sim::Experiment> experiment_;
  std::unique_ptr<sinew::Controller> controller_;
  sinew::Readings readings_;
  sinew::Input<double> input_;
  std::vector<double> memory_, values_, acting_;
  std::int64_t k_ = 0;  // steps of the robot that it has seen
};

}  // namespace

std::unique_ptr<MovingPart> make_controller_part(std::shared_ptr<const sim::Experiment> experiment) {
  return std::make_unique<ControllerPart>(std::move(experiment));
}

}  // namespace fmu
