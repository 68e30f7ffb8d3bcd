// NSGA-II (Deb, Pratap, Agarwal, Meyarivan, IEEE Transactions on Evolutionary Computation 6, 2002), to be asked and told: several aims, all to be
// made small, in the unit cube. Simulated binary crossover and polynomial mutation with the paper's exponents; conditions come first, as in its
// section VI. Random numbers are counted: the same search on every machine.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::study {

struct Judged {
  std::vector<double> aims;  // less is better
  double missed = 0.0;       // sum of what its conditions are missed by; infinite: the run is of no use
};

bool dominates(const Judged& a, const Judged& b);

// Of each point the front it is in: 0: nothing dominates it.
std::vector<int> fronts_of(std::span<const Judged> points);

struct Nsga2Options {
  int n = 1;
  int population = 40;  // even
  std::uint64_t seed = 0;
  double crossover = 0.9, crossover_exponent = 20.0, mutation_exponent = 20.0;
};

class Nsga2 {
 public:
  explicit Nsga2(const Nsga2Options& options);
  std::vector<std::vector<double>> ask();
  void tell(std::span<const Judged> judged);                                  // of what was asked for last
  const std::vector<std::vector<double>>& points() const { return points_; }  // the best half of parents and children

 private:
  double draw();
  std::size_t tournament();
  void cross(std::vector<double>& a, std::vector<double>& b);
  void mutate(std::vector<double>& x);

  Nsga2Options options_;
  std::vector<std::vector<double>> points_, asked_;
  std::vector<Judged> judged_;
  std::vector<int> rank_;
  std::vector<double> crowding_;
  std::uint64_t drawn_ = 0;
};

}  // namespace sinew::study
