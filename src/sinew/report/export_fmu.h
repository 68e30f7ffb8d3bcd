// An FMU: an archive with a description of the robot, the library that moves it, and its scenario with the files that it names.
#pragma once
#include <string>

#include "sinew/fmi/variables.h"

namespace sinew::report {

struct FmuExport {
  int version = 3;  // of FMI: 2 or 3
  fmi::Part part = fmi::Part::Scenario;
  std::string library;  // the bytes of sinew-fmu.so
};

// The bytes of the archive: the same ones for the same scenario. Throws InputError, FileError.
std::string export_fmu(const sim::Experiment& experiment, const FmuExport& how);

}  // namespace sinew::report
