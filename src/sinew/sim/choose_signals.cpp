#include "sinew/sim/choose_signals.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/model/glob.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"

namespace sinew::sim {
namespace {

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks), last = text.find_last_not_of(blanks);
  return first == text.npos ? "" : std::string(text.substr(first, last - first + 1));
}

// Positions of the signals that one name stands for; the signal of exactly this name comes before a group.
std::vector<std::size_t> find(std::span<const std::string> names, const std::string& wanted) {
  const auto all = [&](auto&& is_meant) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < names.size(); i++)
      if (is_meant(names[i])) found.push_back(i);
    return found;
  };
  if (has_wildcard(wanted)) return all([&](const std::string& name) { return name != "t" && matches(wanted, name); });
  auto exact = all([&](const std::string& name) { return name == wanted; });
  return exact.empty() ? all([&](const std::string& name) { return name.starts_with(wanted + "."); }) : exact;
}

std::string some_of(std::span<const std::string> names) {
  const std::size_t n = std::min<std::size_t>(names.size(), 6);
  return join(names.first(n)) + (names.size() > n ? fmt::format(", ... ({} in all)", names.size()) : "");
}

}  // namespace

std::vector<std::size_t> choose_signals(std::span<const std::string> names, std::string_view wanted,
                                        const std::string& place) {
  std::vector<std::size_t> chosen;
  std::vector<bool> is_chosen(names.size(), false);
  std::vector<std::string> problems;
  for (const std::string& name : split_names(wanted)) {
    const auto found = find(names, name);
    if (found.empty()) {  // only then: a guess compares with every name, and there may be thousands
      const std::string guess = did_you_mean(name, names);
      problems.push_back(fmt::format("{}: no signal is named \"{}\": {}", place, name,
                                     guess.empty() ? "there are " + some_of(names) : guess));
    }
    for (const std::size_t i : found) {
      if (!is_chosen[i]) chosen.push_back(i);
      is_chosen[i] = true;
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return chosen;
}

std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (std::string name = trimmed(list.substr(0, comma)); !name.empty()) names.push_back(std::move(name));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

}  // namespace sinew::sim
