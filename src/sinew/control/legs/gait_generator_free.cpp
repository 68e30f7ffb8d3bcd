// A tick of a gait without a table (docs/theory/hexapod.md#free-gait): one who knows the feet and the ground says which leg lifts and where it goes;
// the foothold goes back with the ground, and the leg steers for it until it comes down.
#include <algorithm>

#include "sinew/control/legs/gait_tick.h"

namespace sinew::legged {

void GaitGenerator::step_free(GaitState& s, Now& now) const {
  const FreeStep step = now.in.chooser ? now.in.chooser->choose(s) : FreeStep{.waits = true};
  const LegSet flying = s.airborne() & ~s.lost();
  const bool searches = std::any_of(s.leg.begin(), s.leg.end(), [](const GaitState::Leg& leg) {
    return leg.in_air != 0.0 && leg.lost == 0.0 && leg.search > 0.0;
  });
  now.report.frozen = step.waits || searches;
  now.report.v_body = now.report.frozen ? 0.0 : now.timing.v_body;
  s.frozen_ticks = step.waits && step.leg < 0 && flying == 0 ? s.frozen_ticks + 1.0 : 0.0;
  if (s.frozen_ticks * tick_ > rule_.patience) {
    int rearmost = 0;
    for (int i = 1; i < legs(); i++)
      if (s.leg[i].lost == 0.0 && s.leg[i].along < s.leg[rearmost].along) rearmost = i;
    return halt(s, WalkFault::Held, rearmost);
  }
  if (step.leg >= 0 && (!now.in.guard || now.in.guard->may_lift(step.leg, s.airborne()))) {
    lift(s, step.leg, now.timing.t_transfer);
    s.leg[step.leg].goal = step.place;
  }
  for (int i = 0; i < legs(); i++) {
    GaitState::Leg& leg = s.leg[i];
    leg.pending = 0.0;
    if (leg.in_air == 0.0) {
      leg.along -= now.report.v_body * tick_;
      continue;
    }
    fly(s, now, i);
    leg.goal -= now.report.v_body * tick_;
  }
  s.travelled += now.report.v_body * tick_;
  if (!now.report.frozen) advance_phase(s, now);
}

}  // namespace sinew::legged
