// Notices that a run has left the rails, and says why it probably did.
// The sign of divergence is energy out of nowhere: |balance error| > 1000 times all the energy there has honestly been.
#pragma once
#include <string>

#include "sinew/world/observe.h"

namespace sinew {

// Follows the energy account of a run; look at it every now and then.
struct EnergyWatch {
  double potential_start = 0.0;  // [J]
  double scale = 0.0;            // largest energy at which the account was still in order [J]

  // True when the energy cannot be explained any more.
  bool diverged(const Observation<double>& seen, const Work<double>& work);
};

struct Diagnosis {
  double t;                            // start of the step that failed [s]
  std::string what;                    // what was seen
  std::string body;                    // the fastest one before the step
  double speed;                        // of its centre of mass [m/s]
  double energy_before, energy_after;  // total mechanical energy [J]
  std::string cause, advice;           // likely; what to try
};

// "WHO at t = ...: WHAT: WHAT TO TRY", and lines with more, for people.
std::string text_of(const Diagnosis& diagnosis, const std::string& who);

// before, after: the world at both ends of the step of length dt that failed.
Diagnosis diagnose(const World<double>& before, const World<double>& after, double dt, const StepReport& report);

}  // namespace sinew
