// Results: the numbers that a run reports, by name. A scenario file writes them; a robot may bring some of its own.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

enum class Take { Final, Max, Min, Mean, Change };
inline constexpr std::array<std::string_view, 5> take_names{"final", "max", "min", "mean", "change"};

struct ResultPlan {
  std::string name;
  std::string signal;  // a signal, a group of them such as body.bob.p, or run.NAME: an account of the whole run
  Take take = Take::Final;
};

}  // namespace sinew
