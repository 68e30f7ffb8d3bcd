#include "sinew/dynamics/unsymmetric.h"

#include <gtest/gtest.h>

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

  explicit Chain(const Plan& plan)
      : compiled(compile(plan)),
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

}  // namespace unsymmetric_test
}  // namespace sinew::test
