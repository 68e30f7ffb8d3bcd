// Equal balls side by side that fly down at the same speed and touch the ground one after the other, evenly spread over a time:
// with that of one step they meet every phase of it once. Ball i of n touches (i + 1/2) / n of `stagger`
// after `delay`.
#include "robots/bodies/ball.h"
#include "robots/catalog.h"

namespace sinew::robots {
namespace {

struct Impacts : Robot {
  int count = 32;
  double m = 1.0, v = 1.0, radius = 0.05, stagger = 0.001, delay = 0.0;

  void describe(Keys& keys) override {
    keys.integer({"count", "", "balls", {.low = 1, .high = 1000}}, count);
    keys.number({"m", "kg", "of each ball", positive}, m);
    keys.number({"v", "m/s", "downward, of each ball", positive}, v);
    keys.number({"radius", "m", "of each ball", positive}, radius);
    keys.number(
        {"stagger", "s", "time over which the touches are spread: the step, to see all of its phases", not_negative},
        stagger);
    keys.number({"delay", "s", "time before the first of them may touch", not_negative}, delay);
  }

  Plan plan() const override {
    Plan plan;
    plan.gravity.kind = GravityKind::None;
    for (int i = 0; i < count; i++) {
      const double gap = v * (delay + stagger * (i + 0.5) / count);
      add_ball({m, radius, {2.5 * radius * i, 0.0, radius + gap}, {0.0, 0.0, -v}}, plan);
    }
    return plan;
  }

  std::vector<ResultPlan> results() const override { return {{"vz", "body.*.v.z"}}; }
};

}  // namespace

std::unique_ptr<Robot> make_impacts() { return std::make_unique<Impacts>(); }

}  // namespace sinew::robots
