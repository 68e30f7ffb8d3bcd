#include "sinew/sim/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sinew/model/section_plant.h"
#include "sinew/model/set_points.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/nearest.h"

namespace sinew::sim {
namespace {

// "rad", or "rad, m" where they differ.
std::string unit_of_all(const Quantity& q, JointKind kind, int n) {
  std::vector<std::string> units;
  for (int i = 0; i < n; i++) units.emplace_back(q.unit_of(kind, i));
  const bool are_equal = std::ranges::all_of(units, [&](const std::string& unit) { return unit == units[0]; });
  return are_equal && n > 0 ? units[0] : join(units);
}

void add_joint(const Model& model, const JointInfo& joint, std::vector<Channel>& out) {
  const std::string name = "joint." + joint.name;
  const Quantity &q = quantity_of(Part::Joint, "q"), &u = quantity_of(Part::Joint, "u"),
                 &torque = quantity_of(Part::Joint, "torque");
  if (joint.n_coords > 0)
    out.push_back({name + ".q", unit_of_all(q, joint.kind, joint.n_coords), description_of(q, joint.name),
                   Direction::Reading, joint.coord, joint.n_coords});
  if (joint.n_axes == 0) return;
  out.push_back({name + ".u", unit_of_all(u, joint.kind, joint.n_axes), description_of(u, joint.name),
                 Direction::Reading, model.n_coords + joint.axis, joint.n_axes});
  if (joint.driven) return;
  out.push_back({name + ".torque", unit_of_all(torque, joint.kind, joint.n_axes), "commanded on " + joint.name,
                 Direction::Command, joint.axis, joint.n_axes});
}

// At offsets behind those of all torques.
void add_drive(const Model& model, int index, std::vector<Channel>& out) {
  static constexpr std::string_view docs[] = {"place that is wanted of",
                                              "velocity that is wanted of",
                                              "force that is wanted of",
                                              "current that is wanted of",
                                              "voltage for",
                                              "stiffness of",
                                              "damping of",
                                              "1: short the phases of",
                                              "1: forget the fault of",
                                              "1: take the force sensor from"};
  const DriveInfo& d = model.drives[std::size_t(index)];
  const bool is_angle = d.setup.is_angle;
  const std::string_view units[] = {is_angle ? "rad" : "m",
                                    is_angle ? "rad/s" : "m/s",
                                    is_angle ? "N m" : "N",
                                    "A",
                                    "V",
                                    is_angle ? "N m/rad" : "N/m",
                                    is_angle ? "N m s/rad" : "N s/m",
                                    "1",
                                    "1",
                                    "1"};
  for (int i = 0; i < drive::command::size; i++) {
    const std::string_view word =
        i == drive::command::torque && !is_angle ? "force" : drive::command_names[std::size_t(i)];
    out.push_back({fmt::format("drive.{}.{}", d.name, word), std::string(units[i]),
                   fmt::format("{} drive {}", docs[i], d.name), Direction::Command,
                   model.n_axes + index * drive::command::size + i, 1});
  }
}

// "joint.base.q.3": one number of a channel with several.
bool is_part(const Channel& channel, std::string_view name, Channel& part) {
  if (channel.size < 2 || !name.starts_with(channel.name + ".")) return false;
  int i = -1;
  const std::string_view digits = name.substr(channel.name.size() + 1);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), i);
  if (read.ptr != digits.data() + digits.size() || i < 0 || i >= channel.size) return false;
  part = channel;
  part.name = name;
  part.offset += i;
  part.size = 1;
  return true;
}

// Behind those of joints: what all sensors say, which are saturated, which are lost.
void add_sensors(const Model& model, std::vector<Channel>& out) {
  if (model.sensors.empty()) return;
  const int first = model.n_coords + model.n_axes, count = int(model.sensors.size());
  const int flags = first + model.sensors.back().reading + model.sensors.back().n;
  for (int i = 0; i < count; i++) {
    const SensorInfo& s = model.sensors[std::size_t(i)];
    const std::string name = "sensor." + s.plan.name, who = s.plan.name;
    std::vector<std::string> units;
    for (int k = 0; k < s.n; k++) units.emplace_back(component_unit(s.plan, k, s.is_linear));
    const bool are_equal = std::ranges::all_of(units, [&](const std::string& unit) { return unit == units[0]; });
    const auto kind = sensor_kind_names[std::size_t(s.plan.kind)];
    out.push_back({name, are_equal ? units[0] : join(units), fmt::format("{}: what {} says", kind, who),
                   Direction::Reading, first + s.reading, s.n});
    out.push_back({name + ".saturated", "1", "1: at the end of the range of " + who, Direction::Reading, flags + i, 1});
    out.push_back({name + ".lost", "1", "1: nothing arrives of " + who, Direction::Reading, flags + count + i, 1});
  }
}

}  // namespace

std::string_view name_of(Direction direction) {
  constexpr std::string_view names[] = {"reading", "command", "parameter", "signal"};
  return names[int(direction)];
}

Channels::Channels(const Model& model, std::span<const Signal> signals, std::span<const Parameter> parameters) {
  if (plant_of(model).has_joints())
    for (const JointInfo& joint : model.joints) add_joint(model, joint, all_);
  add_sensors(model, all_);
  if (model.plant)
    for (int i = 0; const PlantReading& c : model.plant->commands())
      all_.push_back({std::string(model.plant->prefix()) + c.name, c.unit, c.description, Direction::Command, i++, 1});
  for (int i = 0; i < int(model.drives.size()); i++) add_drive(model, i, all_);
  for (int i = 0; i < int(model.pad_groups.size()); i++)
    all_.push_back({fmt::format("pad_group.{}.on", model.pad_groups[std::size_t(i)].name), "1",
                    "1: voltage on the pads of this group, 0: none; until it is given, the times of the file hold",
                    Direction::Command, model.n_axes + first_switch(model) + i, 1});
  for (int i = 0; const Parameter& p : parameters) all_.push_back({p.key, p.unit, p.doc, Direction::Parameter, i++, 1});
  for (int i = 0; const Signal& s : signals) all_.push_back({s.name, s.unit, s.description, Direction::Signal, i++, 1});
}

Channel Channels::find(std::string_view name, std::span<const Direction> directions) const {
  for (const Direction direction : directions)
    for (const Channel& channel : all_) {
      if (channel.direction != direction) continue;
      Channel part;
      if (channel.name == name) return channel;
      if (is_part(channel, name, part)) return part;
    }
  std::vector<std::string> known, kinds;
  for (const Direction direction : directions) kinds.emplace_back(name_of(direction));
  for (const Channel& channel : all_)
    if (std::ranges::find(directions, channel.direction) != directions.end()) known.push_back(channel.name);
  throw InputError(fmt::format("{}: no {} has this name: {}", name, join(kinds, " or "), did_you_mean(name, known)));
}

}  // namespace sinew::sim
