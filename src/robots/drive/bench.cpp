// Test bench of drives: what follows from their numbers without any motion (docs/theory/drives.md).
//   constants   a screw drive: r = lead / (2 pi belt), m_r = J / r^2, flux = K / (1.5 p), speeds and the current for a force; the electrical
//               angle asin(T_c / (K i)) by which friction holds a rotor back when it is aligned
//   dc          a DC drive: stall torque eta N k_e U / R, no-load speed U / (k_e N), reflected inertia N^2 J
//   park        phases of (i_d, i_q) at phi, and what the printed factor 3/2 makes of them
//   shaper      samples until a way is covered, from rest to rest
//   force-loop  a force loop of second order: F / F_ref = w_n^2 / (s^2 + 2 zeta w_n s + w_n^2) with the current's lag, its margins, and whether
//               it is stable when it is sampled
#include <cmath>
#include <complex>
#include <numbers>

#include "robots/catalog.h"
#include "sinew/math/elementary.h"
#include "sinew/model/describe_tools.h"
#include "sinew/model/drives.h"
#include "sinew/parts/drive/park.h"
#include "sinew/parts/drive/shaper.h"

namespace sinew::robots {
namespace {

constexpr std::array<std::string_view, 5> drive_benches{"constants", "dc", "park", "shaper", "force-loop"};
constexpr double pi = std::numbers::pi;

// Where f changes its sign between a and b.
template <class F>
double root_between(double a, double b, F f) {
  const bool is_up = f(a) > 0.0;
  for (int k = 0; k < 200; k++) {
    const double c = 0.5 * (a + b);
    ((f(c) > 0.0) == is_up ? a : b) = c;
  }
  return 0.5 * (a + b);
}

struct DriveBench : Robot {
  int bench = 0;
  DrivePlan drive = default_drive(drive::Kind::SeriesElastic), dc = default_drive(drive::Kind::DcMotor);
  double i_d = 1.2, i_q = 3.4, phi = 0.7;                         // park
  double way = 125.66370614, v_max = 1361.3568, a_max = 2e4;      // shaper
  double bandwidth = 50.0, first_reached = 0.015;                 // force loop [Hz, s]
  double period = 1.0 / 28000.0, delay = 1.0 / 28000.0;           // of the sampled one [s]
  double speed_nominal = 0.64, speed_most = 0.72, force = 128.0;  // constants

  bool is_bench() const override { return true; }
  Plan plan() const override { return {}; }

  void describe(Keys& keys) override {
    keys.choice({"bench", "", "what is worked out"}, drive_benches, bench);
    keys.number({"lead", "m", "of the screw", positive}, drive.lead);
    keys.number({"belt", "1", "turns of the motor for one of the screw", positive}, drive.belt);
    keys.number({"inertia", "kg m^2", "at the motor of the screw", positive}, drive.inertia);
    keys.number({"torque_constant", "N m/A", "of that motor", positive}, drive.torque_constant);
    keys.integer({"pole_pairs", "1", "of that motor", {.low = 1.0}}, drive.pole_pairs);
    keys.number({"efficiency", "1", "of the screw", {.low = 0.0, .high = 1.0, .above_low = true}}, drive.efficiency);
    keys.number({"spring", "N/m", "between screw and load", positive}, drive.spring);
    keys.number({"current_bandwidth", "Hz", "of the current loop", positive}, drive.current_bandwidth);
    keys.number({"friction", "N m", "Coulomb friction at that motor", not_negative}, drive.friction);
    keys.number({"align_current", "A", "with which its rotor is aligned", positive}, drive.align_current);
    keys.number({"force", "N", "for which the current is asked", positive}, force);
    keys.number({"speed_nominal", "m/s", "for which the speed of the motor is asked", positive}, speed_nominal);
    keys.number({"speed_most", "m/s", "the same", positive}, speed_most);
    keys.number({"voltage", "V", "of the DC motor", positive}, dc.voltage);
    keys.number({"power", "W", "most mechanical power of the DC motor", positive}, dc_power);
    keys.number({"no_load_rpm", "1/min", "of the DC motor", positive}, dc_rpm);
    keys.number({"gear", "1", "of the DC drive", positive}, dc.gear);
    keys.number({"gear_efficiency", "1", "of it", {.low = 0.0, .high = 1.0, .above_low = true}}, dc.efficiency);
    keys.number({"rotor", "kg m^2", "inertia of the DC motor", not_negative}, dc.inertia);
    keys.number({"id", "A", "of the transform"}, i_d);
    keys.number({"iq", "A", "of the transform"}, i_q);
    keys.number({"phi", "rad", "electrical angle", any_number, true}, phi);
    keys.number({"d", "rad", "way of the shaper", positive}, way);
    keys.number({"vmax", "rad/s", "of the shaper", positive}, v_max);
    keys.number({"amax", "rad/s^2", "of the shaper", positive}, a_max);
    keys.number({"bandwidth", "Hz", "of the force loop", positive}, bandwidth);
    keys.number({"first_reached", "s", "when its step first is where it should be", positive}, first_reached);
    keys.number({"Tc", "s", "period of the sampled force loop", positive}, period);
    keys.number({"dead_time", "s", "of the sampled force loop", not_negative}, delay);
  }
  double dc_power = 8.68, dc_rpm = 10000.0;

