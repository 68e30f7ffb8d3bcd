#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/bind.h"
#include "sinew/recording.h"

namespace python {
namespace {

using sinew::record::Reader;

py::list columns(const Reader& reader) {
  py::list out;
  for (const sinew::record::Column& c : reader.columns()) out.append(py::make_tuple(c.name, c.unit, c.description));
  return out;
}

py::array_t<double> read(const Reader& reader, std::size_t column) {
  if (column >= reader.columns().size()) throw py::index_error("there is no such column");
  const std::vector<double> values = reader.read(column);
  return py::array_t<double>(py::ssize_t(values.size()), values.data());
}

}  // namespace

void add_recording(py::module_& module) {
  py::class_<Reader>(module, "Reader")
      .def(py::init<const std::string&>())
      .def_property_readonly("columns", &columns)
      .def_property_readonly("rows", &Reader::rows)
      .def("read", &read)
      .def("attribute", &Reader::attribute);
}

}  // namespace python
