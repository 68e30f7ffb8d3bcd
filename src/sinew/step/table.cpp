// The list of methods.h as a table: the only place that knows all steppers.
#include <algorithm>
#include <array>

#include "sinew/step/methods.h"

namespace sinew {
namespace {

#define SINEW_STEPPER(name, order, forces, laws, has_past, summary) \
  Stepper{#name, summary, order, Forces::forces, Laws::laws, has_past, step_##name<double>, step_##name<Lanes>},
#define SINEW_SINGLE_STEPPER(name, order, forces, laws, has_past, summary) \
  Stepper{#name, summary, order, Forces::forces, Laws::laws, has_past, step_##name<double>, nullptr},
constexpr std::array stepper_table{SINEW_STEPPERS(SINEW_STEPPER) SINEW_SINGLE_STEPPERS(SINEW_SINGLE_STEPPER)};
#undef SINEW_STEPPER
#undef SINEW_SINGLE_STEPPER

}  // namespace

std::span<const Stepper> steppers() { return stepper_table; }

std::span<const Stepper> fixed_steppers() {
  const auto end = std::ranges::find_if(stepper_table, [](const Stepper& s) { return !s.lanes; });
  return {stepper_table.begin(), end};
}

const Stepper* find_stepper(std::string_view name) {
  for (const Stepper& s : stepper_table)
    if (s.name == name) return &s;
  return nullptr;
}

}  // namespace sinew
