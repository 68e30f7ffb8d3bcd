#include "sinew/bridge/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/bridge/crc.h"
#include "sinew/sim/channels.h"
#include "sinew/sim/errors.h"

namespace sinew::bridge {
namespace {

constexpr double most = 1e6;  // of a reference that nothing else bounds: beyond it is a mistake
constexpr int layout_version = 1;

double bounded(double limit) { return std::isfinite(limit) && limit < most ? limit : most; }

// "joint.hinge.q" of two coordinates: joint.hinge.q.0, joint.hinge.q.1.
std::string name_of_part(const sim::Channel& c, int i) {
  return c.size == 1 ? c.name : fmt::format("{}.{}", c.name, i);
}
// "rad, rad, m": the i-th of them; one unit holds for all.
std::string unit_of_part(const sim::Channel& c, int i) {
  std::size_t begin = 0;
  for (int k = 0; k < i; k++) {
    const std::size_t comma = c.unit.find(", ", begin);
    if (comma == std::string::npos) return c.unit;
    begin = comma + 2;
  }
  return c.unit.find(", ") == std::string::npos ? c.unit : c.unit.substr(begin, c.unit.find(", ", begin) - begin);
}

const DrivePlan* plan_of(const Plan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.drives, name, &DrivePlan::name);
  return found == plan.drives.end() ? nullptr : &*found;
}

// Of a set-point. In the safe state nothing flows: drives whose loops would go on are braked.
Slot drive_slot(const sim::Channel& c, int which, const DriveInfo& drive, const DrivePlan* plan) {
  Slot s{c.name, c.unit, c.offset};
  s.low = -most;
  s.high = most;
  s.safe = drive::command::none;
  s.may_be_none = true;
  const auto within = [&](double limit) {
    s.high = bounded(limit);
    s.low = -s.high;
  };
  switch (which) {
    case drive::command::position:
      if (plan && std::isfinite(plan->lower_switch)) s.low = plan->lower_switch;
      if (plan && std::isfinite(plan->upper_switch)) s.high = plan->upper_switch;
      break;
    case drive::command::velocity:
      if (plan) within(plan->speed_limit);
      break;
    case drive::command::torque:
      if (plan) within(plan->limit);
      s.safe = 0.0;
      break;
    case drive::command::current:
      if (plan) within(plan->current_limit);
      s.safe = 0.0;
      break;
    case drive::command::voltage:
      if (plan && plan->voltage > 0.0) within(plan->voltage);
      s.safe = 0.0;
      break;
    case drive::command::stiffness:
    case drive::command::damping:
      s.low = 0.0;
      break;
    default:
      s.low = 0.0;
      s.high = 1.0;
      s.resets = which == drive::command::reset;
      if (which == drive::command::brake && drive.setup.has_loop()) s.safe = 1.0;
  }
  return s;
}

// Axes that can be told something, but for those of a free base: nothing drives these.
void add_axes(const Model& model, const std::vector<sim::Channel>& channels, Layout& out, std::vector<int>& device_of) {
  for (const JointInfo& joint : model.joints) {
    if (joint.driven || joint.kind == JointKind::Free) continue;
    const auto c = std::ranges::find_if(channels, [&](const sim::Channel& one) {
      return one.direction == sim::Direction::Command && one.name == "joint." + joint.name + ".torque";
    });
    if (c == channels.end()) continue;
    for (int i = 0; i < c->size; i++) {
      device_of[std::size_t(joint.axis + i)] = int(out.devices.size());
      Slot s{name_of_part(*c, i), unit_of_part(*c, i), c->offset + i, int(out.devices.size())};
      s.low = -most;
      s.high = most;
      out.devices.push_back(c->size == 1 ? joint.name : fmt::format("{}.{}", joint.name, i));
      out.references.push_back(std::move(s));
    }
  }
}

bool is_pads(const sim::Channel& c) { return c.name.starts_with("pad_group."); }

// Of a robot with equations of its own: whatever its plant can be told, each a device.
void add_plant(const std::vector<sim::Channel>& channels, Layout& out) {
  for (const sim::Channel& c : channels) {
    if (c.direction != sim::Direction::Command || c.name.starts_with("joint.") || c.name.starts_with("drive.") ||
        is_pads(c))
      continue;
    Slot s{c.name, c.unit, c.offset, int(out.devices.size())};
    s.low = -most;
    s.high = most;
    out.devices.push_back(c.name);
    out.references.push_back(std::move(s));
  }
}

// A group of pads is a device. Not given, and in the safe state: the times of the file hold.
void add_pads(const std::vector<sim::Channel>& channels, Layout& out) {
  for (const sim::Channel& c : channels) {
    if (c.direction != sim::Direction::Command || !is_pads(c)) continue;
    Slot s{c.name, c.unit, c.offset, int(out.devices.size())};
    s.low = 0.0;
    s.high = 1.0;
    s.safe = drive::command::none;
    s.may_be_none = true;
    out.devices.push_back(c.name);
    out.drive_of.push_back(-1);
    out.references.push_back(std::move(s));
  }
}

void add_drives(const sim::Experiment& experiment, const std::vector<sim::Channel>& channels, Layout& out,
                const std::vector<int>& device_of) {
  const Model& model = experiment.model();
  for (std::size_t d = 0; d < model.drives.size(); d++) {
    const DriveInfo& drive = model.drives[d];
    const int axis = drive.transmission >= 0 ? drive.moved_axis + drive.row : drive.axis;
    int device = axis >= 0 && axis < int(device_of.size()) ? device_of[std::size_t(axis)] : -1;
    if (device < 0 || out.drive_of[std::size_t(device)] >= 0) {
      device = int(out.devices.size());
      out.devices.push_back(drive.name);
      out.drive_of.push_back(-1);
    }
    out.drive_of[std::size_t(device)] = int(d);
    const int first = model.n_axes + int(d) * drive::command::size;
    for (const sim::Channel& c : channels) {
      const int which = c.offset - first;
      if (c.direction != sim::Direction::Command || which < 0 || which >= drive::command::size) continue;
      Slot s = drive_slot(c, which, drive, plan_of(experiment.plan(), drive.name));
      s.device = device;
      out.references.push_back(std::move(s));
    }
  }
}

std::uint32_t hash_of(const Layout& layout) {
  std::string text = fmt::format("{} {}\n", layout_version, std::llround(layout.cycle * 1e9));
  for (const std::string& name : layout.devices) text += name + "\n";
  for (const auto* slots : {&layout.measured, &layout.references})
    for (const Slot& s : *slots) text += fmt::format("{} {}\n", s.name, s.unit);
  return crc32(std::as_bytes(std::span(text)));
}

}  // namespace

