// The loops of a drive around its motor (drive.h): set-points, shaper, what is measured and how old it is, position and velocity, impedance,
// force; limits of the current and faults. docs/theory/drives.md#loops
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "sinew/parts/drive/drive.h"
#include "sinew/parts/drive/refusal.h"
#include "sinew/parts/drive/shaper.h"

namespace sinew::drive {

inline constexpr double near_tick =
    1e-9;  // of a period: a tick that is this little before the end of a step belongs to the next one

template <Real S>
SINEW_INLINE Mask<S> is_given(const S& x) {
  return (x < S(command::none)) & (x > S(-command::none));
}
template <Real S>
SINEW_INLINE S clamp(const S& x, const S& low, const S& high) {
  return min(max(x, low), high);
}

// One drive in one step: all but its motor.
template <Real S>
struct Loops {
  const Setup& setup;
  const Numbers<S>& n;
  const Step<S>& step;
  S* own;
  Mask<S> is_braked = mask_of<S>(false);    // by command
  const S* given = step.given;              // what the drive goes by
  std::array<S, command::size> taken = {};  // where some of it was refused

  S& of(int i) { return own[i]; }
  SINEW_INLINE S x_at(double t) const {
    const S s(t - step.t);
    return step.x + s * (step.u + S(0.5) * s * step.a);
  }
  SINEW_INLINE S u_at(double t) const { return step.u + S(t - step.t) * step.a; }
  // As the encoder of position and velocity has it.
  SINEW_INLINE S x_seen(double t) { return setup.encoder == Encoder::Motor ? of(memory::motor_x) : x_at(t); }
  SINEW_INLINE S u_seen(double t) { return setup.encoder == Encoder::Motor ? of(memory::motor_v) : u_at(t); }
  // Of the motor, in units of the axis.
  SINEW_INLINE S v_motor(double t) { return setup.has_spring() ? of(memory::motor_v) : u_at(t); }

  // What was told last, else what the file says.
  SINEW_INLINE S told(int which) const {
    return select(is_given(given[which]), given[which], n.set[std::size_t(which)]);
  }
  SINEW_INLINE S set_point(int which, const S& otherwise) const {
    const S known = told(which);
    return select(is_given(known), known, otherwise);
  }
  // A command that is on or off, and off until it is given.
  SINEW_INLINE Mask<S> is_told(int which) const {
    const S known = told(which);
    return (known > S(0.5)) & (known < S(command::none));
  }
  // Wanted of the axis: that which is commanded on the joint goes on top, and the sweep where a torque is what is swept.
  SINEW_INLINE S torque_told() const {
    const S known = set_point(command::torque, S(0.0)) + step.extra_torque;
    return setup.control == Control::Torque ? known + step.extra : known;
  }

  SINEW_INLINE Mask<S> stopped() { return (of(memory::fault) > S(0.5)) | is_braked; }
  bool is_aligning(double t) const { return setup.align != Align::None && t < setup.align_time * (1.0 - 1e-12); }
  double align_angle(double t) const {
    return setup.align == Align::TwoSteps && t < 0.5 * setup.align_time * (1.0 - 1e-12) ? 0.5 * std::numbers::pi : 0.0;
  }

  // The most current forward and backward: of the electronics, of the force limit, and of the windings once they are warm. Where a current i
  // brakes at the speed v, the gear gives the axis 1 / eta of the motor's torque, and the force limit is met earlier.
  struct Most {
    S forward, backward;
  };
  SINEW_INLINE Most most_current(const S& i, const S& v, Mask<S>& is_warm) {
    is_warm = of(memory::heat) > n.i_thermal_2;
    const S most = select(is_warm, min(n.i_cold, n.i_thermal), n.i_cold);
    if (!any(abs(i) > n.i_driven)) return {most, most};
    const S driven = min(most, n.i_driven);
    return {select(v < S(0.0), driven, most), select(v > S(0.0), driven, most)};
  }
  SINEW_INLINE static Mask<S> is_over(const S& i, const Most& most) {
    return (i > most.forward) | (i < -most.backward);
  }

