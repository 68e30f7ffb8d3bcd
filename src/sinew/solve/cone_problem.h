// Contact problems in the form in which the field exchanges them: u = W r + q, Coulomb's cone at each contact, isotropic friction.
// Rows of a contact: normal, two of sliding. W is sparse, by blocks, and need not be quite symmetric.
#pragma once
#include <string>
#include <vector>

#include "sinew/math/block_lu.h"

namespace sinew {

struct ConeProblem {
  BlockRows W;
  std::vector<double> q;   // velocities without impulses, three a contact
  std::vector<double> mu;  // one a contact

  int contacts() const { return int(mu.size()); }
};

struct DenseProblem;

// The same problem; its contacts must slide and have no other friction, and no other laws are in it. Of the friction mu_trans counts.
ConeProblem cone_problem(const DenseProblem& dense);

// What makes it no contact problem ("mu of contact 3 is -0.1"); empty: nothing.
std::string fault_of(const ConeProblem& problem);

// u = W r + q
void velocities(const ConeProblem& problem, const std::vector<double>& r, std::vector<double>& u);

// The field's usual error: the natural map with de Saxce's correction and the step 1, over the norm of q (1 if that is 0),
//   | r - proj_K(r - (u_N + mu |u_T|, u_T)) | / |q|
// Siconos' fc3d_compute_error divides by the largest of |q|, |r| and |u|.
double relative_residual(const ConeProblem& problem, const std::vector<double>& r);

// How many contacts are open, stick and slide.
struct ConeStates {
  int open = 0, stick = 0, slide = 0;
};
ConeStates states_of(const ConeProblem& problem, const std::vector<double>& r);

enum class ConeMethod {
  Auto,      // a few sweeps, then Proximal; where that fails, up to 300 rows, Dense, then Proximal from other starts
  Proximal,  // solve/cone_proximal.cpp: Newton's method with proximal points and sparse factors
  Sweep,     // block Gauss-Seidel, each contact solved exactly
  Dense      // solve/dense.h: Newton's method with a matrix of all rows
};

struct ConeLimits {
  double tolerance = 1e-8;  // of the relative residual
  int iterations = 0;       // sweeps and linear systems; 0: what is usual for the method
};

struct ConeReport {
  double residual = 0.0;        // relative
  int sweeps = 0, systems = 0;  // iterations: sweeps over all contacts, linear systems
};

// r: in the guess, out the best impulses found, inside their cones.
ConeReport solve(const ConeProblem& problem, ConeMethod method, const ConeLimits& limits, std::vector<double>& r);

// The parts of it.
ConeReport solve_by_cone_sweeps(const ConeProblem& problem, const ConeLimits& limits, std::vector<double>& r);
ConeReport solve_by_proximal_points(const ConeProblem& problem, const ConeLimits& limits, std::vector<double>& r);

}  // namespace sinew
