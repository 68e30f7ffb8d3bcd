// Piles of bodies: sinew, and what all programs have in common. One iteration is a whole run. Counters, over the last second:
//   us_step, us_last  time per step, of the whole run and of the last second
//   deep_mm, mean_mm  deepest penetration and the mean one of all contacts, from the poses by our own collide(), the same
//                     code for all
//   drift_mm          way of a body, the median; rolled_mm: the largest, of something that rolls, since nothing resists it
//   energy_J          kinetic and potential, at the end
#include "piles.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "sinew/parts/touch/collide.h"
#include "sinew/world/observe.h"

namespace sinew::bench {
namespace {

// A sequence of numbers in [-1, 1] that is the same everywhere.
struct Jitter {
  std::uint32_t state = 12345;
  double operator()() {
    state = state * 1664525u + 1013904223u;
    return double(state >> 8) / double(1 << 23) - 1.0;
  }
};

void add_walls(double half, double height, Pile& pile) {
  const double t = 0.1;  // half of their thickness
  for (const double side : {-1.0, 1.0}) {
    pile.walls.push_back({{side * (half + t), 0.0, 0.5 * height}, {t, half + 2 * t, 0.5 * height}});
    pile.walls.push_back({{0.0, side * (half + t), 0.5 * height}, {half + 2 * t, t, 0.5 * height}});
  }
}

PileBody body_of(const Shape& shape, double density) {
  PileBody b;
  b.shape = shape;
  const double r = shape.radius, pi = std::acos(-1.0);
  if (shape.kind == ShapeKind::Sphere) {
    b.mass = density * 4.0 / 3.0 * pi * r * r * r;
    b.inertia = Vec3d(1, 1, 1) * (0.4 * b.mass * r * r);
  } else if (shape.kind == ShapeKind::Box) {
    const Vec3d& h = shape.half;
    b.mass = density * 8.0 * h[0] * h[1] * h[2];
    b.inertia = Vec3d(h[1] * h[1] + h[2] * h[2], h[0] * h[0] + h[2] * h[2], h[0] * h[0] + h[1] * h[1]) * (b.mass / 3.0);
  } else {
    const double l = 2.0 * shape.half_length, m1 = density * pi * r * r * l, m2 = density * 4.0 / 3.0 * pi * r * r * r;
    b.mass = m1 + m2;
    const double across = m1 * (0.25 * r * r + l * l / 12.0) + m2 * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    b.inertia = {across, across, 0.5 * m1 * r * r + 0.4 * m2 * r * r};
  }
  return b;
}

class SinewPile : public PilePeer {
 public:
  SinewPile(const Pile& pile, double tolerance, double beta) : dt_(pile.dt), world_(make(pile, tolerance, beta)) {}
  void step() override {
    const StepReport report = world_.step(dt_);
    unsolved_ += !report.converged;
  }
  Posed pose(int body) override { return pose_of(world_.state.q.data() + 7 * body); }
  Twist<double> velocity(int body) override {
    const double* u = world_.state.u.data() + 6 * body;
    return {pose(body).R * Vec3d(u[0], u[1], u[2]), {u[3], u[4], u[5]}};
  }
  double iterations() override { return world_.state.iterations; }
  int unsolved() override { return unsolved_; }

