// Contact problems of many bodies: nothing is ever stored between two contacts, only what each does to its two bodies.
// A body is loose (six velocities, its answer to an impulse is its own inverse inertia) or the freedoms of a whole tree.
//   gamma = c + sum over the sides of J d,     d += Y dP,     Y = A^-1 J^T      d: change of the side's velocities
// Bodies that touch one another, directly or through others, make an island; each is solved by itself:
//   small   its matrix G = sum of J Y, then solve/dense.h
//   large   sweeps of block Gauss-Seidel: one contact after the other is solved exactly against the present velocities,
//           from the last step's impulses, with Nesterov's momentum from sweep to sweep, less of it when changes grow (after [1]);
//           where they do not arrive, Newton's method with sparse factors, solve/island_cones.cpp
// In small islands impulses are those of least norm; in large ones redundant contacts share as the last step's did.
// [1] O'Donoghue, Candes: Adaptive restart for accelerated gradient schemes. Foundations of Computational Mathematics 15 (2015).
// Knows nothing of robots and steps.
#pragma once
#include <span>
#include <vector>

#include "sinew/math/spatial.h"
#include "sinew/solve/cone_problem.h"
#include "sinew/solve/contact_lanes.h"
#include "sinew/solve/dense.h"

namespace sinew {

struct LooseBody {
  double per_m;  // inverse mass
  Sym3d per_I;   // inverse inertia about the mass centre, world axes
};

// What a contact acts on. Of a loose body arm is the way from its mass centre to the point; of a tree `at` is where J begins
// in SparseProblem::pool, a row of the contact after the other, and Y after that.
struct SparseSide {
  int body = -1;  // in SparseProblem::loose
  int tree = -1;  // in SparseProblem::trees
  std::size_t at = 0;
};

struct SparseTurning {  // of a contact with drilling or rolling friction: what the others do not need
  double c[3], P[3];    // D, V1, V2
  double G[6][6];       // the contact's answer to itself
  double r_D, r_V;
};

struct SparseContact {
  SparseSide side1,
      side2;  // the normal points from 1 to 2; body and tree -1: the world, or a tree that side 2 stands for
  Vec3d n, t1, t2, arm1, arm2;
  double c[3], P[3];     // N with the bias, T1, T2
  double give;           // velocity with which the normal row gives way to its impulse [1/kg]
  Sym3d G, K;            // the contact's answer to itself, N, T1, T2; its inverse
  bool sticks;           // K exists
  double r_T;            // step of friction
  double mass, inertia;  // of the certificate, and of the body that turns [kg, kg m^2]
  int turning;           // in SparseProblem::turning; -1: none
  int law;               // in SparseProblem::laws
};

struct SparseAxis {  // a law on one freedom of a tree
  SparseSide side;
  AxisLaw<double> law;
  double c, P, G, mass;
};

struct TreeSpan {
  int first, n;  // velocities in SparseProblem::u
};

struct SparseProblem {
  std::vector<LooseBody> loose;
  std::vector<TreeSpan> trees;
  std::vector<SparseContact> contacts;  // in: sides, directions, laws, c, guesses P
  std::vector<SparseTurning> turning;
  std::vector<ContactLaw<double>> laws;  // eps_N and biases are in the contacts
  std::vector<SparseAxis> axes;
  std::vector<double> pool;
  double soft;  // compliance that selects the impulses of least norm in small islands [1/kg]

  std::vector<Twist<double>>
      V;                  // changes of the loose bodies' velocities: scratch, out; the last, of the world, stays zero
  std::vector<double> u;  // of the trees' freedoms
  void clear();
  void reserve(int contacts, int axes, int links, int freedoms);
};

// What a contact answers to its own impulses: G, K and what follows from them.
void set_own_response(SparseProblem& p, SparseContact& c);
// All changes of velocity are zero.
void start_velocities(SparseProblem& p);

struct SparseLimits {
  double tolerance;  // of the certificate [m/s]
  int sweeps = 2000;
  bool exact = true;  // small islands, and others where sweeps fail, by a matrix
};

struct SparseReport {
  int iterations = 0;     // sweeps of the largest island, or linear systems
  double residual = 0.0;  // largest [m/s]
};

// Keeps its scratch, which grows with the largest problem seen.
class SparseSolver {
 public:
  void reserve(int contacts, int axes, int links, int freedoms);
  // Leaves impulses P inside their cones.
  SparseReport solve(SparseProblem& problem, const SparseLimits& limits);

 private:
  struct Island {
    int first_contact, contacts, first_axis, axes, rows;
    int first_node, nodes;
  };

  static constexpr int small_island = 36;   // rows up to which a matrix is no slower
  static constexpr int dense_island = 300;  // rows up to which it is tried where sweeps fail

  void find_islands(const SparseProblem& p);
  int find(int node);
  void join(int a, int b);
  void prepare(SparseProblem& p);

  double solve_by_sweeps(SparseProblem& p, const Island& island, double tolerance, int limit, int& iterations);
  void push_all(SparseProblem& p, const Island& island);
  SweepChange sweep(SparseProblem& p, const Island& island, double beta);
  void fill_packs(const SparseProblem& p, const Island& island);
  void leave_packs(SparseProblem& p);
  void put_back(SparseProblem& p);
  bool in_packs() const { return !packs_.empty() || !balls_.empty(); }
  std::span<const int> contacts_of(const Island& island) const;
  double residual(const SparseProblem& p, const Island& island, double enough, int& suspect) const;
  void extrapolate(SparseProblem& p, const Island& island, double beta);

  double solve_dense(SparseProblem& p, const Island& island, double tolerance, int& iterations);
  void fill_matrix(SparseProblem& p, const Island& island);

  bool is_of_cones(const SparseProblem& p, const Island& island) const;
  void find_neighbours(const SparseProblem& p, const Island& island);
  ConeProblem cones_of(SparseProblem& p, const Island& island, double& w);
  double solve_by_cones(SparseProblem& p, const Island& island, double tolerance, int& iterations);

  void rest(SparseProblem& p, const Island& island) const;  // velocities without impulses

  template <class F>
  void each_impulse(SparseProblem& p, const Island& island, F f);
  template <class F, class T>
  void each_velocity(const SparseProblem& p, const Island& island, F loose, T freedom) const;

  std::vector<int> parent_, island_of_, contact_order_, axis_order_, node_order_;
  std::vector<Island> islands_;
  std::vector<double> P_last_, u_last_;  // where the last sweep ended
  std::vector<Twist<double>> V_last_;
  std::vector<ContactLanes> packs_;  // of the island at work; both empty: one contact after the other
  std::vector<BallLanes> balls_;
  std::vector<int> neighbour_start_, neighbours_;  // contacts of each body of the island at work
  DenseProblem dense_;
  DenseSolver dense_solver_;
};

}  // namespace sinew
