#include "sinew/batch/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/batch/together.h"
#include "sinew/math/check.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/no_controller.h"
#include "sinew/sim/set_number.h"
#include "sinew/world/world.h"

namespace sinew {
namespace {

bool is_timeless(const Model& model, const Params<double>& params) {
  return model.n_motions == 0 && model.sensors.empty() && model.drives.empty() && model.pad_groups.empty() &&
         model.cables.empty() && !turns(params.gravity.kind);
}

int checked_size(const sim::Experiment& experiment, int n) {
  if (is_bench(experiment.scenario)) throw InputError(no_motion_of(experiment.scenario));
  if (n < 1 || n > 1'000'000) throw InputError(fmt::format("batch: {} robots: give a number from 1 to 1000000", n));
  return n;
}

}  // namespace

Batch::Batch(std::shared_ptr<const sim::Experiment> experiment, int n, const BatchOptions& options)
    : n_(checked_size(*experiment, n)),
      pool_(std::min(options.threads, (n + lane_count - 1) / lane_count)) {  // 0: one for each processor
  plan_.experiment = std::move(experiment);
  plan_.experiment_of = [this](int robot) { return experiment_of(robot); };
  const World<double> world = plan_.experiment->world();
  const bool has_own = plan_.experiment->make_controller() != nullptr, controlled = has_own && options.controller;
  if (has_own && !controlled) {
    nobody_ = std::make_unique<sim::NoController>(plan_.experiment->scenario);
    plan_.controller = nobody_.get();
  }
  plan_.nq = int(world.state.q.size());
  plan_.nu = int(world.state.u.size());
  plan_.commands = controlled ? 0 : int(world.input.torque.size() + world.input.drive.size());
  is_controlled_ = controlled;
  plan_.timeless = is_timeless(world.model(), world.params);
  const auto size = std::size_t(n);
  q_.resize(size * world.state.q.size());
  u_.resize(size * world.state.u.size());
  command_.resize(size * std::size_t(plan_.commands));
  failed_.resize(size);
  uncertified_.resize(size);
  steps_.resize(size);
  failure_.resize(size);
  failed_at_.resize(size);
  for (std::size_t i = 0; i < command_.size(); i++) {
    const std::size_t c = i % std::size_t(plan_.commands), torques = world.input.torque.size();
    command_[i] = c < torques ? world.input.torque[c] : world.input.drive[c - torques];
  }
  share_model(plan_.experiment);
  starts_.assign(size, start_of(*plan_.experiment));
  for (int first = 0; first < n; first += lane_count) {
    std::vector<RobotRow> rows;
    for (int i = first; i < std::min(first + lane_count, n); i++)
      rows.push_back({q_.data() + std::ptrdiff_t(i) * plan_.nq, u_.data() + std::ptrdiff_t(i) * plan_.nu,
                      command_.data() + std::ptrdiff_t(i) * plan_.commands, &failed_[std::size_t(i)],
                      &uncertified_[std::size_t(i)], &steps_[std::size_t(i)], &failure_[std::size_t(i)],
                      &failed_at_[std::size_t(i)]});
    groups_.push_back(std::make_unique<Group>(plan_, first, std::move(rows)));
  }
  reset();
}

Batch::~Batch() = default;

void Batch::share_model(std::shared_ptr<const sim::Experiment> experiment) {
  plan_.shared = std::move(experiment);
  const World<double> world = plan_.shared->world();
  const bool shares = can_share_steps(world.model(), world.stepper());
  plan_.in_lanes = !is_controlled_ && shares;
  plan_.riding = is_controlled_ && shares;
  lookouts_.clear();
  for (int t = 0; t < pool_.threads(); t++) lookouts_.push_back(std::make_unique<Lookout>(world, shares));
}

std::shared_ptr<const RobotStart> Batch::start_of(const sim::Experiment& experiment) const {
  const World<double> world = experiment.world();
  if (int(world.state.q.size()) != plan_.nq || int(world.state.u.size()) != plan_.nu ||
      (!is_controlled_ && int(world.input.torque.size() + world.input.drive.size()) != plan_.commands))
    throw InputError(
        fmt::format("it has {} coordinates, {} velocities and {} commands now, the others of the batch {}, {} and {}: "
                    "make a batch of its own for robots of another build",
                    world.state.q.size(), world.state.u.size(), world.input.torque.size() + world.input.drive.size(),
                    plan_.nq, plan_.nu, plan_.commands));
  auto start = std::make_shared<RobotStart>();
  start->params = world.params;
  start->state = world.state;
  start->watch = watch_from(world, observe(world));
  const bool own = &experiment != plan_.shared.get();
  const Model &one = plan_.shared->model(), &other = experiment.model();
  start->shares =
      (plan_.in_lanes && (!own || can_share(one, other))) || (plan_.riding && can_step_together(one, other));
  if (start->shares && own) {
    Params<Lanes> wide = broadcast<Lanes>(plan_.shared->world().params);
    start->shares = set_lane_params(wide, 0, world.params);
  }
  return start;
}

std::shared_ptr<const sim::Experiment> Batch::experiment_of(int robot) const {
  if (numbers_.empty()) return plan_.experiment;
  sim::Scenario scenario = plan_.experiment->scenario;
  for (const auto& [key, values] : numbers_) sim::set_number(scenario, key, values[std::size_t(robot)]);
  return std::make_shared<const sim::Experiment>(std::move(scenario), sim::PlaceOf{}, plan_.experiment.get());
}

int Batch::in_lanes() const {
  int count = 0;
  for (const auto& group : groups_) count += group->in_lanes();
  return count;
}

void Batch::check_marks(std::span<const std::uint8_t> marked) const {
  if (!marked.empty() && int(marked.size()) != n_)
    throw InputError(fmt::format("batch: {} marks for {} robots: give one for each", marked.size(), n_));
}

void Batch::reset(std::span<const std::uint8_t> marked) {
  check_marks(marked);
  // Not by several threads: an experiment hands out its controllers to one at a time.
  for (std::size_t g = 0; g < groups_.size(); g++) {
    const std::size_t first = g * lane_count, count = std::min<std::size_t>(lane_count, std::size_t(n_) - first);
    const auto marks = marked.empty() ? marked : marked.subspan(first, count);
    if (!marks.empty() && std::ranges::all_of(marks, [](auto m) { return m == 0; })) continue;
    groups_[g]->restart(marks, std::span(starts_).subspan(first, count));
  }
}

void Batch::set(const std::string& key, std::span<const double> values, std::span<const std::uint8_t> marked) {
  check_marks(marked);
  if (values.size() != 1 && int(values.size()) != n_)
    throw InputError(
        fmt::format("{}: {} values for {} robots: give one for each, or one for all", key, values.size(), n_));
  const sim::Scenario& scenario = plan_.experiment->scenario;
  if (std::ranges::any_of(scenario.plan.joints, [](const JointPlan& j) { return !j.table_file.empty(); }))
    throw InputError(fmt::format("{}: joints of this scenario follow tables of files: its robots cannot differ", key));
  const std::string found = sim::find_number(scenario, key);
  if (found == "integrator.step")
    throw InputError(
        "integrator.step: all robots of a batch have one clock: give the scenario another step, and make the batch of "
        "that");
  const auto before = numbers_;
  const auto starts_before = starts_;
  const auto shared_before = plan_.shared;
  auto& numbers = numbers_[found];
  if (numbers.empty()) numbers.assign(std::size_t(n_), sim::number_of(scenario, found));
  for (int i = 0; i < n_; i++)
    if (marked.empty() || marked[std::size_t(i)])
      numbers[std::size_t(i)] = values[values.size() == 1 ? 0 : std::size_t(i)];
  try {
    if (marked.empty()) share_model(experiment_of(0));
    pool_.run(n_, [&](int i, int) {
      if (!marked.empty() && !marked[std::size_t(i)]) return;
      try {
        starts_[std::size_t(i)] = start_of(*experiment_of(i));
      } catch (const InputError& e) {
        throw InputError(fmt::format("robot {}: {}", i, e.what()));
      }
    });
  } catch (...) {
    numbers_ = before;
    starts_ = starts_before;
    share_model(shared_before);
    throw;
  }
  reset(marked);
}

void Batch::step(int n) {
  if (n < 0) throw InputError(fmt::format("step({}): no number of steps: give 0 or more", n));
  for (std::size_t i = 0; i < command_.size(); i++)
    if (!std::isfinite(command_[i]))
      throw InputError(fmt::format("command of robot {}: {} is no command: give a finite number",
                                   i / std::size_t(plan_.commands), command_[i]));
  pool_.run(int(groups_.size()),
            [&](int g, int thread) { groups_[std::size_t(g)]->step(n, *lookouts_[std::size_t(thread)]); });
}

std::vector<std::string> Batch::command_names() const {
  std::vector<std::string> names;
  if (plan_.commands == 0) return names;
  const sim::Channels channels(plan_.experiment->model(), plan_.experiment->signals(), {});
  names.resize(std::size_t(plan_.commands));
  for (const sim::Channel& c : channels.all()) {
    if (c.direction != sim::Direction::Command) continue;
    for (int i = 0; i < c.size; i++)
      names[std::size_t(c.offset + i)] = c.size == 1 ? c.name : fmt::format("{}.{}", c.name, i);
  }
  return names;
}

double Batch::time(int robot) const { return double(steps_.at(std::size_t(robot))) * plan_.experiment->scenario.step; }

std::uint64_t Batch::hash(int robot) const {
  SINEW_CHECK(robot >= 0 && robot < n_, "Batch: robot ", robot, " of ", n_);
  return groups_[std::size_t(robot / lane_count)]->hash(robot % lane_count);
}

std::string Batch::failure(int robot) const {
  SINEW_CHECK(robot >= 0 && robot < n_, "Batch: robot ", robot, " of ", n_);
  const auto i = std::size_t(robot);
  switch (failure_[i]) {
    case Failure::None:
      return {};
    case Failure::NotFinite:
      return fmt::format("robot {} at t = {:.6g} s: its state is not finite: try a shorter integrator.step", robot,
                         failed_at_[i]);
    case Failure::Energy:
      return fmt::format(
          "robot {} at t = {:.6g} s: more than 5 % of its energy came from nowhere or is gone: try a shorter "
          "integrator.step",
          robot, failed_at_[i]);
    case Failure::Diagnosed:
      break;
  }
  const std::string why = groups_[i / lane_count]->diagnosis(robot % lane_count);
  return fmt::format("robot {}: {}", robot, why);
}

std::vector<sim::Signal> Batch::find_signals(const std::string& name) const {
  const auto& all = plan_.experiment->signals();
  const std::vector<int> found = sim::find_signals(all, name);
  if (found.empty())
    throw InputError(fmt::format("{}: no signal has this name: {}", name, sim::suggest_signals(all, name)));
  std::vector<sim::Signal> out;
  for (const int i : found) out.push_back(all[std::size_t(i)]);
  return out;
}

void Batch::evaluate(std::span<const sim::Signal> signals, std::span<double> out) {
  SINEW_CHECK(out.size() == std::size_t(n_) * signals.size(), "Batch: ", out.size(), " places for signals of ", n_);
  pool_.run(int(groups_.size()), [&](int g, int thread) {
    for (int i = 0; i < lane_count; i++) {
      const std::size_t robot = std::size_t(g) * lane_count + std::size_t(i);
      if (robot >= std::size_t(n_)) return;
      groups_[std::size_t(g)]->evaluate(i, signals, *lookouts_[std::size_t(thread)],
                                        out.subspan(robot * signals.size(), signals.size()));
    }
  });
}

}  // namespace sinew
