// Numbers in frames, registers and objects: little-endian, at any address.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace sinew::ethercat {

static_assert(std::endian::native == std::endian::little, "EtherCAT is little-endian: numbers are copied as they are");

using Bytes = std::span<std::uint8_t>;
using ConstBytes = std::span<const std::uint8_t>;

template <class T>
T get(const std::uint8_t* at) {
  T out;
  std::memcpy(&out, at, sizeof out);
  return out;
}

template <class T>
void put(std::uint8_t* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

}  // namespace sinew::ethercat
