// BridgePlan: how the robot and a controller in another process are coupled, [bridge]. What it means: docs/bridge.md.
//   age of data when used = 2 T - T_delay - t_c - t_w,  sample to actuation = 2 T - T_delay,  T_delay = delay T
// T: the cycle [s];  t_c, t_w: what the controller and the wire take [s] (Konyev 2011, Figs. 3.7 and 4.13).
#pragma once
#include <array>
#include <string_view>
#include <vector>

namespace sinew::sim {

// What drives do when no references come: nothing, or what they were told last.
enum class SafeState { Zero, Hold };
inline constexpr std::array<std::string_view, 2> safe_state_names{"zero", "hold"};

struct BridgePlan {
  double delay = 0.5;  // of a cycle, from the moment references act until sensors are sampled; timed mode
  int watchdog = 3;    // cycles in a row without references after which drives go into the safe state
  SafeState safe = SafeState::Zero;
  // Faults of the link, for tests of controllers.
  double loss = 0.0;                          // share of packets that never arrive
  std::vector<double> lost_from, lost_until;  // nothing arrives between these times [s]
  double late = 0.0;                          // by which packets come late at most, drawn evenly [s]
};

}  // namespace sinew::sim
