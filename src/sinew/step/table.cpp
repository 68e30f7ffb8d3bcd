#include <array>

#include "sinew/step/methods.h"

namespace sinew {
namespace {

#define SINEW_STEPPER(name, order, forces, laws, summary) \
  Stepper{#name, summary, order, Forces::forces, Laws::laws, step_##name<double>, step_##name<Lanes>},
constexpr std::array table{SINEW_STEPPERS(SINEW_STEPPER)};
#undef SINEW_STEPPER

}  // namespace

std::span<const Stepper> steppers() { return table; }

const Stepper* find_stepper(std::string_view name) {
  for (const Stepper& s : table)
    if (s.name == name) return &s;
  return nullptr;
}

}  // namespace sinew
