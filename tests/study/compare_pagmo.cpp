// CMA-ES and NSGA-II against those of pagmo (Biscani and Izzo, Journal of Open Source Software 5, 2338, 2020) on the usual functions: same boxes,
// same starts, same first step, same populations. A program of its own: pagmo's library aligns Eigen's matrices as processors without AVX want it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/utils/hypervolume.hpp>

#include "sinew/study/cmaes.h"
#include "sinew/study/nsga2.h"

namespace pagmo_test {
using namespace sinew::study;

using Point = std::vector<double>;
using Function = std::function<double(const Point&)>;
constexpr double side = 5.0;  // of the box, from its middle

// What a search has seen: after how many runs the target was met.
struct Count {
  double target = 0.0, best = INFINITY;
  int runs = 0, needed = -1;
  double look(double value) {
    runs++;
    best = std::min(best, value);
    if (needed < 0 && value <= target) needed = runs;
    return value;
  }
};

struct Problem {
  Function f;
  int n = 1;
  std::shared_ptr<Count> count;
  pagmo::vector_double fitness(const pagmo::vector_double& x) const { return {count->look(f(x))}; }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    return {pagmo::vector_double(std::size_t(n), -side), pagmo::vector_double(std::size_t(n), side)};
  }
};

struct Task {
  Function f;
  int n = 1, population = 4;
  unsigned seed = 1;
};
constexpr double target = 1e-8, first_step = 0.3;
constexpr unsigned generations = 3000;

// pagmo's search starts from the best point of a population that it draws: `start` takes it, so that ours starts there too.
Count by_pagmo(const Task& task, Point& start) {
  const auto count = std::make_shared<Count>(Count{.target = target});
  pagmo::population population(pagmo::problem{Problem{task.f, task.n, count}}, unsigned(task.population), task.seed);
  start = population.get_x()[population.best_idx()];
  pagmo::cmaes method(generations, -1, -1, -1, -1, first_step, 1e-13, 1e-13, false, false, task.seed);
  method.evolve(population);
  return *count;
}

Count by_sinew(const Task& task, const Point& start) {
  Count count{.target = target};
  for (int i = 0; i < task.population; i++) count.look(INFINITY);  // those that pagmo has drawn
  CmaesOptions options;
  options.n = task.n;
  options.population = task.population;
  options.sigma = first_step;
  options.seed = task.seed;
  options.tol_x = 1e-13;
  options.tol_fun = 1e-13;
  Point middle;
  for (const double x : start) middle.push_back((x + side) / (2.0 * side));
  Cmaes method(options, middle);
  while (method.ending().empty() && count.needed < 0 && method.generation() < int(generations)) {
    std::vector<Merit> merits;
    for (const Point& u : method.ask()) {
      Point x;
      for (const double v : u) x.push_back(2.0 * side * v - side);
      merits.push_back({0.0, count.look(task.f(x))});
    }
    method.tell(merits);
  }
  return count;
}

double weighted(const Point& x, const std::function<double(double)>& weight) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); i++) sum += weight(double(i) / double(x.size() - 1)) * x[i] * x[i];
  return sum;
}
double sphere(const Point& x) {
  return weighted(x, [](double) { return 1.0; });
}
double ellipsoid(const Point& x) {
  return weighted(x, [](double part) { return std::pow(1e6, part); });
}
double cigar(const Point& x) {
  return weighted(x, [](double part) { return part == 0.0 ? 1.0 : 1e6; });
}
double discus(const Point& x) {
  return weighted(x, [](double part) { return part == 0.0 ? 1e6 : 1.0; });
}
double rosenbrock(const Point& x) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < x.size(); i++)
    sum += 100.0 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1.0 - x[i], 2);
  return sum;
}
double rastrigin(const Point& x) {
  double sum = 10.0 * double(x.size());
  for (const double v : x) sum += v * v - 10.0 * std::cos(2.0 * M_PI * v);
  return sum;
}
double ackley(const Point& x) {
  const double n = double(x.size());
  double waves = 0.0;
  for (const double v : x) waves += std::cos(2.0 * M_PI * v);
  return 20.0 + M_E - 20.0 * std::exp(-0.2 * std::sqrt(sphere(x) / n)) - std::exp(waves / n);
}

struct Compared {
  double runs[2] = {0, 0};  // ours and pagmo's: the median of those that arrived
  int arrived[2] = {0, 0};
};

