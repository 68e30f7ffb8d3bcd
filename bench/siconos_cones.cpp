// Contact problems of many bodies in the field's form (sinew solve): our solvers and, where it is installed, Siconos' NSGS, from zero impulses to
// the relative residual 1e-8. Counters: residual; iterations; contacts. Siconos reads the problem from the text that we write.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <string>

#include "sinew/exchange/problem_file.h"
#include "tests/support/cone_problems.h"
#ifdef SINEW_SICONOS
#include "tests/support/siconos.h"
#endif

namespace sinew::support {
namespace {

constexpr double tolerance = 1e-8;
constexpr struct {
  int courses, bricks;
  double mu;
} walls[] = {{4, 4, 0.3}, {8, 6, 0.3}, {10, 8, 0.7}};

void report(benchmark::State& state, const ConeProblem& problem, const std::vector<double>& r, int iterations) {
  state.counters["residual"] = relative_residual(problem, r);
  state.counters["iterations"] = iterations;
  state.counters["contacts"] = problem.contacts();
}

void ours(benchmark::State& state, const ConeProblem& problem, ConeMethod method) {
  std::vector<double> r;
  ConeReport found;
  for (auto _ : state) {
    r.assign(problem.q.size(), 0.0);
    found = solve(problem, method, {.tolerance = tolerance, .iterations = 0}, r);
  }
  report(state, problem, r, found.sweeps + found.systems);
}

#ifdef SINEW_SICONOS
void nsgs(benchmark::State& state, const ConeProblem& problem) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("sinew-bench-" + std::to_string(getpid()) + ".dat")).string();
  exchange::write_problem(problem, {}, file);
  FrictionContactProblem* theirs = frictionContact_new_from_filename(file.c_str());
  std::filesystem::remove(file);
  SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 20000;
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  std::vector<double> r, u;
  for (auto _ : state) {
    r.assign(problem.q.size(), 0.0);
    u = r;
    fc3d_driver(theirs, r.data(), u.data(), options);
  }
  report(state, problem, r, options->iparam[SICONOS_IPARAM_ITER_DONE]);
  solver_options_delete(options);
  frictionContactProblem_free(theirs);
}
#endif

void add(const std::string& name, const std::function<void(benchmark::State&)>& f) {
  benchmark::RegisterBenchmark(name.c_str(), f)->Iterations(1)->Repetitions(1)->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool registered = [] {
  for (const auto& wall : walls) {
    const ConeProblem problem = brick_wall(wall.courses, wall.bricks, wall.mu);
    const std::string name = "cones/wall" + std::to_string(wall.courses) + "x" + std::to_string(wall.bricks) + "/";
    add(name + "auto", [=](benchmark::State& s) { ours(s, problem, ConeMethod::Auto); });
    add(name + "sweep", [=](benchmark::State& s) { ours(s, problem, ConeMethod::Sweep); });
#ifdef SINEW_SICONOS
    add(name + "siconos_nsgs", [=](benchmark::State& s) { nsgs(s, problem); });
#endif
  }
  return true;
}();

}  // namespace
}  // namespace sinew::support
