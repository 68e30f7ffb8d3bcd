// Contacts in time for the gaits of docs/theory/rods.md#gaits: functions for KinematicPlan::contacts.
#pragma once
#include <functional>
#include <vector>

#include "sinew/rod/contact.h"
#include "sinew/rod/gaits.h"

namespace sinew::rod {

template <class G>
using Schedule = std::function<int(double t, double of, Contact<G>* out)>;

// Anchors where the worm is thickest, C_i = phi + lam/4 - n lam within [0, l].
Schedule<Line> worm_anchors(const WormGait& gait, double l, ContactKind kind);
int worm_slots(const WormGait& gait, double l);

// The head is clamped in the first half of each period pi/om, the tail in the second.
Schedule<Plane> inchworm_clamps(const InchwormGait& gait, double l);

// Supports that stand still in space: C_i(t) = C_i - (s(t) - s(t_C)), and, with a period, the same again before and after.
struct Supports {
  std::vector<double> C;         // at the time t_C [m]
  double t_C = 0.0;              // [s]
  double period = 0.0;           // 0: only these [m]
  std::vector<double> side, mu;  // one for each, or empty
};
template <class G>
Schedule<G> supports(const Supports& where, const SnakeGait& gait, double l);
// For a rod that glides at a speed of its own: supports that stay at their sections.
template <class G>
Schedule<G> fixed_supports(const Supports& where);

// One clamp at X = 0 that takes everything: the base of an arm.
template <class G>
Schedule<G> base_clamp();

}  // namespace sinew::rod
