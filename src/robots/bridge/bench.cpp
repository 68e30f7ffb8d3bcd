// Test bench of the bridge's timing: a controller and a device exchange packets event by event; how old data are is counted, not computed from a
// formula (control/cycle_timing.h).
#include <fmt/format.h>

#include "robots/catalog.h"
#include "sinew/control/cycle_timing.h"
#include "sinew/model/describe_tools.h"

namespace sinew::robots {
namespace {

struct BridgeBench : Robot {
  CycleTiming timing;
  int cycles = 5000;

  void describe(Keys& keys) override {
    keys.number({"T", "s", "cycle", {.low = 1e-5, .high = 1.0}}, timing.T);
    keys.number({"t_delay", "s", "from the effect of references until sensors are sampled", not_negative},
                timing.t_delay);
    keys.number({"t_c", "s", "that the controller computes", not_negative}, timing.t_c);
    keys.number({"t_w", "s", "that a packet is under way", not_negative}, timing.t_w);
    keys.number({"jitter", "s", "by which cycles of the controller begin late at most, drawn evenly", not_negative},
                timing.jitter);
    keys.integer({"exchanges", "", "that are looked at", {.low = 1, .high = 10000000}}, cycles);
    if (timing.t_c + timing.t_w + timing.jitter >= timing.T) {
      keys.reject("T",
                  fmt::format("t_c + t_w + jitter = {:g} s do not fit in", timing.t_c + timing.t_w + timing.jitter),
                  "give a longer cycle");
      timing = {};
    }
    if (timing.t_delay >= timing.T) {
      keys.reject("t_delay",
                  fmt::format("sensors are sampled {:g} s after, which is no part of the cycle", timing.t_delay),
                  fmt::format("give less than T = {:g}", timing.T));
      timing.t_delay = 0.5 * timing.T;
    }
  }

  bool is_bench() const override { return true; }
  Plan plan() const override { return {}; }

  std::vector<Measurement> measure(std::uint64_t seed) const override {
    const CycleTimes found = follow_cycles(timing, cycles, seed);
    return {{"sensor_age_at_use", "s", {found.age_mean}, true},
            {"sample_to_actuation", "s", {found.dead_mean}, true},
            {"cycles", "1", {double(found.cycles_min), double(found.cycles_max)}, true},
            {"min", "s", {found.age_min}, true},
            {"max", "s", {found.age_max}, true}};
  }
};

}  // namespace

std::unique_ptr<Robot> make_bridge_bench() { return std::make_unique<BridgeBench>(); }

}  // namespace sinew::robots
