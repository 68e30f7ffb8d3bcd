// The quadruped in MuJoCo: feet held by `connect` constraints. Bars get a tiny inertia about their own axis, which MuJoCo demands.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>

#include "mujoco_model.h"
#include "quadruped.h"
#include "robots/quadruped/walker.h"

namespace sinew::bench {
namespace {

constexpr double tiny = 1e-6;  // [kg m^2]

std::string text(const Vec3d& a) { return fmt::format("{} {} {}", a[0], a[1], a[2]); }

std::string bar(double m, double l, const Vec3d& along) {
  const double I = m * l * l / 12.0 + tiny;
  const auto moment = [&](int i) { return std::abs(along[i]) > 0.5 ? tiny : I; };
  return fmt::format("<inertial pos='{}' mass='{}' diaginertia='{} {} {}'/>", text(along * (0.5 * l)), m, moment(0),
                     moment(1), moment(2));
}

std::string turn(const Mat3d& R) {
  const Quatd q = to_quaternion(R);
  return fmt::format("quat='{} {} {} {}'", q.w, q.x, q.y, q.z);
}

// Bodies are written in the pose of the start, so that all angles are 0 there and the feet are where they are held.
std::string leg_of(const QuadrupedCase& c, int i) {
  const legged::LegShape& s = c.robot.leg[i];
  const Vec3d to_foot = transpose_times(c.state.R, c.feet[i] - c.state.p) - s.hip;
  const legged::LegAngles a = angles_of(s, reach_for(s, to_foot));
  const Mat3d hip = legged::rotation_of({0, a.ha, 0}) * legged::rotation_of({-a.hb, 0, 0});
  const Mat3d knee = legged::rotation_of({-s.knee * (3.14159265358979323846 - a.k), 0, 0});
  const Vec3d down(0, 0, -1);
  return fmt::format(
      "<body pos='{}' {}>{}<joint type='hinge' axis='{}'/><joint type='hinge' axis='-1 0 0'/>"
      "<body name='shank{}' pos='{}' {}>{}<joint type='hinge' axis='{} 0 0'/></body></body>",
      text(s.hip), turn(hip), bar(s.m_th, s.l_th, down), text(transpose_times(hip, Vec3d(0, 1, 0))), i + 1,
      text(down * s.l_th), turn(knee), bar(s.m_sh, s.l_sh, down), s.knee);
}

std::string to_mjcf(const QuadrupedCase& c, bool held) {
  std::string legs, feet;
  for (int i = 0; i < 4; i++) {
    legs += leg_of(c, i);
    feet += fmt::format("<connect body1='shank{}' anchor='0 0 {}'/>", i + 1, -c.robot.leg[i].l_sh);
  }
  const legged::TailShape& t = c.robot.tail;
  const Sym3d& I = c.robot.I_b;
  return fmt::format(
      "<mujoco><compiler angle='radian'/><option gravity='0 0 {}' timestep='0.0001' solver='Newton'/><worldbody>"
      "<body name='plate' pos='{}'><freejoint/><inertial pos='0 0 0' mass='{}' diaginertia='{} {} {}'/>{}"
      "<body pos='{}'><inertial pos='0 {} 0' mass='{}' diaginertia='{} {} {}'/><joint type='hinge' axis='1 0 0'/>"
      "<joint type='hinge' axis='0 0 1'/></body></body></worldbody>{}</mujoco>",
      -c.robot.g, text(c.state.p), c.robot.m_b, I.xx, I.yy, I.zz, legs, text(t.root), -t.length[0], t.tip, tiny, tiny,
      tiny, held ? "<equality>" + feet + "</equality>" : "");
}

// Generalised gravity of the two robots with free feet.
double disagreement(const QuadrupedCase& c) {
  MujocoModel peer(to_mjcf(c, false));
  mjModel* m = peer.model.get();
  mjData* d = peer.data.get();
  mj_resetData(m, d);
  mj_forward(m, d);
  legged::Walker walker(c.robot);
  legged::WalkerState s;
  s.p = c.state.p, s.R = c.state.R, s.v = s.w = Vec3d::zero();
  s.tail = {0, 0}, s.tail_rate = {0, 0};
  s.mode.fill(legged::LegMode::Free);
  for (int i = 0; i < 4; i++) {
    const legged::LegShape& leg = c.robot.leg[i];
    s.theta[i] = angles_of(leg, reach_for(leg, transpose_times(s.R, c.feet[i] - s.p) - leg.hip));
  }
  walker.evaluate(s);
  double worst = 0.0;
  for (int i = 0; i < 14; i++)  // MuJoCo: legs, then the tail; ours: the tail, then legs
    worst = std::max(worst, std::abs(d->qfrc_bias[6 + i] - walker.G(i < 12 ? 8 + i : i - 6)));
  return worst;
}

struct Peer {
  MujocoModel mujoco{to_mjcf(quadruped_case(), true)};
  mjModel* m = mujoco.model.get();
  mjData* d = mujoco.data.get();
  explicit Peer(benchmark::State& state) {
    if (disagreement(quadruped_case()) > 1e-6) state.SkipWithError("MuJoCo has another robot");
    mj_resetData(m, d);
    for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = i < 6 ? 0.0 : 1.0, d->qacc[i] = 0.1;
  }
};

void mujoco_forward(benchmark::State& state) {
  Peer p(state);
  for (auto _ : state) {
    mj_forward(p.m, p.d);
    benchmark::DoNotOptimize(p.d->qacc);
  }
}
BENCHMARK(mujoco_forward)->Name("quadruped_forward/mujoco");

void mujoco_inverse(benchmark::State& state) {
  Peer p(state);
  for (auto _ : state) {
    mj_inverse(p.m, p.d);
    benchmark::DoNotOptimize(p.d->qfrc_inverse);
  }
}
BENCHMARK(mujoco_inverse)->Name("quadruped_inverse/mujoco");

}  // namespace
}  // namespace sinew::bench
