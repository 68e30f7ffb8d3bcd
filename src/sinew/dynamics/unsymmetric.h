// Articulated-body recursion when something unsymmetric is added to the links: sliding friction, whose force follows the
// normal force but not the other way round.
//   (M + diag + sum J^T K J) du/dt = tau + ...,   K a 6x6 block on each link
// As dynamics/articulated.h with U = I S and V^T = S^T I no longer each other's transpose:
//   D = S^T U + reflected + diag,  I_parent += shift(I - U D^-1 V^T),  du/dt = D^-1 (tau - bias - S^T p - V^T change')
// What depends on the blocks and diag alone is kept: other wrenches and tau on the same ones cost a fraction, to the same bits.
#pragma once
#include "sinew/dynamics/articulated.h"

namespace sinew {

// n = A w + B v,  f = E w + C v, about the link's origin
template <Real S>
struct Block6 {
  Mat3<S> A, B, E, C;
};

// Of a single robot, what Model::ranks keep: one link a lane, per Rank::axis; changes by rank.
struct UnsymmetricRanks {
  std::vector<Twist<Lanes>> Z;
  std::vector<Wrench<Lanes>> U;
  std::vector<Lanes> D, x;
  std::vector<Twist<Lanes>> change;

  UnsymmetricRanks(const Model& model, bool used)
      : Z(used ? model.n_rank_axes : 0),
        U(Z.size()),
        D(6 * Z.size()),
        x(Z.size()),
        change(used ? model.ranks.size() : 0) {}
};

template <Real S>
struct UnsymmetricWork {
  std::vector<Handed<S>> own;    // of the links themselves: own_parts
  std::vector<Block6<S>> I;      // in: what resists the change of motion; then A'^-1, B C^-1, E, C^-1 of free roots
  std::vector<Wrench<S>> p;      // in: minus the wrench on each link; scratch of the solve
  std::vector<Twist<S>> Z;       // D^-1 V^T, per frame axis
  std::vector<Wrench<S>> U;      // per frame axis
  std::vector<S> D;              // D^-1, six numbers a frame axis
  std::vector<S> x;              // D^-1 e, per frame axis
  std::vector<Twist<S>> change;  // out: of the links' accelerations
  UnsymmetricRanks rank;         // Z, U, D and x of links in ranks

  explicit UnsymmetricWork(const Model& model)
      : own(model.links.size()),
        I(model.links.size()),
        p(model.links.size()),
        Z(model.n_frame_axes),
        U(model.n_frame_axes),
        D(6 * std::size_t(model.n_frame_axes)),
        x(model.n_frame_axes),
        change(model.links.size()),
        rank(model, std::same_as<S, double>) {}
};

// I and p of the links themselves; add to them, then solve.
template <Real S>
void begin_unsymmetric(UnsymmetricWork<S>& work);

// p of the links themselves, for resolve_unsymmetric.
template <Real S>
void begin_wrenches(UnsymmetricWork<S>& work);

// du/dt into u_rate. diag: per freedom, or null.
template <Real S>
void solve_unsymmetric(const Model& model, const Frames<S>& frames, const S* tau, const S* diag,
                       UnsymmetricWork<S>& work, S* u_rate);

// The same with the blocks and diag of the last solve_unsymmetric at the same frames; p and tau may be others.
template <Real S>
void resolve_unsymmetric(const Model& model, const Frames<S>& frames, const S* tau, UnsymmetricWork<S>& work,
                         S* u_rate);

}  // namespace sinew
