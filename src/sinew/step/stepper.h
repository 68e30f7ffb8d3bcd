// A stepper takes one robot (or one register of robots) from t to t + dt. Chosen once per run from a table.
#pragma once
#include <span>
#include <string_view>

#include "sinew/model/params.h"
#include "sinew/model/state.h"
#include "sinew/model/step_report.h"

namespace sinew {

template <Real S>
struct Workspace;

template <Real S>
using StepFunction = StepReport (*)(const Model&, const Params<S>&, const Input<S>&, double dt, State<S>&,
                                    Workspace<S>&);

// Where in a step the forces of springs, dampers and servos are taken. ServosAtWill: at the start, but servos at the end if
// the plan wants it (integrator.actuator).
enum class Forces { AtStart, ServosAtWill, AtEnd };
// Contacts and other set-valued laws are part of the step's equation, or are added to the finished smooth step.
enum class Laws { InStep, AfterStep };

struct Stepper {
  std::string_view name, summary;
  int order;  // of accuracy on smooth motion
  Forces forces;
  Laws laws;
  bool has_past;  // keeps something of the last step (step/past.h)
  StepFunction<double> one;
  StepFunction<Lanes> lanes;  // nullptr: not for batches, because it chooses steps of its own

  template <Real S>
  StepFunction<S> function() const {
    if constexpr (std::same_as<S, double>)
      return one;
    else
      return lanes;
  }
};

std::span<const Stepper> steppers();
std::span<const Stepper> fixed_steppers();  // those of them that take the step as it is given, also for batches
const Stepper* find_stepper(std::string_view name);  // nullptr: unknown
// Methods of plants with equations of their own: only names and what is said about them.
const Stepper* find_section_stepper(std::string_view name);  // nullptr: no plant has such a method

}  // namespace sinew
