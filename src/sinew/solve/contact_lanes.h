// Contacts of loose bodies side by side, one a lane: sweeps that solve as many at once as a register holds. Contacts of one pack
// share no body that moves, so that each is still solved against the velocities that all before it left.
#pragma once
#include <span>
#include <vector>

#include "sinew/math/lane_pack.h"
#include "sinew/math/spatial.h"

namespace sinew {

struct SparseContact;
struct SparseProblem;

// Of all velocities in one sweep: the largest of one row, and their sum of squares in terms of energy.
struct SweepChange {
  double largest, energy;
};

struct ContactLanes {
  LaneLinks contact;       // in SparseProblem::contacts; -1: the lane is empty
  LaneLinks body1, body2;  // in SparseProblem::V; what does not move is the one behind the last
  Vec3<Lanes> n, t1, t2, arm1, arm2;
  Lanes per_m1, per_m2;
  Sym3<Lanes> per_I1, per_I2;
  Lanes c[3], P[3];
  Lanes give, r_N, r_T;  // r_N, r_T: steps of the normal impulse and of friction
  Lanes rim;             // where between y_N (0) and |y_T| (1) the nearest point of the rim has its radius
  Sym3<Lanes> G, K;
  LaneMask sticks;
  Lanes mu_forward, mu_backward, mu_trans, per_forward, per_backward, per_trans;  // per: over it, 0 where it is 0
  Lanes P_last[3];
};

// Only sides that are loose bodies or the world, and no torques.
bool fits_lanes(const SparseContact& contact);

void fill_lanes(const SparseProblem& problem, std::span<const int> contacts, std::vector<ContactLanes>& packs);
// Each pack's impulses first go on along the way of the last sweep, x + beta (x - last), when it is their turn: a pass of its own over
// all packs would read them from memory once more.
SweepChange sweep(std::span<ContactLanes> packs, double beta, Twist<double>* V);
void put_back(std::span<const ContactLanes> packs, SparseProblem& problem);

}  // namespace sinew
