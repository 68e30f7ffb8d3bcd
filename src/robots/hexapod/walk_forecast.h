// The shift of the body over a period of a gait, for level walking (docs/theory/hexapod.md#correction).
#pragma once
#include <span>

#include "sinew/control/legs/com_shift.h"
#include "sinew/control/legs/gait_generator.h"
#include "sinew/control/legs/gait_table.h"
#include "sinew/control/legs/segments.h"
#include "sinew/control/legs/stroke_path.h"

namespace sinew::robots {

struct ForecastInput {
  const legged::SegmentedBody& body;
  const legged::GaitTable& table;
  legged::StepShape shape;
  legged::PlaneTwist path;
  double s_min, speed;  // margin [m], of the shift [m/s]
  legged::LegSet lost = 0;
};
// Forward, at equal parts of the master phase. All zero: nothing can be forecast, the guard alone decides.
void forecast_walk(const ForecastInput& in, std::span<double> shift);

// Angle of the hinges over a hump or hollow, far ends up: radius from the heights of three rows of feet, then the angle between the normals at two
// shoulders [rad]. False: a row has no foot on the ground.
bool bend_over_ground(const legged::SegmentedBody& body, const legged::GaitState& gait, double height, double& angle);

// How far the mass centre goes when the body is shifted by 1 over feet that stand: less, because part of the legs stays.
double com_gain(const legged::SegmentedBody& body);

}  // namespace sinew::robots
