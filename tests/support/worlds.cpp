#include "tests/support/worlds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::test {

BodyPlan lump(std::string name, double mass, Vec3d com) {
  BodyPlan b;
  b.name = std::move(name);
  b.mass = mass;
  b.com = com;
  b.inertia = {0.05 * mass, 0.005 * mass, -0.004 * mass, 0.07 * mass, 0.006 * mass, 0.09 * mass};
  return b;
}

BodyPlan rod(std::string name, double length, double mass, double axial) {
  BodyPlan b;
  b.name = std::move(name);
  b.mass = mass;
  b.com = {length / 2, 0, 0};
  const double I = mass * length * length / 12;
  b.inertia = {axial, 0, 0, I, 0, I};
  return b;
}

std::vector<double> some_position(JointKind kind) {
  const Quatd a = quaternion_exp(Vec3d(0.4, -0.3, 0.5));
  switch (kind) {
    case JointKind::Free:
    case JointKind::Flex:
      return {0.1, -0.2, 0.3, a.w, a.x, a.y, a.z};
    case JointKind::Planar:
      return {0.1, -0.2, 0.5};
    case JointKind::Universal:
      return {0.4, -0.3};
    case JointKind::Ball:
      return {a.w, a.x, a.y, a.z};
    case JointKind::Revolute:
      return {0.7};
    case JointKind::Prismatic:
      return {0.2};
    case JointKind::Weld:
      return {};
    default: {  // a kind that is not known here: any numbers, if its coordinates are those of its axes
      const std::vector<double> six{0.4, -0.3, 0.2, 0.5, -0.2, 0.1};
      return {six.begin(), six.begin() + joint::coordinate_count(kind)};
    }
  }
}

std::vector<double> some_velocity(JointKind kind) {
  const std::vector<double> six{1.2, -0.8, 0.9, 0.4, -0.5, 0.6};
  if (kind == JointKind::Prismatic) return {0.5};
  if (kind == JointKind::Planar) return {0.5, -0.4, 1.3};
  return {six.begin(), six.begin() + joint::freedom_count(kind)};
}

JointPlan hinge(JointKind kind, std::string parent, std::string child) {
  JointPlan j;
  j.name = std::string(joint::name_of(kind)) + "_" + child;
  j.kind = kind;
  j.parent = std::move(parent);
  j.child = std::move(child);
  j.p_parent = {0.5, 0.1, 0.0};
  j.p_child = {-0.1, 0.05, 0.02};
  j.orientation = quaternion_exp(Vec3d(0.3, 0.2, -0.1));
  j.axis = {0.2, 0.4, 1.0};
  j.axis2 = {0.0, 1.0, -0.4};
  j.position = some_position(kind);
  j.velocity = some_velocity(kind);
  return j;
}

Plan single(JointKind kind) {
  Plan plan;
  plan.bodies = {lump("a")};
  plan.joints = {hinge(kind, "world", "a")};
  return plan;
}

Plan mixed_chain() {
  Plan plan;
  std::string parent = "world";
  const JointKind kinds[] = {JointKind::Revolute, JointKind::Universal, JointKind::Ball, JointKind::Prismatic,
                             JointKind::Planar};
  for (int i = 0; i < 5; i++) {
    const std::string name(1, char('a' + i));
    plan.bodies.push_back(lump(name, 1.0 - 0.1 * i));
    plan.joints.push_back(hinge(kinds[i], parent, name));
    parent = name;
  }
  return plan;
}

Plan spinning_links(int n, double rate) {
  Plan plan;
  plan.gravity.kind = GravityKind::None;
  std::string parent = "world";
  for (int i = 0; i < n; i++) {
    const std::string name(1, char('a' + i));
    plan.bodies.push_back(rod(name));
    JointPlan j;
    j.name = "j_" + name;
    j.parent = parent;
    j.child = name;
    if (i > 0) j.p_parent = {1, 0, 0};
    j.position = {0.3 * i};
    j.velocity = {i == 0 ? rate : 0.0};
    plan.joints.push_back(j);
    parent = name;
  }
  return plan;
}

Plan floating_chain() {
  Plan plan;
  plan.gravity.kind = GravityKind::None;
  plan.bodies = {lump("base", 2.0), lump("arm", 0.8), lump("hand", 0.5)};
  plan.joints = {hinge(JointKind::Free, "world", "base"), hinge(JointKind::Universal, "base", "arm"),
                 hinge(JointKind::Ball, "arm", "hand")};
  return plan;
}

JointPlan pin(std::string name, std::string parent, std::string child, Vec3d p_parent, Vec3d p_child) {
  JointPlan j;
  j.name = std::move(name);
  j.parent = std::move(parent);
  j.child = std::move(child);
  j.p_parent = p_parent;
  j.p_child = p_child;
  return j;
}

Plan pinned_rod(double length, double mass) {
  Plan plan;
  plan.gravity.g = {0, -9.81, 0};
  plan.bodies = {rod("bar", length, mass)};
  plan.joints = {pin("pivot", "world", "bar", {0, 0, 0})};
  return plan;
}

