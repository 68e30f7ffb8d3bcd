// The broad phase: boxes of equal size at equal density, as in a heap of spheres. Goal: the grid's time grows with at most the power
// 1.2 of their number from 100 to 10 000.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "sinew/contact/culling.h"

namespace {

using namespace sinew;

std::vector<Aabb> heap(int n) {
  std::mt19937 random(1);
  const double edge = 0.1, spread = 0.5 * std::cbrt(n / 0.6) * edge;  // as dense as spheres lie
  std::uniform_real_distribution<double> place(-spread, spread);
  std::vector<Aabb> boxes;
  for (int i = 0; i < n; i++) {
    const Vec3d p(place(random), place(random), place(random)), half(edge / 2, edge / 2, edge / 2);
    boxes.push_back({p - half, p + half});
  }
  return boxes;
}

void cull(benchmark::State& state, Culling how) {
  const std::vector<Aabb> boxes = heap(int(state.range(0)));
  CullPhase phase(int(boxes.size()));
  std::size_t pairs = 0;
  for (auto _ : state) pairs = phase.overlaps(boxes, how).size();
  state.counters["pairs"] = double(pairs);
  state.counters["ns_per_box"] = benchmark::Counter(
      double(boxes.size()) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.SetComplexityN(state.range(0));
}

BENCHMARK_CAPTURE(cull, grid, Culling::Grid)
    ->Name("culling/grid")
    ->RangeMultiplier(10)
    ->Range(100, 10000)
    ->Complexity();
BENCHMARK_CAPTURE(cull, sweep, Culling::Sweep)
    ->Name("culling/sweep")
    ->RangeMultiplier(10)
    ->Range(100, 10000)
    ->Complexity();

}  // namespace
