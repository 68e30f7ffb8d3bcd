// How contacts share the resultant F_c of their reactions (docs/theory/rods.md#kinematic-algorithm): G x = F_c, one column of G for
// each unit wrench that a contact can transmit, seen from the head. Usually there are more of them than equations.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "sinew/math/svd.h"

namespace sinew::rod {

// Smaller singular values, relative to the largest, count as zero where a rod asks for a rank.
inline constexpr double rank_tolerance = 1e-8;

//   MinimumNorm  least sum of (x / weight)^2
//   Equal        of one column each: all the same (the worm; equals MinimumNorm there)
//   Unilateral   as MinimumNorm, and each signed x only pushes
//   Friction     as Unilateral, along the edges of friction cones
//   Regularised  least |x|^2 + w |G x - F_c|^2
enum class Share { MinimumNorm, Equal, Unilateral, Friction, Regularised };
inline constexpr std::array<std::string_view, 5> share_names{"minimum-norm", "equal", "unilateral", "friction",
                                                             "regularised"};

struct Reactions {
  static constexpr int most = Svd::most_rows;
  int equations = 0, count = 0;
  double column[most][6];  // of G
  double weight[most];     // > 0
  int sign[most];          // +1, -1: x >= 0, x <= 0; 0: both
  double x[most];          // answer
  bool feasible = true;
  int rank = 0;
  bool inspect = true;  // find the singular values of G, and rank
  double singular[6];
  double left[6];  // F_c - G x: what the contacts cannot provide
  double left_norm = 0.0;

  void clear(int n) {
    equations = n;
    count = 0;
  }
  void add(const double* wrench, double w, int s);
};

void distribute(Share rule, double regularisation, const double* F_c, Reactions& r, Svd& svd);

// Steps whose motion the contacts could not provide: how many, when first, and the most that was left over of F_c, with its time.
struct Infeasible {
  double steps = 0.0, first = 0.0, worst = 0.0, worst_time = 0.0;
  void count(bool feasible, double left, double t);
};
// In words, for people; "" if there were none.
std::string explain(const Infeasible& found);

}  // namespace sinew::rod
