// One whole certified step with contacts: a straight chain of 11 links on the ground, 22 contacts, and longer ones; Siconos'
// solver on the same matrix (the time to make the matrix is not counted).
#include <benchmark/benchmark.h>

#include "robots.h"
#include "sinew/step/laws.h"
#include "sinew/step/smooth.h"
#include "sinew/world/world.h"
#ifdef SINEW_SICONOS
#include "tests/support/siconos.h"
#endif

namespace sinew::bench {
namespace {

constexpr double dt = 2.5e-4;

void step(benchmark::State& state, int links) {
  World<double> world = make_world(lying_snake(links));
  for (int k = 0; k < 100; k++) world.step(dt);
  for (auto _ : state)
    if (!world.step(dt).converged) state.SkipWithError("a step was not certified");
  state.counters["robots"] = 1;
}
void one(benchmark::State& state) { step(state, 11); }
void growing(benchmark::State& state) { step(state, int(state.range(0))); }
BENCHMARK(one)->Name("contact_step/lying22/sinew")->Unit(benchmark::kMicrosecond);
BENCHMARK(growing)->Name("contact_growth/tree")->RangeMultiplier(2)->Range(11, 352)->Unit(benchmark::kMicrosecond);

void lanes(benchmark::State& state) {
  World<Lanes> world = widen(make_world(lying_snake(11)));
  for (int k = 0; k < 100; k++) world.step(dt);
  for (auto _ : state)
    if (!world.step(dt).converged) state.SkipWithError("a step was not certified");
  state.counters["robots"] = lane_count;
}
BENCHMARK(lanes)->Name("contact_step/lying22/lanes")->Unit(benchmark::kMicrosecond);

#ifdef SINEW_SICONOS
DenseProblem problem_of(const Plan& plan) {
  Plan by_matrix = plan;
  by_matrix.contact.options.solver = ContactSolver::Newton;
  World<double> world = make_world(by_matrix);
  Workspace<double> ws(world.model());
  accelerations(world.model(), world.params, world.input, {0.0, world.state.q.data(), world.state.u.data()}, ws);
  prescribe(world.model(), world.params, dt, ws.driven_E);
  gather(world.model(), world.params, world.state, world.state.q.data(), {dt}, ws);
  for (int i = 0; i < world.model().nu; i++) ws.u[i] = world.state.u[i] + dt * ws.u_rate[i];
  solve_laws_by_responses(world.model(), world.params, true, ws.u.data(), ws);
  return ws.delassus.problem;
}

void siconos(benchmark::State& state) {
  const DenseProblem problem = problem_of(lying_snake(11));
  double q2 = 0.0;
  for (const double x : problem.c) q2 += x * x;
  for (auto _ : state) {
    state.PauseTiming();
    support::SiconosProblem peer(problem, support::siconos_solvers[0], 1e-4 * std::sqrt(q2));  // relative 1e-4
    state.ResumeTiming();
    if (!peer.solve()) state.SkipWithError("Siconos did not converge");
  }
  state.counters["robots"] = 1;
}
BENCHMARK(siconos)->Name("contact_step/lying22/siconos")->Unit(benchmark::kMicrosecond);
#endif

}  // namespace
}  // namespace sinew::bench
