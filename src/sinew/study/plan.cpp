#include "sinew/study/plan.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "sinew/sim/errors.h"
#include "sinew/study/sample.h"

namespace sinew::study {
namespace {

constexpr std::size_t most_rows = 10'000'000;

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (const char c : text) {  // commas inside of brackets belong to a value
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == at && depth == 0) {
      parts.push_back(std::exchange(part, {}));
      continue;
    }
    part += c;
  }
  parts.push_back(part);
  return parts;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

void read_range(const std::string& text, const std::vector<std::string>& parts, Axis& axis) {
  bool a = false, b = false, c = true;
  axis.low = parse_number(parts[0], a);
  axis.high = parse_number(parts[1], b);
  const double n = parts.size() > 2 ? parse_number(parts[2], c) : 0.0;
  if (!a || !b || !c || parts.size() > 3)
    throw InputError(fmt::format("--vary {}: not a range: write KEY=FIRST:LAST:COUNT, as Ah_deg=10:60:11", text));
  if (!(axis.high > axis.low))
    throw InputError(fmt::format("--vary {}: the range is empty: the first number must be the smaller one", text));
  if (parts.size() > 2 && !(n >= 2.0 && n <= double(most_rows) && n == std::floor(n)))
    throw InputError(fmt::format("--vary {}: {} values: give a whole number of 2 or more", text, parts[2]));
  axis.count = int(n);
  axis.is_range = true;
}

std::size_t size_of_axis(const Axis& axis) { return axis.is_range ? std::size_t(axis.count) : axis.values.size(); }

Value value_number(const Axis& axis, std::size_t i) {
  if (!axis.is_range) return axis.values[i];
  if (i + 1 == std::size_t(axis.count)) return {axis.high};
  return {axis.low + (axis.high - axis.low) * double(i) / double(axis.count - 1)};
}

std::vector<std::vector<Value>> grid(const std::vector<Axis>& axes) {
  std::size_t n = 1;
  for (const Axis& a : axes) {
    n *= size_of_axis(a);
    if (n > most_rows) throw InputError(fmt::format("--vary: more than {} runs: take fewer values", most_rows));
  }
  std::vector<std::vector<Value>> points(n);
  for (std::size_t i = 0; i < n; i++) {
    std::size_t rest = i, block = n;
    for (const Axis& a : axes) {  // the last key changes fastest
      block /= size_of_axis(a);
      points[i].push_back(value_number(a, rest / block));
      rest %= block;
    }
  }
  return points;
}

std::vector<std::vector<Value>> side_by_side(const std::vector<Axis>& axes) {
  std::vector<std::vector<Value>> points(axes.empty() ? 1 : size_of_axis(axes[0]));
  for (const Axis& a : axes) {
    if (size_of_axis(a) != points.size())
      throw InputError(fmt::format("--vary {}: {} values, {} has {}: a list takes as many of each key", a.key,
                                   size_of_axis(a), axes[0].key, points.size()));
    for (std::size_t i = 0; i < points.size(); i++) points[i].push_back(value_number(a, i));
  }
  return points;
}

std::vector<std::vector<Value>> points_of(const StudyPlan& plan, const std::vector<Axis>& axes) {
  if (plan.sampling == Sampling::Grid) return grid(axes);
  if (plan.sampling == Sampling::List) return side_by_side(axes);
  const auto seed = std::uint64_t(plan.seed.value_or(0));
  const auto cube = plan.sampling == Sampling::Latin ? latin_hypercube(plan.samples, int(axes.size()), seed)
                                                     : sobol_points(plan.samples, int(axes.size()), seed);
  std::vector<std::vector<Value>> points;
  for (const std::vector<double>& u : cube) {
    points.emplace_back();
    for (std::size_t a = 0; a < axes.size(); a++) points.back().push_back(value_at(axes[a], u[a]));
  }
  return points;
}

void check_counts(const StudyPlan& plan, const std::vector<Axis>& axes, std::vector<std::string>& problems) {
  const bool drawn = plan.sampling == Sampling::Latin || plan.sampling == Sampling::Sobol;
  const std::string_view name = sampling_names[std::size_t(plan.sampling)];
  if (drawn && plan.samples < 1)
    problems.push_back(fmt::format("--samples: {} draws points: say how many, as --samples 64", name));
  if (!drawn && plan.samples != 0)
    problems.push_back(
        fmt::format("--samples: it belongs to --sampling latin or sobol, not to {}: leave it out", name));
  if (plan.samples > int(most_rows)) problems.push_back(fmt::format("--samples: more than {} runs", most_rows));
  if (plan.sampling == Sampling::Sobol && axes.size() > std::size_t(most_sobol_axes))
    problems.push_back(
        fmt::format("--sampling sobol: {} keys: it has numbers for {}: take latin", axes.size(), most_sobol_axes));
  for (const Axis& a : axes)
    if (!drawn && a.is_range && a.count == 0)
      problems.push_back(fmt::format("--vary {}={}:{}: how many values? write {}={}:{}:COUNT, or take --sampling latin",
                                     a.key, a.low, a.high, a.key, a.low, a.high));
}

}  // namespace

