// A test bench measures: an experiment without a model of anything, which run() knows and Simulation refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "tests/support/shipped.h"

namespace sinew::sim {
namespace bench_test {

struct Counting : Watcher {
  int looks = 0, kept = 0;
  void look(const World<double>&) override { looks++; }
  void keep() override { kept++; }
};

TEST(Bench, measures_and_has_nothing_that_moves) {
  const Experiment bench = test::shipped_experiment("quadruped/states");
  EXPECT_EQ(bench.model().link_count(), 0);
  ASSERT_EQ(bench.signals().size(), 1u);
  EXPECT_EQ(bench.signals()[0].name, "t");
  Counting watcher;
  const RunResult r = run(bench, {.watcher = &watcher});
  EXPECT_EQ(watcher.looks, 1);
  EXPECT_EQ(watcher.kept, 1);
  EXPECT_TRUE(r.is_bench);
  EXPECT_EQ(r.steps, 0);
  EXPECT_EQ(r.ending, Ending::Done);
  EXPECT_GT(r.results.size(), 30u);
}

TEST(Bench, is_no_simulation) {
  try {
    const Simulation s(test::shipped_experiment("quadruped/states"));
    FAIL() << "nothing moves there";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("quadruped/states: it is a test bench"));
  }
}

TEST(Bench, of_a_run_moves_as_well) {
  const std::vector<std::string> sets{"bench=run", "duration=0.002"};
  const RunResult r = run(test::shipped_experiment("quadruped/pitch-feedforward", sets));
  EXPECT_FALSE(r.is_bench);
  EXPECT_EQ(r.steps, 2);
}

}  // namespace bench_test
}  // namespace sinew::sim
