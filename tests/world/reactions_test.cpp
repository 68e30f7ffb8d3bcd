// What joints hand on and how bodies accelerate: closed forms, Newton's law body by body, and the same in both choices of coordinates.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/worlds.h"

namespace sinew::test {
namespace reactions_test {

constexpr double g = 9.81;

const Reactions& reactions_of(const World<double>& world, const Observation<double>& seen) {
  return seen.reactions.of(world);
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance, const std::string& what) {
  EXPECT_LT(norm(a - b), tolerance) << what << ": " << a[0] << " " << a[1] << " " << a[2] << ", wanted " << b[0] << " "
                                    << b[1] << " " << b[2];
}

// Released from the level, at the angle q below it: w^2 = 3 g sin(q) / l, along the rod 5/2 m g sin(q), across it m g cos(q) / 4.
TEST(Reactions, of_a_swinging_rod_are_those_of_the_closed_form) {
  const double l = 0.7, m = 1.3;
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    World<double> world = make_world(pinned_rod(l, m), {c, "rk4"});
    for (const double T : {0.0, 0.2, 0.2}) {
      if (T > 0.0) run(world, world.state.t + T, 400);
      const auto seen = observe(world);
      const Reactions& r = reactions_of(world, seen);
      const double q = -seen.joints[0].q[0];
      const Vec3d along(std::cos(q), -std::sin(q), 0), across(std::sin(q), std::cos(q), 0);
      expect_near(r.joints[0].force, along * (-2.5 * m * g * std::sin(q)) + across * (0.25 * m * g * std::cos(q)), 1e-8,
                  "force");
      expect_near(r.joints[0].couple, Vec3d::zero(), 1e-9, "couple");
      expect_near(r.bodies[0].w_dot, Vec3d(0, 0, -1.5 * g / l * std::cos(q)), 1e-8, "angular acceleration");
      expect_near(r.bodies[0].a_WC, along * (-1.5 * g * std::sin(q)) - across * (0.75 * g * std::cos(q)), 1e-8,
                  "acceleration");
    }
  }
}

// A weld carries weight and moment, and what hangs on it.
TEST(Reactions, of_a_cantilever_are_its_weight_and_its_moment) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    Plan plan;
    plan.gravity.g = {0, 0, -g};
    plan.bodies = {rod("inner", 1.0, 2.0), rod("outer", 0.6, 1.5)};
    plan.joints = {pin("wall", "world", "inner", {0, 0, 0}), pin("middle", "inner", "outer", {1, 0, 0})};
    for (JointPlan& j : plan.joints) j.kind = JointKind::Weld;
    const World<double> world = make_world(plan, {c});
    const auto seen = observe(world);
    const Reactions& r = reactions_of(world, seen);
    expect_near(r.joints[0].force, {0, 0, 3.5 * g}, 1e-10, "force");
    expect_near(r.joints[0].couple, {0, -(2.0 * 0.5 + 1.5 * 1.3) * g, 0}, 1e-10, "couple");
    expect_near(r.joints[1].force, {0, 0, 1.5 * g}, 1e-10, "outer force");
    expect_near(r.joints[1].couple, {0, -1.5 * 0.3 * g, 0}, 1e-10, "outer couple");
    expect_near(r.bodies[1].a_WC, Vec3d::zero(), 1e-11, "acceleration");
  }
}

// m a = sum of the forces of all joints, weight and contacts, and the same of moments about the mass centre.
void expect_newton(const World<double>& world, double tolerance) {
  const Model& model = world.model();
  const auto seen = observe(world);
  const Reactions& r = reactions_of(world, seen);
  for (int i = 0; i < model.link_count(); i++) {
    const std::size_t at = std::size_t(i);
    const Inertia<double>& I_F = world.params.links[at].I_F;
    Vec3d force = world.params.gravity.g * I_F.m + seen.touched[at].force, couple = seen.touched[at].torque;
    for (std::size_t k = 0; k < model.joints.size(); k++) {
      const JointInfo& joint = model.joints[k];
      const double sign = joint.child == i ? 1.0 : joint.parent == i ? -1.0 : 0.0;
      if (sign == 0.0) continue;
      // the joint's point in the child
      const Posed X_WB = seen.bodies[std::size_t(joint.child)].X_WB;
      Vec3d p = X_WB.p;
      if (joint.link >= 0)
        p = (X_WB * model.links[std::size_t(joint.link)].X_FB.inverse()).p;
      else
        p = (X_WB * model.links[std::size_t(joint.child)].X_FB.inverse() *
             world.params.cuts[std::size_t(joint.cut)].X_2F)
                .p;
      force += r.joints[k].force * sign;
      couple += (r.joints[k].couple + cross(p - seen.bodies[at].p_WC, r.joints[k].force)) * sign;
    }
    expect_near(force, r.bodies[at].a_WC * I_F.m, tolerance, "force on " + model.body_names[at]);
    const Mat3d R = (seen.bodies[at].X_WB * model.links[at].X_FB.inverse()).R;
    const Sym3d I_C = rotate(R, central(I_F.I, world.params.links[at].c_F, I_F.mc));
    const Vec3d& w = seen.bodies[at].w_WB;
    expect_near(couple, I_C * r.bodies[at].w_dot + cross(w, I_C * w), tolerance, "moment on " + model.body_names[at]);
  }
}

