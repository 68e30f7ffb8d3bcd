#include "sinew/model/compile.h"

#include <gtest/gtest.h>

#include "tests/support/eigen.h"
#include "tests/support/random_plan.h"

namespace sinew {
namespace compile_test {

using support::random_plan;
using support::to_eigen;

constexpr std::uint64_t n_plans = 200;

int size_of(std::uint64_t seed) { return 1 + int(seed % 12); }

TEST(Compile, parents_come_before_children_and_trees_are_contiguous) {
  for (std::uint64_t seed = 0; seed < n_plans; seed++) {
    const Compiled c = compile(random_plan(seed, size_of(seed)));
    const auto& links = c.model->links;
    for (int i = 0; i < int(links.size()); i++) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", link " << i);
      const Link& link = links[i];
      EXPECT_LT(link.parent, i);
      int root = i;
      while (links[root].parent >= 0) root = links[root].parent;
      EXPECT_EQ(link.root, root);
      EXPECT_LE(root, i);
      EXPECT_GT(link.tree_end, i);
      for (int k = root; k < link.tree_end; k++) EXPECT_EQ(links[k].root, root);
      if (link.tree_end < int(links.size())) {
        EXPECT_NE(links[link.tree_end].root, root);
      }
    }
  }
}

TEST(Compile, leaves_and_last_children_are_marked) {
  for (std::uint64_t seed = 0; seed < n_plans; seed++) {
    const Compiled c = compile(random_plan(seed, size_of(seed)));
    const auto& links = c.model->links;
    for (int i = 0; i < int(links.size()); i++) {
      bool carries = false, younger = false;
      for (int k = i + 1; k < int(links.size()); k++) {
        carries |= links[k].parent == i;
        younger |= links[k].parent == links[i].parent;
      }
      EXPECT_EQ(links[i].leaf, !carries) << "seed " << seed;
      if (links[i].parent >= 0) {
        EXPECT_EQ(links[i].last_child, !younger) << "seed " << seed;
      }
    }
  }
}

// Every coordinate, freedom and axis belongs to exactly one link: counted up in order, without holes.
TEST(Compile, numbers_coordinates_freedoms_and_axes_without_holes) {
  for (const Coordinates coordinates : {Coordinates::Tree, Coordinates::Maximal})
    for (std::uint64_t seed = 0; seed < n_plans; seed++) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const Compiled c = compile(random_plan(seed, size_of(seed)), coordinates);
      const Model& m = *c.model;
      int q = 0, u = 0, driven_q = 0, driven_u = 0, axis = 0, angle = 0;
      for (const Link& link : m.links) {
        EXPECT_EQ(link.q, link.driven ? driven_q : q);
        EXPECT_EQ(link.u, link.driven ? driven_u : u);
        EXPECT_EQ(link.axis, axis);
        EXPECT_EQ(link.angle, angle);
        (link.driven ? driven_q : q) += joint::coordinate_count(link.kind);
        (link.driven ? driven_u : u) += joint::freedom_count(link.kind);
        axis += joint::freedom_count(link.kind);
        angle += joint::visit(link.kind, []<class J>() { return int(J::angles.size()); });
      }
      EXPECT_EQ(m.nq, q);
      EXPECT_EQ(m.nu, u);
      EXPECT_EQ(m.n_prescribed_q, driven_q);
      EXPECT_EQ(m.n_prescribed_u, driven_u);
      EXPECT_EQ(m.n_frame_axes, axis);
      EXPECT_EQ(int(m.angles.size()), angle);
      EXPECT_EQ(int(c.state.q.size()), m.nq);
      EXPECT_EQ(int(c.state.u.size()), m.nu);
    }
}

