// What must be inlined also where the compiler counts the cost as too high, or does not optimise.
#pragma once

#define SINEW_INLINE [[gnu::always_inline]] inline
#define SINEW_INLINE_LAMBDA __attribute__((always_inline))  // after a lambda's parameters
