// A grey PNG image of 8 bits, whose rows are stored as they are, each after one of the five predictions of the format.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace sinew::test {

inline std::string bytes_of(std::uint32_t x) {
  return {char(x >> 24), char(x >> 16 & 255), char(x >> 8 & 255), char(x & 255)};
}

inline std::string png_chunk(const std::string& kind, const std::string& data) {
  std::uint32_t crc = 0xffffffffU;  // CRC-32 of IEEE 802.3
  for (const char c : kind + data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0U);
  }
  return bytes_of(std::uint32_t(data.size())) + kind + data + bytes_of(~crc);
}

inline std::string stored_by_zlib(const std::string& data) {
  std::uint32_t a = 1, b = 0;  // Adler's sums
  for (const char c : data) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  const auto n = std::uint16_t(data.size()), m = std::uint16_t(~n);
  return std::string("\x78\x01\x01", 3) + char(n & 255) + char(n >> 8) + char(m & 255) + char(m >> 8) + data +
         bytes_of(b << 16 | a);
}

inline std::string grey_png(int width, int height, const std::vector<int>& pixels) {
  const auto at = [&](int r, int c) { return r < 0 || c < 0 ? 0 : pixels[std::size_t(r * width + c)]; };
  std::string rows;
  for (int r = 0; r < height; r++) {
    const int filter = r % 5;
    rows += char(filter);
    for (int c = 0; c < width; c++) {
      const int left = at(r, c - 1), up = at(r - 1, c), corner = c > 0 ? at(r - 1, c - 1) : 0, p = left + up - corner;
      const int a = std::abs(p - left), b = std::abs(p - up), d = std::abs(p - corner);
      const int guesses[] = {0, left, up, (left + up) / 2, a <= b && a <= d ? left : b <= d ? up : corner};
      rows += char(static_cast<unsigned char>(at(r, c) - guesses[filter]));
    }
  }
  const std::string head =
      bytes_of(std::uint32_t(width)) + bytes_of(std::uint32_t(height)) + std::string("\x08\0\0\0\0", 5);
  return std::string("\x89PNG\r\n\x1a\n", 8) + png_chunk("IHDR", head) + png_chunk("IDAT", stored_by_zlib(rows)) +
         png_chunk("IEND", "");
}

}  // namespace sinew::test
