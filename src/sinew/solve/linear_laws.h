// The laws of all rows made linear around the last iterate: P = f - K gamma. Steps 1 and 3 of solve/recursion.h.
#pragma once
#include <algorithm>

#include "sinew/solve/decision.h"

namespace sinew {

template <Real S>
struct LinearLaws : Decision<S> {
  using Decision<S>::stiff, Decision<S>::soft, Decision<S>::decide;
  using Decision<S>::worst_soft, Decision<S>::worst_turned, Decision<S>::worst_rolled;
  Rows<S>& rows;
  RecursionWork<S>& w;
  Mask<S> first = mask_of<S>(true);  // no system solved yet: P is only a guess
  S slack = S(1e-2);  // part of the tolerance that counts as exact; less where rigid contacts must keep their energy

  using Local = typename RecursionWork<S>::Contact;

  LinearLaws(Rows<S>& r, RecursionWork<S>& work) : rows(r), w(work) {}

  void start() {
    stiff = rows.stiff;
    soft = S(1.0) / stiff;
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      Local& l = w.contact[i];
      l.per_mass = S(1.0) / c.mass;
      // a contact that gives way by itself needs no further compliance
      const auto gives = c.law.eps_N > S(0.0);
      l.stiff_N = select(gives, S(1.0) / select(gives, c.law.eps_N, S(1.0)), stiff);
      l.soft_N = select(gives, S(0.0), soft);
      slack = select(c.closed & negate(gives), S(1e-4), slack);
      const S mu = max(max(c.law.mu_forward, c.law.mu_backward), max(c.law.mu_trans, S(1e-12)));
      l.r_T = c.mass / (mu * mu);
      l.code = S(-1.0);
      std::copy_n(c.P, int(row::count), l.centre);
      if (!turns(c)) continue;
      const S rolling = max(c.law.rolling, S(1e-12));
      // Soft against turning: what normal forces hold, rolling friction need not hold as well, and would slip in a direction
      // that only round-off knows. Its multiplier goes on from the last step instead.
      l.stiff_ang = S(turning_stiffness) * c.inertia;
      l.soft_ang = S(1.0) / l.stiff_ang;
      l.r_V = c.inertia / (rolling * rolling);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      w.axis[i].code = S(-1.0);
      w.axis[i].centre = rows.axis[i].P;
    }
    w.is_factored = false;
  }

  // Other steps of the local maps: what keeps Newton's method from arriving is often a cycle of states, and these lead past it.
  void change_steps(double factor) {
    for (int i = 0; i < rows.n_contacts; i++) {
      w.contact[i].r_T *= S(factor);
      w.contact[i].r_V *= S(factor);
    }
  }

  SINEW_INLINE S decide(const AxisRow<S>& a, typename RecursionWork<S>::Axis& l, Mask<S>& changed) {
    const S v = a.gamma + a.law.compliance * a.P + a.law.bias, hard = stiff * (a.mass / rows.total_mass);
    const auto soft = a.law.compliance > S(0.0);
    const S y = a.P - a.mass * (v + select(soft, S(0.0), (a.P - l.centre) / hard));
    const auto low = y <= a.law.low, high = y >= a.law.high;
    const S code = select(a.closed, select(low, S(1.0), select(high, S(2.0), S(3.0))), S(0.0));
    changed = changed | (code < l.code) | (code > l.code);
    l.code = code;
    worst_soft = max(worst_soft, select(a.closed, abs(a.P - a.law.project(y)) / a.mass, S(0.0)));
    return select(a.closed, abs(a.P - a.law.project(a.P - a.mass * v)) / a.mass, S(0.0));
  }

  // Step 1. Returns the largest error per lane; changed: where some decision is new.
  S decide_all(Mask<S>& changed) {
    changed = mask_of<S>(false);
    worst_soft = worst_turned = worst_rolled = S(0.0);
    S worst = S(0.0);
    int i = 0;
    if constexpr (std::same_as<S, double>) i = decide_by_fours(rows, *this, w, worst, changed);
    for (; i < rows.n_contacts; i++) worst = max(worst, decide(rows.contact[i], w.contact[i], changed));
    for (int k = 0; k < rows.n_axes; k++) worst = max(worst, decide(rows.axis[k], w.axis[k], changed));
    return worst;
  }

