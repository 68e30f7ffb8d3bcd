#include "sinew/sim/schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sinew::sim {
namespace schedule_test {

std::vector<int> ticks(const Schedule& schedule, double step, int steps) {
  std::vector<int> out;
  for (int k = 0; k < steps; k++)
    if (is_tick(schedule, k, step)) out.push_back(k);
  return out;
}

TEST(Schedule, without_a_period_every_step_ticks_from_the_phase_on) {
  EXPECT_EQ(ticks({}, 0.001, 4), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(ticks({.phase = 0.002}, 0.001, 5), (std::vector<int>{2, 3, 4}));
}

TEST(Schedule, multiples_of_the_step_are_met_in_spite_of_round_off) {
  for (const double step : {0.001, 0.1, 1.0 / 3.0, 2.5e-4})
    for (const int every : {2, 3, 7, 10}) {
      const std::vector<int> found = ticks({.period = every * step, .phase = 2 * step}, step, 20000);
      for (std::size_t i = 0; i < found.size(); i++) ASSERT_EQ(found[i], 2 + every * int(i)) << step << " " << every;
    }
}

TEST(Schedule, a_tick_is_the_first_step_at_or_after_its_time) {
  // due at 0.5, 3.0, 5.5, 8.0 steps
  EXPECT_EQ(ticks({.period = 0.0025, .phase = 0.0005}, 0.001, 10), (std::vector<int>{1, 3, 6, 8}));
  // four times a step: one tick each
  EXPECT_EQ(ticks({.period = 0.00025}, 0.001, 4), (std::vector<int>{0, 1, 2, 3}));
}

TEST(Schedule, commands_act_after_the_latency_and_are_held) {
  const Schedule schedule{.period = 0.002, .latency = 0.0035};
  const double step = 0.001;
  std::vector<double> block(std::size_t(delay_size(schedule, step, 1)), 0.0), command{0.0}, seen;
  for (int k = 0; k < 12; k++) {
    const double t = k * step;
    if (is_tick(schedule, k, step)) delay(block, std::vector<double>{10.0 + k}, t + schedule.latency);
    let_through(block, t, step, command);
    seen.push_back(command[0]);
  }
  EXPECT_EQ(seen, (std::vector<double>{0, 0, 0, 0, 10, 10, 12, 12, 14, 14, 16, 16}));
}

TEST(Schedule, without_latency_there_is_nothing_to_remember) {
  EXPECT_EQ(delay_size({.period = 0.01}, 0.001, 5), 0);
  // what is given last, how many wait, and as many as can wait at most
  EXPECT_EQ(delay_size({.period = 0.01, .latency = 0.025}, 0.001, 5), 5 + 1 + (3 + 2) * 6);
}

}  // namespace schedule_test
}  // namespace sinew::sim
