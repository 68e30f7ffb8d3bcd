#include "sinew/sim/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew::sim {
namespace {

constexpr double never = -1.0;  // instead of a time
constexpr double gap = 0.02;    // of a stretch: for which it may be zero [s]

// How far the numbers are from what was wanted, as one.
double distance(const ResultPlan& plan, std::span<const double> values) {
  double sum = 0.0, squares = 0.0, largest = 0.0;
  for (const double value : values) {
    const double x = value - plan.less;
    sum += x;
    squares += x * x;
    largest = std::isnan(x) ? INFINITY : std::max(largest, std::abs(x));
  }
  if (plan.over == Over::Norm) return std::sqrt(squares);
  return plan.over == Over::Mean ? std::abs(sum) / double(values.size()) : largest;
}

// When it passed x since the last look, on a straight line; `never` if it did not.
double passed(double x, double last, double value, double t, double since) {
  if ((last < x) == (value < x)) return never;
  return t - since * (value - x) / (value - last);
}

// Of rise: times of 10 and 90 % in max and min. Of reached: the time in integral.
void watch_level(const ResultPlan& plan, double t, double since, std::span<const double> values, Statistics& s) {
  for (std::size_t i = 0; i < values.size(); i++) {
    const double value = values[i] - plan.less, last = s.last[i] - plan.less;
    const auto take = [&](double x, double& when) {
      if (when == never) when = value == x ? t : passed(x, last, value, t, since);
    };
    if (plan.take == Take::Reached) take(plan.level, s.integral[i]);
    if (plan.take == Take::Rise) {
      take(0.1 * plan.level, s.max[i]);
      take(0.9 * plan.level, s.min[i]);
    }
    s.last[i] = values[i];
  }
}

bool is_of_level(Take take) { return take == Take::Rise || take == Take::Reached; }

void begin(const ResultPlan& plan, double t, std::span<const double> values, Statistics& s) {
  s.start = t;
  s.first.assign(values.begin(), values.end());
  s.last = s.max = s.min = s.first;
  if (plan.take == Take::Rate || plan.take == Take::Stretch || plan.take == Take::Ever) std::ranges::fill(s.max, 0.0);
  if (plan.take == Take::Stretch) std::ranges::fill(s.min, t);  // when it was not zero for the last time
  if (plan.take == Take::Rise) {
    std::ranges::fill(s.max, never);
    s.min = s.max;
  }
  s.integral.assign(values.size(), plan.take == Take::Settled || plan.take == Take::Reached ? never
                                   : is_time(plan.take)                                     ? t
                                                                                            : 0.0);
}

void add_stretch(double t, double since, double value, std::size_t i, Statistics& s) {
  if (value != 0.0) s.min[i] = t;
  if (t - s.min[i] > gap) s.integral[i] = 0.0;
  s.integral[i] += 0.5 * since * (std::abs(s.last[i]) + std::abs(value));
  s.max[i] = std::max(s.max[i], s.integral[i]);
  s.last[i] = value;
}

}  // namespace

bool is_looked_at(const ResultPlan& plan, double t, double step) {
  if (t < plan.from - 1e-9 * step) return false;
  if (plan.every == 0.0) return true;
  return std::abs(t - plan.every * std::round(t / plan.every)) < 0.5 * std::min(step, plan.every);
}

void add_look(const ResultPlan& plan, double t, double dt, std::span<const double> values, Statistics& s) {
  const double since = s.first.empty() ? 0.0 : dt;
  if (s.first.empty()) begin(plan, t, values, s);
  if (is_of_level(plan.take)) return watch_level(plan, t, since, values, s);
  if (plan.take == Take::Settled) {
    double& from = s.integral[0];
    if (!(distance(plan, values) <= plan.within))
      from = never;
    else if (from == never)
      from = t;
  }
  for (std::size_t i = 0; i < values.size(); i++) {
    const double value = values[i];
    if (plan.take == Take::Stretch) {
      add_stretch(t, since, value, i, s);
      continue;
    }
    if (plan.take == Take::Ever) {
      if (value != 0.0) s.max[i] = 1.0;
      continue;
    }
    if (plan.take == Take::MaxAt && value > s.max[i]) s.integral[i] = t;
    if (plan.take == Take::MinAt && value < s.min[i]) s.integral[i] = t;
    const bool of_rates = plan.take == Take::Rate;
    if (!of_rates || since > 0.0) s.max[i] = std::max(s.max[i], of_rates ? std::abs(value - s.last[i]) / since : value);
    s.min[i] = std::min(s.min[i], value);
    const bool squares = plan.take == Take::Rms;
    if (!is_time(plan.take))
      s.integral[i] += 0.5 * since * (squares ? s.last[i] * s.last[i] + value * value : s.last[i] + value);
    s.last[i] = value;
  }
}

std::vector<double> taken(const ResultPlan& plan, double t, const Statistics& s) {
  const bool is_largest = plan.take == Take::Max || plan.take == Take::Rate;
  if (is_largest || plan.take == Take::Ever || plan.take == Take::Stretch) return s.max;
  if (plan.take == Take::Min) return s.min;
  if (is_of_level(plan.take)) {
    std::vector<double> times = s.integral;
    for (std::size_t i = 0; i < times.size(); i++) {
      const bool is_rise = plan.take == Take::Rise;
      const bool is_known = is_rise ? s.max[i] != never && s.min[i] != never : times[i] != never;
      times[i] = !is_known ? std::numeric_limits<double>::quiet_NaN() : is_rise ? s.min[i] - s.max[i] : times[i];
    }
    return times;
  }
  if (plan.take == Take::MaxAt || plan.take == Take::MinAt) return s.integral;
  if (plan.take == Take::Settled)
    return {s.integral[0] == never ? std::numeric_limits<double>::quiet_NaN() : s.integral[0]};
  std::vector<double> values = s.last;
  const double time = t - s.start;
  for (std::size_t i = 0; i < values.size(); i++)
    if (plan.take == Take::Range)
      values[i] = s.max[i] - s.min[i];
    else if (plan.take == Take::Peak)
      values[i] = std::max(s.max[i], -s.min[i]);
    else if (time > 0.0)
      values[i] = plan.take == Take::Rms ? std::sqrt(s.integral[i] / time) : s.integral[i] / time;
  return values;
}

std::vector<double> reduced(const ResultPlan& plan, std::vector<double> values) {
  for (double& x : values) x -= plan.less;
  if (plan.over == Over::Each || values.empty()) return values;
  if (plan.over == Over::Norm)
    return {std::sqrt(  // one after the other: transform_reduce leaves the order to the standard library
        std::accumulate(values.begin(), values.end(), 0.0, [](double sum, double x) { return sum + x * x; }))};
  if (plan.over == Over::Mean) return {std::accumulate(values.begin(), values.end(), 0.0) / double(values.size())};
  return {
      std::abs(*std::ranges::max_element(values, {}, [](double x) { return std::isnan(x) ? INFINITY : std::abs(x); }))};
}

}  // namespace sinew::sim
