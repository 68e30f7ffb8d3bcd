// Fewer points for the same picture.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/figure/axis.h"

namespace sinew::figure {

// The part of a picture that a curve is drawn into.
struct Canvas {
  Extent x, y;
  double width, height;  // [px]
};

// Positions of the points that are enough, in order. Of successive points in one column of pixels (or in one small
// square, if x goes back and forth) the first, the last and the extremes remain: no peak is lost.
std::vector<std::size_t> thin(std::span<const double> x, std::span<const double> y, const Canvas& canvas);

}  // namespace sinew::figure
