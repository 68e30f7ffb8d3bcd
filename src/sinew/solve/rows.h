// Rows: everything set-valued of one step. Contacts with up to six rows, laws on joint axes with one.
// A row is a unit wrench on one link, or a pair of opposite ones on two; its velocity is dual to its impulse.
#pragma once
#include <algorithm>
#include <array>

#include "sinew/dynamics/articulated.h"
#include "sinew/parts/law/axis_law.h"
#include "sinew/solve/local.h"

namespace sinew {

template <Real S>
struct ContactRow {
  int link1, link2;  // the normal points from 1 (or the world) to 2
  int pair, slot;
  Mask<S> closed;
  bool slides, drills, rolls;  // in some lane: the rows exist
  Vec3<S> n, t1, t2;           // axes
  Vec3<S> arm1, arm2;          // from the links' origins to the point [m]
  ContactLaw<S> law;           // at the present speed
  S bias;                      // of the normal velocity [m/s]
  double radius;               // of body 2's shape, if it is round [m]
  S mass, inertia;             // what a push meets, roughly: steps of the local maps [kg, kg m^2]
  S before[row::count];        // velocities at the start of the step
  S gamma_0[row::count];       // with the freedoms' velocities of the start, given motions at the end; or without laws
  S gamma[row::count];         // at the end
  S P[row::count];             // impulses
  S pull;                      // of adhesion [N]
  S stiffness, damping;        // of soft ground under it; 0: none [N/m, N s/m]
};

template <Real S>
SINEW_INLINE bool turns(const ContactRow<S>& c) {
  return c.drills || c.rolls;
}

template <Real S>
struct AxisRow {
  int index;         // in Model::axis_rows
  int link1, link2;  // -1: the world
  int freedom;       // of State::u if the joint is in the tree, else -1
  S sign;            // of the row along the axis
  Vec3<S> e;         // axis, with the sign
  joint::Dir dir;
  Vec3<S> arm1, arm2;
  Mask<S> closed;
  AxisLaw<S> law;
  S mass;
  S before, gamma_0, gamma, P;
};

template <Real S>
struct Rows {  // written by gather, then by the solvers; valid inside one step
  std::vector<ContactRow<S>> contact;
  std::vector<AxisRow<S>> axis;
  int n_contacts = 0, n_axes = 0;
  int n_soft = 0;      // penalty contacts, in `contact` as well: then n_contacts is zero, for they are no laws to solve
  S total_mass;        // of all bodies [kg]
  S stiff;             // of the slightly compliant rows [kg]
  Mask<S> rebounds{};  // some closed contact comes in and has a restitution
  double span = 1.0;   // time over which forces are the impulses P: the step; 1 where P are forces [s]
  // impulses of impacts at the start of the step, which are no part of P, and what they took out
  bool has_struck = false;
  std::vector<S> struck;  // row::count a contact
  S lost_in_impact = S(0.0), lost_in_friction = S(0.0);

  explicit Rows(const Model& model) : contact(model.n_slots), axis(model.axis_rows.size()) {
    if (is_impulsive(model.contact.response)) struck.resize(std::size_t(model.n_slots) * row::count);
  }
  bool empty() const { return n_contacts == 0 && n_axes == 0; }
  int n_points() const { return n_contacts + n_soft; }
  // every row touches one link, or one freedom of the tree
  bool local() const;
  // every contact is with the ground
  bool on_ground() const;
};

// Contacts that are closed, per lane.
template <Real S>
S count_closed(const Rows<S>& rows) {
  S n = S(0.0);
  for (int i = 0; i < rows.n_contacts; i++) n += select(rows.contact[i].closed, S(1.0), S(0.0));
  return n;
}

struct SolveReport {
  bool converged = true;
  int iterations = 0;
  double residual = 0.0;                           // largest, of the certificate [m/s]
  int worst_pair = -1;                             // contact it belongs to; -1: an axis
  int worst_axis = -1;                             // in Model::axis_rows; -1: a contact
  std::array<double, lane_count> lane_residual{};  // of each robot of a register; of a single one: the first [m/s]
};

// Of two systems that one step has solved.
inline SolveReport worse_of(const SolveReport& a, const SolveReport& b) {
  SolveReport out = b.residual > a.residual ? b : a;
  out.converged = a.converged && b.converged;
  out.iterations = a.iterations + b.iterations;
  for (std::size_t k = 0; k < out.lane_residual.size(); k++)
    out.lane_residual[k] = std::max(a.lane_residual[k], b.lane_residual[k]);
  return out;
}

// Velocity of a contact's rows for the links' velocities V.
template <Real S>
SINEW_INLINE void contact_velocity(const ContactRow<S>& c, const Twist<S>* V, S* gamma) {
  Twist<S> rel = shift_to_child(V[c.link2], c.arm2);
  if (c.link1 >= 0) rel = rel - shift_to_child(V[c.link1], c.arm1);
  gamma[row::N] = dot(c.n, rel.v);
  gamma[row::T1] = dot(c.t1, rel.v);
  gamma[row::T2] = dot(c.t2, rel.v);
  gamma[row::D] = dot(c.n, rel.w);
  gamma[row::V1] = dot(c.t1, rel.w);
  gamma[row::V2] = dot(c.t2, rel.w);
}
template <Real S>
SINEW_INLINE S axis_velocity(const AxisRow<S>& a, const Twist<S>* V) {
  Twist<S> rel = shift_to_child(V[a.link2], a.arm2);
  if (a.link1 >= 0) rel = rel - shift_to_child(V[a.link1], a.arm1);
  return dot(a.e, a.dir == joint::Dir::Angular ? rel.w : rel.v);
}

// Sum of a contact's impulses, on body 2 at the point.
template <Real S>
SINEW_INLINE Wrench<S> contact_impulse(const ContactRow<S>& c, const S* P) {
  return {c.n * P[row::D] + c.t1 * P[row::V1] + c.t2 * P[row::V2],
          c.n * P[row::N] + c.t1 * P[row::T1] + c.t2 * P[row::T2]};
}
template <Real S>
SINEW_INLINE Wrench<S> axis_impulse(const AxisRow<S>& a, S P) {
  return a.dir == joint::Dir::Angular ? Wrench<S>{a.e * P, Vec3<S>::zero()} : Wrench<S>{Vec3<S>::zero(), a.e * P};
}

// f(link, wrench about the link's origin) for the one or two links that the wrench F on body 2 acts on.
template <class Row, Real S, class F>
SINEW_INLINE void spread(const Row& r, const Wrench<S>& W, F f) {
  f(r.link2, shift_to_parent(W, r.arm2));
  if (r.link1 < 0) return;
  const Wrench<S> back = shift_to_parent(W, r.arm1);
  f(r.link1, Wrench<S>{-back.n, -back.f});
}

// Adds what the links' change of velocity V does to the velocities of all rows.
template <Real S>
void add_velocities(Mask<S> which, const Twist<S>* V, Rows<S>& rows);

// Residuals of all rows; fills the report's residual and worst row. Returns the largest per lane.
template <Real S>
S certify(const Rows<S>& rows, SolveReport& report);

}  // namespace sinew
