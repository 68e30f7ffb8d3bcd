// Draws of noise that a walk must survive. Sanitizers look at memory, of which one draw shows all; the numbers are judged without them.
#pragma once
#include <cstdint>
#include <vector>

namespace sinew {

inline std::vector<std::uint64_t> noise_seeds() {
#ifdef SINEW_SANITIZED
  return {1};
#else
  return {1, 2, 3, 4, 5};
#endif
}

}  // namespace sinew
