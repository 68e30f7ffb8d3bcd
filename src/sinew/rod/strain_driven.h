// The general dynamic algorithm (docs/theory/rods.md#dynamic-algorithm): the strain is given, loads act, the head goes where the balance of
// momentum takes it. State: pose and twist of the head, and when the
// rod first touched the ground.
#pragma once
#include <memory>

#include "sinew/rod/head.h"
#include "sinew/rod/readout.h"

namespace sinew::rod {

template <class G>
struct StrainDrivenPlan {
  Rod<G> rod;
  ReadoutPlan looks;
  G start = G::identity();
  typename G::Twist start_twist = G::Twist::zero();
  bool rest_start = false;  // instead of start_twist: no momentum at the start
  double tolerance = 1e-9;  // of rk45, for a step
};

// Methods: rk4 (Runge-Kutta-Munthe-Kaas of order 4), rk45 (Dormand and Prince, its own steps inside a step), euler (two stages,
// linearly implicit in the twist: for stiff friction; order 2).
template <class G>
std::shared_ptr<const SectionPlant> make_strain_driven(StrainDrivenPlan<G> plan);

}  // namespace sinew::rod
