#include "sinew/study/nsga2.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/math/check.h"
#include "sinew/math/counter_random.h"
#include "sinew/math/elementary.h"

namespace sinew::study {
namespace {

constexpr std::uint32_t of_generations = 0xffff0011u;

// Of the points of one front: the sides of the box up to its neighbours.
void add_crowding(std::span<const Judged> judged, std::vector<std::size_t> front, std::vector<double>& crowding) {
  const std::size_t aims = judged[front[0]].aims.size();
  for (const std::size_t i : front) crowding[i] = 0.0;
  for (std::size_t a = 0; a < aims; a++) {
    std::ranges::stable_sort(front, {}, [&](std::size_t i) { return judged[i].aims[a]; });
    const double low = judged[front.front()].aims[a], high = judged[front.back()].aims[a];
    crowding[front.front()] = crowding[front.back()] = std::numeric_limits<double>::infinity();
    if (!(high > low)) continue;
    for (std::size_t k = 1; k + 1 < front.size(); k++)
      crowding[front[k]] += (judged[front[k + 1]].aims[a] - judged[front[k - 1]].aims[a]) / (high - low);
  }
}

}  // namespace

bool dominates(const Judged& a, const Judged& b) {
  if (a.missed != b.missed) return a.missed < b.missed;
  bool better = false;
  for (std::size_t i = 0; i < a.aims.size(); i++) {
    if (!(a.aims[i] <= b.aims[i])) return false;
    better = better || a.aims[i] < b.aims[i];
  }
  return better;
}

std::vector<int> fronts_of(std::span<const Judged> points) {
  const std::size_t n = points.size();
  std::vector<int> front(n, -1), above(n, 0);
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t k = 0; k < n; k++)
      if (dominates(points[k], points[i])) above[i]++;
  std::size_t found = 0;
  for (int f = 0; found < n; f++) {
    std::vector<std::size_t> now;
    for (std::size_t i = 0; i < n; i++)
      if (front[i] < 0 && above[i] == 0) now.push_back(i);
    for (const std::size_t i : now) {
      front[i] = f;
      for (std::size_t k = 0; k < n; k++)
        if (dominates(points[i], points[k])) above[k]--;
    }
    found += now.size();
    if (now.empty()) break;  // numbers that cannot be compared
  }
  std::ranges::replace(front, -1, int(n));
  return front;
}

Nsga2::Nsga2(const Nsga2Options& options) : options_(options) {
  SINEW_CHECK(options.n >= 1 && options.population >= 4 && options.population % 2 == 0, "Nsga2: ", options.n,
              " keys, a population of ", options.population);
}

double Nsga2::draw() { return math::uniform({options_.seed, 0, of_generations, drawn_++}); }

std::size_t Nsga2::tournament() {
  const auto one = std::size_t(draw() * double(points_.size())), two = std::size_t(draw() * double(points_.size()));
  if (rank_[one] != rank_[two]) return rank_[one] < rank_[two] ? one : two;
  return crowding_[one] >= crowding_[two] ? one : two;
}

void Nsga2::cross(std::vector<double>& a, std::vector<double>& b) {
  if (draw() > options_.crossover) return;
  for (std::size_t i = 0; i < a.size(); i++) {
    if (draw() > 0.5) continue;
    const double u = draw(), power = 1.0 / (options_.crossover_exponent + 1.0);
    const double beta = u <= 0.5 ? math::pow(2.0 * u, power) : math::pow(1.0 / (2.0 * (1.0 - u)), power);
    const double x = a[i], y = b[i];
    a[i] = std::clamp(0.5 * ((1.0 + beta) * x + (1.0 - beta) * y), 0.0, 1.0);
    b[i] = std::clamp(0.5 * ((1.0 - beta) * x + (1.0 + beta) * y), 0.0, 1.0);
  }
}

void Nsga2::mutate(std::vector<double>& x) {
  for (double& value : x) {
    if (draw() > 1.0 / double(x.size())) continue;
    const double u = draw(), power = 1.0 / (options_.mutation_exponent + 1.0);
    const double step = u < 0.5 ? math::pow(2.0 * u, power) - 1.0 : 1.0 - math::pow(2.0 * (1.0 - u), power);
    value = std::clamp(value + step, 0.0, 1.0);
  }
}

std::vector<std::vector<double>> Nsga2::ask() {
  asked_.clear();
  const auto n = std::size_t(options_.n);
  while (int(asked_.size()) < options_.population) {
    if (points_.empty()) {
      std::vector<double> x(n);
      for (double& value : x) value = draw();
      asked_.push_back(std::move(x));
      continue;
    }
    std::vector<double> a = points_[tournament()], b = points_[tournament()];
    cross(a, b);
    mutate(a);
    mutate(b);
    asked_.push_back(std::move(a));
    asked_.push_back(std::move(b));
  }
  return asked_;
}

// Parents and children together; the best half stays.
void Nsga2::tell(std::span<const Judged> judged) {
  SINEW_CHECK(judged.size() == asked_.size(), "Nsga2: told of ", judged.size(), " points, asked for ", asked_.size());
  points_.insert(points_.end(), asked_.begin(), asked_.end());
  judged_.insert(judged_.end(), judged.begin(), judged.end());
  const std::vector<int> front = fronts_of(judged_);
  std::vector<double> crowding(points_.size(), 0.0);
  for (int f = 0; f <= *std::ranges::max_element(front); f++) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < front.size(); i++)
      if (front[i] == f) members.push_back(i);
    if (!members.empty()) add_crowding(judged_, members, crowding);
  }
  std::vector<std::size_t> order(points_.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return front[a] != front[b] ? front[a] < front[b] : crowding[a] > crowding[b];
  });
  order.resize(std::min(order.size(), std::size_t(options_.population)));
  std::vector<std::vector<double>> points;
  std::vector<Judged> kept;
  rank_.clear();
  crowding_.clear();
  for (const std::size_t i : order) {
    points.push_back(points_[i]);
    kept.push_back(judged_[i]);
    rank_.push_back(front[i]);
    crowding_.push_back(crowding[i]);
  }
  points_ = std::move(points);
  judged_ = std::move(kept);
}

}  // namespace sinew::study
