#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/control/cycle_timing.h"
#include "sinew/sim/errors.h"
#include "tests/bridge/robots.h"

namespace sinew::bridge {
namespace keys_test {

using ::testing::HasSubstr;

std::string error_with(const std::string& name, const std::vector<std::string>& sets) {
  try {
    test::load(name, sets);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(BridgeKeys, that_mean_nothing_are_refused_by_name) {
  EXPECT_THAT(error_with("basics/pendulum", {"bridge.lost_from=[1, 2]", "bridge.lost_until=[1.5]"}),
              HasSubstr("1 times stand against 2 of lost_from"));
  EXPECT_THAT(error_with("basics/pendulum", {"bridge.lost_from=[1, 4]", "bridge.lost_until=[2, 3]"}),
              HasSubstr("3 s is not after 4 s"));
  EXPECT_THAT(error_with("basics/pendulum", {"bridge.delay=1"}), HasSubstr("bridge.delay"));
  EXPECT_THAT(error_with("basics/pendulum", {"bridge.watchdog=0"}), HasSubstr("bridge.watchdog"));
  EXPECT_THAT(error_with("basics/pendulum", {"bridge.safe=off"}), HasSubstr("bridge.safe"));
  EXPECT_THAT(error_with("basics/pendulum", {"bridge.loss=1.5"}), HasSubstr("bridge.loss"));
  EXPECT_THAT(error_with("bridge/timing", {"t_c=0.002"}), HasSubstr("do not fit in"));
  EXPECT_THAT(error_with("bridge/timing", {"t_delay=0.001"}), HasSubstr("no part of the cycle"));
}

// The equations of docs/bridge.md#timing against packets that are followed one by one.
TEST(CycleTiming, is_that_of_the_equations_wherever_the_sample_is_ready_in_time) {
  for (const double T : {1e-4, 5e-4, 1e-3, 1e-2})
    for (const double delay : {0.0, 0.3, 0.5, 0.9})
      for (const double t_c : {0.0, 0.2, 0.6}) {
        const CycleTiming c{T, delay * T, t_c * T, 0.05 * T};
        const CycleTimes found = follow_cycles(c, 200, 1);
        EXPECT_NEAR(found.age_min, 2.0 * T - c.t_delay - c.t_c - c.t_w, 1e-12);
        EXPECT_NEAR(found.age_max, found.age_min, 1e-12);
        EXPECT_NEAR(found.dead_min, 2.0 * T - c.t_delay, 1e-12);
        EXPECT_EQ(found.cycles_min, 2);
        EXPECT_EQ(found.cycles_max, 2);
      }
}

// A sample so late that jitter lets a packet pass before it goes with the next one: a cycle is lost now and then.
TEST(CycleTiming, a_sample_too_late_for_the_jitter_misses_its_packet) {
  const CycleTimes found = follow_cycles({1e-3, 0.995e-3, 2e-4, 5e-5, 2e-5}, 5000, 1);
  EXPECT_EQ(found.cycles_min, 2);
  EXPECT_EQ(found.cycles_max, 3);
}

}  // namespace keys_test
}  // namespace sinew::bridge
