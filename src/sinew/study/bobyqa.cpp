#include "sinew/study/bobyqa.h"

#include <fmt/format.h>

#include <exception>

#include "sinew/files/errors.h"
#include "sinew/files/shared_library.h"

namespace sinew::study {
namespace {

using Nlopt = void*;
using Callback = double (*)(unsigned n, const double* x, double* gradient, void* data);

// The part of nlopt.h that is needed; its interface in C has been the same since 2.6.2.
struct Nlopts {
  explicit Nlopts(const SharedLibrary& library) {
    find(library, "nlopt_algorithm_from_string", number_of);
    find(library, "nlopt_create", create);
    find(library, "nlopt_destroy", destroy);
    find(library, "nlopt_set_min_objective", set_objective);
    find(library, "nlopt_set_lower_bounds1", set_lower);
    find(library, "nlopt_set_upper_bounds1", set_upper);
    find(library, "nlopt_set_initial_step1", set_step);
    find(library, "nlopt_set_xtol_abs1", set_tolerance);
    find(library, "nlopt_force_stop", force_stop);
    find(library, "nlopt_optimize", optimize);
  }
  template <class F>
  static void find(const SharedLibrary& library, const char* name, F& f) {
    f = reinterpret_cast<F>(library.symbol(name));
  }
  int (*number_of)(const char*);
  Nlopt (*create)(int, unsigned);
  void (*destroy)(Nlopt);
  int (*set_objective)(Nlopt, Callback, void*);
  int (*set_lower)(Nlopt, double);
  int (*set_upper)(Nlopt, double);
  int (*set_step)(Nlopt, double);
  int (*set_tolerance)(Nlopt, double);
  int (*force_stop)(Nlopt);
  int (*optimize)(Nlopt, double*, double*);
};

struct Call {
  const OneValue& value;
  const Nlopts& functions;
  Nlopt search;
  double last = 0.0;
  bool stopped = false;
  std::exception_ptr thrown;  // not through a library in C
};

double call_back(unsigned n, const double* x, double*, void* data) {
  Call& call = *static_cast<Call*>(data);
  if (call.stopped) return call.last;
  try {
    if (const auto found = call.value({x, x + n})) return call.last = *found;
  } catch (...) {
    call.thrown = std::current_exception();
  }
  call.stopped = true;
  call.functions.force_stop(call.search);
  return call.last;
}

}  // namespace

std::string bobyqa(const OneValue& value, std::vector<double> start, double tol_x) {
  const SharedLibrary library("libnlopt.so.0");
  const Nlopts functions(library);
  const Nlopt search = functions.create(functions.number_of("LN_BOBYQA"), unsigned(start.size()));
  if (!search) throw FileError("libnlopt.so.0: it has no BOBYQA: install Debian's libnlopt0");
  Call call{value, functions, search, 0.0, false, {}};
  functions.set_objective(search, call_back, &call);
  functions.set_lower(search, 0.0);
  functions.set_upper(search, 1.0);
  functions.set_step(search, 0.1);
  functions.set_tolerance(search, tol_x);
  double best = 0.0;
  const int code = functions.optimize(search, start.data(), &best);
  functions.destroy(search);
  if (call.thrown) std::rethrow_exception(call.thrown);
  if (call.stopped) return "";
  return code > 0 ? fmt::format("points are closer than {:g} of the ranges", tol_x)
                  : fmt::format("NLopt ended with code {}", code);
}

}  // namespace sinew::study
