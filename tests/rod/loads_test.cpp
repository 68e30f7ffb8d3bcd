// Loads on rods (docs/theory/rods.md#loads).
#include "sinew/rod/loads.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/rod/rods.h"

namespace sinew::rod {
namespace loads_test {

// For any motion of the head, here g_o = exp(a sin t) exp(b t), the whole reactive force is W(l) - d/dt of the momentum of the added
// mass, in world axes. Differences in t with 1e-4: 1e-7 of the size of the rates.
TEST(Loads, reactive_force_is_what_a_control_volume_around_the_body_says) {
  Loads loads;
  loads.ma = 1.3, loads.ma_tail = 0.6;
  auto rod = make_rod<Space>(wave_law<Space>({1.0, 400}, Space::straight(), waving()), 1000.0, 0.02, loads);
  rod.inertia = Vec<6>::zero();  // the fluid alone
  Workspace<Space> work(rod);
  const Vec<6> a{0.2, 0.1, -0.3, 0.4, 0.2, 0.5}, b{-0.5, 0.2, 0.1, 0.3, -0.8, 0.6};
  const auto head = [&](double t) { return exponential<Space>(a * std::sin(t)) * exponential<Space>(b * t); };
  const auto twist = [&](double t) { return adjoint_inverse(exponential<Space>(b * t), a * std::cos(t)) + b; };
  const double t = 1.4, h = 1e-4;
  const auto momentum = [&](double s) {
    const Totals<Space> k = pass_along(rod, s, head(s), twist(s), Depth::Powers, work);
    return head(s).R * linear(k.added_momentum);
  };
  const Vec3d rate = (momentum(t + h) - momentum(t - h)) * (0.5 / h);
  const Vec<6> eta_t = (twist(t + h) - twist(t - h)) * (0.5 / h);
  const Totals<Space> k = pass_along(rod, t, head(t), twist(t), Depth::Powers, work);
  const Vec3d force = head(t).R * linear(k.F_o - k.M_o * eta_t);
  const Vec<6> tail = k.end.eta();
  Loads at_tail;
  at_tail.ma = loads.ma_tail;
  const Vec3d W = (head(t) * k.end.g).R * linear(nose<Space>(at_tail, tail));
  EXPECT_LT(norm(force - (W - rate)), 1e-6 * norm(force));
  EXPECT_GT(norm(force), 0.1);
}

// Planar, straight Gamma: F_X = -m_a' V_Y^2 / 2, F_Y = m_a V_X V_Y' + m_a K V_Y^2 / 2 + m_a' V_X V_Y (beside -m_a V_Y_t), no couple.
TEST(Loads, reactive_force_has_its_planar_form) {
  Loads loads;
  loads.ma = 1.0, loads.ma_tail = 0.4;
  const HeadLoads<Plane> k(loads, 2.0);
  const Vec<3> eta{-0.7, 0.4, 1.5}, xi{1, 0, 3}, xi_t{0, 0, 0.2};
  const double X = 0.5, ma = 1.0 - 0.6 * X / 2.0, slope = -0.3, V_Y_X = eta[2] - 3 * eta[0];
  SectionLoad<Plane> out;
  density<Plane>(k, {X, Plane::identity(), xi, xi_t}, eta, out);
  EXPECT_NEAR(out.other[0], -0.5 * slope * eta[1] * eta[1], 1e-14);
  EXPECT_NEAR(out.other[1], ma * eta[0] * V_Y_X + 0.5 * ma * 3 * eta[1] * eta[1] + slope * eta[0] * eta[1], 1e-14);
  EXPECT_NEAR(out.other[2], 0.0, 1e-14);
}

TEST(Loads, dry_friction_knows_head_first_from_tail_first) {
  Loads loads;
  loads.nload = 10.0, loads.muf = 0.1, loads.mub = 0.3, loads.mun = 0.5, loads.vs = 1e-3;
  const HeadLoads<Space> k(loads, 1.0);
  const auto force = [&](const Vec<6>& eta) {
    SectionLoad<Space> out;
    density<Space>(k, {0.5, Space::identity(), Space::straight(), Vec<6>::zero()}, eta, out);
    return out.friction;
  };
  EXPECT_NEAR(force({-1, 0, 0, 0, 0, 0})[0], 1.0, 1e-5);  // vs^2 / 2
  EXPECT_NEAR(force({1, 0, 0, 0, 0, 0})[0], -3.0, 1e-5);
  EXPECT_NEAR(force({0, 0.6, -0.8, 0, 0, 0})[1], -3.0, 1e-5);
  EXPECT_NEAR(force({0, 0.6, -0.8, 0, 0, 0})[2], 4.0, 1e-5);
}

TEST(Loads, ground_pushes_and_never_pulls) {
  Loads loads;
  loads.ground_k = 100.0, loads.ground_c = 10.0;
  for (const bool soft : {false, true}) {
    loads.hunt_crossley = soft, loads.ground_d = 5.0;
    HeadLoads<Space> k(loads, 1.0);
    Space head;
    head.p = Vec3d(0, 0, -0.01);
    k.look_from(head, 1.0);
    SectionLoad<Space> out;
    density<Space>(k, {0.5, Space::identity(), Space::straight(), Vec<6>::zero()}, {0, 0, -0.05, 0, 0, 0}, out);
    EXPECT_NEAR(out.other[2], soft ? 100.0 * 0.001 * (1.0 + 5.0 * 0.05) : 1.5, 1e-12);
    density<Space>(k, {0.5, Space::identity(), Space::straight(), Vec<6>::zero()}, {0, 0, 5.0, 0, 0, 0}, out);
    EXPECT_EQ(out.other[2], 0.0);
    head.p = Vec3d(0, 0, 0.01);
    k.look_from(head, 1.0);
    density<Space>(k, {0.5, Space::identity(), Space::straight(), Vec<6>::zero()}, {0, 0, -5.0, 0, 0, 0}, out);
    EXPECT_EQ(out.other[2], 0.0);
  }
}

// A dead load keeps its direction in the world, a follower in the section.
TEST(Loads, end_loads_are_dead_or_follow) {
  Loads loads;
  loads.tail.dead_force = Vec3d(1, 0, 0), loads.tail.follower_force = Vec3d(0, 2, 0);
  auto rod = make_rod<Plane>(constant_law<Plane>({1.0, 50}, {1, 0, 1.2}), 1000.0, 0.02, loads);
  Workspace<Plane> work(rod);
  const Plane head = exponential<Plane>({0, 0, 0.4});
  const Totals<Plane> k = pass_along(rod, 0.0, head, Vec<3>::zero(), Depth::Forces, work);
  const double angle = 0.4 + 1.2;
  EXPECT_NEAR(k.F_plus[0], std::cos(angle), 1e-12);
  EXPECT_NEAR(k.F_plus[1], -std::sin(angle) + 2.0, 1e-12);
}

}  // namespace loads_test
}  // namespace sinew::rod
