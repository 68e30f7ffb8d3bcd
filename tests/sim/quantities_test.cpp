// The table of quantities: rows are told apart, have units, and each is a signal of some scenario.
#include "sinew/sim/quantities.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sinew/math/check.h"
#include "sinew/sim/signals.h"
#include "sinew/text/load_scenario.h"
#include "tests/support/shipped.h"

namespace sinew::sim {
namespace quantities_test {

TEST(Quantities, rows_are_told_apart_and_have_units) {
  std::set<std::pair<Part, std::string_view>> seen;
  for (const Quantity& q : quantities()) {
    EXPECT_TRUE(seen.insert({q.part, q.name}).second) << q.name << " twice";
    EXPECT_EQ(&quantity_of(q.part, q.name), &q);
    EXPECT_TRUE(q.read) << q.name;
    const bool has_unit =
        !q.unit.empty() || q.part == Part::Plant || q.part == Part::Sensor || q.part == Part::Controller;  // their own
    EXPECT_NE(has_unit, q.unit_of != nullptr) << q.name;
  }
  EXPECT_THROW(quantity_of(Part::Body, "normal"), CallError);
}

// A joint whose servo is a drive with a name.
constexpr const char* servo = R"(
[body.arm]
mass = 1.0
inertia = [0.01, 0.01, 0.01]

[joint.pivot]
kind = "revolute"
child = "arm"

[drive.motor]
kind = "servo"
joint = "pivot"
kp = 10.0
)";

void add_signals_of(const Experiment& experiment, const std::string& name, std::set<const Quantity*>& found) {
  const World<double> world = experiment.world();
  const auto seen = observe(world);
  for (const Signal& s : experiment.signals()) {
    found.insert(s.quantity);
    EXPECT_FALSE(std::isnan(evaluate(s, world, seen))) << name << " " << s.name;
    EXPECT_FALSE(s.unit.empty()) << name << " " << s.name;
    EXPECT_EQ(s.description.find("{}"), std::string::npos) << s.name;
  }
}

TEST(Quantities, each_is_a_signal_of_some_scenario) {
  std::set<const Quantity*> found;
  for (const char* name :
       {"basics/four-bar", "basics/double-pendulum", "quadruped/yaw-on-ground", "softbot/peeling-strip",
        "softbot/limb-pd3", "continuum/soft-gripper", "continuum/arm", "quadruped/walk-sensors", "drive/current-step",
        "drive/force-step", "drive/force-bode", "drive/rotor-alignment", "hexapod/tripod"})
    add_signals_of(test::shipped_experiment(name), name, found);
  add_signals_of(text::parse_experiment(servo, "servo.toml"), "servo", found);
  const Experiment standing = test::shipped_experiment("biped/stand");
  for (const Signal& s : standing.signals()) found.insert(s.quantity);
  for (const Quantity& q : quantities()) EXPECT_TRUE(found.contains(&q)) << int(q.part) << " " << q.name;
}

// An observer that has looked at another moment before, and now at no more than is asked for, says what a look at everything does.
TEST(Quantities, each_asks_for_all_that_it_reads) {
  for (const char* name : {"hexapod/tripod-real", "basics/four-bar", "quadruped/walk-sensors", "drive/force-step",
                           "biped/stand", "softbot/peeling-strip", "continuum/soft-gripper"}) {
    const Experiment experiment = test::shipped_experiment(name);
    const World<double> before = experiment.world();
    World<double> later = before;
    for (int i = 0; i < 5; i++) later.step(experiment.scenario.step);
    const Observation<double> all = observe(later);
    for (const Look look : {Look::Places, Look::Joints, Look::All}) {
      Observer<double> observer(later.model());
      observer.observe(before);
      const Observation<double>& seen = observer.observe(later, look);
      for (const Signal& s : experiment.signals()) {
        if (look_for(s) > look) continue;
        const double value = evaluate(s, later, seen), known = evaluate(s, later, all);
        EXPECT_TRUE(value == known || (std::isnan(value) && std::isnan(known)))
            << name << " " << s.name << " " << int(look);
      }
    }
  }
}

// Before a sole carries anything there is no zero-moment point.
TEST(Quantities, only_the_zero_moment_point_is_no_number_at_first) {
  const Experiment experiment = test::shipped_experiment("biped/stand");
  const World<double> world = experiment.world();
  const auto seen = observe(world);
  for (const Signal& s : experiment.signals())
    EXPECT_EQ(std::isnan(evaluate(s, world, seen)), s.name.starts_with("zmp.p")) << s.name;
}

}  // namespace quantities_test
}  // namespace sinew::sim