  // Where turning gains little by one more multiplier: by the certificate itself, for what the compliance turns is but a bound.
  Mask<S> is_exact_though(Mask<S> where, S enough) const {
    if (!any(where)) return where;
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      S P[row::count];
      std::copy_n(c.P, int(row::count), P);
      put_into_cone(c.law, turns(c), P);
      const S left = law_residual(c.law, c.bias + c.law.eps_N * P[row::N], c.mass, P, c.gamma);
      where = where & (negate(c.closed) | (left <= enough));
    }
    return where;
  }

  // How soft rows of turning are matters before the first multiplier alone, see start(); after it softness only delays. Where a link turns
  // so slowly that the compliance leads the direction of its torque, a multiplier leaves the share rim / (rim + stiff |gamma|) of that.
  SINEW_INLINE void stiffen(const ContactRow<S>& c, Local& l, Mask<S> update) {
    l.stiff_ang = select(update, min(l.stiff_ang * S(10.0), S(most_turning_stiffness) * c.inertia), l.stiff_ang);
    l.soft_ang = S(1.0) / l.stiff_ang;
    l.K_D = select(update & (l.K_D > S(0.0)), l.stiff_ang, l.K_D);
    if (!c.rolls) return;
    const BlockState<S> now{
        {c.P[row::V1], c.P[row::V2]}, {c.gamma[row::V1], c.gamma[row::V2]}, {c.P[row::V1], c.P[row::V2]}};
    const LocalBlock<S> b = linear_block<S>(now, {c.law.rolling, c.law.rolling}, l.s, l.r_V, l.stiff_ang, l.soft_ang);
    l.V.f = {select(update, b.f.x, l.V.f.x), select(update, b.f.y, l.V.f.y)};
    l.V.xx = select(update, b.xx, l.V.xx);
    l.V.xy = select(update, b.xy, l.V.xy);
    l.V.yy = select(update, b.yy, l.V.yy);
    l.V.slope = {select(update, b.slope.x, l.V.slope.x), select(update, b.slope.y, l.V.slope.y)};
    l.V.stick = (update & b.stick) | (negate(update) & l.V.stick);
  }

  // Step 3: f, with the multipliers as they are, or from the last impulses where these solve the compliant problem.
  void hold(Mask<S> update) {
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      Local& l = w.contact[i];
      S was[row::count];
      const int n = turns(c) ? int(row::count) : int(row::D);
      const bool stiffens = turns(c) && any(update);
      if (stiffens) stiffen(c, l, update);
      for (int r = 0; r < n; r++) {
        was[r] = stiffens && r >= int(row::D) ? select(update, c.P[r], l.centre[r]) : l.centre[r];
        const S start = r < int(row::D) ? S(0.0) : l.centre[r];
        l.centre[r] = select(first, start, select(update, c.P[r], l.centre[r]));
      }
      const S f_N =
          select(l.K_N > S(0.0), select(l.soft_N > S(0.0), l.centre[row::N], S(0.0)) - l.K_N * c.bias, S(0.0));
      l.f[row::N] = f_N;
      const auto block = [&](int r, const LocalBlock<S>& b) SINEW_INLINE_LAMBDA {
        // what was made linear around the old centre, for the new one and with P_N free
        const S more = f_N - l.s, softness = r == row::T1 ? soft : l.soft_ang;
        const S m1 = (l.centre[r] - was[r]) * softness, m2 = (l.centre[r + 1] - was[r + 1]) * softness;
        const S d1 = b.xx * m1 + b.xy * m2, d2 = b.xy * m1 + b.yy * m2;
        l.f[r] = select(b.stick, select(b.xx > S(0.0), l.centre[r], S(0.0)), b.f.x + d1 + b.slope.x * more);
        l.f[r + 1] = select(b.stick, select(b.yy > S(0.0), l.centre[r + 1], S(0.0)), b.f.y + d2 + b.slope.y * more);
      };
      block(row::T1, l.T);
      if (!turns(c)) continue;
      block(row::V1, l.V);
      l.f[row::D] = select(l.K_D > S(0.0), l.centre[row::D], l.slope_D * f_N);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      const AxisRow<S>& a = rows.axis[i];
      auto& l = w.axis[i];
      // with compliance no multiplier is needed
      const auto between = l.code >= S(3.0), soft = a.law.compliance > S(0.0);
      const S hard = stiff * (a.mass / rows.total_mass), safe = select(soft, a.law.compliance, S(1.0));
      const S bound = select(l.code >= S(2.0), a.law.high, select(l.code >= S(1.0), a.law.low, S(0.0)));
      l.K = select(between, select(soft, S(1.0) / safe, hard), S(0.0));
      l.centre = select(first, S(0.0), select(update, a.P, l.centre));
      l.f = select(between, select(soft, S(0.0), l.centre) - l.K * a.law.bias, bound);
    }
  }

  // The laws made linear are those of the last solve, but for what they push with: multipliers go on from there, which most
  // iterations of contacts that stick do.
  bool is_factored_so() {
    const auto differ = [](const S& a, const S& b) { return any((a < b) | (a > b)); };
    bool same = w.is_factored;
    for (int i = 0; i < rows.n_contacts; i++) {
      const Local& l = w.contact[i];
      const std::array<S, 7> now{l.K_N, l.T.slope.x, l.T.slope.y, l.T.xx, l.T.xy, l.T.yy, l.code};
      same = same && !turns(rows.contact[i]);  // there are many that turn a little each time: not worth a look
      for (std::size_t k = 0; k < now.size() && same; k++) same = !differ(now[k], w.factored[i][k]);
      w.factored[i] = now;
    }
    for (int i = 0; i < rows.n_axes; i++) {
      same = same && !differ(w.axis[i].K, w.factored_axis[i]);
      w.factored_axis[i] = w.axis[i].K;
    }
    w.is_factored = true;
    return same;
  }
};

}  // namespace sinew
