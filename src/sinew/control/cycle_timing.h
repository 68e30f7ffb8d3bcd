// Timing of a controller and devices on a cyclic bus, event by event (Konyev 2011, Figs. 3.7 and 4.13; docs/bridge.md).
// Cycle n: at n T + j_n the controller reads what it has received, computes for t_c and sends packet n, which is at the device t_w later.
// There its references act, and what lies in the send buffer goes back with it. T_delay later the device samples into that buffer.
// From this follow, for T_delay < T,
//   age of data when used         = 2 T - T_delay - t_c - t_w
//   from a sample to its effect   = 2 T - T_delay
// T: cycle, T_delay: from the effect of references until sensors are sampled, t_c: computing, t_w: wire, j_n: how late a cycle begins [s].
#pragma once
#include <cstdint>

namespace sinew {

struct CycleTiming {
  double T = 1e-3, t_delay = 5e-4, t_c = 2e-4, t_w = 5e-5;  // [s]
  double jitter = 0.0;                                      // j_n is drawn evenly from 0 to this [s]
};

struct CycleTimes {
  double age_min = 0.0, age_max = 0.0, age_mean = 0.0;     // [s]
  double dead_min = 0.0, dead_max = 0.0, dead_mean = 0.0;  // [s]
  int cycles_min = 0, cycles_max = 0;                      // from the packet before a sample to the cycle that uses it
};

// Of so many cycles after the first few. Needs t_c + t_w + jitter < T.
CycleTimes follow_cycles(const CycleTiming& timing, int cycles, std::uint64_t seed);

}  // namespace sinew
