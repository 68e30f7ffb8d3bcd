// Contacts, what they make of the head, and what they carry (docs/theory/rods.md#kinematic-algorithm).
#include "sinew/rod/contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/rod/rods.h"

namespace sinew::rod {
namespace contact_test {

constexpr double pi = std::numbers::pi;
const Supports five{.C = {0.1, 0.3, 0.5, 0.7, 0.9}, .t_C = 2.0, .period = 1.0, .side = {}, .mu = {}};

template <class G>
Connection<G> by_contacts(const Rod<G>& rod, double t, const Schedule<G>& schedule,
                          const typename G::Twist& free = G::Twist::zero()) {
  Workspace<G> work(rod);
  Svd svd;
  Contact<G> contacts[most_contacts];
  const int count = schedule(t, t, contacts);
  return connect<G>(rod, t, G::identity(), {{contacts, std::size_t(count)}, free}, work, svd);
}

template <class G>
std::shared_ptr<const SectionPlant> snake(const SnakeGait& gait, int N, Connect how, Share share = Share::MinimumNorm,
                                          const Supports& where = five, const Loads& loads = {}) {
  KinematicPlan<G> k;
  k.rod = make_rod<G>(snake_law<G>({1.0, N}, gait), 1000.0, 0.02, loads);
  k.looks.X_profile = {0.0, 0.25, 0.5, 1.0}, k.looks.slots = 5;
  k.contacts = supports<G>(where, gait, 1.0), k.connect = how, k.share = share, k.couple_length = 0.02;
  return make_kinematic(std::move(k));
}

// Also with a speed that changes, also when a crest is under the head, where K_t / K_X, (53) of Boyer et al. 2012, is 0/0.
TEST(Contact, block_0_equals_the_closed_form_of_a_gliding_snake) {
  SnakeGait gait = turning();
  gait.VA = 0.2, gait.Vw = 3.0;
  const auto plane = make_rod<Plane>(snake_law<Plane>({1.0, 400}, gait));
  const auto space = make_rod<Space>(snake_law<Space>({1.0, 400}, gait));
  for (const double t : {0.0, 1.2, 2.0, 4.9, 5.5}) {
    const auto a = by_contacts<Plane>(plane, t, supports<Plane>(five, gait, 1.0));
    const auto b = connect_by_shape(plane, t);
    EXPECT_EQ(a.rank, 3);
    EXPECT_LT(a.residual, 1e-7);
    EXPECT_LT(b.residual, 1e-9);
    EXPECT_LT(norm(a.eta_o - b.eta_o), 1e-7) << t;
    EXPECT_LT(norm(a.eta_o_t - b.eta_o_t), 1e-5) << t;  // of 20
    EXPECT_NEAR(b.eta_o[0], gait.V(t), 1e-12);
    EXPECT_NEAR(b.eta_o_t[0], gait.V_t(t), 1e-10);
    const auto c = by_contacts<Space>(space, t, supports<Space>(five, gait, 1.0));
    const auto d = connect_by_shape(space, t);
    EXPECT_EQ(c.rank, 6);
    EXPECT_LT(norm(c.eta_o - d.eta_o), 1e-6) << t;
    EXPECT_LT(norm(c.eta_o_t - d.eta_o_t), 1e-4) << t;
  }
}

TEST(Contact, a_shape_that_fights_its_supports_is_reported) {
  const auto rod = make_rod<Plane>(wave_law<Plane>({1.0, 100}, Plane::straight(), waving()));
  const auto c = by_contacts<Plane>(rod, 1.3, fixed_supports<Plane>(five));
  EXPECT_EQ(c.rank, 3);
  EXPECT_GT(c.residual, 1e-3);  // m/s; of a shape that fits, 1e-7
}

TEST(Contact, an_arc_leaves_one_freedom_and_coasts) {
  const auto rod = make_rod<Plane>(constant_law<Plane>({1.0, 100}, {1, 0, 2}));
  const auto c = by_contacts<Plane>(rod, 0.0, fixed_supports<Plane>(five), {-0.5, 0, -1.0});
  EXPECT_EQ(c.rank, 2);
  EXPECT_NEAR(c.eta_o[0], -0.5, 1e-9);
  EXPECT_NEAR(c.eta_o[2], -1.0, 1e-9);
  EXPECT_EQ(connect_by_shape(rod, 0.0).rank, 2);
}

// Nothing slips across, and each section passes where the head was.
TEST(Contact, snakes_follow_their_head) {
  SnakeGait gait = turning();
  gait.VA = 0.1, gait.Vw = 2.0;
  const auto plant = snake<Space>(gait, 400, Connect::Shape);
  Running run(plant);
  run.run("rk4", 5.0, 0.005);
  EXPECT_LT(run.read("slip"), 1e-7);
  const double x = run.read("x.2"), y = run.read("y.2"), z = run.read("z.2");  // section X = 0.5 at 5 s
  // the head was there when s(t) - s(5) = 0.5; the paper's text has the other sign
  double low = 0.0, high = 5.0;
  for (int k = 0; k < 60; k++) {
    const double t = 0.5 * (low + high);
    (gait.s(t) - gait.s(5.0) > 0.5 ? low : high) = t;
  }
  Running then(plant);
  then.run("rk4", low, low / 1000);
  EXPECT_NEAR(then.read("head.x"), x, 1e-7);
  EXPECT_NEAR(then.read("head.y"), y, 1e-7);
  EXPECT_NEAR(then.read("head.z"), z, 1e-7);
}

// Closed form in world axes about the head, by independent quadratures along a fine curve.
TEST(Contact, the_resultant_is_that_of_the_balance_of_momentum) {
  SnakeGait gait = turning();
  gait.VA = 0.2, gait.Vw = 3.0;
  const double t = 2.3, V = gait.V(t), V_t = gait.V_t(t), m = circular<Plane>(1000, 0.02)[0],
               J = circular<Plane>(1000, 0.02)[2];
  const auto resultant = [&](int N) {
    const auto rod = make_rod<Plane>(snake_law<Plane>({1.0, N}, gait));
    Workspace<Plane> work(rod);
    const auto c = connect_by_shape(rod, t);
    const auto k = pass_along(rod, t, Plane::identity(), c.eta_o, Depth::Forces, work);
    return k.M_o * c.eta_o_t - k.F_o;
  };
  const auto rod = make_rod<Plane>(snake_law<Plane>({1.0, 4000}, gait));
  Workspace<Plane> work(rod);
  pass_along(rod, t, Plane::identity(), Vec<3>::zero(), Depth::Motion, work);
  double lever = 0.0, bend = 0.0;
  for (int i = 0; i <= 4000; i++) {
    const Plane& g = work.nodes[i].g;
    const double w = (i == 0 || i == 4000 ? 1.0 : i % 2 ? 4.0 : 2.0) / 12000.0;
    lever += w * (g.x * g.s - g.y * g.c), bend += w * rod.law->at(i / 4000.0, t).xi[2];
  }
  const Plane& l = work.nodes[4000].g;
  const double K0 = rod.law->at(0.0, t).xi[2], Kl = rod.law->at(1.0, t).xi[2];
  const Vec<3> want{m * V * V * (l.c - 1.0) + m * V_t * l.x, m * V * V * l.s + m * V_t * l.y,
                    m * V * V * (l.x * l.s - l.y * l.c) + m * V_t * lever + J * V * V * (Kl - K0) + J * V_t * bend};
  EXPECT_LT(norm(resultant(400) - want), 1e-7);
  // what is left at the end of the rod with the exact resultant falls with the fourth power of the cells
  EXPECT_NEAR(std::log2(norm(resultant(40) - want) / norm(resultant(80) - want)), 4.0, 0.4);
}

TEST(Contact, every_anchor_of_a_worm_gives_the_same_speed) {
  const WormGait gait{.eps = 0.1, .lam = 0.15, .c0 = 0.3, .acc = 0.03};
  const auto rod = make_rod<Line>(worm_law({0.6, 400}, gait));
  for (const auto kind : {ContactKind::SweepFixedSite, ContactKind::SweepNoSlip}) {
    const auto all = worm_anchors(gait, 0.6, kind);
    const double t = 1.234, phase = 2 * pi / gait.lam * gait.phi(t), c = gait.c0 + gait.acc * t;
    for (int k = 0; k < 4; k++) {
      const Schedule<Line> one = [&](double at, double of, Contact<Line>* out) {
        Contact<Line> every[most_contacts];
        all(at, of, every);
        out[0] = every[k];
        return 1;
      };
      const auto found = by_contacts<Line>(rod, t, one);
      const double want = kind == ContactKind::SweepFixedSite ? -c * (1.0 + gait.eps * std::sin(phase))
                                                              : -gait.eps * c * (1.0 + std::sin(phase));
      EXPECT_NEAR(found.eta_o[0], want, 1e-9) << k;
      const double h = 1e-4;  // its rate by differences of the closed form
      const auto speed = [&](double s) {
        const double p = 2 * pi / gait.lam * gait.phi(s), cs = gait.c0 + gait.acc * s;
        return kind == ContactKind::SweepFixedSite ? -cs * (1.0 + gait.eps * std::sin(p))
                                                   : -gait.eps * cs * (1.0 + std::sin(p));
      };
      EXPECT_NEAR(found.eta_o_t[0], (speed(t + h) - speed(t - h)) / (2 * h), 1e-4);
    }
  }
}

// Clamping the tail, or turning the rod round (X -> l - X, which changes the sign of K) and clamping its head.
TEST(Contact, the_two_ways_to_clamp_the_tail_of_an_inchworm_agree) {
  const InchwormGait gait{.alpha = 1.8, .om = pi / 2};
  const double l = 0.3, t = 1.4;
  Loads loads;
  loads.gravity = Vec3d(9.81, 0, 0);
  const auto rod = make_rod<Plane>(inchworm_law({l, 400}, gait), 1000.0, 0.01, loads);
  const auto clamps = inchworm_clamps(gait, l);
  const auto c = by_contacts<Plane>(rod, t, clamps);
  Workspace<Plane> work(rod);
  const auto k = pass_along(rod, t, Plane::identity(), c.eta_o, Depth::Forces, work);
  const Vec<3> at_head = k.M_o * c.eta_o_t - k.F_o, tail = to_section(k.end.g, at_head);
  const double s = std::sin(gait.om * t) * std::sin(gait.om * t), a = gait.alpha * s;
  EXPECT_NEAR(k.end.g.x, l * std::cyl_bessel_j(0, a), 1e-10);
  EXPECT_NEAR(k.end.g.y, 0.0, 1e-10);
  EXPECT_NEAR(c.eta_o[0], l * gait.alpha * gait.om * std::sin(2 * gait.om * t) * std::cyl_bessel_j(1, a), 1e-9);
  // turned round: the tail is at the origin and looks along -x; K'(Y) = -K(l - Y) = -K(Y) by symmetry
  struct Turned : StrainLaw<Plane> {
    StrainLawPtr<Plane> law;
    explicit Turned(StrainLawPtr<Plane> other) : StrainLaw<Plane>(other->grid), law(other) {}
    Strain<Plane> at(double X, double time) const override {
      Strain<Plane> r = law->at(grid.l - X, time);
      r.xi[2] *= -1, r.xi_t[2] *= -1, r.xi_tt[2] *= -1, r.xi_tX[2] *= 1;
      return r;
    }
  };
  Loads other;
  other.gravity = Vec3d(-9.81, 0, 0);  // seen from axes turned by pi
  const auto back = make_rod<Plane>(std::make_shared<Turned>(rod.law), 1000.0, 0.01, other);
  Workspace<Plane> work2(back);
  const auto q = pass_along(back, t, Plane::identity(), Vec<3>::zero(), Depth::Forces, work2);
  const Vec<3> base = -q.F_o;
  EXPECT_NEAR(tail[0], -base[0], 1e-8);
  EXPECT_NEAR(tail[1], -base[1], 1e-8);
  EXPECT_NEAR(tail[2], base[2], 1e-8);
}

// Figure 2 and (16) of Boyer et al. 2012 start Block 2 with +F_-; then nothing closes at the tail.
TEST(Contact, the_wrench_inside_begins_with_minus_the_load_at_the_head) {
  KinematicPlan<Space> k;
  Loads loads;
  loads.gravity = Vec3d(0, 0, -9.81), loads.tail.dead_force = Vec3d(0.3, 0, 0.1);
  k.rod = make_rod<Space>(arm_law({0.5, 400}, {{3, 1.5, 3, 0, 0}, {4, 3, 2, 0.4, 2}, {5, 4, 2.5, 0, 1}}), 1100.0, 0.015,
                          loads);
  k.looks.X_profile = {0.0, 0.5}, k.looks.slots = 1;
  k.connect = Connect::Given, k.contacts = base_clamp<Space>();
  k.given = [](double, Vec<6>& eta, Vec<6>& rate) { eta = rate = Vec<6>::zero(); };
  Running run(make_kinematic(std::move(k)));
  run.run("rk4", 0.4, 0.01);
  for (const char* c : {"N_x", "N_z", "M_y"})
    EXPECT_NEAR(run.read(std::string(c) + ".0"), -run.read(std::string("reaction.0.") + c), 1e-12);
  EXPECT_LT(run.read("end_residual"), 1e-12);
  EXPECT_GT(std::abs(run.read("N_z.0")), 1.0);
  // and the base force is the rate of the momentum less weight and load
  Running a(run.plant), b(run.plant);
  a.run("rk4", 0.399, 0.399 / 40), b.run("rk4", 0.401, 0.401 / 40);
  const double rate = (b.read("momentum.z") - a.read("momentum.z")) / 0.002;
  const double weight = circular<Space>(1100.0, 0.015)[0] * 0.5 * 9.81;
  EXPECT_NEAR(run.read("reaction.0.N_z"), rate + weight - 0.1, 1e-5);
}

// Footnote 4 of Boyer et al. 2012 has the jump with the other sign.
TEST(Contact, the_force_inside_drops_by_the_reaction_at_a_support) {
  const Supports where{.C = {0.1, 0.3, 0.5, 0.7, 0.9}, .t_C = 0.0, .period = 0.0, .side = {}, .mu = {}};
  KinematicPlan<Plane> k;
  const SnakeGait gait = turning();
  k.rod = make_rod<Plane>(snake_law<Plane>({1.0, 400}, gait));
  k.looks.X_profile = {0.5, 0.5 + 1e-7, 1.0}, k.looks.slots = 5;
  k.contacts = supports<Plane>(where, gait, 1.0), k.connect = Connect::Shape;
  Running run(make_kinematic(std::move(k)));
  EXPECT_NEAR(run.read("N_y.1") - run.read("N_y.0"), -run.read("reaction.2.N_y"), 1e-6);
  EXPECT_NEAR(run.read("N_y.2"), 0.0, 1e-12);
  EXPECT_GT(std::abs(run.read("reaction.2.N_y")), 1e-3);
}

TEST(Contact, friction_lets_few_pegs_do_what_pushing_alone_cannot) {
  const auto feasible = [](double mu) {
    Supports pegs = five;
    pegs.side = {1, 1, 1, 1, 1}, pegs.mu = std::vector<double>(5, mu);
    Running run(snake<Plane>(turning(), 100, Connect::Shape, mu > 0 ? Share::Friction : Share::Unilateral, pegs));
    run.run("rk4", 2.0, 0.01);
    if (mu > 0)
      for (int i = 0; i < 5; i++) {
        const std::string name = "reaction." + std::to_string(i);
        EXPECT_LE(std::abs(run.read(name + ".N_x")), mu * std::abs(run.read(name + ".N_y")) + 1e-12);
        EXPECT_GE(pegs.side[i] * run.read(name + ".N_y"), -1e-12);
      }
    return run.read("feasible");
  };
  EXPECT_EQ(feasible(0.0), 0.0);
  EXPECT_EQ(feasible(5.0), 1.0);
}

}  // namespace contact_test
}  // namespace sinew::rod
