// What makes a simulation another one while it runs: other numbers, a hand, a new start.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/model/section_plant.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/simulation.h"
#include "sinew/world/observe.h"

namespace sinew::sim {
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
  if (!world.model().has_rows()) return true;
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

// Of joints whose tables came from files: keys do not hold them.
void keep_tables(const Plan& from, Plan& to) {
  for (JointPlan& j : to.joints) {
    const auto old = std::ranges::find(from.joints, j.name, &JointPlan::name);
    if (j.table_file.empty() || old == from.joints.end() || old->motion.size() != j.motion.size()) continue;
    for (std::size_t i = 0; i < j.motion.size(); i++) j.motion[i].table = old->motion[i].table;
  }
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

void Simulation::reset() {
  std::shared_ptr<const Experiment> experiment = experiment_;
  if (scenario().purpose != Purpose::Start) {
    Scenario scenario = experiment_->scenario;
    scenario.purpose = Purpose::Start;
    try {
      experiment = std::make_shared<const Experiment>(std::move(scenario));
    } catch (const InputError& e) {
      throw InputError(fmt::format(
          "reset: with the present values it cannot start, and goes on instead: {}; or change back what was "
          "changed on the way",
          e.what()));
    }
  }
  take(experiment, experiment->world(), experiment->make_controller());
  begin();
  check({});
}

std::vector<std::size_t> Simulation::set(std::span<const Change> changes) {
  parameters();  // as they were at the start
  Scenario next = scenario();
  std::string last;
  for (const Change& change : changes) {
    set_parameter(next, change.key, change.value);
    last = fmt::format("{}={}", change.key, change.value);
  }
  keep_tables(scenario().plan, next.plan);
  next.purpose = Purpose::GoOn;
  try {
    return pass_over(std::make_shared<const Experiment>(std::move(next)), last);
  } catch (InputError& e) {
    for (std::string& problem : e.problems)
      if (!problem.starts_with("set: ")) problem = "set: " + problem;
    throw InputError(std::move(e.problems));
  }
}

std::vector<std::size_t> Simulation::pass_over(std::shared_ptr<const Experiment> experiment,
                                               const std::string& change) {
  World<double> world = experiment->world();
  if (!is_same_robot(world_.model(), world.model()) || world.state.plant.size() != world_.state.plant.size())
    throw InputError("set: this value would make another robot of it: start again with --set " + change);
  if (const SectionPlant* plant = world.model().plant.get(); plant && !plant->change_refusal().empty())
    throw InputError(fmt::format("set: {}: start again with --set {}", plant->change_refusal(), change));
  const std::vector<Motion<double>> planned = world.params.motions;
  for (std::size_t i = 0; i < planned.size(); i++)
    world.params.motions[i] = go_on(world_.params.motions[i], planned_[i], planned[i], world_.state.t);
  world.state = world_.state;
  if (const SectionPlant* plant = world.model().plant.get()) plant->take_over(world.state.plant);
  world.state.axis_P = axis_impulses(world_.model(), world_.state.axis_P, world.model());
  world.input = world_.input;
  const auto same = [](const Motion<double>& a, const Motion<double>& b) { return is_same(a, b); };
  if (!std::ranges::equal(planned, planned_, same) && !can_follow(world))
    throw InputError("set: with this value the loops of the robot cannot be closed: choose another");
  const bool is_foreign = foreign_ && foreign_ == own_.get();  // it goes on as it is
  std::unique_ptr<Controller> controller;
  if (!is_foreign) controller = experiment->make_controller(world.params.motions);  // follows what the world does
  const Observation<double> before = seen();
  const Observation<double> after = observe(world);
  if (!std::isfinite(after.balance_error))
    throw InputError("set: with this value the energy is no longer finite: choose a smaller one");
  world.state.work.start += after.balance_error - before.balance_error;
  std::optional<Push> push = push_;
  if (push) push = make_push(world, push->body, push->point_B, push->target, experiment->scenario.step);

  now_.watch.potential_start += after.energy.potential - before.energy.potential;
  push_ = push;
  if (is_foreign) controller = std::move(own_);
  if (is_foreign) foreign_ = nullptr;
  take(std::move(experiment), std::move(world), std::move(controller));
  planned_ = planned;
  from_k_ = now_.k;
  diagnosis_.reset();
  every_step_ = false;
  check({});  // what energy there is now
  good_ = now_ = snapshot();
  return update(scenario(), parameters_);
}

void Simulation::push(const std::string& body, const Vec3d& point_B, const Vec3d& target) {
  const int link = world_.model().body(body);
  if (link < 0) throw InputError(fmt::format("push: there is no body {}: push one of the robot's", body));
  const Push next = make_push(world_, link, point_B, target, scenario().step);
  release();
  push_ = next;
}

void Simulation::release() {
  if (push_) world_.input.external[push_->body] = Wrench<double>::zero();
  push_.reset();
  is_told_ = true;
  seen_ = nullptr;
  diagnosis_.reset();
}

}  // namespace sinew::sim