  // Far from the speed limit, which then leaves the current alone.
  SINEW_INLINE bool is_slow(const S& v) const {
    const S much = S(0.97) * n.v_max;
    return all((v < much) & (v > -much));
  }
  // A current within them, and within what the speed limit leaves: it ends between 98 and 100 % of it.
  SINEW_INLINE S limited(const S& i, const Most& most, const S& v) const {
    const S one(1.0), slope = n.speed_slope;
    const S high = clamp((n.v_max - v) * slope, -one, one), low = clamp((n.v_max + v) * slope, -one, one);
    return clamp(i, -most.backward * low, most.forward * high);
  }
  // What the speed limit takes from a current that all else would leave. Force and speed are one envelope, and count as one.
  SINEW_INLINE Mask<S> is_too_fast(const S& wanted, const Most& most, const S& v) const {
    if (is_slow(v)) return mask_of<S>(false);
    return (abs(wanted - limited(wanted, most, v)) > S(0.0)) & negate(is_over(wanted, most));
  }
  // Whether it is the force that bounds such a current: one that brakes is cut to less than one that drives.
  SINEW_INLINE Mask<S> is_by_force(const S& wanted, const Most& most) const {
    const Mask<S> brakes =
        ((wanted > S(0.0)) & (most.forward < most.backward)) | ((wanted < S(0.0)) & (most.backward < most.forward));
    return (n.force_is_lower > S(0.5)) | brakes;
  }
  // What is cut by force or speed is counted where it is worked out: in a force loop, else with the current.
  bool counts_force() const { return setup.has_force_loop() && !is_current_given(); }
  SINEW_INLINE void count_speed(const S& wanted, const Most& most, const S& v, double time) {
    if (is_slow(v) || counts_force()) return;
    count(memory::at_force, is_too_fast(wanted, most, v), time);
  }
  bool is_current_given() const { return setup.control == Control::Current || setup.control == Control::Voltage; }

  SINEW_INLINE void start() {
    if (setup.align != Align::None) take_what_is_not_refused();
    is_braked = is_told(command::brake);
    if (any(of(memory::started) < S(0.5))) start_anew();
  }
  void take_what_is_not_refused() {
    S* last = own + setup.memory_size() - refusal::size;
    refuse(step.given, of(memory::started) < S(0.5), is_aligning(step.t), last, taken);
    given = taken.data();
  }
  void start_anew() {
    const Mask<S> is_new = of(memory::started) < S(0.5);
    const auto put = [&](int i, const S& value) { of(i) = select(is_new, value, of(i)); };
    put(memory::shaped_x, step.x);
    put(memory::ref_x, step.x);
    put(memory::motor_x, step.x);
    put(memory::motor_v, step.u);
    put(memory::started, S(1.0));
    for (int i = 0; i < setup.samples(); i++) {
      put(memory::samples + memory::per_sample * i, step.x);
      put(memory::samples + memory::per_sample * i + 1, step.u);
      put(memory::samples + memory::per_sample * i + 2, step.x);
    }
    put(memory::stored_start, magnetic_energy(n, own) + elastic_energy(setup, n, own));
  }

  // The set-point of the outer loop: from outside, from the file, or the joint's motion; then shaped.
  S ref_a = S(0.0);
  void refer(double t) {
    // Who does not work takes no set-point: it will begin from where it is.
    const Mask<S> waits = stopped() | mask_of<S>(is_aligning(t));
    const S x_now = x_seen(t);
    of(memory::shaped_x) = select(waits, x_now, of(memory::shaped_x));
    of(memory::shaped_v) = select(waits, S(0.0), of(memory::shaped_v));
    of(memory::sum_v) = select(waits, S(0.0), of(memory::sum_v));
    S m = of(memory::x), m_rate(0.0), m_accel(0.0);
    step.want(t, m, m_rate, m_accel);
    const Mask<S> commanded = is_given(told(command::position));
    const bool is_velocity = setup.control == Control::Velocity;
    const S sweep_x = is_velocity ? S(0.0) : step.extra, sweep_v = is_velocity ? step.extra : S(0.0);
    const S wanted = select(waits, x_now, set_point(command::position, m) + sweep_x);
    const S wanted_v = select(waits, S(0.0), set_point(command::velocity, select(commanded, S(0.0), m_rate)) + sweep_v);
    if (!setup.is_shaped || is_velocity) {
      of(memory::ref_x) = wanted;
      of(memory::ref_v) = wanted_v;
      ref_a = select(commanded | waits, S(0.0), m_accel);
      return;
    }
    const double T = 1.0 / setup.loop_rate;
    const S before = of(memory::shaped_v);
    Shaper<S>{n.shaper_v, n.shaper_a}.step(wanted, T, of(memory::shaped_x), of(memory::shaped_v));
    of(memory::ref_x) = of(memory::shaped_x);
    of(memory::ref_v) = of(memory::shaped_v);
    ref_a = (of(memory::shaped_v) - before) * S(setup.loop_rate);
  }