TEST(Compile, joints_are_numbered_alike_in_all_coordinates) {
  for (std::uint64_t seed = 0; seed < n_plans; seed++) {
    const Plan plan = random_plan(seed, size_of(seed));
    const Compiled tree = compile(plan), maximal = compile(plan, Coordinates::Maximal);
    int axis = 0, coord = 0;
    for (std::size_t i = 0; i < plan.joints.size(); i++) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", joint " << i);
      const JointInfo &a = tree.model->joints[i], &b = maximal.model->joints[i];
      EXPECT_EQ(a.name, plan.joints[i].name);
      EXPECT_EQ(a.kind, plan.joints[i].kind);
      EXPECT_EQ(a.axis, axis);
      EXPECT_EQ(a.coord, coord);
      EXPECT_EQ(b.axis, axis);
      EXPECT_EQ(b.coord, coord);
      EXPECT_EQ(a.motion, b.motion);
      EXPECT_EQ(tree.model->body_names[a.child], plan.joints[i].child);
      EXPECT_EQ(maximal.model->body_names[b.child], plan.joints[i].child);
      axis += a.n_axes, coord += a.n_coords;
    }
    EXPECT_EQ(tree.model->n_axes, axis);
    EXPECT_EQ(maximal.model->n_coords, coord);
    EXPECT_EQ(int(tree.params.springs.size()), axis);
    EXPECT_EQ(int(tree.params.servos.size()), axis);
    EXPECT_EQ(int(tree.params.rest.size()), coord);
    EXPECT_EQ(int(tree.params.motions.size()), tree.model->n_motions);
  }
}

TEST(Compile, every_joint_is_either_a_link_or_a_cut) {
  for (std::uint64_t seed = 0; seed < n_plans; seed++) {
    const Plan plan = random_plan(seed, size_of(seed));
    for (const Coordinates coordinates : {Coordinates::Tree, Coordinates::Maximal}) {
      const Compiled c = compile(plan, coordinates);
      const Model& m = *c.model;
      int row = 0, cuts = 0;
      for (int i = 0; i < int(m.joints.size()); i++) {
        const JointInfo& info = m.joints[i];
        ASSERT_NE(info.link < 0, info.cut < 0) << "seed " << seed;
        const bool cut = coordinates == Coordinates::Maximal && info.kind != JointKind::Free;
        ASSERT_EQ(info.cut >= 0, cut) << "seed " << seed;
        if (!cut) {
          EXPECT_EQ(m.links[info.link].joint, i);
          EXPECT_EQ(m.links[info.link].driven, info.driven);
          continue;
        }
        const Cut& rows = m.cuts[info.cut];
        EXPECT_EQ(rows.joint, i);
        EXPECT_EQ(rows.row, row);
        EXPECT_EQ(rows.n_ideal, 6 - info.n_axes);
        const bool drives = info.driven || info.has_spring || info.has_servo;
        EXPECT_EQ(rows.n_rows, drives ? 6 : 6 - info.n_axes);
        row += rows.n_rows, cuts++;
      }
      EXPECT_EQ(m.n_rows, row);
      EXPECT_EQ(int(m.cuts.size()), cuts);
    }
  }
}

TEST(Compile, maximal_coordinates_give_every_body_six_freedoms_of_its_own) {
  for (std::uint64_t seed = 0; seed < 50; seed++) {
    const Plan plan = random_plan(seed, size_of(seed));
    const Compiled c = compile(plan, Coordinates::Maximal);
    int driven = 0;
    for (const Link& link : c.model->links) {
      EXPECT_EQ(link.kind, JointKind::Free);
      EXPECT_EQ(link.parent, world_body);
      driven += link.driven;
    }
    EXPECT_EQ(c.model->nu, 6 * (size_of(seed) - driven));
    EXPECT_EQ(c.model->nq, 7 * (size_of(seed) - driven));
  }
}

TEST(Compile, a_loop_is_cut_in_tree_coordinates_and_its_child_stays_where_it_is) {
  Plan plan = random_plan(3, 5);
  JointPlan loop;
  loop.name = "closing", loop.parent = "world", loop.child = "b4", loop.kind = JointKind::Ball, loop.loop = true;
  const Compiled open = compile(plan);
  plan.joints.insert(plan.joints.begin(), loop);
  const Compiled closed = compile(plan);
  ASSERT_EQ(closed.model->cuts.size(), 1u);
  EXPECT_EQ(closed.model->cuts[0].n_ideal, 3);
  EXPECT_EQ(closed.model->cuts[0].body1, world_body);
  EXPECT_EQ(closed.model->cuts[0].body2, closed.model->body("b4"));
  EXPECT_EQ(closed.model->nu, open.model->nu);
  EXPECT_EQ(closed.model->body_names, open.model->body_names);
}

