// The equations of motion of the soft limb and of the hub with two limbs in closed form (docs/theory/softbot.md):
// dense, in the coordinates of that page, with nothing of the library in it but the numbers of the links.
//   M(q) a + H(q, v) + C v + K q = Q
// Faults of the printed derivation can be put in one at a time.
#pragma once
#include <Eigen/Core>
#include <initializer_list>
#include <vector>

#include "robots/softbot/planform.h"

namespace sinew::support {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Errata of docs/theory/softbot.md: what each would do to the equations if it were believed.
enum class Fault {
  None,
  Diagonal,        // E1: l^2 times the outer masses is missing on the diagonal
  HubLeft,         // E12: sign of the coupling between hub and left limb
  HeightRow,       // E11: cos instead of sin in the row of y
  LeftPartial,     // E15: the partial derivatives of T by the angles of the two limbs with opposite signs
  RightBlock,      // E14: right rows copied from the left limb, and their transpose
  LeftVelocity,    // E13: sign of the term with the velocity along x
  RightRows,       // E14: only the rows
  HubPartial,      // E16: the partial derivative of T by the hub's angle left out
  CoriolisSign,    // E3: sin (2 v_i v_j - v_j^2) in a limb instead of sin v_j^2
  DampingSign,     // E2: dampers on sums of rates
  GravityOfOuter,  // E18: torque of gravity on the hub only by outer links
  RootTwice,       // E21: moments at the roots counted twice
};

struct ClosedChain {
  std::vector<double> l, m, lc, I, k, c;
  explicit ClosedChain(const std::vector<robots::SheetLink>& links);
  ClosedChain() = default;
  int n() const { return int(l.size()); }
  double mass() const;
  VectorXd a() const;                            // m_i l_c,i + l_i sum of outer masses
  MatrixXd mu(Fault fault = Fault::None) const;  // mass matrix of the straight limb
  MatrixXd tridiagonal(const std::vector<double>& k,
                       double sign = -1.0) const;  // of springs or dampers between neighbours
};

// Pinned at its root.
struct ClosedLimb {
  ClosedChain chain;
  double g = 0.0;
  Fault fault = Fault::None;
  MatrixXd mass(const VectorXd& q) const;
  VectorXd bias(const VectorXd& q, const VectorXd& v) const;  // H
  VectorXd acceleration(const VectorXd& q, const VectorXd& v, const VectorXd& moments) const;
  double kinetic(const VectorXd& q, const VectorXd& v) const;
  double elastic(const VectorXd& q) const;
  double potential(const VectorXd& q) const;
};

// q = (th_L,n .. th_L,1, x, y, th_h, th_R,1 .. th_R,n)
struct ClosedRobot {
  ClosedChain left, right;
  double mh = 5.0, Ih = 5.0 * 0.13 / 12.0, bL = 0.15, bR = 0.15, h = 0.1, g = 0.0;
  Fault fault = Fault::None;
  int size() const { return left.n() + right.n() + 3; }
  int L(int i) const { return left.n() - 1 - i; }  // place of th_L,i+1
  int R(int i) const { return left.n() + 3 + i; }
  int hub() const { return left.n() + 2; }
  MatrixXd mass(const VectorXd& q) const;
  VectorXd bias(const VectorXd& q, const VectorXd& v) const;
  MatrixXd stiffness() const;
  MatrixXd damping() const;
  VectorXd gravity(const VectorXd& q) const;
  MatrixXd moments() const;  // E of Q = E u, u in the order of the joints L,n .. L,1, R,1 .. R,n
  VectorXd acceleration(const VectorXd& q, const VectorXd& v) const;
  double kinetic(const VectorXd& q, const VectorXd& v) const;
  double elastic(const VectorXd& q) const;
  Eigen::Vector3d momenta(const VectorXd& q, const VectorXd& v) const;  // P_x, P_y, H_o by sums over the bodies
  double mass_of_all() const { return mh + left.mass() + right.mass(); }
};

// Those of the thesis: a limb of the default sheet, and a hub with two equal limbs of two links.
ClosedLimb limb(double zeta = 0.0);
ClosedRobot even_robot(Fault fault = Fault::None);

VectorXd vector(std::initializer_list<double> values);

// Classical Runge-Kutta of order 4 for a = f(q, v). False: it left all bounds.
template <class F>
bool rk4_step(const F& f, double dt, VectorXd& q, VectorXd& v) {
  const VectorXd k1 = f(q, v), v2 = v + 0.5 * dt * k1, k2 = f(q + 0.5 * dt * v, v2), v3 = v + 0.5 * dt * k2,
                 k3 = f(q + 0.5 * dt * v2, v3), v4 = v + dt * k3, k4 = f(q + dt * v3, v4);
  q += dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
  v += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  return q.allFinite() && v.allFinite() && v.norm() < 1e3;
}

}  // namespace sinew::support