Layout layout_of(const sim::Experiment& experiment, double cycle) {
  if (sim::is_bench(experiment.scenario)) throw InputError(sim::no_motion_of(experiment.scenario));
  const Model& model = experiment.model();
  Layout out;
  out.robot = experiment.scenario.name;
  out.cycle = cycle;
  const sim::Channels channels(model, {}, {});
  out.measured.push_back({"t", "s", 0});
  for (const sim::Channel& c : channels.all()) {
    if (c.direction != sim::Direction::Reading) continue;
    for (int i = 0; i < c.size; i++) out.measured.push_back({name_of_part(c, i), unit_of_part(c, i), 1 + c.offset + i});
  }
  std::ranges::stable_sort(out.measured, {}, &Slot::at);
  std::vector<int> device_of(std::size_t(model.n_axes), -1);
  add_axes(model, channels.all(), out, device_of);
  if (model.plant) add_plant(channels.all(), out);
  out.drive_of.assign(out.devices.size(), -1);
  add_drives(experiment, channels.all(), out, device_of);
  add_pads(channels.all(), out);
  if (out.references.empty())
    throw InputError(
        fmt::format("{}: nothing of this robot can be told anything: all its joints follow given motions: give joints "
                    "drive = \"none\", or [drive.NAME]",
                    experiment.scenario.name));
  out.hash = hash_of(out);
  return out;
}

}  // namespace sinew::bridge
