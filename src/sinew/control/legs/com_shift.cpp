#include "sinew/control/legs/com_shift.h"

#include <algorithm>
#include <limits>

#include "sinew/math/check.h"

namespace sinew::legged {

ShiftForecast forecast_shift(const ShiftLimits& limits, std::span<double> rear, std::span<double> front,
                             std::span<double> shift) {
  const int n = int(shift.size());
  SINEW_CHECK(int(rear.size()) == n && int(front.size()) == n && n > 0, "forecast_shift: ", rear.size(), ", ",
              front.size(), " and ", n, " ticks");
  const double step = limits.v * limits.tick;
  for (int k = 0; k < n; k++) {
    rear[k] += limits.s_min;
    front[k] -= limits.s_min;
  }
  const auto follow = [&](int k, int from) {
    front[k] = std::min(front[k], front[from] + step);
    rear[k] = std::max(rear[k], rear[from] - step);
  };
  for (int round = 0; round < 2; round++) {  // twice: bounds go on from the end of a period to its beginning
    for (int k = 0; k < n; k++) follow(k, (k + n - 1) % n);
    for (int k = n - 1; k >= 0; k--) follow(k, (k + 1) % n);
  }
  ShiftForecast out;
  out.lowest = std::numeric_limits<double>::infinity();
  out.highest = out.worst = -out.lowest;
  for (int k = 0; k < n; k++) {
    out.worst = std::max(out.worst, rear[k] - front[k]);
    shift[k] = std::min(std::max(0.0, rear[k]), front[k]);
    out.lowest = std::min(out.lowest, shift[k]);
    out.highest = std::max(out.highest, shift[k]);
  }
  out.possible = out.worst <= 1e-12;
  if (!out.possible) out.pause = 2.0 * limits.s_min / limits.v;
  return out;
}

}  // namespace sinew::legged
