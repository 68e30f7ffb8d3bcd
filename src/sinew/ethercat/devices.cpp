#include "sinew/ethercat/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/dynamics/mass.h"
#include "sinew/sim/channels.h"
#include "sinew/sim/errors.h"
#include "sinew/world/world.h"

namespace sinew::ethercat {
namespace {

constexpr double bandwidth = 2.0 * std::numbers::pi * 5.0;  // of loops of position that a master does not set [rad/s]
constexpr double free_rating = 100.0;                       // of an axis without a limit [N m or N]

// Inertia at each freedom while all others rest, at the start.
std::vector<double> masses_of(const World<double>& world) {
  const Model& model = world.model();
  Frames<double> frames(model);
  MassWork<double> work(model);
  const std::size_t n = std::size_t(model.nu);
  std::vector<double> M(n * n), still(n, 0.0);
  Prescribed<double> driven(model);
  evaluate_frames(model, world.params, world.state.q.data(), still.data(), driven, frames);
  mass_matrix(model, world.params, frames, work, M.data());
  return M;
}

struct Finder {
  const sim::Experiment& experiment;
  const bridge::Layout& layout;
  World<double> world;
  std::vector<double> M;

  const Model& model() const { return world.model(); }

  const JointInfo* joint_of(int axis) const {
    for (const JointInfo& j : model().joints)
      if (axis >= j.axis && axis < j.axis + j.n_axes) return &j;
    return nullptr;
  }
  double mass(int i, int k) const { return M[std::size_t(i) * std::size_t(model().nu) + std::size_t(k)]; }

  // As a drive feels it along its axis or stroke.
  double felt(const DriveDevice& d, const JointInfo& joint, int axis) const {
    const int link = joint.link;
    if (link < 0) return 1.0;  // a cut joint: the mass of its bodies is nowhere in one number
    const int u = model().links[std::size_t(link)].u;
    if (d.transmission < 0) return mass(u + axis - joint.axis, u + axis - joint.axis);
    const auto& rods = world.params.transmissions[std::size_t(d.transmission)].rods;
    const int moved = model().drives[std::size_t(d.drive)].moved_u;
    const Strokes<double> at =
        transmission::strokes(rods, world.state.q.data() + model().drives[std::size_t(d.drive)].moved_q);
    if (rods.n == 1) return mass(moved, moved) / std::max(1e-9, at.J[0] * at.J[0]);
    // a = J^-1 e: how the axes turn for a unit of this stroke while the other one rests
    const double det = at.J[0] * at.J[3] - at.J[1] * at.J[2];
    if (std::abs(det) < 1e-12) return 1.0;
    const double a = (d.row == 0 ? at.J[3] : -at.J[1]) / det, b = (d.row == 0 ? -at.J[2] : at.J[0]) / det;
    return a * a * mass(moved, moved) + 2.0 * a * b * mass(moved, moved + 1) + b * b * mass(moved + 1, moved + 1);
  }
};

Loop loop_of(const DriveInfo& d) {
  switch (d.setup.control) {
    case drive::Control::Torque:
      return Loop::Here;
    case drive::Control::Velocity:
      return Loop::OfVelocity;
    case drive::Control::Current:
    case drive::Control::Voltage:
      throw InputError(
          fmt::format("drive.{}.control: a drive by CiA 402 is told places, velocities or torques, not a current or a "
                      "voltage: give "
                      "\"torque\", \"position\" or \"velocity\"",
                      d.name));
    default:
      return Loop::OfPosition;
  }
}

void find_slots(const bridge::Layout& layout, int device, const Model& model, DriveDevice& out) {
  const int first = out.drive < 0 ? 0 : model.n_axes + out.drive * drive::command::size;
  for (const bridge::Slot& s : layout.references) {
    if (s.device != device) continue;
    out.slots.push_back(s);
    if (out.drive < 0) {
      out.torque_at = s.at;
      continue;
    }
    const int which = s.at - first;
    if (which == drive::command::torque) out.torque_at = s.at;
    if (which == drive::command::position) out.position_at = s.at;
    if (which == drive::command::velocity) out.velocity_at = s.at;
    if (which == drive::command::reset) out.reset_at = s.at;
  }
}

DriveDevice drive_device(const Finder& f, int device) {
  const Model& model = f.model();
  DriveDevice out;
  out.drive = f.layout.drive_of[std::size_t(device)];
  find_slots(f.layout, device, model, out);
  int axis = out.slots.empty() ? 0 : out.slots.front().at;
  double limit = std::numeric_limits<double>::infinity();
  out.kind.name = f.layout.devices[std::size_t(device)];
  if (out.drive >= 0) {
    const DriveInfo& d = model.drives[std::size_t(out.drive)];
    out.kind.name = d.name;
    out.kind.is_angle = d.setup.is_angle;
    out.kind.loop = loop_of(d);
    out.transmission = d.transmission;
    out.row = d.row;
    axis = d.transmission >= 0 ? d.moved_axis : d.axis;
    limit = f.world.params.drives[std::size_t(out.drive)].F_max;
  }
  const JointInfo* joint = f.joint_of(axis);
  if (!joint)
    throw InputError(fmt::format("{}: {} is no joint that a drive on a bus could move", f.layout.robot, out.kind.name));
  out.q = joint->coord + axis - joint->axis;
  out.u = axis;
  if (out.drive < 0) out.kind.is_angle = joint->kind != JointKind::Prismatic;
  out.kind.rated = std::isfinite(limit) && limit < 1e6 ? limit : free_rating;
  out.kind.most = std::isfinite(limit) && limit < 1e6 ? 1.0 : 10.0;
  const double m = f.felt(out, *joint, axis);
  out.kind.kp = m * bandwidth * bandwidth;
  out.kind.kd = 2.0 * m * bandwidth;
  return out;
}

SensorDevice sensor_device(const SensorPlan& plan, const std::vector<sim::Channel>& channels) {
  SensorDevice out;
  out.kind = {plan.name, plan.kind == sinew::SensorKind::Force6 ? 6 : 3};
  const std::string name = "sensor." + plan.name;
  for (const sim::Channel& c : channels) {
    if (c.direction != sim::Direction::Reading) continue;
    if (c.name == name)
      for (int i = 0; i < std::min(c.size, out.kind.channels); i++) out.channels.push_back(c.offset + i);
    if (c.name == name + ".saturated") out.saturated = c.offset;
    if (c.name == name + ".lost") out.lost = c.offset;
  }
  return out;
}

}  // namespace

Devices devices_of(const sim::Experiment& experiment, const bridge::Layout& layout) {
  const World<double> world = experiment.world();
  if (world.model().plant)
    throw InputError(fmt::format("{}: a robot with equations of its own has no joints that drives on a bus could move",
                                 layout.robot));
  const Finder finder{experiment, layout, world, masses_of(world)};
  Devices out;
  for (int i = 0; i < int(layout.devices.size()); i++) out.drives.push_back(drive_device(finder, i));
  const sim::Channels channels(world.model(), {}, {});
  for (const SensorPlan& plan : experiment.plan().sensors)
    if (measures_force(plan.kind)) out.sensors.push_back(sensor_device(plan, channels.all()));
  return out;
}

std::vector<Slave> slaves_of(const Devices& devices) {
  std::vector<Slave> out;
  for (const DriveDevice& d : devices.drives) out.push_back(make_drive(d.kind, int(out.size())));
  for (const SensorDevice& s : devices.sensors) out.push_back(make_force_sensor(s.kind, int(out.size())));
  return out;
}

}  // namespace sinew::ethercat
