#include "sinew/sim/policy_wires.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "sinew/model/glob.h"
#include "sinew/sim/channels.h"
#include "sinew/sim/errors.h"

namespace sinew::sim {
namespace {

bool is_constant(const std::string& name, double& value) {
  const char* end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, value);
  return read.ec == std::errc() && read.ptr == end && std::isfinite(value);
}

// Offsets of all numbers of the channels that are meant.
std::vector<int> offsets_of(const Channels& channels, Direction direction, const std::string& name) {
  std::vector<Channel> meant;
  if (name.find_first_of("*?") == std::string::npos) {
    meant = {channels.find(name, std::span(&direction, 1))};
  } else {
    for (const Channel& c : channels.all())
      if (c.direction == direction && matches(name, c.name)) meant.push_back(c);
    if (meant.empty()) throw InputError(fmt::format("{}: no {} has such a name", name, name_of(direction)));
  }
  std::vector<int> offsets;
  for (const Channel& c : meant)
    for (int i = 0; i < c.size; i++) offsets.push_back(c.offset + i);
  return offsets;
}

}  // namespace

PolicyWires wires_of(const PolicyPlan& policy, const Model& model) {
  const Channels channels(model, {}, {});
  PolicyWires wires;
  std::vector<Problem> problems;
  const auto each = [&](const char* key, const std::vector<std::string>& names, const auto& take) {
    for (const std::string& name : names) {
      try {
        take(name);
      } catch (const InputError& e) {
        for (const std::string& what : e.problems) problems.push_back({key, what});
      }
    }
  };
  each("control.actions", policy.actions, [&](const std::string& name) {
    for (const int at : offsets_of(channels, Direction::Command, name)) wires.actions.push_back(at);
  });
  each("control.observations", policy.observations, [&](const std::string& name) {
    using Kind = PolicySource::Kind;
    double value = 0.0;
    if (name == "action") {
      for (int i = 0; i < int(wires.actions.size()); i++) wires.observations.push_back({Kind::LastAction, i});
    } else if (is_constant(name, value)) {
      wires.observations.push_back({Kind::Constant, 0, value});
    } else {
      for (const int at : offsets_of(channels, Direction::Reading, name))
        wires.observations.push_back({Kind::Reading, at});
    }
  });
  if (!problems.empty()) throw PlanError(std::move(problems));
  return wires;
}

}  // namespace sinew::sim
