// What legs that swing turn to one side, arms and a waist turn to the other (docs/theory/biped.md#full-body), so that no moment about the vertical is left
// for the soles to hold:
//   L = sum m ((x - c_x)(v_y - c_y') - (y - c_y)(v_x - c_x'))        of all masses, about the vertical through their centre c [N m s]
//   sum J_i s_i' = -L,   least sum s_i'^2                            J_i: what a part that turns with s_i' adds to L [kg m^2]
// Each part comes back to its middle in the time `forget`, and stays within its range.
#pragma once
#include <span>

#include "sinew/control/legs/biped_body.h"

namespace sinew::legged {

// Of points that have moved in dt seconds from `before` to `now`, as many of the same masses [N m s].
double yaw_momentum(std::span<const MassPoint> before, std::span<const MassPoint> now, double dt);

struct YawPart {
  double inertia = 0.0;  // J [kg m^2]
  double most = 0.5;     // range to either side [rad]
  double s = 0.0;        // where it is [rad]
  double rate = 0.0;     // [rad/s]
};
// The parts' angles and rates dt later, while the others have L. forget [s].
void turn_against(double L, double forget, double dt, std::span<YawPart> parts);

}  // namespace sinew::legged
