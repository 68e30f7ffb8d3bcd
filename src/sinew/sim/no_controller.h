// In place of a scenario's own controller: commands come from outside and are held.
#pragma once
#include "sinew/control/controller.h"
#include "sinew/sim/errors.h"
#include "sinew/sim/scenario.h"

namespace sinew::sim {

class NoController : public Controller {
 public:
  // Throws InputError where the scenario delays what its controller says: nobody says it.
  explicit NoController(const Scenario& scenario) {
    if (scenario.schedule.latency > 0.0)
      throw InputError(
          "control.latency: it delays what a controller of the scenario says, and there is to be none: set it to 0");
  }
  void update(const Readings& /*readings*/, std::span<double> /*memory*/, Input<double>& /*out*/) override {}
};

}  // namespace sinew::sim
