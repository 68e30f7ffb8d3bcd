// Soft rods (case P5, and the same rod a thousand times stiffer), with stretch and shear: processor time for one second. Goals: at most
// 0.008 s, and 0.02 s for the stiff one, with the tip within 1 % of the length of the converged solution at 0.1, 0.5 and 1 s; the
// cost of a residual grows with the power 1 of the cells. `off` is the largest distance over the length.
#include "soft_rods.h"

#include <benchmark/benchmark.h>

#include <algorithm>

#include "sinew/rod/soft_plant.h"

namespace sinew::bench {
namespace {

rod::SoftPlan plan_of(const SoftCase& c, int bending, int others, int cells) {
  const double A = c.area(), I = c.moment(), G = c.E / 3.0, shear = 27.0 / 28.0 * G * A;
  rod::SoftPlan p;
  p.length = c.length, p.radius = c.radius, p.cells = cells, p.gravity = Vec3d(0, -c.gravity, 0);
  p.inertia = {c.density * A, c.density * A, c.density * A, 2 * c.density * I, c.density * I, c.density * I};
  p.stiffness = {c.E * A, shear, shear, 2 * G * I, c.E * I, c.E * I};
  for (const int component : {0, 1}) rod::add_legendre(p.modes, component, {c.length}, others);
  rod::add_legendre(p.modes, 5, {c.length}, bending);
  return p;
}

// Tips after 0.1, 0.5 and 1 s. False: a step failed.
bool fall(const rod::Soft<rod::Plane>& plant, double dt, SoftTip* tips, Scratch& scratch, std::vector<double>& state,
          std::vector<double>& out) {
  plant.start(state);
  PlantPower work;
  const long n = std::lround(1.0 / dt);
  for (long k = 0; k < n; k++) {
    const StepReport r = plant.advance({"generalized-alpha", double(k) * dt, dt}, state, work, scratch);
    if (!r.finite || !r.converged) return false;
    if (k + 1 == n / 10 || k + 1 == n / 2 || k + 1 == n) {
      plant.read(double(k + 1) * dt, {}, state, out, scratch);
      *tips++ = {out[9], out[10]};  // after place, turn and twist of the head
    }
  }
  return true;
}

}  // namespace

bool exact_tips(const SoftCase& c, bool bends_only, double step, SoftTip (&tips)[3]) {
  rod::SoftPlan fine = plan_of(c, 7, bends_only ? 0 : 5, 24);
  fine.tolerance = 1e-10;
  const rod::Soft<rod::Plane> plant(fine);
  std::vector<double> s(plant.state_size()), out(plant.readings().size());
  const auto scratch = plant.make_scratch();
  return fall(plant, step, tips, *scratch, s, out);
}

namespace {

void soft_rod(benchmark::State& state, double E, double dt, double fine_dt) {
  const SoftCase c{.E = E};
  SoftTip exact[3], tips[3];
  if (!exact_tips(c, false, fine_dt, exact)) state.SkipWithError("the fine solution failed");
  const rod::Soft<rod::Plane> plant(plan_of(c, 4, 2, 6));
  std::vector<double> s(plant.state_size()), out(plant.readings().size());
  const auto scratch = plant.make_scratch();
  for (auto _ : state)
    if (!fall(plant, dt, tips, *scratch, s, out)) state.SkipWithError("a step failed");
  double off = 0.0;
  for (int k = 0; k < 3; k++)
    off = std::max(off, std::hypot(tips[k].x - exact[k].x, tips[k].y - exact[k].y) / c.length);
  state.counters["off"] = off;
  if (off > 0.01) state.SkipWithError("the tip is more than 1 % off");
}
BENCHMARK_CAPTURE(soft_rod, soft, 1e6, 2e-3, 5e-5)->Name("soft_rod/P5")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(soft_rod, stiff, 1e9, 5e-4, 1e-5)->Name("soft_rod/P5_stiff")->Unit(benchmark::kMillisecond);

void residual(benchmark::State& state) {
  const auto m = rod::build_soft_model<rod::Plane>(plan_of({}, 4, 2, int(state.range(0))));
  rod::SoftScratch<rod::Plane> w(m);
  const std::vector<double> q(m.nq, 0.1), v(m.nv, 0.2), a(m.nv, 0.3);
  std::vector<double> r(m.nv);
  for (auto _ : state) {
    rod::inverse_dynamics(m, {0.0, m.base, q.data(), v.data(), a.data()}, w, r.data());
    benchmark::DoNotOptimize(r.data());
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(residual)->Name("soft_rod/residual")->RangeMultiplier(4)->Range(8, 2048)->Complexity();

}  // namespace
}  // namespace sinew::bench
