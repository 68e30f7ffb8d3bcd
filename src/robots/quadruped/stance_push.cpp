#include "robots/quadruped/stance_push.h"

namespace sinew::legged {
namespace {

// A wrench at the place x, in P.
struct At {
  Vec3d x, f, n;
  double torque(const Vec3d& axis, const Vec3d& pivot) const { return dot(axis, n + cross(x - pivot, f)); }
};

void add_leg(const LegShape& shape, const LegPose& pose, const int* at, const At* parts, StancePush& out) {
  const Vec3d forward(pose.ha.cos, 0.0, -pose.ha.sin), side(0.0, 1.0, 0.0);
  for (int i = 0; i < 2; i++) {
    out.tau[at[ha]] += parts[i].torque(side, shape.hip);
    out.tau[at[hb]] -= parts[i].torque(forward, shape.hip);
  }
  out.tau[at[knee]] += shape.knee * parts[1].torque(forward, shape.hip + pose.b);
}

}  // namespace

double StancePush::power(const Stance& stance) const {
  double sum = dot(f, stance.plate.v) + dot(n, stance.plate.w);
  for (int i = 0; i < 4; i++)
    for (int a = 0; a < 3; a++) sum += tau[actuator_of[i][a]] * stance.leg[i].rate[a];
  return sum + tau[6] * stance.tail_rate[0] + tau[7] * stance.tail_rate[1];
}

StancePush push_of(const Quadruped& robot, const StanceState& state, const Stance& stance,
                   std::span<const Wrench<double>> wrench) {
  StancePush out;
  if (wrench.empty()) return out;
  At parts[part_count];
  for (int i = 0; i < part_count; i++) {
    parts[i].f = transpose_times(state.R, wrench[i].f);
    parts[i].n = transpose_times(state.R, wrench[i].n);
    parts[i].x = Vec3d::zero();
  }
  for (int i = 0; i < 4; i++) {
    const LegPose& pose = stance.leg[i].pose;
    parts[1 + 2 * i].x = robot.leg[i].hip + pose.b * 0.5;
    parts[2 + 2 * i].x = robot.leg[i].hip + pose.b + pose.c * 0.5;
    add_leg(robot.leg[i], pose, actuator_of[i], parts + 1 + 2 * i, out);
  }
  At& tail = parts[part_count - 1];
  tail.x = stance.tail.x;
  double sine, cosine;
  sincos(state.tail[0], sine, cosine);
  out.tau[6] = dot(stance.tail.X[0], tail.f) + tail.n[0];  // ta turns about x of the plate, tb about z of what ta turns
  out.tau[7] = dot(stance.tail.X[1], tail.f) + dot(Vec3d(0.0, -sine, cosine), tail.n);
  for (const At& part : parts) {
    out.f += part.f;
    out.n += part.n + cross(part.x, part.f);
  }
  return out;
}

}  // namespace sinew::legged
