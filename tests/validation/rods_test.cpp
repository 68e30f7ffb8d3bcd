// Rods in the tree against closed forms of beams and against reference values of rods by other methods. All errors
// must fall with the second order of the length of a segment.
#include <gtest/gtest.h>

#include <cmath>
#include <Eigen/Eigenvalues>
#include <numbers>

#include "sinew/control/linearise.h"
#include "sinew/kinematics/frames.h"
#include "sinew/math/dense.h"
#include "sinew/model/rods.h"
#include "tests/support/eigen.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace rods_test {

// The arm of the soft-* scenarios.
RodPlan arm(int segments, RodFreedoms freedoms) {
  RodPlan r;
  r.name = "arm";
  r.length = 0.3, r.radius = 0.01, r.density = 1000.0, r.E = 1e6, r.nu = 0.5;
  r.segments = segments, r.freedoms = freedoms, r.shape = RodShape::None;
  return r;
}
constexpr double EI = std::numbers::pi / 4 * 1e-8 * 1e6, EA = std::numbers::pi * 1e-4 * 1e6;

Plan plan_of(const RodPlan& rod, GravityKind gravity = GravityKind::None) {
  Plan plan;
  plan.rods = {rod};
  plan.gravity.kind = gravity, plan.gravity.g = {0, -9.81, 0};
  return plan;
}

// Where the robot hangs still, by Newton's method. Gravity grows to its full strength in steps.
std::vector<double> rest_of(Plan plan) {
  plan = with_rods(std::move(plan));
  const Vec3d g = plan.gravity.g;
  std::vector<double> q;
  for (const double load : {0.1, 0.2, 0.35, 0.5, 0.75, 1.0}) {
    plan.gravity.g = g * load;
    Statics statics(plan);
    if (q.empty()) q = statics.start();
    for (int k = 0; k < 30; k++) {
      const Matrix dx = -solve(statics.stiffness(q), statics.holding_force(q));
      q = statics.moved(q, dx);
      if (norm(dx) < 1e-12) break;
    }
  }
  return q;
}

Posed tip_of(const Plan& plan, const std::vector<double>& q) {
  const Compiled compiled = compile(plan);
  const Model& model = *compiled.model;
  Frames<double> frames(model);
  evaluate_frames(model, compiled.params, q.data(), compiled.state.u.data(), Prescribed<double>(model), frames);
  const int tip = model.rods[0].tip;
  return frames.link[tip].X * model.links[tip].X_FB;
}

// A weight P at the tip of a rod that weighs next to nothing.
Plan with_tip_weight(RodPlan rod, double P) {
  rod.density = 1e-9;
  Plan plan = plan_of(rod, GravityKind::Uniform);
  BodyPlan weight;
  weight.name = "weight", weight.mass = P / 9.81;
  weight.inertia = Sym3d::diagonal(1e-6);
  plan.bodies = {weight};
  plan.rods[0].child = "weight";
  return plan;
}

// Errors at n, 2 n and 4 n segments fall fourfold each time.
void expect_second_order(const std::vector<double>& errors) {
  for (std::size_t i = 1; i < errors.size(); i++)
    EXPECT_NEAR(order(errors[i - 1], errors[i]), 2.0, 0.15) << errors[i - 1] << " -> " << errors[i];
}

// alpha = P l^2 / EI = 10: x/l, y/l and the angle by elliptic integrals.
TEST(Rods, a_planar_cantilever_tends_to_the_elastica_with_order_2) {
  std::vector<double> errors;
  for (const int n : {10, 20, 40}) {
    const Plan plan = with_tip_weight(arm(n, RodFreedoms::Planar), 10 * EI / 0.09);
    const Posed tip = tip_of(plan, rest_of(plan));
    errors.push_back(std::hypot(tip.p[0] / 0.3 - 0.4450044022, -tip.p[1] / 0.3 - 0.8106090249));
  }
  expect_second_order(errors);
  EXPECT_LT(errors[2], 3e-4);
}

