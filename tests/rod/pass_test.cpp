// The pass along the rod (docs/theory/rods.md#the-pass).
#include "sinew/rod/pass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/rod/rods.h"

namespace sinew::rod {
namespace pass_test {

Vec<6> in_space(const Vec<3>& a) { return {a[0], a[1], 0, 0, 0, a[2]}; }

template <class G>
struct Passed {
  Workspace<G> work;
  Totals<G> totals;
};
template <class G>
Passed<G> pass(const Rod<G>& rod, double t, const typename G::Twist& eta, const G& head = G::identity()) {
  Passed<G> p{Workspace<G>(rod), {}};
  p.totals = pass_along(rod, t, head, eta, Depth::Powers, p.work);
  return p;
}

const Vec<6> some_twist{0.3, -0.4, 0.2, 1.0, -2.0, 0.5};

Rod<Space> waving_rod(int N) {
  Loads loads;
  loads.gravity = Vec3d(1.0, -2.0, -9.81), loads.ct = 1.0, loads.cn = 3.0, loads.crn = 0.1;
  loads.ma = 1.2, loads.ma_tail = 0.4, loads.kqn = loads.kqn_tail = 5.0;
  return make_rod<Space>(wave_law<Space>({1.0, N}, Space::straight(), waving()), 1000.0, 0.02, loads);
}

// Halving the cells makes the errors 16 times smaller; between 13 and 19 leaves room for the next order.
TEST(Pass, is_of_fourth_order_in_pose_velocity_force_and_inertia) {
  const double t = 1.3;
  const Totals<Space> exact = pass(waving_rod(1600), t, some_twist).totals;
  const auto errors = [&](int N) {
    const Totals<Space> k = pass(waving_rod(N), t, some_twist).totals;
    return std::vector<double>{norm(k.end.g.p - exact.end.g.p), norm(k.end.eta() - exact.end.eta()),
                               norm(k.F_o - exact.F_o), std::abs(k.M_o(4, 4) - exact.M_o(4, 4)),
                               std::abs(k.act - exact.act)};
  };
  const auto coarse = errors(40), fine = errors(80);
  for (std::size_t i = 0; i < coarse.size(); i++) EXPECT_NEAR(std::log2(coarse[i] / fine[i]), 4.0, 0.35) << i;
}

TEST(Pass, poses_stay_orthonormal) {
  const auto p = pass(waving_rod(2000), 0.9, some_twist);
  const Mat3d R = p.totals.end.g.R, I = transpose_times(R, R);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) EXPECT_NEAR(I(i, j), i == j, 1e-12);  // 4000 products
}

// Orders of table 11.2, on the snake with a pitch bump.
TEST(Pass, other_schemes_have_the_orders_they_are_known_for) {
  const auto end = [](int N, Scheme scheme) {
    auto rod = make_rod<Space>(snake_law<Space>({1.0, N}, turning()));
    rod.scheme = scheme;
    return pass(rod, 5.0, some_twist).totals.end.g.p;
  };
  const Vec3d exact = end(3200, Scheme::Magnus);
  for (const auto& [scheme, order] : {std::pair{Scheme::Magnus, 4.0}, std::pair{Scheme::RungeKutta, 4.0},
                                      std::pair{Scheme::Midpoint, 2.0}, std::pair{Scheme::Constant, 1.0}}) {
    const double coarse = norm(end(100, scheme) - exact), fine = norm(end(200, scheme) - exact);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.3) << int(scheme);
  }
}

template <class G>
Rod<G> fine_rod(int N, const Loads& loads = {}) {
  auto rod = make_rod<G>(wave_law<G>({1.0, N, 5}, G::straight(), waving()), 1000.0, 0.02, loads);
  rod.scheme = Scheme::Fine;
  return rod;
}

// A cell has as many stations as two of the other scheme. Quadratures are of order 8, poses between stations of order 4: what is left
// is the poses' error, and forces gain most where the strain's second rate is rough, as that of a bump.
TEST(Pass, five_stations_a_cell_make_forces_better) {
  const double t = 1.3;
  for (const bool loaded : {false, true}) {
    const Loads loads = loaded ? waving_rod(4).loads : Loads{};
    const auto rod = [&](int N) {
      return make_rod<Space>(wave_law<Space>({1.0, N}, Space::straight(), waving()), 1000.0, 0.02, loads);
    };
    const Totals<Space> exact = pass(rod(1600), t, some_twist).totals;
    const Totals<Space> four = pass(rod(40), t, some_twist).totals;
    const Totals<Space> eight = pass(fine_rod<Space>(20, loads), t, some_twist).totals;
    EXPECT_LT(norm(eight.F_o - exact.F_o), 0.2 * norm(four.F_o - exact.F_o)) << loaded;
    const Totals<Space> finer = pass(fine_rod<Space>(40, loads), t, some_twist).totals;
    EXPECT_LT(norm(finer.F_o - exact.F_o), norm(eight.F_o - exact.F_o) / 12.0) << loaded;  // at least order 3.6
  }
}

