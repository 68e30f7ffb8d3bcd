#include "sinew/control/legs/climbing.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::legged {

double hump_angle(double R, double clearance, double spacing) {
  return 2.0 * math::asin(0.5 * spacing / (R + clearance));
}

double hinge_on_ground(double normal_front, double normal_rear) { return normal_front - normal_rear; }

double ledge_height(const SegmentedBody& b, double alpha) { return b.leg.l2 + b.leg.l3 + b.l_bs * math::sin(alpha); }

double lifted_segment_torque(const SegmentedBody& b, double alpha, double g) {
  return (b.m_segment + 2.0 * b.leg.mass()) * g * b.l_bs * math::cos(alpha);
}

// Every segment with its legs is a mass at its shoulders, the head one ahead of the first.
double com_to_front_articulated(const SegmentedBody& b, double alpha) {
  std::array<Posed, most_segments> X;
  BodyPose pose;
  if (b.middle() > 0) pose.hinge[0].pitch_up = alpha;
  place_segments(b, pose, X);
  const double m = b.m_segment + 2.0 * b.leg.mass();
  double sum = b.m_head * (X[0].p[0] + X[0].R(0, 0) * b.head_ahead);
  for (int j = 0; j < b.segments; j++) sum += m * X[j].p[0];
  return X[0].p[0] - sum / b.mass();
}

double com_to_front_rigid(const SegmentedBody& b, double alpha) {
  const double rise = b.l_bs * math::sin(alpha) / ((b.segments - 1) * b.spacing());
  return com_to_front_articulated(b, 0.0) * std::sqrt(1.0 - rise * rise);
}

bool LedgeConditions::hold() const { return n == 0 || worst().lacking <= 0.0; }

const LedgeCondition& LedgeConditions::worst() const {
  return *std::max_element(of.begin(), of.begin() + n,
                           [](const LedgeCondition& a, const LedgeCondition& b) { return a.lacking < b.lacking; });
}

LedgeConditions conditions_of(LedgePhase phase, const LedgeRules& r, const LedgeSight& s) {
  LedgeConditions c;
  const auto need = [&](std::string_view what, double lacking) { c.of[c.n++] = {what, lacking}; };
  const double all_loaded = *std::min_element(s.least_load.begin(), s.least_load.end());
  switch (phase) {
    case LedgePhase::Approach:
      need("distance to the wall is at most a stroke [m]", s.to_wall - r.stroke);
      break;
    case LedgePhase::Gather:
      need("front feet are near the wall [m]", s.front_feet_to_wall - r.near_wall);
      break;
    case LedgePhase::FrontUp:
      need("both front feet carry [N]", r.loaded - s.least_load[0]);
      break;
    case LedgePhase::BodyUp:
      need("mass centre is near the line of the middle feet [m]", std::abs(s.com_to_middle_feet) - r.near_middle);
      need("static margin [m]", r.s_min - s.margin);
      break;
    case LedgePhase::MiddleUp:
      need("all feet carry [N]", r.loaded - all_loaded);
      break;
    case LedgePhase::BodyForward:
      need("static margin on the upper feet [m]", r.s_min - s.margin);
      need("mass centre is ahead of the middle feet [m]", -s.com_to_middle_feet);
      break;
    case LedgePhase::RearUp:
      need("hinge torque is below its limit [N m]", std::abs(s.hinge_torque) - r.torque_limit);
      need("reactions are inside their friction cones", s.friction_used - r.mu);
      need("every support carries [N]", r.carries - s.least_support);
      need("static margin [m]", r.s_min - s.margin);
      break;
    case LedgePhase::Level:
      need("rear feet are past the edge [m]", -s.rear_to_edge);
      need("rear feet carry [N]", r.loaded - s.least_load[2]);
      need("body is level [rad]", std::abs(s.pitch) - r.level);
      break;
    case LedgePhase::Done:
    case LedgePhase::Failed:
      break;
  }
  return c;
}

void step_ledge(LedgeClimb& climb, const LedgeRules& rules, const LedgeSight& sight, double tick) {
  SINEW_ASSERT(tick > 0.0);
  if (climb.now() == LedgePhase::Done || climb.now() == LedgePhase::Failed) return;
  const LedgeConditions c = conditions_of(climb.now(), rules, sight);
  if (c.hold()) {
    climb.phase += 1.0;
    climb.ticks = 0.0;
    return;
  }
  climb.ticks += 1.0;
  if (climb.ticks * tick <= rules.timeout) return;
  climb.failed_in = climb.phase;
  climb.failed_of = double(&c.worst() - c.of.data());
  climb.lacking = c.worst().lacking;
  climb.phase = double(LedgePhase::Failed);
}

}  // namespace sinew::legged
