// What a sensor makes of a true value x, effect by effect in this order. Each can be left out: its number is then 0, its range infinite.
//   gain, cross-talk   y = gain x + sum_k E_k x_k         E: row of the cross-talk matrix [1]
//   null and its drift y + offset + drift t               [unit, unit/s]
//   hysteresis         play of half width h: the output follows only when it is pulled along, |y - held| <= h   [unit]
//   noise              y + noise n, n normal with deviation 1, of (seed, robot, device, number of the sample)   [unit]
//   range              lower <= y <= upper; beyond them the end is reported, and that it is saturated            [unit]
//   quantisation       lower + count floor((y - lower) / count + 1/2): 2^bits codes, the last of them upper - count
// A channel that wraps (an encoder that goes round) has no ends: beyond upper it goes on at lower.
// Sampling, delay and loss are in timing.h.
#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "sinew/math/check.h"
#include "sinew/math/counter_random.h"

namespace sinew::sensor {

struct Channel {
  double gain = 1.0;                                        // [1]
  double offset = 0.0, drift = 0.0;                         // [unit, unit/s]
  double play = 0.0;                                        // half of the width of the loop [unit]
  double noise = 0.0;                                       // standard deviation [unit]
  double lower = -std::numeric_limits<double>::infinity();  // [unit]
  double upper = std::numeric_limits<double>::infinity();   // [unit]
  double count = 0.0;                                       // one step of the output; 0: as fine as a number is [unit]
  bool wraps = false;
};

// But for its count.
inline bool has_errors(const Channel& c) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return c.gain != 1.0 || c.offset != 0.0 || c.drift != 0.0 || c.play > 0.0 || c.noise > 0.0 || c.lower > -infinity ||
         c.upper < infinity;
}

struct Reading {
  double value;
  bool saturated;
};

// Of a channel with a finite range and 2^bits codes.
inline double count_of(double lower, double upper, int bits) {
  return (upper - lower) / double(std::int64_t(1) << bits);
}

// held: where the output is; it moves as little as it can.
inline double with_play(double half, double x, double& held) {
  SINEW_ASSERT(!(half < 0.0));
  if (x - half > held) held = x - half;
  if (x + half < held) held = x + half;
  return held;
}

// The nearest code. The last one is upper - count; of one that wraps the first comes after it.
inline Reading quantised(const Channel& c, double x) {
  if (!(c.count > 0.0)) return {x, false};
  const double from = c.lower > -std::numeric_limits<double>::infinity() ? c.lower : 0.0;
  const double value = from + std::floor((x - from) / c.count + 0.5) * c.count;
  if (value < c.upper - 0.5 * c.count) return {value, false};
  return {c.wraps ? c.lower : c.upper - c.count, !c.wraps};
}

inline Reading in_range(const Channel& c, double x) {
  if (c.wraps) {
    const double span = c.upper - c.lower;
    return {x - span * std::floor((x - c.lower) / span), false};
  }
  if (x < c.lower) return {c.lower, true};
  if (x > c.upper) return {c.upper, true};
  return {x, false};
}

// The j-th normal number of a device. They are drawn many at once and kept for who asks next: it saves time and changes nothing.
struct Normals {
  static constexpr int count = 2 * math::normal_pairs_at_once;
  std::array<double, count + 1> kept = {};  // numbers, and 1 + which of the device the first is; 0: none

  double get(const math::Counter& device, std::uint64_t j) { return get(kept, device, j); }

  // The same with a place of one's own.
  static double get(std::span<double, count + 1> kept, const math::Counter& device, std::uint64_t j) {
    const std::uint64_t block = j / count;
    if (kept[count] != double(block) + 1.0) {
      math::normal_pairs({device.seed, device.robot, device.device, block * math::normal_pairs_at_once}, kept.data());
      kept[count] = double(block) + 1.0;
    }
    return kept[std::size_t(j % count)];
  }
};

// From the null on; x has its gain and cross-talk. held: of the play. n: normal with deviation 1, of this channel and sample.
inline Reading read(const Channel& c, double x, double t, double& held, double n) {
  double y = x + c.offset + c.drift * t;
  if (c.play > 0.0) y = with_play(c.play, y, held);
  y += c.noise * n;
  const Reading ranged = in_range(c, y);
  const Reading coded = quantised(c, ranged.value);
  return {coded.value, ranged.saturated || coded.saturated};
}

}  // namespace sinew::sensor
