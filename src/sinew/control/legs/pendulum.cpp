#include "sinew/control/legs/pendulum.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::legged {
namespace {

double rate_of(const ZmpStretch& s) { return s.time > 0.0 ? (s.to - s.from) / s.time : 0.0; }

// With p = from + d t: xi = p + d / w + (xi_0 - from - d / w) e^(w t). Backward e^(-w t) only shrinks.
double capture_before(const ZmpStretch& s, double xi_end, double t_left, double w) {
  const double d = rate_of(s), p = s.to - d * t_left;
  return p + d / w + (xi_end - s.to - d / w) * math::exp(-w * t_left);
}

}  // namespace

double pendulum_rate(double z_c, double g) { return std::sqrt(g / z_c); }

PendulumState swing(const PendulumState& start, const ZmpStretch& s, double t, double w) {
  const double d = rate_of(s), x0 = start.x - s.from, v0 = start.v - d;
  const double c = math::cosh(w * t), h = math::sinh(w * t);
  return {s.from + d * t + x0 * c + v0 / w * h, d + w * x0 * h + v0 * c};
}

void plan_com(std::span<const ZmpStretch> stretches, double x, double w, std::span<ComStretch> out) {
  SINEW_CHECK(stretches.size() == out.size(), "plan_com: ", stretches.size(), " stretches, room for ", out.size());
  double xi = stretches.empty() ? x : stretches.back().to;
  for (std::size_t i = stretches.size(); i-- > 0;) {
    xi = capture_before(stretches[i], xi, stretches[i].time, w);
    out[i] = {stretches[i], 0.0, xi};
  }
  for (ComStretch& s : out) {
    s.x = x;
    x = com_at(s, s.zmp.time, w).x;
  }
}

// x' = w (xi - x) with xi = p + d / w + A e^(w t):  x = p + A/2 e^(w t) + (x_0 - from - A/2) e^(-w t).
ComPoint com_at(const ComStretch& s, double t, double w) {
  const double d = rate_of(s.zmp), part = std::min(std::max(t, 0.0), s.zmp.time);
  const double A = s.xi - s.zmp.from - d / w, B = s.x - s.zmp.from - 0.5 * A;
  const double up = 0.5 * A * math::exp(w * part), down = B * math::exp(-w * part);
  const double p = s.zmp.from + d * part;
  return {p + up + down, d + w * (up - down), w * w * (up + down), p};
}

ComPoint com_at(std::span<const ComStretch> plan, double t, double w) {
  SINEW_ASSERT(!plan.empty());
  for (const ComStretch& s : plan) {
    if (t < s.zmp.time) return com_at(s, t, w);
    t -= s.zmp.time;
  }
  const double end = plan.back().zmp.to;
  const ComPoint last = com_at(plan.back(), plan.back().zmp.time, w);
  const double left = (last.x - end) * math::exp(-w * t);  // what is left decays: its capture point is there
  return {end + left, -w * left, w * w * left, end};
}

}  // namespace sinew::legged
