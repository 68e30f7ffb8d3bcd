// Before a leg lifts: would the mass centre stay over the other feet, with a margin (docs/theory/hexapod.md#stability)?
#pragma once
#include <span>

#include "sinew/control/legs/gait_generator.h"
#include "sinew/control/legs/support_polygon.h"

namespace sinew::legged {

// feet, com: in axes whose z is up [m]. What was refused is remembered, for a shift of the body.
class MarginGuard : public LiftGuard {
 public:
  // travel: of the body while a leg is in the air; the margin is asked for at both ends of it.
  MarginGuard(std::span<const Vec3d> feet, const Vec3d& com, double margin, const Vec3d& travel = Vec3d::zero())
      : feet_(feet), com_(com), travel_(travel), margin_(margin) {}
  bool may_lift(int leg, LegSet airborne) const override {
    const SupportPolygon others = without(airborne | leg_bit(leg));
    const bool may = static_margin(others, worse_end(others, com_)) >= margin_;
    if (!may) refused |= leg_bit(leg);
    return may;
  }
  SupportPolygon without(LegSet airborne) const {
    Vec3d stand[most_legs];
    int n = 0;
    for (std::size_t i = 0; i < feet_.size(); i++)
      if (!has_leg(airborne, int(i))) stand[n++] = feet_[i];
    return polygon_of({stand, std::size_t(n)});
  }
  // Of the way of a point over the feet: the end with the lesser margin.
  Vec3d worse_end(const SupportPolygon& polygon, const Vec3d& point) const {
    const Vec3d then = point + travel_;
    return static_margin(polygon, then) < static_margin(polygon, point) ? then : point;
  }
  mutable LegSet refused = 0;

 private:
  std::span<const Vec3d> feet_;
  Vec3d com_, travel_;
  double margin_;
};

}  // namespace sinew::legged
