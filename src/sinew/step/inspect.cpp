// Per contact, with the bounds of its law:
//   outside    = max( -P_N,  |(P_1/mu_1, P_2/mu_2)| - P_N,  |P_D|/drilling - P_N,  |P_V|/rolling - P_N )      [N s]
//   friction   = max( P_T . gamma_T,  P_V . gamma_V )  with the velocities of the end: never > 0              [J]
// A coefficient of 0 allows no impulse at all: then that impulse counts in full.
#include "sinew/step/inspect.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew {
namespace {

template <Real S>
S share(S P, S bound) {
  const auto some = bound > S(0.0);
  return P / select(some, bound, S(1.0));
}

template <Real S>
struct Judge {
  S outside = S(0.0), friction = S(0.0), torque = S(0.0);

  void see(const ContactRow<S>& c) {
    const S *P = c.P, *gamma = c.gamma, N = P[row::N];
    const auto worst = [&](S& so_far, S value) { so_far = select(c.closed & (value > so_far), value, so_far); };
    worst(outside, -N);
    if (c.slides) {
      const S x = share(P[row::T1], select(P[row::T1] > S(0.0), c.law.mu_backward, c.law.mu_forward)),
              y = share(P[row::T2], c.law.mu_trans);
      worst(outside, sqrt(x * x + y * y) - N - c.law.shear);
      worst(friction, P[row::T1] * gamma[row::T1] + P[row::T2] * gamma[row::T2]);
    }
    if (c.drills) worst(outside, share(abs(P[row::D]), c.law.drilling) - N);
    if (c.rolls) {
      const S x = share(P[row::V1], c.law.rolling), y = share(P[row::V2], c.law.rolling);
      worst(outside, sqrt(x * x + y * y) - N);
      worst(friction, P[row::V1] * gamma[row::V1] + P[row::V2] * gamma[row::V2]);
    }
  }
};

template <Real S>
double largest(S x) {
  double most = 0.0;
  for (int i = 0; i < lanes_of<S>; i++) most = std::max(most, lane(x, i));
  return most;
}

}  // namespace

template <Real S>
void inspect(const Model& model, double dt, const Workspace<S>& ws, StepReport& report) {
  SINEW_ASSERT(dt > 0.0 && ws.rows.n_axes <= int(model.axis_rows.size()));
  Judge<S> judge;
  for (int i = 0; i < ws.rows.n_contacts; i++) judge.see(ws.rows.contact[i]);
  for (const S& torque : ws.axis.actuator) judge.torque = max(abs(torque), judge.torque);  // NaN: never the larger one
  Mask<S> saturated = ws.saturated;
  if (ws.servos_in_rows)
    for (int i = 0; i < ws.rows.n_axes; i++) {
      const AxisRow<S>& a = ws.rows.axis[i];
      if (model.axis_rows[a.index].kind != AxisRowInfo::Kind::Servo) continue;
      judge.torque = max(abs(a.P) * S(1.0 / dt), judge.torque);
      saturated = saturated | ((a.P >= a.law.high) & (a.P > S(0.0))) | ((a.P <= a.law.low) & (a.P < S(0.0)));
    }
  report.saturated = any(saturated);
  report.outside = largest(judge.outside);
  report.friction = largest(judge.friction);
  report.torque = largest(judge.torque);
}

template void inspect(const Model&, double, const Workspace<double>&, StepReport&);
template void inspect(const Model&, double, const Workspace<Lanes>&, StepReport&);

}  // namespace sinew
