#include "sinew/report/plot_signals.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/sim/choose_signals.h"
#include "sinew/sim/errors.h"

namespace sinew::report {
namespace {

constexpr std::size_t most_curves = 6, most_panels = 16;

std::string group_of(std::string_view name) {
  const auto dot = name.rfind('.');
  return std::string(dot == name.npos ? name : name.substr(0, dot));
}

// Signals by unit, and those of one unit by group where they are many. Groups of one are put together again.
std::vector<std::vector<std::size_t>> arrange(const Traces& traces, const std::vector<std::size_t>& chosen) {
  std::vector<std::vector<std::size_t>> panels;
  std::vector<std::string> done;
  for (const std::size_t first : chosen) {
    const std::string& unit = traces.units[first];
    if (std::ranges::find(done, unit) != done.end()) continue;
    done.push_back(unit);
    std::vector<std::size_t> same;
    std::ranges::copy_if(chosen, std::back_inserter(same), [&](std::size_t i) { return traces.units[i] == unit; });
    if (same.size() <= most_curves) {
      panels.push_back(same);
      continue;
    }
    std::vector<std::size_t> singles;
    for (std::size_t i = 0, end; i < same.size(); i = end) {
      const std::string group = group_of(traces.names[same[i]]);
      for (end = i + 1; end < same.size() && group_of(traces.names[same[end]]) == group;) end++;
      if (end - i > 1)
        panels.emplace_back(same.begin() + std::ptrdiff_t(i), same.begin() + std::ptrdiff_t(end));
      else
        singles.push_back(same[i]);
    }
    for (std::size_t i = 0; i < singles.size(); i += most_curves)
      panels.emplace_back(singles.begin() + std::ptrdiff_t(i),
                          singles.begin() + std::ptrdiff_t(std::min(i + most_curves, singles.size())));
  }
  return panels;
}

// What the names have in common, up to a dot; the whole name if there is one only.
std::string common_name(const Traces& traces, const std::vector<std::size_t>& panel) {
  std::string common = traces.names[panel[0]];
  for (const std::size_t i : panel)
    while (!common.empty() && traces.names[i] != common && !traces.names[i].starts_with(common + "."))
      common = common.find('.') == common.npos ? "" : group_of(common);
  return common;
}

}  // namespace

figure::Figure plot_signals(const Traces& traces, const PlotPlan& plan, const std::string& place) {
  const auto over = sim::choose_signals(traces.names, plan.x, place);
  if (over.size() != 1)
    throw InputError(fmt::format("{}: {} names {} signals: the x axis takes one", place, plan.x, over.size()));
  const std::size_t x = over[0];
  const figure::Axis x_axis{traces.names[x] == "t" ? "time" : traces.names[x], traces.units[x]};
  const std::vector<double> x_values = traces.read(x);

  figure::Figure figure{plan.title, plan.subtitle, {}};
  for (const std::string& wanted : plan.panels)
    for (const auto& signals : arrange(traces, sim::choose_signals(traces.names, wanted, place))) {
      figure::Panel panel{x_axis, {common_name(traces, signals), traces.units[signals[0]]}, {}};
      panel.equal_axes = traces.units[x] == "m" && panel.y.unit == "m";
      for (const std::size_t i : signals) panel.curves.push_back({traces.names[i], x_values, traces.read(i)});
      if (signals.size() == 1) panel.curves[0].label.clear();  // its axis bears the name
      figure.panels.push_back(std::move(panel));
      if (figure.panels.size() > most_panels)
        throw InputError(fmt::format("{}: more than {} panels: choose fewer signals", place, most_panels));
    }
  if (figure.panels.empty()) throw InputError(fmt::format("{}: no signal is named: write one, or a group", place));
  return figure;
}

}  // namespace sinew::report