Compared compared(const Function& f, int n, int population, unsigned seeds) {
  std::array<std::vector<int>, 2> needed;
  for (unsigned seed = 1; seed <= seeds; seed++) {
    const Task task{f, n, population, seed};
    Point start;
    const Count theirs = by_pagmo(task, start), ours = by_sinew(task, start);
    if (ours.needed >= 0) needed[0].push_back(ours.needed);
    if (theirs.needed >= 0) needed[1].push_back(theirs.needed);
  }
  Compared out;
  for (std::size_t i = 0; i < 2; i++) {
    std::ranges::sort(needed[i]);
    out.arrived[i] = int(needed[i].size());
    out.runs[i] = needed[i].empty() ? INFINITY : needed[i][needed[i].size() / 2];
  }
  return out;
}

// Negative weights, which pagmo's has not, make the covariance learn sooner; nothing makes it learn later. The spread of a median of 15 is below 10 %.
TEST(Pagmo, cmaes_needs_no_more_runs_than_pagmos_on_valleys_of_every_form) {
  const std::pair<const char*, Function> functions[] = {
      {"sphere", sphere}, {"ellipsoid", ellipsoid}, {"cigar", cigar}, {"discus", discus}, {"rosenbrock", rosenbrock}};
  for (const auto& [name, f] : functions) {
    const Compared c = compared(f, 6, 12, 15);
    std::printf("%-10s runs: %6.0f, pagmo %6.0f; arrived: %d and %d of 15\n", name, c.runs[0], c.runs[1], c.arrived[0],
                c.arrived[1]);
    EXPECT_LE(c.runs[0], 1.1 * c.runs[1]) << name;
    EXPECT_GE(c.arrived[0], name == std::string("rosenbrock") ? 12 : 15) << name;
  }
}

TEST(Pagmo, cmaes_arrives_as_often_as_pagmos_among_local_minima) {
  const std::pair<const char*, Function> functions[] = {{"rastrigin", rastrigin}, {"ackley", ackley}};
  for (const auto& [name, f] : functions) {
    const Compared c = compared(f, 4, 100, 20);
    std::printf("%-10s runs: %6.0f, pagmo %6.0f; arrived: %d and %d of 20\n", name, c.runs[0], c.runs[1], c.arrived[0],
                c.arrived[1]);
    // Two counts of 20 with the same chance differ by less than 7 in 95 of 100 cases.
    EXPECT_GT(c.arrived[0], c.arrived[1] - 7) << name;
  }
}

// ZDT1 (Zitzler, Deb, Thiele, Evolutionary Computation 8, 2000) in [0, 1]^n: the front is f2 = 1 - sqrt(f1).
Point zdt1(const Point& x) {
  double sum = 0.0;
  for (std::size_t i = 1; i < x.size(); i++) sum += x[i];
  const double g = 1.0 + 9.0 * sum / double(x.size() - 1);
  return {x[0], g * (1.0 - std::sqrt(x[0] / g))};
}

struct Zdt1 {
  pagmo::vector_double fitness(const pagmo::vector_double& x) const { return zdt1(x); }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    return {pagmo::vector_double(8, 0.0), pagmo::vector_double(8, 1.0)};
  }
  pagmo::vector_double::size_type get_nobj() const { return 2; }
};

// The area that a front dominates, up to (2, 2): 10/3 at best... of ZDT1: 4 - (1/3) - 0 with the front in [0, 1].
double area(const std::vector<Point>& points) { return pagmo::hypervolume(points, true).compute({2.0, 2.0}); }

TEST(Pagmo, nsga2_finds_the_front_that_pagmos_finds) {
  constexpr unsigned population = 40, rounds = 150;
  double ours = 0.0, theirs = 0.0;
  for (unsigned seed = 1; seed <= 5; seed++) {
    Nsga2 method({.n = 8, .population = int(population), .seed = seed});
    for (unsigned i = 0; i <= rounds; i++) {
      std::vector<Judged> judged;
      for (const Point& u : method.ask()) judged.push_back({zdt1(u), 0.0});
      method.tell(judged);
    }
    std::vector<Point> found;
    for (const Point& u : method.points()) found.push_back(zdt1(u));
    ours += area(found) / 5.0;
    pagmo::population other(pagmo::problem{Zdt1{}}, population, seed);
    other = pagmo::nsga2(rounds, 0.9, 20.0, 1.0 / 8.0, 20.0, seed).evolve(other);
    theirs += area(other.get_f()) / 5.0;
  }
  std::printf("area: %.4f, pagmo %.4f, all of the front %.4f\n", ours, theirs, 4.0 - 1.0 / 3.0);
  EXPECT_GT(ours, theirs - 0.02);
  EXPECT_LT(ours, 4.0 - 1.0 / 3.0);
}

}  // namespace pagmo_test
