// The shear bench (docs/theory/softbot.md#shear-bench). What is known of a pull is a law of first order without masses, so
// the pulls are no motion of bodies: shear_pull.h computes them, and they are what the bench measures.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "robots/catalog.h"
#include "robots/softbot/shear_pull.h"
#include "sinew/math/elementary.h"

namespace sinew::robots {
namespace {

struct ShearBench : Robot {
  law::ElectroPad pad;
  double area = law::reference_area, extra_gap = 0.0, cohesion = 0.2, bed = 25.0;
  int batches = 12, pulls = 6;
  BenchNoise noise;
  Bench bench;

  void describe(Keys& keys) override {
    keys.integer({"batches", "", "of pulls, for each material", {.low = 1, .high = 100000}}, batches);
    keys.integer({"pulls", "", "in a batch", {.low = 2, .high = 1000}}, pulls);
    keys.number({"pad_voltage", "V", "between neighbouring electrodes", not_negative}, pad.voltage);
    keys.number({"pad_area", "m^2", "of the pad", positive}, area);
    keys.number({"pad_film", "m", "thickness of the film over the electrodes", positive}, pad.film_thickness);
    keys.number({"pad_permittivity", "1", "of that film, relative", {.low = 1.0}}, pad.film_permittivity);
    keys.number({"pad_electrodes", "1", "share of the area that is electrode", {.low = 0.0, .high = 1.0}},
                pad.electrode_fraction);
    keys.number({"extra_gap", "m", "between pad and sample, as of a layer of grains", not_negative}, extra_gap);
    keys.number({"noise_force", "N", "standard deviation of the measured force", not_negative}, noise.force);
    keys.number({"noise_position", "m", "of the measured position", not_negative}, noise.position);
    describe_bench(keys);
    keys.number({"pad_cohesion", "Pa", "for bed_voltage: pressure without voltage", not_negative}, cohesion);
    keys.number({"pad_bed", "Pa", "for bed_voltage: what the bed of regolith holds", positive}, bed);
  }

  static void describe_rig(Keys& keys, const std::string& prefix, const std::string& of, BenchRig& rig) {
    const auto add = [&](const char* name, const char* unit, const char* what, const Range& range, double& value) {
      const std::string key = prefix + name, doc = of + what;
      keys.number({key, unit, doc, range}, value);
    };
    add("k_t", "N/m", "stiffness of the string", positive, rig.stiffness);
    add("b", "N s/m", "viscous resistance of a slipping pad", positive, rig.resistance);
    add("r", "1", "share of the slip force that is left after the slip", {.low = 0.0, .high = 1.0}, rig.left);
    add("x_c", "m", "way in which most of the rest is lost", positive, rig.slip_length);
  }

  void describe_bench(Keys& keys) {
    keys.number({"ramp_time", "s", "solids: in which the motor comes to the mean force", positive}, bench.solid_time);
    keys.number({"ramp_rate", "N/s", "granulars: of the motor force", positive}, bench.granular_rate);
    describe_rig(keys, "solid_", "solids: ", bench.solid);
    describe_rig(keys, "granular_", "granulars: ", bench.granular);
    keys.number({"lever_limit", "m", "position at which the lever stops", positive}, bench.limit);
    keys.number({"tare_force", "N", "granulars: friction without voltage", not_negative}, bench.tare);
    keys.number({"knee_lag", "s", "granulars: from the slip to the sharpest bend", not_negative}, bench.lag);
  }

  bool is_bench() const override { return true; }
  Plan plan() const override { return {}; }

  double pressure(const law::ElectroMaterial& m) const {
    return law::electro_pressure(pad, law::surface_of(m), extra_gap);
  }

  // What was measured, and what another pad, voltage or gap changes of it. The normal force changes by a factor, and with it the mean
  // and its scatter, that of the pad's hold. A mean below zero is scatter of the friction that was taken off, and no force to scale.
  double factor_of(const law::ElectroMaterial& m) const {
    return pressure(m) * area / (law::electro_pressure({}, law::surface_of(m)) * law::reference_area);
  }
  double mean_of(const law::ElectroMaterial& m) const {
    if (m.mean > 0.0) return m.mean * factor_of(m);
    const double reference = law::electro_pressure({}, law::surface_of(m)) * law::reference_area;
    return m.mean + m.friction * reference * (factor_of(m) - 1.0);
  }

