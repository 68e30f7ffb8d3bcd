// How the generator meets ground that is not level: places beside holes, and a body that follows.
#include <algorithm>
#include <cmath>

#include "sinew/control/legs/gait_tick.h"

namespace sinew::legged {
namespace {

// k-th place beside a hole, ahead of where the foot came down first [m].
double hole_place(const AdaptationRule& rule, double k) { return rule.hole_step * (k <= 3.0 ? k : 3.0 - k); }

}  // namespace

// No ground: up out of the hole, then to the next place, and down again. False: it has looked everywhere.
bool GaitGenerator::look_beside(GaitState& s, const Now& now, int i) const {
  GaitState::Leg& leg = s.leg[i];
  if (leg.search >= rule_.hole_tries) return false;
  leg.search += 1.0;
  const double way = hole_place(rule_, leg.search) - hole_place(rule_, leg.search - 1.0);
  const double up = std::ceil(1.5 * s.shape.height / now.timing.v_up / tick_);
  const double aside = std::ceil(std::abs(way) / std::max(s.shape.transfer_speed, 1e-2) / tick_);
  leg.pause = up + aside;
  leg.from = 1.5 * s.shape.height / up;  // up, each tick
  leg.speed = way / (aside * tick_);
  return true;
}

void GaitGenerator::go_beside(GaitState& s, const Now& now, int i) const {
  GaitState::Leg& leg = s.leg[i];
  const double way = hole_place(rule_, leg.search) - hole_place(rule_, leg.search - 1.0);
  const double aside = std::ceil(std::abs(way) / std::max(s.shape.transfer_speed, 1e-2) / tick_);
  leg.along -= now.report.v_body * tick_;
  if (leg.pause > aside) {
    leg.up += leg.from;
    leg.raised += leg.from;
  } else {
    leg.along += leg.speed * tick_;
  }
  leg.pause -= 1.0;
  if (leg.pause == 0.0) leg.from = 0.0;
}

// Where all feet stand above the nominal ground, or all below, the body follows.
void GaitGenerator::follow_ground(GaitState& s) const {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < legs(); i++) {
    if (s.leg[i].in_air != 0.0) continue;
    low = std::min(low, s.leg[i].up);
    high = std::max(high, s.leg[i].up);
  }
  if (!(low <= high)) return;
  const double off = low > 0.0 ? low : high < 0.0 ? high : 0.0, most = rule_.clearance_rate * tick_;
  const double by = std::clamp(off, -most, most);
  s.clearance += by;
  for (int i = 0; i < legs(); i++) {
    s.leg[i].up -= by;
    if (s.leg[i].in_air != 0.0) s.leg[i].raised -= by;
  }
}

}  // namespace sinew::legged
