// Stiffness of the ground under a foot, from the force on it and the way that it has sunk since it touched (docs/theory/hexapod.md#stiffness-under-a-foot).
//   F = k (x + x_0)      F [N] and x [m] both with noise of known deviation, x_0 unknown: where the ground began
// is a line through points that err in both directions. With the sums of squares about the means S_xx, S_xF, S_FF and
// delta = (sigma_F / sigma_x)^2 the likeliest slope is Deming's
//   k = (S_FF - delta S_xx + sqrt((S_FF - delta S_xx)^2 + 4 delta S_xF^2)) / (2 S_xF)
// The slope of least squares, S_xF / S_xx, is too small by the share that the noise has in S_xx, however many points there are.
// Its deviation: sigma_k = k sqrt((1 / r^2 - 1) / (n - 2)), r^2 = S_xF^2 / (S_xx S_FF).
#pragma once

namespace sinew::legged {

struct StiffnessNoise {
  double force = 0.05, way = 2e-4;  // sigma_F, sigma_x [N, m]
};

// Doubles alone, so that they fit into a block of State::memory. Sums about the first point, which keeps them exact.
struct GroundStiffness {
  double n = 0.0;
  double x_0 = 0.0, F_0 = 0.0;                            // the first point
  double x = 0.0, F = 0.0, xx = 0.0, xF = 0.0, FF = 0.0;  // sums

  void reset() { *this = {}; }         // at each touch
  void add(double force, double way);  // once a tick while it stands; way: downward
};

struct StiffnessFound {
  bool found =
      false;  // false: too few points, or no change that stands out from the noise: hard ground, or a steady load
  double stiffness = 0.0, deviation = 0.0;  // k, sigma_k [N/m]
};
StiffnessFound stiffness_of(const GroundStiffness& sums, const StiffnessNoise& noise);

}  // namespace sinew::legged
