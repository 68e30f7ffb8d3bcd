#include "sinew/control/legs/self_motion.h"

#include <cmath>

#include "sinew/math/trig.h"

namespace sinew::legged {

Vec3d up_after(const Vec3d& up, const Vec3d& rate, const Vec3d& specific, double T, double dt) {
  Vec3d next = up + cross(up, rate) * dt;
  const double length = norm(specific);
  if (length > 0.0) next += (specific * (1.0 / length) - up) * (dt / T);
  return next * (1.0 / norm(next));
}

ComEstimate com_after(const ComEstimate& before, const Vec3d& y, const Vec3d& accel, double r, double dt) {
  const Vec3d off = y - before.c;
  return {before.c + (before.v + off * (2.0 * r)) * dt, before.v + (accel + off * (r * r)) * dt};
}

Mat3d upright_axes(const Vec3d& up, double yaw) {
  double s, c;
  sincos(yaw, s, c);
  // the x axis of the body, level, is where the heading is: rows of R are the world's axes as the body sees them
  Vec3d left = cross(up, Vec3d(1.0, 0.0, 0.0));
  const double length = norm(left);
  left = length > 0.0 ? left * (1.0 / length) : Vec3d(0.0, 1.0, 0.0);
  const Vec3d ahead = cross(left, up), x = ahead * c - left * s, y = ahead * s + left * c;
  return {Vec3d(x[0], y[0], up[0]), Vec3d(x[1], y[1], up[1]), Vec3d(x[2], y[2], up[2])};
}

}  // namespace sinew::legged
