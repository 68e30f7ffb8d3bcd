// A joint moved by rods: by the Jacobian with reflected inertia, and as bodies with loops.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/dynamics/inverse.h"
#include "sinew/dynamics/mass.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace transmission_test {

// A load of 10 kg below an ankle, whose drives are in the world.
Plan ankle_with_load(double pitch = 0.0, double roll = 0.0) {
  Plan plan;
  BodyPlan load;
  load.name = "foot", load.mass = 10.0, load.com = {0.05, 0.01, -0.25}, load.inertia = {0.05, 0, 0, 0.06, 0, 0.04};
  JointPlan ankle;
  ankle.name = "ankle", ankle.kind = JointKind::Universal, ankle.child = "foot";
  ankle.axis = {0, 1, 0}, ankle.axis2 = {1, 0, 0}, ankle.position = {pitch, roll};
  plan.bodies = {load}, plan.joints = {ankle};
  return plan;
}

TransmissionPlan rods() {
  TransmissionPlan t;
  t.name = "drives", t.joint = "ankle", t.kind = Mechanism::Parallel;
  t.reflected = 8.027278, t.slider_mass = 0.02;
  return t;
}

Plan by_jacobian(double pitch = 0.0, double roll = 0.0) {
  Plan plan = ankle_with_load(pitch, roll);
  plan.transmissions = {rods()};
  return plan;
}

Plan by_bodies(double rod_mass, double slider_mass, double pitch = 0.0, double roll = 0.0) {
  Plan plan = ankle_with_load(pitch, roll);
  TransmissionPlan t = rods();
  t.slider_mass = slider_mass;
  add_transmission_bodies(t, rod_mass, plan);
  return plan;
}

TEST(TransmissionInADynamicModel, adds_the_inertia_of_its_drives_to_the_mass_matrix) {
  const Compiled with = compile(by_jacobian(0.3, -0.2)), without = compile(ankle_with_load(0.3, -0.2));
  double M[4], M0[4];
  for (const auto& [c, out] : {std::pair{&with, M}, std::pair{&without, M0}}) {
    Prescribed<double> driven(*c->model);
    Frames<double> frames(*c->model);
    evaluate_frames(*c->model, c->params, c->state.q.data(), c->state.u.data(), driven, frames);
    MassWork<double> work(*c->model);
    mass_matrix(*c->model, c->params, frames, work, out);
  }
  const double q[2] = {0.3, -0.2}, m = 8.027278 + 0.02;
  const Strokes<double> at = transmission::strokes(transmission::ankle(), q);
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 2; c++)
      EXPECT_NEAR(M[2 * r + c] - M0[2 * r + c], m * (at.J[r] * at.J[c] + at.J[2 + r] * at.J[2 + c]), 1e-14);
}

// Nothing but inertia that changes with the pose: without the force J^T m J' u the energy would not stay.
TEST(TransmissionInADynamicModel, keeps_energy_at_the_order_of_the_stepper) {
  Plan plan = by_jacobian(0.3, 0.1);
  plan.transmissions[0].reflected = 800.0;
  plan.joints[0].velocity = {0.8, -0.5};
  const auto drift = [&](const char* stepper, int n) {
    World<double> world = make_world(plan, {.stepper = stepper});
    const double start = observe(world).energy.total();
    run(world, 0.4, n);
    return std::abs(observe(world).energy.total() - start);
  };
  EXPECT_LT(drift("rk4", 400), 1e-10);
  EXPECT_LT(drift("moreau", 400), 1e-3);
  EXPECT_NEAR(order(drift("moreau", 200), drift("moreau", 400)), 2.0, 0.4);
}

struct Compared {
  double error, largest;  // of the drives' forces [N]
};

