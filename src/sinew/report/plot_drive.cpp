#include "sinew/report/plot_drive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"

namespace sinew::report {
namespace {

constexpr int speeds = 201;
constexpr double unbounded = 1e299;

int index_of(const Model& model, const std::string& name, const std::string& place) {
  std::vector<std::string> names;
  for (const DriveInfo& d : model.drives) names.push_back(d.name);
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return int(found - names.begin());
  if (names.empty()) throw InputError(fmt::format("{}: this robot has no [drive.NAME]: see docs/drives.md", place));
  throw InputError(fmt::format("--drive {}: there is no such drive in {}: {}there are {}", name, place,
                               sim::did_you_mean(name, names), sim::join(names)));
}

std::vector<double> read(const Traces& traces, const std::string& signal, const std::string& place) {
  const auto found = std::ranges::find(traces.names, signal);
  if (found == traces.names.end())
    throw InputError(fmt::format("{}: {} was not recorded: add drive.* to output.signals", place, signal));
  return traces.read(std::size_t(found - traces.names.begin()));
}

double held(const drive::Numbers<double>& n, double current, double speed) {
  const double at_motor = n.N * n.motor.torque_constant() * current;
  const double torque = at_motor * (at_motor * speed < 0.0 ? 1.0 / n.eta : n.eta);
  return std::clamp(torque, -n.F_max, n.F_max);
}

}  // namespace

Envelope envelope_of(const drive::Numbers<double>& n, double most_speed) {
  Envelope out;
  const bool has_voltage = n.V < unbounded && n.motor.R > 0.0;
  if (!has_voltage && n.i_max > unbounded && n.F_max > unbounded) return out;
  double top = std::min(n.v_max, has_voltage ? n.V / (n.motor.k_e * n.N) : 1e300);
  if (top > unbounded) top = 1.1 * most_speed;
  const double most = std::min(n.i_max, n.F_max / (n.N * n.eta * n.motor.torque_constant()));
  // What the speed limit leaves forward at the speed v: nothing at its end (parts/drive/loops.h, `limited`).
  const auto left = [&](double v) {
    return n.v_max > unbounded ? most : most * std::clamp(50.0 * (n.v_max - v) / n.v_max, -1.0, 1.0);
  };
  for (int i = 0; i < speeds; i++) {
    const double v = top * (2.0 * i / (speeds - 1) - 1.0);
    double low = std::max(-n.i_max, -left(-v)), high = std::min(n.i_max, left(v));
    if (has_voltage) {
      const auto reach = n.motor.reach(n.V * n.V, n.N * v);
      low = std::max(low, reach.low);
      high = std::min(high, reach.high);
    }
    out.speed.push_back(v);
    out.least.push_back(held(n, low, v));
    out.most.push_back(held(n, high, v));
  }
  return out;
}

figure::Figure plot_drive(const Traces& traces, const sim::Experiment& experiment, const std::string& name,
                          const std::string& place) {
  const World<double> world = experiment.world();
  const int index = index_of(world.model(), name, place);
  const bool turns = world.model().drives[std::size_t(index)].setup.is_angle;
  const std::string own = "drive." + name, effort = turns ? "torque" : "force";
  const std::vector<double> t = read(traces, "t", place), speed = read(traces, own + ".speed", place);
  double fastest = 0.0;
  for (const double v : speed) fastest = std::max(fastest, std::abs(v));
  const Envelope bounds = envelope_of(world.params.drives[std::size_t(index)], fastest);
  figure::Panel plane{{"speed", turns ? "rad/s" : "m/s"}, {effort, turns ? "N m" : "N"}, {}};
  plane.curves.push_back({"run", speed, read(traces, own + "." + effort, place)});
  if (!bounds.speed.empty()) {
    plane.curves.push_back({"most", bounds.speed, bounds.most});
    plane.curves.push_back({"least", bounds.speed, bounds.least});
  }
  figure::Figure out{name, fmt::format("what drive {} did, and what it can do", name), {std::move(plane)}};
  for (const auto& [signal, unit] : {std::pair{"current", "A"}, std::pair{"voltage", "V"}}) {
    figure::Panel panel{{"t", "s"}, {signal, unit}, {}};
    panel.curves.push_back({own + "." + signal, t, read(traces, own + "." + signal, place)});
    out.panels.push_back(std::move(panel));
  }
  return out;
}

}  // namespace sinew::report
