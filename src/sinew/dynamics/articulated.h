// Articulated-body recursion: A du = f for a whole forest in time linear in its links.
// A = M + diag, M the mass matrix with reflected inertia (Frames::reflected), diag a non-negative addition per freedom (implicit
// springs and dampers).
// From the leaves to the roots, each link's articulated inertia I = [A B; B^T C] (angular, linear) and bias wrench p have
// the joint's freedom S eliminated and are shifted to the parent:
//   U = I S,  D = S^T U + reflected + diag,  Y = U D^-1,  I_parent += shift(I - Y U^T)
//   e = tau - bias - S^T p,  x = D^-1 e,  p_parent += shift(p + Y e)
// and from the roots to the leaves, the accelerations split into coast (all du/dt zero; part of p) and change:
//   change' = shift(change_parent),  du_i/dt = x_i - Y_i . change',  change = change' + S du/dt,  a = coast + change
// Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 7, with classical accelerations in world axes.
#pragma once
#include "sinew/dynamics/rigid.h"

namespace sinew {

template <Real S>
struct ArticulatedInertia {
  Sym3<S> A;  // angular-angular, about the link's origin
  Mat3<S> B;  // torque from linear acceleration
  Sym3<S> C;  // linear-linear
};

struct RigidPart {  // of a link (batch) or of several (single robot), see rigid.h
  Sym3<Lanes> A;    // own inertia about the link's origin, world axes
  Vec3<Lanes> mc;   // mass times centre of mass
  Wrench<Lanes> p;  // what the link feels when all du/dt are zero
};

template <Real S>
struct Handed {  // what a link is to its parent
  ArticulatedInertia<S> I;
  Wrench<S> p;
};

struct RankBlocks {                  // of Model::ranks, one link a lane; only of a single robot
  std::vector<Wrench<Lanes>> Y;      // as in Blocks, the same numbers once more
  std::vector<Lanes> x;              // as in Blocks; forward_dynamics does not write those of these links there
  std::vector<Twist<Lanes>> a;       // as in Blocks, the same numbers once more
  std::vector<Handed<double>> limb;  // what each limb is to the link that carries it

  RankBlocks(const Model& model, bool single_robot);
};

template <Real S>
struct Blocks {                          // the factor of A; valid inside one step
  std::vector<ArticulatedInertia<S>> I;  // of free roots: the factor; written by forward_dynamics
  std::vector<Wrench<S>> p;  // in of solve_impulse: minus the impulse on each link; scratch of forward_dynamics
  std::vector<Wrench<S>> Y;  // per frame axis; written by forward_dynamics
  std::vector<S> D;          // factored, n x n at 6 * Link::axis (diagonal: inverses; of free roots no more
                             // than that); written by forward_dynamics
  std::vector<S> x;          // D^-1 e of the running solve, per frame axis
  std::vector<Twist<S>> a;   // accelerations, or velocity changes, of the links; written by the solves

  std::vector<Handed<S>> handed;  // scratch of forward_dynamics: what waits for a parent
  std::vector<RigidPart> rigid;   // scratch of forward_dynamics, several links in one: those of Model::single
  RankBlocks rank;                // scratch of forward_dynamics

  explicit Blocks(const Model& model);
};

// What acts besides gravity.
template <Real S>
struct ActingForces {
  const S* tau;                                      // per freedom of State::u
  const std::vector<Wrench<S>>* external = nullptr;  // on each link about its centre of mass; nullptr: none
  const S* diag = nullptr;                           // addition to M per freedom; nullptr: none
};

// du/dt for given frames (at the right q, u, driven motions); leaves A factored.
template <Real S>
void forward_dynamics(const Model& model, const Params<S>& params, const Frames<S>& frames,
                      const ActingForces<S>& acting, Blocks<S>& blocks, S* u_rate);

// What each link is by itself, before any elimination: inertia, and wrench when all du/dt are zero (external included).
template <Real S>
void own_parts(const Model& model, const Params<S>& params, const Frames<S>& frames,
               const std::vector<Wrench<S>>* external, Handed<S>* own);

// Change of u due to the impulses -blocks.p on the links, nothing else acting; uses the factor of forward_dynamics.
// Only the links [first, last) are visited: whole trees.
template <Real S>
void solve_impulse(const Model& model, const Frames<S>& frames, int first, int last, Blocks<S>& blocks, S* du);

}  // namespace sinew
