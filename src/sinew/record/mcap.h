// MCAP, the robotics viewers' container of messages (mcap.dev, version 0 of its format): a magic, records, the magic again.
//   record = opcode (1 byte), length (8 bytes), content; numbers are little endian, texts have their length (4 bytes) before them
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sinew::record::mcap {

inline constexpr std::string_view magic{
    "\x89"
    "MCAP0\r\n",
    8};

enum class Opcode : std::uint8_t {
  Header = 0x01,
  Footer = 0x02,
  Schema = 0x03,
  Channel = 0x04,
  Message = 0x05,
  Chunk = 0x06,
  MessageIndex = 0x07,
  ChunkIndex = 0x08,
  Statistics = 0x0b,
  Metadata = 0x0c,
  MetadataIndex = 0x0d,
  SummaryOffset = 0x0e,
  DataEnd = 0x0f,
};

// The checksum of all parts: CRC-32 as zlib's. `before`: that of the bytes before these.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

}  // namespace sinew::record::mcap
