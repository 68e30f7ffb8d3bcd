#include "sinew/bridge/crc.h"

#include <array>
#include <cstring>

namespace sinew::bridge {
namespace {

constexpr auto crc_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> t{};
  for (std::uint32_t i = 0; i < 256; i++) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    t[0][i] = c;
  }
  for (std::size_t i = 0; i < 256; i++)
    for (std::size_t k = 1; k < 8; k++) t[k][i] = t[0][t[k - 1][i] & 255] ^ (t[k - 1][i] >> 8);
  return t;
}();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t c = ~before;
  while (bytes.size() >= 8) {
    std::array<std::uint32_t, 2> w;
    std::memcpy(w.data(), bytes.data(), 8);
    w[0] ^= c;
    c = crc_tables[7][w[0] & 255] ^ crc_tables[6][w[0] >> 8 & 255] ^ crc_tables[5][w[0] >> 16 & 255] ^
        crc_tables[4][w[0] >> 24] ^ crc_tables[3][w[1] & 255] ^ crc_tables[2][w[1] >> 8 & 255] ^
        crc_tables[1][w[1] >> 16 & 255] ^ crc_tables[0][w[1] >> 24];
    bytes = bytes.subspan(8);
  }
  for (const std::byte b : bytes) c = crc_tables[0][(c ^ std::to_integer<std::uint32_t>(b)) & 255] ^ (c >> 8);
  return ~c;
}

}  // namespace sinew::bridge
