#include "sinew/fmi/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sinew/bridge/layout.h"
#include "sinew/sim/channels.h"
#include "sinew/sim/errors.h"

namespace sinew::fmi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double any_cycle = 1e-3;  // of a layout, of which only the slots are wanted here

Variable variable(Causality causality, Source source, std::string name, std::string unit, std::string description,
                  int at) {
  Variable v;
  v.causality = causality;
  v.source = source;
  v.name = std::move(name);
  v.unit = std::move(unit);
  v.description = std::move(description);
  v.at = at;
  v.low = -infinity;
  v.high = infinity;
  return v;
}

// Of the channel that a slot is one number of.
std::string description_of_slot(const sim::Channels& channels, const bridge::Slot& slot) {
  constexpr sim::Direction directions[] = {sim::Direction::Reading, sim::Direction::Command};
  return channels.find(slot.name, directions).description;
}

class VariableList {
 public:
  VariableList(const sim::Experiment& experiment) : experiment_(experiment), channels_(experiment.model(), {}, {}) {
    add(variable(Causality::Independent, Source::Time, "time", "s", "time", 0));
  }

  void add_parameters(bool is_tunable) {
    const auto parameters = sim::parameters_of(experiment_.scenario);
    for (std::size_t i = 0; i < parameters.size(); i++) {
      const sim::Parameter& p = parameters[i];
      if (!is_tunable && !is_of_controller(p.key)) continue;
      Variable v = variable(Causality::Parameter, Source::Parameter, p.key, p.unit, p.doc, int(i));
      v.start = p.value;
      v.low = p.low;
      v.high = p.high;
      v.is_tunable = is_tunable;
      add(std::move(v));
    }
  }

  void add_commands(const bridge::Layout& layout, Causality causality) {
    const Input<double> input = experiment_.world().input;
    for (const bridge::Slot& slot : layout.references) {
      Variable v =
          variable(causality, Source::Command, slot.name, slot.unit, description_of_slot(channels_, slot), slot.at);
      v.start = command_at(input, std::size_t(slot.at));
      add(std::move(v));
    }
  }

  // The first of the measured slots is the time. Slots count from one.
  void add_readings(const bridge::Layout& layout, Causality causality) {
    for (const bridge::Slot& slot : layout.measured)
      if (slot.at > 0)
        add(variable(causality, Source::Reading, slot.name, slot.unit, description_of_slot(channels_, slot),
                     slot.at - 1));
  }
  void add_readings() {
    for (const sim::Channel& c : channels_.all())
      for (int i = 0; c.direction == sim::Direction::Reading && i < c.size; i++)
        add(variable(Causality::Output, Source::Reading, c.size == 1 ? c.name : fmt::format("{}.{}", c.name, i),
                     part_of(c.unit, i), c.description, c.offset + i));
  }

  void add_pushes() {
    const World<double> world = experiment_.world();
    if (!world.plant().push_refusal().empty()) return;
    const Model& model = world.model();
    for (std::size_t body = 0; body < model.body_names.size(); body++)
      for (int i = 0; i < 6; i++) {
        const char* what = i < 3 ? "torque" : "force";
        Variable v =
            variable(Causality::Input, Source::Push,
                     fmt::format("push.{}.{}.{}", model.body_names[body], what, "xyz"[i % 3]), i < 3 ? "N m" : "N",
                     fmt::format("{} on body {} about its centre of mass, axes of the world, {}", what,
                                 model.body_names[body], "xyz"[i % 3]),
                     int(body));
        v.component = i;
        add(std::move(v));
      }
  }

  // Those that output.signals chooses, but for what is there already. Where an input has the name, the signal is called actual.NAME.
  void add_signals() {
    const std::vector<sim::Signal>& all = experiment_.signals();
    std::set<std::string> wanted;
    for (const sim::Signal& s : experiment_.recorded()) wanted.insert(s.name);
    for (std::size_t i = 0; i < all.size(); i++) {
      const sim::Signal& s = all[i];
      if (s.name == "t" || !wanted.contains(s.name)) continue;
      const auto same = std::ranges::find(list, s.name, &Variable::name);
      if (names_.contains(s.name) && same->source == Source::Reading) continue;
      const std::string name = names_.contains(s.name) ? "actual." + s.name : s.name;
      add(variable(Causality::Output, Source::Signal, name, s.unit, s.description, int(i)));
    }
  }

  std::vector<Variable> list;

 private:
  static bool is_of_controller(const std::string& key) {
    return key.starts_with("control.") || key.starts_with("command.") || key.starts_with("gait.");
  }
  // "rad, rad, m": the i-th of them; one unit holds for all.
  static std::string part_of(const std::string& units, int i) {
    std::size_t begin = 0;
    for (int k = 0; k < i && units.find(", ", begin) != std::string::npos; k++) begin = units.find(", ", begin) + 2;
    return units.substr(begin, units.find(", ", begin) - begin);
  }
  void add(Variable v) {
    if (names_.insert(v.name).second) list.push_back(std::move(v));
  }

  const sim::Experiment& experiment_;
  sim::Channels channels_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<Variable> variables_of(const sim::Experiment& experiment, Part part) {
  const sim::Scenario& scenario = experiment.scenario;
  if (sim::is_bench(scenario)) throw InputError(sim::no_motion_of(scenario));
  const bool has_controller = experiment.make_controller() != nullptr;
  if (part != Part::Scenario && !has_controller)
    throw InputError(
        fmt::format("--as: {} has no controller: leave --as out, and its commands are inputs", scenario.name));
  VariableList out(experiment);
  out.add_parameters(part != Part::Controller);
  if (part == Part::Controller) {
    const bridge::Layout layout = bridge::layout_of(experiment, any_cycle);
    out.add_readings(layout, Causality::Input);
    out.add_commands(layout, Causality::Output);
    return std::move(out.list);
  }
  if (part == Part::Robot || !has_controller) {
    try {
      out.add_commands(bridge::layout_of(experiment, any_cycle), Causality::Input);
    } catch (const InputError&) {  // nothing of it can be told anything
    }
  }
  out.add_pushes();
  out.add_readings();
  out.add_signals();
  return std::move(out.list);
}

double to_fmi(double x) { return std::isinf(x) ? std::copysign(no_limit, x) : x; }
double from_fmi(double x) { return std::abs(x) >= no_limit ? std::copysign(infinity, x) : x; }

std::string token_of(std::string_view resources) {
  std::uint64_t halves[2] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};  // FNV-1a, from two starts
  for (const unsigned char byte : resources)
    for (std::uint64_t& h : halves) h = (h ^ byte) * 0x100000001b3u;
  const std::uint64_t a = halves[0], b = halves[1];
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", a >> 32, a >> 16 & 0xffff, a & 0xffff, b >> 48,
                     b & 0xffffffffffffu);
}

}  // namespace sinew::fmi
