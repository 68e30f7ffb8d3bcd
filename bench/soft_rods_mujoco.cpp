// Case P5 with MuJoCo: rigid links with springs between them, no stretch and no shear. Bodies are at X = 0, h, 2h, ... with the mass
// within h/2, joints between them, as in our own rods of segments: second order in h. It is compared with the converged rod that bends
// only (`off`, the largest distance at 0.1, 0.5 and 1 s over the length); `shear` is how far the rod with stretch and shear is from that.
// Its springs are explicit: 50 links need steps of 0.1 ms. Twelve links, with steps of 0.5 ms, are within 1 %.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>

#include "mujoco_model.h"
#include "soft_rods.h"

namespace sinew::bench {
namespace {

std::string chain(const SoftCase& c, int links, double step) {
  const double h = c.length / links;
  std::string bodies, ends;
  for (int i = 1; i <= links; i++) {
    const double size = i < links ? h : 0.5 * h, m = c.density * c.area() * size;
    const double t = c.density * c.moment() * size + m * size * size / 12.0;
    bodies += fmt::format("<body pos='{} 0 0'>", i > 1 ? h : 0.5 * h);  // its frame is at its joint
    for (const char* axis : {"0 1 0", "0 0 1"})
      bodies += fmt::format("<joint type='hinge' axis='{}' stiffness='{}'/>", axis, c.E * c.moment() / h);
    bodies += fmt::format("<inertial pos='{} 0 0' mass='{}' diaginertia='{} {} {}'/>", 0.5 * size, m,
                          2 * c.density * c.moment() * size, t, t);
    if (i == links) bodies += fmt::format("<site name='tip' pos='{} 0 0'/>", size);
    ends += "</body>";
  }
  return fmt::format(
      "<mujoco><compiler inertiafromgeom='false'/><option timestep='{}' gravity='0 {} 0'><flag contact='disable'/>"
      "</option><worldbody>{}{}</worldbody></mujoco>",
      step, -c.gravity, bodies, ends);
}

double distance(const SoftTip (&a)[3], const SoftTip (&b)[3], double length) {
  double most = 0.0;
  for (int k = 0; k < 3; k++) most = std::max(most, std::hypot(a[k].x - b[k].x, a[k].y - b[k].y) / length);
  return most;
}

// Links, and the step in microseconds.
void soft_rod(benchmark::State& state) {
  const SoftCase c;
  const double step = double(state.range(1)) * 1e-6;
  const int steps = int(std::lround(1.0 / step));
  MujocoModel peer(chain(c, int(state.range(0)), step));
  SoftTip tips[3], exact[3], full[3];
  const auto fall = [&] {
    mj_resetData(peer.model.get(), peer.data.get());
    SoftTip* tip = tips;
    for (int k = 1; k <= steps; k++) {
      mj_step(peer.model.get(), peer.data.get());
      if (k != steps / 10 && k != steps / 2 && k != steps) continue;
      mj_kinematics(peer.model.get(), peer.data.get());
      *tip++ = {peer.data->site_xpos[0], peer.data->site_xpos[1]};
    }
  };
  for (auto _ : state) fall();
  if (!exact_tips(c, true, 5e-5, exact) || !exact_tips(c, false, 5e-5, full))
    state.SkipWithError("the fine solution failed");
  state.counters["off"] = distance(tips, exact, c.length), state.counters["shear"] = distance(full, exact, c.length);
}
BENCHMARK(soft_rod)->Name("soft_rod/P5/mujoco")->Args({50, 100})->Args({12, 500})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinew::bench
