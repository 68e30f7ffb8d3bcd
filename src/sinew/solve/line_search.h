// The line search of solve/recursion.cpp. Both ends of a Newton step satisfy the dynamics, and so does every point between
// them: the best of them is where the slope of the energy changes its sign. (Exact for given normal forces, for which the
// compliant laws are the gradient of a convex function of the velocities.)
#pragma once
#include <algorithm>

#include "sinew/math/check.h"
#include "sinew/solve/recursion.h"

namespace sinew {

template <Real S>
struct LineSearch {
  Rows<S>& rows;  // the new iterate
  RecursionWork<S>& w;
  S stiff;

  // What the compliant laws answer to the velocities gamma.
  SINEW_INLINE void answer(const ContactRow<S>& c, const typename RecursionWork<S>::Contact& l, const S* gamma,
                           S* P) const {
    const S s =
        select(c.closed,
               max(select(l.soft_N > S(0.0), l.centre[row::N], S(0.0)) - l.stiff_N * (gamma[row::N] + c.bias), S(0.0)),
               S(0.0));
    P[row::N] = s;
    const auto disk = [&](int r, const Vec2<S>& a, S hard, S rim) SINEW_INLINE_LAMBDA {
      // nearest in the scaled variables: the same set, and the same answer where it matters, on the rim
      const Vec2<S> y{l.centre[r] - hard * gamma[r], l.centre[r + 1] - hard * gamma[r + 1]};
      const Vec2<S> p = law::project_disk(Vec2<S>{over(y.x, a.x), over(y.y, a.y)}, rim);
      P[r] = a.x * p.x;
      P[r + 1] = a.y * p.y;
    };
    disk(row::T1, sliding_axes(c.law, l.centre[row::T1] - stiff * gamma[row::T1], gamma[row::T1]), stiff,
         select(c.closed, s + c.law.shear, S(0.0)));
    disk(row::V1, {c.law.rolling, c.law.rolling}, l.stiff_ang, s);
    const S bound = c.law.drilling * s;
    P[row::D] = law::project_interval(l.centre[row::D] - l.stiff_ang * gamma[row::D], -bound, bound);
  }

  // Slope of what is minimised, at the share alpha of the way from the last iterate to the new one.
  S slope_at(S alpha) const {
    SINEW_ASSERT(rows.n_contacts <= int(w.contact.size()) && rows.n_axes <= int(w.axis.size()));
    S slope = S(0.0);
    for (int i = 0; i < rows.n_contacts; i++) {
      const ContactRow<S>& c = rows.contact[i];
      const typename RecursionWork<S>::Contact& l = w.contact[i];
      S gamma[row::count], P[row::count];
      for (int r = 0; r < row::count; r++) gamma[r] = l.gamma[r] + alpha * (c.gamma[r] - l.gamma[r]);
      answer(c, l, gamma, P);
      for (int r = 0; r < row::count; r++)
        slope += (l.P[r] + alpha * (c.P[r] - l.P[r]) - P[r]) * (c.gamma[r] - l.gamma[r]);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      const AxisRow<S>& a = rows.axis[i];
      const auto& l = w.axis[i];
      const S gamma = l.gamma + alpha * (a.gamma - l.gamma), hard = stiff * (a.mass / rows.total_mass);
      const auto soft = a.law.compliance > S(0.0);
      const S free = select(soft, -(gamma + a.law.bias) / select(soft, a.law.compliance, S(1.0)),
                            l.centre - hard * (gamma + a.law.bias));
      const S P = select(a.closed, a.law.project(free), S(0.0));
      slope += (l.P + alpha * (a.P - l.P) - P) * (a.gamma - l.gamma);
    }
    return slope;
  }

  // Goes back where the Newton step went too far, and returns where.
  Mask<S> run(Mask<S> done) {
    const S start = slope_at(S(0.0)), end = slope_at(S(1.0));
    const auto overshot = (end > abs(start) * S(0.2)) & (start < S(0.0)) & negate(done);
    if (!any(overshot)) return overshot;
    S low = S(0.0), high = S(1.0), g_low = start, g_high = end;
    Mask<S> open = overshot;  // until it is near enough: the next Newton step goes elsewhere
    for (int k = 0; k < 8 && any(open); k++) {
      const S mix = low + (high - low) * (g_low / (g_low - g_high)), half = S(0.5) * (low + high);
      const S alpha = k % 2 ? half : mix;
      const S g = slope_at(alpha);
      const auto left = open & (g < S(0.0)), right = open & negate(g < S(0.0));
      low = select(left, alpha, low);
      g_low = select(left, g, g_low);
      high = select(right, alpha, high);
      g_high = select(right, g, g_high);
      open = open & (abs(g) > S(0.1) * abs(start));
    }
    const S best = select(abs(g_high) < abs(g_low), high, low), alpha = select(overshot, max(best, S(1e-3)), S(1.0));
    for (int i = 0; i < rows.n_contacts; i++) {
      ContactRow<S>& c = rows.contact[i];
      const typename RecursionWork<S>::Contact& l = w.contact[i];
      for (int r = 0; r < row::count; r++) {
        c.P[r] = select(overshot, l.P[r] + alpha * (c.P[r] - l.P[r]), c.P[r]);
        c.gamma[r] = select(overshot, l.gamma[r] + alpha * (c.gamma[r] - l.gamma[r]), c.gamma[r]);
      }
    }
    for (int i = 0; i < rows.n_axes; i++) {
      AxisRow<S>& a = rows.axis[i];
      const auto& l = w.axis[i];
      a.P = select(overshot, l.P + alpha * (a.P - l.P), a.P);
      a.gamma = select(overshot, l.gamma + alpha * (a.gamma - l.gamma), a.gamma);
    }
    return overshot;
  }

  // The old iterate, before a Newton step.
  void keep() {
    for (int i = 0; i < rows.n_contacts; i++) {
      std::copy_n(rows.contact[i].P, int(row::count), w.contact[i].P);
      std::copy_n(rows.contact[i].gamma, int(row::count), w.contact[i].gamma);
    }
    for (int i = 0; i < rows.n_axes; i++) {
      w.axis[i].P = rows.axis[i].P;
      w.axis[i].gamma = rows.axis[i].gamma;
    }
  }
};

}  // namespace sinew
