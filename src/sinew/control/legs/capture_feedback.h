// Balance by the capture point (docs/theory/biped.md#stabiliser). Points are horizontal: (x, y, anything).
//   p = p_ref + (1 + k) (xi - xi_ref), put into the support polygon less `inset`;   xi' = w (xi - p) then has xi - xi_ref decay with k w
// What lies outside of the polygon is for the next foot: it goes where the capture point will be off when it lands, t seconds from now,
//   shift = (xi - xi_ref - (p - p_ref)) e^(w t) + (p - p_ref)
#pragma once
#include "sinew/control/legs/support_polygon.h"

namespace sinew::legged {

struct CaptureFeedback {
  double k = 1.0;       // [1]
  double inset = 0.01;  // by which the polygon is shrunk [m]
  double slow = 0.2;    // with which a lasting error of the zero-moment point is integrated [1/s]
  double most = 0.02;   // of that integral [m]
};

struct CaptureAim {
  Vec3d p_ref = Vec3d::zero(), xi_ref = Vec3d::zero(), xi = Vec3d::zero();  // [m]
};

struct CaptureCommand {
  Vec3d p = Vec3d::zero();  // zero-moment point that is wanted [m]
  bool is_clamped = false;  // the feedback would have it outside
};
CaptureCommand capture_command(const CaptureFeedback& f, const SupportPolygon& polygon, const CaptureAim& aim);

// By how much the next foothold moves [m].
Vec3d foothold_shift(const CaptureAim& aim, const CaptureCommand& command, double t, double w);

// The slow loop: offset of an ankle [m] after dt seconds with this error of the zero-moment point.
double slow_offset(const CaptureFeedback& f, double offset, double error, double dt);

}  // namespace sinew::legged
