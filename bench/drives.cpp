// Drives: what they add to a step.
//   full     twelve motors with their current loops at 28 kHz, one on each joint of a chain of twelve: a simulated second, steps of 0.5 ms
//   bare     the same chain without drives
//   fast     quadruped/walk with a motor of level "fast" on each of the twelve axes of its legs, strong enough that it walks as before: one
//            step; without dry friction in the motors, and with it, which is twelve more laws in the solver of contacts
//   walk     quadruped/walk as it is: one step
#include <benchmark/benchmark.h>

#include <string>

#include "robots.h"
#include "sinew/model/drives.h"
#include "sinew/sim/experiment.h"
#include "sinew/sim/simulation.h"
#include "sinew/text/load_scenario.h"

namespace sinew::bench {
namespace {

constexpr int count = 12;
constexpr double chain_step = 5e-4;

Plan chain(bool has_drives) {
  Plan plan = pendulums(count);
  if (!has_drives) return plan;
  DrivePlan d = default_drive(drive::Kind::Pmsm);
  d.name = "motor";
  d.joint = "j*";
  d.level = drive::Level::Full;
  d.control = drive::Control::Impedance;
  d.kp = 20.0;
  d.kd = 0.5;
  d.gear = 50.0;
  d.friction = 0.0;
  d.set[drive::command::position] = 0.1;
  plan.drives.push_back(d);
  return plan;
}

void second_of_chain(benchmark::State& state, bool has_drives) {
  World<double> world = make_world(chain(has_drives));
  const World<double> start = world;
  for (auto _ : state) {
    world = start;
    for (int k = 0; k < int(1.0 / chain_step); k++) world.step(chain_step);
    benchmark::DoNotOptimize(world.state.q.data());
  }
}
BENCHMARK_CAPTURE(second_of_chain, full, true)->Name("drives/full")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(second_of_chain, bare, false)->Name("drives/bare")->Unit(benchmark::kMillisecond);

DrivePlan leg_drive(const char* name, const char* joints, double friction) {
  DrivePlan d = default_drive(drive::Kind::Pmsm);
  d.name = name;
  d.joint = joints;
  d.gear = 300.0;
  d.inertia = 0.0;
  d.friction = friction;
  return d;
}

sim::Experiment walk(bool has_drives, double friction) {
  sim::Scenario scenario = text::load_scenario(SINEW_SCENARIO_DIR "/quadruped/walk.toml", "walk");
  if (has_drives) {
    scenario.plan.drives.push_back(leg_drive("hips", "hip*", friction));
    scenario.plan.drives.push_back(leg_drive("knees", "knee*", friction));
  }
  return sim::Experiment(scenario);
}

// From 0.5 s on, when it walks.
void step_of_walk(benchmark::State& state, bool has_drives, double friction) {
  sim::Simulation simulation{walk(has_drives, friction)};
  simulation.step(1000);
  const sim::Progress start = simulation.snapshot();
  int k = 0;
  for (auto _ : state) {
    if (k++ == 2000) {
      state.PauseTiming();
      simulation.restore(start);
      k = 0;
      state.ResumeTiming();
    }
    simulation.advance();
  }
}
BENCHMARK_CAPTURE(step_of_walk, walk, false, 0.0)->Name("drives/walk")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step_of_walk, fast, true, 0.0)->Name("drives/fast")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step_of_walk, fast_dry, true, 3e-3)->Name("drives/fast_dry")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sinew::bench
