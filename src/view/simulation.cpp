#include "view/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/world/observe.h"

namespace sinew::view {
namespace {

bool is_same(const ShapePair& a, const ShapePair& b) {
  return a.shape1 == b.shape1 && a.shape2 == b.shape2 && a.slot == b.slot && a.n_slots == b.n_slots;
}

bool is_same(const AxisRowInfo& a, const AxisRowInfo& b) {
  return a.kind == b.kind && a.joint == b.joint && a.component == b.component && a.law == b.law && a.side == b.side;
}

// Of motions as planned: without passages.
bool is_same(const Motion<double>& a, const Motion<double>& b) {
  return a.offset == b.offset && a.rate == b.rate && a.amplitude == b.amplitude && a.frequency == b.frequency &&
         a.phase == b.phase && a.ramp == b.ramp && a.start == b.start;
}

// Where the motions lead to from here, loops must be able to follow.
bool can_follow(const World<double>& world) {
  if (world.model().cuts.empty()) return true;
  World<double> there = world;
  for (Motion<double>& motion : there.params.motions) motion.passage = {};
  return settle(there);
}

// A state of one is a state of the other, but for laws on joint axes.
bool is_same_robot(const Model& a, const Model& b) {
  const auto same_link = [](const Link& x, const Link& y) {
    return x.kind == y.kind && x.parent == y.parent && x.q == y.q && x.u == y.u && x.driven == y.driven;
  };
  return a.nq == b.nq && a.nu == b.nu && a.n_slots == b.n_slots && a.n_motions == b.n_motions && a.n_axes == b.n_axes &&
         a.memory == b.memory && a.body_names == b.body_names && std::ranges::equal(a.links, b.links, same_link) &&
         std::ranges::equal(a.pairs, b.pairs, [](const auto& x, const auto& y) { return is_same(x, y); });
}

// Impulses of laws on joint axes that both have; those of new ones start at 0.
std::vector<double> axis_impulses(const Model& from, const std::vector<double>& P, const Model& to) {
  std::vector<double> out(to.axis_rows.size(), 0.0);
  for (std::size_t i = 0; i < out.size(); i++)
    for (std::size_t k = 0; k < P.size(); k++)
      if (is_same(to.axis_rows[i], from.axis_rows[k])) out[i] = P[k];
  return out;
}

// The controller of joints with drive = "computed" follows the same shifted motions as the world.
std::unique_ptr<Controller> controller_for(const sim::Scenario& scenario, const World<double>& world) {
  Plan plan = sim::moving_plan(scenario);
  auto next = world.params.motions.begin();
  for (JointPlan& j : plan.joints) {
    if (j.drive == Drive::None) continue;
    const int n = joint::freedom_count(j.kind);
    j.motion.assign(next, next + n);
    next += n;
  }
  return sim::make_controller(scenario, plan);
}

}  // namespace

double passage_time(const Motion<double>& next) { return std::clamp(0.25 / std::abs(next.frequency), 0.1, 0.5); }

Motion<double> go_on(const Motion<double>& now, const Motion<double>& planned, const Motion<double>& next, double t) {
  if (is_same(planned, next)) return now;
  constexpr double turn = 2.0 * std::numbers::pi;
  Motion<double> out = next;
  const double shift = now.phase - planned.phase + turn * (now.frequency - next.frequency) * t;
  if (t >= now.start) {
    out.phase += std::remainder(shift, turn);
    out.start = now.start;  // what has begun does not wait again
  } else {
    out.phase += shift;  // whole turns count: they are time to wait
    if (next.frequency != 0.0) out.start -= shift / (turn * next.frequency);
  }
  out.offset += now.offset - planned.offset + (now.rate - next.rate) * t;
  return take_over(now, out, t, passage_time(next));
}

Simulation::Simulation(const std::string& name, const std::vector<std::string>& sets, Load load)
    : name_(name),
      sets_(sets),
      own_sets_(sets.size()),
      load_(std::move(load)),
      scenario_(load_(name, sets, sim::Purpose::Start)),
      world_(sim::make_world(scenario_)),
      observer_(world_.model()),
      hand_(world_.model()),
      parameters_(parameters_of(scenario_)) {
  controller_ = sim::make_controller(scenario_);
  begin();
}

void Simulation::take(sim::Scenario scenario, World<double> world) {
  scenario_ = std::move(scenario);
  world_ = std::move(world);
  observer_.emplace(world_.model());
  hand_ = Hand(world_.model());
}

void Simulation::reset() {
  sim::Scenario scenario = scenario_;
  scenario.purpose = sim::Purpose::Start;
  try {
    World<double> world = sim::make_world(scenario);
    controller_ = sim::make_controller(scenario);
    take(std::move(scenario), std::move(world));
  } catch (const PlanError& e) {
    throw InputError(
        fmt::format("reset: with the present values it cannot start, and goes on instead: {}; or change back what was "
                    "changed on the way",
                    e.what()));
  }
  begin();
}

void Simulation::begin() {
  planned_ = world_.params.motions;
  push_.reset();
  k_ = 0, since_change_ = 0;
  watch_ = watch_from(world_, seen());
  sound_ = {world_.state, world_.input.torque, watch_, k_};
  judge({}, 0);
}

StepReport Simulation::step() {
  if (controller_) {
    read_sensors(world_, readings_);
    controller_->update(readings_, world_.state.memory, world_.input);
  }
  if (push_) world_.input.external[push_->body] = hand_.wrench(*push_, world_);
  const StepReport report = world_.step(scenario_.step);
  world_.state.t = double(++k_) * scenario_.step;
  return report;
}

Account Simulation::judge(const StepReport& report, int steps) {
  if (!report.finite) return Account::Unexplained;
  const Account found = watch_.look(world_, seen(), steps);
  if (found == Account::InOrder) sound_ = {world_.state, world_.input.torque, watch_, k_};
  return found;
}

// Often at the start and after a change, when most mistakes show.
std::optional<Diagnosis> Simulation::advance(int steps) {
  std::optional<Diagnosis> failure;
  while (steps > 0 && !failure) {
    const int n = std::min(steps, since_change_ < 64 ? std::max(since_change_, 1) : 64);
    failure = try_steps(n);
    since_change_ = std::min(since_change_ + n, 64);
    steps -= n;
  }
  return failure;
}

std::optional<Diagnosis> Simulation::try_steps(int steps) {
  StepReport report;
  int done = 0;
  for (; done < steps && report.finite; done++) report = step();
  const Account found = judge(report, done);
  if (found == Account::InOrder || found == Account::InDoubt) return {};
  // once more from where all was well, and look after every step
  const std::int64_t end = k_;
  k_ = sound_.k, world_.state = sound_.state, watch_ = sound_.watch;
  world_.input.torque = sound_.torque;
  while (k_ < end) {
    const World<double> before = world_;
    const EnergyWatch watch = watch_;
    report = step();
    if (judge(report, 1) == Account::InOrder) continue;
    const Diagnosis why = diagnose({before, world_, scenario_.step, report, watch, controller_.get()});
    world_ = before, watch_ = watch, k_--;
    return why;
  }
  return {};
}

std::vector<std::string> Simulation::sets_with(std::span<const Change> changes) const {
  std::vector<std::string> sets = sets_;
  std::vector<Parameter> now = parameters_;
  for (const Change& change : changes) {
    const auto found = std::ranges::find(now, change.key, &Parameter::key);
    if (found == now.end())
      throw InputError(
          fmt::format("set: {} cannot be changed while it runs: sinew show marks what can as live", change.key));
    const std::string head = found->written + "=";
    const auto first = sets.begin() + std::ptrdiff_t(own_sets_);
    sets.erase(std::remove_if(first, sets.end(), [&](const auto& set) { return set.starts_with(head); }), sets.end());
    sets.push_back(set_text(now, *found, change.value));
    found->value = change.value;
  }
  return sets;
}

std::vector<std::size_t> Simulation::set(std::span<const Change> changes) {
  std::vector<std::string> sets = sets_with(changes);
  sim::Scenario scenario = load_(name_, sets, sim::Purpose::GoOn);
  World<double> world = sim::make_world(scenario);
  if (!is_same_robot(world_.model(), world.model()))
    throw InputError("set: this value would make another robot of it: start again with --set " + sets.back());
  const std::vector<Motion<double>> planned = world.params.motions;
  for (std::size_t i = 0; i < planned.size(); i++)
    world.params.motions[i] = go_on(world_.params.motions[i], planned_[i], planned[i], world_.state.t);
  world.state = world_.state;
  world.state.axis_P = axis_impulses(world_.model(), world_.state.axis_P, world.model());
  world.input = world_.input;
  const auto same = [](const Motion<double>& a, const Motion<double>& b) { return is_same(a, b); };
  if (!std::ranges::equal(planned, planned_, same) && !can_follow(world))
    throw InputError("set: with this value the loops of the robot cannot be closed: choose another");
  auto controller = controller_for(scenario, world);
  const Observation<double> before = seen();
  const Observation<double> after = observe(world);
  if (!std::isfinite(after.balance_error))
    throw InputError("set: with this value the energy is no longer finite: choose a smaller one");
  world.state.work.start += after.balance_error - before.balance_error;
  std::optional<Push> push = push_;
  if (push) push = make_push(world, push->body, push->point_B, push->target, scenario.step);

  watch_.potential_start += after.energy.potential - before.energy.potential;
  push_ = push;
  sets_ = std::move(sets);
  take(std::move(scenario), std::move(world));
  controller_ = std::move(controller);
  planned_ = planned;
  since_change_ = 0;
  judge({}, 0);  // what energy there is now
  sound_ = {world_.state, world_.input.torque, watch_, k_};
  return update(scenario_, parameters_);
}

void Simulation::push(const std::string& body, const Vec3d& point_B, const Vec3d& target) {
  const int link = world_.model().body(body);
  if (link < 0) throw InputError(fmt::format("push: there is no body {}: push one of the robot's", body));
  const Push next = make_push(world_, link, point_B, target, scenario_.step);
  release();
  push_ = next;
}

void Simulation::release() {
  if (push_) world_.input.external[push_->body] = Wrench<double>::zero();
  push_.reset();
}

}  // namespace sinew::view
