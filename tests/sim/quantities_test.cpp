// The table of quantities: rows are told apart, have units, and each is a signal of some scenario.
#include "sinew/sim/quantities.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sinew/math/check.h"
#include "sinew/sim/signals.h"
#include "tests/support/shipped.h"

namespace sinew::sim {
namespace quantities_test {

TEST(Quantities, rows_are_told_apart_and_have_units) {
  std::set<std::pair<Part, std::string_view>> seen;
  for (const Quantity& q : quantities()) {
    EXPECT_TRUE(seen.insert({q.part, q.name}).second) << q.name << " twice";
    EXPECT_EQ(&quantity_of(q.part, q.name), &q);
    EXPECT_TRUE(q.read) << q.name;
    const bool has_unit = !q.unit.empty() || q.part == Part::Plant || q.part == Part::Sensor;  // their own
    EXPECT_NE(has_unit, q.unit_of != nullptr) << q.name;
  }
  EXPECT_THROW(quantity_of(Part::Body, "normal"), CallError);
}

TEST(Quantities, each_is_a_signal_of_some_scenario) {
  std::set<const Quantity*> found;
  for (const char* name : {"basics/four-bar", "quadruped/yaw-on-ground", "softbot/peeling-strip", "softbot/limb-pd3",
                           "continuum/soft-gripper", "continuum/arm", "quadruped/walk-sensors", "drive/current-step",
                           "drive/force-step", "drive/force-bode"}) {
    const Experiment experiment = test::shipped_experiment(name);
    const World<double> world = experiment.world();
    const auto seen = observe(world);
    for (const Signal& s : experiment.signals()) {
      found.insert(s.quantity);
      EXPECT_FALSE(std::isnan(evaluate(s, world, seen))) << name << " " << s.name;
      EXPECT_FALSE(s.unit.empty()) << name << " " << s.name;
      EXPECT_EQ(s.description.find("{}"), std::string::npos) << s.name;
    }
  }
  for (const Quantity& q : quantities()) EXPECT_TRUE(found.contains(&q)) << int(q.part) << " " << q.name;
}

}  // namespace quantities_test
}  // namespace sinew::sim
