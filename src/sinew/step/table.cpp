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

constexpr Stepper section_stepper(std::string_view name, std::string_view summary, int order, Forces forces) {
  return {name, summary, order, forces, Laws::InStep, false, nullptr, nullptr};
}
constexpr std::array section_table{
    section_stepper("rk4", "Runge-Kutta-Munthe-Kaas of order 4", 4, Forces::AtStart),
    section_stepper("rk45", "Runge-Kutta-Munthe-Kaas of order 5 with steps as small as needed", 5, Forces::AtStart),
    section_stepper("euler", "linearly implicit, for stiff loads", 1, Forces::AtEnd),
    section_stepper("generalized-alpha", "implicit, of order 2, for stiff rods", 2, Forces::AtEnd)};

const Stepper* find_in(std::span<const Stepper> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Stepper::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Stepper> steppers() { return stepper_table; }

std::span<const Stepper> fixed_steppers() {
  const auto end = std::ranges::find_if(stepper_table, [](const Stepper& s) { return !s.lanes; });
  return {stepper_table.begin(), end};
}

const Stepper* find_stepper(std::string_view name) { return find_in(stepper_table, name); }
const Stepper* find_section_stepper(std::string_view name) { return find_in(section_table, name); }

}  // namespace sinew
