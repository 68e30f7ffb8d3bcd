// A stepper takes one robot (or one register of robots) from t to t + dt. Chosen once per run from a table.
#pragma once
#include <span>
#include <string_view>

#include "sinew/model/params.h"
#include "sinew/model/state.h"

namespace sinew {

template <Real S>
struct Workspace;

// Residual of a step that had no slot for a contact (contact.capacity).
inline constexpr double no_room = 1e300;

// Most that loops may take out of the velocities at the end of a step, see StepReport::thrown.
inline constexpr double most_thrown = 0.01;

// Flags and residuals of one step; the caller decides whether to stop.
struct StepReport {
  bool finite = true;      // no NaN or infinity in the new state
  double gap = 0.0;        // largest gap of a cut joint before the projection [m or rad]
  int iterations = 0;      // of the solver, where it iterates
  double residual = 0.0;   // of the solver's certificate [m/s]
  bool converged = true;   // the residual is within the tolerance
  int worst_pair = -1;     // contact with the largest residual, in Model::pairs; -1: none, or
  int worst_axis = -1;     // law on a joint axis, in Model::axis_rows
  double outside = 0.0;    // most by which an impulse of a contact leaves its set [N s]
  double friction = 0.0;   // most energy that friction of a contact put in, where it may only take out [J]
  double torque = 0.0;     // largest of a drive on an axis [N m or N]
  bool saturated = false;  // some servo gives all it can
  double thrown = 0.0;     // rk4: part of the velocity that loops had to take out, in the metric of the mass matrix
  bool stalled = false;    // rk45: its tolerance asks for too short or too many steps of its own

  // Nothing after such a step means anything.
  bool is_lost() const { return !finite || stalled || !(thrown <= most_thrown); }
};

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

}  // namespace sinew
