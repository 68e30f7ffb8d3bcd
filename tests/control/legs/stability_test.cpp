// Support polygons, shifts of the mass centre, vertical forces, free gaits.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/control/legs/clinging_forces.h"
#include "sinew/control/legs/com_shift.h"
#include "sinew/control/legs/free_gait.h"
#include "sinew/control/legs/segments.h"
#include "sinew/control/legs/step_cycle.h"
#include "sinew/control/legs/support_polygon.h"
#include "sinew/control/legs/vertical_forces.h"

namespace sinew::legged {
namespace stability_test {

std::vector<Vec3d> feet_of(LegSet set) {
  const SegmentedBody body;
  std::vector<Vec3d> out;
  for (int i = 0; i < 6; i++)
    if (has_leg(set, i)) out.push_back(body.neutral(i));
  return out;
}

TEST(SupportPolygon, margins_of_a_square_its_line_and_its_corner) {
  const std::vector<Vec3d> square{{1, 1, 0}, {-1, 1, 0}, {0, 0, 0}, {-1, -1, 0}, {1, -1, 0}, {1, 0, 0}};
  const SupportPolygon g = polygon_of(square);
  EXPECT_EQ(g.n, 4);
  EXPECT_NEAR(static_margin(g, {0.2, 0, 0}), 0.8, 1e-15);
  EXPECT_NEAR(static_margin(g, {2, 2, 0}), -std::sqrt(2.0), 1e-15);
  const SupportPolygon line = polygon_of(std::vector<Vec3d>{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}});
  EXPECT_EQ(line.n, 2);
  EXPECT_NEAR(static_margin(line, {0, 0.3, 0}), -0.3, 1e-15);
  EXPECT_NEAR(static_margin(polygon_of(std::vector<Vec3d>{{1, 0, 0}}), {0, 0, 0}), -1.0, 1e-15);
  EXPECT_EQ(static_margin(polygon_of({}), {0, 0, 0}), -INFINITY);
}

TEST(SupportPolygon, the_clamp_shift_is_the_shortest_that_keeps_the_margin) {
  std::mt19937_64 dice(8);
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  const SupportPolygon g = polygon_of(feet_of(0b010101));
  for (int n = 0; n < 50; n++) {
    const Vec3d com(in(-0.3, 0.3), in(-0.3, 0.3), 0.0);
    Vec3d shift;
    ASSERT_TRUE(clamp_shift(g, com, 0.02, shift));
    EXPECT_GE(static_margin(g, com + shift), 0.02 - 1e-9);
    if (norm(shift) < 1e-9) continue;
    for (int k = 0; k < 400; k++) {  // nothing nearer has it
      const double part = in(0.0, 0.995) * norm(shift), way = in(0.0, 6.3);
      const Vec3d other = com + Vec3d(part * std::cos(way), part * std::sin(way), 0.0);
      EXPECT_LT(static_margin(g, other), 0.02 + 1e-9);
    }
  }
  Vec3d shift;
  EXPECT_FALSE(clamp_shift(g, Vec3d::zero(), 0.3, shift));  // no point has that margin
}

struct Edges {
  std::vector<double> rear, front;
  double dt;
};
Edges gallop_edges(double tau, int n = 4000) {
  const SegmentedBody body;
  StepShape shape;
  shape.tau = tau;
  const StepTiming t = timing_of(shape);
  const GaitTable table = gait_table(Gait::Gallop);
  Edges e{std::vector<double>(n, INFINITY), std::vector<double>(n, -INFINITY), t.period / n};
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 6; i++) {
      const StepPoint p = step_point(shape, t, cycle_phase(double(k) / n - table.offset[i]));
      if (is_airborne(p.phase)) continue;
      e.rear[k] = std::min(e.rear[k], body.neutral(i)[0] + p.along - 0.0224);
      e.front[k] = std::max(e.front[k], body.neutral(i)[0] + p.along - 0.0224);
    }
  return e;
}

// Konyev 2011, section 3.4.4, corrects the symmetric gallop with tau = 1/3. At the exchange from the front pair to the rear pair the two supports
// share nothing but the line of the middle feet: no shift that does not jump has a margin there.
TEST(ComShift, the_gallop_with_a_third_in_the_air_has_no_margin_whatever_the_shift) {
  for (const double v : {0.1, 1.0, 5.0}) {
    Edges e = gallop_edges(1.0 / 3);
    std::vector<double> shift(e.rear.size());
    EXPECT_FALSE(forecast_shift({1e-3, v, e.dt}, e.rear, e.front, shift).possible) << v;
  }
  Edges e = gallop_edges(0.2);
  std::vector<double> shift(e.rear.size());
  EXPECT_TRUE(forecast_shift({0.015, 0.1, e.dt}, e.rear, e.front, shift).possible);
}

