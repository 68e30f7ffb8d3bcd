// Bodies that are in the ground and cannot have come there: found at the start, and in a run now and then.
// What touches sinks in by no more than the way of a step, because contacts are looked for once in it, and a penalty contact by
// what its spring gives way. A shape that lies in the ground as a whole, and deeper than both, has passed it.
#pragma once
#include <string>
#include <vector>

#include "sinew/world/observe.h"

namespace sinew {

// Constants of a run.
struct GroundWatch {
  double steepest = 0.0;  // slope of the ground, see parts/touch/depth.h
  double weight = 0.0;    // of all bodies [N]
  // per shape: depth that does not count, 1 % of the size of its robot [m]; below 0: it is held in place
  std::vector<double> tolerated;
};
GroundWatch ground_watch_from(const World<double>& world, const Observation<double>& seen);

// Greatest speed of a point of a shape that is not held in place [m/s].
double top_speed(const World<double>& world, const Observation<double>& seen, const GroundWatch& watch);

struct Sunk {
  int shape = -1;                     // the deepest, in Model::shapes; -1: none
  double depth = 0.0, allowed = 0.0;  // of all of it; that it may be [m]
};

// way: that a point may have gone in a step [m]. energy: that may have pressed a penalty contact together [J].
Sunk find_sunk(const World<double>& world, const Observation<double>& seen, const GroundWatch& watch, double way,
               double energy);

// "body leg is 0.4 m below the ground (ground.kind = "mesh") with all of its shape leg.foot"
std::string text_of(const Sunk& sunk, const Model& model);

}  // namespace sinew