TEST(Rods, a_six_axis_rod_that_hardly_stretches_tends_to_the_same_elastica) {
  std::vector<double> errors;
  for (const int n : {8, 16}) {
    RodPlan rod = arm(n, RodFreedoms::Full);
    rod.EA = rod.GA = 1e7;
    const Plan plan = with_tip_weight(rod, 2 * EI / 0.09);
    const Posed tip = tip_of(plan, rest_of(plan));
    errors.push_back(std::hypot(tip.p[0] / 0.3 - 0.8393582792, -tip.p[1] / 0.3 - 0.4934574804));
  }
  expect_second_order(errors);
}

// P l^3 / (3 EI) + P l / GA: the public case L = 3, r = 0.25, E = 1e6, G = 1e4, k_s = 27/28, where F = 15 would give
// 0.067770297; a thousandth of the load, so that nothing but the linear beam is left.
TEST(Rods, a_thick_cantilever_tends_to_timoshenkos_beam_with_order_2) {
  std::vector<double> errors;
  for (const int n : {5, 10, 20}) {
    RodPlan rod = arm(n, RodFreedoms::Full);
    rod.length = 3, rod.radius = 0.25, rod.GA = 27.0 / 28 * 1e4 * std::numbers::pi * 0.0625, rod.GJ = 1e3;
    const Plan plan = with_tip_weight(rod, 0.015);
    errors.push_back(std::abs(-tip_of(plan, rest_of(plan)).p[1] * 1000 - 0.067770297));
  }
  expect_second_order(errors);
  EXPECT_LT(errors[2], 3e-5);
}

// Section 12.9: own weight, w l^3 / EI = 10.59; inextensible.
TEST(Rods, an_arm_under_its_own_weight_hangs_as_the_soft_rod) {
  std::vector<double> errors;
  for (const int n : {10, 20, 40}) {
    const Plan plan = plan_of(arm(n, RodFreedoms::Planar), GravityKind::Uniform);
    const Posed tip = tip_of(plan, rest_of(plan));
    errors.push_back(std::hypot(tip.p[0] - 0.1914748645, tip.p[1] + 0.2142748493));
  }
  expect_second_order(errors);
}

// soft_bend45: an arc of 45 degrees and radius 100 in the plane, a dead load of 600 out of it. Bending, torsion, stretch and shear at
// once; GJ is not EI_y + EI_z here.
TEST(Rods, a_bent_cantilever_under_a_load_out_of_its_plane_tends_to_the_reference_with_order_2) {
  std::vector<double> errors;
  for (const int n : {8, 16, 32}) {
    RodPlan rod = arm(n, RodFreedoms::Full);
    rod.length = 25 * std::numbers::pi, rod.rest_curvature = {0, 0, 0.01};
    rod.EA = 1e7, rod.GA = 5e6, rod.GJ = rod.EI_y = rod.EI_z = 1e7 / 12;
    Plan plan = with_tip_weight(rod, 600);
    plan.gravity.g = {0, 0, 9.81};
    errors.push_back(norm(tip_of(plan, rest_of(plan)).p - Vec3d(47.1504386, 15.68480054, 53.47485869)));
  }
  expect_second_order(errors);
  EXPECT_LT(errors[2], 0.05);
}

// Lowest two frequencies of bending about z [Hz].
std::vector<double> frequencies(const RodPlan& rod) {
  Statics statics(with_rods(plan_of(rod)));
  const Linear linear = statics.about(statics.start());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(support::to_eigen(linear.K),
                                                                         support::to_eigen(linear.M));
  std::vector<double> hz;
  for (int i = 0; i < solver.eigenvalues().size(); i++)
    hz.push_back(std::sqrt(solver.eigenvalues()[i]) / (2 * std::numbers::pi));
  return hz;
}

