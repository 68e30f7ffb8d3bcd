// Case P5 with MuJoCo: 50 rigid links with springs between them, no stretch and no shear. Its explicit springs need steps of 0.1 ms. The
// first link is clamped, as in the published case, so that its tip is that of a slightly shorter rod.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "mujoco_model.h"
#include "soft_rods.h"

namespace sinew::bench {
namespace {

std::string chain(const SoftCase& c, int links, double step) {
  const double dl = c.length / links, m = c.density * c.area() * dl,
               t = c.density * c.moment() * dl + m * dl * dl / 12.0;
  std::string bodies, ends;
  for (int i = 0; i < links; i++) {
    bodies += fmt::format("<body pos='{} 0 0'>", i ? dl : 0.0);
    if (i)
      for (const char* axis : {"0 1 0", "0 0 1"})
        bodies += fmt::format("<joint type='hinge' axis='{}' stiffness='{}'/>", axis, c.E * c.moment() / dl);
    bodies += fmt::format("<inertial pos='{} 0 0' mass='{}' diaginertia='{} {} {}'/>", dl / 2, m,
                          2 * c.density * c.moment() * dl, t, t);
    ends += "</body>";
  }
  return fmt::format(
      "<mujoco><compiler inertiafromgeom='false'/><option timestep='{}' gravity='0 {} 0'><flag contact='disable'/>"
      "</option><worldbody>{}{}</worldbody></mujoco>",
      step, -c.gravity, bodies, ends);
}

void soft_rod(benchmark::State& state) {
  const double step = 1e-4;
  MujocoModel peer(chain({}, 50, step));
  for (auto _ : state) {
    mj_resetData(peer.model.get(), peer.data.get());
    for (int k = 0; k < 10000; k++) mj_step(peer.model.get(), peer.data.get());
  }
  const double* tip = peer.data->xipos + 3 * 50;
  state.counters["x"] = tip[0], state.counters["y"] = tip[1];
}
BENCHMARK(soft_rod)->Name("soft_rod/P5/mujoco")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinew::bench
