// A drive on one axis of a joint: loops, current, motor, gear (docs/theory/drives.md).
//   set-point -> [shaper] -> loop (position, velocity, impedance, force) -> wanted current -> motor -> torque of the axis
// A drive ticks by itself: its current loop at `rate`, its outer loop at `loop_rate`, its force loop at `force_rate`. Tick k of a loop is at
// t = k / rate, whatever steps the simulation makes; which ticks a step has follows from the times of its start and end, so nothing adds up.
// Between ticks the motor moves by the equations of motor.h. Over a step the axis moves with constant acceleration, as predicted or, in an
// implicit step, as found; what acts on it is the mean torque.
//   theta = N x: angle of the motor [rad] for the place x of the axis [rad or m];  torque of the axis = N K i_q f,
//   f = eta where the motor drives, 1 / eta where it is driven: a gear never gives back more than it gets
// Reflected inertia N^2 J, and friction of a drive without a spring, belong to the joint; with a spring, or with play or a belt that slips,
// they are inside:
//   m_r v_m' = N K i_q f - F - friction,   F = k_s dead(x_m - s - x),   m_r = N^2 J
// dead(y): y without the play around 0;  s: by how far the belt has slipped, such that |F| <= F_s.
// Where the axis is a stroke of a transmission by its Jacobian, no joint has this axis: friction is inside, as bristles that bend before they
// slide,
//   F_f = -(clamp(f + d v, -N T_c, N T_c) + N^2 B v),   f' = k v within +-N T_c,   k = m_r / (10 dt^2),  d = m_r / (5 dt)
// stiff enough to give by N T_c / k at most, some micrometres, and soft enough for the step: a load below N T_c is held and does not creep.
#pragma once
#include <array>
#include <limits>
#include <string_view>

#include "sinew/parts/device/motion.h"
#include "sinew/parts/drive/motor.h"
#include "sinew/parts/drive/sweep.h"
#include "sinew/parts/transmission/transmission.h"

namespace sinew::drive {

enum class Kind { Ideal, Servo, DcMotor, Pmsm, Linear, SeriesElastic };
inline constexpr std::array<std::string_view, 6> kind_names{"ideal", "servo",  "dc-motor",
                                                            "pmsm",  "linear", "series-elastic"};
// How the current follows: by the dq model and its loop; with a lag of first order; at once.
enum class Level { Full, Fast, Ideal };
inline constexpr std::array<std::string_view, 3> level_names{"full", "fast", "ideal"};
// What the set-point is of. PositionForce: a position loop whose answer is the force that the loop inside follows.
enum class Control { Torque, Current, Voltage, Velocity, Position, Impedance, PositionForce };
inline constexpr std::array<std::string_view, 7> control_names{"torque",   "current",   "voltage",       "velocity",
                                                               "position", "impedance", "position-force"};
// How the zero of the encoder is found before a drive begins to work.
enum class Align { None, OneStep, TwoSteps };
inline constexpr std::array<std::string_view, 3> align_names{"none", "one-step", "two-step"};

// Why a drive has stopped; it then brakes with shorted phases until it is reset.
enum class Fault { None, Switch, Following, Rod };
// Where the place is measured that loops of position and velocity compare: of drives with a spring, play or slip these differ.
enum class Encoder { Joint, Motor };
inline constexpr std::array<std::string_view, 2> encoder_names{"joint", "motor"};

// Set-points from outside, in this order. What is `none` is not given: then the file's holds, else that of the joint's motion.
namespace command {
enum : int { position, velocity, torque, current, voltage, stiffness, damping, brake, reset, blind, size };
inline constexpr double none = 1e300;
}  // namespace command
// Of which a drive with this control takes its set-point.
constexpr int command_of(Control control) {
  switch (control) {
    case Control::Torque:
      return command::torque;
    case Control::Current:
      return command::current;
    case Control::Voltage:
      return command::voltage;
    case Control::Velocity:
      return command::velocity;
    default:
      return command::position;
  }
}
inline constexpr std::array<std::string_view, command::size> command_names{
    "position", "velocity", "torque", "current", "voltage", "stiffness", "damping", "brake", "reset", "blind"};

// What does not differ from robot to robot.
struct Setup {
  Kind kind = Kind::Ideal;
  Level level = Level::Full;
  Control control = Control::Torque;
  Align align = Align::None;
  double rate = 28000.0;                  // of the current loop [Hz]
  double loop_rate = 1000.0;              // of the outer loop [Hz]
  double force_rate = 28000.0;            // of the force loop [Hz]
  double delay = 0.0, force_delay = 0.0;  // age of what these two loops measure [s]
  double align_time = 1.0;                // [s]
  int parts = 1;                          // of a tick, so that the midpoint rule follows R / L
  bool decouple = true, is_shaped = false, is_angle = true;
  bool rubs = false;  // friction of the motor is in the drive, not in its joint: of strokes that are no axis of a joint
  bool has_play = false;  // play or a belt that slips, in a drive without a spring
  Encoder encoder = Encoder::Joint;
  double blind_from = std::numeric_limits<double>::infinity(),
         blind_until = blind_from;  // without its force sensor [s]
  Sweep sweep = {};                 // added to the set-point of `control`, held over a step

