// Least squares with bounds: parameters p that make the sum of r_i(p)^2 small, by Levenberg and Marquardt's method (More, The Levenberg-Marquardt
// algorithm: implementation and theory, 1978): (J'J + lambda diag(J'J)) d = -J' r, with parameters at a bound that d would leave held there. Slopes
// are central differences, all of whose runs may be made at once.
// Covariance at the end: s^2 (J'J)^-1 with s^2 = sum r^2 / (m - n), or s = 1 where residuals are in units of known deviations.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sinew/math/matrix.h"

namespace sinew::study {

struct Unknown {
  std::string name;
  double start = 0.0, low = 0.0, high = 0.0;
  double scale = 1.0;  // of what a change of it is measured by
};

// Residuals of several points at once; an empty list: that point cannot be run.
using Residuals = std::function<std::vector<std::vector<double>>(std::span<const std::vector<double>> points)>;

struct FitOptions {
  int iterations = 50;
  double tolerance = 1e-9;   // relative change of the sum, and of the parameters
  double difference = 1e-4;  // of a parameter's scale, for slopes
  bool known_noise = false;  // residuals are in units of their deviation
};

struct Fit {
  std::vector<double> at, deviation;  // a standard deviation each; NaN: it cannot be told
  Matrix covariance, correlation;
  double sum = 0.0;       // of squares
  double variance = 1.0;  // of a residual
  int residuals = 0, iterations = 0;
  bool converged = false;
  std::vector<bool> at_bound;
  std::vector<std::string> doubts;  // what cannot be told apart
};

// Throws InputError if the start cannot be run, or there are fewer residuals than parameters.
Fit fit(const Residuals& residuals, const std::vector<Unknown>& unknowns, const FitOptions& options = {});

}  // namespace sinew::study
