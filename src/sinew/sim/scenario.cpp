#include "sinew/sim/scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/model/describe.h"
#include "sinew/model/drives.h"
#include "sinew/model/rods.h"
#include "sinew/sim/choose.h"
#include "sinew/sim/describe_bridge.h"
#include "sinew/sim/describe_control.h"
#include "sinew/sim/describe_integrator.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/fmu_wires.h"
#include "sinew/sim/policy_wires.h"
#include "sinew/sim/scenario_version.h"

namespace sinew::sim {
namespace {

// A robot from another program's file. Once it is read (text/load_model.cpp) its bodies and joints are the scenario's own, so that
// nothing of this is left in a scenario.
void describe_model_file(Keys& keys) {
  static constexpr std::array<std::string_view, 3> bases{"auto", "free", "fixed"};
  static constexpr std::array<std::string_view, 4> drives{"file", "none", "servo", "motion"};
  static constexpr std::array<std::string_view, 2> ways{"merge", "keep"}, inertias{"file", "shapes"};
  std::string file;
  std::vector<std::string> packages;
  int base = 0, drive = 0, fixed = 0, inertia = 0;
  keys.text(
      {"file", "",
       "of bodies: the robot of a URDF, MJCF or SDF file beside the scenario; keys given here have the last word"},
      file);
  keys.choice({"base", "", "of a file: what nothing holds floats, or is fixed; auto: it floats if it has mass"}, bases,
              base);
  keys.choice({"drive", "", "of a file: drives of its joints, as it says, none, servos or exact motions"}, drives,
              drive);
  keys.choice({"fixed", "", "of a file: parts that are fixed to each other become one body, or stay apart"}, ways,
              fixed);
  keys.choice({"inertia_from", "",
               "of a file: moments too large for how far shapes reach are as it says, or those of the shapes"},
              inertias, inertia);
  keys.texts({"packages", "", "of a file: folders in which package://NAME is looked for"}, packages);
  if (file.empty() && (base != 0 || drive != 0 || fixed != 0 || inertia != 0 || !packages.empty()))
    keys.reject("file",
                "base, drive, fixed, inertia_from and packages say how a robot's file is read, but none is given",
                "give file = \"NAME.urdf\", or remove them");
}

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
  if (s.robot != before || !s.robot_keys) s.robot_keys = Chosen<robots::Robot>(s.robot);
  if (s.robot == "bodies") describe_model_file(keys);
  if (!s.robot_keys) return;
  s.robot_keys->describe(keys);
  s.robot_keys->check(keys, s.coordinates);
  if (is_bench(s) && s.coordinates != Coordinates::Tree) {
    keys.reject("coordinates", fmt::format("the robot \"{}\" is a test bench and has no joints", s.robot),
                "leave it out");
    s.coordinates = Coordinates::Tree;
  }
}

void describe_gait(Keys& keys, Scenario& s) {
  const Table table(keys, "gait", "how the driven joints move");
  std::vector<std::string_view> kinds{"none"};
  for (const auto& entry : gaits::catalog()) kinds.push_back(entry.name);
  const std::string before = s.gait;
  choose(keys,
         {"kind", "", "\"none\": as [joint.NAME.motion] says; or a gait of the catalogue, for all joints with a drive"},
         kinds, s.gait);
  if (s.gait != before || !s.gait_keys) s.gait_keys = Chosen<gaits::Gait>(s.gait);
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
         "from step to step over the step, max_at, min_at: when, settled: from when on it stays within, rise: "
         "time from 10 to 90 % of level, reached: when it first is at level; rest: in the pose in which the robot "
         "would hang still, held: in that which [control] balance holds; ever: 1 if it was not zero at any time, "
         "stretch: largest integral of its magnitude from zero to zero"},
        take_names, take);
    r.take = Take(take);
    keys.number({"from", "s", "of max, min, mean, change and range: before this time nothing is taken", not_negative},
                r.from);
    keys.number({"within", "", "of settled: the magnitude that must not be exceeded any more", not_negative}, r.within);
    keys.number({"level", "", "of rise and reached: the number that is reached"}, r.level);
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

// Nothing depends on it: a file is read by the words of today, whose old ones are named in errors. What is shown says it.
void describe_version(Keys& keys) {
  std::string version(scenario_version);
  keys.text({"sinew", "", "version that the file is written for: MAJOR.MINOR; sinew upgrade brings it up to date"},
            version);
  if (const std::string problem = problem_of_version(version); !problem.empty())
    keys.reject("sinew", problem, fmt::format("use \"{}\" or an older one, or a newer sinew", scenario_version));
}

// Bodies and joints are the robot's; where it is and how it touches things is the scenario's, once it has been read. pull: the gravity that the
// robot brought before; where its numbers make that another one now (robot.g of the quadruped), the scenario's goes with it unless it is written.
void take_plan_of_robot(Keys& keys, Scenario& s, const Vec3d& pull) {
  Plan plan = s.robot_keys->plan();
  if (!s.plan.bodies.empty() || s.plan.make_plant) {
    if (norm(plan.gravity.g - pull) != 0.0 && !keys.is_given("gravity.g")) s.plan.gravity.g = plan.gravity.g;
    static_cast<ScenePlan&>(plan) = s.plan;
    static_cast<MethodPlan&>(plan) = s.plan;
    plan.rods = s.plan.rods;  // [rod.NAME] and [cable.NAME] stand beside any robot
    plan.cables = s.plan.cables;
    plan.couplings = s.plan.couplings;
    plan.drives = s.plan.drives;
    plan.sensors = s.plan.sensors;
    plan.loads = s.plan.loads;
    plan.markers = s.plan.markers;
  }
  s.plan = std::move(plan);
  for (const char* name : {"body", "joint", "loop"})
    if (keys.is_given(name))
      keys.reject(name, fmt::format("[{}.*] is given, but the robot \"{}\" brings its own", name, s.robot),
                  "remove it, or use robot.kind = \"bodies\"");
}

