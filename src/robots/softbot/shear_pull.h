// The virtual shear bench: a pad is pulled along a sample until it slips, and the force at which it does is read from the
// records as in the laboratory (Tambornini 2020, section 4.2; docs/theory/softbot.md#shear-bench).
//   the motor raises F at a constant rate; the pad hangs on a compliance k_t: measured position L = x + F/k_t
//   stick until the pull reaches F_c, then  b dx/dt = pull - F_c (r + (1 - r) exp(-x/x_c)),  never backwards
//   at L = L_lim the lever stops: the pull is k_t (L_lim - x). Solids: that is the measured force, which has a peak.
//   Granulars: a rod takes the excess, the measured force goes on rising, and only the position has a knee
//   x of the pad [m]; F, F_c forces [N]; b viscous resistance [N s/m]; r share of F_c that is left after a slip of some x_c [1, m]
#pragma once
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "sinew/parts/law/electroadhesion.h"

namespace sinew::robots {

// What is the same for all samples of a kind; the thesis states none of it (docs/theory/softbot.md#errata, E25).
struct BenchRig {
  double stiffness, resistance, left, slip_length;  // k_t [N/m], b [N s/m], r [1], x_c [m]
};
struct Bench {
  BenchRig solid{2000.0, 5.0, 0.3, 1e-3}, granular{200.0, 20.0, 0.7, 1e-3};
  double solid_time = 20.0;         // in which the motor comes to the mean force of a solid [s]
  double granular_rate = 0.01;      // of the motor force on grains [N/s]
  double limit = 0.03;              // L_lim [m]
  double tare = 0.6 * 0.05 * 9.81;  // friction of a granular run without voltage [N]
  double lag = 0.815;               // from the slip to the sharpest bend of L, noise-free without voltage [s]
};

struct BenchSetup {
  BenchRig rig;
  double rate;  // of the motor force [N/s]
  double limit, tare, lag;
  bool granular;  // a rod takes the excess; the force has no peak
};

struct BenchNoise {
  double force = 2e-3, position = 20e-6;  // standard deviations [N, m]
};

inline constexpr double bench_sample = 0.005;     // between samples [s]
inline constexpr double range_of_six = 2.534413;  // expected range of six normal samples over their sigma

// Random numbers that are the same everywhere: the standard's generator, our own normal distribution.
class BenchDice {
 public:
  explicit BenchDice(std::uint64_t seed) : generator_(seed) {}
  double normal();

 private:
  std::mt19937_64 generator_;
};

struct PullRecord {
  std::vector<double> force, position;  // samples, the first at t = 0 [N, m]
};

// mean: to which the motor pulls solids in solid_time [N].
BenchSetup setup_of(const law::ElectroMaterial& m, double mean, const Bench& bench = {});
BenchSetup setup_of(const law::ElectroMaterial& m, const Bench& bench = {});  // at the mean of the table
double sigma_of(const law::ElectroMaterial& m);  // of failure forces, by their range in six tests [N]

// One pull of a pad that slips at F_c, until a second after the lever stops.
PullRecord pull(const BenchSetup& setup, double F_c, const BenchNoise& noise, BenchDice& dice);

// What the laboratory reads from it: the peak of the force; the force before the knee of the position, less the tare.
double peak_force(const PullRecord& record);
double knee_time(const BenchSetup& setup, const PullRecord& record);  // sharpest bend [s]
double knee_force(const BenchSetup& setup, const PullRecord& record);
double failure_force(const BenchSetup& setup, const PullRecord& record);

// Several pulls of one pad, whose own failure forces are normally distributed.
struct Pulls {
  double mean;     // [N]
  double scatter;  // times the sigma of the table
  int count;
};
// What the bench reads from them.
std::vector<double> batch(const law::ElectroMaterial& m, const Pulls& pulls, const BenchNoise& noise, BenchDice& dice,
                          const Bench& bench = {});

}  // namespace sinew::robots
