// Transport: one way for images to the other side and back. What arrives has passed check_frame(); what has not is counted.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sinew/bridge/image.h"

namespace sinew::bridge {

struct TransportCounts {
  std::int64_t received = 0, garbage = 0, wrong_layout = 0, second = 0;  // second: from another controller than ours
  std::int64_t forged = 0;                                               // without the right key
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Sends `out`, then waits for the next image of the other side until the deadline; an empty `out` is not sent, an empty `in` not waited for.
  // True: `in` holds one. deadline: CLOCK_MONOTONIC [ns]; in the past: only what is there already. Never throws.
  virtual bool exchange(std::span<const std::byte> out, std::span<std::byte> in, std::int64_t deadline) = 0;

  // How often another side has appeared; 0: nobody yet.
  virtual std::uint32_t connections() = 0;
  const TransportCounts& counts() const { return counts_; }
  virtual std::string name() const = 0;  // "shared memory robot", for people

 protected:
  TransportCounts counts_;
};

// Who waits looks up this often, to see whether it is to stop [ns].
inline constexpr std::int64_t glance = 50'000'000;

}  // namespace sinew::bridge
