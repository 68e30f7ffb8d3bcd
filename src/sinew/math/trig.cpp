#include "sinew/math/trig.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew {
namespace {

template <Real S>
const S& pick(int at, const S* q, const S* other) {
  SINEW_ASSERT(at >= 0 ? q != nullptr : other != nullptr);
  return at >= 0 ? q[at] : other[-1 - at];
}

}  // namespace

void sincos_of(const std::vector<int>& at, const double* q, const double* other, SinCos<double>* out) {
  SINEW_ASSERT(at.empty() || out);
  const int n = int(at.size());
  for (int first = 0; first < n; first += lane_count) {
    Lanes x, s, c;
    for (int i = 0; i < lane_count; i++) x.set(i, pick(at[std::min(first + i, n - 1)], q, other));
    sincos(x, s, c);
    for (int i = 0; i < lane_count; i++) out[first + i] = {s[i], c[i]};
  }
}

void sincos_of(const std::vector<int>& at, const Lanes* q, const Lanes* other, SinCos<Lanes>* out) {
  for (std::size_t i = 0; i < at.size(); i++) sincos(pick(at[i], q, other), out[i].sin, out[i].cos);
}

}  // namespace sinew
