// The equations of motion as the plain sums of virtual work over the bodies of a plan, dense and without any recursion:
//   V_C = J u,  M = sum J^T I_C J,  tau = sum J^T (I_C A_C + w x I_C w - F)        per body, at its mass centre C
// Poses come straight from the plan and each joint's pose function; a column of J is the screw that the joint makes when
// one velocity is 1; A_C is the difference quotient of J u along the motion. Nothing is shared with dynamics/ or
// kinematics/ except the numbering of coordinates and axes.
#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <vector>

#include "sinew/model/compile.h"
#include "tests/support/eigen.h"

namespace sinew::support {

struct OracleBody {
  double m;
  Eigen::Isometry3d X_WB;  // the plan's body frame
  Eigen::Vector3d p_WC;    // mass centre
  Eigen::Matrix3d I_C;     // central, world axes
  Eigen::MatrixXd J;       // 6 x frame axes, at C
  Vector6 V, A;            // velocity, and acceleration when no freedom accelerates, of C
};

struct Oracle {
  Oracle(const Plan& plan, const Model& model, const State<double>& state);

  std::vector<OracleBody> bodies;  // by link
  std::vector<int> free_axis;      // frame axis of each freedom

  // M over all frame axes, those of driven joints included.
  Eigen::MatrixXd mass_of_all_axes() const;
  // M over the freedoms.
  Eigen::MatrixXd mass() const;

  // tau per frame axis for accelerations of the freedoms. scale: the same sum with all terms positive, the yardstick
  // for round-off.
  Eigen::VectorXd forces(const Eigen::VectorXd& u_rate, const std::vector<Wrench<double>>& external,
                         Eigen::VectorXd& scale) const;
  // The entries of frame axes that belong to freedoms.
  Eigen::VectorXd of_freedoms(const Eigen::VectorXd& per_axis) const;

  double kinetic() const;
  double potential() const;
  Eigen::Vector3d linear_momentum() const, angular_momentum() const;

 private:
  Gravity<double> gravity_;
};

// Force and torque of gravity at the mass centre of a body. The inertia forces of turning axes are summed over six points
// that have the body's mass, mass centre and inertia.
Vector6 gravity_wrench(const Gravity<double>& gravity, double m, const Eigen::Matrix3d& I_C,
                       const Eigen::Vector3d& p_WC, const Vector6& V_C);
double gravity_energy(const Gravity<double>& gravity, double m, const Eigen::Matrix3d& I_C,
                      const Eigen::Vector3d& p_WC);

}  // namespace sinew::support