// The drives of the mechanism go their way in a slow sweep; what they need is compared with J^-T tau of the joint that moves as theirs does.
Compared sweep(double rod_mass, double slider_mass) {
  Plan plan = by_bodies(rod_mass, slider_mass);
  const double f = 0.5, amplitude[2] = {0.018, 0.011}, phase[2] = {0.0, 0.7};
  for (int i = 0; i < 2; i++) {
    JointPlan& stroke = *std::ranges::find(plan.joints, i == 0 ? "drives.stroke1" : "drives.stroke2", &JointPlan::name);
    stroke.drive = Drive::Motion;
    stroke.position = stroke.velocity = {};
    stroke.motion = {{.amplitude = amplitude[i], .frequency = f, .phase = phase[i], .ramp = 0.5}};
  }
  World<double> world = make_world(plan, {.stepper = "rk4"});
  Plan other = by_jacobian();
  other.transmissions[0].slider_mass = slider_mass;
  const Compiled model = compile(other);
  const Transmission<double>& t = model.params.transmissions[0].rods;
  Compared out{0.0, 0.0};
  for (int k = 0; k < 10; k++) {
    run(world, 0.2 * (k + 1), 200);
    const Observation<double> seen = observe(world);
    const Model& m = world.model();
    const JointMotion<double>& ankle = seen.joints[m.joint("ankle")];
    const auto& one = seen.joints[m.joint("drives.stroke1")];
    const auto& two = seen.joints[m.joint("drives.stroke2")];
    EXPECT_NEAR(transmission::strokes(t, ankle.q.data()).s[0], one.q[0], 1e-9);  // the loops are the geometry
    EXPECT_NEAR(transmission::strokes(t, ankle.q.data()).s[1], two.q[0], 1e-9);
    const Strokes<double> at = transmission::strokes(t, ankle.q.data(), ankle.u.data());
    double a[2];
    for (int i = 0; i < 2; i++) {
      double s, v;
      const Motion<double> motion{.amplitude = amplitude[i], .frequency = f, .phase = phase[i], .ramp = 0.5};
      motion.evaluate(world.state.t, s, v, a[i]);
      a[i] -= at.drift[i];
    }
    const double det = transmission::determinant(t, at);
    const double u_rate[2] = {(at.J[3] * a[0] - at.J[1] * a[1]) / det, (at.J[0] * a[1] - at.J[2] * a[0]) / det};
    Prescribed<double> driven(*model.model);
    Frames<double> frames(*model.model);
    evaluate_frames(*model.model, model.params, ankle.q.data(), ankle.u.data(), driven, frames);
    InverseWork<double> work(*model.model);
    double tau[2];
    inverse_dynamics<double>(*model.model, model.params, frames, {u_rate}, work, tau);
    const double F[2] = {(at.J[3] * tau[0] - at.J[2] * tau[1]) / det, (at.J[0] * tau[1] - at.J[1] * tau[0]) / det};
    out.error = std::max({out.error, std::abs(F[0] - one.torque[0]), std::abs(F[1] - two.torque[0])});
    out.largest = std::max({out.largest, std::abs(F[0]), std::abs(F[1])});
  }
  return out;
}

TEST(TransmissionAsBodies, agrees_with_the_jacobian_within_one_per_cent_in_a_slow_sweep) {
  const Compared usual = sweep(0.01, 0.01), lighter = sweep(0.001, 0.001);
  EXPECT_GT(usual.largest, 30.0);
  EXPECT_LT(usual.error, 0.01 * usual.largest);
  EXPECT_NEAR(usual.error / lighter.error, 10.0, 1.0);  // what differs is the weight of rods and sliders
}

