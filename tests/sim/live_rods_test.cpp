// Rods whose numbers are changed on the way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "sinew/sim/errors.h"
#include "sinew/sim/run.h"
#include "sinew/sim/signals.h"
#include "tests/support/shipped.h"

namespace sinew::sim {
namespace live_rods_test {

Experiment load(const std::string& name, const std::vector<std::string>& sets = {}) {
  return sinew::test::shipped_experiment(name, sets);
}

std::string words_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::size_t> set(Simulation& s, const std::string& key, double value) {
  return s.set(std::vector<Simulation::Change>{{key, value}});
}

double signal(Simulation& s, const std::string& name) {
  const auto signals = signals_of(s.world().model());
  return evaluate(signals[find_signals(signals, name).at(0)], s.world(), s.seen());
}

// Changed at the start it is a rod of that modulus; changed on the way, its energy with the new modulus stays.
TEST(Simulation, a_soft_rod_goes_on_with_another_modulus) {
  for (const char* method : {"rk4", "generalized-alpha"}) {
    const std::string by = fmt::format("integrator.method={}", method);
    Simulation changed(load("continuum/soft-release", {by})), soft(load("continuum/soft-release", {by}));
    Simulation stiff(load("continuum/soft-release", {by, "robot.E=2e6"}));
    ASSERT_EQ(set(changed, "robot.E", 2e6).size(), 1u);
    for (Simulation* s : {&changed, &soft, &stiff}) ASSERT_FALSE(s->step(200));
    EXPECT_NEAR(signal(changed, "rod.tip.y"), signal(stiff, "rod.tip.y"), 1e-12) << method;
    EXPECT_GT(std::abs(signal(changed, "rod.tip.y") - signal(soft, "rod.tip.y")), 1e-3) << method;
    const double before = soft.balance_error();
    set(soft, "robot.E", 2e6);
    EXPECT_NEAR(soft.balance_error(), before, 1e-12) << method;
    ASSERT_FALSE(soft.step(200));
    const double scale = soft.seen().energy.kinetic + soft.seen().energy.elastic;
    EXPECT_LT(std::abs(soft.balance_error() - before), 1e-5 * scale) << method;
  }
}

TEST(Simulation, loads_of_a_rod_with_given_strain_change_on_the_way) {
  Simulation simulation(load("continuum/eel"));
  ASSERT_FALSE(simulation.step(200));
  const auto changed = set(simulation, "robot.head_force[0]", 0.05);
  EXPECT_EQ(changed.size(), 1u);
  ASSERT_FALSE(simulation.step(100));
  EXPECT_LT(std::abs(simulation.balance_error()), 1e-3);
}

TEST(Simulation, a_load_that_was_found_at_the_start_forbids_changes) {
  const std::vector<std::string> held{"robot.start=rest", "robot.tip_hold=[\"y\"]",
                                      "robot.tip_place=[0.0, -0.05, 0.0]"};
  Simulation simulation(load("continuum/soft-release", held));
  EXPECT_NE(
      words_of([&] { set(simulation, "robot.E", 2e6); }).find("(tip_hold): start again with --set robot.E=2000000"),
      std::string::npos);
}

}  // namespace live_rods_test
}  // namespace sinew::sim