TEST(Rods, frequencies_of_a_planar_cantilever_tend_to_rayleighs_with_order_2) {
  std::vector<double> first, second;
  for (const int n : {10, 20, 40}) {
    const auto hz = frequencies(arm(n, RodFreedoms::Planar));
    first.push_back(std::abs(hz[0] - 0.9824674853)), second.push_back(std::abs(hz[1] - 6.133430934));
  }
  expect_second_order(first);
  expect_second_order(second);
}

// A round rod bends alike about y and z: each frequency is there twice.
TEST(Rods, frequencies_of_a_six_axis_cantilever_tend_to_timoshenkos_with_order_2) {
  std::vector<double> first, second;
  for (const int n : {10, 20}) {
    const auto hz = frequencies(arm(n, RodFreedoms::Full));
    EXPECT_NEAR(hz[0], hz[1], 1e-6 * hz[0]);
    first.push_back(std::abs(hz[0] - 0.9805747751)), second.push_back(std::abs(hz[2] - 6.053129492));
  }
  expect_second_order(first);
  expect_second_order(second);
}

// Section 9.8, dyn_viscous_rft: head at t = 1.
TEST(Rods, a_driven_swimmer_tends_to_the_strain_driven_rod) {
  std::vector<double> errors;
  for (const int n : {20, 40, 80}) {
    RodPlan rod = arm(n, RodFreedoms::Planar);
    rod.length = 1, rod.radius = 0.02, rod.parent = "free";
    rod.wave = {{.amplitude = 8, .wavelength = 0.8, .period = 1, .ramp = 1}, true};
    rod.drag_along = 2, rod.drag_across = 20;
    World<double> world = run(plan_of(rod), {Coordinates::Tree, "rk4"}, 1.0, 200);
    const Posed head = observe(world).bodies[world.model().rods[0].base].X_WB;
    const double angle = std::atan2(head.R(1, 0), head.R(0, 0));
    errors.push_back(std::hypot(head.p[0] + 0.04463990423, head.p[1] + 0.1269473699, angle - 0.004138123811));
  }
  expect_second_order(errors);
  EXPECT_LT(errors[2], 1e-3);
}

// A bent rod lets go: what is inside changes neither momentum, and the energy goes from bending to motion.
TEST(Rods, a_free_rod_keeps_its_momentum_and_energy) {
  for (const Coordinates c : both_coordinates) {
    SCOPED_TRACE(name_of(c));
    RodPlan rod = arm(6, RodFreedoms::Full);
    rod.parent = "free", rod.rest_curvature = {1.0, 2.0, 6.0};
    Plan plan = with_rods(plan_of(rod));
    for (JointPlan& j : plan.joints)
      if (j.kind == JointKind::Flex) {
        const Quatd bent = quaternion_exp(Vec3d(0.05, 0.15, -0.2));
        j.position = {1e-4, 2e-4, -1e-4, bent.w, bent.x, bent.y, bent.z};
      }
    World<double> world = make_world(plan, {c, "rk4"});
    const double before = observe(world).energy.total();
    EXPECT_GT(before, 1e-3);
    run(world, 0.05, 2000);
    const auto seen = observe(world);
    EXPECT_GT(seen.energy.kinetic, 0.05 * before);
    EXPECT_NEAR(seen.energy.total(), before, 1e-6 * before);  // rk4, omega dt = 0.1: (omega dt)^5 per step
    const double size = std::sqrt(2 * 0.094 * before);        // what bodies throw to and fro, of 0.094 kg
    EXPECT_LT(norm(seen.momentum.linear), 1e-7 * size);
    EXPECT_LT(norm(seen.momentum.angular), 1e-7 * size * 0.3);
  }
}

