#include "robots.h"

#include <cmath>
#include <random>
#include <string>

namespace sinew::bench {
namespace {

// Adds bodies b0, b1, ... each with the joint j0, j1, ... that carries it.
struct Builder {
  Plan plan;

  int add(JointKind kind, int parent, const Vec3d& at, const Vec3d& axis, double mass, const Vec3d& com,
          const Vec3d& inertia) {
    const int index = int(plan.bodies.size());
    BodyPlan body;
    body.name = "b" + std::to_string(index);
    body.mass = mass;
    body.com = com;
    body.inertia = {inertia[0], 0.0, 0.0, inertia[1], 0.0, inertia[2]};
    JointPlan joint;
    joint.name = "j" + std::to_string(index);
    joint.kind = kind;
    joint.parent = parent < 0 ? "world" : plan.bodies[parent].name;
    joint.child = body.name;
    joint.p_parent = at;
    joint.axis = axis;
    plan.bodies.push_back(body);
    plan.joints.push_back(joint);
    return index;
  }
  int root(double mass, const Vec3d& inertia) {
    return add(JointKind::Free, -1, Vec3d::zero(), {0, 0, 1}, mass, Vec3d::zero(), inertia);
  }
  // A rod of this length and a quarter of it as radius, along the axis nearest to its mass centre, on a hinge.
  int limb(int parent, const Vec3d& at, const Vec3d& axis, const Vec3d& com, double mass, double length) {
    const double radius = 0.25 * length, along = mass * radius * radius / 2.0;
    const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
    int nearest = 0;
    for (int i = 1; i < 3; i++)
      if (std::abs(com[i]) > std::abs(com[nearest])) nearest = i;
    Vec3d inertia{across, across, across};
    inertia[nearest] = along;
    return add(JointKind::Revolute, parent, at, axis, mass, com, inertia);
  }
};

const Vec3d x_axis{1, 0, 0}, y_axis{0, 1, 0}, z_axis{0, 0, 1};

// A link of the snake robot Aiko: 0.122 m, 0.682 kg.
int snake_link(Builder& builder, JointKind kind, int parent) {
  const double length = 0.122;
  return builder.add(kind, parent, {parent < 0 ? 0.0 : length, 0, 0}, z_axis, 0.682, {length / 2.0, 0, 0},
                     {2.35e-4, 9.63e-4, 9.63e-4});
}

int humanoid_leg(Builder& builder, double y) {
  int at = builder.limb(0, {0, y, -0.05}, z_axis, {0, 0, -0.03}, 1.0, 0.08);
  at = builder.limb(at, {0, 0, -0.03}, x_axis, {0, 0, -0.03}, 1.0, 0.08);
  at = builder.limb(at, {0, 0, -0.03}, y_axis, {0, 0, -0.2}, 5.0, 0.4);
  at = builder.limb(at, {0, 0, -0.4}, y_axis, {0, 0, -0.2}, 3.0, 0.38);
  at = builder.limb(at, {0, 0, -0.4}, y_axis, {0, 0, -0.02}, 0.5, 0.06);
  return builder.limb(at, {0, 0, -0.02}, x_axis, {0.04, 0, -0.03}, 1.0, 0.2);
}

int humanoid_arm(Builder& builder, int chest, double y) {
  int at = builder.limb(chest, {0, y, 0.3}, y_axis, {0, 0.2 * y, 0}, 0.8, 0.08);
  at = builder.limb(at, {0, 0.2 * y, 0}, x_axis, {0, 0, -0.03}, 0.8, 0.08);
  at = builder.limb(at, {0, 0, -0.05}, z_axis, {0, 0, -0.12}, 1.5, 0.24);
  at = builder.limb(at, {0, 0, -0.25}, y_axis, {0, 0, -0.1}, 1.2, 0.22);
  at = builder.limb(at, {0, 0, -0.22}, z_axis, {0, 0, -0.03}, 0.4, 0.06);
  at = builder.limb(at, {0, 0, -0.04}, x_axis, {0, 0, -0.03}, 0.3, 0.06);
  return builder.limb(at, {0, 0, -0.04}, y_axis, {0, 0, -0.05}, 0.4, 0.1);
}

}  // namespace

Plan snake(int links) {
  Builder builder;
  for (int i = 0; i < links; i++) snake_link(builder, i == 0 ? JointKind::Free : JointKind::Universal, i - 1);
  return builder.plan;
}

Plan lying_snake(int links) {
  Plan plan = snake(links);
  for (BodyPlan& body : plan.bodies)
    for (const double side : {-1.0, 1.0}) {
      ShapePlan sphere;
      sphere.name = side < 0.0 ? "rear" : "front";
      sphere.shape.radius = 0.0525;
      sphere.position = {0.061 + side * 0.0393, 0, 0};
      body.shapes.push_back(sphere);
    }
  plan.joints[0].position = {0, 0, 0.0525, 1, 0, 0, 0};
  plan.ground.terrain.kind = TerrainKind::Plane;
  plan.contact.law = {.mu_forward = 0.2, .mu_backward = 0.2, .mu_trans = 0.2};
  plan.contact.options.between_bodies = false;
  return plan;
}

Plan chain(int links) {
  Builder builder;
  for (int i = 0; i < links; i++) snake_link(builder, JointKind::Universal, i - 1);
  return builder.plan;
}

Plan quadruped() {
  Builder builder;
  builder.root(6.0, {0.02, 0.07, 0.08});
  for (double x : {0.18, -0.18})
    for (double y : {0.05, -0.05}) {
      const int hip = builder.limb(0, {x, y, 0}, x_axis, {0, y, 0}, 0.7, 0.08);
      const int thigh = builder.limb(hip, {0, y, 0}, y_axis, {0, 0, -0.1}, 1.0, 0.2);
      builder.limb(thigh, {0, 0, -0.2}, y_axis, {0, 0, -0.1}, 0.2, 0.2);
    }
  return builder.plan;
}

Plan humanoid() {
  Builder builder;
  builder.root(8.0, {0.06, 0.05, 0.05});
  for (double y : {0.09, -0.09}) humanoid_leg(builder, y);
  const int waist = builder.limb(0, {0, 0, 0.08}, z_axis, {0, 0, 0.03}, 2.0, 0.08);
  const int belly = builder.limb(waist, {0, 0, 0.05}, x_axis, {0, 0, 0.03}, 2.0, 0.08);
  const int chest = builder.limb(belly, {0, 0, 0.05}, y_axis, {0, 0, 0.15}, 12.0, 0.3);
  for (double y : {0.2, -0.2}) humanoid_arm(builder, chest, y);
  builder.limb(chest, {0, 0, 0.35}, z_axis, {0, 0, 0.1}, 3.0, 0.2);
  return builder.plan;
}

Plan pendulums(int links) {
  Plan plan;
  for (int i = 0; i < links; i++) {
    BodyPlan body;
    body.name = "b" + std::to_string(i);
    body.com = Vec3d(0.0, 0.0, -0.05);
    body.inertia = Sym3d::diagonal(0.01);
    JointPlan joint;
    joint.name = "j" + std::to_string(i);
    joint.parent = i == 0 ? "world" : "b" + std::to_string(i - 1);
    joint.child = body.name;
    joint.p_parent = Vec3d(0.0, 0.0, i == 0 ? 0.0 : -0.1);
    joint.axis = Vec3d(0, 1, 0);
    joint.position = {0.05};
    plan.bodies.push_back(body);
    plan.joints.push_back(joint);
  }
  return plan;
}

const std::vector<Robot>& robots() {
  static const std::vector<Robot> all{{"snake26", snake(11)}, {"quadruped18", quadruped()}, {"humanoid36", humanoid()}};
  return all;
}

Motion motion_of(const Plan& plan) {
  int axes = 0;
  for (const JointPlan& joint : plan.joints)
    if (joint.kind != JointKind::Free) axes += joint::freedom_count(joint.kind);
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Motion motion;
  for (int i = 0; i < axes; i++) motion.angle.push_back(0.6 * uniform(generator));
  for (int i = 0; i < axes; i++) motion.rate.push_back(uniform(generator));
  for (int i = 0; i < axes; i++) motion.torque.push_back(uniform(generator));
  for (int i = 0; i < axes; i++) motion.accel.push_back(uniform(generator));
  return motion;
}

}  // namespace sinew::bench
