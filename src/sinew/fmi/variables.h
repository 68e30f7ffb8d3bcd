// What can be read from an exported FMU and told to it: one list, which its description shows and its library answers. The number of a
// variable in the list is its value reference.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/sim/experiment.h"

namespace sinew::fmi {

// Which part of a scenario an FMU is: all of it, as sinew run moves it; the robot without its controller; the controller.
enum class Part { Scenario, Robot, Controller };

enum class Causality { Independent, Parameter, Input, Output };

// Where the number is.
enum class Source {
  Time,
  Parameter,  // of sim::parameters_of()
  Command,    // at: as a channel's offset; an input of the robot, an output of the controller
  Push,       // at: body, component of a wrench: n, f
  Reading,    // at: as a channel's offset; an output of the robot, an input of the controller
  Signal      // at: in Experiment::signals()
};

struct Variable {
  std::string name, unit, description;
  Causality causality = Causality::Output;
  Source source = Source::Time;
  int at = 0, component = 0;
  double start = 0.0;  // of parameters and inputs
  double low, high;    // of parameters; infinite: none
  bool is_tunable = false;
};

// Throws InputError if there is no such part, or nothing moves.
std::vector<Variable> variables_of(const sim::Experiment& experiment, Part part);

// A number without a limit is infinite here, and this there: not every importer reads infinity.
inline constexpr double no_limit = 1e308;
double to_fmi(double x);
double from_fmi(double x);

// By which a library knows that a description is of its own resources: 128 bits of all that is in them.
std::string token_of(std::string_view resources);

}  // namespace sinew::fmi
