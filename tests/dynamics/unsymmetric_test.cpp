#include "sinew/dynamics/unsymmetric.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "sinew/model/compile.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace unsymmetric_test {

struct Chain {
  Compiled compiled;
  const Model& model;
  Frames<double> frames;
  Prescribed<double> driven;
  UnsymmetricWork<double> work;
  std::vector<Wrench<double>> external;
  std::vector<double> diag;

  explicit Chain(const Plan& plan) : Chain(compile(plan)) {}
  explicit Chain(Compiled from)
      : compiled(std::move(from)),
        model(*compiled.model),
        frames(model),
        driven(model),
        work(model),
        external(model.links.size(), Wrench<double>::zero()),
        diag(std::size_t(model.nu), 0.3) {
    evaluate_frames(model, compiled.params, compiled.state.q.data(), compiled.state.u.data(), driven, frames);
    own_parts(model, compiled.params, frames, &external, work.own.data());
  }

  // Blocks that are not symmetric, and wrenches of a size.
  void push(double size, bool blocks) {
    for (std::size_t i = 0; i < work.I.size(); i++) {
      if (blocks) work.I[i].C(0, 2) += 0.7, work.I[i].A(1, 0) += 0.02;
      work.p[i].f += Vec3d(0.3, -0.2, 0.1) * (size * double(i + 1));
      work.p[i].n += Vec3d(0.0, 0.05, -0.04) * size;
    }
  }
};

// Other wrenches and torques on the blocks of the solve before: the bits of a solve of their own.
TEST(Unsymmetric, wrenches_on_blocks_that_are_factored_give_the_bits_of_a_new_solve) {
  for (const Plan& plan : {mixed_chain(), floating_chain()}) {
    Chain c(plan);
    std::vector<double> tau(std::size_t(c.model.nu), 0.4), first(tau.size()), again(tau.size()), fresh(tau.size());
    begin_unsymmetric(c.work);
    c.push(1.0, true);
    solve_unsymmetric(c.model, c.frames, tau.data(), c.diag.data(), c.work, first.data());
    for (double& t : tau) t = -1.1;
    begin_wrenches(c.work);
    c.push(-2.5, false);
    resolve_unsymmetric(c.model, c.frames, tau.data(), c.work, again.data());
    begin_unsymmetric(c.work);
    c.push(-2.5, true);
    solve_unsymmetric(c.model, c.frames, tau.data(), c.diag.data(), c.work, fresh.data());
    EXPECT_EQ(again, fresh);
    EXPECT_NE(again, first);
  }
}

// A trunk with six legs of the same joints, two in front of the others a link longer, and a tail alone.
Plan walker() {
  Plan plan;
  plan.bodies.push_back(lump("trunk", 3.0));
  plan.joints.push_back(hinge(JointKind::Free, "world", "trunk"));
  const auto add = [&](JointKind kind, const std::string& parent, const std::string& name) {
    plan.bodies.push_back(lump(name, 0.5 + 0.1 * double(plan.bodies.size())));
    JointPlan j = hinge(kind, parent, name);
    j.name = "to_" + name;
    j.position.assign(std::size_t(joint::coordinate_count(kind)), 0.1 * double(plan.bodies.size()));
    plan.joints.push_back(j);
    return name;
  };
  for (int leg = 0; leg < 6; leg++) {
    const std::string name = "leg" + std::to_string(leg);
    std::string at = leg < 2 ? add(JointKind::Prismatic, "trunk", name + "_slide") : std::string("trunk");
    at = add(JointKind::Universal, at, name + "_hip");
    add(JointKind::Revolute, at, name + "_knee");
  }
  add(JointKind::Universal, "trunk", "tail");
  return plan;
}

// Links that go through a register side by side have the bits of links one by one.
TEST(Unsymmetric, ranks_have_the_bits_of_links_alone) {
  Compiled compiled = compile(walker());
  ASSERT_GE(compiled.model->ranks.size(), 3u);
  Model alone = *compiled.model;
  alone.ranks.clear();
  alone.single.clear();
  for (int i = 0; i < alone.link_count(); i++) {
    alone.links[std::size_t(i)].limb = -1;
    alone.single.push_back(i);
  }
  Compiled without = compiled;
  without.model = std::make_shared<const Model>(std::move(alone));
  std::vector<double> rates[2];
  for (const bool side_by_side : {false, true}) {
    Chain c(side_by_side ? compiled : without);
    std::vector<double> tau(std::size_t(c.model.nu), 0.4);
    std::vector<double> first(tau.size()), again(tau.size());
    begin_unsymmetric(c.work);
    c.push(1.0, true);
    solve_unsymmetric(c.model, c.frames, tau.data(), c.diag.data(), c.work, first.data());
    begin_wrenches(c.work);
    c.push(-2.5, false);
    resolve_unsymmetric(c.model, c.frames, tau.data(), c.work, again.data());
    first.insert(first.end(), again.begin(), again.end());
    rates[side_by_side] = first;
  }
  EXPECT_EQ(rates[0], rates[1]);
}

}  // namespace unsymmetric_test
}  // namespace sinew::test