TEST(ComShift, a_forecast_keeps_margin_and_speed_or_says_that_it_cannot) {
  std::mt19937_64 dice(9);
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  int possible = 0;
  for (int n = 0; n < 200; n++) {
    const int ticks = 50;
    std::vector<double> rear(ticks), front(ticks), shift(ticks);
    double level = 0.0;
    for (int k = 0; k < ticks; k++) {
      level = 0.9 * level + in(-0.01, 0.01);
      rear[k] = level - in(0.02, 0.1);
      front[k] = level + in(0.02, 0.1);
    }
    const std::vector<double> rear0 = rear, front0 = front;
    const ShiftForecast f = forecast_shift({0.015, 0.5, 1e-2}, rear, front, shift);
    if (!f.possible) {
      EXPECT_GT(f.pause, 0.0);
      continue;
    }
    possible++;
    for (int k = 0; k < ticks; k++) {
      EXPECT_GE(front0[k] - shift[k], 0.015 - 1e-12);
      EXPECT_GE(shift[k] - rear0[k], 0.015 - 1e-12);
      EXPECT_LE(std::abs(shift[(k + 1) % ticks] - shift[k]), 0.005 + 1e-12);
    }
  }
  EXPECT_GT(possible, 20);
  EXPECT_LT(possible, 200);
}

// All subsets of feet that may carry, each by the pseudo-inverse: the best that does not pull.
std::vector<double> by_enumeration(const std::vector<Vec3d>& feet, const Vec3d& com, double P) {
  const int n = int(feet.size());
  std::vector<double> best;
  double least = INFINITY;
  for (unsigned set = 1; set < 1u << n; set++) {
    std::vector<int> in;
    for (int i = 0; i < n; i++)
      if (set >> i & 1) in.push_back(i);
    if (in.size() < 3) continue;
    double A[3][4] = {};
    for (const int i : in) {
      const double row[3] = {1.0, feet[i][0], feet[i][1]};
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) A[r][c] += row[r] * row[c];
    }
    const double b[3] = {P, P * com[0], P * com[1]};
    for (int r = 0; r < 3; r++) A[r][3] = b[r];
    bool singular = false;
    for (int c = 0; c < 3; c++) {
      int pivot = c;
      for (int r = c + 1; r < 3; r++)
        if (std::abs(A[r][c]) > std::abs(A[pivot][c])) pivot = r;
      std::swap(A[c], A[pivot]);
      singular = singular || std::abs(A[c][c]) < 1e-9;
      if (singular) break;
      for (int r = 0; r < 3; r++) {
        const double f = r == c ? 0.0 : A[r][c] / A[c][c];
        for (int k = c; k < 4; k++) A[r][k] -= f * A[c][k];
      }
    }
    if (singular) continue;
    std::vector<double> F(n, 0.0);
    double square = 0.0;
    bool pulls = false;
    for (const int i : in) {
      F[i] = A[0][3] / A[0][0] + A[1][3] / A[1][1] * feet[i][0] + A[2][3] / A[2][2] * feet[i][1];
      pulls = pulls || F[i] < -1e-9;
      square += F[i] * F[i];
    }
    if (pulls || square >= least) continue;
    least = square;
    best = F;
  }
  return best;
}