  bool has_force_loop() const { return kind == Kind::SeriesElastic; }
  bool has_spring() const { return has_force_loop() || has_play; }  // its motor moves by itself
  bool has_ticks() const { return level == Level::Full || has_spring() || has_loop(); }
  bool has_loop() const {
    return control != Control::Current && control != Control::Voltage && control != Control::Torque;
  }
  int samples() const;        // of the outer loop that may be on their way
  int force_samples() const;  // of the force loop
  int memory_size() const;
};

template <Real S>
struct Numbers {
  Motor<S> motor;
  S V = S(1e300);                          // most of the voltage's magnitude [V]
  S N = S(1.0), eta = S(1.0);              // [rad/rad or rad/m], 1
  S J = S(0.0), B = S(0.0), T_c = S(0.0);  // of the motor: inertia, viscous and Coulomb friction [kg m^2, N m s, N m]
  S i_max = S(1e300), F_max = S(1e300), v_max = S(1e300);     // [A], of the axis [N m or N], [rad/s or m/s]
  S i_thermal = S(1e300), thermal_time = S(20.0);             // [A, s]
  S w_c = S(0.0), w_v = S(0.0);                               // bandwidths of current and velocity loop [rad/s]
  S kp = S(0.0), kd = S(0.0), F_G = S(1e300);                 // of impedance and position over force
  S k_s = S(0.0), play = S(0.0), K_p = S(0.0), K_d = S(0.0);  // spring [N/m], half its play [m], force loop [1, s]
  S F_slip = S(1e300);                                        // at which its belt slips [N m or N]
  S load = S(0.0);  // inertia of the load that the loops reckon with, at the axis
  S shaper_v = S(1e300), shaper_a = S(1e300);
  S following = S(1e300), switch_low = S(-1e300), switch_high = S(1e300);  // [rad or m]
  S align_current = S(0.0);                                                // [A]
  std::array<S, command::size> set = [] {                                  // set-points of the file
    std::array<S, command::size> all;
    all.fill(S(command::none));
    return all;
  }();

  // What follows from the numbers above; derive() after they are changed.
  S K = S(1.0);  // torque constant c k_e
  S inverse_eta = S(1.0);
  S per_ampere = S(1.0), amperes = S(1.0);       // N K eta, and 1 of it: force at the axis for a current and back
  S i_cold = S(1e300);                           // most of the current while the windings are cold
  S i_driven = S(1e300);                         // of one that brakes: F_max when the gear adds to the motor's torque
  S speed_slope = S(0.0);                        // 50 / v_max
  S m_r = S(0.0), B_r = S(0.0), F_c = S(0.0);    // motor as seen from the axis: N^2 J, N^2 B, N T_c
  S i_thermal_2 = S(1e300), V_2 = S(1e300);      // squares
  S K_v = S(0.0), K_i = S(0.0), ahead = S(0.0);  // of the velocity loop: N J_all w_v / K, its integral's, N J_all / K
  S force_is_lower = S(0.0);                     // 1: the limit of the force is below that of the current

