#include "sinew/exchange/problem_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sinew/files/file_writer.h"
#include "sinew/files/place.h"

namespace sinew::exchange {

void refuse(const std::string& file, const std::string& what) {
  throw Error(fmt::format("{}: {}: give a whole contact problem in FCLIB's HDF5 layout or Siconos' text", file, what));
}

ConeProblem read_problem(const std::string& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || (stream.peek(), stream.bad()))
    throw FileError(fmt::format("{}: cannot be opened: {}: give the path of a contact problem", file,
                                std::strerror(errno ? errno : EISDIR)));
  std::string head(8, '\0');
  stream.read(head.data(), std::streamsize(head.size()));
  ConeProblem problem;
  if (head == fclib_file.beginnings[0]) {
    stream.close();
    problem = read_fclib(file);
  } else {
    stream.clear();
    stream.seekg(0);
    problem = parse_siconos_text({std::istreambuf_iterator<char>(stream), {}}, file);
  }
  if (const std::string fault = fault_of(problem); !fault.empty()) refuse(file, fault);
  return problem;
}

Form form_of(const std::string& file) {
  const auto ends = [&](std::string_view ending) { return file.size() > ending.size() && file.ends_with(ending); };
  if (ends(".hdf5") || ends(".h5")) return Form::Fclib;
  if (ends(".dat") || ends(".txt")) return Form::SiconosText;
  throw Error(fmt::format("{}: unknown ending: name a file that ends in .hdf5 (FCLIB) or .dat (Siconos' text)", file));
}

void write_problem(const ConeProblem& problem, const std::vector<double>& r, const std::string& file) {
  if (form_of(file) == Form::Fclib) return write_fclib(problem, r, file);
  write_file(file, siconos_file, siconos_text(problem));
}

}  // namespace sinew::exchange
