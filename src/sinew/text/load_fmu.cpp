#include "sinew/text/load_fmu.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sinew/fmi/foreign.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"
#include "sinew/text/load_meshes.h"

namespace sinew::text {
namespace {

[[noreturn]] void refuse_native_code(const std::string& file) {
  throw InputError(fmt::format(
      "control.fmu: {} holds native code, which would run with all your rights: if you know where it comes from, add "
      "--trust to sinew run or sinew view",
      file));
}

fmi::ForeignStart::Parameter parameter_of(const std::string& text, const imports::FmuFile& fmu) {
  const FmuPair pair = fmu_pair(text);
  double value = 0.0;
  const char* end = pair.name.data() + pair.name.size();
  const auto read = std::from_chars(pair.name.data(), end, value);
  if (pair.variable.empty() || read.ec != std::errc() || read.ptr != end || !std::isfinite(value))
    throw InputError(fmt::format("{}: this is no pair: write VARIABLE = NUMBER", text));
  std::vector<std::string> known;
  for (const imports::FmuScalar& v : fmu.variables) {
    if (v.causality != "parameter" && v.causality != "input") continue;
    if (v.name == pair.variable) return {v.reference, value};
    known.push_back(v.name);
  }
  throw InputError(fmt::format("{}: the FMU has no parameter of this name: {}", pair.variable,
                               sim::did_you_mean(std::string(pair.variable), known)));
}

}  // namespace

void load_fmu(sim::Scenario& scenario, bool is_trusted, const std::function<std::string(std::string_view)>& place_of,
              std::vector<std::string>& problems) {
  FmuPlan& plan = scenario.fmu;
  if (scenario.control_kind != ControlKind::Fmu || plan.file.empty()) return;
  const auto add = [&](const char* key, const InputError& e) {
    for (const std::string& problem : e.problems)
      problems.push_back(fmt::format("{}: {}: {}", place_of(key), key, problem));
  };
  fmi::ForeignStart start;
  start.file = path_beside(scenario.folder, plan.file);
  try {
    start.fmu = imports::read_fmu(start.file);
  } catch (const InputError& e) {
    return add("control.fmu", e);
  }
  for (const std::string& text : plan.parameters) {
    try {
      start.parameters.push_back(parameter_of(text, start.fmu));
    } catch (const InputError& e) {
      add("control.fmu_parameters", e);
    }
  }
  plan.variables.clear();
  for (const imports::FmuScalar& v : start.fmu.variables)
    plan.variables.push_back({v.name, v.causality == "input", v.causality == "output"});
  plan.is_trusted = is_trusted;
  plan.start = [start, is_trusted](const FmuWires& wires, double period) {
    if (!is_trusted) refuse_native_code(start.file);
    fmi::ForeignStart now = start;
    now.wires = wires;
    now.period = period;
    return fmi::start_foreign(now);
  };
}

void refuse_untrusted(const sim::Scenario& scenario) {
  if (scenario.control_kind == ControlKind::Fmu && !scenario.fmu.is_trusted) refuse_native_code(scenario.fmu.file);
}

}  // namespace sinew::text