// The same joint, pushed by the same constant forces: both fall in the same way.
TEST(TransmissionAsBodies, a_knee_moves_as_its_jacobian_says) {
  Plan plan = ankle_with_load();
  JointPlan& j = plan.joints[0];
  j.kind = JointKind::Revolute;
  j.position = {0.5};
  j.velocity = {0.6};
  TransmissionPlan t = rods();
  t.kind = Mechanism::Knee;
  t.slider_mass = 1e-6;
  Plan jacobian = plan, bodies = plan;
  jacobian.transmissions = {t};
  add_transmission_bodies(t, 1e-6, bodies);
  ASSERT_TRUE(problems_of(bodies).empty()) << problems_of(bodies)[0].what;
  const World<double> a = run(jacobian, {.stepper = "rk4"}, 0.5, 500), b = run(bodies, {.stepper = "rk4"}, 0.5, 500);
  const int ankle = b.model().joint("ankle");
  EXPECT_NEAR(observe(b).joints[ankle].q[0], observe(a).joints[0].q[0], 1e-5);
  EXPECT_NEAR(observe(b).joints[ankle].u[0], observe(a).joints[0].u[0], 1e-4);
}

// The crank turns until the rod leans by 0.45 rad: -r cos(q + beta) - e = l sin 0.45. There its ball joint stops it.
TEST(TransmissionAsBodies, a_rod_stops_where_its_ball_joint_does) {
  Plan plan = ankle_with_load();
  plan.gravity.kind = GravityKind::None;
  JointPlan& j = plan.joints[0];
  j.kind = JointKind::Revolute;
  j.position = {1.5};
  j.velocity = {2.0};
  TransmissionPlan t = rods();
  t.kind = Mechanism::Knee;
  add_transmission_bodies(t, 0.01, plan);
  const double stop = std::acos((0.0585 - 0.16 * std::sin(0.45)) / 0.07) - t.angle;
  World<double> world = make_world(plan);
  double furthest = 0.0;
  for (int k = 0; k < 1500; k++) {
    ASSERT_TRUE(world.step(1e-3).converged);
    furthest = std::max(furthest, observe(world).joints[world.model().joint("ankle")].q[0]);
  }
  EXPECT_NEAR(furthest, stop, 5e-3);  // two steps of the way at 2 rad/s
}

TEST(TransmissionInADynamicModel, names_what_does_not_fit) {
  const auto keys = [](const Plan& plan, Coordinates c = Coordinates::Tree) {
    std::string all;
    for (const Problem& p : problems_of(plan, c)) all += p.key + " ";
    return all;
  };
  EXPECT_EQ(keys(by_jacobian()), "");
  EXPECT_EQ(keys(by_jacobian(), Coordinates::Maximal), "");
  const auto changed = [](auto change) {
    Plan plan = by_jacobian();
    change(plan.transmissions[0]);
    return plan;
  };
  EXPECT_EQ(keys(changed([](auto& t) { t.joint = "knee"; })), "transmission.drives.joint ");
  EXPECT_EQ(keys(changed([](auto& t) { t.kind = Mechanism::Knee; })), "transmission.drives.transmission ");
  EXPECT_EQ(keys(changed([](auto& t) { t.rod = -1.0; })), "transmission.drives.rod ");
  EXPECT_EQ(keys(changed([](auto& t) { t.rod = NAN; })), "transmission.drives.rod ");
  EXPECT_EQ(keys(changed([](auto& t) { t.reflected = -1.0; })), "transmission.drives.reflected ");
  EXPECT_EQ(keys(changed([](auto& t) { t.along = Vec3d(0, 0, 0); })), "transmission.drives.along ");
  EXPECT_EQ(keys(changed([](auto& t) { t.base = {0.1, 0.2}; })), "transmission.drives.base ");
  EXPECT_EQ(keys(changed([](auto& t) {
              t.base = {0.06, 0.045, 0.17};
            })),
            "transmission.drives.rod ");  // leans by 0.85 rad
  EXPECT_EQ(keys(changed([](auto& t) { t.moving = {0.5, 0.0, 0.0}; })), "transmission.drives.rod ");
  Plan twice = by_jacobian();
  twice.transmissions.push_back(twice.transmissions[0]);
  EXPECT_EQ(keys(twice), "transmission.drives.joint ");
}

}  // namespace transmission_test
}  // namespace sinew::test
