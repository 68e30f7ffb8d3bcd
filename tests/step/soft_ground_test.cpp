// Patches of the ground: soft ones carry by F = k x + c x', others rub and bounce in their own way (docs/contact.md#patches).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/world/observe.h"
#include "tests/support/touching.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace soft_ground_test {

constexpr double g = 9.81;

PatchPlan soft(double stiffness, double damping) {
  PatchPlan patch;
  patch.name = "soft", patch.stiffness = stiffness, patch.damping = damping;
  return patch;
}

// A point of 2 kg at height z over a plane; it does not turn when it is rubbed.
Plan point_at(double z, const PatchPlan& patch) {
  Plan plan;
  BodyPlan body;
  body.name = "ball", body.mass = 2.0, body.inertia = Sym3d::diagonal(0.01);
  ShapePlan shape;
  shape.name = "skin", shape.shape = {.kind = ShapeKind::Sphere, .radius = 0.0};
  body.shapes = {shape};
  JointPlan air;
  air.name = "air", air.kind = JointKind::Free, air.child = "ball", air.position = {0, 0, z, 1, 0, 0, 0};
  plan.bodies = {body}, plan.joints = {air};
  plan.ground.terrain.kind = TerrainKind::Plane;
  plan.ground.patches = {patch};
  return plan;
}

double height_of(const World<double>& world) { return observe(world).bodies[0].p_WC[2]; }

TEST(SoftGround, a_load_sinks_by_itself_over_the_stiffness_whatever_the_method_and_the_step) {
  const double k = 5000.0;
  for (const ContactSolver solver : {ContactSolver::Auto, ContactSolver::Newton, ContactSolver::Sweep})
    for (const char* stepper : {"moreau", "euler", "rk4", "verlet"})
      for (const double dt : {1e-3, 1e-2}) {
        SCOPED_TRACE(std::string(stepper) + " " + std::to_string(dt));
        World<double> world =
            make_world(with_solver(point_at(0.0, soft(k, 150.0)), solver), {Coordinates::Tree, stepper});
        for (double t = 0.0; t < 1.0; t += dt) ASSERT_TRUE(world.step(dt).converged);
        EXPECT_NEAR(height_of(world), -2.0 * g / k, 1e-7);
        EXPECT_NEAR(normal_forces(world)[0], 2.0 * g, 1e-3);
        EXPECT_NEAR(observe(world).balance_error, 0.0, 2e-3 * 2.0 * g * 2.0 * g / k + 1e-9) << "energy account";
      }
}

// m x'' = m g - k x: half a period below the ground, at most v sqrt(m/k) deep, and back with the same speed.
TEST(SoftGround, without_damping_it_gives_back_what_it_took_in_the_time_of_half_a_swing) {
  const double k = 20000.0, v = 0.5, omega = std::sqrt(k / 2.0);
  Plan plan = point_at(1e-5, soft(k, 0.0));
  plan.gravity.kind = GravityKind::None;
  plan.joints[0].velocity = {0, 0, 0, 0, 0, -v};
  World<double> world = make_world(plan);
  const double dt = 1e-4;
  double deepest = 0.0, touched = -1.0, left = -1.0;
  for (int i = 0; i < 800; i++) {
    ASSERT_TRUE(world.step(dt).converged);
    const double z = height_of(world);
    deepest = std::max(deepest, -z);
    if (touched < 0.0 && z < 0.0) touched = world.state.t;
    if (touched >= 0.0 && left < 0.0 && z > 0.0) left = world.state.t;
  }
  EXPECT_NEAR(deepest, v / omega, 1e-3 * v / omega);
  EXPECT_NEAR(left - touched, std::numbers::pi / omega, 2.0 * dt);
  EXPECT_NEAR(observe(world).bodies[0].v_WC[2], v, 2e-3 * v);
  EXPECT_NEAR(observe(world).balance_error, 0.0, 1e-12);
}

// The speed that comes back falls with the damping, and none is made: whatever stiffness, step and damping.
TEST(SoftGround, no_bounce_makes_energy) {
  for (const double k : {1e3, 1e5, 1e7, 1e9})
    for (const double dt : {1e-4, 1e-3, 5e-3})
      for (const double ratio : {0.0, 0.2, 1.0}) {
        SCOPED_TRACE(std::to_string(k) + " " + std::to_string(dt) + " " + std::to_string(ratio));
        Plan plan = point_at(0.01, soft(k, ratio * 2.0 * std::sqrt(k * 2.0)));
        World<double> world = make_world(plan);
        const double most = 2.0 * g * 0.01;
        double risen = 0.0;
        bool below = false;
        for (int i = 0; i < int(0.4 / dt); i++) {
          ASSERT_TRUE(world.step(dt).converged);
          below = below || height_of(world) < 0.0;
          if (below) risen = std::max(risen, observe(world).energy.total());
        }
        EXPECT_TRUE(below);
        EXPECT_LT(risen, 1.02 * most);
        if (ratio >= 1.0) {
          EXPECT_LT(observe(world).energy.total(), 0.03 * most);
        }
      }
}

