#include "sinew/contact/culling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/math/check.h"

namespace sinew {

CullPhase::CullPhase(int n_boxes) {
  pairs_.reserve(std::size_t(n_boxes) * 16);
  for (auto* list : {&order_, &bucket_, &large_, &near_}) list->reserve(n_boxes + 1);
  start_.reserve(std::bit_ceil(std::size_t(2 * n_boxes + 1)) + 1);
  entry_.reserve(n_boxes);
  in_.reserve(n_boxes);
  is_large_.reserve(n_boxes);
  sizes_.reserve(n_boxes);
}

const std::vector<std::pair<int, int>>& CullPhase::overlaps(const std::vector<Aabb>& boxes, Culling how) {
  pairs_.clear();
  if (how == Culling::All) {
    meet_all(boxes);
  } else if (how == Culling::Sweep) {
    sweep_and_prune(boxes);
    std::ranges::sort(pairs_);
  } else {
    grid(boxes);
  }
  return pairs_;
}

void CullPhase::meet_all(const std::vector<Aabb>& boxes) {
  for (int a = 0; a < int(boxes.size()); a++)
    for (int b = a + 1; b < int(boxes.size()); b++)
      if (boxes[a].meets(boxes[b])) pairs_.push_back({a, b});
}

// Insertion sort: bodies move little from step to step, so the order hardly changes.
void CullPhase::sweep_and_prune(const std::vector<Aabb>& boxes) {
  const int n = int(boxes.size());
  if (int(order_.size()) != n) {
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0);
  }
  int axis = 0;
  double widest = -1.0;
  for (int i = 0; i < 3; i++) {
    double sum = 0.0, squares = 0.0;
    for (const Aabb& b : boxes) {
      const double middle = 0.5 * (b.low[i] + b.high[i]);
      if (!std::isfinite(middle)) continue;
      sum += middle;
      squares += middle * middle;
    }
    const double spread = squares - sum * sum / std::max(n, 1);
    if (spread > widest) {
      widest = spread;
      axis = i;
    }
  }
  const auto low_of = [&](int i) {  // what is no number stands at the end
    const double low = boxes[i].low[axis];
    return std::isnan(low) ? std::numeric_limits<double>::infinity() : low;
  };
  for (int i = 1; i < n; i++) {
    const int moved = order_[i];
    const double low = low_of(moved);
    int k = i;
    for (; k > 0 && low_of(order_[k - 1]) > low; k--) order_[k] = order_[k - 1];
    order_[k] = moved;
  }
  for (int i = 0; i < n; i++) {
    const Aabb& a = boxes[order_[i]];
    for (int k = i + 1; k < n && low_of(order_[k]) <= a.high[axis]; k++)
      if (a.meets(boxes[order_[k]])) pairs_.push_back(std::minmax(order_[i], order_[k]));
  }
}

// Cells one above the other are neighbours in memory too.
int CullPhase::bucket_of(std::int32_t x, std::int32_t y, std::int32_t z) const {
  SINEW_ASSERT(std::has_single_bit(start_.size() - 1));
  const std::uint64_t h = std::uint64_t(x) * 0x9E3779B97F4A7C15u + std::uint64_t(y) * 0xC2B2AE3D27D4EB4Fu;
  return int(((h >> 32) + std::uint64_t(z)) & (start_.size() - 2));
}

// Cells are as large as the largest box that is not much larger than the middle one.
void CullPhase::choose_large(const std::vector<Aabb>& boxes) {
  SINEW_ASSERT(!boxes.empty());
  sizes_.clear();
  large_.clear();
  for (const Aabb& b : boxes) sizes_.push_back(b.size() >= 0.0 ? b.size() : 0.0);
  std::nth_element(sizes_.begin(), sizes_.begin() + std::ptrdiff_t(sizes_.size() / 2), sizes_.end());
  const double limit = 4.0 * sizes_[sizes_.size() / 2];
  is_large_.assign(boxes.size(), 0);
  cell_size_ = 0.0;
  for (std::size_t i = 0; i < boxes.size(); i++)
    if (!(boxes[i].size() <= limit)) {
      is_large_[i] = 1;
      large_.push_back(int(i));
    } else
      cell_size_ = std::max(cell_size_, boxes[i].size());
  if (!(cell_size_ > 0.0)) cell_size_ = 1.0;
}

void CullPhase::fill_buckets(const std::vector<Aabb>& boxes) {
  SINEW_ASSERT(cell_size_ > 0.0 && is_large_.size() == boxes.size());
  const int n = int(boxes.size());
  start_.assign(std::bit_ceil(std::size_t(2 * n)) + 1, 0);
  entry_.resize(n);
  bucket_.resize(n);
  in_.resize(n);
  near_.resize(n + 1);
  const double rate = 1.0 / cell_size_;
  const auto index = [](double x) { return std::int32_t(std::floor(std::clamp(x, -1e9, 1e9))); };
  for (int i = 0; i < n; i++) {
    if (is_large_[i]) continue;
    const Vec3d& p = boxes[i].low;
    const Entry e{index(p[0] * rate), index(p[1] * rate), index(p[2] * rate), i, boxes[i]};
    entry_[i] = e;
    bucket_[i] = bucket_of(e.x, e.y, e.z);
    start_[bucket_[i]]++;
  }
  std::inclusive_scan(start_.begin(), start_.end(), start_.begin());
  for (int i = n - 1; i >= 0; i--)  // each bucket from behind, so that its boxes stand in order
    if (!is_large_[i]) in_[--start_[bucket_[i]]] = entry_[i];
}

// Low corners of overlapping boxes are at most one cell apart along each axis.
void CullPhase::add_neighbours(int a) {
  SINEW_ASSERT(a >= 0 && a < int(entry_.size()) && !is_large_[a]);
  const Entry at = entry_[a];
  int* near = near_.data();
  int n = 0;
  const int last = int(start_.size()) - 2;  // bucket
  for (std::int32_t x = at.x - 1; x <= at.x + 1; x++)
    for (std::int32_t y = at.y - 1; y <= at.y + 1; y++) {
      const auto look = [&](int first, int end) {
        for (int i = first; i < end; i++) {
          const Entry& b = in_[i];
          near[n] = b.index;  // without branches, as meets()
          n += (b.index > a) & (b.x == x) & (b.y == y) & (std::abs(b.z - at.z) <= 1) & at.box.meets(b.box);
        }
      };
      const int k = bucket_of(x, y, at.z - 1);
      look(start_[k], start_[std::min(k + 3, last + 1)]);
      if (k + 2 > last) look(start_[0], start_[k + 2 - last]);  // once round
    }
  for (int i = 0; i < n; i++) pairs_.push_back({a, near[i]});
}

void CullPhase::grid(const std::vector<Aabb>& boxes) {
  if (boxes.size() < 2) return;
  choose_large(boxes);
  fill_buckets(boxes);
  for (int a = 0; a < int(boxes.size()); a++) {
    const std::size_t first = pairs_.size();
    if (is_large_[a]) {
      for (int b = a + 1; b < int(boxes.size()); b++)
        if (boxes[a].meets(boxes[b])) pairs_.push_back({a, b});
    } else {
      add_neighbours(a);
      for (const int b : large_)
        if (b > a && boxes[a].meets(boxes[b])) pairs_.push_back({a, b});
    }
    std::sort(pairs_.begin() + std::ptrdiff_t(first), pairs_.end());
  }
}

}  // namespace sinew
