// The ground along the way of a body of hinged segments, and how the body lies over it (docs/theory/hexapod.md#normals; Konyev 2011, eq. (3.10)).
// What a shoulder follows is the ground offset by the clearance c: where the middle of a ball of radius c goes that rolls over it,
//   Z(X) = max_x z(x) + sqrt(c^2 - (X - x)^2),   slope phi = atan Z'(X) by least squares over X +- window,
//   hinge pitch = difference of the slopes at the two shoulders that it joins
// x along the way, z up [m]. The slope is the angle of the normal from the vertical, backward.
#pragma once
#include <array>

#include "sinew/control/legs/segments.h"

namespace sinew::legged {

// A round hump across the way: part of a cylinder.
struct Hump {
  double top = 0.0, radius = 0.0, height = 0.0;  // place along the way, of the cylinder, over level ground [m]
  double z(double x) const;
};

// Heights cell by cell, as a ring. Doubles alone, so that it fits into a block of State::memory.
struct GroundProfile {
  static constexpr int cells = 192;
  static constexpr double length = 0.01;    // of a cell [m]
  std::array<double, cells> z{}, weight{};  // weight 0: not known
  double first = 0.0, begun = 0.0;          // number of the rearmost cell; 1: there are any

  // Before anything else: the rearmost place of which it knows. What lies behind is forgotten.
  void move_to(double rear);
  // weight: of what is seen now, to be compared with what was; old views lose theirs.
  void see(double x, double height, double with_weight);
  void put(double x, double height);  // whatever was seen
  bool height_at(double x, double& height) const;
};

struct BodyOverGround {
  std::array<double, most_segments> slope{}, hinge{};  // at the shoulders; of each segment to the next one inward [rad]
  double rise = 0.0;                                   // Z - c at the middle shoulders [m]
};
// x: of the middle shoulders. false: too little is known, and `out` is as it was.
bool lie_over_ground(const GroundProfile& ground, const SegmentedBody& body, double x, double clearance,
                     BodyOverGround& out);

}  // namespace sinew::legged
