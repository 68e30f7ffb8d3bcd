// Forward dynamics, inverse dynamics and mass matrix of a single robot and of a register of robots.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "sinew_dynamics.h"

namespace sinew::bench {
namespace {

template <Real S>
void add(const Robot& robot, const char* who) {
  const auto add_one = [&](const char* what, auto call) {
    benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", what, robot.name, who).c_str(),
                                 [&robot, call](benchmark::State& state) {
                                   Dynamics<S> dynamics(robot.plan);
                                   for (auto _ : state) {
                                     call(dynamics);
                                     benchmark::ClobberMemory();
                                   }
                                   state.counters["robots"] = lanes_of<S>;
                                 });
  };
  add_one("forward_dynamics", [](Dynamics<S>& d) { d.forward(); });
  add_one("inverse_dynamics", [](Dynamics<S>& d) { d.inverse(); });
  add_one("mass_matrix", [](Dynamics<S>& d) { d.mass(); });
}

const bool added = [] {
  for (const Robot& robot : robots()) {
    add<double>(robot, "sinew");
    add<Lanes>(robot, "lanes");
  }
  return true;
}();

}  // namespace
}  // namespace sinew::bench
