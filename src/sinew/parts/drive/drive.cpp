#include "sinew/parts/drive/drive.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/parts/drive/loops.h"
#include "sinew/parts/drive/refusal.h"

namespace sinew::drive {
namespace {

namespace at = memory;

// Ticks of one loop: k / rate - earlier.
struct Clock {
  double rate = 0.0, earlier = 0.0;  // rate 0: never
  std::int64_t k = 0;

  Clock(double rate_, double earlier_, double t) : rate(rate_), earlier(earlier_) {
    if (rate > 0.0) k = std::int64_t(std::ceil((t + earlier) * rate - near_tick));
  }
  double time() const { return rate > 0.0 ? double(k) / rate - earlier : std::numeric_limits<double>::infinity(); }
  bool is_before(double t) const { return rate > 0.0 && double(k) < (t + earlier) * rate - near_tick; }
};

// One drive in one step: its motor, and the order of its ticks.
template <Real S>
struct Run : Loops<S> {
  using Base = Loops<S>;
  using Most = typename Base::Most;
  using Base::count, Base::count_current, Base::limited, Base::most_current, Base::n, Base::of, Base::own, Base::setup,
      Base::step, Base::stopped, Base::u_at, Base::v_motor, Base::x_at, Base::spring_force;
  S impulse = S(0.0), energy_in = S(0.0);

  // A tick of the current loop: the voltage found at the last one acts now, the next one is worked out.
  void control_current(double t) {
    of(at::u_d) = of(at::next_d);
    of(at::u_q) = of(at::next_q);
    const S w = v_motor(t) * n.N;
    Dq<S> want{S(0.0), of(at::i_want)}, i{of(at::i_d), of(at::i_q)}, sum{of(at::sum_d), of(at::sum_q)};
    Mask<S> is_warm;
    const bool is_voltage = setup.control == Control::Voltage;
    const Most most = most_current(is_voltage ? i.q : want.q, v_motor(t), is_warm);
    if (!is_voltage) this->count_speed(want.q, most, v_motor(t), 1.0 / setup.rate);
    want.q = limited(want.q, most, v_motor(t));
    S turn(0.0);  // from the rotor's axes to those that the electronics take for them
    if (setup.align != Align::None) {
      const S phi = n.motor.pairs * n.N * (setup.has_spring() ? of(at::motor_x) : x_at(t));
      turn = -of(at::zero);
      if (this->is_aligning(t)) {
        want = {n.align_current, S(0.0)};
        turn = S(this->align_angle(t)) - phi;
        of(at::zero) = phi;
      }
      i = turned(i, turn);
    }
    Mask<S> is_limited;
    Dq<S> u =
        CurrentLoop<S>{n.w_c, n.V, setup.decouple}.update(n.motor, {want, i, w}, 1.0 / setup.rate, sum, is_limited);
    const Mask<S> brakes = stopped();
    if (is_voltage && !this->is_aligning(t)) {  // the loop has nothing to say
      u = {S(0.0), voltage_within(most, is_warm, i, v_motor(t))};
      is_limited = abs(of(at::u_want)) > n.V;
    }
    if (setup.align != Align::None) u = turned(u, -turn);
    const S on = select(brakes, S(0.0), S(1.0));
    of(at::next_d) = u.d * on;
    of(at::next_q) = u.q * on;
    of(at::sum_d) = sum.d * on;
    of(at::sum_q) = sum.q * on;
    count(at::at_voltage, is_limited, 1.0 / setup.rate);
    count_current(of(at::i_want), most, is_warm, 1.0 / setup.rate);
  }

  // A voltage that is told, or what holds the most current where it would drive more. Its model of the winding leaves no error, so it needs no
  // integrator.
  S voltage_within(const Most& most, const Mask<S>& is_warm, const Dq<S>& i, const S& v) {
    const S told = clamp(of(at::u_want), -n.V, n.V), gain = n.motor.L * n.w_c, w = v * n.N;
    const S rest = n.motor.pairs * w * n.motor.L * i.d + n.motor.k_e * w;
    const auto holding = [&](const S& current) { return n.motor.R * current + rest + gain * (current - i.q); };
    const S high = holding(limited(S(command::none), most, v)), low = holding(limited(S(-command::none), most, v));
    const Mask<S> is_above = told > holding(most.forward), is_below = told < holding(-most.backward);
    count_current(select(is_above, S(command::none), select(is_below, S(-command::none), S(0.0))), most, is_warm,
                  1.0 / setup.rate);
    if (!this->is_slow(v))
      count(at::at_force, ((told > high) | (told < low)) & negate(is_above | is_below), 1.0 / setup.rate);
    return clamp(clamp(told, low, high), -n.V, n.V);
  }