std::string Value::written() const { return text.empty() ? fmt::format("{}", number) : text; }

bool Axis::is_number() const {
  for (const Value& v : values)
    if (!v.text.empty()) return false;
  return true;
}

double parse_number(std::string_view text, bool& is_one) {
  double x = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  is_one = error == std::errc() && stop == text.data() + text.size() && !text.empty() && std::isfinite(x);
  return x;
}

Axis parse_axis(const std::string& text) {
  const auto equals = text.find('=');
  Axis axis;
  axis.key = trimmed(text.substr(0, equals == std::string::npos ? 0 : equals));
  const std::string rest = equals == std::string::npos ? "" : trimmed(text.substr(equals + 1));
  if (axis.key.empty() || rest.empty())
    throw InputError(fmt::format("--vary {}: write KEY=FIRST:LAST:COUNT or KEY=VALUE,VALUE,...", text));
  const auto parts = split(rest, ':');
  bool is_one = false;
  parse_number(parts[0], is_one);
  if (parts.size() > 1 && is_one) {
    read_range(text, parts, axis);
    return axis;
  }
  for (const std::string& part : split(rest, ',')) {
    const std::string one = trimmed(part);
    if (one.empty()) throw InputError(fmt::format("--vary {}: a value is empty: remove a comma", text));
    Value value{parse_number(one, is_one)};
    if (!is_one) value.text = one;
    axis.values.push_back(value);
  }
  if (!axis.is_number())  // a column of texts
    for (Value& v : axis.values) v.text = v.written();
  return axis;
}

std::vector<Axis> axes_of(const StudyPlan& plan) {
  std::vector<Axis> axes;
  std::vector<std::string> problems;
  std::set<std::string> names;
  for (const std::string& text : plan.vary) {
    try {
      axes.push_back(parse_axis(text));
      if (!names.insert(axes.back().key).second)
        problems.push_back(fmt::format("--vary {}: the key is varied twice: leave one out", text));
    } catch (const InputError& e) {
      problems.insert(problems.end(), e.problems.begin(), e.problems.end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return axes;
}

Value value_at(const Axis& axis, double u) {
  if (axis.is_range && axis.count == 0) return {axis.low + (axis.high - axis.low) * u};
  const std::size_t n = size_of_axis(axis);
  return value_number(axis, std::min(std::size_t(u * double(n)), n - 1));
}

std::vector<Trial> rows_of(const StudyPlan& plan, const std::vector<Axis>& axes) {
  std::vector<std::string> problems;
  check_counts(plan, axes, problems);
  if (plan.repeat < 0 || plan.repeat > int(most_rows))
    problems.push_back(fmt::format("--repeat {}: give a whole number of 1 or more", plan.repeat));
  if (axes.empty() && plan.repeat < 1)
    problems.push_back("--vary: nothing is varied: write --vary KEY=FIRST:LAST:COUNT, or --repeat N");
  if (!problems.empty()) throw InputError(std::move(problems));
  std::vector<Trial> rows;
  const auto points = points_of(plan, axes);
  const int repeats = std::max(plan.repeat, 1);
  if (points.size() * std::size_t(repeats) > most_rows)
    throw InputError(fmt::format("--repeat {}: more than {} runs: take fewer", plan.repeat, most_rows));
  for (const auto& point : points) {
    for (int k = 0; k < repeats; k++) {
      Trial trial{rows.size(), point, {}};
      if (plan.repeat > 0)
        trial.seed = seed_of_row(std::uint64_t(plan.seed.value_or(0)), trial.row);
      else if (plan.seed)
        trial.seed = std::uint64_t(*plan.seed);
      rows.push_back(std::move(trial));
    }
  }
  return rows;
}

void describe(Keys& keys, StudyPlan& plan) {
  keys.text({"scenario", "", "a built-in name, its last part, or the path of a file"}, plan.scenario);
  keys.texts({"set", "", "KEY=VALUE of all runs, as with --set"}, plan.sets);
  keys.texts({"vary", "", "KEY=FIRST:LAST:COUNT or KEY=VALUE,VALUE,..."}, plan.vary);
  keys.texts({"results", "", "names of results, or NAME=FORMULA of signals; none: all numbers of the scenario"},
             plan.results);
  int sampling = int(plan.sampling), seed = int(plan.seed.value_or(-1));
  keys.choice({"sampling", "", "how points are taken"}, sampling_names, sampling);
  plan.sampling = Sampling(sampling);
  keys.integer({"samples", "1", "points of latin and sobol", not_negative}, plan.samples);
  keys.integer({"repeat", "1", "runs of each point, with seeds of their own", not_negative}, plan.repeat);
  keys.integer({"seed", "1", "of the study", not_negative}, seed);
  if (seed >= 0) plan.seed = seed;
  keys.text({"stop_when", "", "ends a run: a formula of signals, < or >, a number"}, plan.stop_when);
  double until = plan.until.value_or(-1.0);
  keys.number({"until", "s", "end of each run instead of the scenario's duration", not_negative}, until);
  if (until >= 0.0) plan.until = until;
}

}  // namespace sinew::study
