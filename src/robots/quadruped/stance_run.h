// Runs of the closed form: the stance of quadruped.h moved by classical RK4 in (q, u), q = (p, phi, ta, tb)
// (docs/theory/quadruped.md#stance). Torques are asked for at every stage.
#pragma once
#include <functional>

#include "robots/quadruped/stance_push.h"
#include "robots/quadruped/torque_sharing.h"

namespace sinew::legged {

// Exact: phi' = E^-1 w. Paper: phi' = w, as Liu and Ben-Tzvi 2018, (2) and (3), have it; energy is then not conserved.
enum class RateMap { Exact, Paper };
inline constexpr std::array<std::string_view, 2> rate_map_names{"exact", "paper"};

// q_d(t) = offset + amplitude sin(omega t + phase), each coordinate by itself.
struct StanceReference {
  Vec8 offset{0.2, 0.3, 0.4}, amplitude{}, omega{}, phase{};
  void evaluate(double t, Vec8& q, Vec8& q_rate, Vec8& q_accel) const;
};

// Torque: tau + tau_sin sin(tau_omega t). Feedforward: inverse dynamics of the reference. Feedback: that, and
//   tau_c = J_a(q)^-T M(q) Y (kp (q_d - q) + kd (q_d' - q')),   Y = diag(1, E(phi), 1)
enum class StanceDrive { Torque, Feedforward, Feedback };
inline constexpr std::array<std::string_view, 3> stance_drive_names{"torque", "feedforward", "feedback"};

struct StanceProgram {
  StanceDrive drive = StanceDrive::Torque;
  Vec14 tau{}, tau_sin{}, tau_omega{};
  std::function<void(double t, Vec14& tau)> profile = {};  // Torque: instead of these three
  StanceReference reference;
  Sharing sharing = Sharing::Given;  // of the feedforward: Given (tau_p of tau) or MinNorm
  double kp = 900.0, kd = 60.0;      // [1/s^2, 1/s]
  bool hold = false;                 // torques of the start of a step are held
};

struct StanceRun {
  double t = 0.0;
  Vec8 q{}, u{};
  double work = 0.0;          // of the actuators [J]
  double external = 0.0;      // of wrenches from outside [J]
  Reach reach = Reach::Good;  // not Good: the run has ended where the last step began
};

struct StanceSetup {
  const Quadruped& robot;
  const Feet& feet;
  const StanceProgram& program;
  RateMap map = RateMap::Exact;
  std::span<const Wrench<double>> external = {};  // on each part, in S, held over a step; empty: none
  Vec14 command{};                                // torques besides the program's, held over a step
};

// Torques at a state; tau_c: its part by feedback. False: a foot is out of reach, or the sharing is singular.
bool torques_at(const StanceSetup& setup, double t, const Vec8& q, const Vec8& u, Vec14& tau, Vec8* tau_c = nullptr);
// One step; false: it was not possible, and `run` says why.
bool step(const StanceSetup& setup, double dt, StanceRun& run);

// q' for u, and u for q'.
Vec8 coordinate_rates(RateMap map, const Vec8& q, const Vec8& u);
Vec8 speeds_of(RateMap map, const Vec8& q, const Vec8& q_rate);

// Largest real part of the eigenvalues of the motion made linear about a state, torques held [1/s].
double growth_rate(const StanceSetup& setup, const Vec8& q, const Vec8& u, const Vec14& tau);

}  // namespace sinew::legged
