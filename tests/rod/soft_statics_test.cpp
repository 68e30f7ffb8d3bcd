// Equilibria of soft rods against closed forms and reference values (docs/theory/soft_rods.md#numbers-that-are-known).
#include "sinew/rod/soft_statics.h"

#include <gtest/gtest.h>

#include "tests/rod/soft_support.h"

namespace sinew::rod::test {
namespace soft_statics_test {

// Elastica by its own equation EI theta'' = -P cos(theta), theta(0) = 0, theta'(l) = 0: shooting on theta'(0), RK4.
struct Elastica {
  double x, y, theta;
};
Elastica elastica(double load) {
  const auto shoot = [&](double k, Elastica& out) {
    const int N = 4000;
    const double h = 1.0 / N;
    double th = 0, x = 0, y = 0;
    const auto f = [&](double a) { return -load * std::cos(a); };
    for (int i = 0; i < N; i++) {
      const double k1 = k, l1 = f(th), k2 = k + h / 2 * l1, l2 = f(th + h / 2 * k1), k3 = k + h / 2 * l2,
                   l3 = f(th + h / 2 * k2), k4 = k + h * l3, l4 = f(th + h * k3);
      x += h / 6 *
           (std::cos(th) + 2 * std::cos(th + h / 2 * k1) + 2 * std::cos(th + h / 2 * k2) + std::cos(th + h * k3));
      y += h / 6 *
           (std::sin(th) + 2 * std::sin(th + h / 2 * k1) + 2 * std::sin(th + h / 2 * k2) + std::sin(th + h * k3));
      th += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), k += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    out = {x, y, th};
    return k;
  };
  Elastica out{};
  double low = 0.0, high = load;
  for (int i = 0; i < 80; i++) (shoot(0.5 * (low + high), out) > 0.0 ? high : low) = 0.5 * (low + high);
  return out;
}

TEST(SoftStatics, cantilever_under_a_dead_load_is_the_elastica) {
  const SoftPlan arm = with_legendre(soft_arm(), {5}, 9);
  const double EI = arm.stiffness[5];
  for (const double load : {0.2, 1.0, 3.0, 10.0}) {
    const auto tip = static_tip<Plane>(with_tip_load(arm, {0, load * EI / 0.09, 0, 0, 0, 0})).pose;
    const Elastica exact = elastica(load);
    EXPECT_NEAR(tip.p[0] / 0.3, exact.x, 1e-6) << load;
    EXPECT_NEAR(tip.p[1] / 0.3, exact.y, 1e-6) << load;
    EXPECT_NEAR(std::atan2(tip.R(1, 0), tip.R(0, 0)), exact.theta, 1e-6) << load;
  }
  EXPECT_NEAR(elastica(10.0).theta, 1.4302855388038584, 1e-9);  // elliptic integrals
}

TEST(SoftStatics, more_polynomials_come_nearer_to_the_elastica) {
  // 12.9 gives 2e-2, 2e-5, 1e-6, 4e-9 of l for 2, 4, 6, 8 functions at load 10
  const double known[4] = {2e-2, 2e-5, 1e-6, 4e-9};
  for (int k = 0; k < 4; k++) {
    SoftPlan arm = with_legendre(soft_arm(), {5}, 2 * k + 2);
    arm.cells = 160;
    const auto tip = static_tip<Plane>(with_tip_load(arm, {0, 10.0 * arm.stiffness[5] / 0.09, 0, 0, 0, 0})).pose;
    const double error = std::hypot(tip.p[0] / 0.3 - 0.44500440224624876, tip.p[1] / 0.3 - 0.8106090248802965);
    EXPECT_LT(error, 4.0 * known[k]) << k;
  }
}

TEST(SoftStatics, an_end_couple_closes_a_circle) {
  const SoftPlan arm = with_legendre(soft_arm(), {3, 4, 5}, 4);
  const auto tip = static_tip<Space>(with_tip_load(arm, {}, {0, 0, 0, 0, 0, 0.16449340668482265})).pose;
  for (int i = 0; i < 3; i++) EXPECT_NEAR(tip.p[i], 0.0, 1e-7);
}

// A couple in the section's own axes bends into a circle about any of them, however far.
TEST(SoftStatics, a_follower_couple_keeps_its_plane) {
  const SoftPlan arm = with_legendre(soft_arm(), {3, 4, 5}, 3);
  const double EI = arm.stiffness[5], GI = arm.stiffness[3];
  const auto found = static_tip<Space>(with_tip_load(arm, {}, {0, 0, 0, 0.01, 0.02, 0.0}));
  // stress is (0.01, 0.02, 0) in every section only if K x M vanishes; here twist and bend differ, but EI K_Y, GI K_X balance
  // M' = M x K, so the magnitude of M is the same everywhere
  const SoftModel<Space> m = build_soft_model<Space>(with_tip_load(arm, {}, {0, 0, 0, 0.01, 0.02, 0.0}));
  for (const double s : {0.0, 0.5, 1.0}) {
    double K[3] = {};
    for (int i = 0; i < m.nq; i++)
      K[m.plan.modes[i].component - 3] += found.q[i] * mode_value(m.plan.modes[i], s * 0.3);
    EXPECT_NEAR(std::hypot(GI * K[0], EI * K[1], EI * K[2]), std::hypot(0.01, 0.02), 2e-4) << s;
  }
}

TEST(SoftStatics, own_weight) {
  SoftPlan arm = with_legendre(soft_arm(), {5}, 9);
  arm.gravity = Vec3d(0, -9.81, 0), arm.cells = 40;
  const auto tip = static_tip<Plane>(arm).pose;
  EXPECT_NEAR(tip.p[0], 0.19147486446096673, 1e-6);
  EXPECT_NEAR(tip.p[1], -0.21427484932367466, 1e-6);
  EXPECT_NEAR(std::atan2(tip.R(1, 0), tip.R(0, 0)), -1.0806509014951728, 1e-6);
}

TEST(SoftStatics, a_parallel_cable_bends_and_shortens) {
  SoftPlan arm = with_legendre(soft_arm(), {0, 5}, 2);
  arm.cables.push_back({Vec3d(0, 0.006, 0), Vec3d(0, 0.006, 0), 0.3, {.value = 1.5}});
  const auto tip = static_tip<Plane>(arm);
  EXPECT_NEAR(tip.q[0], -0.00477464829275686, 1e-10);
  EXPECT_NEAR(tip.q[2], 1.1459155902616465, 1e-8);
  EXPECT_NEAR(tip.pose.p[0], 0.2927214202761932, 1e-8);
  EXPECT_NEAR(tip.pose.p[1], 0.05081655714947372, 1e-8);
}

TEST(SoftStatics, three_chambers) {
  SoftPlan arm = with_legendre(soft_arm(), {0, 4, 5}, 2);
  const double angle[3] = {90, 210, 330}, pressure[3] = {4e4, 1e4, 0};
  for (int i = 0; i < 3; i++) {
    const double a = angle[i] * std::numbers::pi / 180;
    const Vec3d d = Vec3d(0, std::cos(a), std::sin(a)) * 0.006;
    arm.cables.push_back({d, d, 0.3, {.value = -2e-5 * pressure[i]}});
  }
  const auto tip = static_tip<Space>(arm);
  EXPECT_NEAR(tip.q[0], 0.0031830988618379067, 1e-10);
  EXPECT_NEAR(tip.q[2], 0.5347606087887684, 1e-8);
  EXPECT_NEAR(tip.q[4], 0.13231893490123003, 1e-8);
  EXPECT_NEAR(tip.pose.p[0], 0.29958680493930073, 1e-7);
  EXPECT_NEAR(tip.pose.p[1], 0.005959722018479131, 1e-7);
  EXPECT_NEAR(tip.pose.p[2], -0.02408592978164977, 1e-7);
}

TEST(SoftStatics, bend_of_45_degrees_out_of_its_plane) {
  SoftPlan bend;
  bend.length = 78.53981633974483, bend.xi_star = {1, 0, 0, 0, 0, 0.01}, bend.inertia = {1, 1, 1, 1, 1, 1};
  bend.stiffness = {1e7, 5e6, 5e6, 833333.3333333334, 833333.3333333334, 833333.3333333334};
  bend = with_legendre(bend, {0, 1, 2, 3, 4, 5}, 7);
  const auto tip = static_tip<Space>(with_tip_load(bend, {0, 0, 600, 0, 0, 0})).pose.p;
  EXPECT_NEAR(tip[0], 47.15043859907805, 1e-4);
  EXPECT_NEAR(tip[1], 15.684800537456674, 1e-4);
  EXPECT_NEAR(tip[2], 53.47485869006465, 1e-4);
}

TEST(SoftStatics, pieces_and_hats_converge_to_the_polynomials) {
  const double load = 3.0 * soft_arm().stiffness[5] / 0.09;
  SoftPlan fine = soft_arm();
  fine.cells = 200;
  const auto exact = static_tip<Plane>(with_tip_load(with_legendre(fine, {5}, 9), {0, load, 0, 0, 0, 0})).pose.p;
  double pieces[3], hats[3];
  for (int k = 0; k < 3; k++) {
    SoftPlan a = fine, b = fine;
    add_pieces(a.modes, 5, {0.3}, 4 << k), add_hats(b.modes, 5, {0.3}, 4 << k);
    const auto error = [&](const SoftPlan& p) {
      const Vec3d d = static_tip<Plane>(with_tip_load(p, {0, load, 0, 0, 0, 0})).pose.p - exact;
      return std::sqrt(dot(d, d));
    };
    pieces[k] = error(a), hats[k] = error(b);
  }
  // a tip's place is a functional of the strain: twice the order of the basis
  EXPECT_NEAR(std::log2(pieces[1] / pieces[2]), 2.0, 0.15);
  EXPECT_NEAR(std::log2(hats[1] / hats[2]), 4.0, 0.3);
}

TEST(SoftStatics, two_segments_with_a_point_load_between_them) {
  // EI w''' jumps at the load: one polynomial each is exact for small loads, P (3 a^2 l - a^3) / (6 EI) at the tip
  SoftPlan arm = soft_arm();
  add_legendre(arm.modes, 5, {0.12, 0.3}, 2);
  const double P = 1e-5;
  arm.points.push_back({0.12, {0, P, 0, 0, 0, 0}, {}, {.value = 1.0}});
  EXPECT_NEAR(static_tip<Plane>(arm).pose.p[1],
              P * (3 * 0.12 * 0.12 * 0.3 - std::pow(0.12, 3)) / (6 * arm.stiffness[5]), 1e-12);
}

// PyElastica's first test: tip of a cantilever with shear, F L / (alpha A G) + F L^3 / (3 E I) for small deflections, is
// 0.06777 m; the rod itself is a little nonlinear.
TEST(SoftStatics, timoshenko_cantilever) {
  const double L = 3.0, r = 0.25, E = 1e6, G = 1e4, A = std::numbers::pi * r * r, I = A * r * r / 4,
               alpha = 27.0 / 28.0;
  const double linear = 15 * L / (alpha * A * G) + 15 * L * L * L / (3 * E * I);
  EXPECT_NEAR(linear, 0.067770297, 5e-9);
  SoftPlan rod = soft_arm(L, r, 5000);
  rod.stiffness = {E * A, alpha * G * A, alpha * G * A, 2 * G * I, E * I, E * I};
  rod = with_legendre(rod, {0, 1, 5}, 5);
  // a hundredth of the load: what is nonlinear goes with its square
  const double full = static_tip<Plane>(with_tip_load(rod, {0, 15, 0, 0, 0, 0})).pose.p[1];
  const double small = static_tip<Plane>(with_tip_load(rod, {0, 0.15, 0, 0, 0, 0})).pose.p[1];
  EXPECT_NEAR(100 * small, linear, 1e-7);
  EXPECT_NEAR(full, linear, 1e-3 * linear);
}

// Hung between two ends at equal height, with hardly any stiffness against bending: a catenary.
TEST(SoftStatics, a_limp_rod_hangs_in_a_catenary) {
  SoftPlan rod = with_legendre(soft_arm(1.0), {5}, 12);
  rod.stiffness[5] = 1e-6, rod.gravity = Vec3d(0, -9.81, 0), rod.cells = 40;
  const double weight = rod.inertia[0] * 9.81, span = 0.8;
  double c = 0.3;  // half length = c sinh(span / 2c)
  for (int i = 0; i < 100; i++) {
    const double f = c * std::sinh(span / (2 * c)) - 0.5, e = 1e-7;
    c -= f * e / ((c + e) * std::sinh(span / (2 * (c + e))) - 0.5 - f);
  }
  // clamped along the catenary's own slope, so that its ends do not bend
  const double slope = -std::asinh(std::sinh(span / (2 * c)));
  const double angle = std::atan(std::sinh(slope));
  rod.base.R = Mat3d({std::cos(angle), std::sin(angle), 0}, {-std::sin(angle), std::cos(angle), 0}, {0, 0, 1});
  SoftTipHold hold;
  hold.held[0] = hold.held[1] = true, hold.start = hold.target = Vec3d(span, 0, 0);
  rod.q.assign(12, 0.0), rod.q[0] = -2.0 * angle;  // the search begins with an arc of a circle
  const auto found = static_tip<Plane>(rod, {.steps = 1, .hold = &hold});
  EXPECT_NEAR(found.pose.p[0], span, 1e-9);
  EXPECT_NEAR(found.pose.p[1], 0.0, 1e-9);
  // EI / (w c^2) = 1e-6 of the load: boundary layer of 1e-3 at the free-turning end
  EXPECT_NEAR(found.found.reaction[0], weight * c, 2e-3 * weight);
  EXPECT_NEAR(found.found.reaction[1], 0.5 * weight, 2e-3 * weight);
}

TEST(SoftStatics, small_vibrations_of_a_cantilever) {
  struct Case {
    bool rotary, shear;
    int count;
    double hz[3];
  };
  const Case cases[] = {{false, false, 10, {0.9831015456164389, 6.1609922198480245, 17.250956613752933}},
                        {true, false, 10, {0.9824674852748454, 6.133430933647381, 17.068673987291888}},
                        {true, true, 10, {0.9805747751260233, 6.053129492081912, 16.560745066128526}},
                        {false, false, 3, {0.9833981511583704, 6.2165977666433205, 33.03397320954136}}};
  for (const Case& c : cases) {
    SoftPlan arm = with_legendre(soft_arm(), {5}, c.count);
    if (c.shear) arm = with_legendre(arm, {1}, c.count);
    if (!c.rotary) arm.inertia[5] = 0.0;
    arm.cells = 60;
    const SoftModel<Plane> m = build_soft_model<Plane>(arm);
    const SoftVibration v = vibrations(m, 0.0, std::vector<double>(m.nq));
    for (int i = 0; i < 3; i++) EXPECT_NEAR(v.frequency[i], c.hz[i], 1e-4) << i;
  }
}

TEST(SoftStatics, a_free_rod_has_three_motions_without_frequency) {
  SoftPlan arm = with_legendre(soft_arm(), {5}, 10);
  arm.inertia[5] = 0.0, arm.floating = true, arm.cells = 60;
  const SoftModel<Plane> m = build_soft_model<Plane>(arm);
  const SoftVibration v = vibrations(m, 0.0, std::vector<double>(m.nq));
  EXPECT_EQ(v.zero_modes, 3);
  EXPECT_NEAR(v.frequency[0], 6.255721271053954, 1e-4);
  EXPECT_NEAR(v.frequency[1], 17.24413657334454, 1e-4);
}

// A round rod between two clamps, a tenth nearer than it is long: its buckle may turn about their line, so the tangent is singular.
TEST(SoftStatics, a_buckle_that_may_turn_is_found_in_few_iterations) {
  SoftPlan arm = with_legendre(soft_arm(), {3, 4, 5}, 6);
  const double l = arm.length;
  arm.q.assign(18, 0.0);
  arm.q[8] = 0.1 / l;  // K_Y, K_Z: both ends one way, the middle the other
  arm.q[14] = 4.0 / l;
  SoftTipHold hold;
  hold.held.fill(true);
  hold.start = Vec3d(l, 0, 0);
  hold.target = Vec3d(0.9 * l, 0, 0);
  arm.q = static_tip<Space>(arm, {.steps = 1, .hold = &hold}).q;
  for (double& q : arm.q) q *= 1.01;  // from nearby
  const auto tip = static_tip<Space>(arm, {.steps = 1, .hold = &hold});
  EXPECT_NEAR(tip.pose.p[0], 0.9 * l, 1e-9);
  EXPECT_NEAR(tip.pose.p[1], 0.0, 1e-9);
  EXPECT_LE(tip.found.iterations, 15);  // without the shortest step it wanders for 30
}

}  // namespace soft_statics_test
}  // namespace sinew::rod::test
