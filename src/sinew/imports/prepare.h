// From a robot as its file has it to one that can be simulated: parts that are fixed to each other become one, what no robot can have
// is repaired and named, and what the file leaves open is decided.
#pragma once
#include <string>
#include <vector>

#include "sinew/imports/robot.h"

namespace sinew::imports {

struct PrepareOptions {
  std::string base = "auto";   // of a robot whose root nothing holds: auto, free, fixed
  std::string drive = "file";  // of joints with one axis: as the file says, none, servo, motion
  // file; or shapes: where a moment is larger than mass times the square of how far the shapes reach, that of the shapes
  std::string inertia = "file";
  bool keep_fixed = false;  // parts that are fixed to each other stay bodies of their own
};

// Needs the meshes of hulls that were found. Density of what has no mass: that of water.
inline constexpr double water = 1000.0;  // [kg/m^3]
void prepare(ImportedRobot& robot, const PrepareOptions& options);

// Where each body is at the start, in the world.
std::vector<Posed> start_poses(const ImportedRobot& robot);

}  // namespace sinew::imports
