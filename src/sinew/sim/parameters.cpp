#include "sinew/sim/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>
#include <ranges>

#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/sim/number_keys.h"
#include "sinew/sim/set_number.h"

namespace sinew::sim {
namespace {

const JointPlan* joint_of(const Scenario& scenario, std::string_view table) {
  for (const JointPlan& j : scenario.plan.joints) {
    const std::string own = (j.loop ? "loop." : "joint.") + j.name;
    if (table == own || table == own + ".motion") return &j;
  }
  return nullptr;
}

bool joint_has_effect(const Scenario& scenario, const JointPlan& joint, const NumberKey& entry) {
  static constexpr std::array<std::string_view, 5> of_servo{"kp", "kd", "limit", "no_load_speed", "free_play"};
  if (entry.table.ends_with(".motion")) return joint.drive != Drive::None && scenario.gait == "none";
  return joint.drive == Drive::Servo || std::ranges::find(of_servo, entry.name) == of_servo.end();
}

// A slider that moves nothing would only puzzle.
bool has_effect(const Scenario& scenario, const NumberKey& entry) {
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
std::string unit_of(const NumberKey& entry, std::size_t i) {
  std::string unit = entry.unit;
  if (unit.find(", ") != std::string::npos) {
    for (; i > 0; i--) unit.erase(0, unit.find(", ") + 2);
    unit = unit.substr(0, unit.find(", "));
  }
  if (entry.degrees && unit.starts_with("rad")) unit.replace(0, 3, "deg");
  return unit;
}

// A parameter and the key that it is a number of.
struct Found {
  Parameter parameter;
  NumberKey key;
  int component = -1;  // of an array
};

void add(const NumberKey& entry, std::vector<Found>& out) {
  for (std::size_t i = 0; i < entry.numbers.size(); i++) {
    const std::string key = entry.is_array ? fmt::format("{}[{}]", entry.written(), i) : entry.written();
    const std::string unit = unit_of(entry, i);
    double value = entry.numbers[i] * (entry.degrees ? 180.0 / std::numbers::pi : 1.0);
    if (unit.starts_with("deg")) value = rounded(value);
    out.push_back(
        {{key, value, value, unit, entry.doc, entry.range.low, entry.range.high}, entry, entry.is_array ? int(i) : -1});
  }
}

// Where all are listed, a shorthand for one key (deg/s for rad/s) stands beside it, else in its place; one for several stands beside them, where they are equal or
// `unequal_too`.
enum class Which { Live, All };
std::vector<Found> list(const Scenario& scenario, bool unequal_too, Which which = Which::Live) {
  Scenario copy = scenario;
  NumberLister lister;
  describe(lister, copy);
  const auto named = [&](const NumberKey& shorthand, const std::string& name) {
    return std::ranges::find_if(lister.keys,
                                [&](const auto& e) { return e.table == shorthand.table && e.name == name; });
  };
  const auto is_replaced = [&](const NumberKey& entry) {
    return std::ranges::any_of(lister.keys, [&](const NumberKey& e) {
      return e.table == entry.table && e.stands_for.size() == 1 && e.stands_for[0] == entry.name;
    });
  };
  const auto is_listed = [&](const NumberKey& shorthand) {
    return unequal_too || shorthand.stands_for.size() < 2 ||
           std::ranges::all_of(shorthand.stands_for, [&](const std::string& name) {
             return named(shorthand, name)->numbers == shorthand.numbers;
           });
  };
  std::vector<Found> out;
  for (const NumberKey& entry : lister.keys)
    if ((which == Which::All || (entry.live && has_effect(scenario, entry) && !is_replaced(entry))) && is_listed(entry))
      add(entry, out);
  return out;
}

NumberPlace place_of(const Scenario& scenario, const Found& found) {
  const NumberKey& key = found.key;
  const auto beside = [&](const std::vector<std::string>& names) {
    std::vector<std::string> out;
    for (const std::string& name : names) out.push_back(key.table + "." + name);
    return out;
  };
  NumberPlace place{found.parameter.key, key.dotted(), key.written(), found.component};
  place.parts = beside(key.stands_for);
  Scenario copy = scenario;
  NumberLister lister;
  describe(lister, copy);
  for (const NumberKey& other : lister.keys)
    if (other.table == key.table && std::ranges::find(other.stands_for, key.name) != other.stands_for.end())
      place.shorthands.push_back({other.dotted(), beside(other.stands_for)});
  return place;
}

// The file has this key now. A shorthand and what it stands for are not both given: the last word counts.
void give(Scenario& scenario, const NumberPlace& place) {
  if (scenario.given.empty()) return;  // there is no file
  for (const NumberPlace::Shorthand& shorthand : place.shorthands)
    if (scenario.given.erase(shorthand.key) > 0) scenario.given.insert(shorthand.parts.begin(), shorthand.parts.end());
  for (const std::string& name : place.parts) scenario.given.erase(name);
  scenario.given.insert(place.written);
  if (place.written != place.dotted) scenario.given.erase(place.dotted);
}

// A number by its key as written, in degrees where these can be, or by its dotted key.
Found find_listed(const Scenario& scenario, const std::string& key) {
  for (Found& f : list(scenario, true, Which::All))
    if (f.parameter.key == key || (f.component < 0 && f.key.dotted() == key)) return std::move(f);
  throw InputError(fmt::format("{}: no number has this key", key));
}

}  // namespace

std::vector<Parameter> parameters_of(const Scenario& scenario) {
  std::vector<Parameter> out;
  for (Found& found : list(scenario, false)) out.push_back(std::move(found.parameter));
  return out;
}

std::vector<std::size_t> update(const Scenario& scenario, std::vector<Parameter>& parameters) {
  std::vector<std::size_t> changed;
  const std::vector<Found> now = list(scenario, true);
  for (std::size_t i = 0; i < parameters.size(); i++) {
    const auto found = std::ranges::find(now, parameters[i].key, [](const Found& f) { return f.parameter.key; });
    if (found == now.end() || found->parameter.value == parameters[i].value) continue;
    parameters[i].value = found->parameter.value;
    changed.push_back(i);
  }
  return changed;
}

void set_parameter(Scenario& scenario, const std::string& key, double value) {
  const std::vector<Found> all = list(scenario, true);
  const auto found = std::ranges::find(all, key, [](const Found& f) { return f.parameter.key; });
  if (found == all.end())
    throw InputError(fmt::format("set: {} cannot be changed while it runs: sinew show marks what can as live", key));
  set_number(scenario, place_of(scenario, *found), found->key.degrees ? value * (std::numbers::pi / 180.0) : value);
}

std::string find_number(const Scenario& scenario, const std::string& name) {
  std::vector<std::string> keys, matching;
  for (const Found& found : list(scenario, true, Which::All)) {
    for (const std::string& key : {found.parameter.key, found.key.dotted()}) {
      if (found.component >= 0 && key == found.key.dotted()) continue;  // of an array: number by number
      if (key == name) return key;
      if (key.ends_with("." + name) && std::ranges::find(matching, key) == matching.end()) matching.push_back(key);
      if (keys.empty() || keys.back() != key) keys.push_back(key);
    }
  }
  if (matching.size() == 1) return matching[0];
  if (matching.size() > 1)
    throw InputError(fmt::format("{}: {} keys end in it: write one of {}", name, matching.size(), sim::join(matching)));
  throw InputError(
      fmt::format("{}: no number has this key: {}sinew show lists all keys", name, did_you_mean(name, keys)));
}

double number_of(const Scenario& scenario, const std::string& key) {
  const Found found = find_listed(scenario, key);
  const std::size_t i = found.component < 0 ? 0 : std::size_t(found.component);
  return found.parameter.key == key ? found.parameter.value : found.key.numbers.at(i);
}

std::string unit_of_number(const Scenario& scenario, const std::string& key) {
  const Found found = find_listed(scenario, key);
  return found.parameter.key == key ? found.parameter.unit : found.key.unit;
}

Range range_of_number(const Scenario& scenario, const std::string& key) {
  const Found found = find_listed(scenario, key);
  Range range = found.key.range;
  if (found.key.degrees && found.parameter.key == key) {
    range.low *= 180.0 / std::numbers::pi;
    range.high *= 180.0 / std::numbers::pi;
  }
  return range;
}

NumberPlace find_place(const Scenario& scenario, const std::string& key) {
  const Found found = find_listed(scenario, key);
  NumberPlace place = place_of(scenario, found);
  place.key = key;
  if (found.key.degrees && found.parameter.key == key) place.unit = std::numbers::pi / 180.0;
  return place;
}

void set_number(Scenario& scenario, const NumberPlace& place, double value) {
  give(scenario, place);
  NumberSetter setter({place.dotted, place.component, value * place.unit}, scenario.given);
  describe(setter, scenario);
  if (!setter.met) throw InputError(fmt::format("{}: no number has this key", place.key));
  if (!setter.problems.empty()) throw InputError(std::move(setter.problems));
}

void set_number(Scenario& scenario, const std::string& key, double value) {
  set_number(scenario, find_place(scenario, key), value);
}

}  // namespace sinew::sim
