// Legs of any robot, as its plan has them: which joints carry which foot, and where the joints must be for a foot to be somewhere.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "gaits/places.h"

namespace sinew::gaits {

struct Limb {
  int body;                 // the foot
  std::vector<int> joints;  // of the plan, from the trunk to the foot: driven, one axis each
  Vec3d toe;                // where it stands, in the foot's axes
};

// A robot that stands on legs. All places are in the frame G of its start: below the trunk's origin, x ahead, z up.
class LeggedPlan {
 public:
  // feet: names of bodies, left ones from front to rear, then right ones; empty: found. heading: of the trunk's x axis against ahead [rad].
  // Throws PlanError.
  LeggedPlan(const Plan& plan, std::span<const std::string> feet, double heading);

  int legs() const { return int(limbs_.size()); }
  const Limb& limb(int leg) const { return limbs_[std::size_t(leg)]; }
  const std::string& name(int leg) const { return plan_.bodies[std::size_t(limb(leg).body)].name; }
  const Vec3d& neutral(int leg) const { return neutral_[std::size_t(leg)]; }  // at the start
  const std::vector<double>& start() const { return places_.start(); }

  // Joints of a leg, in q, such that its toe is there while the trunk is at its start: from the start on, so that they follow from the place alone.
  // False: out of reach.
  bool reach(int leg, const Vec3d& toe, std::span<double> q) const;
  // Of the whole robot, its trunk at the start [m].
  Vec3d mass_centre(std::span<const double> q) const;
  double weight() const;  // [N]
  // Torques of the joints of legs, in the order of the plan's joints, that hold their weight and hand on vertical forces to their toes.
  std::vector<double> holding_torques(std::span<const double> q, std::span<const double> force) const;

 private:
  void find_feet(std::span<const std::string> names);
  void choose_legs(const std::vector<Posed>& X);
  void find_joints(Limb& limb) const;
  Vec3d toe_of(int body, const std::vector<Posed>& X) const;
  Vec3d to_G(const Vec3d& p) const { return transpose_times(X_WG_.R, p - X_WG_.p); }

  const Plan& plan_;
  Places places_;
  int trunk_ = -1;
  Posed X_WG_ = Posed::identity();
  std::vector<Limb> limbs_;
  std::vector<Vec3d> neutral_;
};

}  // namespace sinew::gaits
