// Vertical forces of feet that carry a weight at rest (docs/theory/hexapod.md#forces; Konyev 2011, eqs. (3.8), (3.9), with F >= 0):
//   min sum F_i^2   with   sum F_i = P,   sum F_i x_i = P x_com,   sum F_i y_i = P y_com,   F_i >= 0
// There is a solution exactly if the mass centre is over the polygon of the feet. Else the forces are those for the nearest point of it.
#pragma once
#include <array>
#include <span>

#include "sinew/control/legs/gait_table.h"
#include "sinew/math/linear.h"
#include "sinew/math/qp.h"

namespace sinew::legged {

struct VerticalForces {
  bool balanced = false;  // false: the mass centre is not over the feet
  double margin = 0.0;    // static [m]
  std::array<double, most_legs> F{};
  std::array<double, most_legs> multiplier{};  // of F_i >= 0
};
VerticalForces share_weight(std::span<const Vec3d> feet, const Vec3d& com, double weight, SmallQp& qp);

// Height of a foot that gives way to the error of its force, and forgets: dy' = -alpha (F_ref - F) - dy / leak, |dy| <= most.
struct FootCompliance {
  double alpha = 2e-4, most = 0.01, leak = 5.0;  // [m/(N s)], [m], [s]
};
double comply(const FootCompliance& c, double dy, double F_ref, double F, double dt);

}  // namespace sinew::legged
