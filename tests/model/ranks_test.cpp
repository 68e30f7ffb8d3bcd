#include "sinew/model/ranks.h"

#include <gtest/gtest.h>

#include "sinew/model/compile.h"
#include "tests/support/random_plan.h"

namespace sinew {
namespace ranks_test {

struct Walker {  // a free trunk and limbs
  Plan plan;

  Walker() { add(JointKind::Free, "world"); }
  std::string add(JointKind kind, const std::string& parent) {
    BodyPlan body;
    body.name = "b" + std::to_string(plan.bodies.size());
    JointPlan joint;
    joint.name = "j" + body.name, joint.kind = kind, joint.parent = parent, joint.child = body.name;
    plan.bodies.push_back(body);
    plan.joints.push_back(joint);
    return body.name;
  }
  void add_limb(const std::vector<JointKind>& kinds) {
    std::string at = "b0";
    for (JointKind kind : kinds) at = add(kind, at);
  }
  Model compiled() const { return *compile(plan).model; }
};

constexpr JointKind hinge = JointKind::Revolute, ball = JointKind::Ball;

TEST(Ranks, four_equal_legs_walk_in_step) {
  Walker walker;
  for (int leg = 0; leg < 4; leg++) walker.add_limb({ball, hinge, hinge});
  const Model model = walker.compiled();
  EXPECT_EQ(model.ranks.size(), 3u);
  EXPECT_EQ(model.single, std::vector<int>{0});
  EXPECT_EQ(model.n_limbs, 4);
  EXPECT_EQ(model.ranks[0].kind, ball);
  for (const Rank& rank : model.ranks) EXPECT_EQ(rank.count, lane_count);
}

TEST(Ranks, a_shorter_limb_joins_at_its_height_and_no_lane_walks_alone) {
  Walker walker;
  walker.add_limb({hinge, hinge, hinge, hinge});
  walker.add_limb({hinge, hinge});
  const Model model = walker.compiled();
  ASSERT_EQ(model.ranks.size(), 2u);
  EXPECT_EQ(model.single, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(model.ranks[0].link[0], 3);
  EXPECT_EQ(model.ranks[0].link[1], 5);
  EXPECT_EQ(model.ranks[0].above, 0);
  EXPECT_EQ(model.ranks[1].above, 2);
  EXPECT_TRUE(model.ranks[1].ends);
}

TEST(Ranks, limbs_of_other_joints_and_a_limb_alone_stay_single) {
  Walker walker;
  walker.add_limb({hinge, hinge});
  walker.add_limb({hinge, ball});
  walker.add_limb({hinge, JointKind::Universal});
  EXPECT_TRUE(walker.compiled().ranks.empty());
}

// Every link is in one place, and has its parent where Rank says.
TEST(Ranks, hold_each_link_once_below_its_parent) {
  for (std::uint64_t seed = 0; seed < 300; seed++) {
    SCOPED_TRACE(seed);
    const Model model = *compile(support::random_limbs(seed)).model;
    std::vector<int> times(model.links.size(), 0);
    for (int i : model.single) times[i]++;
    for (std::size_t r = 0; r < model.ranks.size(); r++) {
      const Rank& rank = model.ranks[r];
      EXPECT_GE(rank.count, 2);
      for (int k = 0; k < rank.count; k++) {
        const Link& link = model.links[rank.link[k]];
        times[rank.link[k]]++;
        EXPECT_EQ(link.kind, rank.kind);
        EXPECT_FALSE(link.driven);
        EXPECT_EQ(rank.ends, link.leaf);
        ASSERT_GE(link.parent, 0);
        if (k < rank.above)
          EXPECT_EQ(link.parent, model.ranks[r - 1].link[k]);
        else
          EXPECT_LT(model.links[link.parent].limb, 0);
      }
    }
    for (int n : times) EXPECT_EQ(n, 1);
  }
}

}  // namespace ranks_test
}  // namespace sinew
