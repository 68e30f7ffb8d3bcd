// The biped.
//   biped_stand  24 kg on two soles, 18 freedoms, held in its stand by a spring and a damper on each of twelve axes, all implicit: 3 s in steps
//                of 1 ms, the same run for every simulator. One iteration is a whole run. Counters: steps, height of the trunk at the end [m], steps that
//                are not solved.
// The biped that walks with its drives, sensors and controller is in whole_runs.cpp.
#include "biped.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>

#include "robots/catalog.h"
#include "sinew/world/observe.h"

namespace sinew::bench {

Plan standing_biped() {
  Plan plan = robots::catalog().make("biped")->plan();
  plan.memory.clear();  // of its controller, which is not here
  return plan;
}

namespace {

constexpr double stand_time = 3.0;

class SinewBiped : public BipedPeer {
 public:
  SinewBiped() : world_(make_world(standing_biped())), trunk_(world_.model().body("trunk")) {}
  void step() override { unsolved_ += !world_.step(biped_step).converged; }
  std::array<double, 3> place() override {
    const Vec3d p = observe(world_).bodies[std::size_t(trunk_)].p_WC;
    return {p[0], p[1], p[2]};
  }
  int unsolved() const override { return unsolved_; }

 private:
  World<double> world_;
  int trunk_, unsolved_ = 0;
};

void stand(benchmark::State& state, const MakeBipedPeer& make) {
  const std::unique_ptr<BipedPeer> peer = make();
  const int steps = int(std::lround(stand_time / biped_step));
  for (auto _ : state)
    for (int k = 0; k < steps; k++) peer->step();
  const double height = peer->place()[2];
  state.counters["steps"] = steps;
  state.counters["height"] = height;
  state.counters["unsolved"] = peer->unsolved();
  if (!(height > 0.9 && height < 1.1))
    state.SkipWithError(fmt::format("it does not stand: its trunk is {} m high", height).c_str());
  else if (peer->unsolved() > 0)
    state.SkipWithError(fmt::format("{} steps are not certified", peer->unsolved()).c_str());
}

[[maybe_unused]] const bool biped_added = [] {
  add_biped_peer("sinew", [] { return std::make_unique<SinewBiped>(); });
  return true;
}();

}  // namespace

void add_biped_peer(const char* name, const MakeBipedPeer& make) {
  benchmark::RegisterBenchmark(fmt::format("biped_stand/{}", name).c_str(),
                               [make](benchmark::State& state) { stand(state, make); })
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace sinew::bench
