// Four numbers at any address, for loops that are written for registers by hand: the build keeps the compiler from vectorising,
// because it would fuse operations. Through memcpy: a reference to such a type counts as aligned with clang.
#pragma once
#include <cstring>

#include "sinew/math/inline.h"

namespace sinew {

using Four [[gnu::vector_size(32)]] = double;

SINEW_INLINE Four load_four(const double* from) {
  Four x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
SINEW_INLINE void store_four(const Four& x, double* to) { std::memcpy(to, &x, sizeof x); }

}  // namespace sinew