void expect_same(const World<double>& a, const World<double>& b, double tolerance) {
  const auto seen_a = observe(a), seen_b = observe(b);
  const Reactions &x = reactions_of(a, seen_a), &y = reactions_of(b, seen_b);
  for (std::size_t k = 0; k < x.joints.size(); k++) {
    expect_near(x.joints[k].force, y.joints[k].force, tolerance, "force of " + a.model().joints[k].name);
    expect_near(x.joints[k].couple, y.joints[k].couple, tolerance, "couple of " + a.model().joints[k].name);
  }
  for (const std::string& name : a.model().body_names) {
    const std::size_t i = std::size_t(a.model().body(name)), k = std::size_t(b.model().body(name));
    expect_near(x.bodies[i].a_WC, y.bodies[k].a_WC, tolerance, "acceleration of " + name);
    expect_near(x.bodies[i].w_dot, y.bodies[k].w_dot, tolerance, "angular acceleration of " + name);
  }
}

// With springs, dampers, a torque, a servo, a driven joint, a screw, a bar in a loop and a gear.
Plan busy_chain() {
  Plan plan = mixed_chain();
  for (std::size_t k : {0u, 1u}) {
    const std::size_t nu = std::size_t(joint::freedom_count(plan.joints[k].kind));
    plan.joints[k].stiffness.assign(nu, 12.0);
    plan.joints[k].damping.assign(nu, 0.3);
  }
  plan.joints[3].drive = Drive::Servo;
  plan.joints[3].kp = {20.0}, plan.joints[3].kd = {1.0};
  BodyPlan last = lump("last", 0.4);
  plan.bodies.push_back(last);
  JointPlan screw = hinge(JointKind::Cylindrical, plan.bodies[1].name, "last");
  screw.tie = {.kind = JointTie::Screw, .pitch = 0.9};
  screw.position = {0.3, 0.3 * screw.tie.slope()};
  screw.velocity = {0.8, 0.8 * screw.tie.slope()};
  plan.joints.push_back(screw);
  JointPlan bar;
  bar.name = "bar", bar.kind = kind_of(JointTie::Distance), bar.tie = {.kind = JointTie::Distance, .length = 1.1};
  bar.parent = plan.bodies[0].name, bar.child = "last", bar.loop = true;
  const auto open = observe(make_world(plan));
  bar.tie.length = norm(open.bodies[0].X_WB.p - open.bodies.back().X_WB.p);
  plan.joints.push_back(bar);
  plan.couplings = {{.name = "gear",
                     .joints = {plan.joints[0].name, screw.name},
                     .factors = {1.0, 0.4},
                     .sum = plan.joints[0].position[0] + 0.4 * screw.position[0]}};
  return plan;
}

TEST(Reactions, are_newtons_law_and_the_same_in_both_coordinates_with_drives_loops_and_gears) {
  const World<double> tree = make_world(busy_chain(), {Coordinates::Tree});
  const World<double> maximal = make_world(busy_chain(), {Coordinates::Maximal});
  ASSERT_LT(distance(tree, maximal), 1e-8);
  expect_newton(tree, 1e-9);
  expect_newton(maximal, 1e-7);
  expect_same(tree, maximal, 1e-6);
}

TEST(Reactions, of_driven_joints_have_what_their_drives_need) {
  Plan plan = mixed_chain();
  plan.joints[0].drive = Drive::Motion;
  plan.joints[0].position = plan.joints[0].velocity = {};
  plan.joints[0].motion = {{.amplitude = 0.4, .frequency = 0.7, .phase = 0.3}};
  const World<double> tree = make_world(plan, {Coordinates::Tree}), maximal = make_world(plan, {Coordinates::Maximal});
  expect_newton(tree, 1e-9);
  expect_newton(maximal, 1e-9);
  expect_same(tree, maximal, 1e-8);
}

