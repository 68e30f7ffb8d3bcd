// Grey values of PNG images (W3C, Portable Network Graphics, 2003): any colour type of 1 to 16 bits, without interlacing. Of files nothing
// is believed: sizes are bounded before anything is unpacked.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace sinew {

class PngError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr int max_png_side = 10000;
inline constexpr std::size_t max_png_pixels = std::size_t(1) << 24;

struct GreyImage {
  int width = 0, height = 0;
  std::vector<double> grey;  // row by row from the top, 0 black to 1 white; of colours their mean

  double at(int row, int column) const { return grey[std::size_t(row) * std::size_t(width) + std::size_t(column)]; }
};

GreyImage read_grey_png(std::string_view bytes);  // throws PngError

}  // namespace sinew