// Without loads energies are found in lanes, forces alone one station at a time.
template <class G>
void expect_lanes_agree() {
  const Rod<G> rod = fine_rod<G>(9);
  typename G::Twist eta;
  for (int i = 0; i < G::n; i++) eta[i] = some_twist[i];
  Workspace<G> one(rod), lanes(rod);
  const Totals<G> a = pass_along(rod, 0.8, G::identity(), eta, Depth::Forces, one);
  const Totals<G> b = pass_along(rod, 0.8, G::identity(), eta, Depth::Powers, lanes);
  for (std::size_t k = 0; k < one.nodes.size(); k++) {
    const Node<G>&p = one.nodes[k], &q = lanes.nodes[k];
    EXPECT_LT(norm(p.E - q.E) + norm(logarithm(p.g.inverse() * q.g)), 1e-12);
    EXPECT_LT(norm(p.Z - q.Z) + norm(p.L - q.L), 1e-10);  // of some hundreds
    for (int i = 0; i < G::n; i++) EXPECT_LT(norm((p.M * G::Twist::unit(i)) - (q.M * G::Twist::unit(i))), 1e-13);
  }
  EXPECT_LT(norm(a.F_o - b.F_o), 1e-10);
  Rod<G> same = rod;  // a load that is nothing: the other way to the energies
  same.loads.ct = 1e-300;
  Workspace<G> third(same);
  const Totals<G> c = pass_along(same, 0.8, G::identity(), eta, Depth::Powers, third);
  EXPECT_NEAR(b.kinetic, c.kinetic, 1e-12 * c.kinetic);
  EXPECT_NEAR(b.act, c.act, 1e-12 * std::abs(c.act));
  EXPECT_LT(norm(b.momentum - c.momentum) + norm(b.act_head - c.act_head), 1e-11);
}
TEST(Pass, lanes_and_single_stations_agree) {
  expect_lanes_agree<Plane>();
  expect_lanes_agree<Space>();
}

// Turns of more than 0.3 rad from station to station leave the series.
TEST(Pass, lanes_take_large_turns) {
  auto rod = make_rod<Plane>(constant_law<Plane>({1.0, 2, 5}, {1.0, 0.0, 7.0}));
  rod.scheme = Scheme::Fine;
  const Plane g = pass(rod, 0.0, {0, 0, 0}).totals.end.g;
  EXPECT_NEAR(g.x, std::sin(7.0) / 7.0, 1e-14);
  EXPECT_NEAR(g.y, (1.0 - std::cos(7.0)) / 7.0, 1e-14);
}

TEST(Pass, a_planar_rod_is_the_same_in_space) {
  WaveGait gait = waving();
  gait.a0_y = gait.bias_y = 0.0;
  Loads loads;
  loads.gravity = Vec3d(1.0, -9.81, 0.0), loads.ct = 1.0, loads.cn = 3.0, loads.crn = 0.1, loads.nload = 2.0;
  loads.mun = 0.5, loads.muf = 0.1, loads.mub = 0.3, loads.kqt = loads.kqt_tail = 1.0, loads.kqn = loads.kqn_tail = 5.0;
  loads.ma = 1.0, loads.ma_tail = 0.3, loads.kpeg = 1e4, loads.mupeg = 0.2, loads.pegs = {{0.4, 0.05, 0.08}};
  loads.ground_k = 100.0, loads.ground_c = 3.0, loads.ground_normal = Vec3d(0, 1, 0), loads.ground_height = 0.1;
  loads.tail.dead_force = Vec3d(1, 2, 0), loads.tail.follower_couple = Vec3d(0, 0, 0.3);
  loads.head.dead_couple = Vec3d(0, 0, -0.2);
  const Grid grid{1.0, 40};
  const auto plane = make_rod<Plane>(wave_law<Plane>(grid, Plane::straight(), gait), 1000.0, 0.02, loads);
  const auto space = make_rod<Space>(wave_law<Space>(grid, Space::straight(), gait), 1000.0, 0.02, loads);
  const Vec<3> eta{0.3, -0.5, 2.0}, turn{0.1, 0.2, 0.7};
  const auto a = pass(plane, 1.7, eta, exponential<Plane>(turn));
  const auto b = pass(space, 1.7, in_space(eta), exponential<Space>(in_space(turn)));
  for (int i = 0; i < 6; i++) EXPECT_NEAR(in_space(a.totals.F_o)[i], b.totals.F_o[i], 1e-11);
  for (int i = 0; i < 6; i++) EXPECT_NEAR(in_space(a.totals.momentum)[i], b.totals.momentum[i], 1e-12);
  constexpr int row[3] = {0, 1, 5};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) EXPECT_NEAR(a.totals.M_o(i, j), b.totals.M_o(row[i], row[j]), 1e-12);
  EXPECT_NEAR(a.totals.friction, b.totals.friction, 1e-11);
  EXPECT_NEAR(a.totals.other, b.totals.other, 1e-11);
  EXPECT_NEAR(a.totals.act, b.totals.act, 1e-11);
}

