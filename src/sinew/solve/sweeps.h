// Contacts of many bodies, where a matrix of all responses would be too large: trees of any size and loose bodies without
// cut joints. Time and memory grow with the contacts, not with their square (solve/sparse.h).
#pragma once
#include "sinew/solve/cuts.h"
#include "sinew/solve/rows.h"
#include "sinew/solve/sparse.h"

namespace sinew {

template <Real S>
struct SweepWork {
  std::vector<int> node;        // per link: its loose body (>= 0) or its tree (-1 - index), this step
  std::vector<char> loose;      // per link: by itself and without springs and drives
  std::vector<S> du;            // answer of a tree to one impulse
  std::vector<S> pool;          // J and Y of all rows on trees, all lanes
  std::vector<std::size_t> at;  // of each contact and side, then of each axis: where its part of the pool begins
  SparseProblem problem;        // of one lane
  SparseSolver solver;

  explicit SweepWork(const Model& model);
};

// Solves the problem of one robot of a batch: finds P.
struct SparseLaneSolver {
  virtual void solve(int lane, SparseProblem& problem) = 0;

 protected:
  ~SparseLaneSolver() = default;
};

// rows.gamma must hold the velocities without impulses. Lanes outside `which` are left alone. Adds the response to u_E. The model
// must have no cut joints.
template <Real S>
SolveReport solve_by_sweeps(const FactoredRobot<S>& robot, Mask<S> which, const SparseLimits& limits, Rows<S>& rows,
                            SweepWork<S>& work, S* u_E);

// The same with another solver; whether what it found solves anything is for the caller to say.
template <Real S>
void solve_sparsely(const FactoredRobot<S>& robot, SparseLaneSolver& solver, Mask<S> which, Rows<S>& rows,
                    SweepWork<S>& work, S* u_E);

}  // namespace sinew
