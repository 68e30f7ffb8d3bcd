#include "cli/cycle.h"

#include <fmt/format.h>

#include <cmath>

#include "sinew/sim/errors.h"

namespace cli {

double read_cycle(const std::string& given) {
  std::size_t end = 0;
  double number = 0.0;
  try {
    number = std::stod(given, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  const std::string unit = given.substr(end);
  const double factor = unit == "ms" ? 1e-3 : unit == "us" ? 1e-6 : unit == "s" || unit.empty() ? 1.0 : 0.0;
  const double cycle = std::round(number * factor * 1e9) * 1e-9;
  if (end == 0 || factor == 0.0 || !(cycle >= 1e-4 && cycle <= 1e-2))
    throw sinew::InputError(fmt::format("--cycle {}: not a cycle: give 0.1ms to 10ms, as 1ms or 500us", given));
  return cycle;
}

}  // namespace cli