TEST(Compile, bodies_and_joints_are_found_by_name) {
  const Plan plan = random_plan(5, 9);
  const Compiled c = compile(plan);
  for (const BodyPlan& b : plan.bodies) EXPECT_EQ(c.model->body_names[c.model->body(b.name)], b.name);
  for (const JointPlan& j : plan.joints) EXPECT_EQ(c.model->joints[c.model->joint(j.name)].name, j.name);
  EXPECT_EQ(c.model->body("world"), world_body);
  EXPECT_EQ(c.model->body("nobody"), world_body);
  EXPECT_EQ(c.model->joint("nothing"), -1);
}

TEST(Compile, initial_state_and_parameters_are_those_of_the_plan) {
  for (std::uint64_t seed = 0; seed < 50; seed++) {
    const Plan plan = random_plan(seed, 8);
    const Compiled c = compile(plan);
    for (const JointPlan& j : plan.joints) {
      const JointInfo& info = c.model->joints[c.model->joint(j.name)];
      const Link& link = c.model->links[info.link];
      if (!link.driven) {
        for (int i = 0; i < info.n_axes; i++) EXPECT_EQ(c.state.u[link.u + i], j.velocity[i]);
        for (int i = 0; i < info.n_coords; i++) EXPECT_NEAR(c.state.q[link.q + i], j.position[i], 1e-15);  // normalised
      }
      for (int i = 0; i < info.n_axes; i++) {
        EXPECT_EQ(c.params.springs[info.axis + i].k, j.stiffness.empty() ? 0.0 : j.stiffness[i]);
        EXPECT_EQ(c.params.springs[info.axis + i].d, j.damping.empty() ? 0.0 : j.damping[i]);
        EXPECT_EQ(c.params.servos[info.axis + i].kp, j.kp.empty() ? 0.0 : j.kp[i]);
        EXPECT_EQ(std::isinf(c.params.servos[info.axis + i].limit), j.limit.empty());
      }
    }
    EXPECT_EQ(c.params.gravity.kind, plan.gravity.kind);
  }
}

TEST(Compile, a_second_axis_without_a_direction_of_its_own_still_gives_a_frame) {
  for (const Vec3d& axis : {Vec3d(0, 0, 1), Vec3d(0, 1, 0), Vec3d(1, 0, 0), Vec3d(-3, 0, 0), Vec3d(1, 1, 1)})
    for (const Vec3d& axis2 : {axis, -axis, Vec3d::zero(), Vec3d(0, 1, 0)}) {
      Plan plan;
      BodyPlan body;
      body.name = "b";
      JointPlan joint;
      joint.name = "j", joint.child = "b", joint.axis = axis, joint.axis2 = axis2;
      plan.bodies = {body}, plan.joints = {joint};
      const Mat3d R = compile(plan).params.links[0].X_PJ.R;
      const Eigen::Matrix3d orthogonal = to_eigen(R) * to_eigen(R).transpose();
      EXPECT_LE((orthogonal - Eigen::Matrix3d::Identity()).norm(), 1e-15);  // a few roundings of numbers below 1
      EXPECT_LE((to_eigen(R.col(2)) - to_eigen(axis).normalized()).norm(), 1e-15);
    }
}

TEST(Compile, a_chain_of_a_thousand_bodies_compiles) {
  Plan plan;
  for (int i = 0; i < 1000; i++) {
    BodyPlan body;
    body.name = "b" + std::to_string(i);
    JointPlan joint;
    joint.name = "j" + std::to_string(i), joint.child = body.name;
    if (i > 0) joint.parent = "b" + std::to_string(i - 1);
    plan.bodies.push_back(body), plan.joints.push_back(joint);
  }
  const Compiled c = compile(plan);
  EXPECT_EQ(c.model->nu, 1000);
  EXPECT_EQ(c.model->links[999].parent, 998);
}

}  // namespace compile_test
}  // namespace sinew
