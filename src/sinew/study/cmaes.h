// CMA-ES: covariance matrix adaptation (Hansen, The CMA evolution strategy: a tutorial, arXiv 1604.00772, 2016), to be asked and told.
//   x_k = m + sigma B D z_k,  z_k ~ N(0, 1)                 population
//   m <- sum w_i x_i:lambda                                 eq. (41), weights w of eqs. (49) to (53), negative ones included
//   p_sigma, sigma                                          eqs. (43), (44)
//   p_c, C <- (1 + ...) C + c_1 p_c p_c' + c_mu sum w y y'  eqs. (45) to (47)
// The search goes on in the unit cube, each side a key's range. Beyond a side it is reflected: what is told belongs to the reflected point.
// Random numbers are counted (seed, restart, number): the same search on every machine.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/math/matrix.h"
#include "sinew/study/merit.h"

namespace sinew::study {

struct CmaesOptions {
  int n = 1;
  int population = 0;  // 0: that of population_for(n)
  double sigma = 0.3;  // at the start, of the cube's side
  std::uint64_t seed = 0;
  std::uint32_t restart = 0;
  double tol_x = 1e-6;     // of the cube's side
  double tol_fun = 1e-10;  // of the values' magnitude
};

// 4 + floor(3 log n), up to the next multiple of four: as many share a register.
int population_for(int n);

class Cmaes {
 public:
  // start: in the unit cube. Throws CallError if sizes do not fit.
  Cmaes(const CmaesOptions& options, std::vector<double> start);

  std::vector<std::vector<double>> ask();  // in the unit cube
  void tell(std::span<const Merit> merits);

  int population() const { return lambda_; }
  int generation() const { return generation_; }
  double sigma() const { return sigma_; }
  const std::vector<double>& mean() const { return mean_; }  // not reflected
  // Why it has come to its end; empty: it has not.
  const std::string& ending() const { return ending_; }
  void widen(double factor) { sigma_ *= factor; }  // noise hides what is better

 private:
  void set_weights();
  void decompose();
  void adapt(const std::vector<std::vector<double>>& y);
  void look_for_end(std::span<const Merit> merits, std::span<const int> order);

  CmaesOptions options_;
  int n_, lambda_, mu_ = 0, generation_ = 0;
  std::vector<double> weights_;
  double mu_eff_ = 0.0, c_sigma_ = 0.0, d_sigma_ = 0.0, c_c_ = 0.0, c_1_ = 0.0, c_mu_ = 0.0, chi_ = 0.0;
  double sigma_;
  std::vector<double> mean_, p_sigma_, p_c_, d_;
  Matrix c_, b_;
  std::vector<std::vector<double>> asked_;  // not reflected
  std::vector<double> best_values_;         // of each generation
  std::uint64_t drawn_ = 0;
  std::string ending_;
};

// Into [0, 1], mirrored at both sides.
double reflected(double x);

// Noise, after Hansen, Niederberger, Guzzella, Koumoutsakos, IEEE Transactions on Evolutionary Computation 13, 2009: by how much the ranks of
// two points or more change when they are run again, as a part of what chance alone would do, less 0.3. Above 0: noise decides too much.
double rank_change(std::span<const Merit> first, std::span<const Merit> second);

}  // namespace sinew::study
