// A robot of a file, which the variable SINEW_BENCH_MODEL names: MJCF with position actuators, on legs. Without it there are no such benchmarks.
//   model_load    from the file, without meshes, to a simulation
//   model_stand   it stands for 3 s in steps of 2 ms, after 1 s in which it comes to rest
//   model_walk    it walks by gait.kind = "legs" for 3 s, from 4 s on; the others are told the same angles
// One iteration is a run. Counters: steps, way and height of the trunk [m], steps that are not solved.
#include "model_file.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

#include "sinew/sim/experiment.h"
#include "sinew/text/load_scenario.h"
#include "sinew/world/observe.h"

namespace sinew::bench {

std::string model_file() {
  const char* named = std::getenv("SINEW_BENCH_MODEL");
  return named ? named : "";
}

namespace {

constexpr double run_time = 3.0;

sim::Experiment model_experiment(bool walks) {
  std::string text = fmt::format("[robot]\nfile = \"{}\"\n[integrator]\nstep = {}\n", model_file(), model_step);
  if (walks) text += "[gait]\nkind = \"legs\"\nspeed = 0.08\nperiod = 1.2\n";
  text::LoadOptions options;
  options.model.without_meshes = true;
  return text::parse_experiment(text, "bench.toml", {}, options);
}

class SinewModel : public ModelPeer {
 public:
  explicit SinewModel(bool walks) : experiment_(model_experiment(walks)), world_(experiment_.world()) {}
  void step(double) override { unsolved_ += !world_.step(model_step).converged; }
  double ahead() override { return observe(world_).bodies[0].p_WC[0]; }
  double height() override { return observe(world_).bodies[0].p_WC[2]; }
  int unsolved() const override { return unsolved_; }

 private:
  sim::Experiment experiment_;
  World<double> world_;
  int unsolved_ = 0;
};

void run(benchmark::State& state, const MakeModelPeer& make, bool walks) {
  const std::unique_ptr<ModelPeer> peer = make(walks);
  const int before = int(std::lround((walks ? 4.0 : 1.0) / model_step)),
            steps = int(std::lround(run_time / model_step));
  for (int k = 0; k < before; k++) peer->step(k * model_step);
  const double from = peer->ahead();
  const int unsolved = peer->unsolved();
  for (auto _ : state)
    for (int k = 0; k < steps; k++) peer->step((before + k) * model_step);
  state.counters["steps"] = steps;
  state.counters["way"] = peer->ahead() - from;
  state.counters["height"] = peer->height();
  state.counters["unsolved"] = peer->unsolved() - unsolved;
  if (peer->unsolved() > unsolved)
    state.SkipWithError(fmt::format("{} steps are not certified", peer->unsolved() - unsolved).c_str());
}

void load(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(model_experiment(false).world());
}

[[maybe_unused]] const bool models_added = [] {
  if (model_file().empty()) return false;
  benchmark::RegisterBenchmark("model_load/sinew", load)->Unit(benchmark::kMillisecond);
  add_model_peer("sinew", [](bool walks) { return std::make_unique<SinewModel>(walks); });
  return true;
}();

}  // namespace

double model_target(const std::string& joint, double t, bool walks) {
  static const auto targets = [] {
    std::array<std::map<std::string, Motion<double>>, 2> all;
    for (const bool walking : {false, true}) {
      const sim::Experiment experiment = model_experiment(walking);
      for (const JointPlan& j : experiment.plan().joints)
        if (!j.motion.empty()) all[walking][j.name] = j.motion[0];
    }
    return all;
  }();
  const auto found = targets[walks].find(joint);
  if (found == targets[walks].end()) return 0.0;
  double m, rate, accel;
  found->second.evaluate(t, m, rate, accel);
  return m;
}

void add_model_peer(const char* name, const MakeModelPeer& make) {
  if (model_file().empty()) return;
  for (const bool walks : {false, true})
    benchmark::RegisterBenchmark(fmt::format("model_{}/{}", walks ? "walk" : "stand", name).c_str(),
                                 [make, walks](benchmark::State& state) { run(state, make, walks); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

}  // namespace sinew::bench
