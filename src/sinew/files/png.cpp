#include "sinew/files/png.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

namespace sinew {
namespace {

struct PngReader {
  std::string_view bytes;
  GreyImage image = {};
  int depth = 0, colour = 0;
  std::string packed = {}, palette = {};

  unsigned byte_at(std::size_t i) const { return static_cast<unsigned char>(bytes[i]); }
  std::uint32_t number_at(std::size_t i) const {
    return byte_at(i) << 24 | byte_at(i + 1) << 16 | byte_at(i + 2) << 8 | byte_at(i + 3);
  }

  void read_header(std::size_t at) {
    const std::uint32_t w = number_at(at), h = number_at(at + 4);
    if (w == 0 || h == 0 || w > std::uint32_t(max_png_side) || h > std::uint32_t(max_png_side) ||
        std::size_t(w) * h > max_png_pixels)
      throw PngError("it is empty or has too many pixels");
    image.width = int(w);
    image.height = int(h);
    depth = int(byte_at(at + 8));
    colour = int(byte_at(at + 9));
    const bool bits = depth == 8 || (depth == 16 && colour != 3) ||
                      ((depth == 1 || depth == 2 || depth == 4) && (colour == 0 || colour == 3));
    if (!bits || (colour != 0 && colour != 2 && colour != 3 && colour != 4 && colour != 6))
      throw PngError("its colours are none of PNG's");
    if (byte_at(at + 12) != 0) throw PngError("it is interlaced: save it without");
  }

  void read_chunks() {
    constexpr std::string_view head("\x89PNG\r\n\x1a\n", 8);
    if (bytes.substr(0, 8) != head) throw PngError("it is no PNG");
    for (std::size_t at = 8; at + 12 <= bytes.size();) {
      const std::size_t length = number_at(at);
      const std::string_view kind = bytes.substr(at + 4, 4);
      if (length > bytes.size() - at - 12) break;
      const std::string_view data = bytes.substr(at + 8, length);
      if (kind == "IHDR" && length == 13 && image.width == 0) read_header(at + 8);
      if (kind == "PLTE") palette = std::string(data);
      if (kind == "IDAT") packed += data;
      if (kind == "IEND") return;
      at += length + 12;
    }
    throw PngError("its end is missing");
  }

  int channels() const { return colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1; }
  std::size_t row_bytes() const { return (std::size_t(image.width) * std::size_t(channels() * depth) + 7) / 8; }

  std::string unpacked() const {
    std::string out((row_bytes() + 1) * std::size_t(image.height), '\0');
    uLongf size = out.size();
    const int answer = uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
    if (answer != Z_OK || size != out.size()) throw PngError("its pixels are damaged");
    return out;
  }

  // Undoes the prediction of a row from the bytes to the left, above, and above left.
  void undo(int filter, std::string& row, const std::string& above) const {
    const std::size_t step = std::size_t(std::max(1, channels() * depth / 8));
    for (std::size_t i = 0; i < row.size(); i++) {
      const auto value = [](char c) { return int(static_cast<unsigned char>(c)); };
      const int a = i >= step ? value(row[i - step]) : 0, b = value(above[i]),
                c = i >= step ? value(above[i - step]) : 0;
      int guess = 0;
      switch (filter) {
        case 0:
          break;
        case 1:
          guess = a;
          break;
        case 2:
          guess = b;
          break;
        case 3:
          guess = (a + b) / 2;
          break;
        case 4: {
          const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
          guess = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
          break;
        }
        default:
          throw PngError("its pixels are damaged");
      }
      row[i] = char(static_cast<unsigned char>(value(row[i]) + guess));
    }
  }

  unsigned sample(const std::string& row, std::size_t i) const {
    const auto value = [&](std::size_t at) { return unsigned(static_cast<unsigned char>(row[at])); };
    if (depth == 16) return value(2 * i) << 8 | value(2 * i + 1);
    if (depth == 8) return value(i);
    const std::size_t each = std::size_t(8 / depth);
    return value(i / each) >> (8 - depth * int(i % each + 1)) & ((1u << depth) - 1u);
  }

  double grey_of(const std::string& row, std::size_t pixel) const {
    const std::size_t n = std::size_t(channels()), first = pixel * n;
    if (colour == 3) {
      const std::size_t at = 3 * std::size_t(sample(row, first));
      if (at + 3 > palette.size()) throw PngError("a pixel has a colour that is not in its palette");
      unsigned sum = 0;
      for (std::size_t k = 0; k < 3; k++) sum += static_cast<unsigned char>(palette[at + k]);
      return sum / (3.0 * 255.0);
    }
    const double most = double((1u << depth) - 1u);
    if (n < 3) return sample(row, first) / most;
    return (sample(row, first) + sample(row, first + 1) + sample(row, first + 2)) / (3.0 * most);
  }

  void run() {
    read_chunks();
    if (image.width == 0) throw PngError("its head is missing");
    const std::string all = unpacked();
    std::string above(row_bytes(), '\0');
    image.grey.reserve(std::size_t(image.width) * std::size_t(image.height));
    for (int r = 0; r < image.height; r++) {
      const std::size_t at = std::size_t(r) * (row_bytes() + 1);
      std::string row = all.substr(at + 1, row_bytes());
      undo(static_cast<unsigned char>(all[at]), row, above);
      for (int c = 0; c < image.width; c++) image.grey.push_back(grey_of(row, std::size_t(c)));
      above = std::move(row);
    }
  }
};

}  // namespace

GreyImage read_grey_png(std::string_view bytes) {
  PngReader reader{bytes};
  reader.run();
  return std::move(reader.image);
}

}  // namespace sinew
