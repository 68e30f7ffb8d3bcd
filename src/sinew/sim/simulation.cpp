// Time goes in whole steps, t = k step, so that no rounding adds up; a last shorter step ends exactly at the end.
#include "sinew/sim/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/sim/errors.h"

namespace sinew::sim {
namespace {

std::int64_t count_steps(double duration, double step) {
  if (std::isinf(duration)) return std::numeric_limits<std::int64_t>::max();
  const double whole = std::floor(std::min(duration / step * (1 + 1e-12) + 1e-9, 9e15));  // more would not fit
  return std::int64_t(whole) + (duration - whole * step > 1e-9 * step ? 1 : 0);
}

// Torques, then set-points of drives, in one list.
void take_commands(const Input<double>& from, std::span<double> list) {
  std::ranges::copy(from.torque, list.begin());
  std::ranges::copy(from.drive, list.begin() + std::ptrdiff_t(from.torque.size()));
}
void put_commands(std::span<const double> list, Input<double>& to) {
  std::ranges::copy(list.first(to.torque.size()), to.torque.begin());
  std::ranges::copy(list.subspan(to.torque.size()), to.drive.begin());
}

std::shared_ptr<const Experiment> moving(std::shared_ptr<const Experiment> experiment) {
  if (is_bench(experiment->scenario)) throw InputError(no_motion_of(experiment->scenario));
  return experiment;
}

// By their place in the list of all readings, see channels.h.
double number_of(const Readings& r, const Model& model, std::size_t at) {
  const std::size_t of_joints = std::size_t(model.n_coords + model.n_axes);
  if (at < of_joints) return at < r.q.size() ? r.q.at(at) : r.u.at(at - r.q.size());
  at -= of_joints;
  for (const std::vector<double>* list : {&r.sensor, &r.saturated}) {
    if (at < list->size()) return (*list)[at];
    at -= list->size();
  }
  return r.lost.at(at);
}

}  // namespace

Simulation::Simulation(Experiment experiment) : Simulation(std::make_shared<const Experiment>(std::move(experiment))) {}

Simulation::Simulation(std::shared_ptr<const Experiment> experiment, const SimulationOptions& options)
    : experiment_(moving(std::move(experiment))),
      end_(options.end),
      robot_(options.robot),
      watcher_(options.watcher),
      world_(experiment_->world()),
      foreign_(options.controller),
      n_steps_(count_steps(options.end, scenario().step)),
      hand_(world_.model()) {
  take(experiment_, std::move(world_), foreign_ ? nullptr : experiment_->make_controller());
  if (options.with_results) results_.emplace(*experiment_);
  begin();
  if (options.from) {
    go_back(*options.from);
    good_ = now_;
  }
  let_watch();
  check({});
}

Simulation::~Simulation() = default;

void Simulation::take(std::shared_ptr<const Experiment> experiment, World<double> world,
                      std::unique_ptr<Controller> controller) {
  experiment_ = std::move(experiment);
  world_ = std::move(world);
  if (foreign_ == own_.get()) foreign_ = nullptr;
  own_ = std::move(controller);
  if (dynamic_cast<ForeignController*>(own_.get())) foreign_ = own_.get();
  controller_ = foreign_ ? foreign_ : own_.get();
  asked_k_ = -1;
  observer_.emplace(world_.model());
  seen_ = nullptr;
  hand_ = Hand(world_.model());
  sensors_.reset();
  if (!world_.model().sensors.empty()) sensors_.emplace(world_.model());
  if (results_) results_.emplace(*experiment_);
  commanded_ = world_.input;
  on_the_way_.assign(commanded_.torque.size() + commanded_.drive.size(), 0.0);
  delay_at_ = delay_size_ = 0;
  for (std::size_t at = 0; const MemoryBlock& block : world_.model().memory) {
    if (block.name == delay_block) {
      delay_at_ = at;
      delay_size_ = std::size_t(block.size);
    }
    at += std::size_t(block.size);
  }
}

void Simulation::begin() {
  planned_ = world_.params.motions;
  push_.reset();
  diagnosis_.reset();
  every_step_ = false;
  looked_k_ = failed_k_ = from_k_ = 0;
  now_ = {};
  sample_sensors();
  now_.watch = watch_from(world_, seen());
  ground_ = ground_watch_from(world_, seen());
  if (results_) results_->begin(sight(), now_);
  now_.state = world_.state;
  now_.torque = world_.input.torque;
  now_.drive = world_.input.drive;
  good_ = now_;
}

const Observation<double>& Simulation::seen(Look look) {
  if (!seen_ || looked_ < look) {
    seen_ = &observer_->observe(world_, look);
    looked_ = look;
  }
  return *seen_;
}

std::optional<Diagnosis> Simulation::step(int n) {
  const std::int64_t target = std::min(now_.k + n, n_steps_);
  while (now_.k < target && !diagnosis_) advance(now_.k + 1 == target);
  return diagnosis_;
}

double Simulation::length_of_step() const {
  const double step = scenario().step, rest = end_ - double(now_.k) * step;
  return is_last() && rest < step * (1 - 1e-9) ? rest : step;
}

void Simulation::advance(bool looks) {
  const double dt = before_step();
  after_step(world_.step(dt), looks);
}

double Simulation::before_step() {
  const double t = time_of(now_.k);
  if (is_told_) hold_to_input();
  control(t);
  if (push_) world_.input.external[push_->body] = hand_.wrench(*push_, world_);
  if (results_) results_->take_snapshots(t, time_of(now_.k + 1), world_, now_);
  return length_of_step();
}

void Simulation::after_step(const StepReport& report, bool looks) {
  const double t = time_of(now_.k), dt = length_of_step();
  const bool ends = is_last();
  world_.state.t = time_of(now_.k + 1);
  seen_ = nullptr;
  now_.k++;
  sample_sensors();
  if (results_)
    results_->add_step(report, t, dt, sight(), now_);
  else if (!report.converged)
    now_.solver.unconverged_steps++;
  if (time() >= double(now_.samples) * scenario().every - 1e-9 * scenario().step) let_watch();
  if (!report.is_lost() && !is_check_due() && !ends && !looks) return;
  const Account found = check(report);
  if (found != Account::InOrder && (every_step_ || found != Account::InDoubt)) fail(report, found, dt);
}

void Simulation::sample_sensors() {
  if (!sensors_) return;
  const Frames<double>* frames = nullptr;
  if (results_ && sensors_->always_ask_for_frames())
    if (const Look look = results_->look_at(world_.state.t, now_); look > Look::Nothing) {
      seen(look);  // results are about to ask for it
      frames = &observer_->frames();
    }
  sensors_->sample({scenario().seed, robot_, scenario().step}, world_, frames);
}

// Commands are held until the next tick, also in a fork.
void Simulation::control(double t) {
  if (!controller_) return;
  const Schedule& schedule = scenario().schedule;
  const bool ticks = is_tick(schedule, now_.k, scenario().step) && !(foreign_ && asked_k_ == now_.k);
  if (ticks) read_sensors(world_, *observer_, readings_);
  if (ticks && delay_size_ == 0) controller_->update(readings_, world_.state.memory, world_.input);
  if (ticks && delay_size_ > 0) {
    const std::span<double> last = given_last(delayed(), int(on_the_way_.size()));
    put_commands(last, commanded_);
    controller_->update(readings_, world_.state.memory, commanded_);
    take_commands(commanded_, last);
    delay(delayed(), last, t + schedule.latency);
  }
  if (delay_size_ > 0) {
    take_commands(world_.input, on_the_way_);
    let_through(delayed(), t, scenario().step, on_the_way_);
    put_commands(on_the_way_, world_.input);
  }
  if (!ticks || !foreign_) return;
  asked_k_ = now_.k;
  hold_to_input();
}

void Simulation::let_watch() {
  if (!watcher_) return;
  watcher_->look(world_);
  now_.sampled_k = now_.k;
  now_.samples = std::max(now_.samples + 1, std::int64_t(time() / scenario().every * (1 + 1e-12)) + 1);
}

// Often at the start and after a change, when most mistakes show; then rarely, because looking costs more than a step. Only what has
// passed is recorded, so not too rarely for that either.
bool Simulation::is_check_due() const {
  const auto k = now_.k - from_k_;
  return every_step_ || k % 64 == 0 || (k < 64 && (k & (k - 1)) == 0) || time() - good_.state.t > 0.05;
}

// What is not in order may become so again: it is neither kept nor the end.
Account Simulation::check(const StepReport& report) {
  if (report.is_lost()) return Account::Unexplained;
  const Account found = now_.watch.look(world_, seen(), int(now_.k - looked_k_));
  looked_k_ = now_.k;
  if (found != Account::InOrder) return found;
  if (find_sunk(world_, seen()).shape >= 0) return Account::UnderGround;
  now_.state = world_.state;
  now_.torque = world_.input.torque;
  now_.drive = world_.input.drive;
  good_ = now_;
  if (watcher_) watcher_->keep();
  if (now_.k >= failed_k_) every_step_ = false;
  return found;
}

// Speeds are those of all looks so far: when it is looked at every step, those that led there.
Sunk Simulation::find_sunk(const World<double>& world, const Observation<double>& seen) {
  now_.top_speed = std::max(now_.top_speed, top_speed(world, seen, ground_));
  return sinew::find_sunk(world, seen, ground_, 2.0 * scenario().step * now_.top_speed, now_.watch.scale);
}

// Goes back to the last good moment; from there step by step, until the one step is found that fails.
void Simulation::fail(const StepReport& report, Account found, double dt) {
  const World<double> after = world_;
  const std::int64_t k = now_.k;
  const Sunk sunk = found == Account::UnderGround ? find_sunk(after, seen()) : Sunk{};
  go_back(good_);
  if (watcher_) watcher_->drop();
  if (every_step_) diagnosis_ = diagnose({world_, after, dt, report, good_.watch, immediate_controller(), sunk});
  every_step_ = true;
  failed_k_ = k;
}

// What somebody else gave from outside cannot be asked for again: nobody goes back beyond the moment at which it was given.
void Simulation::hold_to_input() {
  is_told_ = false;
  now_.state = world_.state;
  now_.torque = world_.input.torque;
  now_.drive = world_.input.drive;
  good_ = now_;
  if (watcher_) watcher_->keep();
}

void Simulation::go_back(const Progress& to) {
  now_ = to;
  looked_k_ = now_.k;
  world_.state = now_.state;
  if (!now_.torque.empty()) world_.input.torque = now_.torque;
  if (!now_.drive.empty()) world_.input.drive = now_.drive;
  seen_ = nullptr;
}

Progress Simulation::snapshot() const {
  Progress out = now_;
  out.state = world_.state;
  out.torque = world_.input.torque;
  out.drive = world_.input.drive;
  return out;
}

void Simulation::restore(const Progress& progress) {
  go_back(progress);
  good_ = now_;
  is_told_ = false;
  asked_k_ = -1;
  diagnosis_.reset();
  every_step_ = false;
  failed_k_ = 0;
}

void Simulation::finish() {
  if (results_) results_->take_snapshots(time(), time(), world_, now_);
  if (!watcher_) return;
  if (now_.sampled_k != now_.k) let_watch();
  watcher_->keep();
}

std::vector<ResultValue> Simulation::results() {
  if (!results_) return {};
  return results_->values({now_, world_, seen()});
}

const Channels& Simulation::channels() {
  if (!channels_) channels_.emplace(world_.model(), experiment_->signals(), parameters());
  return *channels_;
}

Channel Simulation::reading(std::string_view name) {
  constexpr Direction directions[] = {Direction::Reading, Direction::Signal, Direction::Parameter};
  return channels().find(name, directions);
}

Channel Simulation::command(std::string_view name) {
  constexpr Direction directions[] = {Direction::Command, Direction::Parameter};
  return channels().find(name, directions);
}

double Simulation::get(const Channel& channel, int i) {
  if (i < 0 || i >= channel.size)
    throw InputError(fmt::format("{}: it has {} numbers: there is none of number {}", channel.name, channel.size, i));
  const std::size_t at = std::size_t(channel.offset + i);
  switch (channel.direction) {
    case Direction::Reading:
      read_sensors(world_, *observer_, readings_);
      return number_of(readings_, world_.model(), at);
    case Direction::Command:
      return command_at(world_.input, at);
    case Direction::Parameter:
      return parameters().at(at).value;
    case Direction::Signal:
      break;
  }
  return evaluate(experiment_->signals().at(at), world_, seen());
}

double Simulation::get(std::string_view name) {
  const Channel channel = reading(name);
  if (channel.size != 1)
    throw InputError(
        fmt::format("{}: it has {} numbers: add .0 to .{} to the name", name, channel.size, channel.size - 1));
  return get(channel);
}

void Simulation::set(const Channel& channel, double value, int i) {
  if (i < 0 || i >= channel.size)
    throw InputError(fmt::format("{}: it has {} numbers: there is none of number {}", channel.name, channel.size, i));
  if (!std::isfinite(value) && channel.direction == Direction::Command)
    throw InputError(fmt::format("{}: {} is no command: give a finite number", channel.name, value));
  if (channel.direction == Direction::Parameter) {
    set(std::vector<Change>{{channel.name, value}});
    return;
  }
  if (channel.direction != Direction::Command)
    throw InputError(fmt::format("{}: this is a {}, which is only looked at: set a command or a parameter",
                                 channel.name, name_of(channel.direction)));
  command_at(world_.input, std::size_t(channel.offset + i)) = value;
  is_told_ = true;
  seen_ = nullptr;
  diagnosis_.reset();
}

void Simulation::set(std::string_view name, double value) {
  const Channel channel = command(name);
  if (channel.size != 1)
    throw InputError(
        fmt::format("{}: it has {} numbers: add .0 to .{} to the name", name, channel.size, channel.size - 1));
  set(channel, value);
}

const std::vector<Parameter>& Simulation::parameters() {
  if (parameters_.empty()) parameters_ = parameters_of(scenario());
  return parameters_;
}

}  // namespace sinew::sim
