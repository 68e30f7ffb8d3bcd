#include "sinew/io/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sinew/io/list_keys.h"
#include "sinew/io/signals.h"

namespace sinew::io {
namespace {

KeyLister list(Scenario scenario) {
  KeyLister lister;
  describe(lister, scenario);
  return lister;
}

// The same parts with nothing set: what an empty table of each would mean.
Scenario defaults_of(const Scenario& scenario) {
  Scenario blank;
  blank.robot = scenario.robot;
  for (const ResultPlan& r : scenario.results) blank.results.emplace_back().name = r.name;
  if (scenario.robot_keys) return blank;
  for (const BodyPlan& b : scenario.plan.bodies) blank.plan.bodies.emplace_back().name = b.name;
  for (const JointPlan& j : scenario.plan.joints) {
    JointPlan& joint = blank.plan.joints.emplace_back();
    joint.name = j.name, joint.loop = j.loop, joint.kind = j.kind;  // the kind decides how many numbers there are
  }
  return blank;
}

std::string comment(const KeyEntry& entry, const std::string& fallback) {
  std::string text = "# ";
  if (!entry.unit.empty()) text += fmt::format("[{}] ", entry.unit);
  text += entry.doc;
  if (entry.type.find(" | ") != std::string::npos) text += fmt::format("; one of {}", entry.type);
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
  const bool required = e.name == "child" || e.name == "signal";
  std::string type = e.type;
  if (!e.range.empty()) type += ", " + e.range;
  return fmt::format("| {} | {} | {} | {} | {} |\n", name, cell(type), e.unit,
                     required ? "must be given" : fmt::format("`{}`", e.value), cell(e.doc));
}

}  // namespace

std::string show(const Scenario& scenario) {
  const KeyLister now = list(scenario);
  std::map<std::string, std::string> fallback;
  for (const KeyEntry& e : list(defaults_of(scenario)).entries) fallback[e.dotted()] = e.value;
  // the kind of a joint is set in both lists: its default is that of a new joint
  for (auto& [key, value] : fallback)
    if ((key.starts_with("joint.") || key.starts_with("loop.")) && key.ends_with(".kind")) value = "\"revolute\"";
  if (fallback.contains("robot.kind")) fallback["robot.kind"] = "\"bodies\"";

  std::string text, table;
  for (const KeyEntry& e : now.entries) {
    if (e.table != table) {
      table = e.table;
      text += fmt::format("\n[{}]\n", table);
    }
    const std::string line = fmt::format("{} = {}", e.name, e.value);
    const auto found = fallback.find(e.dotted());
    text += fmt::format("{:<36} {}\n", line, comment(e, found == fallback.end() ? "" : found->second));
  }
  return text;
}

std::string show_signals(const Scenario& scenario) {
  const auto signals = signals_of(make_world(scenario).model());
  std::size_t width = 0;
  for (const Signal& s : signals) width = std::max(width, s.name.size());
  std::string text;
  for (const Signal& s : signals) text += fmt::format("{:<{}}  {:<8}  {}\n", s.name, width, s.unit, s.description);
  return text;
}

std::string key_tables() {
  Scenario example;
  example.plan.bodies.emplace_back().name = "NAME";
  example.plan.joints.emplace_back().name = "NAME";
  example.plan.joints.emplace_back().name = "NAME";
  example.plan.joints.back().loop = true;
  example.results.emplace_back().name = "NAME";
  std::vector<KeyEntry> entries = list(example).entries;
  for (const auto& robot : robots::catalog()) {
    Scenario with;
    with.robot = robot.name;
    for (KeyEntry e : list(with).entries)
      if (e.table == "robot" && e.name != "kind" && e.name != "coordinates") {
        e.table = fmt::format("robot], kind = \"{}\"", robot.name);
        entries.push_back(e);
      }
  }
  std::string text, table = "\n";
  for (const KeyEntry& e : entries) {
    if (e.table != table) {
      table = e.table;
      const bool robot = table.starts_with("robot],");
      text += fmt::format("\n### {}\n\n",
                          table.empty() ? "Top of the file" : fmt::format("`[{}{}`", table, robot ? "" : "]"));
      text += "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
    }
    text += key_row(e);
  }
  return text;
}

}  // namespace sinew::io