  S* sample_of(std::int64_t k) { return own + memory::samples + memory::per_sample * int(k % setup.samples()); }
  S* force_sample_of(std::int64_t k) {
    return own + memory::samples + memory::per_sample * setup.samples() +
           memory::per_force_sample * int(k % setup.force_samples());
  }

  // What the outer loop will know at its tick k.
  void sample(std::int64_t k, double t) {
    if (k < 0) return;
    S* out = sample_of(k);
    out[0] = x_seen(t);
    out[1] = u_seen(t);
  }

  // The set-point of the instant at which what is known at tick k was measured, between the ticks around it.
  S ref_then_x = S(0.0), ref_then_v = S(0.0);
  void refer_to_then(std::int64_t k) {
    S* now = sample_of(k);
    now[2] = of(memory::ref_x);
    now[3] = of(memory::ref_v);
    const double periods = setup.delay * setup.loop_rate, whole = std::floor(periods + near_tick);
    const std::int64_t before = std::int64_t(whole), all = setup.samples();
    const S late(std::max(periods - whole, 0.0));
    const S *later = sample_of(k - before + all), *earlier = sample_of(k - before - 1 + all);
    ref_then_x = later[2] + (earlier[2] - later[2]) * late;
    ref_then_v = later[3] + (earlier[3] - later[3]) * late;
  }

  void sample_force(std::int64_t k, double t) {
    if (k < 0) return;
    S* out = force_sample_of(k);
    const S F = spring_force(of(memory::motor_x) - of(memory::slip) - x_at(t));
    out[0] = F;
    out[1] = select(abs(F) > S(0.0), n.k_s * (of(memory::motor_v) - u_at(t)), S(0.0));
  }

  SINEW_INLINE S spring_force(const S& apart) const {
    return n.k_s * (max(apart - n.play, S(0.0)) + min(apart + n.play, S(0.0)));
  }

  // Outer loop: writes what is wanted of the loops inside.
  void control_outside(std::int64_t k, double t) {
    refer(t);
    if (setup.delay == 0.0) sample(k, t);
    refer_to_then(k);
    const S x = sample_of(k)[0], v = sample_of(k)[1], e = ref_then_x - x;
    if (setup.control == Control::Position)
      of(memory::i_want) = cascade(clamp(ref_then_v + n.w_v * S(0.25) * e, -n.v_max, n.v_max), v);
    else if (setup.control == Control::Velocity)
      of(memory::i_want) = cascade(clamp(ref_then_v, -n.v_max, n.v_max), v);
    else
      watch_release(comply(e, ref_then_v - v), x, v);
    check_following(e);
  }

  // Impedance, and position over force: a spring and a damper as a force that is wanted. Returns it without its limit.
  SINEW_INLINE S comply(const S& e, const S& e_rate) {
    const S K = set_point(command::stiffness, n.kp), D = set_point(command::damping, n.kd);
    S tau = K * e + D * e_rate;
    if (setup.control == Control::Impedance) tau += torque_told();
    of(memory::tau_want) = clamp(tau, -n.F_G, n.F_G);
    of(memory::i_want) = of(memory::tau_want) * n.amperes;
    return tau;
  }

  // Held by an obstacle it pushes with F_G, and its set-point goes on without it. When the force falls the obstacle has given way: then the
  // shaper begins anew from where the axis is, else the load would jump after the set-point.
  void watch_release(const S& tau, const S& x, const S& v) {
    if (!setup.is_shaped || !setup.has_force_loop()) return;
    const S along = select(tau < S(0.0), -of(memory::force), of(memory::force));
    const Mask<S> is_held = (abs(tau) > n.F_G) & (along > S(0.9) * n.F_G);
    const Mask<S> is_free = (of(memory::pressed) > S(0.5)) & (along < S(0.5) * n.F_G) & (of(memory::is_blind) < S(0.5));
    of(memory::pressed) = select(is_held, S(1.0), select(is_free, S(0.0), of(memory::pressed)));
    of(memory::shaped_x) = select(is_free, x, of(memory::shaped_x));
    of(memory::shaped_v) = select(is_free, clamp(v, -n.shaper_v, n.shaper_v), of(memory::shaped_v));
  }

