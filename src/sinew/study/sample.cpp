#include "sinew/study/sample.h"

#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/math/counter_random.h"
#include "sinew/study/plan.h"

namespace sinew::study {
namespace {

// Devices of the counter, beyond those of any robot.
enum : std::uint32_t { of_order = 0xffff0001u, of_place, of_shift, of_seed };

// Joe and Kuo's new-joe-kuo-6: degree s, coefficients a, first numbers m of the axes from the second on.
struct Direction {
  int s;
  std::uint32_t a;
  std::array<std::uint32_t, 5> m;
};
constexpr std::array<Direction, most_sobol_axes - 1> directions{{{1, 0, {1}},
                                                                 {2, 1, {1, 3}},
                                                                 {3, 1, {1, 3, 1}},
                                                                 {3, 2, {1, 1, 1}},
                                                                 {4, 1, {1, 1, 3, 3}},
                                                                 {4, 4, {1, 3, 5, 13}},
                                                                 {5, 2, {1, 1, 5, 5, 17}},
                                                                 {5, 4, {1, 1, 5, 5, 5}},
                                                                 {5, 7, {1, 1, 7, 11, 19}}}};

std::array<std::uint32_t, 32> direction_numbers(int axis) {
  std::array<std::uint32_t, 32> v{};
  if (axis == 0) {
    for (int i = 0; i < 32; i++) v[std::size_t(i)] = 1u << (31 - i);
    return v;
  }
  const Direction& d = directions[std::size_t(axis - 1)];
  for (int i = 0; i < 32; i++) {
    auto& here = v[std::size_t(i)];
    if (i < d.s) {
      here = d.m[std::size_t(i)] << (31 - i);
      continue;
    }
    here = v[std::size_t(i - d.s)] ^ (v[std::size_t(i - d.s)] >> d.s);
    for (int k = 1; k < d.s; k++)
      if ((d.a >> (d.s - 1 - k)) & 1u) here ^= v[std::size_t(i - k)];
  }
  return v;
}

std::vector<std::vector<double>> origin_points(int n, int axes) {
  const std::vector<double> origin(static_cast<std::size_t>(axes));
  return std::vector<std::vector<double>>(static_cast<std::size_t>(n), origin);
}

}  // namespace

std::uint32_t sobol_bits(std::uint32_t i, int axis) {
  SINEW_CHECK(axis >= 0 && axis < most_sobol_axes, "sobol_bits: axis ", axis, " of ", most_sobol_axes);
  const auto v = direction_numbers(axis);
  std::uint32_t x = 0, gray = i ^ (i >> 1);
  for (std::size_t k = 0; gray != 0; k++, gray >>= 1)
    if (gray & 1u) x ^= v[k];
  return x;
}

std::vector<std::vector<double>> sobol_points(int n, int axes, std::uint64_t seed) {
  auto points = origin_points(n, axes);
  for (int a = 0; a < axes; a++) {
    const auto shift = std::uint32_t(math::random_bits({seed, std::uint32_t(a), of_shift, 0})[0]);
    for (int i = 0; i < n; i++)
      points[std::size_t(i)][std::size_t(a)] = double(sobol_bits(std::uint32_t(i), a) ^ shift) * 0x1p-32;
  }
  return points;
}

std::vector<std::vector<double>> latin_hypercube(int n, int axes, std::uint64_t seed) {
  auto points = origin_points(n, axes);
  std::vector<int> order(static_cast<std::size_t>(n));
  for (int a = 0; a < axes; a++) {
    const auto axis = std::uint32_t(a);
    std::iota(order.begin(), order.end(), 0);
    for (int i = n - 1; i > 0; i--) {
      const auto other = std::size_t(math::uniform({seed, axis, of_order, std::uint64_t(i)}) * double(i + 1));
      std::swap(order[std::size_t(i)], order[other]);
    }
    for (int i = 0; i < n; i++) {
      const double inside = math::uniform({seed, axis, of_place, std::uint64_t(i)});
      points[std::size_t(i)][std::size_t(a)] = (double(order[std::size_t(i)]) + inside) / double(n);
    }
  }
  return points;
}

std::uint64_t seed_of_row(std::uint64_t study_seed, std::uint64_t row) {
  return math::random_bits({study_seed, 0, of_seed, row})[0] >> 33;
}

}  // namespace sinew::study
