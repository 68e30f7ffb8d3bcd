// Motions of soft rods: reference values, conservation, orders, limits.
#include "tests/rod/soft_support.h"

#include <gtest/gtest.h>

namespace sinew::rod::test {
namespace soft_time_test {

SoftPlan release() {
  SoftPlan p = with_legendre(soft_arm(), {5}, 4);
  p.gravity = Vec3d(0, -9.81, 0), p.cells = 40;
  return p;
}

TEST(SoftTime, an_arm_is_let_go_and_keeps_its_energy) {
  SoftRun<Plane> run(release(), "rk4");
  const double known[4][3] = {{0.1, 0.2924760425602289, -0.06457485914321756},
                              {0.2, 0.19183318969523855, -0.21670068321141134},
                              {0.3, 0.021587893654028207, -0.2585548467582977},
                              {0.5, 0.14933956413700514, -0.24192837301048922}};
  for (const auto& k : known) {
    run.until(k[0], 5e-4);
    EXPECT_NEAR(run.tip()[0], k[1], 1e-5);
    EXPECT_NEAR(run.tip()[1], k[2], 1e-5);
  }
  EXPECT_NEAR(run.balance(), 0.0, 1e-6);  // bound of the reference
}

TEST(SoftTime, a_cable_pulls_against_gravity_and_damping) {
  SoftPlan p = with_legendre(soft_arm(), {5}, 3);
  p.gravity = Vec3d(0, -9.81, 0), p.viscosity[5] = 2000 * std::numbers::pi * 1e-8 / 4;
  p.cables.push_back({Vec3d(0, 0.006, 0), Vec3d(0, 0.006, 0), 0.3, {.value = 0.5, .ramp = 0.1}});
  const double known[4][3] = {{0.1, 0.29292857608096756, -0.06177868628884977},
                              {0.3, 0.037083046678232416, -0.26110803394412496},
                              {0.6, 0.27956054430074656, -0.10382350288284677},
                              {1.0, 0.07835685754080027, -0.26138451226202275}};
  SoftRun<Plane> run(p, "rk4");
  for (const auto& k : known) {
    run.until(k[0], 1e-3);
    EXPECT_NEAR(run.tip()[0], k[1], 1e-5);
    EXPECT_NEAR(run.tip()[1], k[2], 1e-5);
  }
  EXPECT_NEAR(run.balance(), 0.0, 1e-6);
  EXPECT_GT(run.work.damping, 1e-3);
}

TEST(SoftTime, an_arm_in_space_with_a_follower_couple) {
  SoftPlan p = with_legendre(soft_arm(), {3, 4, 5}, 2);
  p.gravity = Vec3d(0, -6, -7);
  SoftRun<Space> run(with_tip_load(p, {}, {0, 0, 0, 0.002, 0, 0}), "rk4");
  run.until(0.1, 2.5e-4);
  const double early[3] = {0.2905588316517535, -0.04462232510008614, -0.052373396948288055};
  for (int i = 0; i < 3; i++) EXPECT_NEAR(run.tip()[i], early[i], 1e-5);
  run.until(0.25, 2.5e-4);
  const double late[3] = {0.1123620232752065, -0.1607302287449926, -0.18825143804656125};
  for (int i = 0; i < 3; i++) EXPECT_NEAR(run.tip()[i], late[i], 1e-5);
  const double q[6] = {0.13163851521024555, 0.37306069762877136, 3.5539785921812963,
                       -6.588813381492495,  -2.8924981017109066, 5.901951730421824};
  for (int i = 0; i < 6; i++) EXPECT_NEAR(run.reading("q." + std::to_string(i)), q[i], 1e-3);
}

SoftPlan snake(double Mmax) {
  SoftPlan p = with_legendre(soft_arm(1.0, 0.02), {5}, 5);
  p.stiffness[5] = 0.1, p.viscosity[5] = 0.001, p.cells = 60, p.floating = true, p.friction = {2, 20, 20, 0, 0, 0};
  p.servo.is_on = true, p.servo.a0 = 8, p.servo.lam = 0.8, p.servo.Tr = 1;
  p.servo.kp = 1, p.servo.kd = 0.002, p.servo.Mmax = Mmax;
  return p;
}

TEST(SoftTime, a_snake_with_servos_crawls_with_and_without_a_limit) {
  struct Case {
    double Mmax, one[3], two[3], q[5];
  };
  const Case cases[] = {
      {0.0,
       {-0.04538358697449626, -0.12733008936319523, 0.05037421804583493},
       {-0.5075363099347059, -0.12125691930719036, 0.034294112276143436},
       {0.8986422433280642, 2.1233777363076642, 7.251845658728912, -8.227280281866, -5.4892749052507215}},
      {1.0,
       {-0.06947589291974512, -0.06930799627399835, -0.20171875173058754},
       {-0.5144952325164854, -0.058189844639301304, -0.14520226776594766},
       {1.065296034309821, 1.8231621537784508, 6.409701396747373, -7.733992588575293, -5.059118952491439}}};
  for (const Case& c : cases) {
    SoftRun<Plane> run(snake(c.Mmax), "rk4");
    const char* names[3] = {"head.x", "head.y", "head.turn.z"};
    run.until(1.0, 1e-3);
    for (int i = 0; i < 3; i++) EXPECT_NEAR(run.reading(names[i]), c.one[i], 2e-5) << i;
    run.until(2.0, 1e-3);
    for (int i = 0; i < 3; i++) EXPECT_NEAR(run.reading(names[i]), c.two[i], 2e-5) << i;
    for (int i = 0; i < 5; i++) EXPECT_NEAR(run.reading("q." + std::to_string(i)), c.q[i], 2e-4) << i;
    EXPECT_NEAR(run.balance(), 0.0, 1e-5 * run.work.actuators);
  }
}

template <class G>
double observed_order(const SoftPlan& plan, const std::string& method, double dt, double end) {
  Vec3d tip[3];
  for (int k = 0; k < 3; k++) {
    SoftRun<G> run(plan, method);
    run.until(end, dt / (1 << k));
    tip[k] = run.tip();
  }
  const Vec3d a = tip[0] - tip[1], b = tip[1] - tip[2];
  return 0.5 * std::log2(dot(a, a) / dot(b, b));
}

TEST(SoftTime, orders_in_time_are_four_and_two) {
  SoftPlan p = release();
  p.cells = 10, p.modes.resize(3);
  p.tolerance = 1e-12;
  EXPECT_NEAR(observed_order<Plane>(p, "rk4", 2e-3, 0.2), 4.0, 0.3);
  EXPECT_NEAR(observed_order<Plane>(p, "generalized-alpha", 1e-3, 0.2), 2.0, 0.15);
  // a floating base, in space
  SoftPlan free = with_legendre(soft_arm(), {4, 5}, 2);
  free.floating = true, free.base_twist = {0.1, 0.2, -0.1, 3.0, 2.0, 1.0}, free.q = {2.0, -1.0, 1.0, 3.0};
  free.cells = 10, free.tolerance = 1e-12;
  EXPECT_NEAR(observed_order<Space>(free, "rk4", 2.5e-4, 0.1), 4.0, 0.3);
  EXPECT_NEAR(observed_order<Space>(free, "generalized-alpha", 5e-4, 0.1), 2.0, 0.15);
}

TEST(SoftTime, both_methods_find_the_same_motion_with_stretch_and_shear) {
  SoftPlan p = with_legendre(soft_arm(0.25), {0, 1}, 2);
  p = with_legendre(p, {5}, 3);
  p.gravity = Vec3d(0, -9.81, 0), p.cells = 10;
  SoftRun<Plane> fine(p, "rk4"), implicit(p, "generalized-alpha");
  fine.until(0.2, 1e-4), implicit.until(0.2, 5e-4);
  const Vec3d d = fine.tip() - implicit.tip();
  EXPECT_LT(std::sqrt(dot(d, d)), 1e-3 * 0.25);
  EXPECT_LT(implicit.iterations, 5 * implicit.steps);
}

// Without loads the whole momentum of a floating rod stays as it is.
TEST(SoftTime, a_free_rod_keeps_momentum_and_energy) {
  SoftPlan p = with_legendre(soft_arm(), {0, 1, 2, 3, 4, 5}, 2);
  p.stiffness = {20, 10, 10, 5e-3, 8e-3, 8e-3};
  p.floating = true, p.base_twist = {0.1, -0.2, 0.3, 1.0, 2.0, -1.5};
  p.q = {0.02, 0, 0.01, 0, 0, 0, 1, 2, 3, -2, 1, 2};
  SoftRun<Space> run(p, "rk4");
  const auto momentum = [&] {
    std::vector<SectionMotion> seen(run.plant.sections().size());
    run.plant.place(run.t, run.state, seen, *run.scratch);
    Vec3d P = Vec3d::zero(), L = Vec3d::zero();
    for (std::size_t k = 0; k < seen.size(); k++) {
      const Section& s = run.plant.sections()[k];
      const Vec3d w = transpose_times(seen[k].X_WS.R, seen[k].w);
      P = P + seen[k].v * s.mass;
      L = L + cross(seen[k].X_WS.p, seen[k].v) * s.mass +
          seen[k].X_WS.R * Vec3d(s.inertia.xx * w[0], s.inertia.yy * w[1], s.inertia.zz * w[2]);
    }
    return std::pair(P, L);
  };
  const auto [P0, L0] = momentum();
  run.until(0.2, 1e-4);
  const auto [P1, L1] = momentum();
  for (int i = 0; i < 3; i++) EXPECT_NEAR(P1[i], P0[i], 1e-6) << i;
  for (int i = 0; i < 3; i++) EXPECT_NEAR(L1[i], L0[i], 1e-7) << i;
  EXPECT_NEAR(run.balance(), 0.0, 1e-6);
}

// One coordinate of K_Z that is a narrow piece at the root, limp: the rest is a rigid rod on a hinge.
TEST(SoftTime, a_rod_with_a_limp_root_swings_as_a_rigid_pendulum) {
  SoftPlan p = soft_arm();
  p.stiffness = {};
  p.modes.push_back({5, SoftMode::Shape::Legendre, 0, 0.0, 0.0, 3e-5});
  p.gravity = Vec3d(9.81, 0, 0), p.cells = 20;  // it hangs along its axis
  p.q = {0.5 / 3e-5};
  SoftRun<Plane> run(p, "rk4");
  // I a'' = -m g l/2 sin(a), I = m l^2/3 + J l
  const double I = p.inertia[0] * 0.3 * 0.09 / 3 + p.inertia[5] * 0.3, k = p.inertia[0] * 0.3 * 9.81 * 0.15 / I;
  double a = 0.5, b = 0.0;
  const double h = 1e-4;
  for (int i = 0; i < 10000; i++) {
    const double k1 = b, l1 = -k * std::sin(a), k2 = b + h / 2 * l1, l2 = -k * std::sin(a + h / 2 * k1),
                 k3 = b + h / 2 * l2, l3 = -k * std::sin(a + h / 2 * k2), k4 = b + h * l3,
                 l4 = -k * std::sin(a + h * k3);
    a += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), b += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  run.until(1.0, 1e-3);
  EXPECT_NEAR(run.reading("tip.turn.z"), a, 2e-4);  // the hinge is 1e-4 of the length
}

TEST(SoftTime, imposed_coordinates_move_as_told_and_their_effort_balances_the_energy) {
  for (const char* method : {"rk4", "generalized-alpha"}) {
    SoftPlan p = with_legendre(soft_arm(), {5}, 4);
    p.gravity = Vec3d(0, -9.81, 0), p.cells = 40;
    p.imposed.push_back({0, {.value = 2.0, .swing = 1.0, .frequency = 2.0, .ramp = 0.2}});
    SoftRun<Plane> run(p, method);
    run.until(0.5, 5e-4);
    EXPECT_NEAR(run.reading("q.0"), 2.0 + std::sin(4.0 * std::numbers::pi * 0.5), 1e-12);
    EXPECT_NEAR(run.balance(), 0.0, (std::string(method) == "rk4" ? 1e-5 : 1e-3) * std::abs(run.work.actuators));
    EXPECT_GT(std::abs(run.reading("effort.0")), 1e-6);
  }
}

TEST(SoftTime, a_stiffening_material_keeps_the_energy) {
  struct Stiffening : SoftLaw {
    double EI;
    explicit Stiffening(double stiffness) : EI(stiffness) {}
    Six stress(double, const Six& e, const Six& rate) const override {
      return {0, 0, 0, 0, 0, EI * e[5] * (1.0 + 0.01 * e[5] * e[5]) + 1e-5 * rate[5]};
    }
    double energy(double, const Six& e) const override { return EI * e[5] * e[5] * (0.5 + 0.0025 * e[5] * e[5]); }
  };
  SoftPlan p = release();
  p.law = std::make_shared<Stiffening>(p.stiffness[5]);
  SoftRun<Plane> run(p, "rk4");
  run.until(0.3, 5e-4);
  EXPECT_NEAR(run.balance(), 0.0, 1e-6);
  EXPECT_GT(run.work.damping, 1e-4);
}

TEST(SoftTime, a_rod_settled_at_the_start_stays) {
  SoftPlan p = release();
  p.at_rest = true;
  SoftRun<Plane> run(p, "generalized-alpha");
  const Vec3d before = run.tip();
  run.until(0.1, 1e-3);
  const Vec3d d = run.tip() - before;
  EXPECT_LT(std::sqrt(dot(d, d)), 1e-9);
}

TEST(SoftTime, a_copied_state_goes_on_with_the_same_bits) {
  SoftRun<Plane> a(release(), "generalized-alpha");
  a.until(0.05, 1e-3);
  SoftRun<Plane> b(release(), "generalized-alpha");  // with a scratch of its own
  b.state = a.state, b.t = a.t;
  a.until(0.1, 1e-3), b.until(0.1, 1e-3);
  EXPECT_EQ(a.state, b.state);
}

}  // namespace soft_time_test
}  // namespace sinew::rod::test