  std::vector<Measurement> measure(std::uint64_t) const override {
    std::vector<Measurement> out;
    switch (bench) {
      case 0:
        measure_constants(out);
        break;
      case 1:
        measure_dc(out);
        break;
      case 2:
        measure_park(out);
        break;
      case 3:
        measure_shaper(out);
        break;
      default:
        measure_force_loop(out);
    }
    return out;
  }

  void measure_constants(std::vector<Measurement>& out) const {
    const double N = drive_ratio(drive, JointKind::Prismatic);
    const auto rpm = [&](double v) { return v * N * 60.0 / (2.0 * pi); };
    out.push_back({"m_per_motor_rad", "m", {1.0 / N}});
    out.push_back({"reflected_mass", "kg", {reflected_inertia(drive, JointKind::Prismatic)}});
    out.push_back({"flux", "Wb", {drive.torque_constant / (1.5 * drive.pole_pairs)}});
    out.push_back({"rpm_nominal", "1/min", {rpm(speed_nominal)}});
    out.push_back({"rpm_most", "1/min", {rpm(speed_most)}});
    out.push_back({"alignment_error_deg",
                   "deg",
                   {math::asin(drive.friction / (drive.torque_constant * drive.align_current)) * 180.0 / pi}});
    out.push_back({"current_for_force", "A", {force / (N * drive.efficiency * drive.torque_constant)}});
  }

  void measure_dc(std::vector<Measurement>& out) const {
    const double k_e = dc.voltage / (dc_rpm * 2.0 * pi / 60.0), R = dc.voltage * dc.voltage / (4.0 * dc_power);
    out.push_back({"resistance", "Ohm", {R}});
    out.push_back({"torque_constant", "N m/A", {k_e}});
    out.push_back({"stall_torque", "N m", {dc.efficiency * dc.gear * k_e * dc.voltage / R}});
    out.push_back({"no_load_speed", "rad/s", {dc.voltage / (k_e * dc.gear)}});
    out.push_back({"reflected_inertia", "kg m^2", {reflected_inertia(dc, JointKind::Revolute)}});
  }

  void measure_park(std::vector<Measurement>& out) const {
    const drive::Phases<double> abc = drive::to_phases(drive::Dq<double>{i_d, i_q}, phi);
    const drive::Dq<double> back = drive::to_dq(abc, phi);
    const double printed = (3.0 / 2.0) / (2.0 / 3.0);
    out.push_back({"abc", "A", {abc.a, abc.b, abc.c}});
    out.push_back({"dq", "A", {back.d, back.q}});
    out.push_back({"dq_with_3_2", "A", {printed * back.d, printed * back.q}});
  }

