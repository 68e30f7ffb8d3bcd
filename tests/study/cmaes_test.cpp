#include "sinew/study/cmaes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sinew/study/bobyqa.h"
#include "sinew/study/nsga2.h"

namespace cmaes_test {
using namespace sinew::study;

using Function = std::function<double(const std::vector<double>&)>;

struct Found {
  std::vector<double> at;
  double value = INFINITY;
  int runs = 0;
};

// f over [-5, 5]^n until it is below `target`, or the search ends.
Found search(const Function& f, int n, std::uint64_t seed, double target, int population = 0) {
  CmaesOptions options;
  options.n = n;
  options.seed = seed;
  options.population = population;
  options.tol_x = 1e-12;
  Cmaes cmaes(options, std::vector<double>(std::size_t(n), 0.8));
  Found found;
  while (cmaes.ending().empty() && found.value > target && found.runs < 200000) {
    std::vector<Merit> merits;
    for (const auto& u : cmaes.ask()) {
      std::vector<double> x;
      for (const double v : u) x.push_back(10.0 * v - 5.0);
      merits.push_back({0.0, f(x)});
      found.runs++;
      if (merits.back().value < found.value) {
        found.value = merits.back().value;
        found.at = x;
      }
    }
    cmaes.tell(merits);
  }
  return found;
}

double sphere(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double v : x) sum += (v - 1.0) * (v - 1.0);
  return sum;
}
double ellipsoid(const std::vector<double>& x) {  // condition 1e6
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); i++) sum += std::pow(1e6, double(i) / double(x.size() - 1)) * x[i] * x[i];
  return sum;
}
double rosenbrock(const std::vector<double>& x) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < x.size(); i++)
    sum += 100.0 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1.0 - x[i], 2);
  return sum;
}
double rastrigin(const std::vector<double>& x) {
  double sum = 10.0 * double(x.size());
  for (const double v : x) sum += v * v - 10.0 * std::cos(2.0 * M_PI * v);
  return sum;
}

// The bounds are about twice what the five seeds take.
TEST(Cmaes, finds_the_least_of_the_usual_functions_in_the_usual_number_of_runs) {
  for (std::uint64_t seed = 1; seed <= 5; seed++) {
    const Found a = search(sphere, 10, seed, 1e-9), b = search(ellipsoid, 10, seed, 1e-9),
                c = search(rosenbrock, 10, seed, 1e-9);
    EXPECT_LT(a.value, 1e-9) << seed;
    EXPECT_LT(a.runs, 4000) << seed;
    EXPECT_LT(b.value, 1e-9) << seed;
    EXPECT_LT(b.runs, 12000) << seed;
    if (c.value < 1.0) {  // its second minimum, near 3.99, catches some
      EXPECT_LT(c.value, 1e-9) << seed;
      EXPECT_LT(c.runs, 20000) << seed;
    }
  }
}

// Why restarts double the population (Auger and Hansen, A restart CMA evolution strategy with increasing population size, 2005).
TEST(Cmaes, a_larger_population_sees_past_more_local_minima) {
  int small = 0, large = 0;
  for (std::uint64_t seed = 1; seed <= 10; seed++) {
    small += search(rastrigin, 4, seed, 1e-8).value < 1e-8;
    large += search(rastrigin, 4, seed, 1e-8, 512).value < 1e-8;
  }
  EXPECT_GT(large, small + 3);
}

TEST(Cmaes, the_same_seed_is_the_same_search_and_another_is_another) {
  EXPECT_EQ(search(rosenbrock, 4, 7, 1e-9).at, search(rosenbrock, 4, 7, 1e-9).at);
  EXPECT_NE(search(rosenbrock, 4, 7, 1e-9).at, search(rosenbrock, 4, 8, 1e-9).at);
}

TEST(Cmaes, a_least_value_at_the_edge_is_found_there_and_no_point_lies_outside) {
  const auto f = [](const std::vector<double>& x) {
    for (const double v : x) EXPECT_LE(std::abs(v), 5.0);
    return (x[0] - 7.0) * (x[0] - 7.0) + x[1] * x[1];
  };
  const Found found = search(f, 2, 3, 4.0 + 1e-9);
  EXPECT_NEAR(found.at[0], 5.0, 1e-4);
  EXPECT_NEAR(found.at[1], 0.0, 1e-3);
  EXPECT_EQ(reflected(1.25), 0.75);
  EXPECT_EQ(reflected(-0.25), 0.25);
  EXPECT_EQ(reflected(4.5), 0.5);
}

