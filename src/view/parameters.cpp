#include "view/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>
#include <ranges>

#include "sinew/sim/nearest.h"
#include "sinew/text/list_keys.h"

namespace sinew::view {
namespace {

using text::KeyEntry;

const JointPlan* joint_of(const sim::Scenario& scenario, std::string_view table) {
  for (const JointPlan& j : scenario.plan.joints) {
    const std::string own = (j.loop ? "loop." : "joint.") + j.name;
    if (table == own || table == own + ".motion") return &j;
  }
  return nullptr;
}

bool joint_has_effect(const sim::Scenario& scenario, const JointPlan& joint, const KeyEntry& entry) {
  static constexpr std::array<std::string_view, 5> of_servo{"kp", "kd", "limit", "no_load_speed", "free_play"};
  if (entry.table.ends_with(".motion")) return joint.drive != Drive::None && scenario.gait == "none";
  return joint.drive == Drive::Servo || std::ranges::find(of_servo, entry.name) == of_servo.end();
}

// A slider that moves nothing would only puzzle.
bool has_effect(const sim::Scenario& scenario, const KeyEntry& entry) {
  const Plan& plan = scenario.plan;
  if (entry.table == "gravity") {
    if (plan.gravity.kind == GravityKind::None) return false;
    return (plan.gravity.kind == GravityKind::Uniform) == (entry.name != "GM");
  }
  if (entry.table.starts_with("contact")) {
    const bool has_shapes = std::ranges::any_of(plan.bodies, [](const BodyPlan& b) { return !b.shapes.empty(); });
    return has_shapes;
  }
  if (entry.table == "control")
    return std::ranges::any_of(plan.joints, [](const JointPlan& j) { return j.drive == Drive::Computed; });
  const JointPlan* joint = joint_of(scenario, entry.table);
  return !joint || joint_has_effect(scenario, *joint, entry);
}

// 30.000000000000004 deg, which a person wrote as 30, back to 30.
double rounded(double degrees) {
  const std::string text = fmt::format("{:.13g}", degrees);
  double out = degrees;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// "m, m, rad" -> that of the i-th number; "rad" is for all.
std::string unit_of(const KeyEntry& entry, std::size_t i) {
  std::string unit = entry.unit;
  if (unit.find(", ") != std::string::npos) {
    for (; i > 0; i--) unit.erase(0, unit.find(", ") + 2);
    unit = unit.substr(0, unit.find(", "));
  }
  if (entry.degrees && unit.starts_with("rad")) unit.replace(0, 3, "deg");
  return unit;
}

void add(const KeyEntry& entry, std::vector<Parameter>& out) {
  const std::string written = entry.dotted() + (entry.degrees ? "_deg" : "");
  for (std::size_t i = 0; i < entry.numbers.size(); i++) {
    const std::string key = entry.is_array ? fmt::format("{}[{}]", written, i) : written, unit = unit_of(entry, i);
    double value = entry.numbers[i] * (entry.degrees ? 180.0 / std::numbers::pi : 1.0);
    if (unit.starts_with("deg")) value = rounded(value);
    out.push_back({key, value, value, unit, entry.doc, entry.allowed.low, entry.allowed.high, written,
                   entry.is_array ? int(i) : -1});
  }
}

// A shorthand for one key takes its place (deg/s for rad/s); one for several stands beside them, where they are equal or
// `unequal_too`.
std::vector<Parameter> list(const sim::Scenario& scenario, bool unequal_too) {
  sim::Scenario copy = scenario;
  text::KeyLister lister;
  describe(lister, copy);
  const auto named = [&](const KeyEntry& shorthand, const std::string& name) {
    return std::ranges::find_if(lister.entries,
                                [&](const auto& e) { return e.table == shorthand.table && e.name == name; });
  };
  const auto is_replaced = [&](const KeyEntry& entry) {
    return std::ranges::any_of(lister.entries, [&](const KeyEntry& e) {
      return e.table == entry.table && e.stands_for.size() == 1 && e.stands_for[0] == entry.name;
    });
  };
  const auto is_listed = [&](const KeyEntry& shorthand) {
    return unequal_too || shorthand.stands_for.size() < 2 ||
           std::ranges::all_of(shorthand.stands_for, [&](const std::string& name) {
             return named(shorthand, name)->numbers == shorthand.numbers;
           });
  };
  std::vector<Parameter> out;
  for (const KeyEntry& entry : lister.entries)
    if (entry.live && has_effect(scenario, entry) && !is_replaced(entry) && is_listed(entry)) add(entry, out);
  return out;
}

}  // namespace

std::vector<Parameter> parameters_of(const sim::Scenario& scenario) { return list(scenario, false); }

std::vector<std::size_t> update(const sim::Scenario& scenario, std::vector<Parameter>& parameters) {
  std::vector<std::size_t> changed;
  const std::vector<Parameter> now = list(scenario, true);
  for (std::size_t i = 0; i < parameters.size(); i++) {
    const auto found = std::ranges::find(now, parameters[i].key, &Parameter::key);
    if (found == now.end() || found->value == parameters[i].value) continue;
    parameters[i].value = found->value;
    changed.push_back(i);
  }
  return changed;
}

std::string set_text(std::span<const Parameter> all, const Parameter& parameter, double value) {
  if (parameter.component < 0) return fmt::format("{}={}", parameter.written, text::toml_number(value));
  std::vector<std::string> numbers;
  for (const Parameter& p : all)
    if (p.written == parameter.written)
      numbers.push_back(text::toml_number(p.component == parameter.component ? value : p.value));
  return fmt::format("{}=[{}]", parameter.written, sim::join(numbers));
}

}  // namespace sinew::view
