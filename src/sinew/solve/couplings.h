// Rows of couplings: one equation phi = 0 beside those of joints, sum_i p_i(q_i) = value or |p_2 - p_1| = value.
//   gamma = d/dt phi = sum_i f_i (e_i . V_rel)      f_i = p_i'(q_i); of a distance f = 1 and e points from p_1 to p_2
//   d/dt gamma = sum_i f_i d/dt (e_i . V_rel) + p_i''(q_i) (e_i . V_rel)^2
// Each term acts on two bodies like a row of a cut joint (solve/cuts.h): where both are in one tree, that is a torque on the joint.
#pragma once
#include <vector>

#include "sinew/kinematics/frames.h"

namespace sinew {

template <Real S>
struct CouplingSide {  // of a term, written by place_couplings
  Vec3<S> e;           // axis of the joint, or the line between the points
  joint::Dir dir;
  Vec3<S> arm1, arm2;  // from the bodies' origins to where it acts on them
  S factor, curve;     // f, and p''; of a distance 1 and 1 / distance
  S value;             // p(q), or the distance
};

template <Real S>
void place_couplings(const Model& model, const Params<S>& params, const Frames<S>& frames,
                     std::vector<CouplingSide<S>>& sides);

// gamma of coupling k for the velocities V of the links.
template <Real S>
S coupling_velocity(const Model& model, int k, const std::vector<CouplingSide<S>>& sides, const Twist<S>* V);

// d/dt gamma for the links' velocities in frames and accelerations a.
template <Real S>
S coupling_acceleration(const Model& model, int k, const Frames<S>& frames, const std::vector<CouplingSide<S>>& sides,
                        const Twist<S>* a);

// phi.
template <Real S>
S coupling_gap(const Model& model, int k, const Params<S>& params, const std::vector<CouplingSide<S>>& sides);

// Calls push(link, W) for each body on which an impulse P on the row acts, W about the link's origin.
template <Real S, class Push>
void spread_coupling(const Model& model, int k, const std::vector<CouplingSide<S>>& sides, const S& P, Push&& push) {
  const Coupling& c = model.couplings[std::size_t(k)];
  for (int t = c.term; t < c.term + c.n_terms; t++) {
    const CouplingTerm& term = model.coupling_terms[std::size_t(t)];
    const CouplingSide<S>& side = sides[std::size_t(t)];
    const Vec3<S> F = side.e * (side.factor * P);
    const auto act = [&](int body, const Vec3<S>& arm, const Vec3<S>& f) {
      if (body < 0) return;
      push(body, side.dir == joint::Dir::Angular ? Wrench<S>{f, Vec3<S>::zero()} : Wrench<S>{cross(arm, f), f});
    };
    act(term.body2, side.arm2, F);
    act(term.body1, side.arm1, -F);
  }
}

}  // namespace sinew
