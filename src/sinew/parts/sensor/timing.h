// When a sensor is read, and when what it says arrives.
//   due times  t_k = phase + k period; period = 0: at the end of every step
//   sample     at the end of the first step at or after a due time; of several due times in one step only the last counts
//   arrival    at the end of the first step at or after the sample's time + delay
// "At or after" is meant to within `slack`, so that multiples of the step are met in spite of round-off.
// What is on its way lies in a delay line, a ring in a block of memory: where the oldest entry begins, how many numbers wait, then the
// entries, each the time of its arrival and its numbers.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>

#include "sinew/math/check.h"

namespace sinew::sensor {

struct Timing {
  double period = 0.0, phase = 0.0, delay = 0.0;  // [s]
};

// Number of the sample that is due at t, if `taken` have been taken so far; below 0: none is.
inline double due_sample(const Timing& timing, double t, double taken, double slack) {
  const double since = t - timing.phase + slack;
  if (since < 0.0) return -1.0;
  if (timing.period == 0.0) return taken;
  const double last = std::floor(since / timing.period);
  return last >= taken ? last : -1.0;
}

// Numbers that a delay line needs, for entries of `width` numbers; 0: there is no delay.
inline int line_size(const Timing& timing, double step, int width) {
  if (timing.delay == 0.0) return 0;
  return 2 + (int(std::ceil(timing.delay / std::max(timing.period, step))) + 2) * (1 + width);
}

inline void put_in(std::span<double> line, double arrival, std::span<const double> numbers) {
  const std::size_t entry = numbers.size() + 1, room = line.size() - 2;
  SINEW_ASSERT(std::size_t(line[1]) + entry <= room && room % entry == 0);
  const std::size_t place = std::size_t(line[0]) + std::size_t(line[1]), at = 2 + (place < room ? place : place - room);
  line[at] = arrival;
  std::ranges::copy(numbers, line.begin() + std::ptrdiff_t(at + 1));
  line[1] += double(entry);
}

// Takes the oldest entry out if its time has come.
inline bool take_out(std::span<double> line, double t, double slack, std::span<double> numbers) {
  const std::size_t entry = numbers.size() + 1, room = line.size() - 2, at = 2 + std::size_t(line[0]);
  if (line[1] == 0.0 || line[at] > t + slack) return false;
  std::copy_n(line.begin() + std::ptrdiff_t(at + 1), numbers.size(), numbers.begin());
  line[0] = at + entry < 2 + room ? line[0] + double(entry) : 0.0;
  line[1] -= double(entry);
  return true;
}

}  // namespace sinew::sensor
