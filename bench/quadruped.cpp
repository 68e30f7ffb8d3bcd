// The quadruped on four pinned feet (docs/theory/quadruped.md): closed form and tree, both directions, each from q and u alone.
//   closed    forward: u' for torques; inverse: required forces and the least torques of 14; required: without sharing
//   tree      forward: articulated recursion and the twelve rows of the feet; inverse: recursion without feet
#include "quadruped.h"

#include <benchmark/benchmark.h>

#include "robots/catalog.h"
#include "sinew/dynamics/inverse.h"
#include "sinew/model/compile.h"
#include "sinew/step/smooth.h"

namespace sinew::bench {

QuadrupedCase quadruped_case() {
  QuadrupedCase c;
  c.feet = {Vec3d(0.41, 0.63, 0), Vec3d(-0.01, 0.57, 0), Vec3d(-0.01, 0.03, 0), Vec3d(0.41, -0.03, 0)};
  c.state = legged::stance_of({0.2, 0.3, 0.4}, {0.2, -0.3, 0.1, 0.8, -0.6, 1.1, 2, -3});
  c.tau = {5, -4, 18, 16, 22, 20, -7, 3, 2, -1, 1.5, -2.5, 0.5, -0.5};
  return c;
}

namespace {

void closed_forward(benchmark::State& state) {
  QuadrupedCase c = quadruped_case();
  legged::Stance stance;
  for (auto _ : state) {
    benchmark::DoNotOptimize(c);
    evaluate(c.robot, c.state, c.feet, stance);
    benchmark::DoNotOptimize(forward(c.robot, stance, c.tau));
  }
}
BENCHMARK(closed_forward)->Name("quadruped_forward/closed");

void closed_inverse(benchmark::State& state, bool share) {
  QuadrupedCase c = quadruped_case();
  legged::Stance stance;
  evaluate(c.robot, c.state, c.feet, stance);
  const legged::Vec8 accel = forward(c.robot, stance, c.tau);
  double J[14][8];
  for (auto _ : state) {
    benchmark::DoNotOptimize(c);
    evaluate(c.robot, c.state, c.feet, stance);
    const legged::Vec8 req = required(c.robot, stance, accel);
    benchmark::DoNotOptimize(req);
    if (!share) continue;
    actuation_of(stance, J);
    benchmark::DoNotOptimize(legged::share_min_norm(J, req));
  }
}
BENCHMARK_CAPTURE(closed_inverse, share, true)->Name("quadruped_inverse/closed");
BENCHMARK_CAPTURE(closed_inverse, required, false)->Name("quadruped_required/closed");

Plan plan_of(const QuadrupedCase&) { return robots::catalog().make("quadruped")->plan(); }

void tree_forward(benchmark::State& state) {
  const Compiled compiled = compile(plan_of(quadruped_case()));
  const Model& model = *compiled.model;
  Workspace<double> ws(model);
  Input<double> input;
  input.torque.assign(model.n_axes, 1.0), input.external.assign(model.link_count(), Wrench<double>::zero());
  for (auto _ : state) {
    accelerations(model, compiled.params, input, {0.0, compiled.state.q.data(), compiled.state.u.data()}, ws);
    benchmark::DoNotOptimize(ws.u_rate.data());
  }
}
BENCHMARK(tree_forward)->Name("quadruped_forward/tree");

void tree_inverse(benchmark::State& state) {
  const Compiled compiled = compile(plan_of(quadruped_case()));
  const Model& model = *compiled.model;
  Frames<double> frames(model);
  Prescribed<double> driven(model);
  InverseWork<double> scratch(model);
  std::vector<double> accel(model.nu, 0.1), torque(model.n_frame_axes);
  for (auto _ : state) {
    evaluate_frames(model, compiled.params, compiled.state.q.data(), compiled.state.u.data(), driven, frames);
    inverse_dynamics<double>(model, compiled.params, frames, {accel.data()}, scratch, torque.data());
    benchmark::DoNotOptimize(torque.data());
  }
}
BENCHMARK(tree_inverse)->Name("quadruped_inverse/tree");

}  // namespace
}  // namespace sinew::bench
