#include "sinew/sim/sample_ring.h"

#include <algorithm>

namespace sinew::sim {
namespace {

constexpr std::size_t ring_bytes = 16 << 20;

std::size_t ring_size(const World<double>& world) {
  std::size_t numbers = world.input.torque.size() + 6 * world.input.external.size();
  for (const std::size_t size : list_sizes(world.state)) numbers += size;
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
