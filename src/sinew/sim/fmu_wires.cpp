#include "sinew/sim/fmu_wires.h"

#include <fmt/format.h>

#include <algorithm>

#include "sinew/sim/channels.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"

namespace sinew::sim {
namespace {

struct FmuSide {
  const char* key;  // of the list of pairs
  Direction direction;
  bool FmuVariable::*is;
};

int variable_of(const FmuPlan& fmu, const FmuSide& side, std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < fmu.variables.size(); i++) {
    if (!(fmu.variables[i].*side.is)) continue;
    if (fmu.variables[i].name == name) return int(i);
    known.push_back(fmu.variables[i].name);
  }
  throw InputError(fmt::format("{}: the FMU has no {} of this name: {}", name,
                               side.direction == Direction::Reading ? "input" : "output", did_you_mean(name, known)));
}

// One number, of a channel or a part of it.
int offset_of(const Channels& channels, Direction direction, std::string_view name) {
  const Channel c = channels.find(name, std::span(&direction, 1));
  if (c.size != 1)
    throw InputError(fmt::format("{}: it has {} numbers: add .0 to .{} to the name", name, c.size, c.size - 1));
  return c.offset;
}

std::vector<FmuWire> wires_of_side(const FmuPlan& fmu, const FmuSide& side, const std::vector<std::string>& pairs,
                                   const Channels& channels, std::vector<Problem>& problems) {
  std::vector<FmuWire> wires;
  std::vector<bool> named(fmu.variables.size(), false);
  for (const std::string& text : pairs) {
    try {
      const FmuPair pair = fmu_pair(text);
      if (pair.variable.empty()) throw InputError(fmt::format("{}: this is no pair: write VARIABLE = NAME", text));
      const int variable = variable_of(fmu, side, pair.variable);
      wires.push_back({variable, offset_of(channels, side.direction, pair.name)});
      named[std::size_t(variable)] = true;
    } catch (const InputError& e) {
      for (const std::string& what : e.problems) problems.push_back({side.key, what});
    }
  }
  for (std::size_t i = 0; i < fmu.variables.size(); i++) {
    if (named[i] || !(fmu.variables[i].*side.is)) continue;
    try {
      wires.push_back({int(i), offset_of(channels, side.direction, fmu.variables[i].name)});
    } catch (const InputError&) {  // its own affair
    }
  }
  return wires;
}

}  // namespace

FmuWires wires_of(const FmuPlan& fmu, const Model& model) {
  const Channels channels(model, {}, {});
  std::vector<Problem> problems;
  FmuWires wires;
  wires.inputs = wires_of_side(fmu, {"control.fmu_inputs", Direction::Reading, &FmuVariable::is_input}, fmu.inputs,
                               channels, problems);
  wires.outputs = wires_of_side(fmu, {"control.fmu_outputs", Direction::Command, &FmuVariable::is_output}, fmu.outputs,
                                channels, problems);
  std::vector<int> commands;
  for (const FmuWire& wire : wires.outputs) commands.push_back(wire.channel);
  std::ranges::sort(commands);
  if (problems.empty() && std::ranges::adjacent_find(commands) != commands.end())
    problems.push_back({"control.fmu_outputs", "two outputs give the same command: name each command once"});
  if (problems.empty() && wires.outputs.empty())
    problems.push_back({"control.fmu",
                        "none of its outputs is a command of this robot: connect them with control.fmu_outputs = "
                        "[\"VARIABLE = joint.NAME.torque\"]"});
  if (!problems.empty()) throw PlanError(std::move(problems));
  return wires;
}

}  // namespace sinew::sim
