// The walking hexapod, the same run for every simulator: 3 s in steps of 0.25 ms, servos explicit, reading of joints and torques counted; one
// iteration is a whole run; `sinew_batch`: of sixteen robots at once. Counters: steps, place of the middle segment at the end [m], steps that are not solved.
#include "hexapod.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "sinew/batch/batch.h"
#include "sinew/math/elementary.h"
#include "sinew/world/observe.h"

namespace sinew::bench {
namespace {

constexpr double hexapod_dt = 2.5e-4, hexapod_duration = 3.0;

HexapodLink segment(int parent) {
  const double l = 0.14;
  return {.parent = parent,
          .axes = parent < 0 ? 0 : 2,
          .at = {parent < 0 ? 0.0 : l, 0, 0},
          .axis1 = {0, 0, 1},
          .axis2 = {0, 1, 0},
          .com = {0.5 * l, 0, 0},
          .inertia = {1.2e-3, 1.6e-3, 2.2e-3},
          .mass = 0.8,
          .foot = 0.0,
          .kp = 60.0,
          .kd = 0.6};
}

// A cylinder of a quarter of its length as its radius, along the direction of its mass centre.
HexapodLink limb(int parent, Triple at, Triple axis, Triple com, double mass, double length) {
  const double r = 0.25 * length, along = mass * r * r / 2.0, across = mass * (3.0 * r * r + length * length) / 12.0;
  Triple inertia{across, across, across};
  inertia[std::abs(com[2]) > 0.0 ? 2 : 1] = along;
  return {parent, 1, at, axis, {0, 0, 0}, com, inertia, mass, 0.0, 25.0, 0.25};
}

}  // namespace

std::vector<HexapodLink> hexapod_links() {
  const double l1 = 0.045, l2 = 0.10, l3 = 0.13;
  std::vector<HexapodLink> links;
  for (int s = 0, body = -1; s < 3; s++) {
    links.push_back(segment(body));
    body = int(links.size()) - 1;
    for (const double y : {1.0, -1.0}) {
      links.push_back(limb(body, {0.07, 0.05 * y, 0}, {0, 0, 1}, {0, 0.5 * y * l1, 0}, 0.05, l1));
      const int coxa = int(links.size()) - 1;
      links.push_back(limb(coxa, {0, y * l1, 0}, {y, 0, 0}, {0, 0.5 * y * l2, 0}, 0.08, l2));
      links.push_back(limb(coxa + 1, {0, y * l2, 0}, {y, 0, 0}, {0, 0, -0.5 * l3}, 0.06, l3));
      links.back().foot = -l3;
    }
  }
  return links;
}

void hexapod_reference(bool walks, double t, double* angle, double* rate) {
  std::fill_n(angle, hexapod_axes, 0.0);
  std::fill_n(rate, hexapod_axes, 0.0);
  if (!walks) return;
  const double x = std::min(1.0, t), grown = x * x * (3.0 - 2.0 * x), growth = t < 1.0 ? 6.0 * x * (1.0 - x) : 0.0;
  const double w = 2.0 * std::numbers::pi;
  for (int leg = 0; leg < 6; leg++) {
    const int row = leg / 2, first = 3 * leg + 2 * row;  // after the axes of the joints between segments
    const double side = leg % 2 ? -1.0 : 1.0, phase = w * t + ((row + leg) % 2 ? std::numbers::pi : 0.0);
    const double s = math::sin(phase), c = math::cos(phase), up = std::max(0.0, s);
    const double A[2] = {0.25 * side * c, 0.35 * up * up}, A_rate[2] = {-0.25 * side * w * s, 0.7 * up * w * c};
    for (int k = 0; k < 2; k++) {
      angle[first + k] = grown * A[k];
      rate[first + k] = growth * A[k] + grown * A_rate[k];
    }
  }
}

namespace {

Vec3d vector_of(const Triple& a) { return {a[0], a[1], a[2]}; }

Plan hexapod_plan() {
  Plan plan;
  int i = 0;
  for (const HexapodLink& l : hexapod_links()) {
    BodyPlan body;
    body.name = fmt::format("link{}", i);
    body.mass = l.mass;
    body.com = vector_of(l.com);
    body.inertia = {l.inertia[0], 0, 0, l.inertia[1], 0, l.inertia[2]};
    if (l.foot != 0.0) {
      ShapePlan foot;
      foot.name = "foot";
      foot.shape.kind = ShapeKind::Sphere;
      foot.shape.radius = foot_radius;
      foot.position = {0, 0, l.foot};
      body.shapes.push_back(foot);
    }
    JointPlan joint;
    joint.name = fmt::format("joint{}", i);
    joint.child = body.name;
    joint.kind = l.axes == 2 ? JointKind::Universal : l.axes == 1 ? JointKind::Revolute : JointKind::Free;
    if (l.parent >= 0) {
      joint.parent = fmt::format("link{}", l.parent);
      joint.p_parent = vector_of(l.at);
      joint.axis = vector_of(l.axis1);
      if (l.axes == 2) joint.axis2 = vector_of(l.axis2);
    } else {
      joint.position = {l.com[0], 0, hexapod_height, 1, 0, 0, 0};  // of the mass centre
    }
    plan.bodies.push_back(body);
    plan.joints.push_back(joint);
    i++;
  }
  plan.ground.terrain.kind = TerrainKind::Plane;
  plan.contact.law.mu_forward = plan.contact.law.mu_backward = plan.contact.law.mu_trans = hexapod_mu;
  plan.contact.options.between_bodies = false;  // as everyone has it
  return plan;
}

class SinewHexapod : public HexapodPeer {
 public:
  explicit SinewHexapod(double dt) : world_(make_world(hexapod_plan())), dt_(dt) {
    const Model& m = world_.model();
    for (const JointInfo& j : m.joints)
      for (int c = 0; c < j.n_axes && j.n_axes <= 2; c++) {
        q_.push_back(m.links[std::size_t(j.link)].q + c);
        u_.push_back(m.links[std::size_t(j.link)].u + c);
        axis_.push_back(j.axis + c);
      }
    watched_ = m.body(fmt::format("link{}", watched_segment));
  }
  void read(double* angle, double* rate) override {
    for (std::size_t i = 0; i < q_.size(); i++) {
      angle[i] = world_.state.q[std::size_t(q_[i])];
      rate[i] = world_.state.u[std::size_t(u_[i])];
    }
  }
  void command(const double* torque) override {
    for (std::size_t i = 0; i < axis_.size(); i++) world_.input.torque[std::size_t(axis_[i])] = torque[i];
  }
  void step() override {
    const StepReport report = world_.step(dt_);
    unsolved_ += !report.converged;
    iterations_ += report.iterations;
  }
  Triple place() override {
    const Vec3d p = observe(world_).bodies[std::size_t(watched_)].p_WC;
    return {p[0], p[1], p[2]};
  }
  int unsolved() const override { return unsolved_; }
  int iterations() const override { return iterations_; }

