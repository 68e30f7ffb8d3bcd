#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "sinew/math/dense.h"
#include "sinew/parts/sensor/bridges.h"
#include "sinew/parts/sensor/effects.h"
#include "sinew/parts/sensor/encoder.h"
#include "sinew/parts/sensor/switches.h"
#include "sinew/parts/sensor/timing.h"

namespace sinew::sensor {
namespace sensor_test {

double read_value(const Channel& c, double x, std::uint64_t k, std::uint32_t device = 7) {
  double held = x;
  Normals normals;
  return read(c, x, 0.0, held, normals.get({1, 0, device, 0}, k)).value;
}

TEST(SensorEffects, a_channel_without_effects_reports_the_very_bits_of_the_truth) {
  for (const double x : {0.0, -1.7, 1e-300, 3e5}) EXPECT_EQ(read_value({}, x, 3), x);
}

TEST(SensorEffects, noise_has_the_variance_asked_for_and_is_white) {
  const int n = 200000;
  const Channel c{.noise = 0.05};
  std::vector<double> e;
  for (int k = 0; k < n; k++) e.push_back(read_value(c, 2.0, std::uint64_t(k)) - 2.0);
  double mean = 0.0, var = 0.0;
  for (const double x : e) mean += x / n;
  for (const double x : e) var += (x - mean) * (x - mean) / (n - 1);
  EXPECT_NEAR(mean, 0.0, 4.0 * 0.05 / std::sqrt(n));                // four deviations of a mean
  EXPECT_NEAR(var / (0.05 * 0.05), 1.0, 4.0 * std::sqrt(2.0 / n));  // and of a variance
  for (const int lag : {1, 2, 3, 10, 1000}) {
    double product = 0.0;
    for (int k = lag; k < n; k++) product += e[std::size_t(k)] * e[std::size_t(k - lag)] / (n - lag);
    EXPECT_NEAR(product / var, 0.0, 4.0 / std::sqrt(n - lag)) << "lag " << lag;
  }
}

TEST(SensorEffects, noise_of_two_devices_robots_and_seeds_is_independent) {
  const int n = 100000;
  Normals of_a, of_b, of_c, of_d;
  double devices = 0.0, robots = 0.0, seeds = 0.0;
  for (std::uint64_t k = 0; k < n; k++) {
    const double a = of_a.get({1, 0, 5, 0}, k);
    devices += a * of_b.get({1, 0, 6, 0}, k) / n;
    robots += a * of_c.get({1, 1, 5, 0}, k) / n;
    seeds += a * of_d.get({2, 0, 5, 0}, k) / n;
  }
  for (const double mean : {devices, robots, seeds}) EXPECT_NEAR(mean, 0.0, 4.0 / std::sqrt(n));
}

TEST(SensorEffects, a_number_that_is_left_over_is_the_one_that_is_asked_for) {
  Normals one_after_the_other;
  for (std::uint64_t k = 0; k < 100; k++) {
    Normals fresh;
    const double n = one_after_the_other.get({1, 0, 5, 0}, k);
    EXPECT_EQ(n, fresh.get({1, 0, 5, 0}, k));
    const math::NormalPair pair = math::normal_pair({1, 0, 5, k / 2});
    EXPECT_EQ(n, k % 2 == 0 ? pair.first : pair.second);
  }
  EXPECT_EQ(math::normal_pair({1, 2, 3, 4}).first, math::normal({1, 2, 3, 4}));
}

// Mean 0, variance count^2 / 12, and each tenth of a count holds a tenth of the errors.
TEST(SensorEffects, quantisation_error_is_uniform_over_one_count) {
  const Channel c{.lower = -50.0, .upper = 50.0, .count = count_of(-50.0, 50.0, 12)};
  const int n = 100000;
  double mean = 0.0, square = 0.0;
  std::array<int, 10> bins{};
  for (int k = 0; k < n; k++) {
    const double x = 98.0 * (math::uniform({3, 0, 0, std::uint64_t(k)}) - 0.5);
    const double e = (read_value(c, x, 0) - x) / c.count;
    ASSERT_LE(std::abs(e), 0.5 + 1e-9);
    mean += e / n;
    square += e * e / n;
    bins[std::size_t(std::min(9.0, (e + 0.5) * 10.0))]++;
  }
  EXPECT_NEAR(mean, 0.0, 4.0 / std::sqrt(12.0 * n));
  EXPECT_NEAR(square, 1.0 / 12.0, 4.0 * std::sqrt(1.0 / 180.0 / n));
  for (const int bin : bins) EXPECT_NEAR(bin, n / 10.0, 5.0 * std::sqrt(0.09 * n));
}

TEST(SensorEffects, one_count_of_twelve_bits_is_that_of_the_table_of_the_force_sensor) {
  EXPECT_EQ(count_of(-300.0, 300.0, 12), 0.146484375);
  EXPECT_EQ(count_of(-400.0, 400.0, 12), 0.1953125);
  EXPECT_EQ(count_of(-10.0, 10.0, 12), 0.0048828125);
  EXPECT_EQ(count_of(-20.0, 20.0, 12), 0.009765625);
}

TEST(SensorEffects, beyond_the_range_its_end_is_reported_and_flagged) {
  const Channel c{.lower = -1.0, .upper = 1.0};
  double held = 0.0;
  for (const double x : {-1.0, 0.3, 1.0}) EXPECT_FALSE(read(c, x, 0.0, held, 0.0).saturated);
  EXPECT_TRUE(read(c, 1.001, 0.0, held, 0.0).saturated);
  EXPECT_EQ(read(c, 1.001, 0.0, held, 0.0).value, 1.0);
  EXPECT_TRUE(read(c, -7.0, 0.0, held, 0.0).saturated);
  EXPECT_EQ(read(c, -7.0, 0.0, held, 0.0).value, -1.0);
  Channel coded = c;
  coded.count = count_of(-1.0, 1.0, 3);
  EXPECT_EQ(read(coded, 1.0, 0.0, held, 0.0).value, 0.75);  // the last of eight codes
  EXPECT_TRUE(read(coded, 1.0, 0.0, held, 0.0).saturated);
}

TEST(SensorEffects, an_encoder_that_goes_round_wraps_and_is_never_saturated) {
  const Channel c{.lower = -1.0, .upper = 1.0, .count = 0.25, .wraps = true};
  double held = 0.0;
  for (const double turns : {-6.0, -2.0, 0.0, 2.0, 40.0}) {
    const Reading r = read(c, 0.5 + turns, 0.0, held, 0.0);
    EXPECT_EQ(r.value, 0.5);
    EXPECT_FALSE(r.saturated);
  }
  EXPECT_EQ(read(c, 0.95, 0.0, held, 0.0).value, -1.0);
}

TEST(SensorEffects, null_and_drift_add_up_over_time) {
  const Channel c{.offset = 0.5, .drift = 0.01};
  double held = 0.0;
  EXPECT_DOUBLE_EQ(read(c, 1.0, 20.0, held, 0.0).value, 1.7);
}

// There and back: the two branches lie the width of the loop apart, whatever the amplitude.
TEST(SensorEffects, hysteresis_is_a_loop_of_the_given_width) {
  const Channel c{.play = 0.4};
  double held = 0.0, up = 0.0, down = 0.0;
  for (int k = -100; k <= 100; k++) {
    const double y = read(c, 0.1 * k, 0.0, held, 0.0).value;
    if (k == 30) up = y;
  }
  for (int k = 100; k >= -100; k--) {
    const double y = read(c, 0.1 * k, 0.0, held, 0.0).value;
    if (k == 30) down = y;
  }
  EXPECT_NEAR(down - up, 0.8, 1e-12);
}

TEST(SensorTiming, samples_are_taken_at_phase_plus_k_periods_and_once_each) {
  const Timing timing{.period = 0.003, .phase = 0.0005};
  double taken = 0.0;
  std::vector<int> steps;
  for (int k = 0; k < 14; k++) {
    const double number = due_sample(timing, 0.001 * k, taken, 1e-12);
    if (number < 0.0) continue;
    EXPECT_EQ(number, double(steps.size()));
    taken = number + 1.0;
    steps.push_back(k);
  }
  EXPECT_EQ(steps, (std::vector{1, 4, 7, 10, 13}));
}

TEST(SensorTiming, of_several_due_times_in_one_step_the_last_counts) {
  EXPECT_EQ(due_sample({.period = 0.001}, 0.0105, 2.0, 0.0), 10.0);
}

// Every delay from one to nine ticks, over many laps of the ring.
TEST(SensorTiming, delays_are_exact_to_the_tick) {
  for (int ticks = 1; ticks < 10; ticks++) {
    const Timing timing{.delay = ticks * 0.001};
    std::vector<double> line(std::size_t(line_size(timing, 0.001, 1)), 0.0);
    double seen = -1.0;
    for (int k = 0; k < 200; k++) {
      const double t = 0.001 * k, value = k;
      put_in(line, t + timing.delay, {&value, 1});
      while (take_out(line, t, 1e-12, {&seen, 1})) {
      }
      EXPECT_EQ(seen, k < ticks ? -1.0 : double(k - ticks)) << ticks << " ticks, step " << k;
    }
  }
}

TEST(SensorTiming, a_delay_between_two_ticks_waits_for_the_next) {
  const Timing timing{.period = 0.002, .delay = 0.0012};
  std::vector<double> line(std::size_t(line_size(timing, 0.001, 1)), 0.0);
  double seen = -1.0, taken = 0.0;
  for (int k = 0; k < 40; k++) {
    const double t = 0.001 * k, value = k;
    if (const double number = due_sample(timing, t, taken, 1e-12); number >= 0.0) {
      taken = number + 1.0;
      put_in(line, t + timing.delay, {&value, 1});
    }
    while (take_out(line, t, 1e-12, {&seen, 1})) {
    }
    EXPECT_EQ(seen, k < 2 ? -1.0 : double((k - 2) / 2 * 2));
  }
}

TEST(SensorSwitches, a_contact_flag_waits_five_milliseconds_above_two_and_below_one_newton) {
  const Debounce d;
  DebounceState s;
  const auto force = [](int k) {
    return k < 10 ? 0.0 : k < 13 ? 3.0 : k < 20 ? 1.5 : k < 40 ? 2.5 : k < 50 ? 1.5 : 0.5;
  };
  std::vector<int> changes;
  double flag = 0.0;
  for (int k = 0; k < 80; k++) {
    const double now = debounced(d, force(k), 0.001 * k, 1e-12, s);
    if (now != flag) changes.push_back(k);
    flag = now;
  }
  EXPECT_EQ(changes, (std::vector{25, 55}));  // three milliseconds at 3 N were too short; 1.5 N is neither
}

TEST(SensorSwitches, a_limit_switch_opens_its_width_later_than_it_closes) {
  const LimitSwitch upper{.at = 1.0, .width = 0.1}, lower{.at = -1.0, .is_upper = false};
  double flag = 0.0;
  EXPECT_EQ(switched(upper, 0.99, flag), 0.0);
  EXPECT_EQ(switched(upper, 1.0, flag), 1.0);
  EXPECT_EQ(switched(upper, 0.91, flag), 1.0);
  EXPECT_EQ(switched(upper, 0.89, flag), 0.0);
  EXPECT_EQ(switched(lower, -1.0, flag), 1.0);
  EXPECT_EQ(switched(lower, -0.999, flag), 0.0);
}

TEST(SensorEncoder, a_fused_encoder_finds_its_zero_with_the_time_constant_asked_for) {
  double offset = 0.0;
  const double tau = 0.5, dt = 0.001;
  for (int k = 0; k < 500; k++) offset = corrected(offset, 0.3, 1.3, dt, tau);
  EXPECT_NEAR(offset, 1.0 - std::pow(tau / (tau + dt), 500), 1e-12);
  EXPECT_EQ(count_of_encoder(512.0, 251.0), 2.0 * std::numbers::pi / (512.0 * 251.0));
  EXPECT_NEAR(short_way(6.2, 2.0 * std::numbers::pi), 6.2 - 2.0 * std::numbers::pi, 1e-15);
}

constexpr std::array ranges{300.0, 400.0, 300.0, 10.0, 20.0, 10.0};

TEST(SensorBridges, the_calibration_of_ideal_beams_gives_every_load_back) {
  const Matrix B = four_beams(ranges, 0.02), C = calibration_of(B);
  EXPECT_LT(largest(C * B - Matrix::identity(6)), 1e-12);
  Matrix full(6, 1);
  for (int i = 0; i < 6; i++) full[i] = ranges[std::size_t(i)];
  const Matrix b = B * full;
  for (int i = 0; i < n_bridges; i++) EXPECT_LE(std::abs(b[i]), 1.0 + 1e-15);
}

// With gain errors, cross-talk and nulls, but neither noise nor codes, calibration takes all of them out.
TEST(SensorBridges, calibration_finds_gains_cross_talk_and_nulls_exactly) {
  Matrix real = four_beams(ranges, 0.02);
  Matrix mixed = Matrix::identity(n_bridges);
  for (int i = 0; i < n_bridges; i++)
    for (int k = 0; k < n_bridges; k++) mixed(i, k) += 0.01 * std::sin(1.0 + 3.0 * i + 5.0 * k);
  real = mixed * real;
  const int n = 40;
  Matrix loads(n, 6), readings(n, n_bridges);
  for (int m = 0; m < n; m++) {
    for (int k = 0; k < 6; k++) loads(m, k) = ranges[std::size_t(k)] * std::sin(1.0 + 0.7 * m + 1.3 * m * k);
    for (int i = 0; i < n_bridges; i++) {
      readings(m, i) = 0.003 * i;
      for (int k = 0; k < 6; k++) readings(m, i) += real(i, k) * loads(m, k);
    }
  }
  const Calibration found = calibrate(loads, readings);
  EXPECT_LT(largest(found.C * real - Matrix::identity(6)), 1e-9);
  for (int i = 0; i < n_bridges; i++) EXPECT_NEAR(found.null[i], 0.003 * i, 1e-12);
}

}  // namespace sensor_test
}  // namespace sinew::sensor
