// Contacts as kinematic constraints, and what they make of the head's motion: Block 0 (Boyer et al. 2012, VI;
// docs/theory/rods.md#kinematic-algorithm).
//   LockedAnchor    a section is clamped to a pose that moves as given                        eta(C) = eta_c
//   SweepFixedSite  the place of the anchor is fixed, the body threads through it             eta(C) + xi(C) C' = eta_c
//   SweepNoSlip     the section in contact is at rest; the place of the anchor moves          eta(C) = eta_c
//   Support         a ring that holds a section across (and its roll): V_Y, V_Z, Omega_X
// With rows e at their abscissae, A eta_o = e.eta_c - e.eta_s(C) - ..., A = e Ad_k(C); G of the reactions is A^T.
#pragma once
#include <span>

#include "sinew/rod/distribute.h"
#include "sinew/rod/pass.h"

namespace sinew::rod {

enum class ContactKind { LockedAnchor, SweepFixedSite, SweepNoSlip, Support };
inline constexpr int most_contacts = 32;

template <class G>
struct Contact {
  ContactKind kind = ContactKind::Support;
  double C = 0.0, C_t = 0.0, C_tt = 0.0;
  int slot = 0;     // under which its reaction is reported
  int side = 0;     // of the force along t_Y that it can exert: +1, -1; 0: both
  double mu = 0.0;  // of rule Friction
  typename G::Twist eta_c = G::Twist::zero(), eta_c_t = G::Twist::zero();  // imposed motion
};

// First row and number of rows of a contact: unit wrenches along these components.
template <class G>
SINEW_INLINE int first_row(ContactKind kind) {
  return kind == ContactKind::Support ? 1 : 0;
}
template <class G>
SINEW_INLINE int row_count(ContactKind kind) {
  return kind == ContactKind::Support ? (G::n == 6 ? 3 : G::n == 3 ? 1 : 0) : G::n;
}

template <class G>
struct Connection {
  using Twist = typename G::Twist;
  Twist eta_o, eta_o_t;
  int rank = G::n;
  double condition = 1.0;
  double residual = 0.0;  // largest violation of a row [m/s], [rad/s]; of the shape: of the mobility condition
  int free = 0;           // directions that no row holds
  Twist kernel[G::n];     // a basis of them
};

template <class G>
struct Holds {
  std::span<const Contact<G>> contacts;
  typename G::Twist free_twist;  // velocity along what no contact holds
};

// Block 0. If something is free, its acceleration follows from the loads: one more pass.
template <class G>
Connection<G> connect(const Rod<G>& rod, double t, const G& head, const Holds<G>& by, Workspace<G>& work, Svd& svd);

// Supports everywhere: V_o from the curvatures in the sense of least squares, so that a crest under the head does no
// harm. The residual is the largest |K_t - V_o (K_X + twist terms)|.
template <class G>
Connection<G> connect_by_shape(const Rod<G>& rod, double t);

}  // namespace sinew::rod
