// CRC-32 of IEEE 802.3, as zlib's crc32: reflected, polynomial 0xedb88320, begun and ended with all ones. Eight bytes at a time by eight tables
// (Kounavis, Berry: A systematic approach to building high performance software-based CRC generators, 2005).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::bridge {

// `before`: that of the bytes before these.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace sinew::bridge