  // Velocity loop: K_v (v_ref - v) and its integral, with the current that the wanted motion of motor and load needs.
  SINEW_INLINE S cascade(const S& v_ref, const S& v) {
    const S e = v_ref - v;
    const S ahead = n.ahead * ref_a + n.N * n.B * of(memory::ref_v) / n.K + torque_told() * n.amperes;
    const S sum = of(memory::sum_v) + n.K_i * S(1.0 / setup.loop_rate) * e, i = n.K_v * e + sum + ahead;
    Mask<S> is_warm;
    of(memory::sum_v) = select(is_over(i, most_current(i, v, is_warm)), of(memory::sum_v), sum);
    return i;
  }

  void check_following(const S& e) {
    if (setup.control == Control::Velocity) return;
    const Mask<S> lost = (abs(e) > n.following) & (of(memory::fault) < S(0.5));
    of(memory::fault) = select(lost, S(double(Fault::Following)), of(memory::fault));
  }

  // Force loop in the drive: F_cmd = (1 + K_p) F_ref - K_p F - K_d F'.
  void control_force(std::int64_t k, double t) {
    if (setup.force_delay == 0.0) sample_force(k, t);
    const S* seen = force_sample_of(k);
    if (setup.control == Control::Torque) of(memory::tau_want) = torque_told();
    const S want = of(memory::tau_want);
    S F = (S(1.0) + n.K_p) * want - n.K_p * seen[0] - n.K_d * seen[1];
    const Mask<S> is_blind = blind(t);
    // Without its sensor the force is that of the current, which friction makes wrong by up to N T_c; encoders go on to damp.
    F = select(is_blind, want - n.K_d * n.k_s * (of(memory::motor_v) - u_at(t)), F);
    const S i = clamp(F, -n.F_max, n.F_max) * n.amperes, v_m = v_motor(t);
    of(memory::i_want) = i;
    Mask<S> is_warm;
    const Most most = most_current(i, v_m, is_warm);
    const Mask<S> is_cut =
        (abs(F) > n.F_max) | is_too_fast(i, most, v_m) | (is_over(i, most) & is_by_force(i, most) & negate(is_warm));
    count(memory::at_force, is_cut, 1.0 / setup.force_rate);
    of(memory::is_blind) = select(is_blind, S(1.0), S(0.0));
    count(memory::blind_time, is_blind, 1.0 / setup.force_rate);
  }
  SINEW_INLINE Mask<S> blind(double t) const {
    return mask_of<S>(t >= setup.blind_from && t < setup.blind_until) | is_told(command::blind);
  }

  // Wanted current of drives whose set-point it is, or a torque without a spring.
  void take_set_points() {
    if (setup.control == Control::Current) of(memory::i_want) = set_point(command::current, S(0.0)) + step.extra;
    if (setup.control == Control::Voltage) of(memory::u_want) = set_point(command::voltage, S(0.0)) + step.extra;
    if (setup.control != Control::Torque || setup.has_force_loop()) return;
    of(memory::tau_want) = torque_told();
    of(memory::i_want) = of(memory::tau_want) * n.amperes;
  }

  void watch_switches(double t) {
    const S x = setup.has_spring() ? of(memory::motor_x) : x_at(t);
    const Mask<S> beyond = (x > n.switch_high) | (x < n.switch_low), is_reset = is_told(command::reset);
    if (!any(beyond | step.is_at_stop | is_reset)) return;
    const Mask<S> hit = beyond & (of(memory::fault) < S(0.5));
    of(memory::fault) = select(hit, S(double(Fault::Switch)), of(memory::fault));
    const Mask<S> stops = step.is_at_stop & (of(memory::fault) < S(0.5));
    of(memory::fault) = select(stops, S(double(Fault::Rod)), of(memory::fault));
    of(memory::fault) = select(is_reset, S(0.0), of(memory::fault));
  }

  void count(int which, const Mask<S>& is_so, double time) { of(which) += select(is_so, S(time), S(0.0)); }

  // A current that is more than it may be: by the force limit, where that is the lower one, or by the current limit.
  SINEW_INLINE void count_current(const S& wanted, const Most& most, const Mask<S>& is_warm, double time) {
    const Mask<S> cut = is_over(wanted, most);
    if (!any(cut)) return;
    const Mask<S> by_force = is_by_force(wanted, most);
    if (!counts_force()) count(memory::at_force, cut & by_force & negate(is_warm), time);
    count(memory::at_current, cut & negate(by_force) & negate(is_warm), time);
    count(memory::at_thermal, cut & is_warm, time);
  }
};

}  // namespace sinew::drive
