// What a person says about a soft rod (docs/theory/soft_rods.md). Six numbers belong to stretch, two shears, twist and two
// curvatures, (Gamma_X, Gamma_Y, Gamma_Z, K_X, K_Y, K_Z), or to force and couple; a rod in the plane takes the components
// 0, 1, 5 of them, one on a line the component 0.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "sinew/math/spatial.h"

namespace sinew::rod {

using Six = std::array<double, 6>;

// One function of X for one component of the strain, zero outside [begin, end]:
// a Legendre polynomial P_degree over it, or a hat that rises from `begin` to 1 at `peak` and falls to `end`.
struct SoftMode {
  enum class Shape { Legendre, Hat };
  int component = 5;
  Shape shape = Shape::Legendre;
  int degree = 0;
  double begin = 0.0, peak = 0.0, end = 0.0;
};
double mode_value(const SoftMode& mode, double X);  // X inside [begin, end] counts, its ends included

// Families of modes for one component. `ends`: abscissae of the ends of the segments.
void add_legendre(std::vector<SoftMode>& modes, int component, const std::vector<double>& ends, int count);
void add_pieces(std::vector<SoftMode>& modes, int component, const std::vector<double>& ends, int count);
void add_hats(std::vector<SoftMode>& modes, int component, const std::vector<double>& ends, int count);

// ramp(t) (value + swing sin(2 pi frequency t + phase)); the ramp is that of math/ramp.h.
struct SoftDrive {
  double value = 0.0, swing = 0.0, frequency = 0.0, phase = 0.0, ramp = 0.0;
};
struct DriveValue {
  double value, rate, acceleration;
};
DriveValue drive_at(const SoftDrive& drive, double t);

// A cable along d(X) = d + (d_tip - d) X / l in the section, fixed at X = end. Tension below zero: a chamber that pushes.
struct SoftCable {
  Vec3d d = Vec3d::zero(), d_tip = Vec3d::zero();
  double end = 0.0;
  SoftDrive tension;  // of a chamber: -pressure * area
};

// A wrench at one section: `dead` in world axes, `follower` in the section's own.
struct SoftPoint {
  double X = 0.0;
  Six dead{}, follower{};
  SoftDrive scale{.value = 1.0};
};

// Torque that drives a strain component to r(t) (bias + (a0 + a1 X/l) cos(2 pi (X/lam - t/T) + phase)):
//   tau = Mmax tanh((kp (K_d - K) + kd (K_d' - K')) / Mmax), without limit for Mmax = 0
struct SoftServo {
  bool is_on = false;
  int component = 5;
  double a0 = 0.0, a1 = 0.0, bias = 0.0, lam = 1.0, T = 1.0, Tr = 0.0, phase = 0.0;
  double kp = 0.0, kd = 0.0, Mmax = 0.0;
};

// A coordinate that moves as told; the effort it takes is reported.
struct SoftImposed {
  int mode = 0;
  SoftDrive drive;
};

// Stress of another material than the linear one: wrench of the strain e = xi - xi* and its rate.
class SoftLaw {
 public:
  virtual ~SoftLaw() = default;
  virtual Six stress(double X, const Six& e, const Six& rate) const = 0;
  virtual double energy(double X, const Six& e) const = 0;  // per length [J/m]
};

// Ideal constraint of the tip: components of its pose in world axes that are held. Reached along with the loads: at the share s
// of the load the position is start + s (target - start), and so is the turn about `axis`, by an angle of any number of turns.
struct SoftTipHold {
  std::array<bool, 6> held{};  // x, y, z, and turns about x, y, z
  Vec3d start = Vec3d::zero(), target = Vec3d::zero();
  Vec3d axis = Vec3d(1, 0, 0);
  double angle = 0.0;
};

struct SoftPlan {
  double length = 1.0;
  Six xi_star{1, 0, 0, 0, 0, 0};
  Six inertia{};                      // per length: m, m, m, J_X, J_Y, J_Z
  Six stiffness{};                    // EA, k_s G A, k_s G A, G (I_Y + I_Z), E I_Y, E I_Z
  Six viscosity{};                    // the same of the rates
  double radius = 0.01, taper = 1.0;  // radius at the tip over that at the root: A as its square, I as its fourth power
  std::vector<SoftMode> modes;        // component by component
  int cells = 20;                     // of the quadrature along the rod, at least; order 4
  bool floating = false;
  Posed base{Mat3d::identity(), Vec3d::zero()};  // of the section X = 0 at the start
  Six base_twist{};                              // floating: at the start
  std::vector<double> q, q_rate;                 // at the start; empty: zeros
  bool at_rest = false;                          // start from the equilibrium under the loads at time 0
  std::optional<SoftTipHold> hold;               // of that equilibrium; afterwards its reaction stays as a dead load
  int rest_steps = 10;                           // of the loads on the way to it
  Vec3d gravity = Vec3d::zero();
  Six friction{};  // of the medium, wrench per length and velocity: c_t, c_n, c_n, c_rX, c_rn, c_rn
  std::vector<SoftPoint> points;
  std::vector<SoftCable> cables;
  SoftServo servo;
  std::vector<SoftImposed> imposed;
  std::shared_ptr<const SoftLaw> law;  // none: linear
  std::vector<double> X_profile;       // where the internal wrench is read
  double rho_inf = 0.8;                // of the generalised-alpha method
  double tolerance = 1e-9;             // of its equations: change of shape that is left, relative
};

}  // namespace sinew::rod
