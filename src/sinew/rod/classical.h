// Classical Runge-Kutta on the entries of a pose: to compare with exponentials. R does not stay orthonormal.
#pragma once
#include "sinew/rod/group.h"

namespace sinew::rod {

// One fourth-order step of classical Runge-Kutta on g' = g xi, entry by entry; xi at the start, middle and end.
inline Line classical(const Line& g, const Vec<1>& a, const Vec<1>& b, const Vec<1>& e, double h) {
  return {g.x + h / 6.0 * (a[0] + 4.0 * b[0] + e[0])};
}
inline Plane classical(const Plane& g, const Vec<3>& a, const Vec<3>& b, const Vec<3>& e, double h) {
  struct Rate {
    double c, s, x, y;
  };
  const auto rate = [](const Plane& p, const Vec<3>& u) -> Rate {
    return {-p.s * u[2], p.c * u[2], p.c * u[0] - p.s * u[1], p.s * u[0] + p.c * u[1]};
  };
  const auto move = [&g](const Rate& k, double w) -> Plane {
    return {g.c + w * k.c, g.s + w * k.s, g.x + w * k.x, g.y + w * k.y};
  };
  const Rate k1 = rate(g, a), k2 = rate(move(k1, 0.5 * h), b), k3 = rate(move(k2, 0.5 * h), b),
             k4 = rate(move(k3, h), e);
  const auto mean = [](double p, double q, double r, double s) { return (p + 2.0 * (q + r) + s) / 6.0; };
  return move({mean(k1.c, k2.c, k3.c, k4.c), mean(k1.s, k2.s, k3.s, k4.s), mean(k1.x, k2.x, k3.x, k4.x),
               mean(k1.y, k2.y, k3.y, k4.y)},
              h);
}
inline Space classical(const Space& g, const Vec<6>& a, const Vec<6>& b, const Vec<6>& e, double h) {
  const auto rate = [](const Space& p, const Vec<6>& u) -> Space {
    return Space({p.R * skew(angular(u)), p.R * linear(u)});
  };
  const auto move = [](const Space& p, const Space& k, double w) -> Space {
    Space out = p;
    for (int i = 0; i < 3; i++) out.R.c[i] += k.R.c[i] * w;
    out.p += k.p * w;
    return out;
  };
  const Space k1 = rate(g, a), k2 = rate(move(g, k1, 0.5 * h), b), k3 = rate(move(g, k2, 0.5 * h), b);
  const Space k4 = rate(move(g, k3, h), e);
  return move(move(move(move(g, k1, h / 6.0), k2, h / 3.0), k3, h / 3.0), k4, h / 6.0);
}

}  // namespace sinew::rod
