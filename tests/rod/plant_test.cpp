// The plants of strain-driven rods: what must be conserved, balanced and of which order.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/rod/rods.h"
#include "tests/support/allocations.h"

namespace sinew::rod {
namespace plant_test {

template <class G>
StrainDrivenPlan<G> swimmer(const WaveGait& gait, const Loads& loads, int N = 100) {
  StrainDrivenPlan<G> plan;
  plan.rod = make_rod<G>(wave_law<G>({1.0, N}, G::straight(), gait), 1000.0, 0.02, loads);
  plan.looks.X_profile = {0.5};
  return plan;
}
WaveGait plain(double a0, double lam) {
  WaveGait gait;
  gait.a0 = a0, gait.lam = lam;
  return gait;
}

// The error is that of the steps: 5 ms, order 4.
TEST(StrainDriven, a_free_body_keeps_its_momenta_and_falls_on_a_parabola) {
  Loads loads;
  loads.gravity = Vec3d(0.5, -1.0, -9.81);
  auto plan = swimmer<Space>(waving(), loads);
  plan.start_twist = {0.3, 0.2, -0.1, 0.4, -0.3, 0.2};
  Running run(make_strain_driven(plan));
  const double m = circular<Space>(1000.0, 0.02)[0];
  const auto read = [&](const char* name) {
    return Vec3d(run.read(std::string(name) + ".x"), run.read(std::string(name) + ".y"),
                 run.read(std::string(name) + ".z"));
  };
  const Vec3d c0 = read("com"), p0 = read("momentum"), L0 = read("angular_momentum");
  const double T = 1.5;
  run.run("rk4", T, 0.005);
  const Vec3d g = loads.gravity, v0 = p0 * (1.0 / m);
  EXPECT_LT(norm(read("com") - (c0 + v0 * T + g * (0.5 * T * T))), 1e-6);
  EXPECT_LT(norm(read("momentum") - (p0 + g * (m * T))), 1e-5);
  // about the origin: L + integral of c x m g
  const Vec3d torque = cross(c0 * T + v0 * (0.5 * T * T), g) * m;
  EXPECT_LT(norm(read("angular_momentum") - (L0 + torque)), 1e-5);
}

TEST(StrainDriven, starts_without_momentum_if_asked) {
  WaveGait gait = waving();
  gait.Tr = 0.0;  // moves from the first moment on
  auto plan = swimmer<Space>(gait, {});
  plan.rest_start = true;
  Running run(make_strain_driven(plan));
  for (const char* name : {"momentum.x", "momentum.z", "angular_momentum.y"}) EXPECT_NEAR(run.read(name), 0.0, 1e-12);
}

TEST(StrainDriven, a_frozen_rod_is_a_rigid_body) {
  StrainDrivenPlan<Space> plan;
  plan.rod = make_rod<Space>(constant_law<Space>({1.0, 60}, {1, 0, 0, 2, 0, 3}));
  plan.start_twist = {0.1, -0.2, 0.3, 1.0, 2.0, -1.5};
  Running run(make_strain_driven(plan));
  const double T0 = run.energy().kinetic;
  run.run("rk4", 2.0, 0.002);
  EXPECT_NEAR(run.energy().kinetic, T0, 1e-9);
}

// Every load at once, every method; the balance closes at the method's order.
Loads everything() {
  Loads k;
  k.gravity = Vec3d(0, 0, -9.81), k.buoyancy = 0.9 * circular<Space>(1000.0, 0.02)[0];
  k.ct = 0.2, k.cn = 1.0, k.crn = 0.01, k.crx = 0.01, k.nload = 0.5, k.muf = 0.1, k.mub = 0.2, k.mun = 0.4, k.vs = 0.2;
  k.kqt = k.kqt_tail = 0.5, k.kqn = k.kqn_tail = 5.0, k.ma = 1.0, k.ma_tail = 0.5;
  k.ground_k = 200.0, k.ground_c = 5.0, k.ground_height = -0.05;
  k.head.dead_force = Vec3d(0.1, 0, 0), k.tail.follower_couple = Vec3d(0, 0.01, 0.02),
  k.tail.dead_couple = Vec3d(0.01, 0, 0);
  return k;
}

TEST(StrainDriven, energy_is_accounted_for_with_every_load) {
  const auto left = [](const char* method, double dt) {
    Running run(make_strain_driven(swimmer<Space>(waving(), everything(), 100)));
    run.run(method, 0.4, dt);
    EXPECT_GT(std::abs(run.work.actuators), 1e-3);
    return std::abs(run.balance());
  };
  // along the rod: 1e-6 of the work with 100 cells
  EXPECT_LT(left("rk4", 0.002), 2e-5);
  EXPECT_LT(left("rk45", 0.01), 2e-5);
  const double coarse = left("euler", 0.004), fine = left("euler", 0.002);
  EXPECT_LT(fine, 2e-3);
  EXPECT_LT(fine, coarse);
}

TEST(StrainDriven, energy_is_accounted_for_in_the_examples) {
  Loads mud;
  mud.ct = 2, mud.cn = 20;
  Loads water;
  water.kqt = water.kqt_tail = 0.785, water.kqn = water.kqn_tail = 25, water.ma = water.ma_tail = 1.96;
  for (const Loads& loads : {mud, water, Loads{}}) {
    Running run(make_strain_driven(swimmer<Plane>(plain(8, 0.8), loads)));
    run.run("rk4", 1.0, 0.005);
    EXPECT_LT(std::abs(run.balance()), 1e-5 * (1e-2 + run.work.actuators));
  }
}

// 11.5: order 4 of rk4, 2 of the linearly implicit method; rk45 keeps its tolerance.
TEST(StrainDriven, methods_have_their_orders) {
  Loads mud;
  mud.ct = 2, mud.cn = 20;
  const auto plan = swimmer<Plane>(plain(8, 0.8), mud, 40);
  const auto end = [&](const char* method, double dt, double tolerance = 1e-9) {
    auto p = plan;
    p.tolerance = tolerance;
    Running run(make_strain_driven(p));
    run.run(method, 1.0, dt);
    return Vec<3>{run.state[0], run.state[1], run.state[2]};
  };
  const Vec<3> exact = end("rk4", 0.00125);
  EXPECT_NEAR(std::log2(norm(end("rk4", 0.02) - exact) / norm(end("rk4", 0.01) - exact)), 4.0, 0.4);
  EXPECT_NEAR(std::log2(norm(end("euler", 0.01) - exact) / norm(end("euler", 0.005) - exact)), 2.0, 0.3);
  EXPECT_LT(norm(end("rk45", 0.1) - exact), 1e-7);
  EXPECT_LT(norm(end("rk45", 1.0, 1e-11) - exact), 1e-8);
}

// c_n / m = 1.6e4 / s: explicit steps need dt < 1.7e-4; the implicit one takes 5 ms and follows.
TEST(StrainDriven, stiff_friction_needs_the_implicit_method) {
  Loads thick;
  thick.ct = 2e3, thick.cn = 2e4;
  const auto plan = swimmer<Plane>(plain(8, 0.8), thick, 40);
  Running explicitly(make_strain_driven(plan)), implicitly(make_strain_driven(plan)), exactly(make_strain_driven(plan));
  double t = 0.0;
  bool finite = true;
  for (int k = 0; k < 100 && finite; k++, t += 0.005)
    finite =
        explicitly.plant->advance({"rk4", t, 0.005}, explicitly.state, explicitly.work, *explicitly.scratch).finite &&
        std::abs(explicitly.state[0]) < 10;
  EXPECT_FALSE(finite);
  implicitly.run("euler", 0.5, 0.005);
  exactly.run("rk4", 0.5, 1e-4);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(implicitly.state[i], exactly.state[i], 2e-3);
}

TEST(StrainDriven, runs_in_the_plane_equal_runs_in_space) {
  Loads mud;
  mud.ct = 2, mud.cn = 20;
  Running plane(make_strain_driven(swimmer<Plane>(plain(8, 0.8), mud, 50)));
  Running space(make_strain_driven(swimmer<Space>(plain(8, 0.8), mud, 50)));
  plane.run("rk4", 1.0, 0.01), space.run("rk4", 1.0, 0.01);
  EXPECT_NEAR(plane.read("head.x"), space.read("head.x"), 1e-10);
  EXPECT_NEAR(plane.read("head.y"), space.read("head.y"), 1e-10);
  EXPECT_NEAR(plane.read("head.theta"), space.read("head.turn_z"), 1e-10);
}

// Gray and Hancock: U / V_w = (b k)^2 (g - 1) / (2 + g (b k)^2) of an infinite wave with b k = 0.3, g = c_n / c_t = 3; with four waves on
// the body 0.01942 instead of 0.01982 m/s (docs/theory/rods.md#gaits).
TEST(StrainDriven, small_waves_swim_as_gray_and_hancock_say) {
  Loads mud;
  mud.ct = 20, mud.cn = 60;
  const double k = 2 * std::numbers::pi / 0.25, bk = 0.3;
  Running run(make_strain_driven(swimmer<Plane>(plain(bk * k, 0.25), mud, 160)));
  run.run("rk4", 2.0, 0.005);
  const double from = run.read("com.x");
  run.run("rk4", 4.0, 0.005);
  const double speed = (from - run.read("com.x")) / 2.0;
  EXPECT_NEAR(speed, 0.01942, 3e-4);
}

TEST(Kinematic, energy_is_accounted_for) {
  const SnakeGait gait = [] {
    SnakeGait g = turning();
    g.VA = 0.2, g.Vw = 3.0;
    return g;
  }();
  KinematicPlan<Space> k;
  Loads loads;
  loads.gravity = Vec3d(0, 0, -9.81), loads.ct = 1.0;
  k.rod = make_rod<Space>(snake_law<Space>({1.0, 200}, gait), 1000.0, 0.02, loads);
  k.looks.X_profile = {0.5}, k.looks.slots = 5, k.couple_length = 0.02;
  k.contacts =
      supports<Space>({.C = {0.1, 0.3, 0.5, 0.7, 0.9}, .t_C = 0, .period = 1, .side = {}, .mu = {}}, gait, 1.0);
  k.connect = Connect::Shape;
  Running run(make_kinematic(k));
  run.run("rk4", 5.5, 0.01);
  EXPECT_GT(run.work.friction, 1.0);
  EXPECT_LT(std::abs(run.work.external), 1e-6);  // supports that hold across a gliding body do no work
  EXPECT_LT(std::abs(run.balance()), 1e-6);
}

TEST(Kinematic, energy_of_the_inchworm_and_of_the_worm_is_accounted_for) {
  KinematicPlan<Plane> k;
  const InchwormGait gait{.alpha = 1.8, .om = std::numbers::pi / 2};
  Loads loads;
  loads.gravity = Vec3d(9.81, 0, 0);
  k.rod = make_rod<Plane>(inchworm_law({0.3, 100}, gait), 1000.0, 0.01, loads);
  k.looks.X_profile = {0.1}, k.looks.slots = 2;
  k.contacts = inchworm_clamps(gait, 0.3), k.switches = true;
  Running inchworm(make_kinematic(k));
  inchworm.run("rk4", 3.5, 0.005);
  EXPECT_LT(std::abs(inchworm.balance()), 1e-7);
  EXPECT_GT(inchworm.energy().potential, inchworm.begin.potential + 0.1);  // it has climbed

  const WormGait wave{.eps = 0.1, .lam = 0.15, .c0 = 0.3, .acc = 0.1};
  KinematicPlan<Line> w;
  w.rod = make_rod<Line>(worm_law({0.35, 200}, wave));
  w.looks.X_profile = {0.1}, w.looks.slots = worm_slots(wave, 0.35), w.looks.swells = true;
  w.contacts = worm_anchors(wave, 0.35, ContactKind::SweepFixedSite), w.share = Share::Equal;
  Running worm(make_kinematic(w));
  const double volume = worm.read("volume");
  worm.run("rk4", 1.0, 0.001);
  EXPECT_LT(std::abs(worm.balance()), 1e-6 * worm.energy().kinetic + 1e-7);
  EXPECT_NEAR(worm.read("volume"), volume, 1e-12);
  EXPECT_LT(worm.read("end_residual"), 1e-12);
}

TEST(Plants, take_no_memory_in_a_step_nor_when_they_are_read) {
  if (!test::are_allocations_counted()) GTEST_SKIP();
  KinematicPlan<Space> k;
  const SnakeGait gait = turning();
  Loads loads;
  loads.gravity = Vec3d(0, 0, -9.81);
  k.rod = make_rod<Space>(snake_law<Space>({1.0, 40}, gait), 1000.0, 0.02, loads);
  k.looks.X_profile = {0.1, 0.5}, k.looks.slots = 5;
  k.contacts = supports<Space>(
      {.C = {0.1, 0.3, 0.5, 0.7, 0.9}, .t_C = 0, .period = 1, .side = {1, -1, 1, -1, 1}, .mu = {}}, gait, 1.0);
  k.connect = Connect::Contacts, k.share = Share::Unilateral;
  for (const auto& plant : {make_kinematic(k), make_strain_driven(swimmer<Space>(waving(), everything(), 40)),
                            make_strain_driven(swimmer<Plane>(plain(8, 0.8), {}, 40))}) {
    Running run(plant);
    std::vector<double> out(plant->readings().size());
    std::vector<SectionMotion> places(plant->sections().size());
    for (const auto method : plant->methods()) {
      const long taken = test::count_allocations([&] {
        for (int i = 0; i < 20; i++) plant->advance({method, 0.002 * i, 0.002}, run.state, run.work, *run.scratch);
        plant->read(0.04, {}, run.state, out, *run.scratch);
        plant->place(0.04, run.state, places, *run.scratch);
        plant->energy(0.04, run.state, *run.scratch);
      });
      EXPECT_EQ(taken, 0) << method;
    }
  }
}

// What bench/rods.cpp times: with 80 cells of five stations the couples inside are right to 1e-6 of the largest while the turn passes
// along the snake. Without loads they depend on time alone, so nothing needs to run.
TEST(KinematicPlant, couples_of_a_turning_snake_are_right_to_a_millionth) {
  const auto couples = [](int N, double t) {
    KinematicPlan<Space> k;
    k.rod = make_rod<Space>(snake_law<Space>({1.0, N, 5}, turning()));
    k.rod.scheme = Scheme::Fine;
    k.looks.X_profile = {0.2, 0.4, 0.6, 0.8}, k.looks.slots = 5, k.couple_length = 0.02;
    k.contacts = supports<Space>({.C = {0.1, 0.3, 0.5, 0.7, 0.9}, .t_C = 2.0, .period = 1.0, .side = {}, .mu = {}},
                                 turning(), 1.0);
    k.connect = Connect::Shape;
    Running r(make_kinematic(std::move(k)));
    r.t = t;
    std::vector<double> out;
    for (const char* of : {"M_x.", "M_y.", "M_z."})
      for (int i = 0; i < 4; i++) out.push_back(r.read(of + std::to_string(i)));
    return out;
  };
  for (const double t : {2.0, 4.3, 5.5, 6.1, 6.2, 7.4}) {
    const auto exact = couples(200, t), got = couples(80, t);
    double largest = 0.0, off = 0.0;
    for (std::size_t i = 0; i < exact.size(); i++)
      largest = std::max(largest, std::abs(exact[i])), off = std::max(off, std::abs(got[i] - exact[i]));
    EXPECT_LT(off, 1e-6 * largest) << t;
  }
}

}  // namespace plant_test
}  // namespace sinew::rod
