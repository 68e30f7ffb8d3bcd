#include "sinew/sim/number_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew::sim {

void NumberVisitor::open(std::string_view name, std::string_view) { table_ = dotted(name); }

void NumberVisitor::close() {
  const auto dot = table_.rfind('.');
  table_.resize(dot == std::string::npos ? 0 : dot);
}

std::string NumberVisitor::dotted(std::string_view name) const {
  return table_.empty() ? std::string(name) : fmt::format("{}.{}", table_, name);
}

void NumberLister::number(const Key& key, double& value) {
  keys.push_back({table(),
                  std::string(key.name),
                  std::string(key.unit),
                  std::string(key.doc),
                  key.range,
                  key.degrees,
                  key.live,
                  {value},
                  false,
                  {}});
}

void NumberLister::numbers(const Key& key, const Count& count, std::vector<double>& values) {
  double none = 0.0;
  number(key, none);
  keys.back().numbers = values;
  keys.back().is_array = !(count.one_for_all && values.size() == 1);
}

void NumberLister::choice(const Key& key, std::span<const std::string_view> allowed, int& chosen) {
  if (!key.live) return;
  double value = chosen;
  number(key, value);
  NumberKey& added = keys.back();
  added.range = {.low = 0.0, .high = double(allowed.size()) - 1.0};
  for (std::size_t i = 0; i < allowed.size(); i++)
    added.doc += fmt::format("{}{} {}", i == 0 ? ": " : ", ", i, allowed[i]);
}

bool NumberLister::shorthand(const Key& key, std::span<const std::string_view> stands_for, double& value) {
  number(key, value);
  keys.back().stands_for.assign(stands_for.begin(), stands_for.end());
  return false;
}

void NumberSetter::put(const Key& key, double& value) {
  met = true;
  if (key.range.contains(change_.value)) {
    value = change_.value;
    return;
  }
  const std::string range = key.range.text(), unit = key.unit.empty() ? "" : fmt::format(" [{}]", key.unit);
  problems.push_back(fmt::format("set: {} is {}{}: {}", change_.key, change_.value, unit,
                                 range.empty() ? "it must be a finite number" : "it must be " + range));
}

void NumberSetter::number(const Key& key, double& value) {
  if (is_meant(key)) put(key, value);
}

void NumberSetter::numbers(const Key& key, const Count&, std::vector<double>& values) {
  if (!is_meant(key)) return;
  const auto i = std::size_t(change_.component < 0 ? 0 : change_.component);
  if (i < values.size()) put(key, values[i]);
}

void NumberSetter::choice(const Key& key, std::span<const std::string_view> allowed, int& chosen) {
  if (!key.live || !is_meant(key)) return;
  const double x = change_.value;
  met = true;
  if (x >= 0.0 && x < double(allowed.size()) && x == double(int(x))) {
    chosen = int(x);
    return;
  }
  problems.push_back(fmt::format("set: {} is {}: it must be a whole number from 0 to {}, for {}", change_.key, x,
                                 allowed.size() - 1, fmt::join(allowed, ", ")));
}

bool NumberSetter::shorthand(const Key& key, std::span<const std::string_view>, double& value) {
  if (!is_meant(key)) return false;
  put(key, value);
  return true;
}

void NumberSetter::reject(std::string_view name, std::string_view what, std::string_view fix) {
  if (!given_.empty()) problems.push_back(fmt::format("set: {}: {}: {}", dotted(name), what, fix));
}

}  // namespace sinew::sim
