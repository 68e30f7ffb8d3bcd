// Random numbers by counting: the k-th number of a device follows from (seed, robot, device, k) alone. No state is kept, nothing depends
// on who asked before, and the same numbers come on every machine, in every order and in every lane.
//   bits     Philox 4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, 2011)
//   uniform  the upper 53 bits of 64, in [0, 1)
//   normal   Box and Muller's method, of mean 0 and deviation 1
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sinew/math/trig.h"

namespace sinew::math {

struct Counter {
  std::uint64_t seed = 0;
  std::uint32_t robot = 0, device = 0;
  std::uint64_t k = 0;  // which number of the device
};

namespace philox {

using Words = std::array<std::uint32_t, 4>;

// One round: two products of 32 bits by 32, their halves mixed with the key.
constexpr Words round(const Words& c, std::uint32_t key0, std::uint32_t key1) {
  const std::uint64_t a = std::uint64_t(0xD2511F53u) * c[0], b = std::uint64_t(0xCD9E8D57u) * c[2];
  return {std::uint32_t(b >> 32) ^ c[1] ^ key0, std::uint32_t(b), std::uint32_t(a >> 32) ^ c[3] ^ key1,
          std::uint32_t(a)};
}

constexpr Words ten_rounds(Words c, std::uint32_t key0, std::uint32_t key1) {
  for (int i = 0; i < 10; i++) {
    c = round(c, key0, key1);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

}  // namespace philox

constexpr std::array<std::uint64_t, 2> random_bits(const Counter& c) {
  const philox::Words words = philox::ten_rounds({std::uint32_t(c.k), std::uint32_t(c.k >> 32), c.robot, c.device},
                                                 std::uint32_t(c.seed), std::uint32_t(c.seed >> 32));
  return {std::uint64_t(words[1]) << 32 | words[0], std::uint64_t(words[3]) << 32 | words[2]};
}

// In [0, 1).
constexpr double uniform(const Counter& c) { return double(random_bits(c)[0] >> 11) * 0x1p-53; }

// Logarithm of a number of (0, 1] that has all its bits: x = 2^k (1 + f), s = f / (2 + f), log(1 + f) = f - s (f - R(s^2)), with the
// polynomial R of the C library's double precision; within 1 ulp. Noise is drawn in every sample of every sensor: math::log, which rounds
// correctly, takes three times as long.
struct Share {
  double k, f;  // x = 2^k (1 + f), 1 + f between the roots of 1/2 and of 2
};
inline Share split_share(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) + (0x3ff0000000000000ull - 0x3fe6a09e00000000ull);
  return {double(std::int64_t(bits >> 52) - 1023),
          std::bit_cast<double>((bits & 0x000fffffffffffffull) + 0x3fe6a09e00000000ull) - 1.0};
}
template <Real S>
SINEW_INLINE S log_of_share(S k, S f) {
  const S s = f / (S(2.0) + f), z = s * s, w = z * z;
  const S even =
      w * (S(3.999999999940941908e-01) + w * (S(2.222219843214978396e-01) + w * S(1.531383769920937332e-01)));
  const S odd =
      z * (S(6.666666666666735130e-01) +
           w * (S(2.857142874366239149e-01) + w * (S(1.818357216161805012e-01) + w * S(1.479819860511658591e-01))));
  const S half = S(0.5) * f * f;
  return k * S(6.93147180369123816490e-01) -
         ((half - (s * (half + (even + odd)) + k * S(1.90821492927058770002e-10))) - f);
}

inline double log_of_share(double x) {
  const Share s = split_share(x);
  return log_of_share(s.k, s.f);
}

// Two that are independent.
struct NormalPair {
  double first, second;
};
template <Real S>
SINEW_INLINE void box_muller(S k, S f, S turn, S& first, S& second) {
  S sine, cosine;
  sincos(S(6.283185307179586) * turn, sine, cosine);
  const S radius = sqrt(S(-2.0) * log_of_share(k, f));
  first = radius * cosine;
  second = radius * sine;
}
struct NormalDraw {
  Share share;
  double turn;
};
inline NormalDraw normal_draw(const Counter& c) {
  const std::array<std::uint64_t, 2> bits = random_bits(c);
  // in (0, 1]: its logarithm is finite
  return {split_share(double((bits[0] >> 11) + 1) * 0x1p-53), double(bits[1] >> 11) * 0x1p-53};
}
inline NormalPair normal_pair(const Counter& c) {
  const NormalDraw d = normal_draw(c);
  NormalPair pair;
  box_muller(d.share.k, d.share.f, d.turn, pair.first, pair.second);
  return pair;
}

// The pairs c.k, c.k + 1, ... of a device, one after the other: they fill a register, which takes half the time, and have the bits of
// normal_pair.
inline constexpr int normal_pairs_at_once = lanes_of<Lanes>;
inline void normal_pairs(Counter c, double* out) {
  Lanes k, f, turn, first, second;
  for (int l = 0; l < normal_pairs_at_once; l++, c.k++) {
    const NormalDraw d = normal_draw(c);
    set_lane(k, l, d.share.k);
    set_lane(f, l, d.share.f);
    set_lane(turn, l, d.turn);
  }
  box_muller(k, f, turn, first, second);
  for (int l = 0; l < normal_pairs_at_once; l++) {
    out[2 * l] = lane(first, l);
    out[2 * l + 1] = lane(second, l);
  }
}

inline double normal(const Counter& c) { return normal_pair(c).first; }

}  // namespace sinew::math