  // The current that the voltage can hold, if it is not the one that is wanted.
  S within_voltage(const S& i, const S& w, const Mask<S>& brakes, double h) {
    const S b = n.motor.pairs * w * n.motor.L * i, e = n.motor.k_e * w + n.motor.R * i;
    const Mask<S> is_over = b * b + e * e > n.V_2;
    if (!any(is_over)) return i;
    const auto reach = n.motor.reach(n.V_2, w);
    const S held = select(is_over, clamp(i, reach.low, reach.high), i);
    count(at::at_voltage, negate(brakes) & (abs(i - held) > S(0.0)), h);
    return held;
  }

  // Levels without a loop of their own: the current goes to what is wanted at once, or with a lag. Returns its mean. v: of the axis.
  // What is written to the drive's memory is written last, else all numbers would have to be read anew after it.
  SINEW_INLINE Dq<S> follow(double h, const S& v, const S& w) {
    const Motor<S> motor = n.motor;
    Mask<S> is_warm;
    S wanted = of(at::i_want);
    const bool is_voltage = setup.control == Control::Voltage;
    if (is_voltage)
      wanted = (clamp(of(at::u_want), -n.V, n.V) - motor.k_e * w) / select(motor.R > S(0.0), motor.R, S(1.0));
    const Most most = most_current(wanted, v, is_warm);
    const bool is_slow = this->is_slow(v);
    const S within = is_slow ? clamp(wanted, -most.backward, most.forward) : limited(wanted, most, w / n.N);
    if (!is_slow) this->count_speed(wanted, most, v, h);
    const Mask<S> brakes = stopped();
    const Dq<S> before{of(at::i_d), of(at::i_q)};
    Dq<S> end{S(0.0), within_voltage(within, w, brakes, h)};
    if (is_voltage) {  // what is told too high is cut here, unless it has just been
      const Mask<S> is_held = abs(end.q - within) > S(0.0);
      count(at::at_voltage, (abs(of(at::u_want)) > n.V) & negate(is_held), h);
    }
    if (any(brakes)) {
      const Dq<S> shorted = motor.shorted(w);
      end = {select(brakes, shorted.d, S(0.0)), select(brakes, shorted.q, end.q)};
    }
    Dq<S> mean = end;
    if (setup.level == Level::Fast) {
      const Lag lag = lag_over(h);
      mean = {end.d + (before.d - end.d) * lag.share, end.q + (before.q - end.q) * lag.share};
      end = {end.d + (before.d - end.d) * lag.left, end.q + (before.q - end.q) * lag.left};
    }
    const Dq<S> u = motor.holding(mean, w);
    // what is stored comes from the supply as well
    energy_in += motor.stored(end) - motor.stored(before);
    of(at::i_d) = end.d;
    of(at::i_q) = end.q;
    of(at::u_d) = select(brakes, S(0.0), u.d);
    of(at::u_q) = select(brakes, S(0.0), u.q);
    count_current(wanted, most, is_warm, h);
    return mean;
  }

  // What is left of a difference of currents after h, and its mean share over h.
  struct Lag {
    S left, share;
  };
  SINEW_INLINE Lag lag_over(double h) {
    const S x = n.w_c * S(h), known = of(at::lag_of);
    if (any((x < known) | (x > known))) {  // the interval is most often that of the step before
      of(at::lag_of) = x;
      of(at::lag_left) = each_lane(x, [](double y) { return math::exp(-y); });
      of(at::lag_share) = (S(1.0) - of(at::lag_left)) / x;
    }
    return {of(at::lag_left), of(at::lag_share)};
  }

