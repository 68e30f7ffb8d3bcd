// The steppers. To add one: write step/<name>.cpp with the function step_<name>, then one line in SINEW_STEPPERS:
//   X(name, order of accuracy on smooth motion, Forces::..., Laws::..., whether it keeps a past, what it is good for)
#pragma once
#include "sinew/step/stepper.h"
#include "sinew/step/workspace.h"

#define SINEW_STEPPERS(X)                                                                            \
  X(moreau, 2, ServosAtWill, InStep, true, "midpoint time stepping; the default")                    \
  X(verlet, 1, AtStart, AfterStep, false, "velocity Verlet; for springs without dampers")            \
  X(rk4, 4, AtStart, AfterStep, false, "Runge-Kutta of order 4; the most accurate on smooth motion") \
  X(euler, 1, AtEnd, InStep, true, "linearly implicit Euler; stiff springs and servos at large steps")
// Those that a batch cannot take: its robots would need different steps. There step_<name> is for double only.
#define SINEW_SINGLE_STEPPERS(X)        \
  X(rk45, 5, AtStart, AfterStep, false, \
    "Runge-Kutta of order 5 with steps as small as needed; finds where penalty contacts close")

namespace sinew {

#define SINEW_STEPPER(name, ...) \
  template <Real S>              \
  StepReport step_##name(const Model&, const Params<S>&, const Input<S>&, double dt, State<S>&, Workspace<S>&);
SINEW_STEPPERS(SINEW_STEPPER)
SINEW_SINGLE_STEPPERS(SINEW_STEPPER)
#undef SINEW_STEPPER

// The last line of step/<name>.cpp.
#define SINEW_INSTANTIATE_STEPPER(name)                                                                              \
  template StepReport step_##name(const Model&, const Params<double>&, const Input<double>&, double, State<double>&, \
                                  Workspace<double>&);                                                               \
  template StepReport step_##name(const Model&, const Params<Lanes>&, const Input<Lanes>&, double, State<Lanes>&,    \
                                  Workspace<Lanes>&);

}  // namespace sinew
