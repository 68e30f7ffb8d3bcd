#include "sinew/bridge/authenticate.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"

namespace sinew::bridge {
namespace {

constexpr std::array<std::uint32_t, 64> sha_rounds{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

class Sha256 {
 public:
  void add(std::span<const std::byte> bytes) {
    length_ += bytes.size();
    for (const std::byte b : bytes) {
      block_[filled_++] = b;
      if (filled_ < block_.size()) continue;
      take_block();
      filled_ = 0;
    }
  }
  Digest end() {
    const std::uint64_t bits = 8 * length_;
    constexpr std::byte one{0x80}, zero{0};
    add({&one, 1});
    while (filled_ != 56) add({&zero, 1});
    for (int i = 7; i >= 0; i--) {
      const std::byte b{std::uint8_t(bits >> 8 * i)};
      add({&b, 1});
    }
    Digest out;
    for (std::size_t i = 0; i < 32; i++) out[i] = std::byte(std::uint8_t(h_[i / 4] >> (24 - 8 * (i % 4))));
    return out;
  }

 private:
  void take_block() {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 64; i++) w[i / 4] = w[i / 4] << 8 | std::to_integer<std::uint32_t>(block_[i]);
    for (std::size_t i = 16; i < 64; i++) {
      const std::uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    std::array<std::uint32_t, 8> v = h_;
    for (std::size_t i = 0; i < 64; i++) {
      const std::uint32_t e = v[4], a = v[0];
      const std::uint32_t t1 = v[7] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                               ((e & v[5]) ^ (~e & v[6])) + sha_rounds[i] + w[i];
      const std::uint32_t t2 =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
      v = {t1 + t2, v[0], v[1], v[2], v[3] + t1, v[4], v[5], v[6]};
    }
    for (std::size_t i = 0; i < 8; i++) h_[i] += v[i];
  }

  std::array<std::uint32_t, 8> h_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace

Digest sha256(std::span<const std::byte> bytes) {
  Sha256 h;
  h.add(bytes);
  return h.end();
}

Digest hmac(std::span<const std::byte> key, std::span<const std::byte> message) {
  std::array<std::byte, 64> inner{}, outer{};
  const Digest shorter = key.size() > 64 ? sha256(key) : Digest{};
  if (key.size() > 64) key = shorter;
  for (std::size_t i = 0; i < 64; i++) {
    const std::byte k = i < key.size() ? key[i] : std::byte{0};
    inner[i] = k ^ std::byte{0x36};
    outer[i] = k ^ std::byte{0x5c};
  }
  Sha256 first;
  first.add(inner);
  first.add(message);
  const Digest digest = first.end();
  Sha256 second;
  second.add(outer);
  second.add(digest);
  return second.end();
}

bool is_same(std::span<const std::byte> a, std::span<const std::byte> b) {
  if (a.size() != b.size()) return false;
  std::byte differ{0};
  for (std::size_t i = 0; i < a.size(); i++) differ |= a[i] ^ b[i];
  return differ == std::byte{0};
}

std::string read_key(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw FileError(fmt::format("--key {}: cannot be read: {}: name a file", file, std::strerror(errno)));
  std::ostringstream text;
  text << in.rdbuf();
  std::string key = text.str();
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r')) key.pop_back();
  if (key.size() < 16)
    throw InputError(fmt::format("--key {}: {} bytes are no key: make one of 32: head -c 32 /dev/urandom > {}", file,
                                 key.size(), file));
  return key;
}

}  // namespace sinew::bridge
