// Contacts solved through the matrix of their responses: any rows, any coordinates, loops and cut joints included.
//   G = W^T A^-1 W on the motions that cut joints allow; one response of the robot for each row.
// Of a batch all responses are found at once, then each robot's problem is solved by itself (solve/dense.h).
#pragma once
#include <optional>

#include "sinew/solve/dense.h"
#include "sinew/solve/four_answers.h"
#include "sinew/solve/recursion.h"

namespace sinew {

template <Real S>
struct DelassusWork {
  std::vector<S> G;        // of all rows of the step: column i at i * n
  std::vector<int> first;  // row of each contact
  DenseProblem problem;    // of one lane
  std::vector<int> map;    // its rows in those of the step
  DenseSolver solver;
  std::vector<Twist<S>> moved;  // links' change of velocity
  std::vector<S> du;
  std::vector<S> cut_P;             // impulses of cut joints without the rows
  std::optional<FourAnswers> four;  // of a single robot

  explicit DelassusWork(const Model& model);
};

// Solves the problem of one robot of a batch: finds P.
struct LaneSolver {
  virtual DenseReport solve(int lane, DenseProblem& problem) = 0;

 protected:
  ~LaneSolver() = default;
};

// rows.gamma must hold the velocities without impulses (u_E of the smooth step, given motions at the end). Lanes outside
// `which` are left alone. Adds the response to u_E, and to the impulses of cut joints.
template <Real S>
SolveReport solve_by_responses(const FactoredRobot<S>& robot, DenseMethod method, Mask<S> which, Rows<S>& rows,
                               DelassusWork<S>& work, S* u_E);

// The same with another solver; what the rows' own laws say of the result is for the caller to ignore.
template <Real S>
SolveReport solve_by_responses(const FactoredRobot<S>& robot, LaneSolver& solver, Mask<S> which, Rows<S>& rows,
                               DelassusWork<S>& work, S* u_E);

// Of free bodies that cut joints hold in trees, every contact with the ground: impulses by solve_by_cut_trees, in time linear in the
// bodies, then the motion that they cause in the same way. rows.gamma may hold any guess. Robots for which it fails go the way of responses.
template <Real S>
struct JointsInput {
  const Params<S>& params;
  const Twist<S>* V;  // of the links, without impulses
  RecursionWork<S>& work;
};
template <Real S>
SolveReport solve_by_joints(const FactoredRobot<S>& robot, const JointsInput<S>& input, Mask<S> which, Rows<S>& rows,
                            DelassusWork<S>& work, S* u_E);

}  // namespace sinew
