#include "sinew/sim/static_quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/control/properties.h"
#include "sinew/sim/formula.h"

namespace sinew::sim {
namespace {

[[noreturn]] void refuse(const ResultPlan& r, std::string what) {
  throw PlanError({{"output.result." + r.name, std::move(what)}});
}

const ResultPlan& coordinates_named(const ResultPlan& r, const std::vector<ResultPlan>& results) {
  const auto found = std::ranges::find(results, r.in, &ResultPlan::name);
  if (found == results.end()) refuse(r, fmt::format("in = \"{}\" is no result: name one that lists coordinates", r.in));
  return *found;
}

// At the start of the plan.
World<double> in_tree(const Standing& s) {
  const Compiled& tree = s.moving.compiled;
  return {tree.model, tree.params, tree.state, s.stepper};
}

// S of control/properties.h, found by moving one freedom after the other.
std::vector<double> coordinates_of(const Standing& s, const ResultPlan& r) {
  if (r.in.empty()) return {};
  World<double> world = in_tree(s);
  const Model& model = world.model();
  const auto n = std::size_t(model.nu);
  if (model.nq != model.nu) refuse(r, "in counts joints whose coordinates are their freedoms: no ball or free joints");
  const std::vector<ResultPlan> results = results_of(s.scenario);
  const auto signals = signals_of(model);
  const Formula formula = parse_formula(signals, coordinates_named(r, results).signal);
  if (formula.components.size() != n)
    refuse(r, fmt::format("in = \"{}\" has {} numbers, the robot {} freedoms: as many are needed", r.in,
                          formula.components.size(), n));
  const auto read = [&] {
    const auto seen = observe(world);
    std::vector<double> x;
    for (const Sum& sum : formula.components) x.push_back(evaluate(sum, signals, world, seen));
    return x;
  };
  const std::vector<double> start = read();
  std::vector<double> S(n * n);
  for (std::size_t i = 0; i < n; i++) {
    const double q = world.state.q[i];
    world.state.q[i] = q + 1.0;
    const std::vector<double> once = read();
    world.state.q[i] = q + 2.0;
    const std::vector<double> twice = read();
    world.state.q[i] = q;
    for (std::size_t k = 0; k < n; k++) {
      S[k * n + i] = once[k] - start[k];
      if (std::abs(twice[k] - start[k] - 2.0 * S[k * n + i]) > 1e-9)
        refuse(r, fmt::format("in = \"{}\" is no sum of coordinates of joints", r.in));
    }
  }
  if (!is_regular(S)) refuse(r, fmt::format("the numbers of in = \"{}\" depend on each other", r.in));
  return S;
}

template <std::vector<double> (*of)(const PlannedTree&, const std::vector<double>&)>
std::vector<double> counted(const Standing& s, const ResultPlan& r) {
  return of(s.moving, coordinates_of(s, r));
}
template <std::vector<double> (*of)(const PlannedTree&)>
std::vector<double> whole(const Standing& s, const ResultPlan& r) {
  if (!r.in.empty()) refuse(r, fmt::format("{} is the same in all coordinates: leave out in", r.signal));
  return of(s.moving);
}

Feedback::Design design_of(const Standing& s, const ResultPlan& r) {
  const auto* feedback = dynamic_cast<const Feedback*>(s.controller);
  if (!feedback) refuse(r, fmt::format("{} needs [control] kind = \"pd\" or \"lqr\"", r.signal));
  return feedback->design();
}

template <std::vector<double> Feedback::Design::*part>
std::vector<double> designed(const Standing& s, const ResultPlan& r) {
  std::vector<double> values = design_of(s, r).*part;
  if (values.empty()) refuse(r, fmt::format("{} does not exist for this controller: remove it", r.signal));
  return values;
}

std::vector<double> controllable(const Standing& s, const ResultPlan& r) {
  const int count = design_of(s, r).controllable;
  if (count == 0) refuse(r, fmt::format("{} does not exist for this controller: remove it", r.signal));
  return {double(count)};
}

constexpr std::array static_table{
    StaticQuantity{"model.M", "SI",
                   "mass matrix at the start, row by row, of the freedoms or in the coordinates of `in`",
                   counted<mass_matrix_of>},
    StaticQuantity{"model.bias", "SI", "forces that the velocities at the start ask for, without dampers",
                   counted<bias_of>},
    StaticQuantity{"model.acceleration", "SI",
                   "of the freedoms at the start, by all loads of a step but contacts and controllers",
                   counted<acceleration_of>},
    StaticQuantity{"model.frequencies", "rad/s", "of small undamped motions about the start, ascending",
                   whole<frequencies_of>},
    StaticQuantity{"model.damping_ratios", "1", "of these modes, each by itself", whole<damping_ratios_of>},
    StaticQuantity{"control.gain", "SI", "gains of pd and lqr: a row for each actuator; angles, then rates",
                   designed<&Feedback::Design::gain>},
    StaticQuantity{"control.poles", "1/s", "real parts of the closed loop's eigenvalues, the slowest first",
                   designed<&Feedback::Design::poles_re>},
    StaticQuantity{"control.poles_open", "1/s", "the same without the controller",
                   designed<&Feedback::Design::poles_open_re>},
    StaticQuantity{"control.M", "SI", "lqr: mass matrix of its axes, what is not followed eliminated",
                   designed<&Feedback::Design::mass>},
    StaticQuantity{"control.held", "N m or N", "lqr: torques that hold the pose of balance = true",
                   designed<&Feedback::Design::held>},
    StaticQuantity{"control.controllable", "1", "angles and rates that the actuators can bring to any value, how many",
                   controllable},
    StaticQuantity{"control.held_at", "rad or m", "lqr: that pose, in the angles that it counts",
                   designed<&Feedback::Design::held_at>},
};

// In the pose in which the robot hangs still, by itself or held by its controller: the same model, another start.
World<double> resting(const Standing& s, const ResultPlan& r) {
  Plan plan = s.moving.plan;
  if (r.take == Take::Held) {
    const auto* feedback = dynamic_cast<const Feedback*>(s.controller);
    if (!feedback || !feedback->put_held(plan))
      refuse(r, "take = \"held\" needs [control] kind = \"lqr\" with balance = true");
  } else if (!put_to_rest(s.moving.compiled, plan)) {
    refuse(r, "no pose was found in which the robot hangs still: take = \"rest\" needs springs that hold it");
  }
  World<double> world = in_tree(s);
  put_start(plan, world.model(), world.state);
  world.state.work.start = observe(world).energy.total();
  return world;
}

void find_at_rest(const Standing& s, ResultPlan& r) {
  const World<double> world = resting(s, r);
  const auto signals = signals_of(world.model());
  const Formula formula = parse_formula(signals, r.signal);
  const auto seen = observe(world);
  for (const Sum& sum : formula.components) r.known.push_back(evaluate(sum, signals, world, seen));
  if (!formula.components.empty()) r.unit = signals[formula.components[0][0].signal].unit;
}

}  // namespace

std::span<const StaticQuantity> static_quantities() { return static_table; }

const StaticQuantity* find_static_quantity(std::string_view name) {
  for (const StaticQuantity& q : static_table)
    if (q.name == name) return &q;
  return nullptr;
}

std::vector<ResultPlan> known_results(const Standing& s) {
  std::vector<ResultPlan> results = results_of(s.scenario);
  for (ResultPlan& r : results) {
    if (!r.known.empty()) continue;
    if (const StaticQuantity* quantity = find_static_quantity(r.signal)) {
      r.known = quantity->of(s, r);
      r.unit = quantity->unit;
    } else if (is_still(r.take))
      find_at_rest(s, r);
  }
  return results;
}

}  // namespace sinew::sim
