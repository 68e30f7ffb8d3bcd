// Strain-driven rods: ten seconds of the continuous snakes of the continuum spec (9.3, 9.6), with the wrenches inside at every step, and
// passes along rods of 25 to 400 cells. Before anything is timed, the head's place after ten seconds must agree with that of a fine
// run to 1e-6 of the way. With 34 cells, 20 for each wavelength, the couple inside then has an error of 1e-4 of its largest value
// (the counter couple_error); 112 cells bring it to 1e-6.
#include <benchmark/benchmark.h>

#include <cmath>

#include "sinew/rod/gaits.h"
#include "sinew/rod/kinematic.h"
#include "sinew/rod/schedules.h"

namespace sinew::bench {
namespace {

using namespace sinew::rod;

constexpr double duration = 10.0, way = 5.0;

SnakeGait gait() {
  SnakeGait g;
  g.b = 2.5, g.b_y = 0.5;
  return g;
}

template <class G>
Rod<G> snake_rod(int N) {
  return {circular<G>(1000.0, 0.02), 0.02, snake_law<G>({1.0, N}, gait()), {}, Scheme::Magnus};
}

template <class G>
std::shared_ptr<const Engine> snake(int N) {
  KinematicPlan<G> k;
  k.rod = snake_rod<G>(N);
  k.looks.X_profile = {0.4}, k.looks.slots = 5, k.couple_length = 0.02;
  k.contacts =
      supports<G>({.C = {0.1, 0.3, 0.5, 0.7, 0.9}, .t_C = 2.0, .period = 1.0, .side = {}, .mu = {}}, gait(), 1.0);
  k.connect = Connect::Shape;
  return make_kinematic(std::move(k));
}

struct End {
  double x, y, couple;
};
End run(const Engine& engine, double dt, Scratch& scratch, std::vector<double>& state, bool look) {
  EnginePower work;
  engine.start(state);
  const int steps = int(std::lround(duration / dt));
  for (int k = 0; k < steps; k++) engine.step("rk4", k * dt, dt, state, work, scratch);
  if (!look) return {};
  std::vector<double> out(engine.readings().size());
  engine.read(duration, state, out, scratch);
  double couple = 0.0;
  for (std::size_t i = 0; i < out.size(); i++)
    if (engine.readings()[i].name == "M_z.0") couple = out[i];
  return {state[0], state[1], couple};
}

template <class G>
End run(int N, double dt) {
  const auto engine = snake<G>(N);
  const auto scratch = engine->make_scratch();
  std::vector<double> state(engine->state_size());
  return run(*engine, dt, *scratch, state, true);
}

// `cells`: N, `dt`: the step in milliseconds.
template <class G>
void rod_snake(benchmark::State& bench) {
  const int N = int(bench.range(0));
  const double dt = double(bench.range(1)) * 1e-3;
  const End exact = run<G>(400, 0.005), got = run<G>(N, dt);
  const double wrong = std::hypot(got.x - exact.x, got.y - exact.y) / way;
  if (!(wrong < 1e-6)) bench.SkipWithError("the head is not where it should be");
  const auto engine = snake<G>(N);
  const auto scratch = engine->make_scratch();
  std::vector<double> state(engine->state_size());
  for (auto _ : bench) benchmark::DoNotOptimize(run(*engine, dt, *scratch, state, false));
  bench.counters["simulated_s"] = duration;
  bench.counters["error"] = wrong;
  bench.counters["couple_error"] = std::abs(got.couple - exact.couple) / 0.035;
}
BENCHMARK(rod_snake<Plane>)->Name("rod_snake/plane")->Args({34, 50})->Args({112, 50})->Unit(benchmark::kMillisecond);
BENCHMARK(rod_snake<Space>)->Name("rod_snake/space")->Args({34, 50})->Args({112, 50})->Unit(benchmark::kMillisecond);

template <class G>
void rod_pass(benchmark::State& bench) {
  const auto rod = snake_rod<G>(int(bench.range(0)));
  Workspace<G> work(rod);
  double t = 4.0;
  for (auto _ : bench) {
    t += 1e-3;  // another time: the table is filled anew
    benchmark::DoNotOptimize(sweep(rod, t, G::identity(), G::Twist::zero(), Depth::Powers, work));
  }
}
BENCHMARK(rod_pass<Plane>)->Name("rod_pass/plane")->RangeMultiplier(2)->Range(25, 400)->Unit(benchmark::kMicrosecond);
BENCHMARK(rod_pass<Space>)->Name("rod_pass/space")->RangeMultiplier(2)->Range(25, 400)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sinew::bench