TEST(SoftGround, corners_of_a_box_share_the_stiffness_of_the_patch) {
  for (const Coordinates c : both_coordinates) {
    Plan plan = box_on_plane({0.2, 0.2, 0.1}, 3.0, 0.5);
    plan.ground.patches = {soft(4000.0, 200.0)};
    World<double> world = make_world(plan, {c});
    for (int i = 0; i < 1500; i++) ASSERT_TRUE(world.step(1e-3).converged);
    EXPECT_NEAR(height_of(world), 0.05 - 3.0 * g / 4000.0, 1e-7);
  }
}

TEST(SoftGround, trees_and_maximal_coordinates_sink_alike_and_certify_their_steps) {
  const ContactLaw<double> law{.mu_forward = 0.3, .mu_backward = 0.3, .mu_trans = 0.6};
  Plan plan = crawler(4, law);
  plan.ground.patches = {soft(3000.0, 30.0)};
  const World<double> tree = run(plan, {Coordinates::Tree}, 0.5, 500),
                      cut = run(plan, {Coordinates::Maximal}, 0.5, 500);
  const auto a = observe(tree), b = observe(cut);
  for (std::size_t i = 0; i < a.bodies.size(); i++)
    EXPECT_NEAR(norm(a.bodies[i].p_WC - b.bodies[i].p_WC), 0.0, 1e-4) << i;
  double load = 0.0, mass = 0.0;
  for (const double F : normal_forces(tree)) load += F;
  for (const BodyPlan& body : plan.bodies) mass += body.mass;
  EXPECT_NEAR(load, mass * g, 0.02 * mass * g);
}

// v^2 = v_0^2 - 2 mu g s behind the border, nothing lost before it.
TEST(SoftGround, friction_differs_across_a_border) {
  for (const Response response : {Response::Rigid, Response::Penalty, Response::Complementarity}) {
    PatchPlan ice;
    ice.name = "felt", ice.x = {0.5, 10.0}, ice.mu = 0.4;
    Plan plan = point_at(0.0, ice);
    plan.contact.law.mu_forward = plan.contact.law.mu_backward = plan.contact.law.mu_trans = 0.0;
    plan.contact.options.response = response;
    plan.contact.penalty.stiffness = 1e6;
    if (response == Response::Penalty) plan.joints[0].position[2] = -2.0 * g / 1e6;
    plan.joints[0].velocity = {0, 0, 0, 2.0, 0, 0};
    World<double> world = make_world(plan);
    for (int i = 0; i < 5000; i++) world.step(1e-4);
    const auto seen = observe(world).bodies[0];
    const double s = seen.p_WC[0] - 0.5;
    EXPECT_GT(s, 0.3);
    EXPECT_NEAR(seen.v_WC[0] * seen.v_WC[0], 4.0 - 2.0 * 0.4 * g * s, 4e-3) << int(response);
  }
}

// Boxes, discs and the order in which they lie over each other.
TEST(SoftGround, the_last_patch_that_holds_a_place_counts) {
  PatchPlan strip = soft(2000.0, 100.0), disc = soft(8000.0, 200.0);
  strip.name = "strip", strip.x = {-1.0, 1.0}, strip.y = {-0.5, 0.5};
  disc.name = "disc", disc.center = {0.5, 0.0}, disc.radius = 0.2;
  struct Place {
    double x, y, stiffness;
  };
  for (const Place& at : {Place{0.0, 0.0, 2000.0}, Place{0.6, 0.1, 8000.0}, Place{0.5, 0.3, 2000.0}}) {
    Plan plan = point_at(0.0, strip);
    plan.ground.patches.push_back(disc);
    plan.joints[0].position[0] = at.x, plan.joints[0].position[1] = at.y;
    World<double> world = make_world(plan);
    for (int i = 0; i < 1000; i++) world.step(1e-3);
    EXPECT_NEAR(height_of(world), -2.0 * g / at.stiffness, 1e-7);
  }
  Plan plan = point_at(0.0, strip);
  plan.joints[0].position[0] = 1.5;  // beside it
  World<double> world = make_world(plan);
  for (int i = 0; i < 1000; i++) world.step(1e-3);
  EXPECT_NEAR(height_of(world), 0.0, 1e-9);
}

