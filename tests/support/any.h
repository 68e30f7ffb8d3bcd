// What RapidCheck chooses for properties over random robots: a seed, which does not shrink, and a size, which does.
#pragma once
#include <rapidcheck.h>

#include <cstdint>

namespace sinew::support {

inline std::uint64_t any_seed() {
  return *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
}
// [low, high)
inline int any_size(int low, int high) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high)); }

}  // namespace sinew::support
