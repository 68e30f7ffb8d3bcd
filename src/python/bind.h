// The module _core of Python: a thin skin over sim::Simulation, batches, scenario files and recordings. What people see is in python/sinew/,
// which calls this. Each file adds one part.
#pragma once
#include <pybind11/pybind11.h>

namespace python {

namespace py = pybind11;

void add_errors(py::module_& module);
void add_scenario(py::module_& module);
void add_world(py::module_& module);
void add_batch(py::module_& module);
void add_recording(py::module_& module);
void add_study(py::module_& module);

}  // namespace python
