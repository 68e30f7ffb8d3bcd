// Contact inside a step: certified, the same from every engine, in all coordinates, in every lane, from every viewpoint.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sinew/step/smooth.h"
#include "tests/support/touching.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace contact_test {

constexpr ContactLaw<double> snake_skin{.mu_forward = 0.1, .mu_backward = 0.2, .mu_trans = 0.3};

struct Ran {
  World<double> world;
  double residual = 0.0;
  int unconverged = 0;
};
Ran go(const Plan& plan, const WorldOptions& options, double dt, int steps) {
  Ran r{make_world(plan, options)};
  for (int k = 0; k < steps; k++) {
    const StepReport report = r.world.step(dt);
    EXPECT_TRUE(report.finite);
    r.residual = std::max(r.residual, report.residual);
    r.unconverged += !report.converged;
  }
  return r;
}

TEST(Contact, every_step_is_certified) {
  for (const Stepper& stepper : fixed_steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      const Ran r = go(tumbling_arm(), {c, stepper.name}, 5e-4, 3000);
      EXPECT_EQ(r.unconverged, 0);
      EXPECT_LE(r.residual, 1e-8);
    }
}

// Impulses lie in their cones and only ever take energy out; the account of the energy closes at the stepper's order.
TEST(Contact, cones_hold_and_energy_is_never_created) {
  World<double> world = make_world(tumbling_arm());
  double taken = 0.0;
  for (int k = 0; k < 4000; k++) {
    world.step(2.5e-4);
    for (int s = 0; s < world.model().n_slots; s++) {
      const double* P = world.state.contact.data() + std::size_t(s) * slot::size + slot::P;
      if (P[-1] == 0.0) continue;
      EXPECT_GE(P[0], 0.0);
      const double a = (P[1] > 0 ? 0.9 : 0.4) * 1.3, b = 0.7 * 1.3;  // at most the static coefficients
      EXPECT_LE(std::hypot(P[1] / a, P[2] / b), P[0] + 1e-12);
      EXPECT_LE(std::abs(P[3]), 2e-3 * P[0] + 1e-12);
      EXPECT_LE(std::hypot(P[4], P[5]), 1e-3 * P[0] + 1e-12);
    }
    // of an impact, normal force and friction share the loss; the work of a step is taken with the mean velocity and may be
    // positive by what the velocity changes in it
    const double now = world.state.work.friction + world.state.work.impact;
    EXPECT_GE(now, taken - 1e-4) << k;
    taken = std::max(taken, now);
  }
  EXPECT_GT(world.state.work.friction, 0.1);
  EXPECT_GT(world.state.work.impact, 0.1);
  EXPECT_LT(std::abs(observe(world).balance_error), 0.03);  // of about 5 J: first order, explicit gyroscopic terms
}

// A velocity that is not a number, in any row, must not pass as solved.
TEST(Certificate, is_not_fooled_by_not_a_number) {
  const World<double> world = make_world(box_on_plane({0.2, 0.2, 0.1}, 2.0, 0.5));
  const Model& model = world.model();
  Workspace<double> ws(model);
  accelerations(model, world.params, world.input, {0.0, world.state.q.data(), world.state.u.data()}, ws);
  ASSERT_TRUE(gather(model, world.params, world.state, world.state.q.data(), {1e-3}, ws));
  ASSERT_EQ(ws.rows.n_contacts, 4);
  for (int i = 0; i < 4; i++) {
    Rows<double> rows = ws.rows;
    SolveReport honest, fooled;
    EXPECT_TRUE(std::isfinite(certify(rows, honest)));
    rows.contact[i].gamma[row::T1] = std::nan("");
    EXPECT_FALSE(std::isfinite(certify(rows, fooled)));
    EXPECT_FALSE(fooled.residual <= 1e300) << i;
  }
}

// Three engines, one answer. While points slip, redundant normal forces are not unique: the recursion's and the dense ones
// differ by up to 8e-4 N of 3.3 N here, and with them friction and after 400 steps the rates, by 1.1e-4 rad/s.
TEST(Contact, engines_agree) {
  const Plan plan = crawler(5, snake_skin);
  const Ran recursion = go(with_solver(plan, ContactSolver::Recursion), {}, 2.5e-4, 400);
  for (const ContactSolver solver : {ContactSolver::Newton, ContactSolver::Sweep}) {
    const Ran other = go(with_solver(plan, solver), {}, 2.5e-4, 400);
    EXPECT_LT(distance(observe(recursion.world), observe(other.world)), 2e-4);
    const auto a = normal_forces(recursion.world), b = normal_forces(other.world);
    for (std::size_t i = 0; i < a.size(); i++) EXPECT_NEAR(a[i], b[i], 2e-3) << i;
  }
}

