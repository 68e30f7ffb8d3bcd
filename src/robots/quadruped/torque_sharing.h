// Which torques make a wanted motion (docs/theory/quadruped.md#sharing-of-torques): fourteen actuators, eight coordinates.
//   J_tau^T tau = req
#pragma once
#include <limits>

#include "robots/quadruped/stance.h"
#include "sinew/math/qp.h"

namespace sinew::legged {

// Given: tau_p is given, tau_a follows. MinNorm: least tau^T tau. Damped: only the eight tau_a, and where they are singular not
// the whole of req. Qp: least norm within limits and friction cones.
enum class Sharing { Given, MinNorm, Damped, Qp };
inline constexpr std::array<std::string_view, 4> sharing_names{"given", "min-norm", "damped", "qp"};

struct GroundLimits {
  double mu = 0.8;     // friction
  double f_min = 0.0;  // least normal force of a foot [N]
  int facets = 8;      // of the pyramid inside the cone
};
struct TorqueLimits {
  double leg = std::numeric_limits<double>::infinity();  // [N m]
  double tail = std::numeric_limits<double>::infinity();
};

struct Torques {
  Vec14 tau{};
  bool found = false;     // false: singular or impossible; tau is no answer
  double residual = 0.0;  // largest entry of J^T tau - req [N, N m]
  double s_min = 0.0;     // Given, Damped: least singular value of the leg block of J_a
};

Torques share_given(const double J[14][8], const Vec8& req, const std::array<double, 6>& tau_p);
Torques share_min_norm(const double J[14][8], const Vec8& req);
// lambda < 0: by the rule lambda^2 = lambda0^2 (1 - (s_min/s0)^2) below s0.
Torques share_damped(const double J[14][8], const Vec8& req, double lambda = -1.0, double s0 = 0.2,
                     double lambda0 = 0.05);

// What is shared within limits: J^T tau = req in a stance.
struct ShareTask {
  const double (&J)[14][8];
  const AffineStance& affine;
  const Vec8& req;
};
Torques share_qp(const ShareTask& task, const TorqueLimits& limits, const GroundLimits& ground, SmallQp& qp);

// Least mu for which share_qp finds torques; infinity: none up to `most`.
double least_friction(const ShareTask& task, const TorqueLimits& limits, int facets, SmallQp& qp, double most = 100.0);

// The motion is the soft part: min sum w_i (u'_i - a_i)^2 + eps |tau|^2 within limits and cones.
struct StanceGoal {
  Vec8 a{}, weight{1, 1, 1, 1, 1, 1, 1e-3, 1e-3};
  double eps = 1e-4;
};
Torques share_goal(const AffineStance& affine, const StanceGoal& goal, const TorqueLimits& limits,
                   const GroundLimits& ground, SmallQp& qp);

// share_qp for u' of the goal; where nothing is feasible, found is false and tau is that of share_goal: as much of the motion as limits
// and ground allow. residual tells what is missed.
Torques share_limited(const ShareTask& task, const StanceGoal& goal, const TorqueLimits& limits,
                      const GroundLimits& ground, SmallQp& qp);

// Singular values, descending, of m rows of six numbers (m up to 12); determinant of six rows.
std::array<double, 6> singular_values(const double (*rows)[6], int m);
double determinant(const double rows[6][6]);
// The six leg rows of J_a, or any six or twelve of the leg actuators.
void leg_rows(const double J[14][8], const int* which, int count, double (*rows)[6]);

}  // namespace sinew::legged
