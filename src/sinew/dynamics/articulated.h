// Articulated-body recursion: A du = f for a whole forest in time linear in its links.
// A = M + diag, M the mass matrix, diag a non-negative addition per freedom (implicit springs and dampers).
// From the leaves to the roots, each link's articulated inertia I = [A B; B^T C] (angular, linear) and bias wrench p have
// the joint's freedom S eliminated and are shifted to the parent:
//   U = I S,  D = S^T U + diag,  Y = U D^-1,  I_parent += shift(I - Y U^T)
//   p^ = p + I zeta,  e = tau - S^T p^,  x = D^-1 e,  p_parent += shift(p^ + Y e)
// and from the roots to the leaves:
//   a' = shift(a_parent),  du_i/dt = x_i - Y_i . a',  a = a' + zeta + S du/dt
// Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 7, with classical accelerations in world axes.
#pragma once
#include "sinew/kinematics/frames.h"

namespace sinew {

template <Real S>
struct ArticulatedInertia {
  Sym3<S> A;  // angular-angular, about the link's origin
  Mat3<S> B;  // torque from linear acceleration
  Sym3<S> C;  // linear-linear
};

template <Real S>
struct Blocks {                          // the factor of A; valid inside one step
  std::vector<ArticulatedInertia<S>> I;  // what the children hand over; scratch of forward_dynamics
  std::vector<Wrench<S>> p;              // forward_dynamics: scratch. solve_impulse: in, minus the impulse on each link
  std::vector<Wrench<S>> Y;              // per frame axis; written by forward_dynamics
  std::vector<S> D;                      // factored, n x n at 6 * Link::axis; written by forward_dynamics
  std::vector<S> x;                      // D^-1 e of the running solve, per frame axis
  std::vector<Twist<S>> a;               // accelerations, or velocity changes, of the links; written by the solves

  explicit Blocks(const Model& model);
};

// du/dt for given frames (at the right q, u, driven motions) and torques tau per freedom of State::u; leaves A factored.
// external: wrench on each link about its centre of mass, or null. diag: per freedom, or null.
template <Real S>
void forward_dynamics(const Model& model, const Params<S>& params, const Frames<S>& frames, const S* tau,
                      const std::vector<Wrench<S>>* external, const S* diag, Blocks<S>& blocks, S* u_rate);

// Change of u due to the impulses -blocks.p on the links, nothing else acting; uses the factor of forward_dynamics.
// Only the links [first, last) are visited: whole trees.
template <Real S>
void solve_impulse(const Model& model, const Frames<S>& frames, int first, int last, Blocks<S>& blocks, S* du);

}  // namespace sinew
