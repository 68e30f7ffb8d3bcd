#include "sinew/sim/describe_bridge.h"

#include <fmt/format.h>

namespace sinew::sim {

void describe_bridge(Keys& keys, BridgePlan& plan) {
  const Table table(keys, "bridge", "of sinew bridge: how a controller in another process is coupled to the robot");
  keys.number({"delay",
               "1",
               "timed: part of a cycle from the moment references act until sensors are sampled, below 1",
               {.low = 0.0, .high = 0.99}},
              plan.delay);
  keys.integer({"watchdog",
                "",
                "timed: cycles in a row without references after which drives go into the safe state",
                {.low = 1, .high = 1000}},
               plan.watchdog);
  int safe = int(plan.safe);
  keys.choice({"safe", "", "the safe state; zero: no torque, drives with loops brake; hold: what was told last"},
              safe_state_names, safe);
  plan.safe = SafeState(safe);
  keys.number({"loss", "1", "timed: share of the controller's packets that get lost", {.low = 0.0, .high = 1.0}},
              plan.loss);
  keys.numbers({"lost_from", "s", "timed: from when on all of them get lost, as often as wanted", not_negative}, {},
               plan.lost_from);
  keys.numbers({"lost_until", "s", "timed: until when they do", not_negative}, {}, plan.lost_until);
  if (plan.lost_from.size() != plan.lost_until.size()) {
    keys.reject("lost_until",
                fmt::format("{} times stand against {} of lost_from", plan.lost_until.size(), plan.lost_from.size()),
                "give one end for each begin");
    plan.lost_from.clear();
    plan.lost_until.clear();
  }
  for (std::size_t i = 0; i < plan.lost_from.size(); i++)
    if (!(plan.lost_from[i] < plan.lost_until[i]))
      keys.reject("lost_until", fmt::format("{:g} s is not after {:g} s", plan.lost_until[i], plan.lost_from[i]),
                  "give ends that come after their begins");
  keys.number({"late", "s", "timed: packets come late by up to this, drawn evenly", {.low = 0.0, .high = 0.1}},
              plan.late);
}

}  // namespace sinew::sim
