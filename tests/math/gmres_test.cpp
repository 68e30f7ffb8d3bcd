#include "sinew/math/gmres.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/dice.h"

namespace sinew::test {
namespace gmres_test {

using support::Dice;

struct System {
  int n;
  std::vector<double> A, b;  // A: row by row

  System(int size, int seed) : n(size) {
    Dice dice(seed);
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++) A.push_back(dice.between(-1, 1) + (i == k ? 10.0 : 0.0));
      b.push_back(dice.between(-1, 1));
    }
  }
  void product(const double* x, double* y) const {
    for (int i = 0; i < n; i++) {
      y[i] = 0.0;
      for (int k = 0; k < n; k++) y[i] += A[std::size_t(i) * n + k] * x[k];
    }
  }
  double lacks(const std::vector<double>& x) const {
    std::vector<double> y(n);
    product(x.data(), y.data());
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += (b[i] - y[i]) * (b[i] - y[i]);
    return std::sqrt(sum);
  }
  int solve(const GmresLimits& limits, std::vector<double>& x) const {
    GmresWork work;
    return gmres(n, b.data(), limits, work, x.data(), [this](const double* v, double* z, double* w) {
      std::copy_n(v, n, z);
      product(z, w);
    });
  }
};

TEST(Gmres, the_residual_is_within_the_goal) {
  for (const int n : {1, 3, 30}) {
    const System system(n, n);
    std::vector<double> x(n);
    for (const double goal : {1e-3, 1e-9}) {
      EXPECT_LE(system.solve({goal, n + 1}, x), n);
      EXPECT_LE(system.lacks(x), 1.001 * goal + 1e-14);
    }
  }
}

TEST(Gmres, more_products_never_lack_more) {
  const System system(30, 7);
  std::vector<double> x(30);
  double before = system.lacks(x);
  for (int most = 1; most < 20; most++) {
    EXPECT_EQ(system.solve({0.0, most}, x), most);
    EXPECT_LT(system.lacks(x), before);
    before = system.lacks(x);
  }
}

TEST(Gmres, nothing_is_done_for_what_is_within_the_goal) {
  System system(5, 1);
  system.b.assign(5, 0.0);
  std::vector<double> x(5, 1.0);
  EXPECT_EQ(system.solve({0.0, 3}, x), 0);
  EXPECT_EQ(x, std::vector<double>(5, 0.0));
}

}  // namespace gmres_test
}  // namespace sinew::test
