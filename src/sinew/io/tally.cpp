#include "sinew/io/tally.h"

#include <algorithm>
#include <cmath>

namespace sinew::io {

void add_step(const StepReport& report, const State<double>& state, double dt, Tally& tally) {
  int touching = 0;
  double normal = 0.0;
  const double rate = state.dt > 0.0 ? 1.0 / state.dt : 0.0;  // impulses are those of the last part of the step
  for (const double* s = state.contact.data(); s < state.contact.data() + state.contact.size(); s += slot::size) {
    if (!(s[slot::key] > 0.0)) continue;
    touching++;
    normal += s[slot::P] * rate;
    tally.penetration = std::max(tally.penetration, -s[slot::gap]);
  }
  tally.normal += normal * dt;
  if (std::abs(normal - tally.weight) > 0.01 * tally.weight) tally.settled = state.t;
  tally.contacts += touching * dt;
  tally.outside = std::max(tally.outside, report.outside);
  tally.friction = std::max(tally.friction, report.friction);
  tally.torque = std::max(tally.torque, report.torque);
  if (report.saturated) tally.saturated += dt;
}

}  // namespace sinew::io
