// Checks of a plan's numbers, with one wording for all of them.
#pragma once
#include <fmt/format.h>

#include <cmath>

#include "sinew/model/plan.h"

namespace sinew {

struct NumberChecks {
  std::vector<Problem>& problems;

  void fail(std::string key, std::string what) { problems.push_back({std::move(key), std::move(what)}); }

  void check_positive(const std::string& key, double x, const char* unit) {
    if (!(x > 0.0) || std::isinf(x)) fail(key, fmt::format("must be finite and > 0 {}, is {}", unit, x));
  }
  void check_not_negative(const std::string& key, double x, const char* unit) {
    if (!(x >= 0.0) || std::isinf(x))
      fail(key, fmt::format("must be finite and >= 0{}{}, is {}", *unit ? " " : "", unit, x));
  }
};

}  // namespace sinew