  void derive() {
    const S one(1.0), J_all = J + load / (N * N);
    K = motor.torque_constant();
    per_ampere = N * eta * K;
    amperes = one / per_ampere;
    inverse_eta = one / eta;
    i_cold = min(i_max, F_max * amperes);
    i_driven = F_max * amperes * eta * eta;
    speed_slope = S(50.0) / v_max;
    m_r = J * N * N;
    B_r = B * N * N;
    F_c = T_c * N;
    i_thermal_2 = i_thermal * i_thermal;
    V_2 = V * V;
    K_v = N * J_all * w_v / K;
    K_i = K_v * w_v * S(0.2);
    ahead = N * J_all / K;
    force_is_lower = select(F_max < i_max * per_ampere, one, S(0.0));
  }
};

template <class N, class F>
void each_number(N& n, F f) {
  for (auto* x : {&n.motor.R,
                  &n.motor.L,
                  &n.motor.k_e,
                  &n.motor.c,
                  &n.motor.pairs,
                  &n.V,
                  &n.N,
                  &n.eta,
                  &n.J,
                  &n.B,
                  &n.T_c,
                  &n.i_max,
                  &n.F_max,
                  &n.v_max,
                  &n.i_thermal,
                  &n.thermal_time,
                  &n.w_c,
                  &n.w_v,
                  &n.kp,
                  &n.kd,
                  &n.F_G,
                  &n.k_s,
                  &n.play,
                  &n.K_p,
                  &n.K_d,
                  &n.F_slip,
                  &n.load,
                  &n.shaper_v,
                  &n.shaper_a,
                  &n.following,
                  &n.switch_low,
                  &n.switch_high,
                  &n.align_current})
    f(*x);
  for (auto& x : n.set) f(x);
}

template <Real S>
Numbers<S> broadcast(const Numbers<double>& a) {
  std::array<double, 64> list{};
  int n = 0;
  each_number(a, [&](double x) { list[std::size_t(n++)] = x; });
  Numbers<S> out;
  n = 0;
  each_number(out, [&](S& x) { x = S(list[std::size_t(n++)]); });
  out.derive();
  return out;
}

// What a drive remembers, in its memory block. Counted is time [s]; energies are since the start [J].
namespace memory {
enum : int {
  started,    // 1: has been asked to move once
  x,          // place of the axis, not wrapped [rad or m]
  u_before,   // its velocity at the start of the step before
  dt_before,  // length of that step [s]
  i_d,
  i_q,  // [A]
  u_d,
  u_q,  // voltage that acts [V]
  next_d,
  next_q,  // that which the loop has found and which acts from the next tick on
  sum_d,
  sum_q,     // integrators of the current loop
  i_want,    // wanted of the current loop [A]
  u_want,    // of control = "voltage" [V]
  tau_want,  // wanted on the axis [N m or N]
  torque,    // mean over the last step, on the axis
  shaped_x,
  shaped_v,  // of the shaper
  ref_x,
  ref_v,  // set-point now
  sum_v,  // integrator of the velocity loop [A]
  motor_x,
  motor_v,     // of the motor in front of a spring, in units of the axis
  force,       // of the spring
  slip,        // of the belt, in units of the axis
  bent,        // force of friction's bristles
  pressed,     // 1: pushes against something with all that it may
  is_blind,    // 1: it has no force sensor now
  blind_time,  // for how long it had none [s]
  lag_of,      // w_c h of an interval, and what is left of a current after it
  lag_left,
  lag_share,     // of what is missing at its start, over the interval
  heat,          // mean square of the current [A^2]
  zero,          // of the encoder, electrical [rad]
  fault,         // drive::Fault
  electrical,    // taken from the supply
  copper,        // heat in the windings
  friction,      // heat in gear and friction inside the drive
  work,          // done on the axis
  stored_start,  // magnetic, kinetic and elastic energy inside, at the start
  time,          // for which it has been on [s]
  at_voltage,
  at_current,
  at_force,
  at_thermal,  // for how long it was at that limit
  power,       // mean from the supply over the last step [W]
  samples      // from here on: of the outer loop, then of the force loop
};
inline constexpr int per_sample = 4;        // x, v, set-points of both
inline constexpr int per_force_sample = 2;  // F, F'
}  // namespace memory

template <Real S>
struct Step {
  double t = 0.0, dt = 0.0;
  S x, u, a;                              // of the axis: place and velocity at t, mean acceleration
  const Motion<S>* motion;                // of the joint; nullptr: none
  const S* given;                         // command::size numbers
  const Transmission<S>* rods = nullptr;  // motion: of the axes of the joint that it moves, x its stroke `row`
  int row = 0;
  Mask<S> is_at_stop = mask_of<S>(false);   // its rod leans as far as its ball joints let it
  S extra_torque = S(0.0), extra = S(0.0);  // added to the set-point of the torque, and to that of `control`

  // Where the joint's motion wants it to be: s(q), J u, J du/dt + (dJ/dt) u.
  void want(double at, S& m, S& m_rate, S& m_accel) const {
    if (!motion) return;
    if (!rods) return motion->evaluate(at, m, m_rate, m_accel);
    S q[2] = {S(0.0), S(0.0)}, u[2] = {S(0.0), S(0.0)}, a[2] = {S(0.0), S(0.0)};
    for (int i = 0; i < rods->n; i++) motion[i].evaluate(at, q[i], u[i], a[i]);
    const Strokes<S> there = transmission::strokes(*rods, q, u);
    S rate[2] = {S(0.0), S(0.0)}, accel[2] = {S(0.0), S(0.0)};
    transmission::stroke_rates(*rods, there, u, rate);
    transmission::stroke_rates(*rods, there, a, accel);
    m = there.s[row];
    m_rate = rate[row];
    m_accel = accel[row] + there.drift[row];
  }
};

// Over one step; the mean torque is in own[memory::torque].
template <Real S>
void advance(const Setup& setup, const Numbers<S>& n, const Step<S>& step, S* own);

// Energy inside it: magnetic, of a motor in front of a spring, and in the spring.
template <Real S>
SINEW_INLINE S magnetic_energy(const Numbers<S>& n, const S* own) {
  return n.motor.stored({own[memory::i_d], own[memory::i_q]});
}
template <Real S>
SINEW_INLINE S elastic_energy(const Setup& setup, const Numbers<S>& n, const S* own) {
  if (!setup.has_spring()) return S(0.0);
  const S v = own[memory::motor_v], F = own[memory::force];
  return S(0.5) * n.m_r * v * v + S(0.5) * F * F / n.k_s;
}

}  // namespace sinew::drive
