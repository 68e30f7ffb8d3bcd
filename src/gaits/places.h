// Where the bodies of a plan are for coordinates of its joints: what gaits of legs, and of chains whose axes alternate, must know. Joints with one axis
// take any coordinate; the others stay as they start, and where that is not a place in the parent, at zero.
#pragma once
#include <span>
#include <vector>

#include "sinew/model/plan.h"

namespace sinew::gaits {

class Places {
 public:
  explicit Places(const Plan& plan);

  // Of the joints of the plan, in its order, at the start; 0 for those that have not one axis.
  const std::vector<double>& start() const { return start_; }
  std::vector<Posed> bodies(std::span<const double> q) const;
  // Joints from the world to a body, the last first; -1 ends it for what nothing carries.
  int carrier(int body) const { return carrier_[std::size_t(body)]; }
  int parent(int body) const;             // -1: the world
  int body(std::string_view name) const;  // -1: the world, or none
  // Axis of a joint in the world when its child is there, and a point on it.
  Vec3d axis(int joint, const std::vector<Posed>& bodies) const;
  Vec3d point(int joint, const std::vector<Posed>& bodies) const;
  Vec3d mass_centre(const std::vector<Posed>& bodies) const;
  Vec3d up() const;  // against gravity

 private:
  Posed step(int joint, double q) const;

  const Plan& plan_;
  std::vector<int> order_, carrier_;  // bodies, parents first; of each, the joint that carries it
  std::vector<int> parent_;           // of each joint: body, or -1
  std::vector<double> start_;
};

// Joints that turn about one axis each, carry each other, and whose axes alternate by right angles, such as modules of a snake each of which is turned
// against the one before: JointPlan::wave_axis of each says to which side it turns at the start. Other joints are left as they are.
void tell_alternating(const Places& places, std::span<JointPlan* const> driven, const Plan& plan);

}  // namespace sinew::gaits