// A law that only stretches, for both groups.
template <class G>
struct Stretching : StrainLaw<G> {
  using StrainLaw<G>::StrainLaw;
  Strain<G> at(double X, double t) const override {
    Strain<G> s{G::straight(), G::Twist::zero(), G::Twist::zero(), G::Twist::zero(), G::Twist::zero()};
    s.xi[0] += 0.1 * std::sin(3 * X - 2 * t), s.xi_t[0] = -0.2 * std::cos(3 * X - 2 * t);
    s.xi_tt[0] = -0.4 * std::sin(3 * X - 2 * t);
    return s;
  }
};

TEST(Pass, a_line_is_the_same_as_a_straight_rod_in_the_plane) {
  const Grid grid{1.0, 40};
  const auto line = make_rod<Line>(std::make_shared<Stretching<Line>>(grid));
  const auto plane = make_rod<Plane>(std::make_shared<Stretching<Plane>>(grid));
  const auto a = pass(line, 0.6, {0.4});
  const auto b = pass(plane, 0.6, {0.4, 0.0, 0.0});
  EXPECT_NEAR(a.totals.end.g.x, b.totals.end.g.x, 1e-13);
  EXPECT_NEAR(a.totals.F_o[0], b.totals.F_o[0], 1e-13);
  EXPECT_NEAR(a.totals.M_o(0, 0), b.totals.M_o(0, 0), 1e-13);
  EXPECT_NEAR(a.totals.end.M.x, b.totals.end.M.x, 1e-13);
}

TEST(Pass, between_nodes_it_is_as_accurate_as_on_them) {
  auto rod = waving_rod(50);
  auto p = pass(rod, 1.3, some_twist);
  const auto fine = waving_rod(1600);
  auto q = pass(fine, 1.3, some_twist);
  for (const double X : {0.013, 0.317, 0.77, 0.9999}) {
    Mat<6> added, exact_added;
    const Node<Space> a = node_at(rod, 1.3, X, p.work, Depth::Forces, &added);
    const Node<Space> b = node_at(fine, 1.3, X, q.work, Depth::Forces, &exact_added);
    EXPECT_LT(norm(a.g.p - b.g.p), 1e-6);
    EXPECT_LT(norm(a.L - b.L), 2e-4 * norm(b.L));  // N = 50 on a shape with K up to 10 / m
    EXPECT_NEAR(added(1, 1), exact_added(1, 1), 1e-5);
  }
}

// The wrench inside by (13), integrated on its own: Lambda' = ad*_xi Lambda + M eta_t - ad*_eta M eta - F.
TEST(Pass, wrenches_satisfy_the_balance_of_a_slice) {
  auto rod = waving_rod(400);
  rod.loads.ma = rod.loads.ma_tail = 0.0;
  auto p = pass(rod, 1.3, some_twist);
  const Vec<6> eta_o_t = solve_positive(p.totals.M_o, p.totals.F_o);
  const auto wrench = [&](double X) {
    const Node<Space> n = node_at(rod, 1.3, X, p.work, Depth::Forces);
    return to_section(n.g, n.L + n.M * eta_o_t);
  };
  for (const double X : {0.21, 0.5, 0.83}) {
    const double h = 1e-4;
    const Node<Space> n = node_at(rod, 1.3, X, p.work, Depth::Forces);
    const Strain<Space> s = rod.law->at(X, 1.3);
    const Vec<6> eta = n.eta(), eta_t = n.zeta() + adjoint_inverse(n.g, eta_o_t);
    Vec<6> p_section, rate;
    for (int i = 0; i < 6; i++) p_section[i] = rod.inertia[i] * eta[i], rate[i] = rod.inertia[i] * eta_t[i];
    SectionLoad<Space> load;
    density<Space>(p.work.loads, {X, n.g, s.xi, s.xi_t}, eta, load);
    const Vec<6> want =
        cobracket(s.xi, wrench(X)) + rate - cobracket(eta, p_section) - load.weight - load.friction - load.other;
    const Vec<6> got = (wrench(X + h) - wrench(X - h)) * (0.5 / h);
    EXPECT_LT(norm(got - want), 1e-5 * norm(want));  // h^2 times the third derivative
  }
  EXPECT_LT(norm(wrench(1.0) - p.totals.F_plus), 1e-12 * norm(p.totals.F_o));
}

// Work is counted, not timed: strains that a pass asks for.
struct Counting : StrainLaw<Plane> {
  using StrainLaw<Plane>::StrainLaw;
  mutable long count = 0;
  Strain<Plane> at(double, double) const override {
    count++;
    return {{1, 0, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  }
};
TEST(Pass, work_grows_linearly_with_the_cells) {
  long last = 0;
  for (const int N : {100, 200, 400}) {
    const auto law = std::make_shared<Counting>(Grid{1.0, N});
    pass(make_rod<Plane>(law), 0.0, {0, 0, 0});
    EXPECT_EQ(law->count, 6L * N + 1);
    if (last) {
      EXPECT_NEAR(double(law->count) / double(last), 2.0, 0.02);
    }
    last = law->count;
  }
}

}  // namespace pass_test
}  // namespace sinew::rod
