#include "sinew/sim/drive_account.h"

#include <fmt/format.h>

namespace sinew::sim {

namespace at = drive::memory;

DriveAccount account_of_drives(const World<double>& world) {
  const Model& model = world.model();
  DriveAccount sum;
  double start = 0.0;
  for (std::size_t i = 0; i < model.drives.size(); i++) {
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
  sum.has_drives = !model.drives.empty();
  sum.error = sum.electrical + start - sum.work - sum.copper - sum.friction - sum.magnetic - sum.mechanical;
  return sum;
}

std::vector<std::string> remarks_on_drives(const World<double>& world) {
  struct Limit {
    int entry;
    const char* name;
  };
  constexpr Limit limits[] = {
      {at::at_voltage, "voltage"}, {at::at_current, "current"}, {at::at_force, "force"}, {at::at_thermal, "thermal"}};
  std::vector<std::string> lines;
  for (const DriveInfo& d : world.model().drives) {
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
    if (!text.empty()) lines.push_back(fmt::format("drive {}: {}", d.name, text));
  }
  return lines;
}

}  // namespace sinew::sim
