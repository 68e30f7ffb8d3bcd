#include "robots/softbot/shear_pull.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/elementary.h"

namespace sinew::robots {
namespace {

constexpr double inner_step = 0.001;  // [s]
constexpr int window = 50;            // samples in a quarter of a second

// Centred mean over a quarter of a second; less at the ends, which nobody looks at.
std::vector<double> smooth(const std::vector<double>& x) {
  const int n = int(x.size());
  std::vector<double> sum(n + 1, 0.0), out(n);
  for (int i = 0; i < n; i++) sum[i + 1] = sum[i] + x[i];
  for (int i = 0; i < n; i++) {
    const int first = std::max(0, i - window / 2), last = std::min(n, i + window / 2 + 1);
    out[i] = (sum[last] - sum[first]) / (last - first);
  }
  return out;
}

int knee_sample(const BenchSetup& setup, const PullRecord& record) {
  const std::vector<double> L = smooth(smooth(smooth(record.position)));
  const int first = 3 * window;  // what the ends of the means spoil
  int best = first;
  double most = -1.0;
  for (int i = first; i + window < int(L.size()) && L[i] < 0.9 * setup.limit; i++) {
    const double bend = L[i + window] - 2.0 * L[i] + L[i - window];
    if (bend > most) {
      most = bend;
      best = i;
    }
  }
  return best;
}

}  // namespace

// Box and Muller's, one of the two numbers: the other would make pulls depend on how many came before.
double BenchDice::normal() {
  const auto unit = [this] { return (double(generator_() >> 11) + 0.5) * 0x1p-53; };
  const double radius = std::sqrt(-2.0 * math::log(unit()));
  return radius * math::cos(2.0 * std::numbers::pi * unit());
}

BenchSetup setup_of(const law::ElectroMaterial& m, const Bench& b) { return setup_of(m, m.mean, b); }

BenchSetup setup_of(const law::ElectroMaterial& m, double mean, const Bench& b) {
  if (m.kind == law::SurfaceClass::Granular) return {b.granular, b.granular_rate, b.limit, b.tare, b.lag, true};
  return {b.solid, mean / b.solid_time, b.limit, 0.0, 0.0, false};
}

double sigma_of(const law::ElectroMaterial& m) { return (m.high - m.low_used) / range_of_six; }

PullRecord pull(const BenchSetup& setup, double F_c, const BenchNoise& noise, BenchDice& dice) {
  const BenchRig& s = setup.rig;
  PullRecord out;
  constexpr int per_sample = 5, after_stop = 1000;
  constexpr int longest = 600000;  // ten minutes: nothing holds that long
  double x = 0.0;
  bool slips = false;
  for (int k = 0, stopped = 0; k < longest && stopped < after_stop; k++) {
    const double F = setup.rate * k * inner_step;
    const bool stop = stopped > 0 || x + F / s.stiffness >= setup.limit;
    stopped += stop;
    const double tension = stop ? s.stiffness * (setup.limit - x) : F;
    if (k % per_sample == 0) {
      out.force.push_back((stop && !setup.granular ? tension : F) + noise.force * dice.normal());
      out.position.push_back((stop ? setup.limit : x + F / s.stiffness) + noise.position * dice.normal());
    }
    slips = slips || tension >= F_c;
    const double resists = F_c * (s.left + (1.0 - s.left) * math::exp(-x / s.slip_length));
    if (slips) x += std::max(0.0, tension - resists) / s.resistance * inner_step;
  }
  return out;
}

double peak_force(const PullRecord& record) { return *std::ranges::max_element(record.force); }

double knee_time(const BenchSetup& setup, const PullRecord& record) {
  return knee_sample(setup, record) * bench_sample;
}

double knee_force(const BenchSetup& setup, const PullRecord& record) {
  const int slip = knee_sample(setup, record) - int(std::lround(setup.lag / bench_sample));
  const int first = std::max(0, slip - window), last = std::min(int(record.force.size()), slip + window + 1);
  double sum = 0.0;
  for (int i = first; i < last; i++) sum += record.force[i];
  return sum / std::max(1, last - first) - setup.tare;
}

double failure_force(const BenchSetup& setup, const PullRecord& record) {
  return setup.granular ? knee_force(setup, record) : peak_force(record);
}

std::vector<double> batch(const law::ElectroMaterial& m, const Pulls& pulls, const BenchNoise& noise, BenchDice& dice,
                          const Bench& bench) {
  const BenchSetup setup = setup_of(m, pulls.mean, bench);
  std::vector<double> forces;
  for (int i = 0; i < pulls.count; i++) {
    const double shear = pulls.mean + pulls.scatter * sigma_of(m) * dice.normal();
    const double F_c = std::max(0.0, shear + setup.tare);
    if (setup.rate <= 0.0) {  // nothing holds and the motor need not pull: the instrument's noise is all that is read
      forces.push_back(noise.force * dice.normal());
      continue;
    }
    forces.push_back(failure_force(setup, pull(setup, F_c, noise, dice)));
  }
  return forces;
}

}  // namespace sinew::robots
