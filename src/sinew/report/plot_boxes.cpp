#include "sinew/report/plot_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <map>
#include <nlohmann/json.hpp>

#include "sinew/sim/choose_signals.h"
#include "sinew/sim/errors.h"

namespace sinew::report {
namespace {

constexpr double half_width = 0.3, half_cap = 0.15;  // of a box, and of the ends of its whiskers; boxes are 1 apart

// Linear between the sorted numbers.
double quantile(const std::vector<double>& sorted, double part) {
  const double at = part * double(sorted.size() - 1);
  const std::size_t i = std::min(std::size_t(at), sorted.size() - 1), next = std::min(i + 1, sorted.size() - 1);
  return sorted[i] + (at - double(i)) * (sorted[next] - sorted[i]);
}

// Lines with gaps between them.
void add_box(std::vector<double> values, double x, figure::Curve& curve) {
  std::ranges::sort(values);
  const double low = values.front(), high = values.back(), q1 = quantile(values, 0.25), q2 = quantile(values, 0.5),
               q3 = quantile(values, 0.75), l = x - half_width, r = x + half_width;
  const auto line = [&](std::initializer_list<std::pair<double, double>> points) {
    for (const auto& [px, py] : points) {
      curve.x.push_back(px);
      curve.y.push_back(py);
    }
    curve.x.push_back(std::numeric_limits<double>::quiet_NaN());
    curve.y.push_back(std::numeric_limits<double>::quiet_NaN());
  };
  line({{l, q1}, {r, q1}, {r, q3}, {l, q3}, {l, q1}});
  line({{l, q2}, {r, q2}});
  line({{x, q3}, {x, high}});
  line({{x - half_cap, high}, {x + half_cap, high}});
  line({{x, q1}, {x, low}});
  line({{x - half_cap, low}, {x + half_cap, low}});
}

// "_forces" of "glass_forces", "wood_forces": what all names end with.
std::string common_ending(const std::vector<std::string>& names) {
  const std::size_t at = names[0].rfind('_');
  const std::string ending = at == std::string::npos ? "" : names[0].substr(at);
  const bool all = std::ranges::all_of(names, [&](const std::string& n) { return n.ends_with(ending); });
  return all ? ending : "";
}

}  // namespace

figure::Figure plot_boxes(std::span<const sim::ResultValue> results, std::span<const std::string> panels,
                          const PlotPlan& plan, const std::string& place) {
  figure::Figure out{plan.title, plan.subtitle, {}};
  for (const std::string& text : panels) {
    const std::vector<std::string> names = sim::split_names(text);
    if (names.empty()) throw InputError(fmt::format("{}: a panel names no result: write one", place));
    const std::string ending = common_ending(names);
    figure::Panel panel;
    panel.x.label = "least, quartiles, median and largest";
    panel.curves.resize(1);  // one pen for all boxes
    for (const std::string& name : names) {
      const auto found = std::ranges::find(results, name, &sim::ResultValue::name);
      if (found == results.end() || !found->is_vector || found->values.empty())
        throw InputError(
            fmt::format("{}: no result with several numbers is named \"{}\": sinew run --json lists all", place, name));
      panel.y = {ending.empty() ? "result" : ending.substr(1), found->unit};
      panel.x_names.push_back(name.substr(0, name.size() - ending.size()));
      add_box(found->values, double(panel.x_names.size()), panel.curves[0]);
    }
    out.panels.push_back(std::move(panel));
  }
  return out;
}

std::vector<sim::ResultValue> recorded_lists(const std::string& run_json, const sim::Scenario& scenario) {
  std::map<std::string, std::string> units;
  if (scenario.robot_keys)
    for (const robots::Measurement& m : scenario.robot_keys->measure(scenario.seed)) units[m.name] = m.unit;
  std::vector<sim::ResultValue> lists;
  const auto run = nlohmann::ordered_json::parse(run_json, nullptr, false);
  if (!run.is_object() || !run.contains("result") || !run["result"].is_object()) return lists;
  for (const auto& [name, value] : run["result"].items()) {
    const auto is_number = [](const auto& x) { return x.is_number(); };
    if (!value.is_array() || value.size() < 2 || !std::ranges::all_of(value, is_number)) continue;
    lists.push_back({name, units[name], true, value.get<std::vector<double>>()});
  }
  return lists;
}

std::vector<std::string> usual_boxes(std::span<const sim::ResultValue> lists) {
  std::map<std::string, std::vector<const sim::ResultValue*>> by_ending;
  for (const sim::ResultValue& r : lists)
    if (const std::size_t at = r.name.rfind('_'); at != std::string::npos) by_ending[r.name.substr(at)].push_back(&r);
  const std::vector<const sim::ResultValue*>* best = nullptr;
  for (const auto& [ending, group] : by_ending)
    if (group.size() > 1 && (!best || group[0]->values.size() > (*best)[0]->values.size())) best = &group;
  if (!best) return {};
  const auto size = [](const sim::ResultValue* r) {
    return std::abs(*std::ranges::max_element(r->values, {}, [](double x) { return std::abs(x); }));
  };
  double largest = 0.0;
  for (const sim::ResultValue* r : *best) largest = std::max(largest, size(r));
  std::string large, small;
  for (const sim::ResultValue* r : *best) {
    std::string& panel = size(r) < 0.01 * largest ? small : large;
    panel += (panel.empty() ? "" : ",") + r->name;
  }
  std::vector<std::string> panels{large};
  if (!small.empty()) panels.push_back(small);
  return panels;
}

}  // namespace sinew::report
