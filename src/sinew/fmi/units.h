// Units as the base units of SI, which importers convert by.
#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace sinew::fmi {

struct BaseUnit {
  // kg, m, s, A, K, mol, cd, rad: the attributes of the standard, in its order
  static constexpr std::array<std::string_view, 8> names{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  std::array<int, 8> exponents{};
  double factor = 1.0;
};

// "N m/rad", "kg m^2", "deg/s": what stands behind a stroke divides, up to the end. Nothing: it is no unit that is known here.
std::optional<BaseUnit> base_unit(std::string_view unit);

}  // namespace sinew::fmi
