// Target for libFuzzer: frames of any content to a segment that is Operational. docs/ethercat.md has the command; not a part of the tests.
#include "tests/ethercat/devices.h"

namespace {

// Frames, each behind its length in a byte; a byte of 255 lets 200 ms pass.
void feed(sinew::ethercat::Segment& segment, const std::uint8_t* data, std::size_t size) {
  std::int64_t now = 1'000'000'000;
  for (std::size_t at = 0; at < size;) {
    const std::size_t n = std::min<std::size_t>(data[at], size - at - 1);
    sinew::test::Octets frame(data + at + 1, data + at + 1 + n);
    if (data[at] == 255) now += 200'000'000;
    segment.process(frame, now += 1000);
    at += n + 1;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sinew::ethercat::Segment ready = [] {
    sinew::ethercat::Segment segment = sinew::test::drives(2, true);
    const std::int64_t now = 1;
    sinew::test::Master master(sinew::test::wire_to(segment, now));
    master.enumerate();
    master.configure(3);
    master.go_operational(3);
    return segment;
  }();
  sinew::ethercat::Segment segment = ready;
  feed(segment, data, size);
  return 0;
}
