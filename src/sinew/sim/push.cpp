#include "sinew/sim/push.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/sim/errors.h"

namespace sinew::sim {
namespace {

constexpr double swing = 2.0 * 2.0 * std::numbers::pi;  // of the whole robot [rad/s]
constexpr double least_pull = 30.0;                     // [m/s^2]

// Of a force at the point, on the body alone; a small part of its mass at least, since neighbours hold it as well.
double apparent_mass(const World<double>& world, int body, const Vec3d& point_B) {
  const LinkParams<double>& link = world.params.links[body];
  const Inertia<double>& I = link.I_F;
  const Vec3d arm = world.model().links[body].X_FB * point_B - link.c_F;
  const Vec3d& c = link.c_F;
  const double c2 = dot(c, c), r2 = dot(arm, arm);
  const double inertia = std::min({I.I.xx - I.m * (c2 - c[0] * c[0]), I.I.yy - I.m * (c2 - c[1] * c[1]),
                                   I.I.zz - I.m * (c2 - c[2] * c[2])});  // about the centre of mass
  const double turned = inertia > 0.0 ? I.m / (1.0 + I.m * r2 / inertia) : 0.0;
  return std::max(turned, 0.1 * I.m);
}

}  // namespace

Push make_push(const World<double>& world, int body, const Vec3d& point_B, const Vec3d& target, double dt) {
  if (const std::string why = world.plant().push_refusal(); !why.empty()) throw InputError("push: " + why);
  const double m = apparent_mass(world, body, point_B);
  if (!(m > 0.0))
    throw InputError(fmt::format("push: body {} has no mass: push one that has", world.model().body_names[body]));
  double M = 0.0;
  for (const auto& link : world.params.links) M += link.I_F.m;
  const Gravity<double>& gravity = world.params.gravity;
  const double g = gravity.kind == GravityKind::Uniform ? norm(gravity.g) : 0.0;
  return {body,
          point_B,
          target,
          std::min(M * swing * swing, 0.25 * m / (dt * dt)),
          std::min(2.0 * M * swing, 0.5 * m / dt),
          M * std::max(3.0 * g, least_pull)};
}

Wrench<double> Hand::wrench(const Push& push, const World<double>& world) {
  const Model& model = world.model();
  const State<double>& s = world.state;
  prescribe(model, world.params, s.t, driven_);
  evaluate_frames(model, world.params, s.q.data(), s.u.data(), driven_, frames_);
  const Frame<double>& frame = frames_.link[push.body];
  const Vec3d arm = frame.X.R * (model.links[push.body].X_FB * push.point_B);  // from the link's origin
  const Vec3d p = frame.X.p + arm, v = frame.V.v + cross(frame.V.w, arm);
  Vec3d f = (push.target - p) * push.k - v * push.d;
  const double size = norm(f);
  if (size > push.limit) f = f * (push.limit / size);
  return {cross(arm - frame.X.R * world.params.links[push.body].c_F, f), f};
}

}  // namespace sinew::sim
