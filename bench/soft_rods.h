// Case P5: a soft cantilever, 0.25 m long, 20 mm thick, let go from the horizontal; a second of its motion.
#pragma once
#include <cmath>

namespace sinew::bench {

struct SoftCase {
  double length = 0.25, radius = 0.01, E = 1e6, density = 1000.0, gravity = 9.81;
  double area() const { return M_PI * radius * radius; }
  double moment() const { return area() * radius * radius / 4.0; }
};

struct SoftTip {
  double x, y;  // y: against gravity
};

// Tips after 0.1, 0.5 and 1 s of the converged solution; false: it failed. Without stretch and shear only bending is left.
bool exact_tips(const SoftCase& c, bool bends_only, double step, SoftTip (&tips)[3]);

}  // namespace sinew::bench
