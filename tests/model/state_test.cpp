#include "sinew/model/state.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "sinew/model/compile.h"
#include "tests/support/bits.h"
#include "tests/support/dice.h"

namespace sinew {
namespace state_test {

State<double> random_state(std::uint64_t seed) {
  support::Dice dice(seed);
  State<double> s;
  s.t = dice.between(0, 10);
  s.steps = dice.below(1000);
  s.q = dice.numbers(5, -1, 1);
  s.u = dice.numbers(4, -1, 1);
  s.work = {dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)};
  return s;
}

TEST(StateHash, equal_states_have_equal_hashes) {
  for (std::uint64_t seed = 0; seed < 100; seed++) {
    const State<double> a = random_state(seed), b = random_state(seed), copy = a;
    EXPECT_EQ(hash(a), hash(b));
    EXPECT_EQ(hash(a), hash(copy));
  }
}

TEST(StateHash, any_single_bit_of_the_state_changes_it) {
  const State<double> state = random_state(1);
  std::set<std::uint64_t> seen{hash(state)};
  const auto flip = [](double& x, int bit) {
    x = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ (std::uint64_t(1) << bit));
  };
  std::size_t changes = 0;
  for (int bit = 0; bit < 64; bit++) {
    const auto try_one = [&](auto&& change) {
      State<double> other = state;
      change(other);
      seen.insert(hash(other));
      changes++;
    };
    try_one([&](auto& s) { flip(s.t, bit); });
    try_one([&](auto& s) { s.steps = std::int64_t(std::uint64_t(s.steps) ^ (std::uint64_t(1) << bit)); });
    for (int i = 0; i < 5; i++) try_one([&](auto& s) { flip(s.q[i], bit); });
    for (int i = 0; i < 4; i++) try_one([&](auto& s) { flip(s.u[i], bit); });
    try_one([&](auto& s) { flip(s.work.actuators, bit); });
    try_one([&](auto& s) { flip(s.work.external, bit); });
    try_one([&](auto& s) { flip(s.work.damping, bit); });
    try_one([&](auto& s) { flip(s.work.start, bit); });
  }
  EXPECT_EQ(seen.size(), changes + 1);  // all different from the state and from each other
}

TEST(StateHash, exchanged_entries_change_it) {
  const State<double> state = random_state(2);
  State<double> other = state;
  std::swap(other.q[0], other.q[1]);
  EXPECT_NE(hash(other), hash(state));
  other = state;
  std::swap(other.q[4], other.u[0]);
  EXPECT_NE(hash(other), hash(state));
}

TEST(StateHash, of_a_lane_is_that_of_the_robot_alone) {
  const State<double> state = random_state(3);
  State<Lanes> wide = broadcast<Lanes>(state);
  wide.q[2].set(0, 99.0);
  EXPECT_NE(hash(wide, 0), hash(state));
  for (int i = 1; i < lane_count; i++) EXPECT_EQ(hash(wide, i), hash(state));
}

TEST(Broadcast, puts_the_same_state_in_every_lane) {
  const State<double> state = random_state(4);
  const State<Lanes> wide = broadcast<Lanes>(state);
  EXPECT_EQ(wide.t, state.t);
  EXPECT_EQ(wide.steps, state.steps);
  for (int i = 0; i < lane_count; i++) {
    for (std::size_t k = 0; k < state.q.size(); k++) EXPECT_TRUE(support::same_bits(wide.q[k], i, state.q[k]));
    for (std::size_t k = 0; k < state.u.size(); k++) EXPECT_TRUE(support::same_bits(wide.u[k], i, state.u[k]));
    EXPECT_TRUE(support::same_bits(wide.work.start, i, state.work.start));
  }
}

}  // namespace state_test
}  // namespace sinew
