// Keys that all rods share, and what follows from them (docs/theory/rods.md).
#pragma once
#include <vector>

#include "robots/catalog.h"
#include "sinew/model/rod_parameters.h"
#include "sinew/rod/readout.h"

namespace sinew::robots {

// Size, material and how finely it is computed.
struct RodBody : RodSize {
  int cells = 100, sections = 0, scheme = 0;
  std::vector<double> X_profile = {};  // empty: twenty-one places

  explicit RodBody(RodSize size = {.radius = 0.02}) : RodSize(size) {}
  void describe(Keys& keys);
  rod::Grid grid() const { return {length, cells, rod::nodes_of(rod::Scheme(scheme))}; }
  rod::ReadoutPlan looks(int slots) const;

  template <class G>
  rod::Rod<G> make(std::shared_ptr<const rod::StrainLaw<G>> law, const rod::Loads& loads) const {
    return {rod::circular<G>(density, radius), radius, std::move(law), loads, rod::Scheme(scheme)};
  }
};

// Keys of loads that act along the rod; gravity and pegs are the plan's.
struct RodLoads {
  rod::Loads loads;
  double fluid_density = 0.0;                                            // for buoyancy [kg/m^3]
  std::vector<double> added_mass, fluid_drag_along, fluid_drag_across;   // at head and tail, or one for both
  std::vector<double> head_force, head_moment, tail_force, tail_moment;  // dead
  std::vector<double> head_follower, tail_follower;                      // force and moment in the section's axes
  bool pegs = false;                                                     // takes those of the plan

  RodLoads();
  void describe(Keys& keys, bool all);
  // With the plan's gravity and pegs. `axes`: how many axes of the world the rod knows. Throws PlanError.
  rod::Loads finish(const Plan& plan, const RodBody& body, int axes) const;
};

// No gravity by default: rods swim, glide on a floor or hold on to something; a scenario says where they fall.
Plan rod_plan();

// A start pose in the plane (x, y, turn) or in space (place, rotation vector); empty: at the origin.
template <class G>
G start_pose(const std::vector<double>& numbers);

// All numbers of a list are within [0, length]; else the key is rejected.
void check_abscissae(Keys& keys, const char* key, const std::vector<double>& X, double length);

}  // namespace sinew::robots