// All that is about bodies, their motion and its signals means nothing here.
void describe_bench(Keys& keys, Scenario& s) {
  s.plan = s.robot_keys->plan();
  if (s.duration > 0.0 && keys.is_given("duration"))
    keys.reject("duration", fmt::format("the robot \"{}\" is a test bench, for which no time passes", s.robot),
                "leave it out");
  s.duration = 0.0;
  for (const char* name : {"body", "joint", "loop", "ground", "gravity", "sun", "contact", "rod", "cable", "coupling",
                           "load", "marker", "drive", "sensor", "gait", "control", "bridge", "integrator", "output"})
    if (keys.is_given(name))
      keys.reject(
          name, fmt::format("[{}] is given, but the robot \"{}\" is a test bench, where nothing moves", name, s.robot),
          "remove it");
}

}  // namespace

bool is_bench(const Scenario& scenario) { return scenario.robot_keys && scenario.robot_keys->is_bench(); }

std::string no_motion_of(const Scenario& scenario) {
  return fmt::format("{}: it is a test bench, where nothing moves and no time passes: sinew run gives what it measures",
                     scenario.name);
}

void describe(Keys& keys, Scenario& s) {
  describe_version(keys);
  keys.text({"title", "", "one line on what happens"}, s.title);
  keys.text({"source", "", "figure or paper that it reproduces"}, s.source);
  keys.number({"duration", "s", "end of the run", not_negative}, s.duration);
  const Vec3d pull = s.robot_keys ? s.robot_keys->plan().gravity.g : s.plan.gravity.g;
  describe_robot(keys, s);
  if (is_bench(s)) return describe_bench(keys, s);
  if (s.robot_keys && s.robot_keys->takes_commands()) {
    const Table table(keys, "command", "what the robot is told to do");
    s.robot_keys->describe_commands(keys);
  }
  if (s.robot_keys) take_plan_of_robot(keys, s, pull);
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
  describe_couplings(keys, s.plan);
  describe_loads(keys, s.plan);
  describe_markers(keys, s.plan);
  describe_drives(keys, s.plan);
  describe_sensors(keys, s.plan);
  describe_gait(keys, s);
  describe_control(keys, s);
  describe_bridge(keys, s.bridge);
  describe_integrator(keys, s);
  describe_output(keys, s);
}

std::vector<ResultPlan> results_of(const Scenario& scenario) {
  std::vector<ResultPlan> all;
  if (scenario.robot_keys) all = scenario.robot_keys->results();
  if (scenario.plan.ground.terrain.kind == TerrainKind::None)  // nothing to stand on
    std::erase_if(all, [](const ResultPlan& r) { return r.signal == "com.margin" || r.signal == "zmp.margin"; });
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
  Plan equipped = scenario.plan;
  if (scenario.robot_keys) scenario.robot_keys->equip(equipped);
  Plan plan = with_drives(with_rods(std::move(equipped)));
  if (is_feedback(scenario.control_kind)) plan = with_followed_joints(std::move(plan), scenario.feedback);
  if (scenario.gait_keys) plan = gaits::with_gait(*scenario.gait_keys, scenario.gait, std::move(plan), starts);
  if (scenario.robot_keys && starts) scenario.robot_keys->pose(plan);
  int axes = 0;
  for (const JointPlan& j : plan.joints) axes += joint::freedom_count(j.kind);
  for (const DrivePlan& d : plan.drives)
    if (d.kind != drive::Kind::Servo) axes += drive::command::size;  // commands, like those of axes
  if (plan.contact.adhesion.kind != Adhesion::None) axes += int(plan.contact.adhesion.groups.size());
  const int on_the_way = delay_size(scenario.schedule, scenario.step, axes);
  if (on_the_way > 0) plan.memory.push_back({std::string(delay_block), on_the_way});
  if (scenario.control_kind == ControlKind::Policy)
    plan.memory.push_back({std::string(policy_block), scenario.policy.layers->back().outputs});
  add_sensor_memory(plan, scenario.step);
  return plan;
}

World<double> make_world(const Scenario& scenario) {
  return sinew::make_world(moving_plan(scenario), {.coordinates = scenario.coordinates,
                                                   .stepper = scenario.method,
                                                   .assembled = scenario.purpose == Purpose::Start});
}

std::unique_ptr<Controller> make_controller(const Scenario& scenario, const PlannedTree& moving) {
  const double period = std::max(scenario.schedule.period, scenario.step);  // never more than once a step
  if (scenario.control_kind == ControlKind::Policy)
    return std::make_unique<Policy>(scenario.policy, wires_of(scenario.policy, *moving.compiled.model), moving.plan);
  if (scenario.control_kind == ControlKind::Fmu) {
    const FmuWires wires = wires_of(scenario.fmu, *moving.compiled.model);
    if (!scenario.fmu.start) throw InputError(fmt::format("{}: control.fmu: it has not been read", scenario.name));
    return scenario.fmu.start(wires, period);
  }
  if (scenario.robot_keys)
    if (auto own = scenario.robot_keys->controller(moving.plan, period)) return own;
  if (is_feedback(scenario.control_kind))
    return std::make_unique<Feedback>(moving, scenario.control_kind, scenario.feedback, period);
  const auto is_computed = [](const JointPlan& j) { return j.drive == Drive::Computed; };
  if (std::ranges::none_of(moving.plan.joints, is_computed)) return nullptr;
  return std::make_unique<ComputedTorque>(moving, scenario.control);
}

}  // namespace sinew::sim
