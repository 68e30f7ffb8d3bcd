#include "sinew/fmi/units.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numbers>

namespace sinew::fmi {
namespace {

struct KnownUnit {
  std::string_view name;
  BaseUnit base;
};

constexpr double degree = std::numbers::pi / 180.0;
constexpr KnownUnit known[] = {
    {"1", {}},
    {"kg", {{1, 0, 0, 0, 0, 0, 0, 0}}},
    {"m", {{0, 1, 0, 0, 0, 0, 0, 0}}},
    {"s", {{0, 0, 1, 0, 0, 0, 0, 0}}},
    {"A", {{0, 0, 0, 1, 0, 0, 0, 0}}},
    {"K", {{0, 0, 0, 0, 1, 0, 0, 0}}},
    {"rad", {{0, 0, 0, 0, 0, 0, 0, 1}}},
    {"deg", {{0, 0, 0, 0, 0, 0, 0, 1}, degree}},
    {"Hz", {{0, 0, -1, 0, 0, 0, 0, 0}}},
    {"N", {{1, 1, -2, 0, 0, 0, 0, 0}}},
    {"J", {{1, 2, -2, 0, 0, 0, 0, 0}}},
    {"W", {{1, 2, -3, 0, 0, 0, 0, 0}}},
    {"Pa", {{1, -1, -2, 0, 0, 0, 0, 0}}},
    {"V", {{1, 2, -3, -1, 0, 0, 0, 0}}},
    {"ohm", {{1, 2, -3, -2, 0, 0, 0, 0}}},
    {"H", {{1, 2, -2, -2, 0, 0, 0, 0}}},
    {"F", {{-1, -2, 4, 2, 0, 0, 0, 0}}},
    {"C", {{0, 0, 1, 1, 0, 0, 0, 0}}},
    {"Wb", {{1, 2, -2, -1, 0, 0, 0, 0}}},
    {"T", {{1, 0, -2, -1, 0, 0, 0, 0}}},
};

// "m^2" -> m, 2.
bool add_factor(std::string_view word, int sign, BaseUnit& out) {
  int power = 1;
  if (const std::size_t at = word.find('^'); at != word.npos) {
    const std::string_view digits = word.substr(at + 1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), power);
    if (read.ptr != digits.data() + digits.size() || power < -9 || power > 9) return false;
    word = word.substr(0, at);
  }
  for (const KnownUnit& unit : known) {
    if (unit.name != word) continue;
    for (std::size_t i = 0; i < out.exponents.size(); i++) out.exponents[i] += sign * power * unit.base.exponents[i];
    for (int n = 0; n < std::abs(power); n++)
      out.factor = sign * power > 0 ? out.factor * unit.base.factor : out.factor / unit.base.factor;
    return true;
  }
  return false;
}

}  // namespace

std::optional<BaseUnit> base_unit(std::string_view unit) {
  BaseUnit out;
  int sign = 1;
  while (!unit.empty()) {
    const std::size_t end = std::min(unit.find_first_of(" /"), unit.size());
    if (!add_factor(unit.substr(0, end), sign, out)) return std::nullopt;
    if (end < unit.size() && unit[end] == '/') sign = -1;
    unit.remove_prefix(std::min(end + 1, unit.size()));
  }
  return out;
}

}  // namespace sinew::fmi
