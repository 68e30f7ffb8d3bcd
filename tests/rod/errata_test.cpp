// Formulas of Boyer et al. 2012 that do not hold as printed: each test would fail with the printed one. Others are
// in the files of their subjects; the table in docs/theory/rods.md lists all.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "tests/rod/rods.h"

namespace sinew::rod {
namespace errata_test {

constexpr double pi = std::numbers::pi;
const Vec<6> some_twist{0.3, -0.4, 0.2, 1.0, -2.0, 0.5};

Rod<Space> waving_rod(int N = 200) { return make_rod<Space>(wave_law<Space>({1.0, N}, Space::straight(), waving())); }

// (16), (20): a force at the head adds with +. Printed: -F_-, and the rod would run against it.
TEST(Errata, a_force_at_the_head_pushes_the_rod_its_own_way) {
  Loads loads;
  loads.head.dead_force = Vec3d(2.0, 0.0, 0.0);
  const auto rod = make_rod<Plane>(constant_law<Plane>({1.0, 20}, Plane::straight()), 1000.0, 0.02, loads);
  Workspace<Plane> work(rod);
  const auto k = pass_along(rod, 0.0, Plane::identity(), Vec<3>::zero(), Depth::Forces, work);
  EXPECT_NEAR(solve_positive(k.M_o, k.F_o)[0], 2.0 / rod.inertia[0], 1e-9);
}

// (17): zeta is the rate of eta when eta_o is constant: eta_s' - ad_eta (Ad_k eta_o). Printed (its last two terms cancel): + ad_eta (Ad_k
// eta_o) without the rate of the shape.
TEST(Errata, zeta_is_the_rate_of_the_twist_for_a_head_that_does_not_accelerate) {
  const auto rod = waving_rod();
  const double t = 1.4, d = 1e-4;
  const auto twist = [&](double time) {
    Workspace<Space> work(rod);
    return pass_along(rod, time, Space::identity(), some_twist, Depth::Motion, work).end.eta();
  };
  Workspace<Space> work(rod);
  const Node<Space> end = pass_along(rod, t, Space::identity(), some_twist, Depth::Motion, work).end;
  const Vec<6> rate = (twist(t + d) - twist(t - d)) * (0.5 / d);
  EXPECT_LT(norm(end.zeta() - rate), 1e-4 * norm(rate));  // d^2 of third derivatives
  const Vec<6> printed = bracket(end.eta(), adjoint_inverse(end.g, some_twist));
  EXPECT_GT(norm(printed - rate), 0.1 * norm(rate));
}

// Lagrangian under (12): with a half before Lambda the actuators would do half the work.
TEST(Errata, actuators_do_all_the_work_that_the_kinetic_energy_gains) {
  StrainDrivenPlan<Space> k;
  WaveGait gait = waving();
  gait.Tr = 1.0;
  k.rod = make_rod<Space>(wave_law<Space>({1.0, 100}, Space::straight(), gait));
  Running run(make_strain_driven(std::move(k)));
  run.run("rk4", 0.7, 0.002);
  EXPECT_GT(run.work.actuators, 0.05);
  EXPECT_NEAR(run.energy().kinetic, run.work.actuators, 1e-6 * run.work.actuators);
}

// (18): the head moves along its twist, not along the rate of it (a dot for a hat).
TEST(Errata, the_head_moves_along_its_twist) {
  StrainDrivenPlan<Plane> k;
  k.rod = make_rod<Plane>(constant_law<Plane>({1.0, 20}, Plane::straight()));
  k.start_twist = {0.4, 0.0, 0.0};
  Running run(make_strain_driven(std::move(k)));
  run.run("rk4", 0.5, 0.01);
  EXPECT_NEAR(run.read("head.x"), 0.2, 1e-12);  // there is no acceleration
}

// (33): a site that stands still moves along the body at (V_cX - V_X) / Gamma_X. Printed: without Gamma_X; and table II, (40): an anchor
// whose site is fixed is not one whose section does not slip.
TEST(Errata, the_site_of_an_anchor_stays_where_it_is_on_a_stretched_body) {
  const WormGait gait{.eps = 0.3, .lam = 0.5, .c0 = 0.3, .acc = 0.1};
  for (const bool fixed : {true, false}) {
    KinematicPlan<Line> k;
    k.rod = make_rod<Line>(worm_law({1.0, 200}, gait));
    k.looks.slots = worm_slots(gait, 1.0);
    k.contacts = worm_anchors(gait, 1.0, fixed ? ContactKind::SweepFixedSite : ContactKind::SweepNoSlip);
    const auto law = k.rod.law;
    const auto contacts = k.contacts;
    Running run(make_kinematic(std::move(k)));
    run.run("rk4", 0.5, 0.005);
    Contact<Line> at[most_contacts];
    ASSERT_GT(contacts(run.t, run.t, at), 0);
    // the speed of its section, from the head and the stretch between
    double V = run.read("head.V_x");
    const int n = 4000;
    for (int i = 0; i < n; i++) V += law->at(at[0].C * (i + 0.5) / n, run.t).xi_t[0] * at[0].C / n;
    const double stretch = law->at(at[0].C, run.t).xi[0];
    EXPECT_NEAR(stretch, 0.7, 1e-9);
    EXPECT_NEAR(V, fixed ? -stretch * at[0].C_t : 0.0, 1e-6);
    EXPECT_NEAR(at[0].C_t, 0.3 + 0.1 * run.t, 1e-12);
  }
}

// (44), (45): by reference length the mass does not change, however thick the worm is there.
TEST(Errata, a_worm_keeps_its_mass_where_it_swells) {
  const auto rod = make_rod<Line>(worm_law({0.35, 100}, {.eps = 0.3, .lam = 0.15, .c0 = 0.3, .acc = 0.0}));
  for (const double t : {0.0, 0.1, 0.37}) {
    Workspace<Line> work(rod);
    const auto k = pass_along(rod, t, Line::identity(), Vec<1>{0.0}, Depth::Forces, work);
    EXPECT_NEAR(k.M_o(0, 0), 0.35 * rod.inertia[0], 1e-12);
  }
}

// After (43): at a constant speed of the wave contacts are without force only if the body has whole waves.
TEST(Errata, a_worm_of_two_waves_and_a_third_is_held) {
  for (const double l : {0.30, 0.35}) {
    const WormGait gait{};
    const auto rod = make_rod<Line>(worm_law({l, 300}, gait), 1050.0, 0.005);
    Workspace<Line> work(rod);
    Svd svd;
    Contact<Line> at[most_contacts];
    const int count = worm_anchors(gait, l, ContactKind::SweepNoSlip)(1.3, 1.3, at);
    const auto c = connect<Line>(rod, 1.3, Line::identity(), {{at, std::size_t(count)}, {0.0}}, work, svd);
    const auto k = pass_along(rod, 1.3, Line::identity(), c.eta_o, Depth::Forces, work);
    EXPECT_NEAR(k.M_o(0, 0) * c.eta_o_t[0] - k.F_o[0], l == 0.30 ? 0.0 : 4.69756e-5, 1e-9);
  }
}

// Inchworm, text: the curvature is largest at both ends and most negative in the middle; clamps change every half of a period pi / om,
// without a period of rest, and a clamp keeps the pose that it found, so that strides add up.
TEST(Errata, an_inchworm_bends_most_at_its_ends_and_makes_a_stride_in_every_period) {
  const InchwormGait gait{};
  const double l = 0.3, T = pi / gait.om;
  const auto law = inchworm_law({l, 100}, gait);
  const double K = law->at(0.0, 0.5 * T).xi[2];
  EXPECT_NEAR(K, 1.8 * 2.0 * pi / l, 1e-9);
  EXPECT_NEAR(law->at(l, 0.5 * T).xi[2], K, 1e-9);
  EXPECT_NEAR(law->at(0.5 * l, 0.5 * T).xi[2], -K, 1e-9);
  KinematicPlan<Plane> k;
  k.rod = make_rod<Plane>(law, 1000.0, 0.01);
  k.looks.slots = 2, k.switches = true;
  k.contacts = inchworm_clamps(gait, l);
  Running run(make_kinematic(std::move(k)));
  for (int period = 1; period <= 3; period++) {
    run.run("rk4", period * T, T / 400);
    EXPECT_NEAR(run.read("head.x"), -period * l * (1.0 - std::cyl_bessel_j(0.0, 1.8)), 1e-6);
  }
}

// (52): the second line is the turning of each section, V_o K_Z(X), not of the head. (51), (54): the head moves along V_o t_X(0), head first
// for V_o < 0. (54): the argument is X + s(t): a speed that changes does not tear the shape from its track.
TEST(Errata, sections_of_a_gliding_snake_turn_with_their_own_curvature) {
  SnakeGait gait = turning();
  gait.VA = 0.2, gait.Vw = 3.0;
  const auto rod = make_rod<Plane>(snake_law<Plane>({1.0, 400}, gait));
  const double t = 5.1;
  const auto c = connect_by_shape(rod, t);
  EXPECT_LT(c.residual, 1e-9);  // of 60
  EXPECT_LT(c.eta_o[0], 0.0);
  Workspace<Plane> work(rod);
  pass_along(rod, t, Plane::identity(), c.eta_o, Depth::Motion, work);
  for (const int i : {40, 140, 333}) {
    const Vec<3> eta = work.nodes[i].eta();
    const double K = rod.law->at(i / 400.0, t).xi[2];
    EXPECT_NEAR(eta[2], gait.V(t) * K, 1e-6);
    EXPECT_GT(std::abs(eta[2] - c.eta_o[2]), 0.1);
    EXPECT_NEAR(eta[1], 0.0, 1e-7);
  }
  // printed: the argument t + X / V_o, times V_o: it moves at V_o + t V_o'
  const double d = 1e-4, argument_rate = (gait.V(t + d) * (t + d) - gait.V(t - d) * (t - d)) / (2 * d);
  EXPECT_GT(std::abs(argument_rate - gait.V(t)), 0.5);
}

// (55), (56): the rate of the shear counts. With it nothing slips across; the printed mobility, without, is off.
TEST(Errata, a_snake_that_shears_slips_nowhere) {
  const ShearGait gait{};
  const auto rod = make_rod<Plane>(shear_law({1.0, 400}, gait));
  const double t = 0.6;
  Workspace<Plane> work(rod);
  pass_along(rod, t, Plane::identity(), {gait.V_o, 0.0, gait.Omega_o}, Depth::Motion, work);
  double printed = 0.0;
  for (int i = 0; i <= 400; i += 50) {
    const Vec<3> eta = work.nodes[i].eta();
    EXPECT_NEAR(eta[1], 0.0, 1e-8);
    const Strain<Plane> s = rod.law->at(i / 400.0, t);
    const double K = s.xi[2], shear = s.xi[1];
    EXPECT_NEAR(eta[2], K * eta[0] - s.xi_t[1], 1e-8);
    EXPECT_NEAR(s.xi_t[2] + s.xi_tX[1] - K * shear * s.xi_t[1], (s.xi_X[2] - K * K * shear) * eta[0], 1e-6);
    printed = std::max(printed, std::abs(s.xi_t[2] - (s.xi_X[2] - K * K * shear) * eta[0]));
  }
  EXPECT_GT(printed, 0.5);
}

// Bending that travels along a body of constant twist K_X: w = K_Y + i K_Z = exp(-i K_X X) f(X + V t).
struct TwistedWave : StrainLaw<Space> {
  using StrainLaw<Space>::StrainLaw;
  static constexpr double twist = 1.5, V = -0.4, k = 9.0;
  Strain<Space> at(double X, double t) const override {
    using Complex = std::complex<double>;
    const Complex i(0, 1), phase = std::exp(-i * twist * X);
    const double s = X + V * t;
    const Complex f(3.0 * std::sin(k * s), 5.0 * std::cos(k * s)),
        f1(3.0 * k * std::cos(k * s), -5.0 * k * std::sin(k * s));
    const Complex f2 = -k * k * f;
    Strain<Space> out{Space::straight(), Vec<6>::zero(), Vec<6>::zero(), Vec<6>::zero(), Vec<6>::zero()};
    const auto put = [&](Vec<6>& to, Complex w) { to[4] = w.real(), to[5] = w.imag(); };
    put(out.xi, phase * f), put(out.xi_t, V * phase * f1), put(out.xi_tt, V * V * phase * f2);
    put(out.xi_X, phase * (f1 - i * twist * f)), put(out.xi_tX, V * phase * (f2 - i * twist * f1));
    out.xi[3] = twist;
    return out;
  }
};

// (63): K' = V_o K' needs K_X = 0; with a twist there are two more terms. (64): the head turns with V_o K_Y(0), V_o K_Z(0): no primes in
// the numerators, which would not even have the unit of a turn.
TEST(Errata, a_twisted_snake_glides_in_space_without_slip) {
  const auto law = std::make_shared<TwistedWave>(Grid{1.0, 400});
  const auto rod = make_rod<Space>(law);
  const double t = 0.8;
  const auto c = connect_by_shape(rod, t);
  EXPECT_NEAR(c.eta_o[0], TwistedWave::V, 1e-12);
  EXPECT_LT(c.residual, 1e-10);
  const Strain<Space> nose = law->at(0.0, t);
  EXPECT_NEAR(c.eta_o[4], TwistedWave::V * nose.xi[4], 1e-12);
  EXPECT_NEAR(c.eta_o[5], TwistedWave::V * nose.xi[5], 1e-12);
  Workspace<Space> work(rod);
  pass_along(rod, t, Space::identity(), c.eta_o, Depth::Motion, work);
  double printed = 0.0;
  for (int i = 0; i <= 400; i += 50) {
    const Vec<6> eta = work.nodes[i].eta();
    for (const int across : {1, 2}) EXPECT_NEAR(eta[across], 0.0, 1e-7);
    const Strain<Space> s = law->at(i / 400.0, t);
    printed = std::max(printed, std::abs(s.xi_t[4] - TwistedWave::V * s.xi_X[4]));
  }
  EXPECT_GT(printed, 0.5);
}

}  // namespace errata_test
}  // namespace sinew::rod
