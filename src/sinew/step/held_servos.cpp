#include "sinew/step/held_servos.h"

#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/step/workspace.h"

namespace sinew {
namespace {

template <Real S>
bool can_be_held(const Model& model, const AxisRow<S>& a) {
  const AxisRowInfo& info = model.axis_rows[a.index];
  return info.kind == AxisRowInfo::Kind::Servo && info.side == 0 && a.freedom >= 0;
}

// Rows of all that is not held; tau and diag with all that is.
template <Real S>
void divide(const Model& model, const S* diag, double dt, Workspace<S>& ws) {
  HeldServos<S>& h = ws.held;
  std::copy(ws.tau.begin(), ws.tau.end(), h.tau.begin());
  if (diag)
    std::copy_n(diag, model.nu, h.diag.begin());
  else
    std::fill(h.diag.begin(), h.diag.end(), S(0.0));
  ws.rows.n_axes = 0;
  for (int i = 0; i < h.n; i++) {
    const AxisRow<S>& a = h.all[i];
    const Mask<S> is_row = a.closed & negate(h.held[i]);
    h.row[i] = -1;
    if (any(is_row)) {
      h.row[i] = ws.rows.n_axes;
      AxisRow<S>& row = ws.rows.axis[ws.rows.n_axes++];
      row = a;
      row.closed = is_row;
      row.P = select(is_row, a.P, S(0.0));
    }
    if (!any(h.held[i])) continue;
    const S K = select(h.held[i], S(1.0) / a.law.compliance, S(0.0));
    h.diag[a.freedom] += K;
    h.tau[a.freedom] -= a.sign * K * (a.law.bias + a.gamma_0) * S(1.0 / dt);
  }
}

}  // namespace

template <Real S>
HeldServos<S>::HeldServos(const Model& model) {
  if (!model.implicit_servos) return;
  all.resize(model.axis_rows.size());
  held.resize(model.axis_rows.size());
  row.resize(model.axis_rows.size());
  tau.resize(model.nu);
  diag.resize(model.nu);
}

template <Real S>
void hold_servos(const Model& model, const S* diag, double dt, Workspace<S>& ws) {
  HeldServos<S>& h = ws.held;
  Rows<S>& rows = ws.rows;
  h.n = 0;
  const Response response = model.contact.response;
  const ContactSolver solver = model.contact.solver;
  const bool is_other = solver == ContactSolver::ProxFixed || solver == ContactSolver::NewtonNormal;
  if (!model.implicit_servos || response != Response::Rigid || is_other) return;
  SINEW_ASSERT(dt > 0.0 && rows.n_axes <= int(h.all.size()) && int(h.tau.size()) == model.nu);
  bool has_held = false;
  for (int i = 0; i < rows.n_axes; i++) {
    const AxisRow<S>& a = h.all[i] = rows.axis[i];
    const S share = S(0.98);
    h.held[i] = can_be_held(model, a) ? a.closed & (a.law.compliance > S(0.0)) & (a.P > a.law.low * share) &
                                            (a.P < a.law.high * share) & negate(rows.rebounds)
                                      : mask_of<S>(false);
    has_held = has_held || any(h.held[i]);
  }
  if (!has_held) return;
  h.n = rows.n_axes;
  divide(model, diag, dt, ws);
}

template <Real S>
bool release_servos(const Model& model, const S* diag, const S* u_A, const S* u_E, double dt, Workspace<S>& ws) {
  HeldServos<S>& h = ws.held;
  if (h.n == 0) return false;
  SINEW_ASSERT(u_A && u_E && ws.rows.n_axes <= h.n);
  bool has_passed = false;
  for (int i = 0; i < h.n; i++) {
    AxisRow<S>& a = h.all[i];
    if (h.row[i] >= 0) {
      const AxisRow<S>& row = ws.rows.axis[h.row[i]];
      a.P = select(row.closed, row.P, a.P);
      a.gamma = select(row.closed, row.gamma, a.gamma);
    }
    if (!any(h.held[i])) continue;
    const S gamma = a.gamma_0 + a.sign * (u_E[a.freedom] - u_A[a.freedom]);
    const S P = -(gamma + a.law.bias) / a.law.compliance;
    a.P = select(h.held[i], a.law.project(P), a.P);
    a.gamma = select(h.held[i], gamma, a.gamma);
    const Mask<S> passed = h.held[i] & ((P < a.law.low) | (P > a.law.high));
    has_passed = has_passed || any(passed);
    h.held[i] = h.held[i] & negate(passed);
  }
  if (has_passed) {
    divide(model, diag, dt, ws);
    return true;
  }
  std::copy_n(h.all.begin(), h.n, ws.rows.axis.begin());
  ws.rows.n_axes = h.n;
  return false;
}

#define SINEW_INSTANTIATE_HELD_SERVOS(S)                                    \
  template struct HeldServos<S>;                                            \
  template void hold_servos(const Model&, const S*, double, Workspace<S>&); \
  template bool release_servos(const Model&, const S*, const S*, const S*, double, Workspace<S>&);
SINEW_FOR_SCALARS(SINEW_INSTANTIATE_HELD_SERVOS)

}  // namespace sinew
