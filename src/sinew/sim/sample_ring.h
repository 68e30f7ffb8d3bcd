// A ring of samples of a world, from the thread that steps to one that reads. Counts only grow, slot = count modulo capacity.
//   written   samples put in; those after kept may still be dropped      stepping thread
//   kept      samples that the reader may look at                        stepping thread
//   taken     samples that it needs no more                              reading thread
#pragma once
#include <atomic>

#include "sinew/world/world.h"

namespace sinew::sim {

struct Sample {
  State<double> state;
  Input<double> input;
};

class SampleRing {
 public:
  explicit SampleRing(const World<double>& world);  // takes all memory there will be

  // For the stepping thread. None of them allocates or waits.
  void put(const World<double>& world);  // needs room: written - taken < capacity
  bool keep();                           // false: there is nothing new
  void drop() { written_ = kept_.load(std::memory_order_relaxed); }
  std::uint64_t written() const { return written_; }

  // For the reading thread.
  const Sample& operator[](std::uint64_t i) const { return samples_[i % samples_.size()]; }

  std::size_t capacity() const { return samples_.size(); }
  std::uint64_t kept() const { return kept_.load(std::memory_order_acquire); }
  std::atomic<std::uint64_t> taken{0};

 private:
  std::vector<Sample> samples_;
  std::uint64_t written_ = 0;
  std::atomic<std::uint64_t> kept_{0};
};

}  // namespace sinew::sim
