// ProcessImage: the bytes that are exchanged, by a layout: header, words, numbers. CRC-32 over all of it with the field of the CRC as zero.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/bridge/layout.h"

namespace sinew::bridge {

static_assert(std::endian::native == std::endian::little, "images are little-endian: numbers are copied as they are");

inline constexpr std::uint32_t measured_magic = 0x314d4e53;    // "SNM1"
inline constexpr std::uint32_t references_magic = 0x31524e53;  // "SNR1"

struct Header {
  std::uint32_t magic = 0, layout = 0;
  std::uint64_t session = 0;  // drawn by the robot when it starts; the controller gives it back
  std::uint64_t tick = 0;     // counts what this side has sent
  std::uint64_t echo = 0;     // of references: tick of the measured values from which they were computed
  std::uint64_t time =
      0;  // of measured values: when they were sampled; of references: when those were read; monotonic [ns]
  std::uint32_t status = 0, crc = 0;
};
static_assert(sizeof(Header) == Layout::header_bytes && std::is_trivially_copyable_v<Header>);

// Bits of Header::status.
namespace status {
enum : std::uint32_t {
  // of the robot
  running = 1,        // time goes on; else devices are still on their way up
  missed = 2,         // no references came in the last cycle: the last ones are held
  safe = 4,           // at least one device is in its safe state
  refused = 8,        // the last references were refused at the border
  busy = 16,          // another controller is at work; to others than this one
  wrong_layout = 32,  // the controller's image is of another robot
  stopped = 64,       // the run is over
  timed = 128,        // paced by a clock
  // of the controller
  hello = 256,  // it is there, and has no references yet
  bye = 512,    // it goes
};
}

// Who reads wants: Measured, that the robot sends; References, that the controller does.
enum class Side { Measured, References };

class ProcessImage {
 public:
  ProcessImage(const Layout& layout, Side side);

  Header header;  // magic and layout are those of the layout
  std::vector<std::uint16_t> words;
  std::vector<double> numbers;

  // With the CRC; the bytes stay until the next call.
  std::span<const std::byte> seal();
  std::span<std::byte> buffer() { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  void unpack(std::span<const std::byte> bytes);  // of the right size

 private:
  std::vector<std::byte> bytes_;
};

// What is wrong with bytes from outside before one looks at their numbers.
enum class Frame { Sound, Garbage, WrongLayout };
Frame check_frame(std::span<const std::byte> bytes, const Layout& layout, Side side);
Header header_of(std::span<const std::byte> bytes);  // of at least its size

// The first reference that is not finite or not allowed; -1: all are.
int find_refused(const Layout& layout, std::span<const double> references);
std::string refusal_of(const Layout& layout, int slot, double value);  // "joint.knee.torque: nan N m: give ..."

}  // namespace sinew::bridge
