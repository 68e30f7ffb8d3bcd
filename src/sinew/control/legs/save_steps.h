// Footholds that save a biped from a fall (docs/theory/biped.md#footholds-that-move). What the sole cannot give back until the foot in the air lands, T
// seconds from now, is for that foot: with the error of the capture point e = xi - xi_plan,
//   p_wanted = p_plan + e / (1 - e^(-w T))  brings it back;  put into the sole, p, it leaves  shift = (e - (p - p_plan)) e^(w T) + (p - p_plan)
#pragma once
#include "sinew/control/legs/step_chain.h"

namespace sinew::legged {

struct SaveSteps {
  bool is_on = true;
  double ahead = 0.40, back = 0.35;              // how far a foot may go from the other [m]
  double apart_least = 0.13, apart_most = 0.42;  // and to the side [m]
  double dead = 0.02;                            // what a foothold need not follow [m]
  double frozen = 0.12;                          // before it lands a foot goes where it was told [s]
};

// What is known of the motion.
struct CaptureSeen {
  Vec3d xi = Vec3d::zero();     // measured capture point [m]
  Vec3d p_ref = Vec3d::zero();  // zero-moment point of the walk [m]
  double w = 0.0;               // of the mass centre's pendulum [1/s]
};

void save_by_steps(const StepChainWalk& walk, const SaveSteps& save, const CaptureSeen& seen, double dt, StepChain& c);

}  // namespace sinew::legged