// Many robots at once have the bits of each alone, with cables and drag too.
TEST(Rods, a_lane_of_a_batch_has_the_bits_of_a_run_of_its_own) {
  RodPlan rod = arm(4, RodFreedoms::Full);
  rod.viscosity = 500, rod.drag_across = 0.5;
  Plan plan = plan_of(rod, GravityKind::Uniform);
  CablePlan cable, spring;
  cable.name = "pull", cable.rod = "arm", cable.offset_y = 0.006, cable.value = 0.5, cable.ramp = 0.1;
  spring.name = "spring", spring.kind = CableKind::Spring, spring.bodies = {"world", "arm.4"};
  spring.points = {0.3, 0, 0.1, 0, 0, 0}, spring.stiffness = 20, spring.length0 = 0.09;
  plan.cables = {cable, spring};
  for (const Stepper& stepper : fixed_steppers()) {
    World<double> one = make_world(plan, {Coordinates::Tree, stepper.name});
    World<Lanes> many = widen(one);
    for (int k = 0; k < 50; k++) one.step(2e-5), many.step(2e-5);
    for (int lane = 0; lane < lane_count; lane++) EXPECT_EQ(hash(many.state, lane), hash(one.state)) << stepper.name;
  }
}

// A soft arm that swings, sways and twists: both coordinates describe the same motion.
TEST(Rods, tree_and_maximal_coordinates_agree) {
  for (const RodFreedoms f : {RodFreedoms::Full, RodFreedoms::Kirchhoff, RodFreedoms::Planar}) {
    RodPlan rod = arm(4, f);
    rod.viscosity = 500, rod.rest_curvature = {0, 0, 2.0};
    const Plan plan = plan_of(rod, GravityKind::Uniform);
    const auto tree = run(plan, {Coordinates::Tree, "rk4"}, 0.1, 2000);
    const auto maximal = run(plan, {Coordinates::Maximal, "rk4"}, 0.1, 2000);
    EXPECT_LT(distance(tree, maximal), 1e-7) << rod_freedom_names[int(f)];
  }
}

TEST(Rods, the_energy_account_of_a_viscous_arm_with_a_cable_and_drag_closes) {
  for (const char* stepper : {"rk4", "moreau", "euler"}) {
    SCOPED_TRACE(stepper);
    RodPlan rod = arm(5, RodFreedoms::Full);
    rod.viscosity = 500, rod.drag_across = 0.5, rod.drag_along = 0.1;
    Plan plan = plan_of(rod, GravityKind::Uniform);
    CablePlan cable;
    cable.name = "pull", cable.rod = "arm", cable.offset_y = 0.006, cable.value = 0.5, cable.ramp = 0.1;
    plan.cables = {cable};
    std::vector<double> error;
    for (const int steps : {2000, 4000}) {
      const World<double> world = run(plan, {Coordinates::Tree, stepper}, 0.2, steps);
      EXPECT_GT(std::abs(world.state.work.actuators), 1e-4);
      EXPECT_GT(world.state.work.damping, 1e-4);
      error.push_back(std::abs(observe(world).balance_error));
    }
    const int expected = std::string_view(stepper) == "rk4" ? 4 : 1;
    EXPECT_TRUE(error[1] < 1e-12 || order(error[0], error[1]) > expected - 0.3) << error[0] << " -> " << error[1];
  }
}

// Section 12.9, soft_cable_static: K_Z = T d / EI, stretch -T / EA. The cable runs straight from node to node, so it is
// h^2 K / 4 farther from the axis where it passes a joint: of second order.
TEST(Rods, a_cable_bends_and_shortens_the_arm_as_the_closed_form_says) {
  const double T = 1.5, d = 0.006, K = T * d / EI, stretch = 1 - T / EA;
  EXPECT_NEAR(K, 1.14591559, 1e-8);
  std::vector<double> errors, lengths;
  for (const int n : {10, 20, 40}) {
    RodPlan rod = arm(n, RodFreedoms::Full);
    rod.viscosity = 1e5;  // slows down what is fast, so that large steps lead to rest
    Plan plan = plan_of(rod);
    CablePlan cable;
    cable.name = "pull", cable.rod = "arm", cable.offset_y = d, cable.value = T;
    plan.cables = {cable};
    World<double> world = run(plan, {Coordinates::Tree, "euler"}, 20.0, 4000);
    const auto seen = observe(world);
    const Posed tip = seen.bodies[world.model().rods[0].tip].X_WB;
    const double a = K * 0.3;
    errors.push_back(std::hypot(tip.p[0] - stretch * std::sin(a) / K, tip.p[1] - stretch * (1 - std::cos(a)) / K));
    EXPECT_NEAR(seen.cables[0].tension, T, 1e-12);
    lengths.push_back(std::abs(seen.cables[0].length - 0.2965049574));
    EXPECT_LT(seen.energy.kinetic, 1e-12);
  }
  expect_second_order(errors);
  expect_second_order(lengths);
}

