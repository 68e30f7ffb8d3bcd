#include "sinew/sim/experiment.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/model/compile.h"
#include "sinew/model/lane_params.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/fmu_wires.h"
#include "sinew/sim/renamed.h"
#include "sinew/sim/run_quantities.h"
#include "sinew/sim/scenario_signals.h"
#include "sinew/sim/static_quantities.h"
#include "sinew/world/under_ground.h"

namespace sinew::sim {
namespace {

// No body may start where it cannot have come: below the ground.
void check_start(const Scenario& scenario, const World<double>& world) {
  const auto seen = observe(world);
  const GroundWatch watch = ground_watch_from(world, seen);
  const Sunk sunk =
      find_sunk(world, seen, watch, 2.0 * scenario.step * top_speed(world, seen, watch), seen.energy.kinetic);
  if (sunk.shape < 0) return;
  const Model& model = world.model();
  const int link = model.shapes[sunk.shape].link;
  std::string start = "the start of the robot";
  for (const JointInfo& j : model.joints)  // the joint that places it in the world
    if (scenario.robot == "bodies" && j.parent < 0 && model.robot[j.child] == model.robot[link])
      start = "joint." + j.name + ".position";
  throw PlanError({{"body." + model.body_names[link],
                    fmt::format("{} at the start: raise {} by at least that much, or lower the ground",
                                text_of(sunk, model), start)}});
}

// What no single key can tell.
std::vector<Problem> problems_of_method(const Scenario& s) {
  if (s.plan.make_plant || find_stepper(s.method)->laws != Laws::AfterStep ||
      s.plan.contact.options.solver != ContactSolver::Recursion)
    return {};
  return {{"contact.solver",
           fmt::format("{} adds contact to a step that is already made, which recursion cannot: use \"auto\", or "
                       "integrator.method = \"moreau\"",
                       s.method)}};
}

// Explicit steps follow an oscillation only while omega dt is below 2.8 (rk4) or 2 (docs/theory/step.md#rk4).
std::vector<Problem> problems_of_step(const Scenario& s, const PlannedTree& moving) {
  const double reach = s.method == "rk4" ? 2.8 : s.method == "moreau" || s.method == "verlet" ? 2.0 : 0.0;
  const double fastest = s.robot_keys && reach > 0.0 ? s.robot_keys->fastest(moving) : 0.0;
  if (fastest * s.step <= reach || reach == 0.0) return {};
  return {{"integrator.step",
           fmt::format("the robot's springs vibrate with up to {:.4g} rad/s, and {} diverges with steps beyond {:.3g} "
                       "s: use a shorter integrator.step, fewer links, or integrator.method = \"euler\"",
                       fastest, s.method, reach / fastest)}};
}

// A sweep is held over a step: above a quarter of the steps' rate a slower sine is seen in its place (report/plot_bode.h looks no further).
std::vector<Problem> problems_of_sweeps(const Scenario& s) {
  constexpr double most = 0.25;  // periods in a step
  std::vector<Problem> problems;
  for (const DrivePlan& d : s.plan.drives) {
    const double fastest = std::max(d.sweep.from, d.sweep.to);
    if (d.sweep.amplitude == 0.0 || fastest * s.step <= most) continue;
    problems.push_back({fmt::format("drive.{}.sweep.{}", d.name, d.sweep.to < d.sweep.from ? "from" : "to"),
                        fmt::format("a sweep moves once in a step of {:.3g} s, which shows {:.4g} Hz as another "
                                    "frequency: use at most {:.4g} Hz, or integrator.step = {:.2g}",
                                    s.step, fastest, most / s.step, most / fastest)});
  }
  return problems;
}

// A robot of the catalogue brings its own bodies and joints; all else is the file's.
std::string text_of(const Problem& p, const Scenario& scenario, const PlaceOf& place_of) {
  if (!place_of) return fmt::format("{}: {}", p.key, p.what);
  const bool of_robot = p.key.starts_with("body") || p.key.starts_with("joint") || p.key.starts_with("loop");
  const bool is_written = scenario.robot == "bodies" || !of_robot;
  return fmt::format("{}: {}: {}", place_of(is_written ? p.key : std::string("robot")), p.key, p.what);
}

}  // namespace

Experiment::Experiment(Scenario with, const PlaceOf& place_of, const Experiment* like) : scenario(std::move(with)) {
  std::vector<std::string> problems;
  const auto add = [&](const std::vector<Problem>& found) {
    for (const Problem& p : found) problems.push_back(text_of(p, scenario, place_of));
  };
  try {
    if (!scenario.plan.plant) scenario.plan = with_sections(std::move(scenario.plan));
    add(problems_of_method(scenario));
    add(problems_of_sweeps(scenario));
    compile();
    add(problems_of_step(scenario, {plan_, tree_}));
    if (problems.empty() && like && reads_as(*like)) {
      readout_ = like->readout_;
      results_ = known_results({scenario, {plan_, tree_}, *stepper_, controller_.get()});
    } else if (problems.empty()) {
      find_signals(place_of, problems);
    }
  } catch (const PlanError& e) {
    add(e.problems);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

void Experiment::compile() {
  if (is_bench(scenario)) {
    model_ = std::make_shared<const Model>();  // of nothing
    stepper_ = find_stepper(scenario.method);
    return;
  }
  plan_ = moving_plan(scenario);
  BuiltWorld built = build_world(plan_, {.coordinates = scenario.coordinates,
                                         .stepper = scenario.method,
                                         .assembled = scenario.purpose == Purpose::Start});
  World<double>& world = built.world;
  tree_ = std::move(built.tree);
  if (scenario.control_kind == ControlKind::Fmu)
    wires_of(scenario.fmu, *tree_.model);  // who only looks at a scenario runs nobody else's code
  else
    controller_ = sim::make_controller(scenario, {plan_, tree_});
  if (scenario.purpose == Purpose::Start) check_start(scenario, world);
  model_ = world.shared_model();
  stepper_ = &world.stepper();
  params_ = std::move(world.params);
  state_ = std::move(world.state);
}

// A controller's memory and a crowd have signals that the model alone does not tell.
bool Experiment::reads_as(const Experiment& other) const {
  const auto has_more = [](const Experiment& e) {
    return is_bench(e.scenario) || e.model_->crowd ||
           (e.scenario.robot_keys && !e.scenario.robot_keys->memory_block().empty());
  };
  const auto reads_alike = [](const ResultPlan& a, const ResultPlan& b) {
    return a.name == b.name && a.signal == b.signal && a.take == b.take && a.in == b.in &&
           a.known.empty() == b.known.empty();
  };
  return !has_more(*this) && !has_more(other) && scenario.recorded == other.readout_->recorded &&
         can_share(*model_, *other.model_) &&
         std::ranges::equal(results_of(scenario), other.readout_->results, reads_alike);
}

void Experiment::find_signals(const PlaceOf& place_of, std::vector<std::string>& problems) {
  const auto readout = std::make_shared<Readout>();
  readout_ = readout;
  if (is_bench(scenario)) {
    readout->signals = {signals_of(*model_).front()};  // time, of which there is one moment
    return;
  }
  readout->signals = signals_of(scenario, *model_);
  readout->results = results_of(scenario);
  readout->recorded = scenario.recorded;
  const std::vector<Signal>& signals = readout->signals;
  const SignalPositions positions = positions_of(signals);
  const auto place = [&](const std::string& key) { return place_of ? place_of(key) : key; };
  for (const ResultPlan& result : readout->results) {
    const std::string key = fmt::format("output.result.{}", result.name);
    Formula& formula = readout->formulas.emplace_back();
    if (!result.known.empty()) continue;
    const bool is_static = find_static_quantity(result.signal);
    if (is_static || find_run_quantity(result.signal)) {
      if (result.take != Take::Final)
        problems.push_back(fmt::format("{}: {} is about the whole run and has no \"{}\": leave out take", place(key),
                                       result.signal, take_names[int(result.take)]));
    }
    if (!is_static && !result.in.empty())
      problems.push_back(fmt::format("{}: in belongs to model.NAME: leave it out", place(key)));
    if (is_static || find_run_quantity(result.signal)) continue;
    formula = parse_formula(signals, positions, result.signal);
    if (formula.components.empty())
      problems.push_back(fmt::format("{}: no signal is named \"{}\": {}{}", place(key), formula.unknown,
                                     now_called("", formula.unknown), suggest_signals(signals, formula.unknown)));
  }
  if (problems.empty()) results_ = known_results({scenario, {plan_, tree_}, *stepper_, controller_.get()});
  try {
    select_signals(signals, scenario.recorded, place("output.signals"));
  } catch (const InputError& e) {
    problems.insert(problems.end(), e.problems.begin(), e.problems.end());
  }
}

std::vector<Signal> Experiment::recorded() const {
  return is_bench(scenario) ? signals() : select_signals(signals(), scenario.recorded);
}

std::unique_ptr<Controller> Experiment::make_controller() const {
  return controller_ ? std::move(controller_) : sim::make_controller(scenario, {plan_, tree_});
}

std::unique_ptr<Controller> Experiment::make_controller(std::span<const Motion<double>> motions) const {
  Plan plan = plan_;
  Compiled tree = tree_;
  SINEW_CHECK(motions.size() == tree.params.motions.size(), "Experiment: ", motions.size(), " motions, the plan has ",
              tree.params.motions.size());
  std::size_t next = 0;
  for (JointPlan& j : plan.joints) {
    if (j.drive == Drive::None) continue;
    const auto of_joint = motions.subspan(next, std::size_t(joint::freedom_count(j.kind)));
    j.motion.assign(of_joint.begin(), of_joint.end());
    std::ranges::copy(of_joint, tree.params.motions.begin() + std::ptrdiff_t(next));
    next += of_joint.size();
  }
  return sim::make_controller(scenario, {plan, tree});
}

}  // namespace sinew::sim
