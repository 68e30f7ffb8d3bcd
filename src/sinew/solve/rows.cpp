// What all solvers do with rows once impulses are known: velocities, and the certificate that the laws hold.
#include "sinew/solve/rows.h"

#include "sinew/math/check.h"

namespace sinew {

template <Real S>
bool Rows<S>::local() const {
  for (int i = 0; i < n_axes; i++)
    if (axis[i].freedom < 0) return false;
  return on_ground();
}

template <Real S>
bool Rows<S>::on_ground() const {
  for (int i = 0; i < n_contacts; i++)
    if (contact[i].link1 >= 0) return false;
  return true;
}

template <Real S>
void add_velocities(Mask<S> which, const Twist<S>* V, Rows<S>& rows) {
  SINEW_ASSERT(rows.n_contacts <= int(rows.contact.size()) && rows.n_axes <= int(rows.axis.size()));
  S gamma[row::count];
  for (int i = 0; i < rows.n_contacts; i++) {
    ContactRow<S>& c = rows.contact[i];
    contact_velocity(c, V, gamma);
    for (int k = 0; k < row::count; k++) c.gamma[k] = select(which, c.gamma[k] + gamma[k], c.gamma[k]);
  }
  for (int i = 0; i < rows.n_axes; i++) {
    AxisRow<S>& a = rows.axis[i];
    a.gamma = select(which, a.gamma + axis_velocity(a, V), a.gamma);
  }
}

template <Real S>
S certify(const Rows<S>& rows, SolveReport& report) {
  SINEW_ASSERT(rows.n_contacts <= int(rows.contact.size()) && rows.n_axes <= int(rows.axis.size()));
  SINEW_ASSERT(report.residual >= 0.0);
  S worst = S(0.0);
  const auto note = [&](S distance, int pair, int axis) {
    const S residual = select(distance >= S(0.0), distance, S(law::unbounded));  // not a number is as far as can be
    worst = max(worst, residual);
    for (int k = 0; k < lanes_of<S>; k++) {
      const double r = lane(residual, k);
      if (r <= report.residual) continue;
      report.residual = r;
      report.worst_pair = pair;
      report.worst_axis = axis;
    }
  };
  for (int i = 0; i < rows.n_contacts; i++) {
    const ContactRow<S>& c = rows.contact[i];
    SINEW_ASSERT(!any(c.mass <= S(0.0)));
    note(select(c.closed, law_residual(c.law, c.bias + c.law.eps_N * c.P[row::N], c.mass, c.P, c.gamma), S(0.0)),
         c.pair, -1);
  }
  for (int i = 0; i < rows.n_axes; i++) {
    const AxisRow<S>& a = rows.axis[i];
    const S step = a.P - a.mass * (a.gamma + a.law.compliance * a.P + a.law.bias);
    note(select(a.closed, abs(a.P - a.law.project(step)) / a.mass, S(0.0)), -1, a.index);
  }
  for (int k = 0; k < lanes_of<S>; k++) report.lane_residual[std::size_t(k)] = lane(worst, k);
  return worst;
}

#define SINEW_INSTANTIATE_ROWS(S)                                   \
  template struct Rows<S>;                                          \
  template void add_velocities(Mask<S>, const Twist<S>*, Rows<S>&); \
  template S certify(const Rows<S>&, SolveReport&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_ROWS)

}  // namespace sinew