TEST(VerticalForces, agree_with_the_best_of_all_subsets_and_satisfy_their_conditions) {
  std::mt19937_64 dice(10);
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  const double P = 58.86;
  SmallQp qp;
  int inside = 0, unloaded = 0;
  for (int n = 0; n < 400; n++) {
    std::vector<Vec3d> feet = feet_of(n % 3 == 0 ? 0b111111 : n % 3 == 1 ? 0b011111 : 0b101101);
    for (Vec3d& p : feet) p += Vec3d(in(-0.03, 0.03), in(-0.01, 0.01), in(-0.02, 0.02));
    const Vec3d com(in(-0.25, 0.25), in(-0.25, 0.25), 0.1);
    const VerticalForces f = share_weight(feet, com, P, qp);
    EXPECT_EQ(f.balanced, f.margin >= -1e-9);
    double sum = 0.0, x = 0.0, y = 0.0;
    for (std::size_t i = 0; i < feet.size(); i++) {
      EXPECT_GE(f.F[i], 0.0);
      EXPECT_GE(f.multiplier[i], -1e-9);
      EXPECT_LT(f.F[i] * f.multiplier[i], 1e-7 * P * P);
      unloaded += f.F[i] == 0.0 ? 1 : 0;
      sum += f.F[i];
      x += f.F[i] * feet[i][0];
      y += f.F[i] * feet[i][1];
    }
    EXPECT_NEAR(sum, P, 1e-9 * P);
    if (!f.balanced) continue;
    inside++;
    EXPECT_NEAR(x, P * com[0], 1e-9 * P);
    EXPECT_NEAR(y, P * com[1], 1e-9 * P);
    if (f.margin < 1e-3) continue;
    const std::vector<double> best = by_enumeration(feet, com, P);
    ASSERT_EQ(best.size(), feet.size());
    for (std::size_t i = 0; i < feet.size(); i++) EXPECT_NEAR(f.F[i], best[i], 1e-6 * P);
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(unloaded, 50);
}

// Eqs. (3.8), (3.9) have no F >= 0: the pseudo-inverse lets the leg that is furthest from the mass centre pull at the ground.
TEST(VerticalForces, without_the_bound_a_foot_would_pull) {
  const std::vector<Vec3d> feet = feet_of(0b111111);
  const Vec3d com(0.12, 0.1, 0.0);
  const double P = 58.86;
  double xx = 0.0, yy = 0.0;
  for (const Vec3d& p : feet) {
    xx += p[0] * p[0];
    yy += p[1] * p[1];
  }
  const Vec3d& R3 = feet[5];
  const double printed = P * (1.0 / 6 + com[0] * R3[0] / xx + com[1] * R3[1] / yy);
  EXPECT_LT(printed, -0.5);
  SmallQp qp;
  EXPECT_NEAR(share_weight(feet, com, P, qp).F[5], 0.0, 1e-12 * P);
}

TEST(VerticalForces, are_continuous_as_the_mass_centre_moves) {
  const std::vector<Vec3d> feet = feet_of(0b111111);
  SmallQp qp;
  VerticalForces last = share_weight(feet, Vec3d::zero(), 1.0, qp);
  for (int k = 1; k <= 4000; k++) {
    const Vec3d com(0.199 * k / 4000, 0.21 * k / 4000, 0.0);
    const VerticalForces now = share_weight(feet, com, 1.0, qp);
    for (int i = 0; i < 6; i++) ASSERT_LT(std::abs(now.F[i] - last.F[i]), 2e-3) << k;
    last = now;
  }
}

TEST(VerticalForces, feet_in_a_line_or_in_a_point_share_what_they_can) {
  SmallQp qp;
  const std::vector<Vec3d> line{{-0.1, -0.1, 0}, {0.1, 0.1, 0}, {0.3, 0.3, 0}};
  const VerticalForces on = share_weight(line, {0.1, 0.1, 0}, 9.0, qp);
  EXPECT_TRUE(on.balanced);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(on.F[i], 3.0, 1e-9);
  const VerticalForces beside = share_weight(line, {0.2, 0.0, 0}, 9.0, qp);
  EXPECT_FALSE(beside.balanced);
  for (int i = 0; i < 3; i++) EXPECT_NEAR(beside.F[i], 3.0, 1e-9);
  const VerticalForces one = share_weight(std::vector<Vec3d>{{0.1, 0, 0}}, {0.1, 0, 0}, 9.0, qp);
  EXPECT_TRUE(one.balanced);
  EXPECT_NEAR(one.F[0], 9.0, 1e-12);
  EXPECT_FALSE(share_weight({}, {0, 0, 0}, 9.0, qp).balanced);
}

TEST(VerticalForces, compliance_lowers_a_foot_that_carries_too_little_and_forgets) {
  const FootCompliance c;
  double dy = 0.0;
  for (int k = 0; k < 1000; k++) dy = comply(c, dy, 10.0, 5.0, 1e-3);
  EXPECT_NEAR(dy, -2e-4 * 5.0 * 5.0 * (1.0 - std::exp(-0.2)), 1e-6);
  for (int k = 0; k < 100000; k++) dy = comply(c, dy, 100.0, 0.0, 1e-3);
  EXPECT_EQ(dy, -0.01);
  for (int k = 0; k < 50000; k++) dy = comply(c, dy, 10.0, 10.0, 1e-3);
  EXPECT_LT(std::abs(dy), 1e-6);
}

// --- free gait

TEST(FreeGait, a_walk_without_table_keeps_margin_and_neighbours_and_never_stops) {
  const SegmentedBody body;
  const auto ring = neighbours_of(Neighbours::Ring, 3);
  std::mt19937_64 dice(11);
  std::array<double, 6> along, air{};
  for (double& a : along) a = std::uniform_real_distribution<double>(-0.03, 0.035)(dice);
  LegSet airborne = 0;
  std::array<int, 6> steps{};
  const Vec3d com(0.0224, 0.0, 0.0);
  int waited = 0;
  for (int k = 0; k < 40000; k++) {
    std::array<FreeGaitFoot, 6> feet;
    for (int i = 0; i < 6; i++) feet[i] = {body.neutral(i) + Vec3d(along[i], 0.0, 0.0), along[i] + 0.035, true};
    const FreeGaitChoice choice = next_leg(feet, airborne, ring, com);
    if (choice.leg >= 0) {
      EXPECT_EQ(ring[choice.leg] & airborne, 0u);
      EXPECT_GE(choice.margin, 0.02);
      airborne |= leg_bit(choice.leg);
      air[choice.leg] = 0.4666667;
      steps[choice.leg]++;
    }
    waited += choice.must_wait ? 1 : 0;
    for (int i = 0; i < 6; i++) {
      if (!has_leg(airborne, i)) {
        if (!choice.must_wait) along[i] -= 0.04 * 1e-3;
        continue;
      }
      air[i] -= 1e-3;
      along[i] += (0.035 - along[i]) * std::min(1.0, 1e-3 / std::max(air[i], 1e-3));
      if (air[i] <= 0.0) airborne &= ~leg_bit(i);
    }
  }
  EXPECT_LT(waited, 4000);
  for (const int n : steps) EXPECT_GT(n, 15);
}

TEST(FreeGait, a_lost_leg_is_no_support_and_never_chosen) {
  const SegmentedBody body;
  std::array<FreeGaitFoot, 6> feet;
  for (int i = 0; i < 6; i++) feet[i] = {body.neutral(i), 0.01, i != 1};
  const auto ring = neighbours_of(Neighbours::Ring, 3);
  const FreeGaitChoice choice = next_leg(feet, 0, ring, Vec3d(0.0224, 0.0, 0.0));
  EXPECT_NE(choice.leg, 1);
  EXPECT_GE(choice.leg, 0);
  EXPECT_NE(choice.leg, 0);  // without L1 and L2 the left side stands on L3 alone: the mass centre is outside
}

TEST(FreeGait, footholds_are_chosen_by_cost_and_distance) {
  const std::vector<FootholdCandidate> places{
      {{0.0, 0.0, 0.0}, INFINITY}, {{0.02, 0.0, 0.0}, 0.0}, {{0.005, 0.0, 0.0}, 0.05}};
  EXPECT_EQ(choose_foothold(places, Vec3d::zero()), 1);
  EXPECT_EQ(choose_foothold(std::span(places).first(1), Vec3d::zero()), -1);
}

TEST(SupportPolygon, the_slope_of_feet_is_that_of_the_plane_in_which_they_stand) {
  std::vector<Vec3d> feet;
  for (const auto& [x, y] : {std::pair{0.2, 0.21}, {0.0, 0.21}, {-0.2, -0.21}, {0.17, -0.21}})
    feet.push_back(Vec3d(x, y, 0.01 + 0.3 * x - 0.1 * y));
  double slope[2];
  ASSERT_TRUE(slope_of(feet, slope));
  EXPECT_NEAR(slope[0], 0.3, 1e-12);
  EXPECT_NEAR(slope[1], -0.1, 1e-12);
  for (Vec3d& p : feet) p[1] = 0.5 * p[0];
  EXPECT_FALSE(slope_of(feet, slope));
}

// On a wall, under a ceiling, on the floor: forces add up to the load and have no moment along the plane.
TEST(ClingingForces, they_carry_the_load_and_its_moment) {
  const std::vector<Vec3d> feet{
      {0.2, 0.21, -0.13}, {0.01, 0.21, -0.13}, {-0.2, 0.2, -0.13}, {0.19, -0.21, -0.13}, {-0.2, -0.21, -0.13}};
  const Vec3d com(0.02, -0.01, 0.0);
  std::vector<Vec3d> force(feet.size());
  for (const Vec3d& load : {Vec3d(58.86, 0.0, 0.0), Vec3d(0.0, 0.0, -58.86), Vec3d(0.0, 40.0, 30.0)}) {
    ASSERT_TRUE(share_clinging(feet, com, load, force));
    Vec3d sum = Vec3d::zero(), moment = sum;
    for (std::size_t i = 0; i < feet.size(); i++) {
      sum += force[i];
      moment += cross(feet[i] - com, force[i]);
    }
    EXPECT_LT(norm(sum - load), 1e-12);
    EXPECT_NEAR(moment[0], 0.0, 1e-12);
    EXPECT_NEAR(moment[1], 0.0, 1e-12);
  }
  EXPECT_FALSE(share_clinging(std::span(feet).first(2), com, Vec3d(1.0, 0.0, 0.0), std::span(force).first(2)));
}

}  // namespace stability_test
}  // namespace sinew::legged
