// Exceptions of the library as those of the module (python/sinew/_errors.py): bad input as ScenarioError with all problems, the rest as
// SinewError.
#include <utility>

#include "python/bind.h"
#include "sinew/math/check.h"
#include "sinew/recording.h"
#include "sinew/scenario.h"

namespace python {
namespace {

py::object error_class(const char* name) { return py::module_::import("sinew._errors").attr(name); }

void raise(const py::object& error) { PyErr_SetObject(py::type::of(error).ptr(), error.ptr()); }

void raise_problems(const std::vector<std::string>& problems) {
  py::list list;
  for (const std::string& problem : problems) list.append(problem);
  raise(error_class("ScenarioError")(list));
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const sinew::InputError& e) {
    raise_problems(e.problems);
  } catch (const sinew::PlanError& e) {
    raise_problems({e.what()});
  } catch (const sinew::FileError& e) {
    raise(error_class("SinewError")(e.what()));
  } catch (const sinew::record::Error& e) {
    raise(error_class("SinewError")(e.what()));
  } catch (const sinew::CallError& e) {
    raise(error_class("SinewError")(e.what()));
  }
}

}  // namespace

void add_errors(py::module_&) { py::register_exception_translator(&translate); }

}  // namespace python
