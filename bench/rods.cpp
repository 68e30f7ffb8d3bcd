// Strain-driven rods: ten seconds of the continuous snakes of docs/theory/rods.md#gaits, which turn in the middle, with the
// wrenches inside at every step; and passes along rods of 25 to 400 cells. Before anything is timed the run is compared with a fine one
// ten times a second: the head's place (error, of the 5 m of its way) and the couples at four sections (couple_error, of the
// largest couple at that time); both must be below 1e-6.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

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
  return {circular<G>(1000.0, 0.02), 0.02, snake_law<G>({1.0, N, 5}, gait()), {}, Scheme::Fine};
}

template <class G>
std::shared_ptr<const SectionPlant> snake(int N) {
  KinematicPlan<G> k;
  k.rod = snake_rod<G>(N);
  k.looks.X_profile = {0.2, 0.4, 0.6, 0.8}, k.looks.slots = 5, k.couple_length = 0.02;
  k.contacts =
      supports<G>({.C = {0.1, 0.3, 0.5, 0.7, 0.9}, .t_C = 2.0, .period = 1.0, .side = {}, .mu = {}}, gait(), 1.0);
  k.connect = Connect::Shape;
  return make_kinematic(std::move(k));
}

struct Moment {
  Vec3d place;
  std::vector<double> couples;
};
void run(const SectionPlant& plant, double dt, Scratch& scratch, std::vector<double>& state,
         std::vector<Moment>* moments) {
  PlantPower work;
  std::vector<double> out(plant.readings().size());
  plant.start(state);
  const int steps = int(std::lround(duration / dt)), stride = int(std::lround(0.1 / dt));
  for (int k = 1; k <= steps; k++) {
    plant.advance({"rk4", (k - 1) * dt, dt}, state, work, scratch);
    if (!moments || k % stride != 0) continue;
    plant.read(k * dt, {}, state, out, scratch);
    Moment m{{state[0], state[1], state.size() > 9 ? state[2] : 0.0}, {}};
    for (std::size_t i = 0; i < out.size(); i++) {
      const std::string& name = plant.readings()[i].name;  // M_x.0 ... M_z.3
      if (name.size() == 5 && name.starts_with("M_") && name[3] == '.') m.couples.push_back(out[i]);
    }
    moments->push_back(m);
  }
}

template <class G>
std::vector<Moment> moments(int N, double dt) {
  const auto plant = snake<G>(N);
  const auto scratch = plant->make_scratch();
  std::vector<double> state(plant->state_size());
  std::vector<Moment> out;
  run(*plant, dt, *scratch, state, &out);
  return out;
}

// `cells`: N, `dt`: the step in milliseconds.
template <class G>
void rod_snake(benchmark::State& bench) {
  const int N = int(bench.range(0));
  const double dt = double(bench.range(1)) * 1e-3;
  const auto exact = moments<G>(200, 0.0125), got = moments<G>(N, dt);
  double wrong = 0.0, couple_wrong = 0.0;
  for (std::size_t k = 0; k < exact.size(); k++) {
    double largest = 0.0, off = 0.0;
    for (std::size_t i = 0; i < exact[k].couples.size(); i++)
      largest = std::max(largest, std::abs(exact[k].couples[i])),
      off = std::max(off, std::abs(got[k].couples[i] - exact[k].couples[i]));
    wrong = std::max(wrong, norm(got[k].place - exact[k].place) / way),
    couple_wrong = std::max(couple_wrong, off / largest);
  }
  if (!(wrong < 1e-6)) bench.SkipWithError("the head is not where it should be");
  if (!(couple_wrong < 1e-6)) bench.SkipWithError("the couples are not what they should be");
  const auto plant = snake<G>(N);
  const auto scratch = plant->make_scratch();
  std::vector<double> state(plant->state_size());
  for (auto _ : bench) {
    run(*plant, dt, *scratch, state, nullptr);
    benchmark::DoNotOptimize(state.data());
  }
  bench.counters["simulated_s"] = duration;
  bench.counters["error"] = wrong;
  bench.counters["couple_error"] = couple_wrong;
}
BENCHMARK(rod_snake<Plane>)->Name("rod_snake/plane")->Args({80, 50})->Unit(benchmark::kMillisecond);
BENCHMARK(rod_snake<Space>)->Name("rod_snake/space")->Args({80, 50})->Unit(benchmark::kMillisecond);

template <class G>
void rod_pass(benchmark::State& bench) {
  const auto rod = snake_rod<G>(int(bench.range(0)));
  Workspace<G> work(rod);
  double t = 4.0;
  for (auto _ : bench) {
    t += 1e-3;  // another time: the table is filled anew
    benchmark::DoNotOptimize(pass_along(rod, t, G::identity(), G::Twist::zero(), Depth::Powers, work));
  }
}
BENCHMARK(rod_pass<Plane>)->Name("rod_pass/plane")->RangeMultiplier(2)->Range(25, 400)->Unit(benchmark::kMicrosecond);
BENCHMARK(rod_pass<Space>)->Name("rod_pass/space")->RangeMultiplier(2)->Range(25, 400)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sinew::bench