  void measure_shaper(std::vector<Measurement>& out) const {
    const drive::Shaper<double> shaper{v_max, a_max};
    double x = 0.0, v = 0.0, peak = 0.0, most = 0.0;
    int samples = 0;
    for (; samples < 100000 && std::abs(x - way) > 1e-9; samples++) {
      shaper.step(way, 1e-3, x, v);
      peak = std::max(peak, v);
      most = std::max(most, x - way);
    }
    for (int k = 0; k < 1000; k++) {
      shaper.step(way, 1e-3, x, v);
      most = std::max(most, x - way);
    }
    const double t_up = v_max / a_max;
    const double time = v_max * t_up >= way ? 2.0 * std::sqrt(way / a_max) : t_up + way / v_max;
    out.push_back({"samples_to_target", "1", {double(samples)}});
    out.push_back({"continuous_time", "s", {time}});
    out.push_back({"peak", "rad/s", {peak}});
    out.push_back({"overshoot", "rad", {std::max(most, 0.0)}});
  }

  // Bandwidth w_n sqrt(1 - 2 z^2 + sqrt((1 - 2 z^2)^2 + 1)), first reached at (pi - acos z) / (w_n sqrt(1 - z^2)).
  void measure_force_loop(std::vector<Measurement>& out) const {
    const auto w_of = [&](double z) {
      const double a = 1.0 - 2.0 * z * z;
      return 2.0 * pi * bandwidth / std::sqrt(a + std::sqrt(a * a + 1.0));
    };
    const auto late = [&](double z) {
      return (pi - math::acos(z)) / (w_of(z) * std::sqrt(1.0 - z * z)) - first_reached;
    };
    const double z = root_between(0.1, 0.999, late), w_n = w_of(z);
    const double m = reflected_inertia(drive, JointKind::Prismatic), k = drive.spring;
    const double K_p = w_n * w_n * m / k - 1.0, K_d = 2.0 * z * w_n * m / k, w_c = 2.0 * pi * drive.current_bandwidth;
    using Complex = std::complex<double>;
    const auto plant = [&](double w) { return k / (k - m * w * w); };
    const auto loop = [&](double w) { return Complex(K_p, K_d * w) * plant(w); };
    const auto closed = [&](double w) {
      const Complex lag = 1.0 / Complex(1.0, w / w_c);
      return (1.0 + K_p) * plant(w) * lag / (1.0 + loop(w) * lag);
    };
    const double above = 1.001 * std::sqrt(k / m);
    const double crossover = root_between(above, 100.0 * above, [&](double w) { return std::abs(loop(w)) - 1.0; });
    const double width = root_between(1.0, 10.0 * w_n, [&](double w) { return std::abs(closed(w)) - std::sqrt(0.5); });
    const Complex there = loop(crossover);
    const double margin = pi + math::atan2(there.imag(), there.real()) - (there.imag() > 0.0 ? 2.0 * pi : 0.0);
    const double positive = margin < 0.0 ? margin + 2.0 * pi : margin;
    out.push_back({"zeta", "1", {z}});
    out.push_back({"omega_n", "rad/s", {w_n}});
    out.push_back({"Kp", "1", {K_p}});
    out.push_back({"Kd", "s", {K_d}});
    out.push_back({"bandwidth_hz", "Hz", {width / (2.0 * pi)}});
    out.push_back({"crossover", "rad/s", {crossover}});
    out.push_back({"phase_margin_deg", "deg", {positive * 180.0 / pi}});
    out.push_back({"delay_margin", "s", {positive / crossover}});
    out.push_back({"stable", "1", {delay + 0.5 * period < positive / crossover ? 1.0 : 0.0}});
  }
};

}  // namespace

std::unique_ptr<Robot> make_drive_bench() { return std::make_unique<DriveBench>(); }

}  // namespace sinew::robots
