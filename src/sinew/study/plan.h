// StudyPlan: which runs a study is made of. Plain data, as written on a command line or in a plan's file; the same words in both.
//   scenario = "sidewinding"
//   vary     = ["Ah_deg=10:60:11", "mu_long=0.1,0.2,0.4"]
//   results  = ["com_speed", "head_height=body.head.p.z"]
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/keys.h"

namespace sinew::study {

// Grid: every value of a key with every value of the others. List: the first values of all keys, then the second ones. Latin: a Latin
// hypercube (McKay, Beckman, Conover, Technometrics 21, 1979). Sobol: Sobol's sequence with a random digital shift.
enum class Sampling { Grid, List, Latin, Sobol };
inline constexpr std::array<std::string_view, 4> sampling_names{"grid", "list", "latin", "sobol"};

// Another value of a key: a number, or what --set takes.
struct Value {
  double number = 0.0;
  std::string text = {};  // empty: the number

  std::string written() const;  // the shortest that reads back as the same number
};

// KEY=A:B:N, KEY=A:B or KEY=a,b,c.
struct Axis {
  std::string key;  // as written
  bool is_range = false;
  double low = 0.0, high = 0.0;
  int count = 0;              // of a range; 0: it is not said
  std::vector<Value> values;  // of a list
  bool is_number() const;     // all of its values are
};

struct StudyPlan {
  std::string scenario;  // as the user names it
  std::vector<std::string> sets = {}, vary = {}, results = {};
  Sampling sampling = Sampling::Grid;
  int samples = 0;                   // of latin and sobol
  int repeat = 0;                    // runs of each point, with seeds of their own; 0: one, with the scenario's seed
  std::optional<std::int64_t> seed;  // of the study; of each run where nothing repeats
  std::string stop_when = {};        // "FORMULA < NUMBER" of signals: ends a run
  std::optional<double> until;       // [s] instead of the scenario's duration
};

// Declares the keys of a plan's file.
void describe(Keys& keys, StudyPlan& plan);

// Throws InputError with every problem found.
std::vector<Axis> axes_of(const StudyPlan& plan);
Axis parse_axis(const std::string& text);
double parse_number(std::string_view text, bool& is_one);

// One run.
struct Trial {
  std::uint64_t row = 0;
  std::vector<Value> point;           // one for each axis
  std::optional<std::uint64_t> seed;  // none: the scenario's
};

// All runs of a plan, the same whoever asks. Throws InputError.
std::vector<Trial> rows_of(const StudyPlan& plan, const std::vector<Axis>& axes);

// The place of an axis at u in [0, 1].
Value value_at(const Axis& axis, double u);

// Point i of Sobol's sequence in [0, 1)^n with the direction numbers of Joe and Kuo (SIAM Journal on Scientific Computing 30, 2008); n
// up to most_sobol_axes.
inline constexpr int most_sobol_axes = 10;
std::uint32_t sobol_bits(std::uint32_t i, int axis);

}  // namespace sinew::study
