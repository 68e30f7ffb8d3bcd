// Frictional contact problems in the files by which the field exchanges them:
//   FCLIB's layout in HDF5: fclib_local (W, q, mu), or fclib_global (M, H, f, w, mu), which is reduced to W = H^T M^-1 H and
//   q = H^T M^-1 f + w; written as fclib_local, with the solution
//   Siconos' text: the matrix dense or in sparse blocks; written in sparse blocks
// Only spaces of three dimensions and problems without equations beside the contacts.
#pragma once
#include <string>
#include <vector>

#include "sinew/files/errors.h"
#include "sinew/solve/cone_problem.h"

namespace sinew::exchange {

// What is in a file is no contact problem that can be solved. The text is "FILE: WHAT: HOW TO FIX". (One that cannot be read at all is
// a FileError.)
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
[[noreturn]] void refuse(const std::string& file, const std::string& what);

enum class Form { Fclib, SiconosText };

// By the first bytes of the file. A file is not trusted: every size is looked at before it is used.
ConeProblem read_problem(const std::string& file);

// By the end of its name: .hdf5 and .h5, or .dat and .txt. Throws Error for others.
Form form_of(const std::string& file);
// The file appears complete or not at all. r: the solution, for FCLIB; empty: none.
void write_problem(const ConeProblem& problem, const std::vector<double>& r, const std::string& file);

// Its parts.
ConeProblem parse_siconos_text(const std::string& text, const std::string& file);
std::string siconos_text(const ConeProblem& problem);
ConeProblem read_fclib(const std::string& file);
void write_fclib(const ConeProblem& problem, const std::vector<double>& r, const std::string& file);

}  // namespace sinew::exchange