TEST(Contact, coordinates_agree) {
  const Plan plan = crawler(3, snake_skin);
  double last = 1.0;
  for (const int steps : {1000, 4000}) {
    const Ran tree = go(plan, {Coordinates::Tree}, 0.25 / steps, steps);
    const Ran maximal = go(plan, {Coordinates::Maximal}, 0.25 / steps, steps);
    const double now = distance(observe(tree.world), observe(maximal.world));
    EXPECT_LT(now, last);
    last = now;
  }
  EXPECT_LT(last, 3e-4);  // velocities included; measured 1.2e-4 m/s, a tenth of that with equal friction both ways
}

// A straight chain on the ground has 22 contacts and 12 ways to move up: the forces of least norm are all equal.
TEST(Contact, redundant_normal_forces_have_the_least_norm) {
  for (const ContactSolver solver : {ContactSolver::Recursion, ContactSolver::Newton, ContactSolver::Sweep})
    for (const double dt : {2.5e-4, 1e-2}) {
      SCOPED_TRACE(std::string(contact_solver_names[int(solver)]) + " " + std::to_string(dt));
      Plan plan = with_solver(crawler(11, {.mu_forward = 0.2, .mu_backward = 0.2, .mu_trans = 0.2}), solver);
      for (JointPlan& j : plan.joints) j.drive = Drive::None;
      const Ran r = go(plan, {}, dt, 20);
      for (const double N : normal_forces(r.world)) EXPECT_NEAR(N, 0.68 * 9.81 / 2, 1e-6);
    }
}

// The same scene with the shapes in another order.
TEST(Contact, the_order_of_contacts_does_not_matter) {
  Plan plan = crawler(5, snake_skin), other = plan;
  for (BodyPlan& b : other.bodies) std::swap(b.shapes[0], b.shapes[1]);
  const Ran a = go(plan, {}, 2.5e-4, 400), b = go(other, {}, 2.5e-4, 400);
  EXPECT_LT(distance(observe(a.world), observe(b.world)), 1e-5);
}

// Turned about the vertical by 120 degrees, moved, with the plane and gravity tilted along.
TEST(Contact, a_turned_scene_gives_the_turned_result) {
  const Mat3d R = to_matrix(quaternion_exp(Vec3d(0.4, -0.7, 1.9)));
  Plan plan = tumbling_arm(), turned = plan;
  JointPlan& j = turned.joints[0];
  const Vec3d p = R * Vec3d(j.position[0], j.position[1], j.position[2]);
  const Vec3d v = R * Vec3d(j.velocity[3], j.velocity[4], j.velocity[5]);
  const Quatd q = normalized(quaternion_exp(Vec3d(0.4, -0.7, 1.9)) *
                             normalized(Quatd{j.position[3], j.position[4], j.position[5], j.position[6]}));
  j.position = {p[0], p[1], p[2], q.w, q.x, q.y, q.z};
  j.velocity = {j.velocity[0], j.velocity[1], j.velocity[2], v[0], v[1], v[2]};
  turned.gravity.g = R * plan.gravity.g;
  turned.ground.terrain.normal = R * plan.ground.terrain.normal;
  const Ran a = go(plan, {}, 5e-4, 800), b = go(turned, {}, 5e-4, 800);
  const Observation<double> x = observe(a.world), y = observe(b.world);
  for (std::size_t i = 0; i < x.bodies.size(); i++)
    EXPECT_LT(norm(R * x.bodies[i].p_WC - y.bodies[i].p_WC), 1e-7) << i;  // tumbling doubles round-off many times
}

// A mirror image: y turns around, and with it the turning about x and z.
TEST(Contact, a_mirrored_scene_gives_the_mirrored_result) {
  Plan plan = box_on_plane({0.2, 0.3, 0.1}, 2.0, 0.4), mirrored = plan;
  plan.joints[0].position = {0, 0, 0.3, 1, 0, 0, 0}, mirrored.joints[0].position = plan.joints[0].position;
  plan.joints[0].velocity = {1, 2, 3, 0.5, 0.4, 0}, mirrored.joints[0].velocity = {-1, 2, -3, 0.5, -0.4, 0};
  const Ran a = go(plan, {}, 5e-4, 1600), b = go(mirrored, {}, 5e-4, 1600);
  const Vec3d p = observe(a.world).bodies[0].p_WC, m = observe(b.world).bodies[0].p_WC;
  EXPECT_LT(norm(Vec3d(p[0], -p[1], p[2]) - m), 1e-7);
}

