#include "sinew/control/legs/save_steps.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"

namespace sinew::legged {
namespace {

constexpr double foothold_time = 0.02;  // in which a foothold moves [s]
constexpr double sole_inset = 0.01;     // [m]

Vec3d on_ground(const Vec3d& p) { return {p[0], p[1], 0.0}; }

// Within reach of the foot that stands, in the axes of that foot.
Vec3d reachable(const SaveSteps& save, const Footprint& stands, int side, const Vec3d& p) {
  const Vec3d off = on_ground(p) - on_ground(stands.p), own = turned(-stands.yaw, off[0], off[1]);
  const double out = side == 0 ? 1.0 : -1.0;
  const double x = std::clamp(own[0], -save.back, save.ahead);
  const double y = out * std::clamp(out * own[1], save.apart_least, save.apart_most);
  return on_ground(stands.p) + turned(stands.yaw, x, y);
}

// The capture point of the plan, as that of the mass centre.
Vec3d planned_capture(const StepChainWalk& walk, const StepChain& c, double w) {
  const LumpedPendulum& p = walk.pendulum();
  const Vec3d V = (c.xi - c.X) * p.w;
  return p.com(c.X, walk.feet(c), walk.ahead(c)) + p.com(V, c.rate, Vec3d::zero()) * (1.0 / w);
}

void move_foothold(const StepChainWalk& walk, const SaveSteps& save, const CaptureSeen& seen, double dt, StepChain& c) {
  const double left = c.T - c.t, part = std::min(dt / foothold_time, 1.0);
  if (left < save.frozen) return;
  const int side = int(c.side);
  // the point that would bring the capture point back until the foot lands, and what is left where the sole ends before
  const CaptureAim aim{on_ground(seen.p_ref), planned_capture(walk, c, seen.w), on_ground(seen.xi)};
  const Vec3d wanted = aim.p_ref + on_ground(aim.xi - aim.xi_ref) * (1.0 / (1.0 - math::exp(-seen.w * left)));
  Vec3d into = Vec3d::zero();
  clamp_shift(walk.soles(c), wanted, sole_inset, into);
  const Vec3d shift = on_ground(foothold_shift(aim, {wanted + into, true}, left, seen.w));
  const double length = norm(shift);
  if (!(length > save.dead)) return;
  if (c.astray == 0.0) c.saves += 1.0;
  c.astray = 1.0;
  const Vec3d to = reachable(save, c.foot[std::size_t(1 - side)], side, c.to.p + shift * (1.0 - save.dead / length));
  c.to.p += (to - c.to.p) * part;
}

}  // namespace

void save_by_steps(const StepChainWalk& walk, const SaveSteps& save, const CaptureSeen& seen, double dt, StepChain& c) {
  if (!save.is_on) return;
  if (c.what() != ChainPhase::Swing) {
    c.astray = 0.0;
    return;
  }
  move_foothold(walk, save, seen, dt, c);
}

}  // namespace sinew::legged
