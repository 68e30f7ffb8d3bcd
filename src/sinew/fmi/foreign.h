// Somebody else's FMU as a controller: at every tick it is given the readings, makes a step of a period, and what its outputs then say are the
// commands from that tick on. It is native code: whoever starts it trusts it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sinew/control/fmu_plan.h"
#include "sinew/imports/fmu_file.h"

namespace sinew::fmi {

struct ForeignStart {
  std::string file;
  imports::FmuFile fmu;  // FmuWire::variable is a number in its variables
  struct Parameter {
    std::uint32_t reference;
    double value;
  };
  std::vector<Parameter> parameters;
  FmuWires wires;
  double period;  // [s]
};

// The archive is unpacked into a folder that goes with the controller. Throws InputError if the FMU does not start, FileError if there is no
// room. update() throws InputError if it fails on the way. Where time jumps, it begins anew.
std::unique_ptr<ForeignController> start_foreign(const ForeignStart& start);

}  // namespace sinew::fmi
