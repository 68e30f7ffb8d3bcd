#include "sinew/text/load_scenario.h"

#include <fmt/format.h>

#include <filesystem>

#include "sinew/model/rods.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/formula.h"
#include "sinew/sim/run_quantities.h"
#include "sinew/sim/scenario_signals.h"
#include "sinew/sim/static_quantities.h"
#include "sinew/text/document.h"
#include "sinew/text/load_meshes.h"
#include "sinew/text/load_tables.h"
#include "sinew/text/read_keys.h"
#include "sinew/text/renamed.h"
#include "sinew/text/set_keys.h"
#include "sinew/world/under_ground.h"

namespace sinew::text {
namespace {

using sim::Purpose;
using sim::Scenario;

sim::Scenario read(const Document& document, std::vector<std::string>& problems) {
  sim::Scenario scenario;
  KeyReader reader(document);
  describe(reader, scenario);
  describe(reader, scenario.cases);
  reader.finish();
  problems = reader.problems();
  return scenario;
}

void check_signals(const sim::Scenario& scenario, const Model& model, const Document& document,
                   std::vector<std::string>& problems) {
  const auto signals = sim::signals_of(scenario, model);
  for (const ResultPlan& result : sim::results_of(scenario)) {
    const std::string place = document.place(fmt::format("output.result.{}", result.name));
    if (!result.known.empty()) continue;
    const bool is_still = sim::find_static_quantity(result.signal);
    if (is_still || sim::find_run_quantity(result.signal)) {
      if (result.take != Take::Final)
        problems.push_back(fmt::format("{}: {} is about the whole run and has no \"{}\": leave out take", place,
                                       result.signal, take_names[int(result.take)]));
    }
    if (!is_still && !result.in.empty())
      problems.push_back(fmt::format("{}: in belongs to model.NAME: leave it out", place));
    if (is_still || sim::find_run_quantity(result.signal)) continue;
    if (const sim::Formula formula = sim::parse_formula(signals, result.signal); formula.components.empty()) {
      problems.push_back(fmt::format("{}: no signal is named \"{}\": {}{}", place, formula.unknown,
                                     now_called("", formula.unknown), sim::suggest_signals(signals, formula.unknown)));
    }
  }
  if (problems.empty()) sim::known_results(scenario);
  try {
    sim::select_signals(signals, scenario.recorded, document.place("output.signals"));
  } catch (const InputError& e) {
    problems.insert(problems.end(), e.problems.begin(), e.problems.end());
  }
}

// A robot with equations of its own gets its bodies here, when all keys are known.
void make_sections(sim::Scenario& scenario, const Document& document, std::vector<std::string>& problems) {
  try {
    scenario.plan = with_sections(std::move(scenario.plan));
  } catch (const PlanError& e) {
    for (const Problem& p : e.problems)
      problems.push_back(fmt::format("{}: {}: {}", document.place(p.key), p.key, p.what));
  }
}

// No body may start where it cannot have come: below the ground.
void check_start(const sim::Scenario& scenario, const World<double>& world) {
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

// What a single key cannot tell: the plan as a whole.
void check_plan(const sim::Scenario& scenario, const Document& document, std::vector<std::string>& problems) {
  const auto add = [&](const Problem& p) {
    // a robot of the catalogue brings its own bodies and joints; all else is the file's
    const bool of_robot = p.key.starts_with("body") || p.key.starts_with("joint") || p.key.starts_with("loop");
    const bool written_here = scenario.robot == "bodies" || !of_robot;
    problems.push_back(
        fmt::format("{}: {}: {}", document.place(written_here ? p.key : std::string("robot")), p.key, p.what));
  };
  try {
    for (const Problem& p : problems_of(sim::moving_plan(scenario), scenario.coordinates)) add(p);
  } catch (const PlanError& e) {
    for (const Problem& p : e.problems) add(p);
  }
  if (!scenario.plan.engine && find_stepper(scenario.method)->laws == Laws::AfterStep &&
      scenario.plan.contact.options.solver == ContactSolver::Recursion)
    add({"contact.solver",
         fmt::format("{} adds contact to a step that is already made, which recursion cannot: use \"auto\", or "
                     "integrator.method = \"moreau\"",
                     scenario.method)});
  if (!problems.empty()) return;
  try {
    sim::make_controller(scenario);
    const World<double> world = make_world(scenario);
    if (scenario.purpose == sim::Purpose::Start) check_start(scenario, world);
    check_signals(scenario, world.model(), document, problems);
  } catch (const PlanError& e) {
    for (const Problem& p : e.problems) add(p);
  }
}

}  // namespace

sim::Scenario parse_scenario(std::string_view text, const std::string& file, std::span<const std::string> sets,
                             sim::Purpose purpose) {
  Document document(text, file);
  std::vector<std::string> problems = apply_sets(sets, document);
  std::vector<std::string> found;
  sim::Scenario scenario = read(document, found);
  scenario.purpose = purpose;
  problems.insert(problems.end(), found.begin(), found.end());
  if (scenario.duration / scenario.step > 1e12)
    problems.push_back(fmt::format("{}: {} s in steps of {} s would never end: make the step larger",
                                   document.place("integrator.step"), scenario.duration, scenario.step));
  scenario.folder = std::filesystem::path(file).parent_path().string();
  load_meshes(
      scenario.plan, scenario.folder, [&](std::string_view key) { return document.place(key); }, problems);
  const std::string table_key = scenario.robot_keys ? scenario.robot_keys->table_key() : "";
  load_tables(
      scenario.plan, scenario.folder, table_key, [&](std::string_view key) { return document.place(key); }, problems);
  if (problems.empty()) make_sections(scenario, document, problems);
  if (problems.empty()) check_plan(scenario, document, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  scenario.name = file;
  return scenario;
}

sim::Scenario load_scenario(const std::string& file, const std::string& name, std::span<const std::string> sets,
                            sim::Purpose purpose) {
  sim::Scenario scenario = parse_scenario(read_text(file), file, sets, purpose);
  scenario.name = name;
  return scenario;
}

sim::Scenario read_header(const std::string& file, const std::string& name) {
  std::vector<std::string> problems;
  sim::Scenario scenario = read(Document(read_text(file), file), problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  scenario.name = name;
  return scenario;
}

}  // namespace sinew::text
