#include "sinew/batch/group.h"

#include <algorithm>
#include <cmath>

#include "sinew/batch/riders.h"
#include "sinew/math/check.h"

namespace sinew {
namespace {

bool is_marked(std::span<const std::uint8_t> marked, int i) { return marked.empty() || marked[std::size_t(i)] != 0; }

// All commands of a simulation as one channel.
sim::Channel all_commands(int n) { return {"command", "", "", sim::Direction::Command, 0, n}; }

}  // namespace

Lookout::Lookout(const World<double>& of, bool in_lanes) : one(of), seen(observe(of)), observer(of.model()) {
  if (!in_lanes) return;
  wide.emplace(widen(of));
  lanes.emplace(of.model());
  memory = memory_of_steps(of.model());
}

Group::Group(const BatchPlan& plan, int first, std::vector<RobotRow> rows)
    : plan_(plan), first_(first), rows_(std::move(rows)), starts_(rows_.size()), alone_(rows_.size()) {
  SINEW_CHECK(!rows_.empty() && int(rows_.size()) <= lane_count, "Group: ", rows_.size(), " robots");
}

void Group::clear(int i) {
  RobotRow& r = rows_[std::size_t(i)];
  *r.failed = 0;
  *r.uncertified = *r.steps = 0;
  *r.failure = Failure::None;
  *r.failed_at = 0.0;
}

void Group::restart(std::span<const std::uint8_t> marked, Starts starts) {
  bool all = true;
  for (int i = 0; i < size(); i++) {
    all = all && is_marked(marked, i);
    if (is_marked(marked, i)) starts_[std::size_t(i)] = starts[std::size_t(i)];
  }
  if (plan_.riding) return begin_riding(marked);
  const bool shares = plan_.in_lanes && all_share();
  if (all && shares) return begin_in_lanes(starts_);
  if (wide_ && (!plan_.timeless || !shares)) leave_lanes();
  for (int i = 0; i < size(); i++) {
    if (!is_marked(marked, i)) continue;
    if (wide_)
      put_start(i, *starts_[std::size_t(i)]);
    else
      begin_alone(i);
  }
}

bool Group::all_share() const {
  return std::ranges::all_of(starts_, [](const auto& s) { return s && s->shares; });
}

void Group::begin_riding(std::span<const std::uint8_t> marked) {
  for (int i = 0; i < size(); i++)
    if (is_marked(marked, i)) begin_alone(i);
  riding_ = size() > 1 && all_share();
  if (!riding_) return wide_.reset();
  if (!wide_ || marked.empty()) {  // what all share may be another model now
    const World<Lanes> world = widen(plan_.shared->world());
    wide_.emplace(Register{world.params, world.state, world.input});
  }
  for (int i = 0; i < size(); i++) {
    const bool fits = set_lane_params(wide_->params, i, starts_[std::size_t(i)]->params);
    SINEW_CHECK(fits, "Group: the numbers of a robot cannot be in a lane");
  }
}

void Group::begin_in_lanes(Starts starts) {
  World<double> start = plan_.shared->world();
  start.params = starts[0]->params;
  start.state = starts[0]->state;
  World<Lanes> world = widen(start);
  sensors_.reset();
  if (!world.model().sensors.empty()) sensors_.emplace(world.model());
  std::ranges::for_each(alone_, [](auto& simulation) { simulation.reset(); });
  k_ = looked_k_ = 0;
  wide_.emplace(Register{world.params, world.state, world.input});
  for (int i = 0; i < size(); i++) put_start(i, *starts[std::size_t(i)]);
  if (!sensors_) return;
  exchange(world);
  const sim::Scenario& scenario = plan_.experiment->scenario;
  sensors_->sample({scenario.seed, std::uint32_t(first_), scenario.step}, world);
  exchange(world);
}

void Group::put_start(int lane, const RobotStart& start) {
  const StepClock clock = wide_->state;
  const bool fits = set_lane_params(wide_->params, lane, start.params);
  SINEW_CHECK(fits, "Group: the numbers of a robot cannot be in a lane");
  set_lane_state(wide_->state, lane, start.state);
  static_cast<StepClock&>(wide_->state) = clock;
  watch_[std::size_t(lane)] = start.watch;
  clear(lane);
  show(lane, start.state.q, start.state.u);
}

void Group::begin_alone(int i) {
  sim::SimulationOptions options;
  options.robot = std::uint32_t(first_ + i);
  options.controller = plan_.controller;
  alone_[std::size_t(i)] = std::make_unique<sim::Simulation>(plan_.experiment_of(first_ + i), options);
  clear(i);
  const auto& state = alone_[std::size_t(i)]->world().state;
  show(i, state.q, state.u);
}

// Each goes on by itself from where it is; one that has failed stays where it was.
void Group::leave_lanes() {
  for (int i = 0; i < size(); i++) {
    const RobotRow kept = rows_[std::size_t(i)];
    const auto failed = *kept.failed;
    const auto failure = *kept.failure;
    const auto at = *kept.failed_at;
    const auto uncertified = *kept.uncertified, steps = *kept.steps;
    begin_alone(i);
    sim::Simulation& s = *alone_[std::size_t(i)];
    sim::Progress now = s.snapshot();
    now.k = k_;
    now.state = lane_state(wide_->state, i);
    for (std::size_t c = 0; c < now.torque.size(); c++) now.torque[c] = wide_->input.torque[c][i];
    for (std::size_t c = 0; c < now.drive.size(); c++) now.drive[c] = wide_->input.drive[c][i];
    now.watch = watch_[std::size_t(i)];
    if (!failed) s.restore(now);
    *kept.failed = failed;
    *kept.failure = failure;
    *kept.failed_at = at;
    *kept.uncertified = uncertified;
    *kept.steps = steps;
    if (!failed) show(i, now.state.q, now.state.u);
  }
  wide_.reset();
}

void Group::show(int i, const std::vector<double>& q, const std::vector<double>& u) {
  std::ranges::copy(q, rows_[std::size_t(i)].q);
  std::ranges::copy(u, rows_[std::size_t(i)].u);
}

void Group::step(int n, Lookout& lookout) {
  if (riding_) return step_riding(n, lookout);
  if (wide_) return step_lanes(n, lookout);
  for (int i = 0; i < size(); i++)
    if (!*rows_[std::size_t(i)].failed) step_alone(i, n);
}

void Group::exchange(World<Lanes>& world) {
  std::swap(world.params, wide_->params);
  std::swap(world.state, wide_->state);
  std::swap(world.input, wide_->input);
}

void Group::give_commands() {
  const std::size_t n_torque = wide_->input.torque.size();
  for (int i = 0; i < size(); i++) {
    if (*rows_[std::size_t(i)].failed) continue;
    const double* given = rows_[std::size_t(i)].command;
    for (std::size_t c = 0; c < n_torque; c++) wide_->input.torque[c].set(i, given[c]);
    for (std::size_t c = 0; c < wide_->input.drive.size(); c++) wide_->input.drive[c].set(i, given[n_torque + c]);
  }
}

void Group::step_lanes(int n, Lookout& lookout) {
  World<Lanes>& w = *lookout.wide;
  const sim::Scenario& scenario = plan_.experiment->scenario;
  give_commands();
  exchange(w);
  for (int done = 0; done < n; done++) {
    const StepReport report = w.step(scenario.step);
    k_++;
    w.state.t = double(k_) * scenario.step;
    if (sensors_) sensors_->sample({scenario.seed, std::uint32_t(first_), scenario.step}, w);
    for (int i = 0; i < size(); i++) {
      RobotRow& r = rows_[std::size_t(i)];
      if (*r.failed) continue;
      ++*r.steps;
      if (!report.converged && !(report.lane_residual[std::size_t(i)] <= w.model().contact.tolerance)) ++*r.uncertified;
    }
    const bool due = k_ % 64 == 0 || (k_ < 64 && (k_ & (k_ - 1)) == 0);
    if (report.is_lost() || due) look(w, lookout);
  }
  for (int i = 0; i < size(); i++) {
    RobotRow& r = rows_[std::size_t(i)];
    if (*r.failed) continue;
    for (int c = 0; c < plan_.nq; c++) r.q[c] = w.state.q[std::size_t(c)][i];
    for (int c = 0; c < plan_.nu; c++) r.u[c] = w.state.u[std::size_t(c)][i];
  }
  exchange(w);
}

// Is every robot finite; does its account of energy close?
void Group::look(World<Lanes>& w, Lookout& lookout) {
  for (int i = 0; i < size(); i++) {
    double sum = 0.0;
    for (const Lanes& x : w.state.q) sum += std::abs(x[i]);
    for (const Lanes& x : w.state.u) sum += std::abs(x[i]);
    if (!std::isfinite(sum)) fail(w, i, Failure::NotFinite);
  }
  const Observation<Lanes>& seen = lookout.lanes->observe(w);
  const int steps = int(k_ - looked_k_);
  looked_k_ = k_;
  for (int i = 0; i < size(); i++) {
    if (*rows_[std::size_t(i)].failed) continue;
    State<double>& state = lookout.one.state;
    const Work<Lanes>& work = w.state.work;
    state.work = {work.actuators[i], work.external[i], work.damping[i],
                  work.friction[i],  work.impact[i],   work.start[i]};
    state.steps = *rows_[std::size_t(i)].steps;
    state.bounces.touching = w.state.bounces.touching[i];
    lookout.seen.energy = {seen.energy.kinetic[i], seen.energy.potential[i], seen.energy.elastic[i]};
    lookout.seen.balance_error = seen.balance_error[i];
    const Account found = watch_[std::size_t(i)].look(lookout.one, lookout.seen, steps);
    if (found == Account::Unexplained || found == Account::PutIn) fail(w, i, Failure::Energy);
  }
}

// Out of the way: its lane goes on from the start with nothing commanded, so that it costs the others nothing.
void Group::fail(World<Lanes>& w, int lane, Failure why) {
  RobotRow& r = rows_[std::size_t(lane)];
  if (!*r.failed) {
    *r.failed = 1;
    *r.failure = why;
    *r.failed_at = double(*r.steps) * plan_.experiment->scenario.step;
  }
  const StepClock clock = w.state;
  set_lane_state(w.state, lane, starts_[std::size_t(lane)]->state);
  static_cast<StepClock&>(w.state) = clock;
  const Input<double> neutral = neutral_input<double>(w.model());
  for (std::size_t c = 0; c < neutral.torque.size(); c++) w.input.torque[c].set(lane, neutral.torque[c]);
  for (std::size_t c = 0; c < neutral.drive.size(); c++) w.input.drive[c].set(lane, neutral.drive[c]);
}

// Of most of those that have not failed: they ride.
std::int64_t Group::common_clock() const {
  std::int64_t best = -1;
  int most = 0;
  for (int i = 0; i < size(); i++) {
    if (*rows_[std::size_t(i)].failed) continue;
    const auto k = alone_[std::size_t(i)]->progress().k;
    int count = 0;
    for (int j = 0; j < size(); j++)
      count += !*rows_[std::size_t(j)].failed && alone_[std::size_t(j)]->progress().k == k;
    if (count <= most) continue;
    most = count;
    best = k;
  }
  return best;
}

int Group::in_lanes() const {
  if (!wide_) return 0;
  if (!riding_) return size();
  const std::int64_t k = common_clock();
  int count = 0;
  for (int i = 0; i < size(); i++) count += !*rows_[std::size_t(i)].failed && alone_[std::size_t(i)]->progress().k == k;
  return count > 1 ? count : 0;
}

// Who leaves the register on the way, because something may be wrong with it, makes the rest of the steps alone.
void Group::step_riding(int n, Lookout& lookout) {
  std::array<Rider, lane_count> riders;
  std::array<std::int64_t, lane_count> targets{};
  const std::int64_t common = common_clock();
  for (int i = 0; i < size(); i++) {
    sim::Simulation& s = *alone_[std::size_t(i)];
    const auto k = s.progress().k;
    riders[std::size_t(i)] = {&s, !*rows_[std::size_t(i)].failed && k == common, is_told(s)};
    targets[std::size_t(i)] = k + n;
  }
  exchange(*lookout.wide);
  Riders together(*lookout.wide, std::span(riders).first(std::size_t(size())), lookout.memory);
  for (std::int64_t k = common; k < common + n && together.let_out(k) > 1; k++) together.step(k);
  exchange(*lookout.wide);
  for (int i = 0; i < size(); i++) {
    RobotRow& r = rows_[std::size_t(i)];
    if (*r.failed) continue;
    go_alone(i, targets[std::size_t(i)] - alone_[std::size_t(i)]->progress().k);
    const sim::Progress& now = alone_[std::size_t(i)]->progress();
    *r.steps = now.k;
    *r.uncertified = now.solver.unconverged_steps;
    if (*r.failed) free_lane(i);
  }
}

// What made a robot fail would not let the register solve the steps of the others.
void Group::free_lane(int i) {
  for (int j = 0; j < size(); j++)
    if (!*rows_[std::size_t(j)].failed) set_lane_params(wide_->params, i, starts_[std::size_t(j)]->params);
}

void Group::step_alone(int i, int n) {
  sim::Simulation& s = *alone_[std::size_t(i)];
  RobotRow& r = rows_[std::size_t(i)];
  const sim::Channel channel = all_commands(plan_.commands);
  for (int c = 0; c < plan_.commands; c++)
    if (r.command[c] != s.get(channel, c)) s.set(channel, r.command[c], c);
  const auto before = s.progress().k;
  const auto unsolved = s.progress().solver.unconverged_steps;
  go_alone(i, n);
  *r.steps += s.progress().k - before;
  *r.uncertified += s.progress().solver.unconverged_steps - unsolved;
}

void Group::go_alone(int i, std::int64_t n) {
  sim::Simulation& s = *alone_[std::size_t(i)];
  RobotRow& r = rows_[std::size_t(i)];
  if (s.step(int(n))) {
    *r.failed = 1;
    *r.failure = Failure::Diagnosed;
    *r.failed_at = s.time();
  }
  show(i, s.world().state.q, s.world().state.u);
}

std::uint64_t Group::hash(int i) const {
  if (!wide_ || riding_) return alone_[std::size_t(i)]->hash();
  State<double> state = lane_state(wide_->state, i);
  state.steps = *rows_[std::size_t(i)].steps;  // the clock of the register may be another
  state.t = double(state.steps) * plan_.experiment->scenario.step;
  return sinew::hash(state);
}

std::string Group::diagnosis(int i) const {
  const auto& simulation = alone_[std::size_t(i)];
  if (!simulation || !simulation->diagnosis()) return {};
  return text_of(*simulation->diagnosis(), simulation->scenario().name);
}

void Group::evaluate(int i, std::span<const sim::Signal> signals, Lookout& lookout, std::span<double> out) {
  if (!wide_ || riding_) {
    sim::Simulation& s = *alone_[std::size_t(i)];
    sim::evaluate(signals, s.world(), s.seen(), out);
    return;
  }
  World<double>& one = lookout.one;
  one.params = starts_[std::size_t(i)]->params;
  one.state = lane_state(wide_->state, i);
  one.state.t = double(*rows_[std::size_t(i)].steps) * plan_.experiment->scenario.step;
  for (std::size_t c = 0; c < one.input.torque.size(); c++) one.input.torque[c] = wide_->input.torque[c][i];
  for (std::size_t c = 0; c < one.input.drive.size(); c++) one.input.drive[c] = wide_->input.drive[c][i];
  sim::evaluate(signals, one, lookout.observer.observe(one), out);
}

}  // namespace sinew
