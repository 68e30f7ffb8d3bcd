// The same contact problems for Siconos' solvers (Debian: libsiconos-numerics-dev), to compare with: isotropic friction only.
#pragma once
#include <cmath>
#include <vector>

#include "sinew/solve/dense.h"

extern "C" {
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
}

namespace sinew::support {

struct SiconosSolver {
  const char* name;
  int id;
  int iterations;  // at most
  bool hybrid;     // starts with steps of the extragradient method
};
inline constexpr SiconosSolver siconos_solvers[] = {
    {"nsgs", SICONOS_FRICTION_3D_NSGS, 20000, false},   {"nsn_ac", SICONOS_FRICTION_3D_NSN_AC, 1000, false},
    {"hybrid", SICONOS_FRICTION_3D_NSN_AC, 1000, true}, {"admm", SICONOS_FRICTION_3D_ADMM, 20000, false},
    {"prox", SICONOS_FRICTION_3D_PROX, 1000, false},
};

// One problem in Siconos' form. Made before the clock starts, so that only its solver is timed.
class SiconosProblem {
 public:
  // tolerance: of its own error, absolute.
  SiconosProblem(const DenseProblem& p, const SiconosSolver& solver, double tolerance)
      : P(p.n, 0.0), gamma_(p.n, 0.0), W_(p.G), q_(p.c), mu_(p.contacts.size()) {
    double q2 = 0.0;
    for (std::size_t i = 0; i < mu_.size(); i++) {
      mu_[i] = p.contacts[i].law.mu_trans;
      q_[p.contacts[i].first] += p.contacts[i].bias;
    }
    for (const double x : q_) q2 += x * x;
    matrix_ = NM_create_from_data(NM_DENSE, p.n, p.n, W_.data());
    problem_ = frictionContactProblem_new_with_data(3, int(mu_.size()), matrix_, q_.data(), mu_.data());
    options_ = solver_options_create(solver.id);
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = solver.iterations;
    options_->dparam[SICONOS_DPARAM_TOL] = tolerance / std::sqrt(q2);  // it multiplies by the norm of q
    if (solver.hybrid)
      options_->iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] = SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN;
  }
  SiconosProblem(const SiconosProblem&) = delete;
  SiconosProblem& operator=(const SiconosProblem&) = delete;
  ~SiconosProblem() {
    matrix_->matrix0 = nullptr, problem_->q = nullptr, problem_->mu = nullptr;  // ours
    frictionContactProblem_free(problem_);
    solver_options_delete(options_);
  }

  // True: it says that it converged.
  bool solve() { return fc3d_driver(problem_, P.data(), gamma_.data(), options_) == 0; }

  std::vector<double> P;

 private:
  std::vector<double> gamma_, W_, q_, mu_;
  NumericsMatrix* matrix_;
  FrictionContactProblem* problem_;
  SolverOptions* options_;
};

}  // namespace sinew::support
