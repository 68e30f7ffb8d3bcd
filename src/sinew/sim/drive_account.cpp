#include "sinew/sim/drive_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/parts/drive/refusal.h"
#include "sinew/world/diagnosis.h"

namespace sinew::sim {

namespace at = drive::memory;

namespace {

constexpr double to_and_fro_share = 0.01;  // of what went to and fro, which is trusted

// Adds drives from..to - 1.
DriveAccount account_of(const World<double>& world, std::size_t from, std::size_t to) {
  const Model& model = world.model();
  DriveAccount sum;
  double start = 0.0;
  for (std::size_t i = from; i < to; i++) {
    const drive::Numbers<double>& numbers = world.params.drives[i];
    const double* own = world.state.memory.data() + model.drives[i].memory;
    sum.electrical += own[at::electrical];
    sum.work += own[at::work];
    sum.copper += own[at::copper];
    sum.friction += own[at::friction];
    sum.magnetic += drive::magnetic_energy(numbers, own);
    sum.mechanical += drive::elastic_energy(model.drives[i].setup, numbers, own);
    start += own[at::stored_start];
  }
  sum.has_drives = to > from;
  sum.error = sum.electrical + start - sum.work - sum.copper - sum.friction - sum.magnetic - sum.mechanical;
  return sum;
}

double went_through(const DriveAccount& a) {
  return std::abs(a.electrical) + std::abs(a.work) + a.copper + a.friction + a.magnetic + a.mechanical;
}

}  // namespace

DriveAccount account_of_drives(const World<double>& world) { return account_of(world, 0, world.model().drives.size()); }

std::string doubt_about_drives(const World<double>& world, double balance_error, double through) {
  const std::vector<DriveInfo>& drives = world.model().drives;
  const DriveAccount all = account_of_drives(world);
  const double steps = std::max(double(world.state.steps), 1.0), round_off = 1e-9;  // [J]
  const double went = went_through(all);
  const double most = std::max((trusted_share + 1.0 / (steps * steps)) * went, to_and_fro_share * through) + round_off;
  const bool at_end = world.stepper().forces == Forces::AtEnd;
  const double from_nowhere = -all.error + (at_end ? std::min(balance_error, 0.0) : 0.0);
  if (from_nowhere <= most && all.error <= most) return "";
  std::size_t worst = 0;
  double largest = -1.0;
  for (std::size_t i = 0; i < drives.size(); i++) {
    const double error = std::abs(account_of(world, i, i + 1).error);
    if (error > largest) worst = i;
    largest = std::max(largest, error);
  }
  return fmt::format(
      "drive {}: of {:.4g} J that went through the drives {:.4g} J are left unexplained: its axis moves otherwise than "
      "it foresees within a step",
      drives[worst].name, went, std::abs(all.error));
}

namespace {

// Of the body that the drive's joint carries, about its one axis: at least this much has to be moved. 0: not known.
double carried_inertia(const World<double>& world, const DriveInfo& d) {
  const JointInfo& joint = world.model().joints[std::size_t(d.joint)];
  if (joint.link < 0 || joint.n_axes != 1) return 0.0;
  const Inertia<double>& I = world.params.links[std::size_t(joint.link)].I_F;  // about the joint
  return joint::visit(joint.kind, [&]<class J>() {
    if constexpr (J::nu == 1) {
      Vec3d axis[1];
      J::axes(Mat3d::identity(), Mat3d::identity(), axis);
      return J::dirs[0] == joint::Dir::Linear ? I.m : dot(axis[0], I.I * axis[0]);
    }
    return 0.0;
  });
}

// Gains of position and velocity follow from the inertia that is told. docs/drives.md#limits-and-faults
std::string doubt_about_load(const World<double>& world, std::size_t i) {
  const DriveInfo& d = world.model().drives[i];
  const bool has_gains = d.setup.control == drive::Control::Position || d.setup.control == drive::Control::Velocity;
  if (!has_gains || d.transmission >= 0 || d.setup.has_spring()) return "";
  const drive::Numbers<double>& n = world.params.drives[i];
  const double reckoned = n.m_r + n.load, moved = n.m_r + carried_inertia(world, d);
  if (!(moved > 5.0 * reckoned)) return "";
  const char* unit = d.setup.is_angle ? "kg m^2" : "kg";
  return fmt::format("its gains are for {:.3g} {}, but it moves {:.3g} {} or more and may swing: give load_inertia",
                     reckoned, unit, moved, unit);
}

}  // namespace

std::vector<std::string> remarks_on_drives(const World<double>& world) {
  struct Limit {
    int entry;
    const char* name;
  };
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < world.model().drives.size(); i++) {
    const DriveInfo& d = world.model().drives[i];
    const double* own = world.state.memory.data() + d.memory;
    const bool has_speed_limit = world.params.drives[i].v_max < drive::command::none;
    const Limit limits[] = {{at::at_voltage, "voltage"},
                            {at::at_current, "current"},
                            {at::at_force, has_speed_limit ? "force or speed" : "force"},
                            {at::at_thermal, "thermal"}};
    std::string text;
    const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
    if (own[at::fault] == double(drive::Fault::Switch)) add("stopped by its limit switch");
    if (own[at::fault] == double(drive::Fault::Following)) add("stopped by its following error");
    if (own[at::fault] == double(drive::Fault::Rod))
      add("stopped because its rod leans as far as its ball joints let it");
    for (const Limit& limit : limits)
      if (own[limit.entry] > 0.01 * own[at::time])
        add(fmt::format("at its {} limit {:.0f} % of the time", limit.name, 100.0 * own[limit.entry] / own[at::time]));
    if (own[at::blind_time] > 0.0)
      add(fmt::format("without its force sensor {:.0f} % of the time, by its current within {:.3g} N of friction",
                      100.0 * own[at::blind_time] / own[at::time], world.params.drives[i].F_c));
    if (own[at::slip] != 0.0)
      add(fmt::format("its belt has slipped by {:.3g} {}", own[at::slip], d.setup.is_angle ? "rad" : "m"));
    if (const double refused = drive::refused(d.setup, own); refused > 0.0)
      add(fmt::format("{:.0f} set-point{} refused while its rotor was being aligned: give {} after {:.3g} s", refused,
                      refused > 1.0 ? "s" : "", refused > 1.0 ? "them" : "it", d.setup.align_time));
    if (const std::string doubt = doubt_about_load(world, i); !doubt.empty()) add(doubt);
    if (!text.empty()) lines.push_back(fmt::format("drive {}: {}", d.name, text));
  }
  return lines;
}

}  // namespace sinew::sim
