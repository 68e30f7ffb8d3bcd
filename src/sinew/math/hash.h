// Hasher: numbers -> 64 bits, the same on every machine. FNV-1a over 64-bit words, with a final mix so that every bit of the input
// reaches every bit of the hash.
#pragma once
#include <bit>
#include <cstdint>

namespace sinew {

struct Hasher {
  std::uint64_t h = 0xcbf29ce484222325u;
  void add(std::uint64_t word) {
    h = (h ^ word) * 0x100000001b3u;
    h ^= h >> 29;
  }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
};

}  // namespace sinew
