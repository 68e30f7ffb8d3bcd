#include "python/bind.h"
#include "sinew/version.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "What sinew's C++ library does for Python; see the module sinew.";
  module.attr("version") = SINEW_VERSION;
  python::add_errors(module);
  python::add_scenario(module);
  python::add_world(module);
  python::add_batch(module);
  python::add_recording(module);
  python::add_study(module);
}