// A conical pendulum: the bar pulls with m g L / h.
TEST(Reactions, of_a_distance_are_the_pull_of_its_bar) {
  Plan plan;
  plan.bodies = {{.name = "bob", .mass = 1.5, .inertia = Sym3d::diagonal(0.02)}};
  JointPlan bar;
  bar.name = "bar", bar.kind = kind_of(JointTie::Distance), bar.child = "bob";
  bar.tie = {.kind = JointTie::Distance, .length = 1.0};
  bar.position = {0.6, 0, -0.8, 1, 0, 0, 0};
  bar.velocity = {0, 0, 0, 0, 0.6 * std::sqrt(g / 0.8), 0};
  plan.joints = {bar};
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    const World<double> world = make_world(plan, {c});
    const auto seen = observe(world);
    expect_near(reactions_of(world, seen).joints[0].force, Vec3d(-0.6, 0, 0.8) * (1.5 * g / 0.8), 1e-10, "pull");
    expect_near(reactions_of(world, seen).joints[0].couple, Vec3d::zero(), 1e-12, "couple");
    expect_near(reactions_of(world, seen).bodies[0].a_WC, {-0.6 * g / 0.8, 0, 0}, 1e-10, "acceleration");
  }
}

// A box on the ground that carries a body on a weld, and one on a slide down to its hard stop: at rest each joint carries what is above.
TEST(Reactions, of_what_stands_on_the_ground_carry_it) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    Plan plan;
    plan.ground.terrain.kind = TerrainKind::Plane;
    BodyPlan box{.name = "box", .mass = 4.0, .inertia = Sym3d::diagonal(0.1)};
    box.shapes = {{.name = "box", .shape = {.kind = ShapeKind::Box, .half = {0.3, 0.3, 0.1}}}};
    BodyPlan load{.name = "load", .mass = 2.0, .inertia = Sym3d::diagonal(0.05)}, slide = load;
    slide.name = "slide", slide.mass = 1.0;
    plan.bodies = {box, load, slide};
    JointPlan air, weld, stop;
    air.name = "air", air.kind = JointKind::Free, air.child = "box", air.position = {0, 0, 0.1, 1, 0, 0, 0};
    weld.name = "weld", weld.kind = JointKind::Weld, weld.parent = "box", weld.child = "load";
    weld.p_parent = {0.1, 0, 0.2};
    stop.name = "stop", stop.kind = JointKind::Prismatic, stop.parent = "load", stop.child = "slide";
    stop.p_parent = {-0.1, 0, 0.3}, stop.lower = {-0.05};
    plan.joints = {air, weld, stop};
    World<double> world = make_world(plan, {c});
    run(world, 0.6, 600);
    const auto seen = observe(world);
    const Reactions& r = reactions_of(world, seen);
    const std::size_t weld_at = std::size_t(world.model().joint("weld")),
                      stop_at = std::size_t(world.model().joint("stop"));
    expect_near(r.joints[stop_at].force, {0, 0, 1.0 * g}, 1e-5, "stop");
    expect_near(r.joints[weld_at].force, {0, 0, 3.0 * g}, 1e-5, "weld");
    expect_near(r.joints[weld_at].couple, {0, 0.1 * g, 0}, 1e-5, "moment of the weld");
    for (const BodyAcceleration& a : r.bodies) expect_near(a.a_WC, Vec3d::zero(), 1e-5, "acceleration");
    expect_newton(world, 1e-8);
  }
}

TEST(Reactions, are_worked_out_anew_for_each_look_and_by_copies) {
  World<double> world = make_world(pinned_rod());
  Observer<double> observer(world.model());
  const double before = observer.observe(world).reactions.of(world).bodies[0].a_WC[1];
  run(world, 0.3, 300);
  const Observation<double>& seen = observer.observe(world);
  const Observation<double> copy = seen;
  const Vec3d now = seen.reactions.of(world).bodies[0].a_WC;
  EXPECT_NE(now[1], before);
  expect_near(copy.reactions.of(world).bodies[0].a_WC, now, 1e-300 + 1e-15, "copy");
}

}  // namespace reactions_test
}  // namespace sinew::test
