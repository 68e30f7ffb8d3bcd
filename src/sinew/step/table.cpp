#include <array>

#include "sinew/step/methods.h"

namespace sinew {
namespace {

constexpr std::array table{
    Stepper{"moreau", "midpoint time stepping; the default", 1, step_moreau<double>, step_moreau<Lanes>},
    Stepper{"rk4", "Runge-Kutta of order 4; the most accurate on smooth motion", 4, step_rk4<double>, step_rk4<Lanes>},
    Stepper{"euler", "linearly implicit Euler; stiff springs and servos at large steps", 1, step_euler<double>,
            step_euler<Lanes>},
};

}  // namespace

std::span<const Stepper> steppers() { return table; }

const Stepper* find_stepper(std::string_view name) {
  for (const Stepper& s : table)
    if (s.name == name) return &s;
  return nullptr;
}

}  // namespace sinew
