#include "sinew/sim/sample_ring.h"

#include <algorithm>

namespace sinew::sim {
namespace {

constexpr std::size_t ring_bytes = 16 << 20;

std::size_t ring_size(const World<double>& world) {
  const State<double>& s = world.state;
  const std::size_t numbers = s.q.size() + s.u.size() + s.contact.size() + s.axis_P.size() + s.pad.size() +
                              s.engine.size() + s.past.size() + s.memory.size() + world.input.torque.size() +
                              6 * world.input.external.size();
  return std::clamp<std::size_t>(ring_bytes / (8 * (numbers + 64)), 256,
                                 4096);  // more than the steps between two keep()
}

}  // namespace

SampleRing::SampleRing(const World<double>& world) : samples_(ring_size(world), Sample{world.state, world.input}) {}

void SampleRing::put(const World<double>& world) {
  Sample& sample = samples_[written_ % samples_.size()];
  sample.state = world.state;
  sample.input = world.input;
  written_++;
}

bool SampleRing::keep() {
  if (kept_.load(std::memory_order_relaxed) == written_) return false;
  kept_.store(written_, std::memory_order_release);
  return true;
}

}  // namespace sinew::sim
