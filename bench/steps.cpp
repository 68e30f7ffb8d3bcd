// One step of hanging chains of 8 to 512 links, in tree and in maximal coordinates: how the cost grows.
#include <benchmark/benchmark.h>

#include "robots.h"
#include "sinew/world/world.h"

namespace sinew::bench {
namespace {

void step(benchmark::State& state, Coordinates coordinates) {
  Plan plan = chain(int(state.range(0)));
  for (JointPlan& joint : plan.joints) joint.position = {0.05, 0.02};
  World<double> world = make_world(plan, {coordinates, "moreau"});
  const State<double> start = world.state;
  for (auto _ : state) {
    world.state = start;  // the same step each time
    benchmark::DoNotOptimize(world.step(1e-3));
  }
  state.counters["robots"] = 1;
}

BENCHMARK_CAPTURE(step, tree, Coordinates::Tree)->RangeMultiplier(2)->Range(8, 512)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, maximal, Coordinates::Maximal)
    ->RangeMultiplier(2)
    ->Range(8, 512)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sinew::bench