// A lane is bit for bit the robot alone, also where robots touch at different times.
TEST(Contact, a_lane_equals_the_robot_alone) {
  for (const Stepper& stepper : fixed_steppers())
    for (const Coordinates c : both_coordinates) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      World<double> one = make_world(tumbling_arm(), {c, stepper.name});
      World<Lanes> wide = widen(one);
      std::vector<World<double>> alone;
      for (int k = 0; k < lane_count; k++) {
        alone.push_back(one);
        for (double& u : alone[k].state.u) u *= 1.0 + 0.2 * k;
        set_lane_state(wide.state, k, alone[k].state);
      }
      for (int step = 0; step < 600; step++) {
        wide.step(1e-3);
        for (auto& world : alone) world.step(1e-3);
      }
      for (int k = 0; k < lane_count; k++) EXPECT_EQ(hash(wide.state, k), hash(alone[k].state)) << k;
    }
}

TEST(Contact, a_resumed_run_is_the_straight_run) {
  World<double> straight = make_world(crawler(4, snake_skin));
  for (int k = 0; k < 100; k++) straight.step(1e-3);
  World<double> resumed = make_world(crawler(4, snake_skin));
  resumed.state = straight.state;
  for (int k = 0; k < 100; k++) straight.step(1e-3), resumed.step(1e-3);
  EXPECT_EQ(hash(straight.state), hash(resumed.state));
}

// A block dropped flat: after the impact the force is the weight in every single step, and does not know the step.
TEST(Contact, forces_at_rest_have_no_spikes) {
  for (const double dt : {1e-2, 1e-3, 1e-4}) {
    Plan plan = box_on_plane({0.2, 0.2, 0.1}, 2.0, 0.5);
    plan.joints[0].position[2] += 0.01;
    World<double> world = make_world(plan);
    const int n = int(0.4 / dt);
    for (int k = 0; k < n; k++) {
      world.step(dt);
      if (k * dt < 0.2) continue;
      const auto N = normal_forces(world);
      EXPECT_NEAR(std::accumulate(N.begin(), N.end(), 0.0), 2.0 * 9.81, 1e-6);
    }
  }
}

// A parallelogram of cranks and coupler falls onto the ground: loops with redundant rows, joints and a contact together.
// By virtual work the ground carries N = (1/2 + 1/2 + 2) g.
TEST(Contact, a_loop_comes_to_rest_on_the_ground) {
  for (const Coordinates c : both_coordinates)
    for (const Stepper& stepper : fixed_steppers()) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      Plan plan = parallelogram(-0.3, 0.0);
      for (BodyPlan& b : plan.bodies)
        if (b.mass > 1.5) {
          ShapePlan ball;
          ball.name = "ball", ball.shape.radius = 0.1, ball.position = {1.0, 0, 0};
          b.shapes = {ball};
        }
      plan.ground.terrain.kind = TerrainKind::Plane;
      plan.ground.terrain.normal = {0, 1, 0}, plan.ground.terrain.height = -0.8;
      plan.contact.law = {};  // friction would carry a part
      const Ran r = go(plan, {c, stepper.name}, 5e-4, 2000);
      EXPECT_EQ(r.unconverged, 0);
      const auto N = normal_forces(r.world);
      EXPECT_NEAR(std::accumulate(N.begin(), N.end(), 0.0), 3 * 9.81,
                  1e-3);  // euler's gaps move it a little in each step
      EXPECT_LT(observe(r.world).energy.kinetic, 1e-4);
    }
}

// A ball in a valley of two slopes of 45 degrees: both carry m g / sqrt(2).
TEST(Contact, a_ball_lies_in_a_valley_of_a_height_field) {
  Plan plan = box_on_plane({0.2, 0.2, 0.2}, 2.0, 0.0);
  ShapePlan& ball = plan.bodies[0].shapes[0];
  ball.shape = {.kind = ShapeKind::Sphere, .radius = 0.1};
  plan.ground.terrain.kind = TerrainKind::Heights;
  plan.ground.terrain.field = {3, 3, -1, -1, 1, 1, {1, 1, 1, 0, 0, 0, 1, 1, 1}};
  plan.joints[0].position = {0, 0.1, 0.1 * std::sqrt(2.0), 1, 0, 0, 0};
  const Ran r = go(plan, {}, 1e-3, 500);
  EXPECT_EQ(r.unconverged, 0);
  int carrying = 0;
  for (const double N : normal_forces(r.world))
    if (N > 1e-3) {
      EXPECT_NEAR(N, 2.0 * 9.81 / std::sqrt(2.0), 1e-6);
      carrying++;
    }
  EXPECT_EQ(carrying, 2);
  EXPECT_NEAR(observe(r.world).bodies[0].p_WC[2], 0.1 * std::sqrt(2.0), 1e-9);
}

