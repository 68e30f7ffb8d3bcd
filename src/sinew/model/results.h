// Results: the numbers that a run reports, by name. A scenario file writes them; a robot may bring some of its own.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Range: max minus min. Peak: largest magnitude. Rms: root of the mean square over time. Rate: largest change from step to
// step, over the step. Rise: time from 10 to 90 % of `level`. Reached: when it first is at `level`, from wherever it began.
// Rest: not of the run but of the pose in which the robot would hang still, without contacts.
// Ever: 1 if it ever was not zero, else 0. Stretch: largest integral of its magnitude over a stretch of time in which it is not zero, gaps
// below 20 ms included: of the slip of a foot, the way that it slips from where it lands to where it lifts.
enum class Take {
  Final,
  Max,
  Min,
  Mean,
  Change,
  Range,
  Peak,
  Rms,
  Rate,
  MaxAt,
  MinAt,
  Settled,
  Rise,
  Reached,
  Rest,
  Held,
  Ever,
  Stretch
};
inline constexpr std::array<std::string_view, 18> take_names{"final", "max",     "min",  "mean",   "change", "range",
                                                             "peak",  "rms",     "rate", "max_at", "min_at", "settled",
                                                             "rise",  "reached", "rest", "held",   "ever",   "stretch"};
constexpr bool is_time(Take take) {
  return take == Take::MaxAt || take == Take::MinAt || take == Take::Settled || take == Take::Rise ||
         take == Take::Reached;
}
constexpr bool is_still(Take take) { return take == Take::Rest || take == Take::Held; }
// What becomes of the numbers of a group: each is kept, or their mean, or the one of largest magnitude, or the root of the sum of
// their squares.
enum class Over { Each, Mean, Largest, Norm };
inline constexpr std::array<std::string_view, 4> over_names{"each", "mean", "largest", "norm"};

struct ResultPlan {
  std::string name;
  // A signal, a group of them such as body.bob.p, a formula such as "joint.a.q + 2 * joint.b.q, com.p.x" (a sum, then a second
  // component), run.NAME: an account of the whole run, or model.NAME, control.NAME: of the robot as it stands.
  std::string signal;
  Take take = Take::Final;
  double from = 0.0;    // before this time nothing is taken [s]
  double less = 0.0;    // subtracted from each number
  double within = 0.0;  // of settled: the magnitude it must stay below
  double level = 0.0;   // of rise and reached
  double every = 0.0;   // time between two looks [s]; 0: every step
  Over over = Over::Each;
  std::string in = {};  // of model.NAME: the result whose numbers are the coordinates to count in; empty: the joints'
  std::vector<double> known = {};  // instead of a signal: numbers that are known before the run
  std::string unit = {};           // of these
};

}  // namespace sinew
