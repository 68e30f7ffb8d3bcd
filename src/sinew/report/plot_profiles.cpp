#include "sinew/report/plot_profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sinew/sim/choose_signals.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"

namespace sinew::report {
namespace {

// "rod.M_z.12" -> 12 for the group "rod.M_z"; -1: not of this group
int number_in(std::string_view name, std::string_view group) {
  if (!name.starts_with(group) || name.size() < group.size() + 2 || name[group.size()] != '.') return -1;
  const std::string_view digits = name.substr(group.size() + 1);
  int number = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? number : -1;
}

// Groups of two numbered signals or more.
std::vector<std::string> groups_of(const Traces& traces) {
  std::vector<std::string> groups;
  for (const std::string& name : traces.names) {
    const std::string group = name.substr(0, std::min(name.rfind('.'), name.size()));
    if (number_in(name, group) == 1) groups.push_back(group);
  }
  return groups;
}

// The signals of a group by their numbers.
std::vector<std::size_t> members(const Traces& traces, const std::string& group, const std::string& place) {
  std::vector<std::pair<int, std::size_t>> found;
  for (std::size_t i = 0; i < traces.names.size(); i++)
    if (const int number = number_in(traces.names[i], group); number >= 0) found.emplace_back(number, i);
  if (found.size() < 2) {
    const std::vector<std::string> groups = groups_of(traces);
    if (groups.empty())
      throw InputError(
          fmt::format("{}: nothing was recorded along a body: record a rod, see docs/continuum.md", place));
    throw InputError(fmt::format("{}: no profile is named \"{}\": {}there are {}", place, group,
                                 sim::did_you_mean(group, groups), sim::join(groups)));
  }
  std::ranges::sort(found);
  std::vector<std::size_t> signals;
  for (const auto& [number, i] : found) signals.push_back(i);
  return signals;
}

// Rows of the recording nearest to the moments wanted, each once.
std::vector<std::size_t> rows_at(const std::vector<double>& t, std::vector<double> wanted, const std::string& place) {
  if (t.empty()) throw InputError(fmt::format("{}: nothing was recorded", place));
  if (wanted.empty())
    for (const double share : {0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0})
      wanted.push_back(t.front() + share * (t.back() - t.front()));
  std::vector<std::size_t> rows;
  for (const double moment : wanted) {
    if (!(moment >= t.front() - 1e-9 && moment <= t.back() + 1e-9))
      throw InputError(fmt::format("{}: {} s is not in the recording: give times from {} to {} s", place, moment,
                                   t.front(), t.back()));
    const auto nearest = std::ranges::min_element(t, {}, [&](double x) { return std::abs(x - moment); });
    rows.push_back(std::size_t(nearest - t.begin()));
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<std::vector<double>> read_all(const Traces& traces, const std::vector<std::size_t>& signals) {
  std::vector<std::vector<double>> columns;
  for (const std::size_t i : signals) columns.push_back(traces.read(i));
  return columns;
}

std::vector<double> row_of(const std::vector<std::vector<double>>& columns, std::size_t row) {
  std::vector<double> values;
  for (const auto& column : columns) values.push_back(column[row]);
  return values;
}

}  // namespace

figure::Figure plot_profiles(const Traces& traces, const ProfilePlan& plan, const std::string& place) {
  const auto time = std::ranges::find(traces.names, "t");
  const std::vector<double> t =
      time == traces.names.end() ? std::vector<double>{} : traces.read(std::size_t(time - traces.names.begin()));
  const std::vector<std::size_t> rows = rows_at(t, plan.at, place);
  const std::vector<std::size_t> x = members(traces, plan.x, place);
  const auto x_columns = read_all(traces, x);
  figure::Figure figure{plan.title, plan.subtitle, {}};
  for (const std::string& group : sim::split_names(plan.profiles)) {
    const std::vector<std::size_t> signals = members(traces, group, place);
    if (signals.size() != x.size())
      throw InputError(fmt::format("{}: {} has {} places along the body, {} has {}: choose another --x", place, group,
                                   signals.size(), plan.x, x.size()));
    const auto columns = read_all(traces, signals);
    figure::Panel panel{{plan.x, traces.units[x[0]]}, {group, traces.units[signals[0]]}, {}};
    for (const std::size_t row : rows)
      panel.curves.push_back({fmt::format("t = {:.4g} s", t[row]), row_of(x_columns, row), row_of(columns, row)});
    figure.panels.push_back(std::move(panel));
  }
  if (figure.panels.empty()) throw InputError(fmt::format("{}: no profile is named: write one, as rod.M_z", place));
  return figure;
}

}  // namespace sinew::report
