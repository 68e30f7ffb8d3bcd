#include "sinew/exchange/triplets.h"

#include <algorithm>
#include <tuple>

#include "sinew/math/check.h"

namespace sinew::exchange {

BlockRows block_rows(int contacts, std::vector<Triplet> numbers) {
  std::ranges::stable_sort(numbers, {}, [](const Triplet& t) { return std::tuple(t.row / 3, t.column / 3); });
  BlockRows W;
  W.start.assign(1, 0);
  std::size_t at = 0;
  for (int i = 0; i < contacts; i++) {
    for (; at < numbers.size() && numbers[at].row / 3 == i; at++) {
      const Triplet& t = numbers[at];
      SINEW_ASSERT(t.row >= 0 && t.row < 3 * contacts && t.column >= 0 && t.column < 3 * contacts);
      if (int(W.column.size()) == W.start.back() || W.column.back() != t.column / 3) {
        W.column.push_back(t.column / 3);
        W.value.resize(W.value.size() + 9, 0.0);
      }
      W.value[W.value.size() - 9 + std::size_t(3 * (t.row % 3) + t.column % 3)] += t.value;
    }
    W.start.push_back(int(W.column.size()));
  }
  return W;
}

}  // namespace sinew::exchange
