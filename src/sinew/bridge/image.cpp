#include "sinew/bridge/image.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstring>

#include "sinew/bridge/crc.h"
#include "sinew/math/check.h"

namespace sinew::bridge {
namespace {

std::size_t bytes_of(const Layout& layout, Side side) {
  return side == Side::Measured ? layout.measured_bytes() : layout.references_bytes();
}

// With zeros where the CRC stands.
std::uint32_t crc_of(std::span<const std::byte> bytes) {
  constexpr std::size_t at = offsetof(Header, crc);
  constexpr std::byte zeros[4]{};
  return crc32(bytes.subspan(at + 4), crc32(zeros, crc32(bytes.first(at))));
}

}  // namespace

ProcessImage::ProcessImage(const Layout& layout, Side side) : bytes_(bytes_of(layout, side)) {
  const bool measured = side == Side::Measured;
  header.magic = measured ? measured_magic : references_magic;
  header.layout = layout.hash;
  words.assign(measured ? layout.measured_words() : layout.references_words(), 0);
  numbers.assign(measured ? layout.measured.size() : layout.references.size(), 0.0);
}

std::span<const std::byte> ProcessImage::seal() {
  header.crc = 0;
  std::memcpy(bytes_.data(), &header, sizeof header);
  std::memcpy(bytes_.data() + Layout::header_bytes, words.data(), 2 * words.size());
  std::memcpy(bytes_.data() + Layout::numbers_at(words.size()), numbers.data(), 8 * numbers.size());
  header.crc = crc_of(bytes_);
  std::memcpy(bytes_.data() + offsetof(Header, crc), &header.crc, 4);
  return bytes_;
}

void ProcessImage::unpack(std::span<const std::byte> bytes) {
  SINEW_ASSERT(bytes.size() == bytes_.size());
  header = header_of(bytes);
  std::memcpy(words.data(), bytes.data() + Layout::header_bytes, 2 * words.size());
  std::memcpy(numbers.data(), bytes.data() + Layout::numbers_at(words.size()), 8 * numbers.size());
}

Header header_of(std::span<const std::byte> bytes) {
  Header header;
  constexpr std::size_t size = sizeof header;
  SINEW_ASSERT(bytes.size() >= size);
  std::memcpy(&header, bytes.data(), size);
  return header;
}

Frame check_frame(std::span<const std::byte> bytes, const Layout& layout, Side side) {
  if (bytes.size() < sizeof(Header)) return Frame::Garbage;
  const Header header = header_of(bytes);
  if (header.magic != (side == Side::Measured ? measured_magic : references_magic)) return Frame::Garbage;
  if (header.crc != crc_of(bytes)) return Frame::Garbage;
  return header.layout == layout.hash && bytes.size() == bytes_of(layout, side) ? Frame::Sound : Frame::WrongLayout;
}

int find_refused(const Layout& layout, std::span<const double> references) {
  for (std::size_t i = 0; i < references.size(); i++) {
    const Slot& s = layout.references[i];
    const double x = references[i];
    if (x >= s.low && x <= s.high) continue;  // never true of NaN
    if (x != drive::command::none || !s.may_be_none) return int(i);
  }
  return -1;
}

std::string refusal_of(const Layout& layout, int slot, double value) {
  const Slot& s = layout.references[std::size_t(slot)];
  return fmt::format("{}: {} {} is refused: give {:g} to {:g}", s.name, value, s.unit, s.low, s.high);
}

}  // namespace sinew::bridge
