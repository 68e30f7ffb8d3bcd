// The linear inverted pendulum: a mass centre at constant height on a zero-moment point p (docs/theory/biped.md#pendulum). One horizontal axis.
//   x'' = w^2 (x - p),   w = sqrt(g / z_c),   capture point xi = x + x' / w:   xi' = w (xi - p),   x' = w (xi - x)
// The capture point runs away from p, the mass centre follows the capture point: the first is planned from the end back, the second from the
// start on. While p goes at a constant rate both are closed forms.
#pragma once
#include <span>

namespace sinew::legged {

double pendulum_rate(double z_c, double g);  // w [1/s]

struct PendulumState {
  double x = 0.0, v = 0.0;  // [m, m/s]
};
inline double capture_point(const PendulumState& s, double w) { return s.x + s.v / w; }

// A stretch in which p goes from `from` to `to` at a constant rate, in `time` seconds (0: it jumps).
struct ZmpStretch {
  double time = 0.0, from = 0.0, to = 0.0;  // [s, m]
};

// Closed form: the pendulum after t seconds on a stretch.
PendulumState swing(const PendulumState& start, const ZmpStretch& stretch, double t, double w);

// A stretch with the state at its start.
struct ComStretch {
  ZmpStretch zmp;
  double x = 0.0, xi = 0.0;  // [m]
};

// The mass centre that has exactly these zero-moment points and ends at rest over the last one. It starts at x; its speed at the start follows, and is
// nothing but w (first point - x) after a first stretch that is long against 1 / w. out: as many as stretches.
void plan_com(std::span<const ZmpStretch> stretches, double x, double w, std::span<ComStretch> out);

struct ComPoint {
  double x = 0.0, v = 0.0, a = 0.0, p = 0.0;  // mass centre, zero-moment point [m, m/s, m/s^2, m]
};
// t seconds after its start; beyond its end the last point is held.
ComPoint com_at(const ComStretch& stretch, double t, double w);
ComPoint com_at(std::span<const ComStretch> plan, double t, double w);

}  // namespace sinew::legged
