// Results: the numbers that a run reports, by name. A scenario file writes them; a robot may bring some of its own.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Range: max minus min. Peak: largest magnitude. Rms: root of the mean square over time.
enum class Take { Final, Max, Min, Mean, Change, Range, Peak, Rms };
inline constexpr std::array<std::string_view, 8> take_names{"final",  "max",   "min",  "mean",
                                                            "change", "range", "peak", "rms"};
// What becomes of the numbers of a group: each is kept, or their mean, or the one of largest magnitude.
enum class Over { Each, Mean, Largest };
inline constexpr std::array<std::string_view, 3> over_names{"each", "mean", "largest"};

struct ResultPlan {
  std::string name;
  // A signal, a group of them such as body.bob.p, a formula such as "joint.a.q + joint.b.q, com.p.x" (a sum, then a second
  // component), or run.NAME: an account of the whole run.
  std::string signal;
  Take take = Take::Final;
  double from = 0.0;  // before this time nothing is taken [s]
  double less = 0.0;  // subtracted from each number
  Over over = Over::Each;
  std::vector<double> known = {};  // instead of a signal: numbers that follow from the robot's keys
  std::string unit = {};           // of these
};

}  // namespace sinew