 private:
  static Posed pose_of(const double* q) { return {to_matrix(Quatd{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}}; }
  static World<double> make(const Pile& pile, double tolerance, double beta) {
    Plan plan;
    plan.gravity.g = {0, 0, -pile.gravity};
    plan.ground.terrain.kind = TerrainKind::Plane;
    for (std::size_t i = 0; i < pile.bodies.size(); i++) {
      const PileBody& b = pile.bodies[i];
      const std::string name = "b" + std::to_string(i);
      BodyPlan body;
      body.name = name, body.mass = b.mass;
      body.inertia = {b.inertia[0], 0.0, 0.0, b.inertia[1], 0.0, b.inertia[2]};
      body.shapes.push_back({.name = "shape", .shape = b.shape});
      plan.bodies.push_back(body);
      JointPlan joint;
      joint.name = "j" + std::to_string(i), joint.kind = JointKind::Free, joint.child = name;
      const Quatd& o = b.orientation;
      joint.position = {b.position[0], b.position[1], b.position[2], o.w, o.x, o.y, o.z};
      plan.joints.push_back(joint);
    }
    int i = 0;
    for (const Pile::Wall& wall : pile.walls)
      plan.ground.obstacles.push_back({.name = "wall" + std::to_string(i++),
                                       .kind = ObstacleKind::Box,
                                       .position = wall.centre,
                                       .size = wall.half * 2.0});
    ContactLaw<double>& law = plan.contact.law;
    law.mu_forward = law.mu_backward = law.mu_trans = pile.mu;
    plan.contact.options.tolerance = tolerance;
    plan.contact.options.beta = beta;
    plan.contact.options.activation_gap = 1e-5;
    return make_world(plan);
  }
  double dt_;
  World<double> world_;
  int unsolved_ = 0;
};

}  // namespace

Pile spheres_in_a_tray(int n) {
  Pile pile;
  Jitter jitter;
  const double r = 0.05, pitch = 2.2 * r;
  const int side = int(std::ceil(std::cbrt(double(n))));
  for (int i = 0; i < n; i++) {
    PileBody b = body_of({.kind = ShapeKind::Sphere, .radius = r}, 1000.0);
    const int x = i % side, y = i / side % side, z = i / side / side;
    b.position = {(x - 0.5 * (side - 1)) * pitch + 0.08 * r * jitter(),
                  (y - 0.5 * (side - 1)) * pitch + 0.08 * r * jitter(), 2.0 * r + z * pitch};
    b.orientation = Quatd::identity();
    pile.bodies.push_back(b);
  }
  add_walls(0.5 * side * pitch + 0.5 * r, (side + 4) * pitch, pile);
  pile.duration = 4.0;
  return pile;
}

Pile mixed_bodies(int n) {
  Pile pile;
  Jitter jitter;
  const double pitch = 0.2;
  const int side = int(std::ceil(std::cbrt(double(n))));
  for (int i = 0; i < n; i++) {
    Shape shape{.kind = i % 3 == 0 ? ShapeKind::Sphere : i % 3 == 1 ? ShapeKind::Box : ShapeKind::Capsule};
    if (i % 3 == 0) shape.radius = 0.06;
    if (i % 3 == 1) shape.half = {0.07, 0.05, 0.04};
    if (i % 3 == 2) shape.radius = 0.04, shape.half_length = 0.05;
    PileBody b = body_of(shape, 1000.0);
    const int x = i % side, y = i / side % side, z = i / side / side;
    b.position = {(x - 0.5 * (side - 1)) * pitch, (y - 0.5 * (side - 1)) * pitch, 0.15 + z * pitch};
    b.orientation = normalized(Quatd{1.0, 0.5 * jitter(), 0.5 * jitter(), 0.5 * jitter()});
    pile.bodies.push_back(b);
  }
  add_walls(0.5 * side * pitch + 0.05, (side + 4) * pitch, pile);
  pile.duration = 4.0;
  return pile;
}

namespace {

double energy(const Pile& pile, PilePeer& peer) {
  double sum = 0.0;
  for (int i = 0; i < int(pile.bodies.size()); i++) {
    const PileBody& b = pile.bodies[i];
    const Posed X = peer.pose(i);
    const Twist<double> V = peer.velocity(i);
    const Vec3d w = transpose_times(X.R, V.w);
    sum += 0.5 * b.mass * dot(V.v, V.v) + b.mass * pile.gravity * X.p[2];
    for (int k = 0; k < 3; k++) sum += 0.5 * b.inertia[k] * w[k] * w[k];
  }
  return sum;
}

struct Depth {
  double deepest = 0.0, sum = 0.0;
  int contacts = 0;
  void add(const Touch* touch, int n) {
    for (int i = 0; i < n; i++) deepest = std::max(deepest, -touch[i].gap), sum += std::max(-touch[i].gap, 0.0);
    contacts += n;
  }
};

// All pairs, by brute force: this is not timed.
void measure(const Pile& pile, PilePeer& peer, Depth& depth) {
  const double margin = 1e-4;
  Touch touch[max_touches];
  const int n = int(pile.bodies.size());
  std::vector<Posed> X(n);
  for (int i = 0; i < n; i++) X[i] = peer.pose(i);
  Terrain floor;
  floor.kind = TerrainKind::Plane;
  for (int i = 0; i < n; i++) {
    const Shape& a = pile.bodies[i].shape;
    depth.add(touch, collide(floor, a, X[i], margin, touch));
    for (const Pile::Wall& wall : pile.walls)
      depth.add(touch, collide({.kind = ShapeKind::Box, .half = wall.half}, {Mat3d::identity(), wall.centre}, a, X[i],
                               margin, touch));
    for (int k = 0; k < i; k++) {
      const Shape& b = pile.bodies[k].shape;
      const Vec3d d = X[i].p - X[k].p;
      const double reach = a.reach() + b.reach() + margin;
      if (dot(d, d) <= reach * reach) depth.add(touch, collide(b, X[k], a, X[i], margin, touch));
    }
  }
}

// Of this thread [s]: the machine may have other things to do.
double processor_time() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

void run(benchmark::State& state, const Pile& pile, const MakePilePeer& make) {
  for (auto _ : state) {
    const std::unique_ptr<PilePeer> peer = make(pile);
    const int n = int(pile.bodies.size()), steps = int(std::lround(pile.duration / pile.dt));
    const int last = int(std::lround(1.0 / pile.dt));
    double seconds = 0.0, seconds_last = 0.0, iterations = 0.0;
    Depth depth;
    std::vector<Vec3d> from(n);
    for (int k = 0; k < steps; k++) {
      if (k == steps - last)
        for (int i = 0; i < n; i++) from[i] = peer->pose(i).p;
      const double start = processor_time();
      peer->step();
      const double took = processor_time() - start;
      seconds += took;
      iterations += peer->iterations();
      if (k < steps - last) continue;
      seconds_last += took;
      if ((steps - k) % 12 == 1) measure(pile, *peer, depth);
    }
    std::vector<double> drift(n);
    for (int i = 0; i < n; i++) drift[i] = norm(peer->pose(i).p - from[i]);
    std::sort(drift.begin(), drift.end());
    state.SetIterationTime(seconds);
    state.counters["us_step"] = 1e6 * seconds / steps;
    state.counters["us_last"] = 1e6 * seconds_last / last;
    state.counters["deep_mm"] = 1e3 * depth.deepest;
    state.counters["mean_mm"] = depth.contacts > 0 ? 1e3 * depth.sum / depth.contacts : 0.0;
    state.counters["contacts"] = depth.contacts / std::ceil(last / 12.0);
    state.counters["drift_mm"] = 1e3 * drift[n / 2];
    state.counters["rolled_mm"] = 1e3 * drift[n - 1];
    state.counters["energy_J"] = energy(pile, *peer);
    state.counters["iterations"] = iterations / steps;
    state.counters["unsolved"] = peer->unsolved();
  }
}

[[maybe_unused]] const bool added = [] {
  const auto sinew = [](double tolerance) {
    return [tolerance](const Pile& pile) { return std::make_unique<SinewPile>(pile, tolerance, 0.2); };
  };
  add_pile_peer("sinew_2e-3", sinew(2e-3));
  add_pile_peer("sinew_1e-3", sinew(1e-3));
  add_pile_peer("sinew_1e-4", sinew(1e-4));
  add_pile_peer("sinew_1e-5", sinew(1e-5));
  return true;
}();

}  // namespace

void add_pile_peer(const std::string& name, MakePilePeer make) {
  const auto add = [&](const std::string& scene, Pile (*pile)(int), int n) {
    benchmark::RegisterBenchmark(("pile/" + scene + std::to_string(n) + "/" + name).c_str(),
                                 [=](benchmark::State& state) { run(state, pile(n), make); })
        ->Iterations(1)
        ->Repetitions(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("mixed", mixed_bodies, 100);
  for (const int n : {125, 1000}) add("spheres", spheres_in_a_tray, n);
}

}  // namespace sinew::bench
