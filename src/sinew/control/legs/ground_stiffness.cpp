#include "sinew/control/legs/ground_stiffness.h"

#include <cmath>

#include "sinew/math/check.h"

namespace sinew::legged {

void GroundStiffness::add(double force, double way) {
  if (n == 0.0) {
    x_0 = way;
    F_0 = force;
  }
  const double dx = way - x_0, dF = force - F_0;
  n += 1.0;
  x += dx;
  F += dF;
  xx += dx * dx;
  xF += dx * dF;
  FF += dF * dF;
}

StiffnessFound stiffness_of(const GroundStiffness& s, const StiffnessNoise& noise) {
  SINEW_ASSERT(noise.force > 0.0 && noise.way > 0.0);
  constexpr double fewest = 10.0, stands_out = 1.25;  // points; of S_xx over what noise alone makes of it
  if (!(s.n >= fewest)) return {};
  const double Sxx = s.xx - s.x * s.x / s.n, SxF = s.xF - s.x * s.F / s.n, SFF = s.FF - s.F * s.F / s.n;
  const double least = stands_out * s.n;
  if (!(SxF > 0.0) || !(Sxx > least * noise.way * noise.way) || !(SFF > least * noise.force * noise.force)) return {};
  const double delta = noise.force * noise.force / (noise.way * noise.way), d = SFF - delta * Sxx;
  const double k = (d + std::sqrt(d * d + 4.0 * delta * SxF * SxF)) / (2.0 * SxF);
  const double r2 = SxF * SxF / (Sxx * SFF);
  const double spread = r2 < 1.0 ? std::sqrt((1.0 / r2 - 1.0) / (s.n - 2.0)) : 0.0;
  return {true, k, k * spread};
}

}  // namespace sinew::legged
