#include "sinew/io/tally.h"

#include <algorithm>

namespace sinew::io {

void add_step(const StepReport& report, const State<double>& state, double dt, Tally& tally) {
  int touching = 0;
  for (const double* s = state.contact.data(); s < state.contact.data() + state.contact.size(); s += slot::size) {
    if (!(s[slot::key] > 0.0)) continue;
    touching++;
    tally.normal += s[slot::P];
    tally.penetration = std::max(tally.penetration, -s[slot::gap]);
  }
  tally.contacts += touching * dt;
  tally.outside = std::max(tally.outside, report.outside);
  tally.friction = std::max(tally.friction, report.friction);
  tally.torque = std::max(tally.torque, report.torque);
  if (report.saturated) tally.saturated += dt;
}

}  // namespace sinew::io
