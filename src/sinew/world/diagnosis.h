// Notices that a run cannot be trusted any more, and says why it probably cannot. One rule for all runs, on their energy:
//   what came from nowhere, what is lost without a trace, and what contacts put in, which can only take out,
//   each stay below 5 % of the energy there was.
// docs/theory/world.md has the numbers that this was chosen by.
#pragma once
#include <string>

#include "sinew/control/controller.h"
#include "sinew/world/observe.h"
#include "sinew/world/under_ground.h"

namespace sinew {

inline constexpr double trusted_share = 0.05;  // of the energy that was there
// A motion that begins has an error of one part in n after n steps of a method of first order: an excess counts when it lasts.
inline constexpr int steps_of_doubt = 128;

// Unexplained: energy from nowhere, or gone. PutIn: by contacts, whose friction and impacts can only take it out. UnderGround: the
// account is in order, but a body is where it cannot have come.
enum class Account { InOrder, InDoubt, Unexplained, PutIn, UnderGround };

// Follows the energy account of a run; look at it every now and then.
struct EnergyWatch {
  double potential_start = 0.0;  // [J]
  double scale = 0.0;            // largest energy at which the account was still in order [J]
  double floor = 0.0;            // energy that is too small to be judged [J]
  double taken = 0.0;            // the most that friction and impacts had taken out so far [J]
  int doubt = 0;                 // steps since the account was last in order

  // steps: since the last look.
  Account look(const World<double>& world, const Observation<double>& seen, int steps);
  double put_in(const World<double>& world) const;  // by contacts, since they had taken the most [J]
};
EnergyWatch watch_from(const World<double>& world, const Observation<double>& seen);

struct Diagnosis {
  double t;                            // start of the step that failed [s]
  std::string what;                    // what was seen
  std::string body;                    // the fastest one before the step
  double speed;                        // of its centre of mass [m/s]
  double energy_before, energy_after;  // total mechanical energy [J]
  std::string place;                   // joint, contact or body where it probably went wrong
  std::string cause, advice;           // likely; what to try
};

// "WHO at t = ...: WHAT: WHAT TO TRY", and lines with more, for people.
std::string text_of(const Diagnosis& diagnosis, const std::string& who);

// The step of length dt that failed. controller: gave the torques of this step; it is asked what it would give to other readings;
// nullptr: there is none.
struct FailedStep {
  const World<double>&before, &after;
  double dt;
  const StepReport& report;
  const EnergyWatch& watch;  // that was in order before
  Controller* controller = nullptr;
  Sunk sunk = {};  // a body that was found below the ground after it
};
Diagnosis diagnose(const FailedStep& step);

}  // namespace sinew
