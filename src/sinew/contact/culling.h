// Broad phase: which pairs of boxes overlap. Three ways to the same list; all forget nothing between calls but memory.
//   all    every box against every other
//   sweep  sorted along the axis on which they lie farthest apart; the order of the last call is the start of the next
//   grid   cells as large as the boxes, but for a few much larger ones, which meet all others: linear in the number of boxes
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "sinew/model/plan.h"
#include "sinew/parts/shape/aabb.h"

namespace sinew {

class CullPhase {
 public:
  explicit CullPhase(int n_boxes = 0);

  // Pairs (a, b), a < b, whose boxes overlap, in ascending order. The list stands until the next call.
  const std::vector<std::pair<int, int>>& overlaps(const std::vector<Aabb>& boxes, Culling how);

 private:
  void meet_all(const std::vector<Aabb>& boxes);
  void sweep_and_prune(const std::vector<Aabb>& boxes);
  void grid(const std::vector<Aabb>& boxes);

  struct Entry {
    std::int32_t x, y, z;  // the cell of its low corner
    int index;
    Aabb box;  // beside it: what lies near is read together
  };
  int bucket_of(std::int32_t x, std::int32_t y, std::int32_t z) const;
  void choose_large(const std::vector<Aabb>& boxes);
  void fill_buckets(const std::vector<Aabb>& boxes);
  void add_neighbours(int a);

  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> order_;           // sweep
  std::vector<Entry> entry_, in_;    // grid: of each box; the same by bucket, then by box
  std::vector<int> bucket_, start_;  // of each box; where each bucket begins in in_, and where the last ends
  std::vector<int> near_;            // boxes that meet the one at hand
  std::vector<int> large_;
  std::vector<char> is_large_;
  std::vector<double> sizes_;
  double cell_size_ = 1.0;
};

}  // namespace sinew
