// A quadruped with a tail that stands on four point feet (docs/theory/quadruped.md#stance): the closed form by virtual work in
// eight coordinates.
//   M(q) u' + C(q,u) + G(q) = J_tau^T tau,     u = (v, w, ta', tb')
// v, w: velocity and angular velocity of the plate in the world's axes S. Everything is computed in the plate's axes P, where the
// plate's inertia is constant and a point x of the plate has the velocity v + w x x, and turned into S at the end.
// tau = (ha1 ha2 k1 k2 k3 k4 ta tb | ha3 ha4 hb1 hb2 hb3 hb4) [N m]. Plain functions on fixed-size data; nothing allocates.
#pragma once
#include <array>

#include "robots/quadruped/tail.h"
#include "sinew/control/legs/leg.h"
#include "sinew/math/rotation.h"

namespace sinew::legged {

struct Quadruped {
  std::array<LegShape, 4> leg = {LegShape{Vec3d(0.24, 0.27, 0.0)}, LegShape{Vec3d(-0.24, 0.27, 0.0)},
                                 LegShape{Vec3d(-0.24, -0.27, 0.0)}, LegShape{Vec3d(0.24, -0.27, 0.0)}};
  double m_b = 26.9078;                                 // plate [kg]
  Sym3d I_b = {0.8404, 0.0, 0.0, 0.3793, 0.0, 1.2125};  // about its mass centre, in P [kg m^2]
  TailShape tail;
  double g = 9.8067;  // [m/s^2], along -z of S

  double mass() const;  // of everything [kg]
};

using Feet = std::array<Vec3d, 4>;
using Vec8 = std::array<double, 8>;
using Vec14 = std::array<double, 14>;

// Number of the actuator of a joint of leg i: joint ha, hb or knee.
inline constexpr int actuator_of[4][3] = {{0, 10, 2}, {1, 11, 3}, {8, 12, 4}, {9, 13, 5}};
inline constexpr std::array<std::string_view, 14> actuator_names{"ha1", "ha2", "k1",  "k2",  "k3",  "k4",  "ta",
                                                                 "tb",  "ha3", "ha4", "hb1", "hb2", "hb3", "hb4"};

// Place and speeds. q is (p, phi, tail) with R = Rz(phi_z) Ry(phi_y) Rx(phi_x).
struct StanceState {
  Vec3d p, v, w;  // in S
  Mat3d R;        // axes of P in S
  double tail[2] = {0.0, 0.0}, tail_rate[2] = {0.0, 0.0};
};
Mat3d rotation_of(const Vec3d& phi);
Vec3d angles_of(const Mat3d& R);                                                      // |phi_y| <= pi/2
Vec3d rates_of(const Vec3d& phi, const Vec3d& w);                                     // phi' = E^-1 w
Vec3d turn_of(const Vec3d& phi, const Vec3d& phi_rate);                               // w = E phi'
Vec3d turn_rate_of(const Vec3d& phi, const Vec3d& phi_rate, const Vec3d& phi_accel);  // w' = E phi'' + E' phi'
StanceState stance_of(const Vec8& q, const Vec8& u);

// All that the equations need of a state. reach is the worst of the four legs; if it is not Good, nothing else may be used.
struct Stance {
  PlateMotion plate;
  std::array<HeldLeg, 4> leg;
  TailTip tail;
  double tail_rate[2];
  Vec3d tip_a0;  // acceleration of the tip with u' = 0, in P
  Reach reach = Reach::Good;
};
void evaluate(const Quadruped& robot, const StanceState& state, const Feet& feet, Stance& out);

// Columns of M, C, G and J_tau in S.
struct StanceTerms {
  double M[8][8], C[8], G[8], J[14][8];
};
void terms_of(const Quadruped& robot, const Stance& stance, StanceTerms& out);
// Rows of J_tau alone.
void actuation_of(const Stance& stance, double J[14][8]);

// req = M u' + C + G, without M.
Vec8 required(const Quadruped& robot, const Stance& stance, const Vec8& u_rate);
// u' for given torques, and a wrench on the plate about its centre: f, n in P.
Vec8 forward(const Quadruped& robot, const Stance& stance, const Vec14& tau, const Vec3d& f = Vec3d::zero(),
             const Vec3d& n = Vec3d::zero());
// Force of the ground on each foot, in S [N].
Feet foot_forces(const Quadruped& robot, const Stance& stance, const Vec8& u_rate, const Vec14& tau);
// The same of one leg, all in P: v', w' of the plate, torques (ha, hb, k).
Vec3d foot_force(const LegShape& shape, const HeldLeg& leg, const PlateMotion& plate, const Vec3d& v_rate,
                 const Vec3d& w_rate, const Vec3d& tau);

struct StanceEnergy {
  double T, V;   // [J]; V is 0 at z = 0
  double power;  // of the actuators [W]
};
StanceEnergy energy_of(const Quadruped& robot, const Stance& stance, const Feet& feet, const Vec14& tau);

// u' = a0 + A tau and f = f0 + F tau, with f = (x, y, z of foot 1, ...): for programs that choose torques.
struct AffineStance {
  double a0[8], A[8][14], f0[12], F[12][14];
};
void affine_of(const Quadruped& robot, const Stance& stance, AffineStance& out);

// |f_xy| / f_z; negative: the foot would have to pull.
double friction_demand(const Vec3d& f);

}  // namespace sinew::legged
