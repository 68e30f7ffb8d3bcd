// A robot made linear about a pose at rest: what a small motion dx of its freedoms obeys there.
//   M dx'' + C dx' + K dx = du,      du: change of the forces on the freedoms
// K is the stiffness of the springs and of the field of gravity (its Hessian); C the dampers, and what turning
// axes add. M comes from composite inertias, K and C from differences of inverse dynamics. All that acts in a step acts here, by the
// step's own sum (step/actuate.h): springs, dampers, servos, torques that are given, cables, drag, sunlight; as at t = 0.
// Contacts, ends of ranges and dry friction do not.
#pragma once
#include "sinew/dynamics/mass.h"
#include "sinew/math/matrix.h"
#include "sinew/model/compile.h"
#include "sinew/step/workspace.h"

namespace sinew {

struct Linear {
  Matrix M, C, K;  // nu x nu
};

// A tree for questions of statics, with numbers of its own. Loops: not for it.
class Statics {
 public:
  explicit Statics(const PlannedTree& robot);  // throws PlanError
  explicit Statics(const Plan& plan);          // one that nobody has compiled; throws PlanError

  const Model& model() const { return *compiled_.model; }
  std::vector<double> start() const { return compiled_.state.q; }
  Matrix start_rates() const {
    return Matrix::column({compiled_.state.u.begin(), compiled_.state.u.begin() + model().nu});
  }

  // Forces on the freedoms that hold the robot at q with the velocities u and no accelerations: what gravity and all
  // other loads leave to do.
  Matrix holding_force(const std::vector<double>& q, const Matrix& u);
  Matrix holding_force(const std::vector<double>& q);
  Matrix stiffness(const std::vector<double>& q);
  Linear about(const std::vector<double>& q);
  Matrix mass(const std::vector<double>& q);

  // q moved by dx along its freedoms.
  std::vector<double> moved(std::vector<double> q, const Matrix& dx) const;

 private:
  Compiled compiled_;
  Input<double> input_;  // nothing: the commands of a controller are not part of the robot
  Workspace<double> ws_;
  MassWork<double> mass_;
  std::vector<double> still_;
};

}  // namespace sinew
