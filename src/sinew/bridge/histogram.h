// Histogram of times: bins of equal width, with the smallest, the largest and the mean beside them.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

namespace sinew::bridge {

class Histogram {
 public:
  static constexpr int bins = 600;
  explicit Histogram(std::int64_t width) : width_(std::max<std::int64_t>(width, 1)) {}

  void add(std::int64_t t) {
    counts_[std::size_t(std::clamp<std::int64_t>(t / width_, 0, bins - 1))]++;
    least_ = n_ == 0 ? t : std::min(least_, t);
    most_ = n_ == 0 ? t : std::max(most_, t);
    sum_ += double(t);
    n_++;
  }

  std::int64_t count() const { return n_; }
  std::int64_t width() const { return width_; }  // [ns]
  std::int64_t at(int bin) const { return counts_[std::size_t(bin)]; }
  std::int64_t least() const { return least_; }
  std::int64_t most() const { return most_; }
  double mean() const { return n_ > 0 ? sum_ / double(n_) : 0.0; }
  // Below which this share of all lies: the middle of its bin, but no more than the largest [ns].
  std::int64_t share(double part) const {
    std::int64_t below = 0;
    for (int i = 0; i < bins; i++) {
      below += at(i);
      if (n_ > 0 && double(below) >= part * double(n_)) return std::clamp(i * width_ + width_ / 2, least_, most_);
    }
    return most_;
  }

 private:
  std::int64_t width_;  // [ns]
  std::array<std::int64_t, bins> counts_{};
  std::int64_t n_ = 0, least_ = 0, most_ = 0;
  double sum_ = 0.0;
};

}  // namespace sinew::bridge