// Three chambers around the axis with the same pressure only stretch it: p A 3 / EA.
TEST(Rods, chambers_with_equal_pressure_only_stretch) {
  RodPlan rod = arm(6, RodFreedoms::Full);
  rod.viscosity = 1e5;
  Plan plan = plan_of(rod);
  for (int i = 0; i < 3; i++) {
    CablePlan chamber;
    const double angle = (90 + 120 * i) * std::numbers::pi / 180;
    chamber.name = std::to_string(i), chamber.kind = CableKind::Chamber, chamber.rod = "arm";
    chamber.offset_y = 0.006 * std::cos(angle), chamber.offset_z = 0.006 * std::sin(angle);
    chamber.value = 20000, chamber.area = 2e-5;
    plan.cables.push_back(chamber);
  }
  World<double> world = run(plan, {Coordinates::Tree, "euler"}, 20.0, 4000);
  const Vec3d tip = observe(world).bodies[world.model().rods[0].tip].X_WB.p;
  EXPECT_LT(norm(tip - Vec3d(0.3 * (1 + 3 * 20000 * 2e-5 / EA), 0, 0)), 1e-9);
}

// A weight on a cable with a spring: stretched by m g / k; thrown up, the cable hangs slack and does nothing.
TEST(Cables, a_spring_cable_carries_a_weight_and_is_slack_below_its_length) {
  Plan plan;
  plan.gravity.g = {0, 0, -9.81};
  BodyPlan weight;
  weight.name = "weight", weight.mass = 2.0, weight.inertia = Sym3d::diagonal(0.01);
  plan.bodies = {weight};
  JointPlan slide;
  slide.name = "slide", slide.kind = JointKind::Prismatic, slide.child = "weight", slide.position = {-1.0};
  plan.joints = {slide};
  CablePlan cable;
  cable.name = "rope", cable.kind = CableKind::Spring, cable.bodies = {"world", "weight"},
  cable.points = {0, 0, 0, 0, 0, 0};
  cable.stiffness = 1000, cable.damping = 50, cable.length0 = 1.0;
  plan.cables = {cable};
  const World<double> hangs = run(plan, {Coordinates::Tree, "rk4"}, 5.0, 5000);
  EXPECT_NEAR(hangs.state.q[0], -1 - 2 * 9.81 / 1000, 1e-9);
  plan.joints[0].position = {-0.5};
  const World<double> falls = run(plan, {Coordinates::Tree, "rk4"}, 0.1, 100);
  EXPECT_NEAR(falls.state.q[0], -0.5 - 0.5 * 9.81 * 0.01, 1e-12);
  EXPECT_EQ(observe(falls).cables[0].tension, 0.0);
}

// A rod held at both ends is a loop; under no load it stays, and its ends stay where they are held under load.
TEST(Rods, a_rod_between_two_walls_stays_held) {
  RodPlan rod = arm(8, RodFreedoms::Full);
  rod.child = "world", rod.p_child = {0.3, 0, 0}, rod.viscosity = 2000;
  World<double> world = run(plan_of(rod, GravityKind::Uniform), {Coordinates::Tree, "moreau"}, 0.5, 5000);
  const auto seen = observe(world);
  EXPECT_LT(norm(seen.bodies[world.model().rods[0].tip].X_WB.p - Vec3d(0.3, 0, 0)), 1e-8);
  EXPECT_LT(seen.bodies[world.model().body("arm.4")].p_WC[1], -1e-4);
}

}  // namespace rods_test
}  // namespace sinew::test