TEST(SoftGround, penalty_contacts_take_the_stiffness_and_the_restitution_of_a_patch) {
  PatchPlan patch = soft(5e4, 0.0);
  patch.restitution = 0.6;
  Plan plan = point_at(0.02, patch);
  plan.contact.options.response = Response::Penalty;
  plan.gravity.kind = GravityKind::None;
  plan.joints[0].velocity = {0, 0, 0, 0, 0, -1.0};
  World<double> bounced = make_world(plan);
  for (int i = 0; i < 20000; i++) bounced.step(5e-6);
  EXPECT_NEAR(observe(bounced).bodies[0].v_WC[2], 0.6, 2e-3);
  plan.gravity.kind = GravityKind::Uniform;
  plan.joints[0].velocity = {0, 0, 0, 0, 0, 0.0};
  plan.joints[0].position[2] = 0.0;
  plan.ground.patches[0].restitution = 0.1;
  World<double> rests = make_world(plan);
  for (int i = 0; i < 20000; i++) rests.step(1e-4);
  EXPECT_NEAR(height_of(rests), -2.0 * g / 5e4, 1e-6);
}

// A pair of the patch's material counts where the patch is; obstacles and steps: the ground's pieces sink in, obstacles do not.
TEST(SoftGround, a_patch_has_the_pair_of_its_material) {
  PatchPlan mud;
  mud.name = "mud", mud.material = "mud", mud.x = {0.0, 10.0};
  Plan plan = point_at(0.0, mud);
  PairPlan pair;
  pair.name = "wet", pair.material1 = "default", pair.material2 = "mud";
  pair.law.mu_forward = pair.law.mu_backward = pair.law.mu_trans = 0.1;
  plan.contact.pairs = {pair};
  for (const double x : {-0.5, 0.5}) {
    plan.joints[0].position[0] = x;
    plan.joints[0].velocity = {0, 0, 0, 1.0, 0, 0};
    World<double> world = make_world(plan);
    for (int i = 0; i < 100; i++) world.step(1e-3);
    EXPECT_NEAR(observe(world).bodies[0].v_WC[0], 1.0 - (x > 0.0 ? 0.1 : 0.5) * g * 0.1, 1e-3);
  }
}

TEST(SoftGround, what_stands_on_the_ground_is_hard_and_steps_are_ground) {
  Plan plan = point_at(0.1, soft(2000.0, 100.0));
  ObstaclePlan plate;
  plate.name = "plate", plate.kind = ObstacleKind::Box, plate.position = {0, 0, 0.05}, plate.size = {1, 1, 0.1};
  plan.ground.obstacles = {plate};
  World<double> on_plate = make_world(plan);
  for (int i = 0; i < 500; i++) on_plate.step(1e-3);
  EXPECT_NEAR(height_of(on_plate), 0.1, 1e-9);
  plan.ground.obstacles.clear();
  plan.ground.terrain.kind = TerrainKind::Profile;
  plan.ground.terrain.profile = {.x = {-1.0, 1.0}, .z = {0.0, 0.1, 0.0}};
  World<double> on_step = make_world(plan);
  for (int i = 0; i < 1000; i++) on_step.step(1e-3);
  EXPECT_NEAR(height_of(on_step), 0.1 - 2.0 * g / 2000.0, 1e-7);
}

TEST(SoftGround, moving_bodies_apart_leaves_soft_contacts_where_they_are) {
  Plan plan = point_at(0.0, soft(2000.0, 100.0));
  plan.contact.options.beta = 0.2;
  World<double> world = make_world(plan);
  for (int i = 0; i < 1000; i++) world.step(1e-3);
  EXPECT_NEAR(height_of(world), -2.0 * g / 2000.0, 1e-7);
}

// Robots of a batch on both sides of borders: each is what it is alone, bit for bit.
TEST(SoftGround, lanes_on_different_patches_equal_the_robots_alone) {
  for (const Response response : {Response::Rigid, Response::Penalty}) {
    PatchPlan patch = soft(3000.0, response == Response::Rigid ? 40.0 : 0.0), ice;
    patch.x = {0.0, 10.0};
    ice.name = "ice", ice.center = {0.4, 0.0}, ice.radius = 0.1, ice.mu = 0.05;
    Plan plan = box_on_plane({0.1, 0.1, 0.1}, 1.0, 0.5);
    plan.ground.patches = {patch, ice};
    plan.contact.options.response = response;
    std::vector<World<double>> robots;
    for (int i = 0; i < lane_count; i++) {
      Plan own = plan;
      own.joints[0].position[0] = -0.3 + 0.2 * i;
      own.joints[0].velocity = {0, 0, 0, 1.5, 0.1 * i, -0.2};
      robots.push_back(make_world(own));
    }
    World<Lanes> wide = widen(robots[0]);
    for (int i = 0; i < lane_count; i++) set_lane_state(wide.state, i, robots[i].state);
    for (int k = 0; k < 400; k++) wide.step(1e-3);
    for (int i = 0; i < lane_count; i++) {
      for (int k = 0; k < 400; k++) robots[i].step(1e-3);
      EXPECT_EQ(hash(wide.state, i), hash(robots[i].state)) << "lane " << i;
    }
  }
}

}  // namespace soft_ground_test
}  // namespace sinew::test
