#include "sinew/bridge/crc.h"

#include <array>
#include <cstring>

namespace sinew::bridge {
namespace {

constexpr std::size_t lines = 16;  // bytes at a time: each round waits for the one before, so fewer rounds are faster

constexpr auto crc_tables = [] {
  std::array<std::array<std::uint32_t, 256>, lines> t{};
  for (std::uint32_t i = 0; i < 256; i++) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    t[0][i] = c;
  }
  for (std::size_t i = 0; i < 256; i++)
    for (std::size_t k = 1; k < lines; k++) t[k][i] = t[0][t[k - 1][i] & 255] ^ (t[k - 1][i] >> 8);
  return t;
}();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t c = ~before;
  const auto four = [](std::uint32_t w, std::size_t line) {  // the byte that comes first has the furthest to go
    return crc_tables[line + 3][w & 255] ^ crc_tables[line + 2][w >> 8 & 255] ^ crc_tables[line + 1][w >> 16 & 255] ^
           crc_tables[line][w >> 24];
  };
  while (bytes.size() >= lines) {
    std::array<std::uint32_t, 4> w;
    std::memcpy(w.data(), bytes.data(), lines);
    c = four(w[0] ^ c, 12) ^ (four(w[1], 8) ^ four(w[2], 4) ^ four(w[3], 0));
    bytes = bytes.subspan(lines);
  }
  for (const std::byte b : bytes) c = crc_tables[0][(c ^ std::to_integer<std::uint32_t>(b)) & 255] ^ (c >> 8);
  return ~c;
}

}  // namespace sinew::bridge
