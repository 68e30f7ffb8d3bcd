// Encoders.
//   incremental  counts n = floor(q / r) - floor(q_0 / r), position r n: nothing is known of the place q_0 where it was switched on.
//                On the motor's shaft behind a gear with ratio N it counts r = 2 pi / (counts N) of the joint (of a sliding axis: r is given)
//   fused        r n + b: the offset b is corrected slowly towards an absolute sensor a that is coarse or noisy,
//                b <- b + (a - r n - b) T / tau, and begins with b = a                        T: since the last sample, tau [s]
//   rate         of two samples, (x_k - x_k-1) / T, then a low pass of first order with the time constant tau_r [s]
#pragma once
#include <cmath>
#include <numbers>

namespace sinew::sensor {

// Of the joint, for one count [rad].
inline double count_of_encoder(double counts_per_turn, double gear_ratio) {
  return 2.0 * std::numbers::pi / (counts_per_turn * gear_ratio);
}

inline double counts_at(double q, double count) { return std::floor(q / count); }

// dt / (tau + dt), so that no step is too long for it.
inline double share_of(double dt, double tau) { return dt > 0.0 ? dt / (tau + dt) : 0.0; }

inline double corrected(double offset, double relative, double absolute, double dt, double tau) {
  return offset + (absolute - relative - offset) * share_of(dt, tau);
}

// The shorter way round, of an angle that wraps.
inline double short_way(double change, double turn) { return change - turn * std::floor(change / turn + 0.5); }

}  // namespace sinew::sensor
