#include "sinew/record/json_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace sinew::record {
namespace {

constexpr int deepest = 32;  // lists in lists: no log needs more

// The longest list whose elements are objects.
const nlohmann::json* longest_list(const nlohmann::json& value, int depth) {
  const nlohmann::json* best = nullptr;
  if (depth > deepest) return best;
  if (value.is_array() && !value.empty() &&
      std::ranges::all_of(value, [](const nlohmann::json& v) { return v.is_object(); }))
    best = &value;
  if (!value.is_structured()) return best;
  for (const nlohmann::json& inner : value) {
    const nlohmann::json* found = longest_list(inner, depth + 1);
    if (found && (!best || found->size() > best->size())) best = found;
  }
  return best;
}

// place: what a message begins with.
double time_of(const nlohmann::json& row, const std::string& time, const std::string& place) {
  if (const auto at = row.find(time); at != row.end() && at->is_number()) return at->get<double>();
  std::string names;
  for (const auto& [key, value] : row.items())
    if (value.is_number()) names += (names.empty() ? "" : ", ") + key;
  throw Error(fmt::format("{} has no number {}: name the one of the times with --time, or give --rate; there are {}",
                          place, time, names));
}

}  // namespace

void JsonRows::add(double t, const std::string& prefix, const nlohmann::json& object) { walk(t, prefix, object, 0); }

void JsonRows::walk(double t, const std::string& name, const nlohmann::json& value, int depth) {
  if (depth > deepest) return;
  if (value.is_number()) {
    const auto [at, is_new] = place_.try_emplace(name, columns_.size());
    if (is_new) columns_.push_back({name, {}});
    columns_[at->second].second.emplace_back(t, value.get<double>());
  } else if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) walk(t, name.empty() ? key : name + "." + key, inner, depth + 1);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); i++) {
      const nlohmann::json& inner = value[i];
      const bool named = inner.is_object() && inner.contains("name") && inner["name"].is_string();
      walk(t, named ? name + "." + inner["name"].get<std::string>() : fmt::format("{}[{}]", name, i), inner, depth + 1);
    }
  }
}

TimedTable JsonRows::table() const {
  TimedTable out;
  for (const auto& column : columns_)
    for (const auto& [t, value] : column.second) out.t.push_back(t);
  std::ranges::sort(out.t);
  out.t.erase(std::unique(out.t.begin(), out.t.end()), out.t.end());
  for (const auto& [name, numbers] : columns_) {
    out.names.push_back(name);
    std::vector<double>& values = out.values.emplace_back(out.t.size(), std::numeric_limits<double>::quiet_NaN());
    for (const auto& [t, value] : numbers)
      values[std::size_t(std::ranges::lower_bound(out.t, t) - out.t.begin())] = value;
  }
  return out;
}

std::string bytes_of_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  if (!in || !(out << in.rdbuf()))
    throw FileError(
        fmt::format("{}: {}: give a file that can be read", file, errno ? std::strerror(errno) : "it is empty"));
  return std::move(out).str();
}

TimedTable read_json_log(const std::string& file, const std::string& time, double rate) {
  const nlohmann::json all = nlohmann::json::parse(bytes_of_file(file), nullptr, false);
  if (all.is_discarded()) throw Error(fmt::format("{}: this is no JSON: give a log of one JSON value", file));
  const nlohmann::json* list = longest_list(all, 0);
  if (!list)
    throw Error(fmt::format("{}: no list of objects in it: a log has one, with an object for each time", file));
  JsonRows rows;
  double before = -INFINITY;
  for (std::size_t i = 0; i < list->size(); i++) {
    const nlohmann::json& row = (*list)[i];
    const double t = rate > 0.0 ? double(i) / rate : time_of(row, time, fmt::format("{}: row {}", file, i + 1));
    if (!(t > before))
      throw Error(fmt::format("{}: row {}: the time is {} s after {} s: times grow", file, i + 1, t, before));
    before = t;
    rows.add(t, "", row);
  }
  return rows.table();
}

}  // namespace sinew::record
