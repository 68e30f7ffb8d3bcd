#include "sinew/figure/thin.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::figure {
namespace {

constexpr std::size_t enough = 20000;  // points of one curve that a viewer still draws at once

// Ends and extremes of the points first .. last.
void keep(std::span<const double> x, std::span<const double> y, std::size_t first, std::size_t last,
          std::vector<std::size_t>& kept) {
  std::array<std::size_t, 6> of{first, last, first, first, first, first};
  for (std::size_t i = first; i <= last; i++) {
    if (x[i] < x[of[2]]) of[2] = i;
    if (x[i] > x[of[3]]) of[3] = i;
    if (y[i] < y[of[4]]) of[4] = i;
    if (y[i] > y[of[5]]) of[5] = i;
  }
  std::ranges::sort(of);
  for (const std::size_t i : of)
    if (kept.empty() || kept.back() != i) kept.push_back(i);
}

std::vector<std::size_t> by_cells(std::span<const double> x, std::span<const double> y, const Canvas& canvas,
                                  double side, bool columns) {
  const auto cell = [&](double value, const Extent& range, double pixels) {
    return std::floor((value - range.low) / range.span() * pixels / side);
  };
  const auto same = [&](std::size_t i, std::size_t j) {
    return cell(x[i], canvas.x, canvas.width) == cell(x[j], canvas.x, canvas.width) &&
           (columns || cell(y[i], canvas.y, canvas.height) == cell(y[j], canvas.y, canvas.height));
  };
  std::vector<std::size_t> kept;
  for (std::size_t first = 0, end; first < x.size(); first = end) {
    for (end = first + 1; end < x.size() && same(first, end);) end++;
    keep(x, y, first, end - 1, kept);
  }
  return kept;
}

}  // namespace

std::vector<std::size_t> thin(std::span<const double> x, std::span<const double> y, const Canvas& canvas) {
  const bool columns = std::ranges::is_sorted(x);
  double side = 0.5;
  auto kept = by_cells(x, y, canvas, side, columns);
  for (; kept.size() > enough && side < canvas.width; side *= 2) kept = by_cells(x, y, canvas, 2 * side, columns);
  return kept;
}

}  // namespace sinew::figure