TEST(Cmaes, conditions_come_before_values) {
  CmaesOptions options;
  options.n = 2;
  Cmaes cmaes(options, {0.2, 0.2});
  double best = INFINITY;
  for (int i = 0; i < 150 && cmaes.ending().empty(); i++) {
    std::vector<Merit> merits;
    for (const auto& u : cmaes.ask()) {
      merits.push_back({std::max(0.0, 1.0 - u[0] - u[1]), u[0] * u[0] + u[1] * u[1]});  // x + y >= 1
      if (merits.back().missed == 0.0) best = std::min(best, merits.back().value);
    }
    cmaes.tell(merits);
  }
  EXPECT_NEAR(best, 0.5, 1e-3);
}

TEST(Cmaes, noise_is_told_from_order) {
  const std::vector<Merit> a{{0, 1}, {0, 2}, {0, 3}, {0, 4}}, same{{0, 1.1}, {0, 2.1}, {0, 3.1}, {0, 4.1}},
      other{{0, 4.1}, {0, 0.9}, {0, 1.1}, {0, 2.1}};
  EXPECT_LT(rank_change(a, same), 0.0);
  EXPECT_GT(rank_change(a, other), 0.0);
}

// Schaffer's problem: aims x^2 and (x - 2)^2, the front is x in [0, 2].
TEST(Nsga2, finds_the_front_of_schaffers_problem_and_covers_it) {
  Nsga2Options options;
  options.population = 40;
  options.seed = 2;
  Nsga2 nsga2(options);
  std::vector<Judged> judged;
  std::vector<std::vector<double>> points;
  for (int i = 0; i < 60; i++) {
    points = nsga2.ask();
    judged.clear();
    for (const auto& u : points) {
      const double x = 20.0 * u[0] - 10.0;
      judged.push_back({{x * x, (x - 2.0) * (x - 2.0)}, 0.0});
    }
    nsga2.tell(judged);
  }
  int on_front = 0;
  double low = 10.0, high = -10.0;
  for (const auto& u : nsga2.points()) {
    const double x = 20.0 * u[0] - 10.0;
    on_front += x > -0.05 && x < 2.05;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  EXPECT_GE(on_front, 36);
  EXPECT_LT(low, 0.2);
  EXPECT_GT(high, 1.8);
}

TEST(Nsga2, fronts_follow_who_dominates_whom) {
  const std::vector<Judged> points{{{1, 1}, 0}, {{2, 2}, 0}, {{0, 3}, 0}, {{0, 0}, 1.0}, {{3, 3}, 0}};
  EXPECT_EQ(fronts_of(points), (std::vector<int>{0, 1, 0, 3, 2}));
  EXPECT_FALSE(dominates(points[0], points[2]));
  EXPECT_TRUE(dominates(points[4], points[3])) << "a point that misses a condition is behind all that do not";
}

TEST(Bobyqa, finds_the_least_of_a_smooth_function_in_few_runs_and_stops_when_told) {
  int runs = 0;
  std::vector<double> best;
  double least = INFINITY;
  const auto f = [&](const std::vector<double>& u) -> std::optional<double> {
    runs++;
    const double value = std::pow(u[0] - 0.7, 2) + 3.0 * std::pow(u[1] - 0.2, 2) + 0.5 * u[0] * u[1];
    if (value < least) {
      least = value;
      best = u;
    }
    return value;
  };
  EXPECT_NE(bobyqa(f, {0.5, 0.5}, 1e-7), "");
  EXPECT_LT(runs, 60);
  // 2 (x - 0.7) + 0.5 y = 0, 6 (y - 0.2) + 0.5 x = 0
  EXPECT_NEAR(best[0], (1.4 - 0.1) / (2.0 - 0.25 / 6.0), 1e-5);
  EXPECT_NEAR(best[1], 0.2 - best[0] / 12.0, 1e-5);
  runs = 0;
  const auto stop = [&](const std::vector<double>& u) { return runs >= 3 ? std::nullopt : f(u); };
  EXPECT_EQ(bobyqa(stop, {0.5, 0.5}, 1e-7), "");
  EXPECT_EQ(runs, 3);
}

}  // namespace cmaes_test
