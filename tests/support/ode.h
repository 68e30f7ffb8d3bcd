// An independent integrator for tests: SUNDIALS CVODE, Adams methods with tight tolerances.
#pragma once
#include <functional>
#include <vector>

namespace sinew::test {

// dy/dt = f(t, y)
using Ode = std::function<void(double t, const double* y, double* dy)>;

// y(t1) from y(t0); tolerance: relative, and absolute per component.
std::vector<double> integrate(const Ode& f, std::vector<double> y0, double t0, double t1, double tolerance = 1e-12);

}  // namespace sinew::test
