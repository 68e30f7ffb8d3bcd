#include "sinew/validate/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "sinew/model/glob.h"
#include "sinew/sim/nearest.h"

namespace sinew::validate {
namespace {

using Json = nlohmann::json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The node at a dotted path; a part of it may be the position in an array. nullptr: there is none.
const Json* walk(const Json* node, std::string_view path) {
  while (node && !path.empty()) {
    const auto dot = std::min(path.find('.'), path.size());
    const std::string part(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
    if (node->is_object())
      node = node->contains(part) ? &node->at(part) : nullptr;
    else if (node->is_array() && !part.empty() && part.size() < 9 && part.find_first_not_of("0123456789") == part.npos)
      node = std::stoul(part) < node->size() ? &node->at(std::stoul(part)) : nullptr;
    else
      node = nullptr;
  }
  return node;
}

// A scenario's own results need no prefix.
const Json* find(const Json& run, std::string_view path) {
  const Json* node = run.contains("result") ? walk(&run.at("result"), path) : nullptr;
  return node ? node : walk(&run, path);
}

// All numbers of a node in order; what is not finite was written as null. False: there is something else in it.
bool flatten(const Json& node, std::vector<double>& values) {
  if (node.is_array()) return std::ranges::all_of(node, [&](const Json& entry) { return flatten(entry, values); });
  if (!node.is_number() && !node.is_null()) return false;
  values.push_back(node.is_null() ? nan : node.get<double>());
  return true;
}

// Names of all numbers and vectors, as one would write them.
void list_paths(const Json& node, const std::string& prefix, std::vector<std::string>& paths) {
  for (const auto& [key, value] : node.items()) {
    const std::string path = prefix + key;
    if (value.is_object())
      list_paths(value, path == "result" ? "" : path + ".", paths);
    else if (!value.is_string())
      paths.push_back(path);
  }
}

std::string key_of(const sim::Case& c, const sim::Expectation& e, const char* last) {
  return fmt::format("validate.{}.expect.{}.{}", c.name, e.name, last);
}

std::string base_id(const std::string& scenario, const sim::Case& c, const sim::Expectation& e) {
  return fmt::format("{}/{}/{}", scenario, c.name, e.name);
}

// The entries of one expectation, not yet measured.
std::vector<Entry> entries_of(const std::string& scenario, const sim::Case& c, const sim::Expectation& e) {
  const std::string id = base_id(scenario, c, e);
  if (e.value.empty()) return {{id, c.source, 0.0, e.at_most, nan, false}};
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < e.value.size(); i++) {
    const double absolute = e.tolerance[e.tolerance.size() == 1 ? 0 : i];
    entries.push_back({e.value.size() == 1 ? id : fmt::format("{}.{}", id, i), c.source, e.value[i],
                       absolute + e.relative * std::abs(e.value[i]), nan, false});
  }
  return entries;
}

std::optional<CaseProblem> measure(const Json& run, const sim::Case& c, const sim::Expectation& e,
                                   std::vector<Entry>& entries) {
  const std::string path = e.of.empty() ? e.name : e.of;
  const Json* node = find(run, path);
  std::vector<double> values;
  if (!node) {
    std::vector<std::string> known;
    list_paths(run, "", known);
    const std::string guess = sim::did_you_mean(path, known);
    return CaseProblem{key_of(c, e, "of"), fmt::format("a run reports no \"{}\": {}", path,
                                                       guess.empty() ? "there are " + sim::join(known) : guess)};
  }
  if (!flatten(*node, values) || values.empty())
    return CaseProblem{key_of(c, e, "of"), fmt::format("\"{}\" is no number and no vector: name one of these", path)};
  if (e.value.empty())  // the component of largest magnitude counts; one that is no number exceeds every bound
    values = {*std::ranges::max_element(values, {}, [](double x) { return std::isnan(x) ? INFINITY : std::abs(x); })};
  if (values.size() != entries.size())
    return CaseProblem{key_of(c, e, "value"),
                       fmt::format("\"{}\" has {} numbers, but {} are expected: give one for each", path, values.size(),
                                   entries.size())};
  for (std::size_t i = 0; i < values.size(); i++) {
    entries[i].measured = values[i];
    entries[i].pass = std::abs(values[i] - entries[i].expected) <= entries[i].tolerance;  // false for NaN
    if (std::isnan(values[i])) entries[i].reason = "not a finite number";
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> ids_of(const std::string& scenario, const sim::Case& c) {
  std::vector<std::string> ids;
  for (const sim::Expectation& e : c.expect)
    for (const Entry& entry : entries_of(scenario, c, e)) ids.push_back(entry.id);
  return ids;
}

bool is_wanted(std::string_view pattern, std::string_view id) {
  if (has_wildcard(pattern)) return matches(pattern, id);
  return pattern.ends_with('/') ? id.starts_with(pattern) : id.find(pattern) != id.npos;
}

std::vector<Entry> judge(const std::string& scenario, const sim::Case& c, std::string_view run_json,
                         std::vector<CaseProblem>& problems) {
  const Json run = Json::parse(run_json);
  std::vector<Entry> all;
  for (const sim::Expectation& e : c.expect) {
    std::vector<Entry> entries = entries_of(scenario, c, e);
    if (auto problem = measure(run, c, e, entries)) problems.push_back(std::move(*problem));
    all.insert(all.end(), entries.begin(), entries.end());
  }
  return all;
}

std::vector<Entry> all_failed(const std::string& scenario, const sim::Case& c, const std::string& reason) {
  std::vector<Entry> all;
  for (const sim::Expectation& e : c.expect)
    for (Entry entry : entries_of(scenario, c, e)) {
      entry.reason = reason;
      all.push_back(std::move(entry));
    }
  return all;
}

}  // namespace sinew::validate
