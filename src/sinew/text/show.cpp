#include "sinew/text/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sinew/sim/run_quantities.h"
#include "sinew/sim/signals.h"
#include "sinew/sim/static_quantities.h"
#include "sinew/text/list_keys.h"
#include "sinew/text/load_meshes.h"

namespace sinew::text {
namespace {

KeyLister list(sim::Scenario scenario) {
  KeyLister lister;
  describe(lister, scenario);
  return lister;
}

// Cables, couplings and loads, with what decides which keys they have.
void add_ties_and_loads(const Plan& plan, Plan& blank) {
  for (const CablePlan& c : plan.cables) {
    CablePlan& cable = blank.cables.emplace_back();
    cable.name = c.name;
    cable.kind = c.kind;
  }
  for (const CouplingPlan& c : plan.couplings) {
    CouplingPlan& coupling = blank.couplings.emplace_back();
    coupling.name = c.name;
    coupling.kind = c.kind;
  }
  for (const LoadPlan& l : plan.loads) {
    blank.loads.emplace_back().name = l.name;
    blank.loads.back().factor = l.table ? 0.0 : 1.0;
  }
}

// The same parts with nothing set: what an empty table of each would mean.
sim::Scenario defaults_of(const sim::Scenario& scenario) {
  sim::Scenario blank;
  blank.robot = scenario.robot;
  blank.gait = scenario.gait;
  for (const ResultPlan& r : scenario.results) blank.results.emplace_back().name = r.name;
  blank.plan.ground.terrain.kind = scenario.plan.ground.terrain.kind;  // kinds decide which keys there are
  for (const ObstaclePlan& o : scenario.plan.ground.obstacles) {
    ObstaclePlan& obstacle = blank.plan.ground.obstacles.emplace_back();
    obstacle.name = o.name;
    obstacle.kind = o.kind;
  }
  for (const PairPlan& p : scenario.plan.contact.pairs) {
    PairPlan& pair = blank.plan.contact.pairs.emplace_back();
    pair.name = p.name;
    pair.law = scenario.plan.contact.law;
  }
  AdhesionPlan& adhesion = blank.plan.contact.adhesion;
  for (const PadPlan& pad : scenario.plan.contact.adhesion.pads) adhesion.pads.emplace_back().name = pad.name;
  for (const PadGroupPlan& g : scenario.plan.contact.adhesion.groups) adhesion.groups.emplace_back().name = g.name;
  for (const RodPlan& r : scenario.plan.rods) blank.plan.rods.emplace_back().name = r.name;
  for (const DrivePlan& d : scenario.plan.drives) {
    blank.plan.drives.push_back(default_drive(d.kind));
    blank.plan.drives.back().name = d.name;
    blank.plan.drives.back().transmission.kind = d.transmission.kind;  // decides which keys there are
  }
  add_ties_and_loads(scenario.plan, blank.plan);
  for (const MarkerPlan& m : scenario.plan.markers) blank.plan.markers.emplace_back().name = m.name;
  for (const SensorPlan& s : scenario.plan.sensors) {
    SensorPlan& sensor = blank.plan.sensors.emplace_back();
    sensor.name = s.name;
    sensor.kind = s.kind;
    sensor.rays = s.rays;
  }
  if (scenario.robot_keys) return blank;
  for (const BodyPlan& b : scenario.plan.bodies) {
    BodyPlan& body = blank.plan.bodies.emplace_back();
    body.name = b.name;
    for (const ShapePlan& s : b.shapes) {
      ShapePlan& shape = body.shapes.emplace_back();
      shape.name = s.name;
      shape.shape.kind = s.shape.kind;
    }
  }
  for (const JointPlan& j : scenario.plan.joints) {
    JointPlan& joint = blank.plan.joints.emplace_back();
    joint.name = j.name;
    joint.loop = j.loop;
    joint.kind = j.kind;  // the kind decides how many numbers there are
    joint.tie.kind = j.tie.kind;
  }
  return blank;
}

std::string comment(const KeyEntry& entry, const std::string& fallback) {
  std::string text = "# ";
  if (!entry.unit.empty()) text += fmt::format("[{}] ", entry.unit);
  text += entry.doc;
  if (entry.type.find(" | ") != std::string::npos) text += fmt::format("; one of {}", entry.type);
  if (entry.live) text += "; live";
  if (!fallback.empty()) text += fmt::format("; default {}", fallback);
  return text;
}

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string key_row(const KeyEntry& e) {
  const std::string name = e.degrees ? fmt::format("`{}`, `{}_deg`", e.name, e.name) : fmt::format("`{}`", e.name);
  static constexpr std::array<std::string_view, 9> needed{"child", "signal", "first", "second", "length",
                                                          "size",  "nx",     "ny",    "z"};
  const bool required = std::ranges::find(needed, e.name) != needed.end();
  std::string type = e.type;
  if (!e.range.empty()) type += ", " + e.range;
  if (e.live) type += ", live";
  return fmt::format("| {} | {} | {} | {} | {} |\n", name, cell(type), e.unit,
                     required ? "must be given" : fmt::format("`{}`", e.value), cell(e.doc));
}

// Entries of keys that are not there yet, each behind the last one of its table.
void merge(const std::vector<KeyEntry>& more, std::vector<KeyEntry>& entries) {
  for (const KeyEntry& e : more) {
    if (std::ranges::any_of(entries, [&](const KeyEntry& old) { return old.dotted() == e.dotted(); })) continue;
    const auto last =
        std::find_if(entries.rbegin(), entries.rend(), [&](const auto& old) { return old.table == e.table; });
    // a table that is new goes behind the one it is part of
    const auto outer = std::find_if(entries.rbegin(), entries.rend(), [&](const KeyEntry& old) {
      return e.table.starts_with(old.table.substr(0, old.table.find('.')) + ".");
    });
    entries.insert((last != entries.rend() ? last : outer).base(), e);
  }
}

// One part of each sort, of the given kinds.
sim::Scenario example_of(ShapeKind shape, TerrainKind ground, ObstacleKind obstacle) {
  sim::Scenario example;
  example.plan.ground.obstacles.emplace_back().name = "NAME";
  example.plan.ground.obstacles.back().kind = obstacle;
  example.plan.ground.patches.emplace_back().name = "NAME";
  example.plan.bodies.emplace_back().name = "NAME";
  example.plan.bodies.back().shapes.emplace_back().name = "NAME";
  example.plan.bodies.back().shapes.back().shape.kind = shape;
  example.plan.ground.terrain.kind = ground;
  example.plan.contact.pairs.emplace_back().name = "NAME";
  example.plan.contact.pairs.back().law = example.plan.contact.law;
  example.plan.contact.adhesion.pads.emplace_back().name = "NAME";
  example.plan.contact.adhesion.groups.emplace_back().name = "NAME";
  example.plan.joints.emplace_back().name = "NAME";
  example.plan.joints.emplace_back().name = "NAME";
  example.plan.joints.back().loop = true;
  if (obstacle != ObstacleKind::Peg)
    for (JointPlan& j : example.plan.joints) {
      j.tie.kind = obstacle == ObstacleKind::Box ? JointTie::Screw : JointTie::Distance;
      j.kind = kind_of(j.tie.kind);
    }
  example.plan.rods.emplace_back().name = "NAME";
  example.plan.cables.emplace_back().name = "NAME";
  example.plan.couplings.emplace_back().name = "NAME";
  example.plan.couplings.back().kind =
      obstacle == ObstacleKind::Peg ? CouplingKind::Joints : CouplingKind::Distance;  // each kind comes in some example
  example.plan.loads.emplace_back().name = "NAME";
  example.plan.markers.emplace_back().name = "NAME";
  example.plan.drives.push_back(default_drive(drive::Kind::SeriesElastic));
  example.plan.drives.back().name = "NAME";
  example.plan.drives.back().transmission.kind = Mechanism::Parallel;
  example.plan.sensors.emplace_back().name = "NAME";
  example.results.emplace_back().name = "NAME";
  return example;
}

std::vector<KeyEntry> keys_of_cases() {
  std::vector<sim::Case> cases(1);
  cases[0].name = "NAME";
  cases[0].expect.emplace_back().name = "NAME";
  cases[0].figures.emplace_back().name = "NAME";
  KeyLister lister;
  describe(lister, cases);
  return lister.entries;
}

// Of a test bench, which has no signals.
std::string show_measured(const sim::Scenario& scenario) {
  const auto measured = scenario.robot_keys->measure(scenario.seed);
  std::size_t width = 0, unit_width = 8;
  for (const auto& m : measured) {
    width = std::max(width, m.name.size());
    unit_width = std::max(unit_width, m.unit.size());
  }
  std::string text;
  for (const auto& m : measured)
    text += fmt::format("{:<{}}  {:<{}}  {}\n", m.name, width, m.unit, unit_width,
                        m.values.size() == 1 ? "measured" : fmt::format("measured, {} numbers", m.values.size()));
  return text;
}

}  // namespace

std::string show(const sim::Scenario& scenario) {
  const KeyLister now = list(scenario);
  std::map<std::string, std::string> fallback;
  for (const KeyEntry& e : list(defaults_of(scenario)).entries) fallback[e.dotted()] = e.value;
  // kinds are set in both lists: the default is that of a new joint, shape or ground
  for (auto& [key, value] : fallback) {
    if (!key.ends_with(".kind")) continue;
    if (key.starts_with("joint.") || key.starts_with("loop.")) value = "\"revolute\"";
    if (key.starts_with("body.")) value = "\"sphere\"";
    if (key.starts_with("ground.obstacle.")) value = "\"peg\"";
    if (key.starts_with("sensor.")) value = "\"potentiometer\"";
    if (key == "ground.kind") value = "\"none\"";
    if (key == "robot.kind") value = "\"bodies\"";
    if (key == "gait.kind") value = "\"none\"";
  }

  std::string text, table;
  for (const KeyEntry& e : now.entries) {
    if (!e.stands_for.empty()) continue;  // what it stands for is there
    if (e.table != table) {
      table = e.table;
      text += fmt::format("\n[{}]\n", table);
    }
    const std::string line = fmt::format("{} = {}", e.name, e.value);
    const auto found = fallback.find(e.dotted());
    text += fmt::format("{:<36} {}\n", line, comment(e, found == fallback.end() ? "" : found->second));
  }
  if (scenario.robot_keys)
    for (const std::string& note : scenario.robot_keys->notes()) text += "# " + note + "\n";
  return text;
}

std::string show_to_store(const sim::Scenario& scenario) {
  sim::Scenario stored = scenario;
  make_paths_absolute(stored);
  return show(stored);
}

std::string show_signals(const sim::Experiment& experiment) {
  if (sim::is_bench(experiment.scenario)) return show_measured(experiment.scenario);
  const auto signals = sim::signals_of(experiment.model());
  std::size_t width = 0;
  for (const sim::Signal& s : signals) width = std::max(width, s.name.size());
  for (const sim::RunQuantity& q : sim::run_quantities()) width = std::max(width, q.name.size());
  for (const sim::StaticQuantity& q : sim::static_quantities()) width = std::max(width, q.name.size());
  std::string text;
  for (const sim::Signal& s : signals) text += fmt::format("{:<{}}  {:<8}  {}\n", s.name, width, s.unit, s.description);
  for (const sim::RunQuantity& q : sim::run_quantities())
    text += fmt::format("{:<{}}  {:<8}  {}\n", q.name, width, q.unit, q.description);
  for (const sim::StaticQuantity& q : sim::static_quantities())
    text += fmt::format("{:<{}}  {:<8}  {}\n", q.name, width, q.unit, q.description);
  return text;
}

namespace {

// Keys that every robot may have, gathered from scenarios with one kind of each thing after the other.
std::vector<KeyEntry> common_entries() {
  const auto entries_of = [](ShapeKind shape, TerrainKind ground, ObstacleKind obstacle) {
    auto list_of = list(example_of(shape, ground, obstacle)).entries;
    for (KeyEntry& e : list_of)
      if (e.name == "kind" && e.table == "ground")
        e.value = "\"none\"";
      else if (e.table == "drive.NAME" && e.name == "kind")
        e.value = "\"ideal\"";
      else if (e.table == "drive.NAME" && e.name == "transmission")
        e.value = "\"direct\"";
    return list_of;
  };
  std::vector<KeyEntry> entries = entries_of(ShapeKind::Sphere, TerrainKind::Plane, ObstacleKind::Peg);
  merge(entries_of(ShapeKind::Capsule, TerrainKind::Steps, ObstacleKind::Sphere), entries);
  merge(entries_of(ShapeKind::Box, TerrainKind::Heights, ObstacleKind::Box), entries);
  merge(entries_of(ShapeKind::Hull, TerrainKind::Mesh, ObstacleKind::Box), entries);
  merge(entries_of(ShapeKind::Hull, TerrainKind::Profile, ObstacleKind::Box), entries);
  {
    sim::Scenario rough;
    rough.plan.ground.terrain.kind = TerrainKind::Heights;
    rough.plan.ground.terrain.rough.rms = 0.01;
    merge(list(rough).entries, entries);
  }
  for (int kind = 1; kind < int(sensor_kind_names.size()); kind++) {
    sim::Scenario with;
    with.plan.sensors.emplace_back().name = "NAME";
    with.plan.sensors.back().kind = SensorKind(kind);
    merge(list(with).entries, entries);
  }
  return entries;
}

}  // namespace

std::string key_tables() {
  std::vector<KeyEntry> entries = common_entries();
  // keys of one robot or gait of a catalogue
  const auto add_keys_of = [&](const sim::Scenario& with, std::string_view table, std::string_view kind) {
    for (KeyEntry e : list(with).entries)
      if ((e.table == table || e.table.starts_with(fmt::format("{}.", table))) && e.name != "kind" &&
          e.name != "coordinates") {
        e.table = fmt::format("{}], kind = \"{}\"", e.table, kind);
        entries.push_back(e);
      }
  };
  for (const auto& robot : robots::catalog()) {
    sim::Scenario with;
    with.robot = robot.name;
    add_keys_of(with, "robot", robot.name);
  }
  for (const auto& gait : gaits::catalog()) {
    sim::Scenario with;
    with.gait = gait.name;
    add_keys_of(with, "gait", gait.name);
  }
  const auto cases = keys_of_cases();
  entries.insert(entries.end(), cases.begin(), cases.end());
  std::string text, table = "\n";
  for (const KeyEntry& e : entries) {
    if (e.table != table) {
      table = e.table;
      const bool of_kind = table.find(']') != std::string::npos;
      text += fmt::format("\n### {}\n\n",
                          table.empty() ? "Top of the file" : fmt::format("`[{}{}`", table, of_kind ? "" : "]"));
      text += "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
    }
    text += key_row(e);
  }
  return text;
}

}  // namespace sinew::text
