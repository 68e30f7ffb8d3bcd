#include "sinew/study/cmaes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/math/check.h"
#include "sinew/math/counter_random.h"
#include "sinew/math/eigenvalues.h"
#include "sinew/math/elementary.h"

namespace sinew::study {
namespace {

constexpr std::uint32_t of_search = 0xffff0010u;

double length_of(const std::vector<double>& v) {
  double sum = 0.0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

std::vector<int> ranked(std::span<const Merit> merits) {
  std::vector<int> order(merits.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) { return merits[std::size_t(a)] < merits[std::size_t(b)]; });
  return order;
}

}  // namespace

int population_for(int n) {
  const int usual = 4 + int(3.0 * math::log(double(n)));
  return (usual + 3) / 4 * 4;
}

double reflected(double x) {
  const double in_two = x - 2.0 * std::floor(0.5 * x);
  return in_two > 1.0 ? 2.0 - in_two : in_two;
}

Cmaes::Cmaes(const CmaesOptions& options, std::vector<double> start)
    : options_(options),
      n_(options.n),
      lambda_(options.population > 0 ? options.population : population_for(options.n)),
      sigma_(options.sigma),
      mean_(std::move(start)) {
  SINEW_CHECK(n_ >= 1 && int(mean_.size()) == n_, "Cmaes: a start of ", mean_.size(), " numbers for ", n_, " keys");
  SINEW_CHECK(lambda_ >= 4, "Cmaes: a population of ", lambda_);
  const auto n = std::size_t(n_);
  p_sigma_.assign(n, 0.0);
  p_c_.assign(n, 0.0);
  d_.assign(n, 1.0);
  c_ = Matrix::identity(n_);
  b_ = Matrix::identity(n_);
  set_weights();
}

// Eqs. (49) to (58).
void Cmaes::set_weights() {
  const double n = n_, half = 0.5 * (lambda_ + 1);
  mu_ = lambda_ / 2;
  weights_.resize(std::size_t(lambda_));
  double sum = 0.0, squares = 0.0, sum_below = 0.0, squares_below = 0.0;
  for (int i = 0; i < lambda_; i++) {
    const double w = math::log(half) - math::log(double(i + 1));
    weights_[std::size_t(i)] = w;
    (i < mu_ ? sum : sum_below) += w;
    (i < mu_ ? squares : squares_below) += w * w;
  }
  mu_eff_ = sum * sum / squares;
  const double mu_eff_below = squares_below > 0.0 ? sum_below * sum_below / squares_below : 0.0;
  c_c_ = (4.0 + mu_eff_ / n) / (n + 4.0 + 2.0 * mu_eff_ / n);
  c_1_ = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff_);
  c_mu_ = std::min(1.0 - c_1_, 2.0 * (0.25 + mu_eff_ + 1.0 / mu_eff_ - 2.0) / ((n + 2.0) * (n + 2.0) + mu_eff_));
  c_sigma_ = (mu_eff_ + 2.0) / (n + mu_eff_ + 5.0);
  d_sigma_ = 1.0 + 2.0 * std::max(0.0, std::sqrt((mu_eff_ - 1.0) / (n + 1.0)) - 1.0) + c_sigma_;
  chi_ = std::sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
  const double alpha =
      std::min({1.0 + c_1_ / c_mu_, 1.0 + 2.0 * mu_eff_below / (mu_eff_ + 2.0), (1.0 - c_1_ - c_mu_) / (n * c_mu_)});
  for (double& w : weights_) w = w >= 0.0 ? w / sum : w * alpha / -sum_below;
}

std::vector<std::vector<double>> Cmaes::ask() {
  const auto n = std::size_t(n_);
  asked_.assign(std::size_t(lambda_), std::vector<double>(n));
  std::vector<std::vector<double>> out = asked_;
  std::vector<double> z(n);
  for (std::size_t k = 0; k < asked_.size(); k++) {
    for (std::size_t i = 0; i < n; i++)
      z[i] = d_[i] * math::normal({options_.seed, options_.restart, of_search, drawn_++});
    for (std::size_t i = 0; i < n; i++) {
      double x = mean_[i];
      for (std::size_t j = 0; j < n; j++) x += sigma_ * b_(int(i), int(j)) * z[j];
      asked_[k][i] = x;
      out[k][i] = reflected(x);
    }
  }
  return out;
}

void Cmaes::tell(std::span<const Merit> merits) {
  SINEW_CHECK(merits.size() == asked_.size(), "Cmaes: told of ", merits.size(), " points, asked for ", asked_.size());
  const std::vector<int> order = ranked(merits);
  const auto n = std::size_t(n_);
  std::vector<std::vector<double>> y(order.size(), std::vector<double>(n));
  for (std::size_t k = 0; k < order.size(); k++)
    for (std::size_t i = 0; i < n; i++) y[k][i] = (asked_[std::size_t(order[k])][i] - mean_[i]) / sigma_;
  adapt(y);
  generation_++;
  decompose();
  look_for_end(merits, order);
}

