// Sensors that say yes or no.
//   contact flag  1 once the force has been above `on` for `time`, 0 again once it has been below `off` for `time`   [N, N, s]
//   limit switch  1 from `at` on in its direction; 0 again when the axis is `width` back                             [rad or m]
#pragma once

namespace sinew::sensor {

struct Debounce {
  double on = 2.0, off = 1.0;  // [N]
  double time = 0.005;         // [s]
};

struct DebounceState {
  double flag = 0.0;
  double is_waiting = 0.0;  // 1: the force has been beyond the other bound
  double since = 0.0;       // from this time on [s]
};

inline double debounced(const Debounce& d, double force, double t, double slack, DebounceState& s) {
  const bool is_beyond = s.flag > 0.0 ? force < d.off : force > d.on;
  if (!is_beyond) {
    s.is_waiting = 0.0;
    return s.flag;
  }
  if (s.is_waiting == 0.0) {
    s.is_waiting = 1.0;
    s.since = t;
  }
  if (t - s.since < d.time - slack) return s.flag;
  s.is_waiting = 0.0;
  return s.flag = 1.0 - s.flag;
}

struct LimitSwitch {
  double at = 0.0, width = 0.0;  // [rad or m]
  bool is_upper = true;          // closed above `at`; false: below
};

inline double switched(const LimitSwitch& s, double x, double& flag) {
  const double beyond = s.is_upper ? x - s.at : s.at - x;
  if (beyond >= 0.0) flag = 1.0;
  if (beyond < -s.width || (s.width == 0.0 && beyond < 0.0)) flag = 0.0;
  return flag;
}

}  // namespace sinew::sensor
