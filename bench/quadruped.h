// The state of the quadruped that is compared.
#pragma once
#include "robots/quadruped/torque_sharing.h"

namespace sinew::bench {

struct QuadrupedCase {
  legged::Quadruped robot;
  legged::Feet feet;
  legged::StanceState state;
  legged::Vec14 tau;
};
QuadrupedCase quadruped_case();

}  // namespace sinew::bench
