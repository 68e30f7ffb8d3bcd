// A robot as an FMU: a simulation that is told commands, pushes and parameters between communication steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "fmu/part.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/simulation.h"

namespace fmu {
namespace {

namespace sim = sinew::sim;
using sinew::InputError;

// In the place of the robot's own controller: what the importer has said, when that would have been asked.
class Commands : public sinew::Controller {
 public:
  struct Command {
    std::size_t at;  // as a channel's offset
    double value;
  };
  void update(const sinew::Readings&, std::span<double>, sinew::Input<double>& out) override {
    for (const Command& c : list) sinew::command_at(out, c.at) = c.value;
  }
  std::vector<Command> list;
};

template <class F>
void for_each_motion_number(sinew::Motion<double>& m, F f) {
  sinew::Passage<double>& p = m.passage;
  for (double* x : {&m.offset, &m.rate, &m.amplitude, &m.frequency, &m.phase, &m.ramp, &m.start, &p.begin, &p.time,
                    &p.c0, &p.c1, &p.c2})
    f(*x);
}

std::vector<double> numbers_of(std::vector<sinew::Motion<double>>& motions) {
  std::vector<double> out;
  for (auto& motion : motions) for_each_motion_number(motion, [&](double& x) { out.push_back(x); });
  return out;
}

class Robot : public MovingPart {
 public:
  Robot(std::shared_ptr<const sim::Experiment> experiment, fmi::Part part) : experiment_(std::move(experiment)) {
    variables_ = fmi::variables_of(*experiment_, part);
    for (const fmi::Variable& v : variables_) values_.push_back(v.start);
    acting_ = values_;
    channel_.reserve(variables_.size());
    for (const fmi::Variable& v : variables_) channel_.push_back(channel_of(v));
    if (part == fmi::Part::Robot) commands_.emplace();
    start();
  }

  void start() override {
    auto next = make(with_parameters(experiment_, variables_, values_));
    simulation_ = std::move(next);
    acting_ = values_;
    for (std::size_t i = 0; i < variables_.size(); i++) tell_input(i);
    is_started_ = false;
  }

  double get(std::size_t i) override {
    const fmi::Variable& v = variables_[i];
    if (v.source == fmi::Source::Time) return simulation_->time();
    if (v.causality != fmi::Causality::Output) return values_[i];
    return simulation_->get(channel_[i]);
  }

  void set(std::size_t i, double value) override {
    const fmi::Variable& v = variables_[i];
    if (!std::isfinite(value)) throw InputError(fmt::format("{}: {} is refused: give a finite number", v.name, value));
    values_[i] = v.causality == fmi::Causality::Parameter ? fmi::from_fmi(value) : value;
  }

  void apply() override {
    std::vector<sim::Simulation::Change> changes;
    for (std::size_t i = 0; i < variables_.size(); i++)
      if (variables_[i].causality == fmi::Causality::Parameter && values_[i] != acting_[i])
        changes.push_back({variables_[i].name, values_[i]});
    try {
      if (!changes.empty() && !is_started_) return start();
      if (!changes.empty()) simulation_->set(changes);
    } catch (...) {
      values_ = acting_;
      throw;
    }
    for (std::size_t i = 0; i < variables_.size(); i++) {
      if (values_[i] == acting_[i]) continue;
      acting_[i] = values_[i];
      if (variables_[i].causality == fmi::Causality::Input) tell_input(i);
    }
  }

  // Whole steps that end up to there.
  Advance advance_to(double t) override {
    is_started_ = true;
    const std::int64_t target = std::int64_t(std::floor(t / simulation_->scenario().step + 1e-6));
    const std::int64_t unconverged = simulation_->progress().solver.unconverged_steps;
    while (simulation_->progress().k < target && !simulation_->is_over()) simulation_->advance();
    Advance out;
    if (const auto& diagnosis = simulation_->diagnosis())
      out.failure = text_of(*diagnosis, simulation_->scenario().name);
    const std::int64_t more = simulation_->progress().solver.unconverged_steps - unconverged;
    if (more > 0)
      out.doubt = fmt::format(
          "{} steps until t = {:.6g} s were not solved to the tolerance: a smaller "
          "integrator.step, or a larger contact.tolerance, may help",
          more, simulation_->time());
    return out;
  }

  void save(fmi::BytesWriter& out) override {
    sim::Progress p = simulation_->snapshot();
    out.put(std::uint8_t(is_started_));
    out.put(values_);
    out.put(numbers_of(simulation_->stepping().params.motions));
    for (const std::int64_t n :
         {p.k, p.state.steps, p.samples, p.sampled_k, p.solver.unconverged_steps, std::int64_t(p.watch.doubt)})
      out.put(n);
    for (const double x : {p.state.t, p.state.dt, p.state.iterations, p.state.residual, p.watch.potential_start,
                           p.watch.scale, p.watch.floor, p.watch.taken, p.top_speed})
      out.put(x);
    std::vector<double> numbers;
    for_each_number(p.state, [&](double& x) { numbers.push_back(x); });
    out.put(numbers);
    out.put(p.torque);
    out.put(p.drive);
  }