  // The mean current over h at the axis' speed v, with its account.
  Dq<S> advance_current(double h, const S& v) {
    const S w = v * n.N;
    Dq<S> mean;
    if (setup.level == Level::Full) {
      Dq<S> i{of(at::i_d), of(at::i_q)};
      const Dq<S> u{of(at::u_d), of(at::u_q)};
      mean = n.motor.advance(u, w, S(h), i);
      of(at::i_d) = i.d;
      of(at::i_q) = i.q;
      energy_in += n.motor.power(u, mean) * S(h);
    } else {
      mean = follow(h, v, w);
      energy_in += (n.motor.copper(mean) + n.K * mean.q * w) * S(h);
    }
    const S heat = n.motor.copper(mean) * S(h), square = mean.d * mean.d + mean.q * mean.q, before = of(at::heat);
    const S warmer = before + (square - before) * S(h) / (n.thermal_time + S(h));
    of(at::copper) += heat;
    of(at::heat) = warmer;
    return mean;
  }

  // On the far side of the gear, for the motor's torque; its losses.
  S through_gear(const S& tau, const S& v, double h) {
    const S at_motor = n.N * tau;
    const S F = at_motor * select(tau * v < S(0.0), n.inverse_eta, n.eta);
    of(at::friction) += (at_motor - F) * v * S(h);
    return F;
  }

  void integrate(double t, double h) {
    if (!(h > 0.0)) return;
    const double middle = t + 0.5 * h;
    if (setup.has_spring()) return integrate_spring(t, h);
    const S v = u_at(middle);
    const Dq<S> mean = advance_current(h, v);
    S F = through_gear(n.K * mean.q, v, h);
    if (setup.rubs) F -= rub(v, h);
    impulse += F * S(h);
  }

  // Friction of the motor at the stroke that it moves.
  S rub(const S& v, double h) {
    // Without a rotor there is no stiffness that the step could bear: a line, with which the stroke creeps.
    const Mask<S> has_mass = n.m_r > S(0.0);
    const S stiff = n.m_r * S(0.1 / (step.dt * step.dt)), damp = n.m_r * S(0.2 / step.dt);
    const S line = n.F_c * clamp(v * S(1e3), S(-1.0), S(1.0));
    const S before = of(at::bent), bent = clamp(before + stiff * v * S(h), -n.F_c, n.F_c);
    of(at::bent) = bent;
    const S held = clamp(S(0.5) * (before + bent) + damp * v, -n.F_c, n.F_c);
    const S F = select(has_mass, held, line) + n.B_r * v;
    of(at::friction) += F * v * S(h);
    return F;
  }

  // The motor in front of the spring: midpoint rule, friction as a set-valued law on the mean velocity. The speed for the current is
  // predicted with the current of the start.
  void integrate_spring(double t, double h) {
    const S m = n.m_r, x_axis = x_at(t + 0.5 * h) + of(at::slip), v_0 = of(at::motor_v), x_0 = of(at::motor_x);
    const S half(0.5 * h), at_start = of(at::i_q) * n.per_ampere;
    const auto mean_speed = [&](const S& drives) {
      // m (v - v_0) / (h/2) = drives - F(x_0 + h/2 v - x) - B v - friction, with the spring at its stretch at x_0
      const S apart = x_0 - x_axis, slack = spring_force(apart);
      const S k = select(abs(slack) > S(0.0), n.k_s, select(n.play > S(0.0), S(0.0), n.k_s));
      const S push = m * v_0 / half + drives - slack, free = max(abs(push) - n.F_c, S(0.0));
      return select(push < S(0.0), -free, free) / (m / half + k * half + n.B_r);
    };
    const S guess = mean_speed(at_start);
    const Dq<S> mean = advance_current(h, guess);
    const S tau = n.K * mean.q;
    const S drives = through_gear(tau, guess, h);
    S v = mean_speed(drives);
    S F = spring_force(x_0 + half * v - x_axis);
    const Mask<S> slips = abs(F) > n.F_slip;
    if (any(slips)) {  // the belt gives its most, however far the motor goes
      F = clamp(F, -n.F_slip, n.F_slip);
      const S push = m * v_0 / half + drives - F, free = max(abs(push) - n.F_c, S(0.0));
      v = select(slips, select(push < S(0.0), -free, free) / (m / half + n.B_r), v);
    }
    of(at::motor_v) = S(2.0) * v - v_0;
    of(at::motor_x) = x_0 + S(h) * v;
    slip(t + h, F * (S(h) * v - x_at(t + h) + x_at(t)));
    const S taken = drives * v - F * v - m * (v - v_0) * v / half;  // by friction
    of(at::friction) += taken * S(h);
    impulse += F * S(h);
  }