 private:
  World<double> world_;
  double dt_;
  std::vector<int> q_, u_, axis_;
  int watched_ = 0, unsolved_ = 0, iterations_ = 0;
};

void run_hexapod(benchmark::State& state, bool walks, const MakeHexapodPeer& make) {
  const std::unique_ptr<HexapodPeer> peer = make(hexapod_dt);
  std::vector<double> kp, kd;
  for (const HexapodLink& l : hexapod_links())
    for (int c = 0; c < l.axes; c++) {
      kp.push_back(l.kp);
      kd.push_back(l.kd);
    }
  double angle[hexapod_axes], rate[hexapod_axes], aim[hexapod_axes], aim_rate[hexapod_axes], torque[hexapod_axes];
  const int steps = int(std::lround(hexapod_duration / hexapod_dt));
  for (auto _ : state)
    for (int k = 0; k < steps; k++) {
      peer->read(angle, rate);
      hexapod_reference(walks, k * hexapod_dt, aim, aim_rate);
      for (int i = 0; i < hexapod_axes; i++)
        torque[i] = kp[std::size_t(i)] * (aim[i] - angle[i]) + kd[std::size_t(i)] * (aim_rate[i] - rate[i]);
      peer->command(torque);
      peer->step();
    }
  const Triple p = peer->place();
  state.counters["steps"] = steps, state.counters["x"] = p[0], state.counters["y"] = p[1], state.counters["z"] = p[2];
  state.counters["unsolved"] = peer->unsolved(), state.counters["solver_iterations"] = peer->iterations();
  if (!std::isfinite(p[0] + p[1] + p[2]))
    state.SkipWithError("the run has diverged");
  else if (peer->unsolved() > 0)
    state.SkipWithError(fmt::format("{} steps are not certified", peer->unsolved()).c_str());
}

// Sixteen hexapods by one thread, four in a register, told by one loop: what each run above does, a robot at a time.
void run_hexapods(benchmark::State& state, bool walks) {
  constexpr int robots = 16;
  sim::Scenario scenario;
  scenario.plan = hexapod_plan();
  scenario.method = "moreau";
  scenario.step = hexapod_dt;
  const auto experiment = std::make_shared<const sim::Experiment>(std::move(scenario));
  const Model& m = experiment->model();
  std::vector<int> q, u, axis;
  std::vector<double> kp, kd;
  for (const JointInfo& j : m.joints)
    for (int c = 0; c < j.n_axes && j.n_axes <= 2; c++) {
      q.push_back(m.links[std::size_t(j.link)].q + c);
      u.push_back(m.links[std::size_t(j.link)].u + c);
      axis.push_back(j.axis + c);
    }
  for (const HexapodLink& l : hexapod_links())
    for (int c = 0; c < l.axes; c++) {
      kp.push_back(l.kp);
      kd.push_back(l.kd);
    }
  Batch batch(experiment, robots, {.threads = 1});
  double aim[hexapod_axes], aim_rate[hexapod_axes];
  const int steps = int(std::lround(hexapod_duration / hexapod_dt));
  for (auto _ : state)
    for (int k = 0; k < steps; k++) {
      hexapod_reference(walks, k * hexapod_dt, aim, aim_rate);
      for (std::size_t r = 0; r < robots; r++) {
        const double *qr = &batch.q()[r * std::size_t(batch.nq())], *ur = &batch.u()[r * std::size_t(batch.nu())];
        double* torque = &batch.command()[r * std::size_t(batch.commands())];
        for (std::size_t i = 0; i < hexapod_axes; i++)
          torque[axis[i]] = kp[i] * (aim[i] - qr[q[i]]) + kd[i] * (aim_rate[i] - ur[u[i]]);
      }
      batch.step(1);
    }
  const std::vector<sim::Signal> place = batch.find_signals(fmt::format("body.link{}.p", watched_segment));
  std::vector<double> p(place.size() * robots);
  batch.evaluate(place, p);
  std::int64_t unsolved = 0;
  for (const std::int64_t n : batch.uncertified()) unsolved += n;
  state.counters["steps"] = steps, state.counters["robots"] = robots, state.counters["in_lanes"] = batch.in_lanes();
  state.counters["x"] = p[0], state.counters["y"] = p[1], state.counters["z"] = p[2];
  if (unsolved > 0) state.SkipWithError(fmt::format("{} steps are not certified", unsolved).c_str());
}

[[maybe_unused]] const bool hexapod_added = [] {
  for (const bool walks : {false, true})
    benchmark::RegisterBenchmark(walks ? "hexapod_walk/sinew_batch" : "hexapod_stand/sinew_batch",
                                 [walks](benchmark::State& state) { run_hexapods(state, walks); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  add_hexapod_peer("sinew", [](double dt) { return std::make_unique<SinewHexapod>(dt); });
  return true;
}();

}  // namespace

void add_hexapod_peer(const char* name, const MakeHexapodPeer& make) {
  for (const bool walks : {false, true})
    benchmark::RegisterBenchmark(fmt::format("{}/{}", walks ? "hexapod_walk" : "hexapod_stand", name).c_str(),
                                 [walks, make](benchmark::State& state) { run_hexapod(state, walks, make); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

}  // namespace sinew::bench
