#include "sinew/report/plot_phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/sim/errors.h"

namespace sinew::report {
namespace {

// The body of "contact.tibia_L1.foot:ground.normal" or "contact.foot_L.box:ground.normal"; empty: not the contact of a foot.
std::string body_of_foot(std::string_view signal) {
  constexpr std::string_view begin = "contact.", force = ".normal";
  const std::size_t end = signal.find(':');
  if (!signal.starts_with(begin) || !signal.ends_with(force) || end == signal.npos) return "";
  const std::string_view part = signal.substr(begin.size(), end - begin.size());  // body.shape
  std::string lower(part);
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  if (lower.find("foot") == lower.npos) return "";
  return std::string(part.substr(0, part.rfind('.')));
}

// Feet in the order of the recording, with what their contacts bear.
struct Foot {
  std::string body;
  std::vector<double> load;
};

std::vector<Foot> feet_of(const Traces& traces) {
  std::vector<Foot> feet;
  for (std::size_t i = 0; i < traces.names.size(); i++) {
    const std::string body = body_of_foot(traces.names[i]);
    if (body.empty()) continue;
    auto foot = std::ranges::find(feet, body, &Foot::body);
    if (foot == feet.end()) foot = feet.insert(feet.end(), {body, {}});
    const std::vector<double> more = traces.read(i);
    foot->load.resize(std::max(foot->load.size(), more.size()));
    for (std::size_t row = 0; row < more.size(); row++) foot->load[row] += more[row];
  }
  return feet;
}

// "tibia_" of tibia_L1, tibia_L2: what all begin with, up to an underscore.
std::size_t common_beginning(const std::vector<Foot>& feet) {
  const std::size_t at = feet[0].body.rfind('_');
  if (at == std::string::npos || feet.size() < 2) return 0;
  const std::string begin = feet[0].body.substr(0, at + 1);
  return std::ranges::all_of(feet, [&](const Foot& f) { return f.body.starts_with(begin); }) ? begin.size() : 0;
}

LegPhases split(const std::string& name, const std::vector<double>& t, const std::vector<double>& load) {
  LegPhases out{name, {}, {}};
  const std::size_t n = std::min(t.size(), load.size());
  std::vector<char> stands(n);
  for (std::size_t i = 0; i < n; i++) stands[i] = std::abs(load[i]) > 0.0;
  for (std::size_t i = 1; i + 1 < n; i++)
    if (stands[i - 1] == stands[i + 1]) stands[i] = stands[i - 1];
  if (n > 1) stands[0] = stands[1];  // before the first step nothing bears
  for (std::size_t first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && stands[end] == stands[first];) end++;
    (stands[first] ? out.stance : out.transfer).emplace_back(t[first], t[std::min(end, n - 1)]);
  }
  return out;
}

// Closed bars of this half height; 0: lines.
void add_bars(const std::vector<std::pair<double, double>>& spans, double y, double half, figure::Curve& curve) {
  const auto add = [&curve](double px, double py) {
    curve.x.push_back(px);
    curve.y.push_back(py);
  };
  const double gap = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [from, to] : spans) {
    add(from, y - half);
    add(to, y - half);
    if (half > 0.0) {
      add(to, y + half);
      add(from, y + half);
      add(from, y - half);
    }
    add(gap, gap);
  }
}

}  // namespace

std::vector<LegPhases> phases_of(const Traces& traces, const std::string& place) {
  const auto time = std::ranges::find(traces.names, "t");
  const std::vector<Foot> feet = feet_of(traces);
  if (time == traces.names.end() || feet.empty()) {
    const bool others =
        std::ranges::any_of(traces.names, [](const std::string& n) { return n.starts_with("contact."); });
    throw InputError(fmt::format(
        "{}: {}", place,
        others ? "no foot was recorded: legs are those whose shape or body is called \"foot\" or like it, with "
                 "contacts such as "
                 "contact.tibia_L1.foot:ground.normal or contact.foot_L.box:ground.normal"
               : "no contacts were recorded: add contact.* to output.signals, or record a robot with feet"));
  }
  const std::vector<double> t = traces.read(std::size_t(time - traces.names.begin()));
  const std::size_t begin = common_beginning(feet);
  std::vector<LegPhases> legs;
  for (const Foot& f : feet) legs.push_back(split(f.body.substr(begin), t, f.load));
  return legs;
}

figure::Figure plot_phases(const Traces& traces, const PlotPlan& plan, const std::string& place) {
  const std::vector<LegPhases> legs = phases_of(traces, place);
  figure::Panel panel{{"time", "s"}, {"leg", ""}, {{"stance", {}, {}, true}, {"transfer", {}, {}}}};
  for (std::size_t i = 0; i < legs.size(); i++) {
    const double y = double(legs.size() - i);
    panel.y_names.push_back(legs[i].name);
    add_bars(legs[i].stance, y, 0.32, panel.curves[0]);
    add_bars(legs[i].transfer, y, 0.0, panel.curves[1]);
  }
  return {plan.title, plan.subtitle, {std::move(panel)}};
}

}  // namespace sinew::report
