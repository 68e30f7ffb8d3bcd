// Soft rods that several tests take, and ways to run them.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/rod/soft_plant.h"
#include "sinew/rod/soft_statics.h"

namespace sinew::rod::test {

// The arm of the soft-* scenarios.
inline SoftPlan soft_arm(double l = 0.3, double rad = 0.01, double rho = 1000.0, double E = 1e6, double nu = 0.5) {
  const double A = std::numbers::pi * rad * rad, I = A * rad * rad / 4.0, G = E / (2.0 * (1.0 + nu));
  SoftPlan p;
  p.length = l, p.radius = rad;
  p.inertia = {rho * A, rho * A, rho * A, 2 * rho * I, rho * I, rho * I};
  p.stiffness = {E * A, G * A, G * A, 2 * G * I, E * I, E * I};
  return p;
}

inline SoftPlan with_legendre(SoftPlan p, std::initializer_list<int> components, int count) {
  for (const int c : components) add_legendre(p.modes, c, {p.length}, count);
  return p;
}

inline SoftPlan with_tip_load(SoftPlan p, const Six& dead, const Six& follower = {}) {
  p.points.push_back({p.length, dead, follower, {.value = 1.0}});
  return p;
}

// A run of an plant.
template <class G>
struct SoftRun {
  Soft<G> plant;
  std::vector<double> state;
  std::unique_ptr<Scratch> scratch;
  PlantInput input;
  PlantPower work;
  std::string method;
  double t = 0.0;
  long steps = 0;
  int iterations = 0;
  double start_energy;

  SoftRun(const SoftPlan& plan, std::string how)
      : plant(plan), state(plant.state_size()), scratch(plant.make_scratch()), method(std::move(how)) {
    plant.start(state);
    start_energy = total_energy();
  }
  double total_energy() {
    const PlantEnergy e = plant.energy(t, state, *scratch);
    return e.kinetic + e.elastic + e.potential;
  }
  void until(double end, double dt) {
    const long count = std::lround((end - t) / dt);
    const double begin = t;
    for (long k = 0; k < count; k++) {
      const StepReport r = plant.advance({method, begin + k * dt, dt, input}, state, work, *scratch);
      ASSERT_TRUE(r.finite && r.converged) << "step " << k;
      iterations += r.iterations;
    }
    t = end, steps += count;
  }
  double balance() {
    return total_energy() - start_energy - work.actuators - work.external + work.damping + work.friction;
  }
  double reading(std::string_view name) {
    std::vector<double> out(plant.readings().size());
    plant.read(t, input, state, out, *scratch);
    for (std::size_t i = 0; i < out.size(); i++)
      if (plant.readings()[i].name == name) return out[i];
    ADD_FAILURE() << "no reading " << name;
    return NAN;
  }
  Vec3d tip() { return {reading("tip.x"), reading("tip.y"), reading("tip.z")}; }
};

// Tip of an equilibrium.
template <class G>
struct StaticTip {
  SoftEquilibrium found;
  std::vector<double> q;
  Posed pose;
};
template <class G>
StaticTip<G> static_tip(const SoftPlan& plan, const SoftStaticsOptions& options = {}) {
  const SoftModel<G> m = build_soft_model<G>(plan);
  StaticTip<G> out;
  out.q = m.plan.q;  // where the search begins
  out.found = solve_statics(m, 0.0, out.q, options);
  EXPECT_TRUE(out.found.converged);
  SoftScratch<G> w(m);
  const std::vector<double> zero(m.nv, 0.0);
  inverse_dynamics(m, {0.0, m.base, out.q.data(), zero.data(), zero.data()}, w, w.r.data());
  out.pose = (m.base * w.g.back()).pose();
  return out;
}

}  // namespace sinew::rod::test
