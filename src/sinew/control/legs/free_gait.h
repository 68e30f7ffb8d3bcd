// Free gait (docs/theory/hexapod.md#free-gait): no table says which leg steps next. The leg with the least way left goes first, if the feet that
// remain carry the mass centre with a margin; its foothold is the cheapest of the places that it reaches.
#pragma once
#include <array>
#include <span>

#include "sinew/control/legs/gait_table.h"
#include "sinew/math/linear.h"

namespace sinew::legged {

struct FreeGaitFoot {
  Vec3d point = Vec3d::zero();  // in the plane of the body [m]
  double left = 0.0;            // way until its rear end [m]
  bool usable = true;           // false: a lost leg, or one that does something else
  bool has_place = true;        // false: within reach is no ground for it yet
};

struct FreeGaitRules {
  double s_min = 0.02;  // margin without the leg [m]
  double hurry = 0.02;  // legs that differ by less in what is left count as equal: the larger margin decides [m]
  int most_airborne = 2;
  double enough = 0.05;  // legs with more way left need no step [m]
  // Of the mass centre over the feet while a leg is in the air: a leg that is not at its end lifts only if the margin holds there, too [m].
  Vec3d travel = Vec3d::zero();
};

struct FreeGaitChoice {
  int leg = -1;            // -1: none should or may lift
  double margin = 0.0;     // without it [m]
  bool must_wait = false;  // a leg has no way left and may not lift: the body has to stop
  int refused = -1;        // of the legs without way left one that only the margin forbids to lift
};
FreeGaitChoice next_leg(std::span<const FreeGaitFoot> feet, LegSet airborne,
                        const std::array<LegSet, most_legs>& neighbours, const Vec3d& com,
                        const FreeGaitRules& rules = {});

// The cheapest of the places for a foot: cost of the ground there (infinite: forbidden) and its distance from the wanted one. -1: none.
struct FootholdCandidate {
  Vec3d point;
  double cost;  // [m]: as a way
};
int choose_foothold(std::span<const FootholdCandidate> candidates, const Vec3d& wanted);

}  // namespace sinew::legged
