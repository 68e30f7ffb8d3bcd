// What plants of rods with given strain have in common: the rod, what is read of it, and a state that begins with the head's pose
// and twist.
#pragma once
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/rod/head.h"
#include "sinew/rod/readout.h"

namespace sinew::rod {

template <class G>
class GivenStrain : public SectionPlant {
 public:
  const std::vector<Section>& sections() const override { return readout_.sections(); }
  const std::vector<PlantReading>& readings() const override { return readout_.readings(); }

  void place(double t, std::span<const double> state, std::span<SectionMotion> out, Scratch& scratch) const override {
    SINEW_ASSERT(int(state.size()) >= pose + G::n);
    readout_.place(rod_, t, load_pose<G>(state.data()), load_twist<G>(state.data() + pose), passing(scratch).work, out);
  }

  PlantEnergy energy(double t, std::span<const double> state, Scratch& scratch) const override {
    SINEW_ASSERT(int(state.size()) >= pose + G::n);
    const G head = load_pose<G>(state.data());
    const Totals<G> k =
        totals_along(rod_, t, head, load_twist<G>(state.data() + pose), Depth::Powers, passing(scratch).work);
    return {0.0, potential_energy(rod_, k, head), k.kinetic};
  }

 protected:
  static constexpr int pose = pose_size<G>;

  struct Passing : Scratch {
    Workspace<G> work;
    Snapshot<G> snapshot;
    Passing(const Rod<G>& rod, std::size_t sections) : work(rod) { snapshot.pushes.reserve(sections); }
  };
  static Passing& passing(Scratch& scratch) { return static_cast<Passing&>(scratch); }

  GivenStrain(const Rod<G>& rod, const ReadoutPlan& looks) : rod_(rod), readout_(rod, looks) {}

  // The head's pose as it is read: turns in the plane count whole turns, as the state does.
  static typename G::Twist pose_read(const G& head, std::span<const double> state) {
    if constexpr (G::n == 1) return {head.x};
    if constexpr (G::n == 3) return {state[0], state[1], state[2]};
    if constexpr (G::n == 6) return join(head.p, angular(logarithm(head)));
  }

  static void tally(const PlantPower& p, double weight, PlantPower& work) { work.add(p, weight); }

  static bool all_finite(std::span<const double> state) {
    for (const double x : state)
      if (!std::isfinite(x)) return false;
    return true;
  }

  Rod<G> rod_;
  Readout<G> readout_;
};

}  // namespace sinew::rod
