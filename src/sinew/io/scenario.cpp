#include "sinew/io/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sinew/io/choose.h"
#include "sinew/io/describe_control.h"
#include "sinew/io/describe_integrator.h"
#include "sinew/io/document.h"
#include "sinew/io/errors.h"
#include "sinew/io/formula.h"
#include "sinew/io/load_meshes.h"
#include "sinew/io/load_tables.h"
#include "sinew/io/read_keys.h"
#include "sinew/io/renamed.h"
#include "sinew/io/run_quantities.h"
#include "sinew/io/scenario_signals.h"
#include "sinew/io/set_keys.h"
#include "sinew/io/still.h"
#include "sinew/model/describe.h"
#include "sinew/model/rods.h"
#include "sinew/world/under_ground.h"

namespace sinew::io {
namespace {

void describe_robot(Keys& keys, Scenario& s) {
  static constexpr std::array<std::string_view, 2> cuts{"tree", "maximal"};
  const Table table(keys, "robot", "what is simulated");
  std::vector<std::string_view> kinds{"bodies"};
  for (const auto& entry : robots::catalog()) kinds.push_back(entry.name);
  const std::string before = s.robot;
  choose(keys, {"kind", "", "\"bodies\": given below one by one; or a robot of the catalogue"}, kinds, s.robot);
  int cut = int(s.coordinates);
  keys.choice({"coordinates", "", "tree: joint coordinates; maximal: six per body, joints as constraints"}, cuts, cut);
  s.coordinates = Coordinates(cut);
  if (s.robot != before || !s.robot_keys) s.robot_keys = robots::make_robot(s.robot);
  if (!s.robot_keys) return;
  s.robot_keys->describe(keys);
  s.robot_keys->check(keys, s.coordinates);
}

void describe_gait(Keys& keys, Scenario& s) {
  const Table table(keys, "gait", "how the driven joints move");
  std::vector<std::string_view> kinds{"none"};
  for (const auto& entry : gaits::catalog()) kinds.push_back(entry.name);
  const std::string before = s.gait;
  choose(keys,
         {"kind", "", "\"none\": as [joint.NAME.motion] says; or a gait of the catalogue, for all joints with a drive"},
         kinds, s.gait);
  if (s.gait != before || !s.gait_keys) s.gait_keys = gaits::make_gait(s.gait);
  if (s.gait_keys) s.gait_keys->describe(keys);
}

void describe_output(Keys& keys, Scenario& s) {
  const Table table(keys, "output", "what a run reports");
  keys.number({"every", "s", "time between rows of the recording", positive}, s.every);
  keys.texts({"signals", "", "what is recorded: names, groups (body.bob.p) or wildcards (*.p.x)"}, s.recorded);
  keys.numbers({"at", "s", "times at which the state goes into result.at", not_negative}, {}, s.at);
  keys.number({"t_avg_start", "s", "from where on the mean speed run.speed is taken", not_negative}, s.t_avg_start);
  const Table results(keys, "result", "numbers of this scenario: NAME = \"signal\", or a table");
  std::vector<std::string> present;
  for (const auto& r : s.results) present.push_back(r.name);
  std::vector<ResultPlan> read;
  for (const std::string& name : keys.names(present, "signal")) {
    const auto found = std::ranges::find(s.results, name, &ResultPlan::name);
    ResultPlan r = found == s.results.end() ? ResultPlan{} : *found;
    r.name = name;
    if (name == "at" || (!s.at.empty() && (name == "t" || name == "q" || name == "u")))
      keys.reject(name, fmt::format("the result name \"{}\" is taken by output.at", name), "choose another name");
    const Table entry(keys, name);
    keys.text({"signal", "",
               "signal, group of signals, run.NAME or model.NAME as listed by sinew show --signals, another result, or "
               "a formula: "
               "sums, then commas"},
              r.signal);
    int take = int(r.take);
    keys.choice(
        {"take", "",
         "value at the end, over the run, change: end minus start, range: max minus min, rate: largest change "
         "from step to step over the step, max_at, min_at: when, settled: from when on it stays within; rest: in the "
         "pose in which the robot would hang still, held: in that which [control] balance holds"},
        take_names, take);
    r.take = Take(take);
    keys.number({"from", "s", "of max, min, mean, change and range: before this time nothing is taken", not_negative},
                r.from);
    keys.number({"within", "", "of settled: the magnitude that must not be exceeded any more", not_negative}, r.within);
    keys.number({"every", "s", "time between two looks; 0: every step", not_negative}, r.every);
    keys.number({"less", "", "subtracted: what was wanted, so that an error is left"}, r.less);
    int over = int(r.over);
    keys.choice(
        {"over", "",
         "of a group of signals: each number, their mean, the largest magnitude, or the root of the sum of squares"},
        over_names, over);
    r.over = Over(over);
    keys.text({"in", "", "of model.NAME: the result whose numbers are the coordinates to count in; none: the joints'"},
              r.in);
    read.push_back(std::move(r));
  }
  s.results = std::move(read);
}

// Bodies and joints are the robot's; where it is and how it touches things is the scenario's, once it has been read.
void take_plan_of_robot(Keys& keys, Scenario& s) {
  Plan plan = s.robot_keys->plan();
  if (!s.plan.bodies.empty() || s.plan.make_plant) {
    static_cast<ScenePlan&>(plan) = s.plan;
    static_cast<MethodPlan&>(plan) = s.plan;
    plan.rods = s.plan.rods;  // [rod.NAME] and [cable.NAME] stand beside any robot
    plan.cables = s.plan.cables;
  }
  s.plan = std::move(plan);
  for (const char* name : {"body", "joint", "loop"})
    if (keys.is_given(name))
      keys.reject(name, fmt::format("[{}.*] is given, but the robot \"{}\" brings its own", name, s.robot),
                  "remove it, or use robot.kind = \"bodies\"");
}

Scenario read(const Document& document, std::vector<std::string>& problems) {
  Scenario scenario;
  KeyReader reader(document);
  describe(reader, scenario);
  describe(reader, scenario.cases);
  reader.finish();
  problems = reader.problems();
  return scenario;
}

void check_signals(const Scenario& scenario, const Model& model, const Document& document,
                   std::vector<std::string>& problems) {
  const auto signals = signals_of(scenario, model);
  for (const ResultPlan& result : results_of(scenario)) {
    const std::string place = document.place(fmt::format("output.result.{}", result.name));
    if (!result.known.empty()) continue;
    const bool is_still = find_still_quantity(result.signal);
    if (is_still || find_run_quantity(result.signal)) {
      if (result.take != Take::Final)
        problems.push_back(fmt::format("{}: {} is about the whole run and has no \"{}\": leave out take", place,
                                       result.signal, take_names[int(result.take)]));
    }
    if (!is_still && !result.in.empty())
      problems.push_back(fmt::format("{}: in belongs to model.NAME: leave it out", place));
    if (is_still || find_run_quantity(result.signal)) continue;
    if (const Formula formula = parse_formula(signals, result.signal); formula.components.empty()) {
      problems.push_back(fmt::format("{}: no signal is named \"{}\": {}{}", place, formula.unknown,
                                     now_called("", formula.unknown), suggest_signals(signals, formula.unknown)));
    }
  }
  if (problems.empty()) known_results(scenario);
  try {
    select_signals(signals, scenario.recorded, document.place("output.signals"));
  } catch (const InputError& e) {
    problems.insert(problems.end(), e.problems.begin(), e.problems.end());
  }
}

// A robot with equations of its own gets its bodies here, when all keys are known.
void make_sections(Scenario& scenario, const Document& document, std::vector<std::string>& problems) {
  try {
    scenario.plan = with_sections(std::move(scenario.plan));
  } catch (const PlanError& e) {
    for (const Problem& p : e.problems)
      problems.push_back(fmt::format("{}: {}: {}", document.place(p.key), p.key, p.what));
  }
}

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

// What a single key cannot tell: the plan as a whole.
void check_plan(const Scenario& scenario, const Document& document, std::vector<std::string>& problems) {
  const auto add = [&](const Problem& p) {
    // a robot of the catalogue brings its own bodies and joints; all else is the file's
    const bool of_robot = p.key.starts_with("body") || p.key.starts_with("joint") || p.key.starts_with("loop");
    const bool written_here = scenario.robot == "bodies" || !of_robot;
    problems.push_back(
        fmt::format("{}: {}: {}", document.place(written_here ? p.key : std::string("robot")), p.key, p.what));
  };
  try {
    for (const Problem& p : problems_of(moving_plan(scenario), scenario.coordinates)) add(p);
  } catch (const PlanError& e) {
    for (const Problem& p : e.problems) add(p);
  }
  if (!scenario.plan.plant && find_stepper(scenario.method)->laws == Laws::AfterStep &&
      scenario.plan.contact.options.solver == ContactSolver::Recursion)
    add({"contact.solver",
         fmt::format("{} adds contact to a step that is already made, which recursion cannot: use \"auto\", or "
                     "integrator.method = \"moreau\"",
                     scenario.method)});
  if (!problems.empty()) return;
  try {
    make_controller(scenario);
    const World<double> world = make_world(scenario);
    if (scenario.purpose == Purpose::Start) check_start(scenario, world);
    check_signals(scenario, world.model(), document, problems);
  } catch (const PlanError& e) {
    for (const Problem& p : e.problems) add(p);
  }
}

}  // namespace

void describe(Keys& keys, Scenario& s) {
  keys.text({"title", "", "one line on what happens"}, s.title);
  keys.text({"source", "", "figure or paper that it reproduces"}, s.source);
  keys.number({"duration", "s", "end of the run", not_negative}, s.duration);
  describe_robot(keys, s);
  if (s.robot_keys) take_plan_of_robot(keys, s);
  {
    const Table table(keys, "ground", "what the robot stands on");
    describe(keys, s.plan.ground);
  }
  {
    const Table table(keys, "gravity", "the field that pulls on every body");
    describe_gravity(keys, s.plan);
  }
  {
    const Table table(keys, "sun", "sunlight that presses on the bodies' plates");
    describe_sun(keys, s.plan.sun);
  }
  {
    const Table table(keys, "contact", "what happens where shapes touch");
    describe(keys, s.plan.contact);
  }
  if (!s.robot_keys) describe_parts(keys, s.plan);
  describe_rods(keys, s.plan);
  describe_gait(keys, s);
  describe_control(keys, s);
  describe_integrator(keys, s);
  describe_output(keys, s);
}

std::vector<ResultPlan> results_of(const Scenario& scenario) {
  std::vector<ResultPlan> all;
  if (scenario.robot_keys) all = scenario.robot_keys->results();
  std::erase_if(all, [&](const ResultPlan& r) {
    return std::ranges::find(scenario.results, r.name, &ResultPlan::name) != scenario.results.end();
  });
  all.insert(all.end(), scenario.results.begin(), scenario.results.end());
  for (ResultPlan& r : all) {  // the formula of another result
    const auto named = std::ranges::find(all, r.signal, &ResultPlan::name);
    if (named != all.end() && named->name != r.name && named->known.empty()) r.signal = std::string(named->signal);
  }
  return all;
}

Plan moving_plan(const Scenario& scenario) {
  const bool starts = scenario.purpose == Purpose::Start;
  Plan plan = with_rods(scenario.plan);
  if (scenario.control_kind != ControlKind::ComputedTorque)
    plan = with_followed_joints(std::move(plan), scenario.feedback);
  if (scenario.gait_keys) plan = gaits::with_gait(*scenario.gait_keys, scenario.gait, std::move(plan), starts);
  if (scenario.robot_keys && starts) scenario.robot_keys->pose(plan);
  return plan;
}

World<double> make_world(const Scenario& scenario) {
  return sinew::make_world(moving_plan(scenario), {.coordinates = scenario.coordinates,
                                                   .stepper = scenario.method,
                                                   .assembled = scenario.purpose == Purpose::Start});
}

std::unique_ptr<Controller> make_controller(const Scenario& scenario) {
  return make_controller(scenario, moving_plan(scenario));
}

std::unique_ptr<Controller> make_controller(const Scenario& scenario, const Plan& moving) {
  if (scenario.robot_keys)
    if (auto own = scenario.robot_keys->controller(moving, scenario.step)) return own;
  if (scenario.control_kind != ControlKind::ComputedTorque)
    return std::make_unique<Feedback>(moving, scenario.control_kind, scenario.feedback, scenario.step);
  const auto is_computed = [](const JointPlan& j) { return j.drive == Drive::Computed; };
  if (std::ranges::none_of(moving.joints, is_computed)) return nullptr;
  return std::make_unique<ComputedTorque>(moving, scenario.control);
}

Scenario parse_scenario(std::string_view text, const std::string& file, std::span<const std::string> sets,
                        Purpose purpose) {
  Document document(text, file);
  std::vector<std::string> problems = apply_sets(sets, document);
  std::vector<std::string> found;
  Scenario scenario = read(document, found);
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

Scenario load_scenario(const std::string& file, const std::string& name, std::span<const std::string> sets,
                       Purpose purpose) {
  Scenario scenario = parse_scenario(read_text(file), file, sets, purpose);
  scenario.name = name;
  return scenario;
}

Scenario read_header(const std::string& file, const std::string& name) {
  std::vector<std::string> problems;
  Scenario scenario = read(Document(read_text(file), file), problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  scenario.name = name;
  return scenario;
}

}  // namespace sinew::io