  // The spring's force at the end; beyond F_slip the belt gives way. given: the work done on the spring, of which it stores what it can and
  // slipping makes heat of the rest.
  void slip(double t, const S& given) {
    const S F = spring_force(of(at::motor_x) - of(at::slip) - x_at(t)), most = clamp(F, -n.F_slip, n.F_slip);
    const S before = of(at::force);
    of(at::force) = most;
    const Mask<S> slips = abs(F) > n.F_slip;
    if (!any(slips)) return;
    of(at::slip) += (F - most) / n.k_s;
    of(at::friction) += select(slips, given - S(0.5) * (most * most - before * before) / n.k_s, S(0.0));
  }

  void go(double t, double until) {
    const int parts = setup.level == Level::Full ? setup.parts : 1;
    const double h = (until - t) / parts;
    for (int i = 0; i < parts; i++) integrate(t + i * h, h);
  }

  void run() {
    this->start();
    this->take_set_points();
    const double end = step.t + step.dt;
    if (setup.has_ticks())
      tick(end);
    else
      integrate(step.t, step.dt);
    this->watch_switches(end);
    const S rate(1.0 / step.dt);
    of(at::torque) = impulse * rate;
    of(at::power) = energy_in * rate;
    of(at::electrical) += energy_in;
    of(at::time) += S(step.dt);
  }

  // All ticks of all loops up to the end of the step, in order.
  void tick(double end) {
    const bool has_loop = setup.has_loop(), has_force = setup.has_force_loop() && !this->is_current_given();
    Clock samples(has_loop && setup.delay > 0.0 ? setup.loop_rate : 0.0, setup.delay, step.t);
    Clock loop(has_loop ? setup.loop_rate : 0.0, 0.0, step.t);
    Clock force_samples(has_force && setup.force_delay > 0.0 ? setup.force_rate : 0.0, setup.force_delay, step.t);
    Clock force(has_force ? setup.force_rate : 0.0, 0.0, step.t);
    Clock current(setup.level == Level::Full || setup.has_spring() ? setup.rate : 0.0, 0.0, step.t);
    double t = step.t;
    while (true) {
      const double next = std::min({samples.time(), loop.time(), force_samples.time(), force.time(), current.time()});
      const auto is_due = [&](const Clock& c) { return c.time() <= next && c.is_before(end); };
      if (!is_due(samples) && !is_due(loop) && !is_due(force_samples) && !is_due(force) && !is_due(current)) break;
      if (next > t) go(t, next);
      t = std::max(t, next);
      if (is_due(samples)) this->sample(samples.k++, t);
      if (is_due(loop)) this->control_outside(loop.k++, t);
      if (is_due(force_samples)) this->sample_force(force_samples.k++, t);
      if (is_due(force)) this->control_force(force.k++, t);
      if (is_due(current)) {
        if (setup.level == Level::Full) control_current(t);
        current.k++;
      }
    }
    if (end > t) go(t, end);
  }
};

}  // namespace

int Setup::samples() const { return has_loop() ? int(std::ceil(delay * loop_rate)) + 2 : 0; }
int Setup::force_samples() const { return has_force_loop() ? int(std::ceil(force_delay * force_rate)) + 2 : 0; }
int Setup::memory_size() const {
  return memory::samples + memory::per_sample * samples() + memory::per_force_sample * force_samples() +
         (align == Align::None ? 0 : refusal::size);
}

template <Real S>
void advance(const Setup& setup, const Numbers<S>& n, const Step<S>& step, S* own) {
  SINEW_ASSERT(own && step.given && step.dt > 0.0 && setup.rate > 0.0 && setup.loop_rate > 0.0);
  Run<S>{{setup, n, step, own}}.run();
}
template void advance(const Setup&, const Numbers<double>&, const Step<double>&, double*);
template void advance(const Setup&, const Numbers<Lanes>&, const Step<Lanes>&, Lanes*);

}  // namespace sinew::drive
