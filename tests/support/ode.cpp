#include "tests/support/ode.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <stdexcept>

namespace sinew::test {
namespace {

int evaluate(double t, N_Vector y, N_Vector dy, void* f) {
  (*static_cast<const Ode*>(f))(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  return 0;
}

void check(int flag) {
  if (flag < 0) throw std::runtime_error("CVODE failed with " + std::to_string(flag));
}

}  // namespace

std::vector<double> integrate(const Ode& f, std::vector<double> y0, double t0, double t1, double tolerance) {
  if (t1 == t0) return y0;
  SUNContext context = nullptr;
  check(SUNContext_Create(nullptr, &context));
  N_Vector y = N_VMake_Serial(sunindextype(y0.size()), y0.data(), context);
  void* cvode = CVodeCreate(CV_ADAMS, context);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
  check(CVodeInit(cvode, evaluate, t0, y));
  check(CVodeSStolerances(cvode, tolerance, tolerance));
  check(CVodeSetUserData(cvode, const_cast<Ode*>(&f)));
  check(CVodeSetNonlinearSolver(cvode, solver));
  check(CVodeSetMaxNumSteps(cvode, 10000000));
  check(CVodeSetStopTime(cvode, t1));
  double t = t0;
  check(CVode(cvode, t1, y, &t, CV_NORMAL));
  CVodeFree(&cvode);
  SUNNonlinSolFree(solver);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return y0;
}

}  // namespace sinew::test
