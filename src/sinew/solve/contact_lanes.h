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

// What every pack holds.
struct PackedContacts {
  LaneLinks contact;       // in SparseProblem::contacts; -1: the lane is empty
  LaneLinks body1, body2;  // in SparseProblem::V; what does not move is the one behind the last
  Vec3<Lanes> n, t1, t2;
  Lanes per_m1, per_m2;
  Lanes c[3], P[3], P_last[3];
  Lanes give, rim;  // rim: where between y_N (0) and |y_T| (1) the nearest point of the rim has its radius
};

struct ContactLanes : PackedContacts {
  Vec3<Lanes> arm1, arm2;
  Sym3<Lanes> per_I1, per_I2;
  Lanes r_N, r_T;  // steps of the normal impulse and of friction
  Sym3<Lanes> G, K;
  LaneMask sticks;
  Lanes mu_forward, mu_backward, mu_trans, per_forward, per_backward, per_trans;  // per: over it, 0 where it is 0
};

// Contacts of balls with one another and with what does not move: arms along the normal, the same inertia about all axes, the same
// friction in all directions. G is diagonal then, with one number for both directions of friction, and half the numbers suffice.
struct BallLanes : PackedContacts {
  Lanes r1, r2;        // arms, along n
  Lanes turn1, turn2;  // what a tangential impulse of 1 does to the bodies' angular velocities
  Lanes G_N, G_T, K_N, K_T;
  Lanes mu, per_mu;
};

// Only sides that are loose bodies or the world, and no torques.
bool fits_lanes(const SparseContact& contact);
// Such as BallLanes hold, but for rounding; the certificate knows nothing of it.
bool fits_balls(const SparseProblem& problem, const SparseContact& contact);

void fill_lanes(const SparseProblem& problem, std::span<const int> contacts, std::vector<ContactLanes>& packs);
void fill_lanes(const SparseProblem& problem, std::span<const int> contacts, std::vector<BallLanes>& packs);
// Each pack's impulses first go on along the way of the last sweep, x + beta (x - last), when it is their turn: a pass of its own over
// all packs would read them from memory once more.
SweepChange sweep(std::span<ContactLanes> packs, double beta, Twist<double>* V);
SweepChange sweep(std::span<BallLanes> packs, double beta, Twist<double>* V);
void put_back(std::span<const ContactLanes> packs, SparseProblem& problem);
void put_back(std::span<const BallLanes> packs, SparseProblem& problem);

}  // namespace sinew
