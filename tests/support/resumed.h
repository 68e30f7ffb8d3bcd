// A run that is stopped and goes on ends in the same bits as one that is not.
#pragma once
#include <gtest/gtest.h>

#include <vector>

#include "sinew/sim/run.h"

namespace sinew::test {

// Goes on from the first of the checkpoints that three parts of the run leave.
inline void expect_resumed_run_is_the_same(sim::Scenario scenario, double duration) {
  scenario.duration = duration;
  const std::uint64_t straight = sim::run(scenario).hash;
  std::vector<sim::Progress> kept;
  sim::RunHooks hooks;
  hooks.checkpoint_every = 0.3 * duration;
  hooks.checkpoint = [&](const sim::Progress& p) { kept.push_back(p); };
  sim::run(scenario, hooks);
  ASSERT_GE(kept.size(), 2u);
  sim::RunHooks again;
  again.resume = &kept[0];
  EXPECT_EQ(sim::run(scenario, again).hash, straight);
}

}  // namespace sinew::test
