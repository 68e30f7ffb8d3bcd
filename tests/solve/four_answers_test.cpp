// Columns of the contacts' matrix four at a time have the bits of one at a time.
#include "sinew/solve/four_answers.h"

#include <gtest/gtest.h>

#include "sinew/step/methods.h"
#include "tests/support/allocations.h"
#include "tests/support/shipped.h"
#include "tests/support/worlds.h"

namespace sinew::test {
namespace four_answers_test {

// On two feet, with twelve rods in closed loops.
World<double> walker() {
  const std::string sets[] = {"devices=real", "mechanism=bodies"};
  return shipped_experiment("biped/stand", sets).world();
}

TEST(FourAnswers, steps_with_them_end_in_the_bits_of_steps_without) {
  const World<double> world = walker();
  Workspace<double> by_four(world.model()), by_one(world.model());
  ASSERT_TRUE(by_four.delassus.four.has_value());
  by_one.delassus.four.reset();
  State<double> a = world.state, b = world.state;
  for (int k = 0; k < 10; k++) {
    const StepReport report = step_moreau(world.model(), world.params, world.input, 1e-3, a, by_four);
    step_moreau(world.model(), world.params, world.input, 1e-3, b, by_one);
    ASSERT_TRUE(report.converged);
    ASSERT_EQ(hash(a), hash(b)) << k;
  }
  EXPECT_GE(by_four.rows.n_contacts, 4);
  EXPECT_NE(hash(a), hash(world.state));
  if (!are_allocations_counted()) return;
  const auto step = [&] { step_moreau(world.model(), world.params, world.input, 1e-3, a, by_four); };
  EXPECT_EQ(count_allocations(step), 0);
}

// Bodies by themselves, and robots without loops, have nothing to gain from it.
TEST(FourAnswers, are_for_trees_that_are_held_in_loops) {
  EXPECT_TRUE(FourAnswers::is_worth_it(walker().model()));
  EXPECT_FALSE(FourAnswers::is_worth_it(shipped_experiment("biped/stand").world().model()));
  EXPECT_FALSE(FourAnswers::is_worth_it(make_world(everything(), {Coordinates::Maximal, "moreau"}).model()));
}

}  // namespace four_answers_test
}  // namespace sinew::test
