// Loads on a rod, as densities per unit of reference length (docs/theory/rods.md#loads). They add up. Their geometry is turned
// into the head's frame once for each pass, so a section needs its pose relative to the head only.
#pragma once
#include <vector>

#include "sinew/rod/inertia.h"

namespace sinew::rod {

struct Peg {
  double x, y, D;  // of the axis, along z; body radius + peg radius [m]
};

// A force and a couple at an end, in world axes (dead) or in those of the section (follower).
struct EndLoad {
  Vec3d dead_force = Vec3d::zero(), dead_couple = Vec3d::zero();
  Vec3d follower_force = Vec3d::zero(), follower_couple = Vec3d::zero();
};

struct Loads {
  Vec3d gravity = Vec3d::zero();                    // [m/s^2]
  double buoyancy = 0.0;                            // mass of displaced fluid per length [kg/m]
  double ct = 0, cn = 0, crx = 0, crn = 0;          // viscous [N s/m^2], [N s]
  double nload = 0, muf = 0, mub = 0, mun = 0;      // dry friction [N/m], [1]
  double vs = 0.01;                                 // [m/s]
  double kqt = 0, kqn = 0, ma = 0;                  // fluid, at the head [kg/m^2], [kg/m^2], [kg/m]
  double kqt_tail = 0, kqn_tail = 0, ma_tail = 0;   // at the tail; linear between
  double ground_k = 0, ground_c = 0, ground_d = 0;  // ground [N/m^2] or, Hunt-Crossley, [N/m^2.5]; [N s/m^2]; [s/m]
  bool hunt_crossley = false;
  Vec3d ground_normal = Vec3d(0, 0, 1);
  double ground_height = 0.0, ground_radius = 0.0;  // of the ground along its normal; of the body that touches it [m]
  double kpeg = 0, dpeg = 0, mupeg = 0;             // pegs [N/m^2.5], [s/m], [1]
  std::vector<Peg> pegs = {};
  EndLoad head = {}, tail = {};

  bool has_ends() const;
  bool has_density() const;
  bool has_added_mass() const { return ma != 0.0 || ma_tail != 0.0; }
};

template <class G>
struct HeadLoads {
  using Twist = typename G::Twist;
  const Loads* loads;
  bool active, added;
  double l;
  Lin<G> weight;  // (m - buoyancy) gravity, in the head's axes
  Lin<G> normal;
  double height;
  Lin<G> peg_axis;             // in space; unused in the plane
  std::vector<Lin<G>> pegs;    // places in the head's frame
  Twist F_minus, F_tail_dead;  // at the head; dead loads of the tail as force and couple in the head's axes
  Twist F_tail_follower;       // in the tail's axes

  HeadLoads(const Loads& loads, double l);
  void look_from(const G& head, double mass_per_length);
};

// What a load needs of a section, and what it answers in section axes: weight; friction, which takes energy out; the rest.
// The added inertia of a fluid is not part of them: added(X) stands on the axes across.
template <class G>
struct SectionLoad {
  typename G::Twist weight, friction, other;
};
template <class G>
struct SectionState {
  using Twist = typename G::Twist;
  double X;
  const G& g;
  const Twist &xi, &xi_t;  // strain and its rate
};
template <class G>
void density(const HeadLoads<G>& k, const SectionState<G>& at, const typename G::Twist& eta, SectionLoad<G>& out);

SINEW_INLINE double added_mass(const Loads& k, double X, double l) { return k.ma + (k.ma_tail - k.ma) * X / l; }

// W of a fluid: what flows in at a blunt nose.
template <class G>
typename G::Twist nose(const Loads& k, const typename G::Twist& eta);

}  // namespace sinew::rod
