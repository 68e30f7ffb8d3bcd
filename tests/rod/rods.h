// Rods that several tests use, and plants that run by themselves.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/rod/gaits.h"
#include "sinew/rod/kinematic.h"
#include "sinew/rod/schedules.h"
#include "sinew/rod/strain_driven.h"

namespace sinew::rod {

template <class G>
Rod<G> make_rod(StrainLawPtr<G> law, double rho = 1000.0, double radius = 0.02, const Loads& loads = {}) {
  return {circular<G>(rho, radius), radius, std::move(law), loads, Scheme::Magnus};
}

// The snake of 9.3 and 9.6.
inline SnakeGait turning() {
  SnakeGait gait;
  gait.b = 2.5, gait.b_y = 0.5;
  return gait;
}
// A wave in two planes that fits no contact.
inline WaveGait waving() {
  WaveGait gait;
  gait.a0 = 6.0, gait.a1 = 1.0, gait.bias = 2.0, gait.a0_y = 3.0, gait.bias_y = -1.0, gait.phase_y = 0.7,
  gait.lam = 0.8;
  return gait;
}

// An plant with a state of its own.
struct Running {
  std::shared_ptr<const SectionPlant> plant;
  std::unique_ptr<Scratch> scratch;
  std::vector<double> state;
  PlantInput input;
  PlantPower work;
  PlantEnergy begin;
  double t = 0.0;

  explicit Running(std::shared_ptr<const SectionPlant> e) : plant(std::move(e)), scratch(plant->make_scratch()) {
    state.resize(plant->state_size());
    plant->start(state);
    begin = energy();
  }
  PlantEnergy energy() { return plant->energy(t, state, *scratch); }
  void run(std::string_view method, double until, double dt) {
    const double from = t;
    const long steps = std::lround((until - from) / dt);
    for (long k = 0; k < steps; k++) {
      const StepReport report = plant->advance({method, from + k * dt, dt, input}, state, work, *scratch);
      ASSERT_TRUE(report.finite && report.converged);
    }
    t = until;
  }
  double balance() {
    const PlantEnergy e = energy();
    return (e.kinetic + e.potential) - (begin.kinetic + begin.potential) - work.actuators - work.external +
           work.friction;
  }
  double read(const std::string& name) {
    std::vector<double> out(plant->readings().size());
    plant->read(t, input, state, out, *scratch);
    for (std::size_t i = 0; i < out.size(); i++)
      if (plant->readings()[i].name == name) return out[i];
    ADD_FAILURE() << "no reading " << name;
    return 0.0;
  }
};

}  // namespace sinew::rod
