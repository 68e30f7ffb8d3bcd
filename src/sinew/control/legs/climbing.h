// Humps and ledges for a body of hinged segments (docs/theory/hexapod.md#climbing; Konyev 2011, eqs. (3.10), (3.11), Fig. 3.31).
//   hump:   hinge pitch = difference of the normal angles of the ground, offset by the clearance, at the two shoulders that the hinge joins
//   ledge:  h_max = l_LEG + l_BS sin alpha,  l_LEG = l2 + l3: an optimistic bound;   hinge torque = m_rear g l_BS cos alpha
#pragma once
#include <array>
#include <string_view>

#include "sinew/control/legs/segments.h"

namespace sinew::legged {

// Angle of the hinge between two shoulders that are `spacing` apart on a cylinder of radius R + clearance [rad]. NaN: they do not fit on it.
double hump_angle(double R, double clearance, double spacing);
// Hinge pitch from the normal angles at the shoulders, from the x axis toward z [rad]: front minus rear of the two.
double hinge_on_ground(double normal_front, double normal_rear);

double ledge_height(const SegmentedBody& body, double alpha);
// Torque in the hinge that holds the last segment with its legs, lifted, when the body is pitched by alpha [N m].
double lifted_segment_torque(const SegmentedBody& body, double alpha, double g);
// How far the mass centre is behind the front shoulders, horizontally: front segment pitched by alpha, or a straight body that has its front
// shoulders as high [m]. Legs count at their shoulders.
double com_to_front_articulated(const SegmentedBody& body, double alpha);
double com_to_front_rigid(const SegmentedBody& body, double alpha);

// Eight phases of climbing a ledge; each ends when its conditions hold.
enum class LedgePhase { Approach, Gather, FrontUp, BodyUp, MiddleUp, BodyForward, RearUp, Level, Done, Failed };
inline constexpr std::array<std::string_view, 10> ledge_phase_names{
    "approach",     "feet to the wall", "front feet up", "body up", "middle feet up",
    "body forward", "rear feet up",     "level",         "done",    "failed"};

// What a controller knows; what it does not need in a phase is not looked at.
struct LedgeSight {
  double to_wall = 0.0;                // from the front shoulders [m]
  double front_feet_to_wall = 0.0;     // the further one [m]
  std::array<double, 3> least_load{};  // of the feet of front, middle, rear: the smaller normal force [N]
  double com_to_middle_feet = 0.0;     // ahead: positive [m]
  double margin = 0.0;                 // static, on the feet that stand [m]
  double hinge_torque = 0.0;           // of the hinge of the rear segment [N m]
  double friction_used = 0.0;          // largest |F_t| / F_n
  double least_support = 0.0;          // smallest normal force of a foot that should carry [N]
  double rear_to_edge = 0.0;           // how far the rear feet are past the edge [m]
  double pitch = 0.0;                  // of the body, either way [rad]
};

struct LedgeRules {
  double stroke = 0.07, near_wall = 0.03, loaded = 5.0;  // [m, m, N]
  double near_middle = 0.02, s_min = 0.0;                // [m]
  double torque_limit = 10.8, mu = 0.6, carries = 2.0;   // [N m], 1, [N]
  double level = 0.03, timeout = 20.0;                   // [rad], of a phase [s]
};

// One condition of a phase: it holds if lacking <= 0.
struct LedgeCondition {
  std::string_view what;
  double lacking;  // in the unit of what it bounds
};
struct LedgeConditions {
  int n = 0;
  std::array<LedgeCondition, 4> of;
  bool hold() const;
  const LedgeCondition& worst() const;
};
LedgeConditions conditions_of(LedgePhase phase, const LedgeRules& rules, const LedgeSight& sight);

// Doubles alone, as GaitState.
struct LedgeClimb {
  double phase = 0.0, ticks = 0.0;                           // in the phase
  double failed_in = -1.0, failed_of = -1.0, lacking = 0.0;  // phase, number of its condition, by how much
  LedgePhase now() const { return LedgePhase(int(phase)); }
};
// One tick: the next phase when all conditions hold, Failed when time is up.
void step_ledge(LedgeClimb& climb, const LedgeRules& rules, const LedgeSight& sight, double tick);

}  // namespace sinew::legged
