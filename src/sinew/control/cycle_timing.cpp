#include "sinew/control/cycle_timing.h"

#include <algorithm>
#include <array>

#include "sinew/math/check.h"
#include "sinew/math/counter_random.h"

namespace sinew {
namespace {

struct BusSample {
  double at;   // when it was taken [s]
  int packet;  // after which
};

// The device: what it has sampled lies in its send buffer until a packet takes it along. A sample that is not taken yet when the next packet
// passes goes with the one after, so up to two are under way.
class BusDevice {
 public:
  // A packet passes: what goes back with it.
  BusSample pass(double t, int packet, double t_delay) {
    for (BusSample& s : taken_)
      if (s.at <= t && s.at > buffer_.at) buffer_ = s;
    const BusSample back = buffer_;
    taken_[std::size_t(packet) % taken_.size()] = {t + t_delay, packet};
    return back;
  }

 private:
  std::array<BusSample, 4> taken_{{{-1.0, -4}, {-1.0, -4}, {-1.0, -4}, {-1.0, -4}}};
  BusSample buffer_{-1.0, -4};
};

}  // namespace

CycleTimes follow_cycles(const CycleTiming& c, int cycles, std::uint64_t seed) {
  SINEW_CHECK(cycles > 0 && c.t_c + c.t_w + c.jitter < c.T, "follow_cycles: ", cycles,
              " cycles, too short for what is done in one");
  constexpr int first = 8;  // cycles in which the buffers fill
  CycleTimes out;
  BusDevice device;
  BusSample received{-1.0, -4};
  for (int n = 0; n < first + cycles; n++) {
    const double begin = n * c.T + c.jitter * math::uniform({seed, 0, 0, std::uint64_t(n)});
    const BusSample used = received;
    const double arrives = begin + c.t_c + c.t_w;
    received = device.pass(arrives, n, c.t_delay);
    if (n < first) continue;
    const double age = begin - used.at, dead = arrives - used.at;
    const int between = n - used.packet;
    const bool is_first = n == first;
    out.age_min = is_first ? age : std::min(out.age_min, age);
    out.age_max = is_first ? age : std::max(out.age_max, age);
    out.dead_min = is_first ? dead : std::min(out.dead_min, dead);
    out.dead_max = is_first ? dead : std::max(out.dead_max, dead);
    out.cycles_min = is_first ? between : std::min(out.cycles_min, between);
    out.cycles_max = is_first ? between : std::max(out.cycles_max, between);
    out.age_mean += age / cycles;
    out.dead_mean += dead / cycles;
  }
  return out;
}

}  // namespace sinew
