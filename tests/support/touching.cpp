#include "tests/support/touching.h"

#include <string>

namespace sinew::test {
namespace {

BodyPlan box(const std::string& name, Vec3d size, double mass) {
  BodyPlan b;
  b.name = name, b.mass = mass;
  const auto moment = [&](double a, double c) { return mass / 12.0 * (a * a + c * c); };
  b.inertia = {moment(size[1], size[2]), 0, 0, moment(size[0], size[2]), 0, moment(size[0], size[1])};
  ShapePlan s;
  s.name = "box", s.shape.kind = ShapeKind::Box, s.shape.half = size * 0.5;
  b.shapes = {s};
  return b;
}

JointPlan floating(const std::string& child, Vec3d at) {
  JointPlan j;
  j.name = "air_" + child, j.kind = JointKind::Free, j.child = child;
  j.position = {at[0], at[1], at[2], 1, 0, 0, 0};
  return j;
}

Plan on_ground(double mu) {
  Plan plan;
  plan.gravity.kind = GravityKind::Uniform, plan.gravity.g = {0, 0, -9.81};
  plan.ground.terrain.kind = TerrainKind::Plane;
  plan.contact.law.mu_forward = plan.contact.law.mu_backward = plan.contact.law.mu_trans = mu;
  return plan;
}

}  // namespace

Plan box_on_plane(Vec3d size, double mass, double mu) {
  Plan plan = on_ground(mu);
  plan.bodies = {box("block", size, mass)};
  plan.joints = {floating("block", {0, 0, 0.5 * size[2]})};
  return plan;
}

Plan tower(const std::vector<double>& masses, double mu) {
  Plan plan = on_ground(mu);
  for (std::size_t i = 0; i < masses.size(); i++) {
    const std::string name = "box" + std::to_string(i);
    plan.bodies.push_back(box(name, {0.1, 0.1, 0.1}, masses[i]));
    plan.joints.push_back(floating(name, {0, 0, 0.05 + 0.1 * double(i)}));
  }
  return plan;
}

Plan crawler(int links, const ContactLaw<double>& law) {
  Plan plan = on_ground(0.0);
  plan.contact.law = law;
  plan.contact.options.between_bodies = false;
  const double L = 0.122;
  for (int i = 0; i < links; i++) {
    BodyPlan b;
    b.name = "link" + std::to_string(i), b.mass = 0.68;
    b.inertia = {2.35e-4, 0, 0, 9.63e-4, 0, 9.63e-4};
    for (const double side : {-1.0, 1.0}) {
      ShapePlan s;
      s.name = side < 0 ? "rear" : "front";
      s.shape.radius = 0.0525, s.position = {side * 0.0393, 0, 0};
      b.shapes.push_back(s);
    }
    JointPlan j = floating(b.name, {0, 0, 0.0525});
    if (i > 0) {
      j = JointPlan{};
      j.name = "joint" + std::to_string(i), j.kind = JointKind::Universal;
      j.parent = plan.bodies.back().name, j.child = b.name;
      j.p_parent = {L / 2, 0, 0}, j.p_child = {-L / 2, 0, 0};
      j.drive = Drive::Servo, j.kp = {40, 800}, j.kd = {0.2, 0.2};
      Motion<double> wave;
      wave.amplitude = 0.5, wave.frequency = 0.22, wave.phase = -0.87 * i, wave.ramp = 1.0;
      j.motion = {wave, {}};
    }
    plan.bodies.push_back(std::move(b));
    plan.joints.push_back(std::move(j));
  }
  return plan;
}

Plan tumbling_arm() {
  Plan plan = box_on_plane({0.2, 0.2, 0.1}, 2.0, 0.4);
  plan.contact.law.restitution = 0.3, plan.contact.law.rolling = 1e-3, plan.contact.law.drilling = 2e-3;
  plan.contact.law.mu_trans = 0.7, plan.contact.law.mu_backward = 0.9;
  plan.contact.law.static_ratio = 1.3, plan.contact.law.stribeck_speed = 0.05;
  plan.joints[0].position = {0, 0, 0.2, 0.9, 0.3, 0.3, 0.1};
  plan.joints[0].velocity = {1, -2, 0.5, 0.7, 0.2, -0.5};
  plan.bodies.push_back(box("arm", {0.2, 0.04, 0.04}, 0.5));
  JointPlan j;
  j.name = "elbow", j.parent = "block", j.child = "arm";
  j.p_parent = {0.12, 0, 0.05}, j.p_child = {-0.1, 0, 0}, j.axis = {0, 1, 0};
  j.lower = {-0.4}, j.upper = {0.6}, j.dry_friction = {0.02};
  j.drive = Drive::Servo, j.kp = {3.0}, j.kd = {0.05}, j.limit = {0.4};
  Motion<double> wave;
  wave.amplitude = 0.8, wave.frequency = 2.0;
  j.motion = {wave};
  plan.joints.push_back(j);
  plan.implicit_servos = true;
  return plan;
}

Plan with_solver(Plan plan, ContactSolver solver) {
  plan.contact.options.solver = solver;
  return plan;
}

std::vector<double> normal_forces(const World<double>& world) {
  std::vector<double> forces;
  for (int s = 0; s < world.model().n_slots; s++) {
    const double* slot = world.state.contact.data() + std::size_t(s) * slot::size;
    forces.push_back(slot[slot::key] > 0.0 ? slot[slot::P] / world.state.dt : 0.0);
  }
  return forces;
}

}  // namespace sinew::test
