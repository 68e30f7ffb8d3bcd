// Laws on one joint axis: impulse P in an interval, velocity gamma of the axis.
//   -(gamma + compliance P + bias)  in the normal cone of [low, high] at P
// Limit:         P >= 0 pushes away from the end of the range; bias as for a contact
// Servo:         implicit PD, P = -dt (kp (q - q_ref) + kd (u - u_ref)) between middle and end of the step, lower dt <= P <= upper dt
// Further ones, one file each: axis_list.h
#pragma once
#include <limits>

#include "sinew/math/check.h"
#include "sinew/parts/law/sets.h"

namespace sinew {

template <Real S>
struct AxisLaw {
  S low, high;   // [N m s or N s]
  S compliance;  // velocity per impulse
  S bias;        // velocity

  SINEW_INLINE S project(S P) const { return law::project_interval(P, low, high); }
};

namespace law {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

// What dry friction of an axis may have besides its number, as gears and hobby servos do; see dry_friction.h.
template <Real S>
struct FrictionDetails {
  S backward = S(-1.0);       // against motion backward [N m or N]; below 0: as forward
  S static_ratio = S(1.0);    // at rest over in motion [1]
  S stribeck_speed = S(0.0);  // at which most of that excess is gone [rad/s or m/s]; 0: no excess
  S load = S(0.0);            // share of the torque that the drive transmits [1]
};

// What a law of axis_list.h may depend on besides its number.
template <Real S>
struct AxisMotion {
  S coordinate, rate;  // of the axis: in the middle of the step (euler: at its start), and at the start
  S dt;                // [s]
  FrictionDetails<S> friction = {};
  S transmitted = S(0.0);  // by the drive of the axis [N m or N]
};
enum class AxisUnit { Force, Coordinate, Rate, None };  // of the number: N m or N, rad or m, rad/s or m/s, 1
enum class Account { Friction, Impact, Actuators };     // of the energy, into which its work goes

// Nothing but an equation: gamma + bias = 0.
template <Real S>
AxisLaw<S> ideal(const S& bias) {
  return {S(-unbounded), S(unbounded), S(0.0), bias};
}
// gamma: the rate at which a gap opens.
template <Real S>
AxisLaw<S> unilateral(const S& bias) {
  return {S(0.0), S(unbounded), S(0.0), bias};
}
template <Real S>
struct ServoStep {
  S kp, kd;        // not both zero
  S lower, upper;  // of the torque
  S error;         // q_M - q_ref, q_M in the middle of the step: where its start velocity has led by then
  S rate;          // of the axis at the start of the step
  S rate_ref;
  S dt;
  S theta;  // instant of the step at which the servo looks: 1/2 the middle, 1 the end
};
// Looking at the end takes energy out of what swings, at first order of the step; looking at the middle does not, and a stiff servo then swings
// to and fro from step to step. So: at the middle where the step resolves what the servo does to the inertia, towards the end where not.
template <Real S>
SINEW_INLINE S servo_instant(const S& kp, const S& kd, const S& inertia, const S& dt) {
  SINEW_ASSERT(!any(inertia <= S(0.0)) && !any(dt <= S(0.0)));
  const S stiff = dt * (dt * kp + kd) / (S(12.0) * inertia);
  return S(0.5) + S(0.5) * stiff / (S(1.0) + stiff);
}
// At theta the axis is at q_M - (1 - theta) dt/2 u_A + theta dt/2 u_E and has the velocity (1 - theta) u_A + theta u_E.
template <Real S>
AxisLaw<S> servo(const ServoStep<S>& s) {
  SINEW_ASSERT(!any(s.dt <= S(0.0)) && !any(s.lower > s.upper) && !any(s.kp < S(0.0)) && !any(s.kd < S(0.0)));
  const S half = S(0.5) * s.dt, rest = (S(1.0) - s.theta) * s.rate, k = s.theta * (s.kd + s.kp * half);
  return {s.lower * s.dt, s.upper * s.dt, S(1.0) / (s.dt * k),
          (s.kp * (s.error - half * rest) + s.kd * (rest - s.rate_ref)) / k};
}

// What a closed unilateral law adds to the velocity: Newton's restitution, and the way back into contact. A gap in
// [0, margin] is round-off or drift of rolling and rocking bodies and counts as closed; in the outer half of the margin a
// part of it is closed per step, without a blow, so that drift does not open the contact. The inner half is left alone:
// where several contacts share a load, gaps of round-off must not decide which of them carry it.
template <Real S>
SINEW_INLINE S unilateral_bias(S restitution, S gamma_before, S gap, double margin, double dt) {
  SINEW_ASSERT(dt >= 0.0 && margin >= 0.0);  // 0: the first stage of a step, for contacts that need no bias
  const double part = 0.2;
  return restitution * min(gamma_before, S(0.0)) + max(gap - S(0.5 * margin), S(0.0)) * S(part / dt);
}

}  // namespace law
}  // namespace sinew
