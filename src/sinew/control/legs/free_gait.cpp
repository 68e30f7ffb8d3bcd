#include "sinew/control/legs/free_gait.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/control/legs/support_polygon.h"
#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::legged {

FreeGaitChoice next_leg(std::span<const FreeGaitFoot> feet, LegSet airborne,
                        const std::array<LegSet, most_legs>& neighbours, const Vec3d& com, const FreeGaitRules& rules) {
  const int n = int(feet.size());
  SINEW_ASSERT(n <= most_legs);
  FreeGaitChoice out;
  double least = std::numeric_limits<double>::infinity();
  bool full = count_legs(airborne) >= rules.most_airborne, urgent = false;
  for (int i = 0; i < n; i++) {
    const FreeGaitFoot& foot = feet[i];
    if (!foot.usable || has_leg(airborne, i) || foot.left > rules.enough) continue;
    urgent = urgent || foot.left <= 0.0;
    if (full || !foot.has_place || (neighbours[i] & airborne) != 0) continue;
    Vec3d others[most_legs];
    int m = 0;
    for (int k = 0; k < n; k++)
      if (k != i && feet[k].usable && !has_leg(airborne, k)) others[m++] = feet[k].point;
    const SupportPolygon support = polygon_of({others, std::size_t(m)});
    double margin = static_margin(support, com);
    if (foot.left > 0.0) margin = std::min(margin, static_margin(support, com + rules.travel));
    if (!(margin >= rules.s_min)) {
      if (foot.left <= 0.0) out.refused = i;
      continue;
    }
    const bool sooner = foot.left < least - rules.hurry;
    const bool alike = std::abs(foot.left - least) <= rules.hurry;
    if (!(sooner || (alike && margin > out.margin))) continue;
    least = std::min(least, foot.left);
    out.leg = i;
    out.margin = margin;
  }
  out.must_wait = urgent && (out.leg < 0 || feet[out.leg].left > 0.0);
  return out;
}

int choose_foothold(std::span<const FootholdCandidate> candidates, const Vec3d& wanted) {
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); i++) {
    const FootholdCandidate& c = candidates[i];
    const double cost = c.cost + math::hypot(c.point[0] - wanted[0], c.point[1] - wanted[1]);
    if (!(cost < least)) continue;
    least = cost;
    best = int(i);
  }
  return best;
}

}  // namespace sinew::legged
