#include "sinew/control/legs/capture_feedback.h"

#include <algorithm>

#include "sinew/math/elementary.h"

namespace sinew::legged {

CaptureCommand capture_command(const CaptureFeedback& f, const SupportPolygon& polygon, const CaptureAim& aim) {
  Vec3d p = aim.p_ref + (aim.xi - aim.xi_ref) * (1.0 + f.k);
  p[2] = 0.0;
  if (static_margin(polygon, p) >= f.inset) return {p, false};
  Vec3d shift = Vec3d::zero();
  clamp_shift(polygon, p, f.inset, shift);
  return {p + shift, true};
}

Vec3d foothold_shift(const CaptureAim& aim, const CaptureCommand& command, double t, double w) {
  Vec3d off = command.p - aim.p_ref, error = aim.xi - aim.xi_ref;
  off[2] = error[2] = 0.0;
  return (error - off) * math::exp(w * t) + off;
}

double slow_offset(const CaptureFeedback& f, double offset, double error, double dt) {
  return std::clamp(offset + f.slow * error * dt, -f.most, f.most);
}

}  // namespace sinew::legged
