#include "sinew/solve/contact_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sinew/solve/sparse.h"
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

}  // namespace contact_lanes_test
}  // namespace sinew::test
