// A pass along the rod at a frozen time (docs/theory/rods.md#the-pass). In head coordinates
//   E = Ad_g eta,  Z = Ad_g zeta (rate of eta for eta_o' = 0),  L = integral of Ad*_{g^-1} (M zeta - ad*_eta M eta - F)
// are quadratures; g follows by exponentials. The wrench inside the rod is linear in what the head does:
//   Lambda at the head = L(X) + M_o(X) eta_o' - F_- - reactions before X,
// so one pass serves Block 1 and Block 2.
#pragma once
#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "sinew/rod/inertia.h"
#include "sinew/rod/loads.h"
#include "sinew/rod/strain_law.h"

namespace sinew::rod {

// How g' = g xi is integrated: Magnus of order 4; constant strain in each half cell, with the mean of its Gauss points
// (order 2) or its left value (order 1); classical Runge-Kutta on the entries of R and r (order 4, R not quite orthonormal).
// Fine: as Magnus, between five stations of each cell; the quadratures are of order 8, which forces of rough strains need.
enum class Scheme { Magnus, Midpoint, Constant, RungeKutta, Fine };
inline constexpr std::array<std::string_view, 5> scheme_names{"s4", "midpoint", "constant", "rk4", "s8"};
// Stations of a cell, with both ends.
inline int nodes_of(Scheme scheme) { return scheme == Scheme::Fine ? 5 : 3; }

template <class G>
struct Rod {
  typename G::Twist inertia = G::Twist::zero();  // diagonal of the section's, per length [kg/m], [kg m]
  double radius = 0.01;
  std::shared_ptr<const StrainLaw<G>> law;
  Loads loads;
  Scheme scheme = Scheme::Magnus;

  const Grid& grid() const { return law->grid; }
};

// Circular section: m = rho pi a^2, J_Y = J_Z = rho pi a^4 / 4, J_X twice that.
template <class G>
typename G::Twist circular(double rho, double radius);

// State of the pass at a place.
template <class G>
struct Node {
  using Twist = typename G::Twist;
  G g;
  Twist E, Z, L;
  Inertia<G> M;

  Twist eta() const { return adjoint_inverse(g, E); }
  Twist zeta() const { return adjoint_inverse(g, Z); }
};

template <class G>
struct Totals {
  using Twist = typename G::Twist;
  Node<G> end;
  Mat<G::n> M_o;           // with the added inertia
  Twist F_o;               // at the head: F_in + all loads
  Twist F_minus;           // the part of F_o that acts at the head's section
  Twist F_plus;            // load of the tail, in its axes
  Twist momentum;          // at the head
  double kinetic;          // [J]
  double friction, other;  // powers of the loads [W]; without weight, without the added inertia's part
  double drag_of_rate;     // eta . M_a zeta, for the power of the added inertia
  Twist added_momentum;    // Ad* M_a eta
  double act;              // integral of L . xi_t
  Twist act_head;          // integral of M_o(X) xi_t, at the head
};

template <class G>
struct Workspace {
  Table<G> table;
  HeadLoads<G> loads;
  std::vector<Node<G>> nodes;    // at cells' ends
  std::vector<Mat<G::n>> added;  // running added inertia there; empty without
  explicit Workspace(const Rod<G>& rod);
};

// For assertions: X lies on the rod, or is no number.
inline bool is_on_rod(const Grid& grid, double X) { return !(X < -1e-9 * grid.l) && !(X > (1.0 + 1e-9) * grid.l); }

// How much a pass does: poses and velocities; also inertia and forces; also energies and powers.
enum class Depth { Motion, Forces, Powers };

// Stores the nodes in work.nodes.
template <class G>
Totals<G> pass_along(const Rod<G>& rod, double t, const G& head, const typename G::Twist& eta_o, Depth depth,
                     Workspace<G>& work);
// The same without nodes.
template <class G>
Totals<G> totals_along(const Rod<G>& rod, double t, const G& head, const typename G::Twist& eta_o, Depth depth,
                       Workspace<G>& work);

// Between the nodes of the last stored pass, by a shorter cell. `added` takes the running added inertia if there is one.
template <class G>
Node<G> node_at(const Rod<G>& rod, double t, double X, Workspace<G>& work, Depth depth, Mat<G::n>* added = nullptr);

// A section's pose and velocity from the nearer end of its cell, by the table of the last stored pass alone: no law is asked. For the
// contacts of each step. Only g and E are filled.
template <class G>
Node<G> place_at(const Rod<G>& rod, double X, const Workspace<G>& work);

}  // namespace sinew::rod