  void restore(fmi::BytesReader& in) override {
    std::uint8_t is_started = 0;
    std::vector<double> values = values_;
    in.take(is_started);
    in.take_as_many(values);
    std::vector<double> motions = numbers_of(simulation_->stepping().params.motions);
    in.take_as_many(motions);
    const sim::Progress progress = progress_from(in);
    if (has_same_parameters(values) && motions == numbers_of(simulation_->stepping().params.motions)) {
      simulation_->restore(progress);
    } else {
      auto other = with_numbers(values, motions, progress, is_started != 0);
      simulation_ = std::move(other);
    }
    values_ = acting_ = std::move(values);
    for (std::size_t i = 0; i < variables_.size(); i++)
      if (variables_[i].source == fmi::Source::Push || commands_) tell_input(i);
    is_started_ = is_started != 0;
  }

 private:
  static sim::Channel channel_of(const fmi::Variable& v) {
    sim::Channel c{v.name, v.unit, v.description, sim::Direction::Signal, v.at, 1};
    if (v.source == fmi::Source::Reading) c.direction = sim::Direction::Reading;
    if (v.source == fmi::Source::Command) c.direction = sim::Direction::Command;
    return c;
  }

  std::unique_ptr<sim::Simulation> make(std::shared_ptr<const sim::Experiment> experiment) {
    return std::make_unique<sim::Simulation>(std::move(experiment),
                                             sim::SimulationOptions{.controller = commands_ ? &*commands_ : nullptr});
  }

  // With numbers that were changed on the way: as the run had them, with the passages of its motions.
  std::unique_ptr<sim::Simulation> with_numbers(const std::vector<double>& values, const std::vector<double>& motions,
                                                const sim::Progress& progress, bool is_started) {
    if (!is_started) return make(with_parameters(experiment_, variables_, values));
    auto out = make(experiment_);
    std::vector<sim::Simulation::Change> changes;
    for (std::size_t i = 0; i < variables_.size(); i++)
      if (variables_[i].causality == fmi::Causality::Parameter && values[i] != variables_[i].start)
        changes.push_back({variables_[i].name, values[i]});
    if (!changes.empty()) out->set(changes);
    auto next = motions.begin();
    for (auto& motion : out->stepping().params.motions) for_each_motion_number(motion, [&](double& x) { x = *next++; });
    out->restore(progress);
    out->set(std::span<const sim::Simulation::Change>());  // the controller follows these motions too
    out->restore(progress);
    return out;
  }

  sim::Progress progress_from(fmi::BytesReader& in) {
    sim::Progress p = simulation_->snapshot();
    std::int64_t doubt = 0;
    for (std::int64_t* n : {&p.k, &p.state.steps, &p.samples, &p.sampled_k, &p.solver.unconverged_steps, &doubt})
      in.take(*n);
    for (double* x : {&p.state.t, &p.state.dt, &p.state.iterations, &p.state.residual, &p.watch.potential_start,
                      &p.watch.scale, &p.watch.floor, &p.watch.taken, &p.top_speed})
      in.take(*x);
    p.watch.doubt = int(doubt);
    std::vector<double> numbers;
    for_each_number(p.state, [&](double& x) { numbers.push_back(x); });
    in.take_as_many(numbers);
    auto next = numbers.begin();
    for_each_number(p.state, [&](double& x) { x = *next++; });
    in.take_as_many(p.torque);
    in.take_as_many(p.drive);
    in.finish();
    return p;
  }

  bool has_same_parameters(const std::vector<double>& values) const {
    for (std::size_t i = 0; i < variables_.size(); i++)
      if (variables_[i].causality == fmi::Causality::Parameter && values[i] != acting_[i]) return false;
    return true;
  }

  void tell_input(std::size_t i) {
    const fmi::Variable& v = variables_[i];
    if (v.source == fmi::Source::Push) {
      sinew::Wrench<double>& wrench = simulation_->stepping().input.external[std::size_t(v.at)];
      const bool is_zero = acting_[i] == 0.0;
      double& number = v.component < 3 ? wrench.n[v.component] : wrench.f[v.component - 3];
      if (is_zero && number == 0.0) return;
      number = acting_[i];
      simulation_->release();  // nobody goes back beyond this moment
    } else if (v.source == fmi::Source::Command && v.causality == fmi::Causality::Input) {
      if (!commands_) return simulation_->set(channel_[i], acting_[i]);
      const auto found = std::ranges::find(commands_->list, std::size_t(v.at), &Commands::Command::at);
      if (found != commands_->list.end())
        found->value = acting_[i];
      else
        commands_->list.push_back({std::size_t(v.at), acting_[i]});
    }
  }

  std::shared_ptr<const sim::Experiment> experiment_;  // as the archive has it
  std::optional<Commands> commands_;                   // of a robot without its controller
  std::unique_ptr<sim::Simulation> simulation_;
  std::vector<double> values_, acting_;  // by variable: of parameters and inputs; those that act
  std::vector<sim::Channel> channel_;
  bool is_started_ = false;  // no step has been made: another parameter makes another start
};

}  // namespace

std::unique_ptr<MovingPart> make_robot(std::shared_ptr<const sim::Experiment> experiment, fmi::Part part) {
  return std::make_unique<Robot>(std::move(experiment), part);
}

}  // namespace fmu