// A capsule across two stairs: leans on the edge of one and stands on the next lower one; at rest, and it stays.
TEST(Contact, a_capsule_rests_on_stairs) {
  Plan plan = box_on_plane({0.2, 0.2, 0.2}, 2.0, 0.9);
  ShapePlan& s = plan.bodies[0].shapes[0];
  s.shape = {.kind = ShapeKind::Capsule, .radius = 0.03, .half_length = 0.3};
  s.orientation = normalized(Quatd{1, 0, 1, 0});  // along x
  plan.ground.terrain.kind = TerrainKind::Steps;
  plan.joints[0].position = {0.65, 0, 0.45, 1, 0, 0, 0};
  Ran r = go(plan, {}, 5e-4, 4000);
  EXPECT_EQ(r.unconverged, 0);
  const Vec3d before = observe(r.world).bodies[0].p_WC;
  for (int k = 0; k < 1000; k++) r.world.step(5e-4);
  const Observation<double> seen = observe(r.world);
  EXPECT_LT(norm(seen.bodies[0].p_WC - before), 1e-8);
  Vec3d force = Vec3d::zero();
  for (const auto& c : seen.contacts) force += c.friction;
  double up = force[2];
  for (int i = 0; i < r.world.model().n_slots; i++) {
    const double* slot = r.world.state.contact.data() + std::size_t(i) * slot::size;
    up += slot[slot::P] / r.world.state.dt * slot[slot::n + 2];
  }
  EXPECT_NEAR(up, 2.0 * 9.81, 1e-6);
}

// The lower end of the range stops the arm without a bounce, and the torque there is what the weight asks for.
TEST(JointLimit, stops_and_holds) {
  for (const Coordinates c : both_coordinates)
    for (const Stepper& stepper : fixed_steppers()) {
      SCOPED_TRACE(std::string(stepper.name) + " " + name_of(c));
      Plan plan = pinned_rod();
      plan.joints[0].lower = {-0.5};
      World<double> world = make_world(plan, {c, stepper.name});
      for (int k = 0; k < 2000; k++) EXPECT_TRUE(world.step(1e-3).converged);
      const Observation<double> seen = observe(world);
      EXPECT_NEAR(seen.joints[0].q[0], -0.5, 5e-3);  // one step further than the end at most
      EXPECT_NEAR(seen.joints[0].u[0], 0.0, 1e-9);
      EXPECT_NEAR(world.state.axis_P[0] / world.state.dt, 9.81 * 0.5 * std::cos(seen.joints[0].q[0]),
                  1e-5);  // rk4 takes the weight along a fall of g dt^2 / 2
    }
}

// m g l/2 cos(angle) below the dry friction holds, above it slips: angle'' = (t_c - m g l/2) / (m l^2/3) at the start.
TEST(DryFriction, holds_and_slips) {
  for (const Coordinates c : both_coordinates)
    for (const double torque : {5.0, 4.0}) {
      SCOPED_TRACE(std::string(name_of(c)) + " " + std::to_string(torque));
      Plan plan = pinned_rod();
      plan.joints[0].dry_friction = {torque};
      World<double> world = make_world(plan, {c});
      for (int k = 0; k < 100; k++) EXPECT_TRUE(world.step(1e-4).converged);
      const double angle = observe(world).joints[0].q[0];
      if (torque > 9.81 / 2)
        EXPECT_NEAR(angle, 0.0, 1e-12);
      else
        EXPECT_NEAR(angle, 0.5 * (torque - 9.81 / 2) * 3 * 1e-4, 1e-7);
    }
}

// Implicit servo of moreau: the end velocity satisfies the PD law, the limit is exact, and stiff gains need no small step.
TEST(ServoLaw, follows_the_end_of_the_step_and_its_limit) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    Plan plan = pinned_rod();
    JointPlan& j = plan.joints[0];
    j.drive = Drive::Servo, j.kp = {1e6}, j.kd = {1e3}, j.motion = {Motion<double>{}};
    plan.implicit_servos = true;
    World<double> world = make_world(plan, {c});
    for (int k = 0; k < 200; k++) EXPECT_TRUE(world.step(1e-2).converged);
    EXPECT_NEAR(observe(world).joints[0].q[0], -9.81 / 2 / 1e6, 1e-9);
    j.limit = {4.0};
    world = make_world(plan, {c});
    for (int k = 0; k < 20; k++) world.step(1e-3);
    EXPECT_NEAR(world.state.axis_P[0] / world.state.dt, 4.0, 1e-9);
  }
}

}  // namespace contact_test
}  // namespace sinew::test
