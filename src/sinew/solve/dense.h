// Contact problems as a matrix: gamma = G P + c with a law on every block of rows. Knows nothing of robots.
// Two ways to the same answer:
//   sweep   block Gauss-Seidel with projections, then Newton's method from there
//   newton  Alart and Curnier's Newton method from the start; proximal points when it stalls
// Both end in the impulses of least norm where several explain the motion, the limit of equal and slightly compliant
// contacts. With much friction the laws themselves can have several solutions of different motion; it then finds one.
// docs/theory/solve.md#dense-engine.
#pragma once
#include <vector>

#include "sinew/model/plan.h"
#include "sinew/parts/law/axis_law.h"
#include "sinew/solve/local.h"

namespace sinew {

struct DenseContact {
  int first;  // row of N; then T1, T2 if it slides, D if it drills, V1, V2 if it rolls
  bool slides, drills, rolls;
  ContactLaw<double> law;
  double bias;
  double radius = 0.0;   // of a round shape [m]
  double inertia = 0.0;  // of the body that turns, roughly; 0: judged by the matrix [kg m^2]

  int n_rows() const { return 1 + (slides ? 2 : 0) + (drills ? 1 : 0) + (rolls ? 2 : 0); }
  // The problem's row of N, T1, ... ; -1: not there.
  int row_of(int r) const {
    if (r == row::N) return first;
    if (r <= row::T2) return slides ? first + r : -1;
    const int after = first + (slides ? 3 : 1);
    if (r == row::D) return drills ? after : -1;
    return rolls ? after + (drills ? 1 : 0) + (r - row::V1) : -1;
  }
};

struct DenseAxis {
  int first;  // its only row
  AxisLaw<double> law;
};

struct DenseProblem {
  int n = 0;  // rows
  std::vector<DenseContact> contacts;
  std::vector<DenseAxis> axes;
  std::vector<double> G;  // n x n, symmetric, column i at i * n
  std::vector<double> c;  // velocities without impulses
  std::vector<double> P;  // in: guess; out: impulses
  std::vector<double> gamma;
  double soft_N, soft;  // compliances that select the impulses of least norm: normal, others [1/kg]; soft_N >> soft > 0

  double at(int i, int k) const { return G[std::size_t(k) * n + i]; }
  void reserve(int contacts, int axes);
  void add_column(int r, double factor, double* to) const;  // to += column r of G times the factor
  void update_gamma();
};

enum class DenseMethod { Sweep, Newton };

struct DenseReport {
  bool converged = false;
  int iterations = 0;     // sweeps and linear systems
  double residual = 0.0;  // largest [m/s]
};

// Keeps its scratch, which grows with the largest problem seen.
class DenseSolver {
 public:
  void reserve(int contacts, int axes);  // up to six rows a contact
  // tolerance [m/s]. Leaves the best impulses found, inside their cones, and their velocities in the problem.
  DenseReport solve(DenseProblem& problem, DenseMethod method, double tolerance);
  // After a solve that did not converge, which is rare, as with feet whose rolling moments are near the rims of their cones: other steps of the
  // maps, then sweeps without compliances, which get there however slowly, and proximal points around where they are. Some tenths of a second.
  void persevere(DenseProblem& problem, double tolerance, DenseReport& report);

 private:
  struct Disk {  // friction with two rows, made linear: P = slip P_N + t z, z turn = -t . velocity
    bool stick;
    Vec2<double> a;  // coefficients
    Vec2<double> slip, t;
    double turn;
  };
  struct Contact {              // in the running iteration
    double mass;                // what a normal push meets: of the certificate
    double r_N, r_T, r_D, r_V;  // steps of the maps, those of disks in scaled variables
    double s;                   // radius of the cone: the normal impulse
    int code;                   // 1 closed + 2 stick + 4 drilling stick + 8 rolling stick
    int factored;               // code in the present factors
    Disk T, V;
    double slip_D;  // over P_N
  };
  struct Axis {
    double mass, r;
    int code;  // 1 low, 2 high, 3 between
    int factored;
  };
  struct Unknown {  // of the linear system: a number of P, or the z of a disk; its equation is the velocity along it
    int row, row2, contact;  // row2: -1 or the second row; contact: of a normal impulse, else -1
    double x, y;             // along the two rows
    double turn;
  };

  void start(DenseProblem& p);
  void set_soft(const DenseProblem& p, double part);
  void centre_at_first(const DenseProblem& p);
  double velocity(const DenseProblem& p, int r) const { return p.gamma[r] + soft_[r] * (p.P[r] - centre_[r]); }
  void read(const DenseProblem& p, const DenseContact& c, double* P, double* velocity) const;

  void sweeps(DenseProblem& p, int n, double tolerance);
  void sweep(DenseProblem& p);
  void sweep_contact(DenseProblem& p, int i);

  void decide(const DenseProblem& p);
  double decide_contact(const DenseProblem& p, int i);
  Disk make_disk(const double* P, const double* g, const Vec2<double>& a, double s, double r, double& error) const;
  void choose_unknowns(const DenseProblem& p);
  void move_to_rim(DenseProblem& p) const;
  void spread(const DenseProblem& p, const Unknown& u, double y, double* P) const;
  bool factor(const DenseProblem& p);
  bool newton_step(DenseProblem& p, bool again);
  bool step_again(DenseProblem& p);
  void search(DenseProblem& p);
  bool settle(DenseProblem& p, int steps, double tolerance, double goal);
  bool continuation(DenseProblem& p, double tolerance);
  bool select_least(DenseProblem& p, double tolerance);
  void more_steps(DenseProblem& p, double tolerance);
  void finish(DenseProblem& p, double tolerance, DenseReport& report);

  double residual(const DenseProblem& p, bool softly) const;
  void look(const DenseProblem& p);  // keeps P if it is the best so far

  std::vector<Contact> contact_;
  std::vector<Axis> axis_;
  std::vector<Unknown> unknown_;
  std::vector<double> A_, b_, scale_, column_, best_P_, old_P_, old_gamma_, new_P_, new_gamma_;
  std::vector<double> soft_, centre_;  // the law sees gamma + soft (P - centre)
  std::vector<double> first_centre_;   // 0, but of turning rows the guess
  std::vector<int> pivots_;
  double merits_[4];  // of the last points
  int n_merits_ = 0, iterations_ = 0;
  bool changed_ = true;  // since the factors: some state
  double merit_ = 0.0, best_ = 0.0;
  double mass_ = 0.0;       // sum over the laws
  double step_N_, step_T_;  // of Newton's maps, times the diagonal's: long ones
};

}  // namespace sinew
