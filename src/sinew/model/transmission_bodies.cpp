// Sliders and rods of a transmission as bodies with loops, from the same numbers as its Jacobian. A rod hangs on its slider by a universal joint and is
// held to the child by a ball: it cannot spin about itself, and nothing is held twice.
//   A = b + s k,  d = (C - A) / l,  d = Rz(p) Ry(q) x,  in axes x = -k, y, z perpendicular:  p = atan2(d_y, d_x),  q = -asin(d_z)
//   d' = (C' - s' k) / l,  q' = -d'_z / cos q,  p' = (d'_y cos p - d'_x sin p) / cos q
#include <fmt/format.h>

#include <algorithm>

#include "sinew/math/elementary.h"
#include "sinew/model/plan.h"

namespace sinew {
namespace {

struct RodPose {
  Vec3d C, C_rate;  // ball point on the child, in the parent's axes from the joint's centre
  double s, rate;   // stroke
};

RodPose pose_of(const Transmission<double>& t, int i, const double* q, const double* u) {
  using namespace transmission;
  SinCos<double> angle[2] = {};
  for (int k = 0; k < t.n; k++) sincos(q[k], angle[k].sin, angle[k].cos);
  Vec3d C = t.rod[i].c, w = t.first * u[0];
  if (t.n == 2) {
    C = turned(C, t.second, angle[1]);
    w += turned(t.second, t.first, angle[0]) * u[1];
  }
  C = turned(C, t.first, angle[0]);
  const Strokes<double> at = strokes(t, q);
  double rates[2];
  stroke_rates(t, at, u, rates);
  return {C, cross(w, C), at.s[i], rates[i]};
}

// A slender body along -k from its origin; thin, but of some inertia about itself.
BodyPlan rod_body(std::string name, double mass, double length, const Vec3d& k) {
  BodyPlan b;
  b.name = std::move(name);
  b.mass = mass;
  b.com = k * (-0.5 * length);
  const double across = mass * length * length / 12.0, along = 1e-3 * across;
  const auto entry = [&](int i, int j) { return (i == j ? across : 0.0) + (along - across) * k[i] * k[j]; };
  b.inertia = {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  return b;
}

JointPlan rod_joint(const DriveRod<double>& rod, const Vec3d& first, const RodPose& at) {
  JointPlan j;
  j.kind = JointKind::Universal;
  const Vec3d &k = rod.along, x = -k;
  Vec3d z = first - k * dot(first, k);
  if (!(norm(z) > 0.1)) z = std::abs(k[0]) < 0.5 ? cross(k, Vec3d(1, 0, 0)) : cross(k, Vec3d(0, 1, 0));
  z = normalized(z);
  const Vec3d y = cross(z, x);
  const Vec3d d = (at.C - rod.b - k * at.s) * (1.0 / rod.length),
              d_rate = (at.C_rate - k * at.rate) * (1.0 / rod.length);
  const double q = -math::asin(std::clamp(dot(d, z), -1.0, 1.0)), p = math::atan2(dot(d, y), dot(d, x));
  const double c = math::cos(q);
  j.axis = z;
  j.axis2 = y;
  j.position = {p, q};
  j.lower = {-transmission::most_tilt, -transmission::most_tilt};  // where its ball joint stops
  j.upper = {transmission::most_tilt, transmission::most_tilt};
  j.velocity = {(dot(d_rate, y) * math::cos(p) - dot(d_rate, x) * math::sin(p)) / c, -dot(d_rate, z) / c};
  return j;
}

}  // namespace

void add_transmission_bodies(const TransmissionPlan& plan, double rod_mass, RobotPlan& robot) {
  const auto found = std::ranges::find(robot.joints, plan.joint, &JointPlan::name);
  SINEW_CHECK(found != robot.joints.end(), "add_transmission_bodies: no joint is named ", plan.joint);
  SINEW_CHECK(plan.has_rods(), "add_transmission_bodies: only rods and cranks can be bodies");
  SINEW_CHECK(rod_mass > 0.0 && plan.slider_mass > 0.0, "add_transmission_bodies: masses must be above 0");
  const JointPlan joint = *found;
  const Transmission<double> t = make_transmission(plan, joint);
  const auto at = [](const std::vector<double>& x, int i) { return int(x.size()) > i ? x[i] : 0.0; };
  const double q[2] = {at(joint.position, 0), at(joint.position, 1)},
               u[2] = {at(joint.velocity, 0), at(joint.velocity, 1)};
  const Mat3d R_PC = to_matrix(normalized(joint.orientation));
  for (int i = 0; i < t.n; i++) {
    const DriveRod<double>& rod = t.rod[i];
    const RodPose pose = pose_of(t, i, q, u);
    const auto named = [&](const char* what) { return fmt::format("{}.{}{}", plan.name, what, i + 1); };
    BodyPlan slider;
    slider.name = named("slider");
    slider.mass = plan.slider_mass;
    slider.inertia = Sym3d::diagonal(plan.slider_mass * 1e-4);  // of a lump of 2 cm; it does not turn on its joint
    JointPlan stroke;
    stroke.name = named("stroke");
    stroke.kind = JointKind::Prismatic;
    stroke.parent = joint.parent;
    stroke.child = slider.name;
    stroke.p_parent = joint.p_parent + rod.b;
    stroke.axis = rod.along;
    stroke.position = {pose.s};
    stroke.velocity = {pose.rate};
    stroke.armature = {plan.reflected};
    JointPlan ball = rod_joint(rod, t.first, pose);
    ball.name = named("ball");
    ball.parent = slider.name;
    ball.child = named("rod");
    JointPlan end;
    end.name = named("end");
    end.kind = JointKind::Ball;
    end.loop = true;
    end.parent = joint.child;
    end.child = named("rod");
    end.p_parent = joint.p_child + transpose_times(R_PC, rod.c);
    end.p_child = rod.along * -rod.length;
    robot.bodies.push_back(slider);
    robot.bodies.push_back(rod_body(named("rod"), rod_mass, rod.length, rod.along));
    robot.joints.push_back(stroke);
    robot.joints.push_back(ball);
    robot.joints.push_back(end);
  }
}

}  // namespace sinew