// y: best first.
void Cmaes::adapt(const std::vector<std::vector<double>>& y) {
  const auto n = std::size_t(n_);
  std::vector<double> step(n, 0.0), whitened(n, 0.0);
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t k = 0; k < std::size_t(mu_); k++) step[i] += weights_[k] * y[k][i];
  for (std::size_t i = 0; i < n; i++) mean_[i] += sigma_ * step[i];
  // C^(-1/2) v = B D^-1 B' v
  const auto whiten = [&](const std::vector<double>& v) {
    std::vector<double> out(n, 0.0);
    for (std::size_t j = 0; j < n; j++) {
      double along = 0.0;
      for (std::size_t i = 0; i < n; i++) along += b_(int(i), int(j)) * v[i];
      for (std::size_t i = 0; i < n; i++) out[i] += b_(int(i), int(j)) * along / d_[j];
    }
    return out;
  };
  whitened = whiten(step);
  for (std::size_t i = 0; i < n; i++)
    p_sigma_[i] = (1.0 - c_sigma_) * p_sigma_[i] + std::sqrt(c_sigma_ * (2.0 - c_sigma_) * mu_eff_) * whitened[i];
  const double length = length_of(p_sigma_);
  const double faded = 1.0 - math::pow(1.0 - c_sigma_, 2.0 * (generation_ + 1));
  const double h = length / std::sqrt(faded) < (1.4 + 2.0 / (n_ + 1.0)) * chi_ ? 1.0 : 0.0;
  for (std::size_t i = 0; i < n; i++)
    p_c_[i] = (1.0 - c_c_) * p_c_[i] + h * std::sqrt(c_c_ * (2.0 - c_c_) * mu_eff_) * step[i];
  double sum = 0.0;
  std::vector<double> weights = weights_;
  for (std::size_t k = 0; k < weights.size(); k++) {
    sum += weights_[k];
    if (weights[k] >= 0.0) continue;
    const double far = length_of(whiten(y[k]));  // eq. (46): long steps that were bad count no more than others
    weights[k] *= n_ / (far * far + 1e-300);
  }
  const double keep = 1.0 + c_1_ * (1.0 - h) * c_c_ * (2.0 - c_c_) - c_1_ - c_mu_ * sum;
  for (int i = 0; i < n_; i++) {
    for (int j = 0; j <= i; j++) {
      double c = keep * c_(i, j) + c_1_ * p_c_[std::size_t(i)] * p_c_[std::size_t(j)];
      for (std::size_t k = 0; k < y.size(); k++) c += c_mu_ * weights[k] * y[k][std::size_t(i)] * y[k][std::size_t(j)];
      c_(i, j) = c_(j, i) = c;
    }
  }
  sigma_ *= math::exp(std::min(1.0, c_sigma_ / d_sigma_ * (length / chi_ - 1.0)));
}

void Cmaes::decompose() {
  const Modes modes = symmetric_modes(c_);
  b_ = modes.vectors;
  for (std::size_t i = 0; i < d_.size(); i++) d_[i] = std::sqrt(std::max(modes.values[i], 1e-300));
}

void Cmaes::look_for_end(std::span<const Merit> merits, std::span<const int> order) {
  const Merit& best = merits[std::size_t(order.front())];
  const Merit& last = merits[std::size_t(order.back())];
  best_values_.push_back(best.missed == 0.0 ? best.value : INFINITY);
  double wide = 0.0;
  for (int i = 0; i < n_; i++)
    wide = std::max({wide, std::abs(p_c_[std::size_t(i)]), std::sqrt(std::max(c_(i, i), 0.0))});
  const auto window = std::size_t(10 + 30 * n_ / lambda_);
  const auto [low, high] = std::ranges::minmax(d_);
  if (!std::isfinite(sigma_) || !(high < INFINITY)) {
    ending_ = "it diverged";
  } else if (sigma_ * wide < options_.tol_x) {
    ending_ = fmt::format("points are closer than {:g} of the ranges", options_.tol_x);
  } else if (high > 1e7 * low) {
    ending_ = "the directions differ by more than 1e7";
  } else if (best_values_.size() >= window && last.missed == 0.0) {
    const auto recent = std::span(best_values_).last(window);
    const auto [a, b] = std::ranges::minmax(recent);
    const double spread = std::max(b, last.value) - std::min(a, best.value);
    if (spread <= options_.tol_fun * std::max(1e-30, std::abs(best.value)) || spread == 0.0)
      ending_ = fmt::format("values differ by less than {:g}", options_.tol_fun);
  }
}

double rank_change(std::span<const Merit> first, std::span<const Merit> second) {
  SINEW_CHECK(first.size() == second.size() && first.size() > 1, "rank_change: ", first.size(), " and ", second.size());
  std::vector<Merit> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  const std::vector<int> order = ranked(all);
  std::vector<double> rank(all.size());
  for (std::size_t i = 0; i < order.size(); i++) rank[std::size_t(order[i])] = double(i);
  double sum = 0.0;
  for (std::size_t i = 0; i < first.size(); i++) sum += std::abs(rank[i] - rank[i + first.size()]) - 1.0;
  // Where chance alone decides, two of N places differ by (N + 1) / 3 on average.
  return 3.0 * sum / (double(first.size()) * (double(all.size()) - 2.0)) - 0.3;
}

}  // namespace sinew::study
