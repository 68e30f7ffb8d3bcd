// Message authentication: HMAC (RFC 2104) with SHA-256 (FIPS 180-4). Of networks that others reach, a packet counts only with the right one.
//   HMAC(K, m) = H((K ^ opad) || H((K ^ ipad) || m)),   ipad = 0x36.., opad = 0x5c.. of 64 bytes
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sinew::bridge {

using Digest = std::array<std::byte, 32>;

Digest sha256(std::span<const std::byte> bytes);
Digest hmac(std::span<const std::byte> key, std::span<const std::byte> message);
bool is_same(std::span<const std::byte> a, std::span<const std::byte> b);  // takes as long, wherever they differ

// A file with at least 16 bytes, all of which are the key, but for line ends behind them. Throws InputError, FileError.
std::string read_key(const std::string& file);

}  // namespace sinew::bridge
