// Histogram of times [ns]: bins of one width up to 512 of them, beyond that 256 bins in each factor of two, so that no time is too long for it and
// each is known to 0.4 %. Beside them the smallest, the largest and the mean.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace sinew::bridge {

class Histogram {
 public:
  static constexpr int equal = 512, octave = equal / 2, octaves = 24, bins = equal + octaves * octave;
  explicit Histogram(std::int64_t width) : width_(std::max<std::int64_t>(width, 1)) {}

  void add(std::int64_t t) {
    counts_[std::size_t(bin_of(t))]++;
    least_ = n_ == 0 ? t : std::min(least_, t);
    most_ = n_ == 0 ? t : std::max(most_, t);
    sum_ += double(t);
    n_++;
  }

  std::int64_t count() const { return n_; }
  std::int64_t width() const { return width_; }  // of the first ones [ns]
  std::int64_t at(int bin) const { return counts_[std::size_t(bin)]; }
  // Lower end of a bin [ns].
  std::int64_t from(int bin) const {
    if (bin < equal) return bin * width_;
    const int e = 1 + (bin - equal) / octave;
    return width_ * ((std::int64_t(octave) + (bin - equal) % octave) << e);
  }
  std::int64_t least() const { return least_; }
  std::int64_t most() const { return most_; }
  double mean() const { return n_ > 0 ? sum_ / double(n_) : 0.0; }
  // Below which this share of all lies: the middle of its bin, within the smallest and the largest [ns].
  std::int64_t share(double part) const {
    std::int64_t below = 0;
    for (int i = 0; i + 1 < bins; i++) {
      below += at(i);
      if (n_ > 0 && double(below) >= part * double(n_))
        return std::clamp(from(i) + (from(i + 1) - from(i)) / 2, least_, most_);
    }
    return most_;
  }

 private:
  int bin_of(std::int64_t t) const {
    const std::uint64_t u = t > 0 ? std::uint64_t(t / width_) : 0;
    if (u < std::uint64_t(equal)) return int(u);
    const int e = std::bit_width(u / std::uint64_t(octave)) - 1;  // u >> e lies in [octave, equal)
    return std::min(equal + (e - 1) * octave + int(u >> e) - octave, bins - 1);
  }

  std::int64_t width_;  // [ns]
  std::array<std::int64_t, bins> counts_{};
  std::int64_t n_ = 0, least_ = 0, most_ = 0;
  double sum_ = 0.0;
};

}  // namespace sinew::bridge
