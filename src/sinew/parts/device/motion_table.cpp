#include "sinew/parts/device/motion_table.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/parts/device/torque_table.h"

namespace sinew {
namespace {

// Continuous acceleration at the inner times: r_a / T_1 + 2 r_b (1 / T_1 + 1 / T_2) + r_c / T_2
//   = 3 ((m_b - m_a) / T_1^2 + (m_c - m_b) / T_2^2), solved by elimination of a tridiagonal system.
// Free ends, with S the slopes of the straight lines: T_2 r_a + (T_1 + T_2) r_b
//   = ((3 T_1 + 2 T_2) T_2 S_1 + T_1^2 S_2) / (T_1 + T_2), and its mirror image; of three numbers the parabola.
struct EndRow {
  double own, next, rhs;  // own r_a + next r_b = rhs
};
EndRow free_end(double T_1, double T_2, double S_1, double S_2, bool three) {
  if (three) return {1.0, 1.0, 2.0 * S_1};
  return {T_2, T_1 + T_2, ((3.0 * T_1 + 2.0 * T_2) * T_2 * S_1 + T_1 * T_1 * S_2) / (T_1 + T_2)};
}

std::vector<double> spline_slopes(const std::vector<double>& t, const std::vector<double>& m, bool free_ends) {
  const std::size_t n = t.size();
  std::vector<double> slope(n, 0.0), above(n, 0.0);
  if (free_ends && n == 2) slope.assign(2, (m[1] - m[0]) / (t[1] - t[0]));
  if (n < 3) return slope;
  const auto T = [&](std::size_t i) { return t[i + 1] - t[i]; };
  const auto S = [&](std::size_t i) { return (m[i + 1] - m[i]) / T(i); };
  if (free_ends) {
    const EndRow first = free_end(T(0), T(1), S(0), S(1), n == 3);
    above[0] = first.next / first.own;
    slope[0] = first.rhs / first.own;
  }
  for (std::size_t i = 1; i + 1 < n; i++) {
    const double p = 1.0 / (t[i] - t[i - 1]), q = 1.0 / (t[i + 1] - t[i]);
    const double pivot = 2.0 * (p + q) - p * above[i - 1];
    const double rhs = 3.0 * ((m[i] - m[i - 1]) * p * p + (m[i + 1] - m[i]) * q * q);
    above[i] = q / pivot;
    slope[i] = (rhs - p * slope[i - 1]) / pivot;
  }
  if (free_ends) {
    const EndRow last = free_end(T(n - 2), T(n - 3), S(n - 2), S(n - 3), n == 3);
    slope[n - 1] = (last.rhs - last.next * slope[n - 2]) / (last.own - last.next * above[n - 2]);
  }
  for (std::size_t i = n - 1; i-- > 0;) slope[i] -= above[i] * slope[i + 1];
  return slope;
}

std::shared_ptr<const MotionTable> table_of(std::vector<double> t, std::vector<double> value, bool smooth,
                                            bool free_ends) {
  SINEW_CHECK(!t.empty() && t.size() == value.size(), "make_table: ", t.size(), " times and ", value.size(),
              " numbers");
  SINEW_CHECK(table_problem(t, value, 1).empty(), "make_table: ", table_problem(t, value, 1));
  auto table = std::make_shared<MotionTable>();
  if (smooth) table->slope = spline_slopes(t, value, free_ends);
  table->t = std::move(t);
  table->value = std::move(value);
  return table;
}

}  // namespace

std::string table_problem(std::span<const double> t, std::span<const double> values, std::size_t columns) {
  if (values.size() != t.size() * columns)
    return std::to_string(t.size()) + " times and " + std::to_string(values.size()) + " numbers are given, but " +
           std::to_string(t.size() * columns) + " are needed";
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!std::ranges::all_of(t, is_finite) || !std::ranges::all_of(values, is_finite)) return "a number is not finite";
  for (std::size_t i = 1; i < t.size(); i++)
    if (!(t[i] > t[i - 1])) return "time " + std::to_string(i + 1) + " is not later than the one before";
  return {};
}

std::shared_ptr<const MotionTable> make_table(std::vector<double> t, std::vector<double> value, bool smooth) {
  return table_of(std::move(t), std::move(value), smooth, false);
}

std::shared_ptr<const MotionTable> make_torque_table(std::vector<double> t, std::vector<double> value, bool smooth) {
  return table_of(std::move(t), std::move(value), smooth, true);
}

void MotionTable::evaluate(double time, double& m, double& m_rate, double& m_accel) const {
  SINEW_ASSERT(!t.empty() && t.size() == value.size() && (slope.empty() || slope.size() == t.size()));
  m_rate = m_accel = 0.0;
  if (repeat > 0.0 && time >= t.back()) {
    time -= repeat * (std::floor((time - t.back()) / repeat) + 1.0);
    if (time >= t.back()) time = t.back() - repeat;  // by round-off
  }
  if (time < t.front() || t.size() == 1) {
    m = value.front();
    return;
  }
  if (time >= t.back()) {
    m = value.back();
    return;
  }
  const auto k = std::size_t(std::upper_bound(t.begin(), t.end(), time) - t.begin()), i = k - 1;
  const double T = t[k] - t[i], x = (time - t[i]) / T, rise = value[k] - value[i];
  if (slope.empty()) {
    m = value[i] + x * rise;
    m_rate = rise / T;
    return;
  }
  const double a = T * slope[i], c = 3.0 * rise - 2.0 * a - T * slope[k], d = a + T * slope[k] - 2.0 * rise;
  m = value[i] + x * (a + x * (c + x * d));
  m_rate = (a + x * (2.0 * c + 3.0 * d * x)) / T;
  m_accel = (2.0 * c + 6.0 * d * x) / (T * T);
}

}  // namespace sinew