  void measure_material(const law::ElectroMaterial& m, BenchDice& dice, std::vector<Measurement>& out) const {
    std::vector<double> all, lows, highs, first;
    for (int b = 0; b < batches; b++) {
      const std::vector<double> f = batch(m, {mean_of(m), factor_of(m), pulls}, noise, dice, bench);
      if (b == 0) first = f;
      all.insert(all.end(), f.begin(), f.end());
      lows.push_back(*std::ranges::min_element(f));
      highs.push_back(*std::ranges::max_element(f));
    }
    const auto mean = [](const std::vector<double>& x) {
      return std::accumulate(x.begin(), x.end(), 0.0) / double(x.size());
    };
    const double centre = mean(all);
    double squares = 0.0;
    for (const double f : all) squares += (f - centre) * (f - centre);
    const std::string name(m.name);
    out.push_back({name + "_mean", "N", {centre}, true});
    out.push_back({name + "_min", "N", {mean(lows)}});
    out.push_back({name + "_max", "N", {mean(highs)}});
    out.push_back({name + "_range", "N", {mean(highs) - mean(lows)}});
    out.push_back({name + "_std", "N", {std::sqrt(squares / double(all.size() - 1))}});
    out.push_back({name + "_forces", "N", first});
    out.push_back({name + "_pressure", "Pa", {pressure(m)}});
    describe_material(m, out);
  }

  // What is known of a material before any pull: its calibration, and batches of six as the normal distribution has them.
  void describe_material(const law::ElectroMaterial& m, std::vector<Measurement>& out) const {
    const std::string name(m.name);
    const double sigma = sigma_of(m), reach = 0.5 * range_of_six * sigma;
    const auto above = [&](double f) { return 0.5 * math::erfc((f - m.mean) / (sigma * std::sqrt(2.0))); };
    out.push_back({name + "_table", "N", {m.low, m.mean, m.high}});
    out.push_back({name + "_sigma", "N", {sigma}});
    out.push_back({name + "_chi", "1", {law::surface_of(m).conformity}});
    out.push_back({name + "_E_min6", "N", {m.mean - reach}});
    out.push_back({name + "_E_max6", "N", {m.mean + reach}});
    // that the least and the largest of six are at least the printed ones
    out.push_back({name + "_pvals", "1", {math::pow(above(m.low), 6), 1.0 - math::pow(1.0 - above(m.high), 6)}});
  }

  // Of records without noise, at the printed forces: the largest errors.
  void measure_detectors(std::vector<Measurement>& out) const {
    BenchDice dice(0);
    const BenchNoise quiet{0.0, 0.0};
    double knee = 0.0, peak = 0.0;
    for (const law::ElectroMaterial& m : law::electro_materials) {
      const BenchSetup setup = setup_of(m, bench);
      for (const double shear : {m.low, m.mean, m.high}) {
        const double F_c = shear + setup.tare;
        double& worst = setup.granular ? knee : peak;
        worst = std::max(worst, std::abs(failure_force(setup, pull(setup, F_c, quiet, dice)) - shear));
      }
    }
    const BenchSetup granular = setup_of(law::electro_materials[0], bench);
    out.push_back({"tare", "N", {bench.tare}});
    out.push_back({"lag_s", "s", {bench.lag}});
    out.push_back({"knee_error", "N", {knee}});
    out.push_back({"peak_error", "N", {peak}});
    out.push_back({"knee_time", "s", {knee_time(granular, pull(granular, bench.tare, quiet, dice))}});
  }

  std::vector<Measurement> measure(std::uint64_t seed) const override {
    BenchDice dice(seed);
    std::vector<Measurement> out;
    for (const law::ElectroMaterial& m : law::electro_materials) measure_material(m, dice, out);
    measure_detectors(out);
    const auto* regolith = std::ranges::find(law::electro_materials, "regolith", &law::ElectroMaterial::name);
    const double p = pressure(*regolith);
    out.push_back({"bed_voltage", "V", {p > 0.0 ? pad.voltage * std::sqrt(std::max(0.0, bed - cohesion) / p) : 0.0}});
    return out;
  }
};

}  // namespace

std::unique_ptr<Robot> make_shear_bench() { return std::make_unique<ShearBench>(); }

}  // namespace sinew::robots
