// Tails (docs/theory/quadruped.md#other-phases-and-tails): points along the tail, in the plate's axes P, as functions of its coordinates z.
//   x(z)   place,   X = dx/dz,   x' = X z',   drift = z'^T (d2x/dz2) z'
// Pendulum: universal joint (ta about x, then tb about z), massless rod, a point mass at its tip.
// Segments: n bars with a universal joint each, z = (alpha_1, beta_1, alpha_2, ...).
// Shared: the same bars; all joints bend together, z = (alpha, beta) is their sum: each has 1/n of it, the root half of that, or as much.
// Arc: a uniform rod of constant curvature, z = (alpha, beta); Gauss-Legendre points along it carry its mass.
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "sinew/math/linear.h"

namespace sinew::legged {

enum class TailKind { Pendulum, Segments, Shared, Arc };
inline constexpr std::array<std::string_view, 4> tail_names{"pendulum", "segments", "shared", "arc"};

struct TailShape {
  TailKind kind = TailKind::Pendulum;
  Vec3d root = Vec3d(0.0, -0.34, 0.0);  // r, in P [m]
  std::vector<double> length = {0.6};   // of the segments; pendulum, arc: one [m]
  std::vector<double> mass = {0.0};     // of the segments, uniform bars; arc: one [kg]
  double tip = 1.4347;                  // point mass at the end [kg]
  bool half_root = true;                // shared: the root joint has half of the others' angle

  int segments() const { return int(length.size()); }
  int coordinates() const { return kind == TailKind::Segments ? 2 * segments() : 2; }
};

// Points of a tail and what they weigh. Made once for a shape; no function below allocates.
struct TailPoints {
  explicit TailPoints(const TailShape& shape);
  struct Point {
    Vec3d x, rate, drift;
    double mass;  // of the point itself [kg]
    double bar;   // of the bar that ends here and begins at the point before [kg]
  };
  int n_z;
  std::vector<Point> point;
  std::vector<Vec3d> column;  // X of point i: n_z columns from i * n_z
  std::vector<Vec3d> axis;    // of the joints, two each
  std::vector<double> place;  // of the points along an arc, from 0 to 1
  const Vec3d* X(int i) const { return column.data() + i * n_z; }
};
void place_tail(const TailShape& shape, const double* z, const double* z_rate, TailPoints& out);

// Tip of a pendulum.
struct TailTip {
  Vec3d x, X[2], rate, drift;
};
void place_tip(const TailShape& shape, const double* z, const double* z_rate, TailTip& out);

// End of the arc without its root.
Vec3d arc_tip(double length, double alpha, double beta);

}  // namespace sinew::legged
