#include "tests/support/covering.h"

#include <set>
#include <utility>

namespace sinew::support {
namespace {

using Level = std::pair<int, int>;     // factor, level
using Pair = std::pair<Level, Level>;  // the lower factor first

Pair pair_of(Level a, Level b) { return a < b ? Pair{a, b} : Pair{b, a}; }

std::set<Pair> all_pairs(const std::vector<int>& levels) {
  std::set<Pair> all;
  const int n = int(levels.size());
  for (int f = 0; f < n; f++)
    for (int g = f + 1; g < n; g++)
      for (int a = 0; a < levels[f]; a++)
        for (int b = 0; b < levels[g]; b++) all.insert({{f, a}, {g, b}});
  return all;
}

// How many that have not met would meet if factor f took this level.
int new_ones(const std::set<Pair>& open, const std::vector<int>& row, Level taken) {
  int count = 0;
  for (int g = 0; g < int(row.size()); g++)
    if (row[g] >= 0 && g != taken.first) count += int(open.count(pair_of(taken, {g, row[g]})));
  return count;
}

}  // namespace

std::vector<std::vector<int>> covering_pairs(const std::vector<int>& levels) {
  std::vector<std::vector<int>> rows;
  std::set<Pair> open = all_pairs(levels);
  const int n = int(levels.size());
  while (!open.empty()) {
    std::vector<int> row(levels.size(), -1);
    const auto& [one, other] = *open.begin();
    row[one.first] = one.second;
    row[other.first] = other.second;
    for (int f = 0; f < n; f++) {
      if (row[f] >= 0) continue;
      int best = 0, most = -1;
      for (int i = 0; i < levels[f]; i++) {
        const int level = (i + int(rows.size())) % levels[f];  // of equal ones another in every row
        const int count = new_ones(open, row, {f, level});
        if (count <= most) continue;
        most = count;
        best = level;
      }
      row[f] = best;
    }
    for (int f = 0; f < n; f++)
      for (int g = f + 1; g < n; g++) open.erase({{f, row[f]}, {g, row[g]}});
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace sinew::support
