#include "sinew/model/keys.h"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

bool Range::contains(double x) const {
  if (std::isnan(x)) return false;
  if (std::isinf(x) && !may_be_infinite) return false;
  return (above_low ? x > low : x >= low) && x <= high;
}

std::string Range::text() const {
  if (std::isinf(low) && std::isinf(high)) return "";
  if (std::isinf(low)) return fmt::format("<= {}", high);
  const std::string lower = fmt::format("{} {}", above_low ? ">" : ">=", low);
  return std::isinf(high) ? lower : fmt::format("{} and <= {}", lower, high);
}

void Keys::vector(const Key& key, Vec3d& value) {
  std::vector<double> values{value[0], value[1], value[2]};
  numbers(key, {.exactly = 3}, values);
  value = Vec3d(values[0], values[1], values[2]);
}

void Keys::quaternion(const Key& key, Quatd& value) {
  std::vector<double> values{value.w, value.x, value.y, value.z};
  numbers(key, {.exactly = 4}, values);
  value = {values[0], values[1], values[2], values[3]};
}

}  // namespace sinew