Plan parallelogram(double angle, double rate) {
  Plan plan;
  plan.gravity.g = {0, -9.81, 0};
  plan.bodies = {rod("left"), rod("coupler", 2.0, 2.0), rod("right")};
  plan.joints = {pin("A", "world", "left", {0, 0, 0}), pin("B", "left", "coupler", {1, 0, 0}),
                 pin("D", "world", "right", {2, 0, 0}), pin("C", "coupler", "right", {2, 0, 0}, {1, 0, 0})};
  for (int i : {0, 2}) plan.joints[i].position = {angle}, plan.joints[i].velocity = {rate};
  plan.joints[1].position = {-angle}, plan.joints[1].velocity = {-rate};
  plan.joints[3].loop = true;
  return plan;
}

Plan bricard() {
  // corners of the cube in the order of the hexagon; the last edge, back to the first, is the ground
  const Vec3d corner[6] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
  Plan plan;
  plan.gravity.g = {0, -9.81, 0};
  for (int i = 0; i < 6; i++) {
    const Vec3d before = corner[i] - corner[(i + 5) % 6], after = corner[(i + 1) % 6] - corner[i];
    JointPlan j;
    j.name = "j" + std::to_string(i);
    j.parent = i == 0 ? "world" : "rod" + std::to_string(i - 1);
    j.child = i == 5 ? "rod4" : "rod" + std::to_string(i);
    if (i == 5) j.parent = "world", j.loop = true;
    j.axis = cross(before, after);
    // every body's axes are the world's, with the origin in its first corner
    j.p_parent = i == 0 ? corner[0] : i == 5 ? corner[5] : corner[i] - corner[i - 1];
    j.p_child = i == 5 ? corner[5] - corner[4] : Vec3d::zero();
    plan.joints.push_back(j);
    if (i == 5) continue;
    BodyPlan b;
    b.name = j.child;
    b.com = after * 0.5;
    const double I = 1.0 / 12, slim = 1e-3;
    b.inertia = {after[0] != 0 ? slim : I, 0, 0, after[1] != 0 ? slim : I, 0, after[2] != 0 ? slim : I};
    plan.bodies.push_back(b);
  }
  return plan;
}

Plan everything() {
  Plan plan = parallelogram(0.8, 0.0);
  // a tail on the coupler: driven, sprung and damped, servoed joints of several kinds
  plan.bodies.push_back(lump("t1", 0.3));
  plan.bodies.push_back(lump("t2", 0.2));
  plan.bodies.push_back(lump("t3", 0.2));
  plan.joints.push_back(hinge(JointKind::Revolute, "coupler", "t1"));
  plan.joints.push_back(hinge(JointKind::Ball, "t1", "t2"));
  plan.joints.push_back(hinge(JointKind::Universal, "t2", "t3"));
  JointPlan* tail = &plan.joints[4];
  tail[0].drive = Drive::Motion;
  tail[0].position = tail[0].velocity = {};
  tail[0].motion = {{.offset = 0.3, .rate = 0.2, .amplitude = 0.5, .frequency = 0.7, .phase = 0.4, .ramp = 0.5}};
  tail[1].stiffness = {3, 3, 3};
  tail[1].damping = {0.1, 0.2, 0.3};
  tail[2].drive = Drive::Servo;
  tail[2].motion = {{.amplitude = 0.4, .frequency = 1.0}, {.offset = 0.2}};
  tail[2].kp = {5, 4};
  tail[2].kd = {0.2, 0.1};
  tail[2].limit = {0.6, 1.0};
  plan.joints[0].stiffness = {2.0};
  plan.joints[0].damping = {0.3};
  plan.joints[3].damping = {0.2};  // in the loop joint itself
  return plan;
}

void run(World<double>& world, double T, int steps) {
  const double start = world.state.t, dt = (T - start) / steps;
  for (int k = 0; k < steps; k++) {
    world.step(dt);
    world.state.t = start + (k + 1) * dt;
  }
}

World<double> run(const Plan& plan, const WorldOptions& options, double T, int steps) {
  World<double> world = make_world(plan, options);
  run(world, T, steps);
  return world;
}

double distance(const Observation<double>& a, const Observation<double>& b) {
  double d = 0.0;
  const auto add = [&](const Vec3d& x, const Vec3d& y) {
    for (int i = 0; i < 3; i++) d = std::isfinite(x[i] - y[i]) ? std::max(d, std::abs(x[i] - y[i])) : INFINITY;
  };
  for (std::size_t i = 0; i < a.bodies.size(); i++) {
    const auto &x = a.bodies[i], &y = b.bodies[i];
    add(x.p_WC, y.p_WC), add(x.v_WC, y.v_WC), add(x.w_WB, y.w_WB);
    for (int k = 0; k < 3; k++) add(x.X_WB.R.col(k), y.X_WB.R.col(k));
  }
  return d;
}

double distance(const World<double>& a, const World<double>& b) { return distance(observe(a), observe(b)); }

double order(double coarse, double fine) { return std::log2(coarse / fine); }

double largest(const std::vector<double>& values) {
  double m = 0.0;
  for (double x : values) m = std::isfinite(x) ? std::max(m, std::abs(x)) : INFINITY;
  return m;
}

}  // namespace sinew::test
