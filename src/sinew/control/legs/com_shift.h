// The body's shift that keeps the mass centre over its feet all through the next period, found before it begins
// (docs/theory/hexapod.md#correction; Konyev 2011, Figs. 3.25, 3.26). For one direction, at every tick:
//   lo = rear edge + s_min - com <= shift <= up = front edge - s_min - com
//   |shift'| <= v: up(t) <- min over s of up(s) + v |t - s|, lo(t) <- max of lo(s) - v |t - s|; a period follows itself
// Possible if and only if lo <= up then; shift = clamp(0, lo, up) moves at most with v and keeps the margin.
#pragma once
#include <span>

namespace sinew::legged {

struct ShiftForecast {
  bool possible = false;
  double lowest = 0.0, highest = 0.0;  // of the shift [m]
  double worst = 0.0;                  // largest lo - up [m]; possible: at most 0
  double pause = 0.0;  // that the master phase needs at the exchange if it is not possible: 2 s_min / v [s]
};

struct ShiftLimits {
  double s_min = 0.015;  // margin [m]
  double v = 0.1;        // of the body's shift [m/s]
  double tick = 1e-3;    // between two entries [s]
};

// rear, front: edges of the support as the mass centre sees them, edge - com, for each tick of a period [m]; in: edges, out: lo and up, tightened.
// Where it is not possible the shift follows the front bound.
ShiftForecast forecast_shift(const ShiftLimits& limits, std::span<double> rear, std::span<double> front,
                             std::span<double> shift);

}  // namespace sinew::legged
