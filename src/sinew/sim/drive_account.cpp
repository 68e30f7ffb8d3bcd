#include "sinew/sim/drive_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/world/diagnosis.h"

namespace sinew::sim {

namespace at = drive::memory;

namespace {

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

std::string doubt_about_drives(const World<double>& world, double balance_error) {
  const std::vector<DriveInfo>& drives = world.model().drives;
  const DriveAccount all = account_of_drives(world);
  const double steps = std::max(double(world.state.steps), 1.0), round_off = 1e-9;  // [J]
  const double most = (trusted_share + 1.0 / (steps * steps)) * went_through(all) + round_off;
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
      drives[worst].name, went_through(all), std::abs(all.error));
}

std::vector<std::string> remarks_on_drives(const World<double>& world) {
  struct Limit {
    int entry;
    const char* name;
  };
  constexpr Limit limits[] = {
      {at::at_voltage, "voltage"}, {at::at_current, "current"}, {at::at_force, "force"}, {at::at_thermal, "thermal"}};
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < world.model().drives.size(); i++) {
    const DriveInfo& d = world.model().drives[i];
    const double* own = world.state.memory.data() + d.memory;
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
    if (!text.empty()) lines.push_back(fmt::format("drive {}: {}", d.name, text));
  }
  return lines;
}

}  // namespace sinew::sim
