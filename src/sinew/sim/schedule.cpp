#include "sinew/sim/schedule.h"

#include <algorithm>
#include <cmath>

namespace sinew::sim {
namespace {

constexpr double near = 1e-9;  // of a step

// Due times up to t.
double due_until(const Schedule& s, double t, double step) {
  const double since = t - s.phase + near * step;
  return since < 0.0 ? 0.0 : std::floor(since / s.period) + 1.0;
}

}  // namespace

bool is_tick(const Schedule& schedule, std::int64_t k, double step) {
  const double t = double(k) * step, before = double(k - 1) * step;
  if (schedule.period == 0.0) return t >= schedule.phase - near * step;
  return due_until(schedule, t, step) > due_until(schedule, before, step);
}

int delay_size(const Schedule& schedule, double step, int n) {
  if (schedule.latency == 0.0) return 0;
  const int waiting = int(std::ceil(schedule.latency / std::max(schedule.period, step))) + 2;
  return n + 1 + waiting * (1 + n);
}

std::span<double> given_last(std::span<double> block, int n) { return block.first(std::size_t(n)); }

void delay(std::span<double> block, std::span<const double> commands, double effect) {
  const std::size_t n = commands.size();
  double& count = block[n];
  const std::size_t at = n + 1 + std::size_t(count) * (n + 1);
  block[at] = effect;
  std::ranges::copy(commands, block.begin() + std::ptrdiff_t(at + 1));
  count += 1.0;
}

void let_through(std::span<double> block, double t, double step, std::span<double> commands) {
  const std::size_t n = commands.size(), begin = n + 1;
  double& count = block[n];
  while (count > 0.0 && block[begin] <= t + near * step) {
    const auto first = block.begin() + std::ptrdiff_t(begin);
    std::copy_n(first + 1, n, commands.begin());
    std::copy(first + std::ptrdiff_t(n + 1), block.end(), first);
    count -= 1.0;
  }
}

}  // namespace sinew::sim
