// The bench on which a six-component force sensor is calibrated (docs/theory/sensors.md#calibration). Known weights load one direction after
// the other, and eight bridges are read; least squares find the calibration matrix. Then loads that it has not seen are measured with it.
//   true load w -> bridges B w -> gain error, cross-talk, null, hysteresis, noise, codes -> C (b - null)
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "robots/catalog.h"
#include "sinew/parts/sensor/bridges.h"
#include "sinew/parts/sensor/effects.h"

namespace sinew::robots {
namespace {

using sensor::n_bridges;
using sensor::n_loads;
constexpr std::array<const char*, 6> load_names{"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
constexpr std::array<const char*, 6> load_units{"N", "N", "N", "N m", "N m", "N m"};

// The sensor as it was built, which nobody knows exactly.
struct BuiltSensor {
  Matrix bridges;  // B with gain errors and cross-talk
  std::array<sensor::Channel, n_bridges> channels;
  std::array<double, n_bridges> held{};
  std::uint64_t seed;
  double read_so_far = 0.0;
  sensor::Normals normals = {};

  void read(std::span<const double> load, std::span<double> out) {
    for (int i = 0; i < n_bridges; i++) {
      double b = 0.0;
      for (int k = 0; k < n_loads; k++) b += bridges(i, k) * load[std::size_t(k)];
      double& at = held[std::size_t(i)];
      if (read_so_far == 0.0) at = b + channels[std::size_t(i)].offset;
      const double n = normals.get({seed, 0, 1, 0}, std::uint64_t(read_so_far) * n_bridges + std::uint64_t(i));
      out[std::size_t(i)] = sensor::read(channels[std::size_t(i)], b, 0.0, at, n).value;
    }
    read_so_far += 1.0;
  }
};

struct ForceSensorBench : Robot {
  std::vector<double> upper{300.0, 400.0, 300.0, 10.0, 20.0, 10.0};
  double beam = 0.02, gain_spread = 0.02, cross_talk_spread = 0.01, null_spread = 0.01, noise = 1e-4, hysteresis = 0.0;
  double largest_weight = 0.8, largest_check = 0.9;
  int bits = 12, weights = 9, repeats = 8, checks = 1000;

  void describe(Keys& keys) override {
    keys.numbers({"upper", "N, N, N, N m, N m, N m", "largest magnitude of Fx, Fy, Fz, Mx, My, Mz", positive},
                 {.exactly = n_loads}, upper);
    keys.number({"beam", "m", "length of its four beams", positive}, beam);
    keys.integer({"bits", "", "of each bridge", {.low = 1, .high = 32}}, bits);
    keys.number({"noise", "1", "standard deviation, as a share of a bridge's full scale", not_negative}, noise);
    keys.number({"hysteresis", "1", "width of the loop as a share of a bridge's range", {.low = 0.0, .high = 1.0}},
                hysteresis);
    keys.number({"gain_spread", "1", "gain errors of the bridges are drawn evenly within +- this", not_negative},
                gain_spread);
    keys.number({"cross_talk_spread", "1", "and what a bridge says of the others' strain", not_negative},
                cross_talk_spread);
    keys.number({"null_spread", "1", "and what it says without a load", not_negative}, null_spread);
    keys.integer({"weights", "", "in each direction, from one side to the other", {.low = 2, .high = 1000}}, weights);
    keys.number({"largest_weight", "1", "as a share of the range", {.low = 0.0, .high = 1.0, .above_low = true}},
                largest_weight);
    keys.integer({"repeats", "", "readings of each weight, of which the mean is taken", {.low = 1, .high = 10000}},
                 repeats);
    keys.integer({"checks", "", "loads in all directions at once, measured afterwards", {.low = 20, .high = 1000000}},
                 checks);
    keys.number({"largest_check", "1", "as a share of the range", {.low = 0.0, .high = 1.0, .above_low = true}},
                largest_check);
  }

  bool is_bench() const override { return true; }
  Plan plan() const override { return {}; }

  static double evenly(std::uint64_t seed, std::uint32_t what, int k) {
    return 2.0 * math::uniform({seed, 0, what, std::uint64_t(k)}) - 1.0;
  }

  BuiltSensor build(std::uint64_t seed) const {
    Matrix mixed = Matrix::identity(n_bridges);
    for (int i = 0; i < n_bridges; i++)
      for (int k = 0; k < n_bridges; k++)
        mixed(i, k) += (i == k ? gain_spread : cross_talk_spread) * evenly(seed, 2, n_bridges * i + k);
    BuiltSensor built{mixed * sensor::four_beams(upper, beam), {}, {}, seed};
    for (int i = 0; i < n_bridges; i++) {
      sensor::Channel& c = built.channels[std::size_t(i)];
      c.offset = null_spread * evenly(seed, 3, i);
      c.play = hysteresis;  // half of the loop, of a range from -1 to 1
      c.noise = noise;
      c.lower = -1.0;
      c.upper = 1.0;
      c.count = sensor::count_of(-1.0, 1.0, bits);
    }
    return built;
  }

  // Direction by direction, from one side to the other.
  Matrix known_loads() const {
    Matrix loads(n_loads * weights, n_loads);
    for (int k = 0; k < n_loads; k++)
      for (int i = 0; i < weights; i++)
        loads(k * weights + i, k) = upper[std::size_t(k)] * largest_weight * (2.0 * i / (weights - 1) - 1.0);
    return loads;
  }

  Matrix read_all(const Matrix& loads, int times, BuiltSensor& built) const {
    Matrix mean(loads.rows, n_bridges);
    std::array<double, n_bridges> b{};
    for (int m = 0; m < loads.rows; m++)
      for (int r = 0; r < times; r++) {
        built.read({&loads.values[std::size_t(m * n_loads)], n_loads}, b);
        for (int i = 0; i < n_bridges; i++) mean(m, i) += b[std::size_t(i)] / times;
      }
    return mean;
  }

  Matrix random_loads(std::uint64_t seed) const {
    Matrix loads(checks, n_loads);
    for (int m = 0; m < checks; m++)
      for (int k = 0; k < n_loads; k++)
        loads(m, k) = upper[std::size_t(k)] * largest_check * evenly(seed, 4, m * n_loads + k);
    return loads;
  }

  // What 95 % of the errors do not exceed, load by load.
  static std::vector<double> errors(const Matrix& C, const Matrix& null, const Matrix& loads, const Matrix& readings) {
    std::vector<double> out;
    for (int k = 0; k < n_loads; k++) {
      std::vector<double> of_load;
      for (int m = 0; m < loads.rows; m++) {
        double w = 0.0;
        for (int i = 0; i < n_bridges; i++) w += C(k, i) * (readings(m, i) - null[i]);
        of_load.push_back(std::abs(w - loads(m, k)));
      }
      std::ranges::sort(of_load);
      out.push_back(of_load[std::size_t(std::ceil(0.95 * loads.rows)) - 1]);
    }
    return out;
  }

  std::vector<Measurement> measure(std::uint64_t seed) const override {
    BuiltSensor built = build(seed);
    const Matrix known = known_loads(), bridges = read_all(known, repeats, built);
    const sensor::Calibration found = sensor::calibrate(known, bridges);
    const Matrix loads = random_loads(seed), readings = read_all(loads, 1, built);
    const std::vector<double> after = errors(found.C, found.null, loads, readings);
    const Matrix ideal = sensor::calibration_of(sensor::four_beams(upper, beam));
    const std::vector<double> before = errors(ideal, Matrix(n_bridges, 1), loads, readings);
    std::vector<Measurement> out;
    for (std::size_t k = 0; k < n_loads; k++) {
      const std::string name = load_names[k];
      out.push_back({name + "_count", load_units[k], {sensor::count_of(-upper[k], upper[k], bits)}});
      out.push_back({name + "_error", load_units[k], {after[k]}, true});
      out.push_back({name + "_error_before", load_units[k], {before[k]}});
    }
    for (int i = 0; i < n_bridges; i++) {
      std::vector<double> of_weights;  // one direction after the other
      for (int m = 0; m < known.rows; m++) of_weights.push_back(bridges(m, i));
      out.push_back({fmt::format("bridge{}", i + 1), "1", of_weights});
    }
    out.push_back({"calibration", "N, N m", found.C.values});
    out.push_back({"null", "1", found.null.values});
    return out;
  }
};

}  // namespace

std::unique_ptr<Robot> make_force_sensor_bench() { return std::make_unique<ForceSensorBench>(); }

}  // namespace sinew::robots
