#include "sinew/solve/contact_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sinew/solve/sparse.h"
#include "sinew/solve/sparse_local.h"
#include "tests/support/loose_heap.h"

namespace sinew::test {
namespace contact_lanes_test {

using support::loose_heap;

std::vector<int> all_of(const SparseProblem& p) {
  std::vector<int> all(p.contacts.size());
  for (std::size_t i = 0; i < all.size(); i++) all[i] = int(i);
  return all;
}

TEST(ContactLanes, hold_every_contact_once_and_share_no_body) {
  for (const int seed : {1, 2, 3}) {
    const SparseProblem p = loose_heap(40, 150, seed);
    std::vector<ContactLanes> packs;
    fill_lanes(p, all_of(p), packs);
    std::multiset<int> placed;
    for (const ContactLanes& q : packs) {
      std::multiset<int> moved;
      for (int k = 0; k < lane_count; k++) {
        if (q.contact[k] < 0) continue;
        placed.insert(q.contact[k]);
        for (const int body : {q.body1[k], q.body2[k]})
          if (body < 40) moved.insert(body);
      }
      EXPECT_EQ(moved.size(), std::set<int>(moved.begin(), moved.end()).size());
    }
    const std::vector<int> all = all_of(p);
    EXPECT_TRUE(std::ranges::equal(placed, all));
    EXPECT_LT(packs.size() * lane_count, 2 * all.size());  // most lanes are full
  }
}

// One body that touches all others: nothing can go side by side, and all is still there.
TEST(ContactLanes, a_plate_under_everything_is_visited_by_one_contact_at_a_time) {
  SparseProblem p = loose_heap(20, 60, 4);
  for (SparseContact& c : p.contacts) c.side1.body = 0, c.side2.body = c.side2.body == 0 ? 1 : c.side2.body;
  std::vector<ContactLanes> packs;
  fill_lanes(p, all_of(p), packs);
  EXPECT_EQ(packs.size(), 60u);
}

// The solver sweeps over packs here; its certificate is another code. Rolling friction that is almost none keeps the second away from
// them. Both solve the same law to 1e-9 m/s.
TEST(ContactLanes, lead_where_single_contacts_lead) {
  const SparseLimits limits{.tolerance = 1e-9, .sweeps = 100000, .exact = false};
  for (const int seed : {5, 6, 7, 8}) {
    SparseProblem packs = loose_heap(30, 45, seed), single = packs;
    for (SparseContact& c : single.contacts) {
      c.turning = int(single.turning.size());
      single.turning.push_back({});
      c.inertia = 1.0;
    }
    SparseSolver a, b;
    EXPECT_LE(a.solve(packs, limits).residual, 1e-9) << seed;
    EXPECT_LE(b.solve(single, limits).residual, 1e-9) << seed;
    for (std::size_t i = 0; i < packs.loose.size(); i++)
      for (int k = 0; k < 3; k++) {
        EXPECT_NEAR(packs.V[i].v[k], single.V[i].v[k], 1e-6) << seed << ' ' << i;
        EXPECT_NEAR(packs.V[i].w[k], single.V[i].w[k], 1e-5) << seed << ' ' << i;
      }
  }
}

// De Saxce's correction follows the velocities, so what is held in a sweep is Coulomb's law at the end.
TEST(ContactLanes, sweeps_alone_end_at_coulombs_law) {
  for (const int seed : {9, 10, 11}) {
    SparseProblem p = loose_heap(30, 45, seed);
    SparseSolver().solve(p, {.tolerance = 1e-9, .sweeps = 1, .exact = false});  // what contacts answer to themselves
    std::vector<ContactLanes> packs;
    fill_lanes(p, all_of(p), packs);
    double change = 1.0;
    for (int k = 0; k < 20000 && change > 1e-11; k++) change = sweep(packs, 0.0, p.V.data()).largest;
    put_back(packs, p);
    double worst = 0.0, sliding = 0.0;
    for (const SparseContact& c : p.contacts) {
      double g[6];
      sparse::velocities(p, c, g);
      worst = std::max(worst, law_residual(p.laws[c.law], 0.0, c.mass, c.P, g));
      if (c.P[0] > 0.0) sliding = std::max(sliding, std::abs(g[1]));
    }
    EXPECT_LE(worst, 1e-9) << seed;
    EXPECT_GT(sliding, 0.1) << seed;  // the correction is not zero
  }
}

// The same heap of balls, every third contact without friction.
SparseProblem ball_heap(int bodies, int contacts, int seed) {
  SparseProblem p = loose_heap(bodies, contacts, seed);
  for (std::size_t i = 0; i < p.contacts.size(); i++) {
    SparseContact& c = p.contacts[i];
    if (c.side1.body >= 0) c.arm1 = c.n * 0.05;
    c.arm2 = c.n * -0.07;
    const double mu = i % 3 == 0 ? 0.0 : p.laws[i].mu_forward;
    p.laws[i] = {mu, mu, mu};
  }
  SparseSolver().solve(p, {.tolerance = 1e-9, .sweeps = 1, .exact = false});  // what contacts answer to themselves
  return p;
}

TEST(BallLanes, do_in_every_sweep_what_general_ones_do) {
  for (const int seed : {13, 14, 15}) {
    SparseProblem balls = ball_heap(40, 90, seed), general = balls;
    for (const SparseContact& c : balls.contacts) ASSERT_TRUE(fits_balls(balls, c));
    std::vector<BallLanes> few;
    std::vector<ContactLanes> many;
    fill_lanes(balls, all_of(balls), few);
    fill_lanes(general, all_of(general), many);
    int open = 0, slides = 0, sticks = 0;
    for (int k = 0; k < 40; k++) {
      const SweepChange a = sweep(few, 0.02 * k, balls.V.data()), b = sweep(many, 0.02 * k, general.V.data());
      ASSERT_NEAR(a.largest, b.largest, 1e-10) << seed << ' ' << k;
      ASSERT_NEAR(a.energy, b.energy, 1e-10) << seed << ' ' << k;
    }
    put_back(few, balls);
    put_back(many, general);
    for (std::size_t i = 0; i < balls.contacts.size(); i++) {
      const double *P = balls.contacts[i].P, mu = balls.laws[i].mu_forward, T = std::hypot(P[1], P[2]);
      for (int r = 0; r < 3; r++) ASSERT_NEAR(P[r], general.contacts[i].P[r], 1e-10) << seed << ' ' << i;
      if (mu > 0.0) (P[0] == 0.0 ? open : T < 0.99 * mu * P[0] ? sticks : slides)++;
    }
    EXPECT_GT(std::min({open, slides, sticks}), 2) << open << ' ' << slides << ' ' << sticks;
    for (std::size_t i = 0; i < balls.loose.size(); i++)
      for (int k = 0; k < 3; k++) EXPECT_NEAR(balls.V[i].w[k], general.V[i].w[k], 1e-9);
  }
}

TEST(BallLanes, are_for_balls_alone) {
  const SparseProblem heap = ball_heap(10, 20, 16);
  const auto fits = [&](auto change) {
    SparseProblem p = heap;
    change(p, p.contacts[1]);
    return fits_balls(p, p.contacts[1]);
  };
  EXPECT_TRUE(fits([](SparseProblem&, SparseContact&) {}));
  EXPECT_FALSE(fits([](SparseProblem&, SparseContact& c) { c.arm2 += c.t1 * 1e-8; }));
  EXPECT_FALSE(fits([](SparseProblem& p, SparseContact& c) { p.loose[c.side2.body].per_I.yy *= 1.0 + 1e-9; }));
  EXPECT_FALSE(fits([](SparseProblem& p, SparseContact& c) { p.loose[c.side2.body].per_I.xz = 1e-6; }));
  EXPECT_FALSE(fits([](SparseProblem& p, SparseContact& c) { p.laws[c.law].mu_trans += 1e-6; }));
  EXPECT_FALSE(fits([](SparseProblem&, SparseContact& c) { c.turning = 0; }));
}

// No friction before and no velocity along: the nearest point of the cone is its tip, which has no direction.
TEST(ContactLanes, a_step_to_the_tip_of_the_cone_is_a_number) {
  SparseProblem p = loose_heap(1, 1, 12);
  p.laws[0] = {5.0, 5.0, 5.0};
  SparseSolver().solve(p, {.tolerance = 1e-9, .sweeps = 1, .exact = false});
  SparseContact& c = p.contacts[0];
  p.V[0] = Twist<double>::zero();
  const double across = 5.0 * std::sqrt(c.G.xy * c.G.xy + c.G.xz * c.G.xz);
  c.P[0] = 1.0, c.P[1] = c.P[2] = 0.0;
  c.c[0] = c.G.xx + 0.9 * across, c.c[1] = c.c[2] = 0.0;  // less than what would let it part
  std::vector<ContactLanes> packs;
  fill_lanes(p, all_of(p), packs);
  ASSERT_GT(packs[0].r_N[0] * c.c[0], 1.0);  // the step leads below the tip
  sweep(packs, 0.0, p.V.data());
  put_back(packs, p);
  for (const double P : c.P) EXPECT_EQ(P, 0.0);
}

}  // namespace contact_lanes_test
}  // namespace sinew::test
