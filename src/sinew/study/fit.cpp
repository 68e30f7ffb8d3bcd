#include "sinew/study/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/math/dense.h"
#include "sinew/math/eigenvalues.h"
#include "sinew/sim/errors.h"

namespace sinew::study {
namespace {

double sum_of_squares(const std::vector<double>& r) {
  double sum = 0.0;
  for (const double x : r) sum += x * x;
  return r.empty() || !std::isfinite(sum) ? std::numeric_limits<double>::infinity() : sum;
}

// By the scales of the parameters: columns are changes of the residuals for a change by one scale. The centre is the last of the runs.
struct Slopes {
  Matrix normal;                // J'J
  std::vector<double> descent;  // -J' r
};

// A column beside which another is ten digits larger is what round-off leaves of differences, and would lead anywhere.
void forget_round_off(Slopes& s) {
  const int n = s.normal.rows;
  double most = 0.0;
  for (int i = 0; i < n; i++) most = std::max(most, s.normal(i, i));
  for (int i = 0; i < n; i++) {
    if (s.normal(i, i) > 1e-20 * most) continue;
    s.descent[std::size_t(i)] = 0.0;
    for (int j = 0; j < n; j++) s.normal(i, j) = s.normal(j, i) = 0.0;
  }
}

Slopes slopes_at(const Residuals& residuals, const std::vector<Unknown>& unknowns, const std::vector<double>& at,
                 const std::vector<double>& r, double difference) {
  const std::size_t n = at.size(), m = r.size();
  std::vector<std::vector<double>> points;
  for (std::size_t i = 0; i < n; i++) {
    for (const double side : {-1.0, 1.0}) {
      std::vector<double> p = at;
      p[i] = std::clamp(p[i] + side * difference * unknowns[i].scale, unknowns[i].low, unknowns[i].high);
      points.push_back(std::move(p));
    }
  }
  const auto found = residuals(points);
  std::vector<std::vector<double>> columns(n, std::vector<double>(m, 0.0));
  for (std::size_t i = 0; i < n; i++) {
    const auto& a = found[2 * i].size() == m ? found[2 * i] : r;
    const auto& b = found[2 * i + 1].size() == m ? found[2 * i + 1] : r;
    const double low = found[2 * i].size() == m ? points[2 * i][i] : at[i];
    const double high = found[2 * i + 1].size() == m ? points[2 * i + 1][i] : at[i];
    const double change = (high - low) / unknowns[i].scale;
    for (std::size_t k = 0; k < m && change > 0.0; k++) columns[i][k] = (b[k] - a[k]) / change;
  }
  Slopes out{Matrix(int(n), int(n)), std::vector<double>(n, 0.0)};
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t k = 0; k < m; k++) out.descent[i] -= columns[i][k] * r[k];
    for (std::size_t j = 0; j <= i; j++) {
      double sum = 0.0;
      for (std::size_t k = 0; k < m; k++) sum += columns[i][k] * columns[j][k];
      out.normal(int(i), int(j)) = out.normal(int(j), int(i)) = sum;
    }
  }
  forget_round_off(out);
  return out;
}

// A step by lambda; parameters that stand at a bound and would leave it stay.
std::vector<double> step_from(const Slopes& s, const std::vector<Unknown>& unknowns, const std::vector<double>& at,
                              double lambda) {
  const int n = int(at.size());
  Matrix normal = s.normal, right(n, 1);
  for (int i = 0; i < n; i++) {
    const Unknown& u = unknowns[std::size_t(i)];
    const double g = s.descent[std::size_t(i)], x = at[std::size_t(i)];
    const bool held = (x <= u.low && g < 0.0) || (x >= u.high && g > 0.0) || normal(i, i) <= 0.0;
    right[i] = held ? 0.0 : g;
    if (held)
      for (int j = 0; j < n; j++) normal(i, j) = normal(j, i) = 0.0;
    normal(i, i) = held ? 1.0 : normal(i, i) * (1.0 + lambda);
  }
  const Matrix d = solve(normal, right);
  std::vector<double> out = at;
  for (std::size_t i = 0; i < out.size(); i++)
    out[i] = std::clamp(out[i] + (std::isfinite(d[int(i)]) ? d[int(i)] * unknowns[i].scale : 0.0), unknowns[i].low,
                        unknowns[i].high);
  return out;
}

// Directions that change nothing: eigenvectors of J'J with unit diagonal whose value is as good as none.
void find_doubts(const Slopes& s, const std::vector<Unknown>& unknowns, Fit& fit) {
  const int n = int(unknowns.size());
  Matrix scaled(n, n);
  for (int i = 0; i < n; i++) {
    if (s.normal(i, i) <= 0.0)
      fit.doubts.push_back(
          fmt::format("{} changes nothing in the data: it cannot be told", unknowns[std::size_t(i)].name));
    for (int j = 0; j < n; j++) {
      const double size = std::sqrt(s.normal(i, i) * s.normal(j, j));
      scaled(i, j) = size > 0.0 ? s.normal(i, j) / size : i == j ? 1.0 : 0.0;
    }
  }
  const Modes modes = symmetric_modes(scaled);
  for (int k = 0; k < n; k++) {
    if (modes.values[std::size_t(k)] > 1e-6) continue;
    std::string names;
    for (int i = 0; i < n; i++)
      if (std::abs(modes.vectors(i, k)) > 0.1) names += (names.empty() ? "" : ", ") + unknowns[std::size_t(i)].name;
    fit.doubts.push_back(fmt::format("{} cannot be told apart: only a combination of them shows in the data", names));
  }
}

void find_covariance(const Slopes& s, const std::vector<Unknown>& unknowns, bool known_noise, Fit& fit) {
  const int n = int(unknowns.size());
  fit.variance = known_noise ? 1.0 : fit.sum / double(fit.residuals - n);
  const double none = std::numeric_limits<double>::quiet_NaN();
  Matrix normal = s.normal;
  const auto is_idle = [&](int i) { return s.normal(i, i) <= 0.0; };
  for (int i = 0; i < n; i++)
    if (is_idle(i)) normal(i, i) = 1.0;  // what changes nothing takes nothing from the others
  Matrix inverted = inverse(normal);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (is_idle(i) || is_idle(j)) inverted(i, j) = none;
  fit.covariance = fit.correlation = Matrix(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      fit.covariance(i, j) =
          inverted(i, j) * fit.variance * unknowns[std::size_t(i)].scale * unknowns[std::size_t(j)].scale;
  for (int i = 0; i < n; i++) {
    const double v = fit.covariance(i, i);  // 0 where data without noise is met exactly
    fit.deviation.push_back(inverted(i, i) > 0.0 && std::isfinite(v) ? std::sqrt(v) : none);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) fit.correlation(i, j) = inverted(i, j) / std::sqrt(inverted(i, i) * inverted(j, j));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (std::abs(fit.correlation(i, j)) > 0.99)
        fit.doubts.push_back(fmt::format("{} and {} are hardly told apart: their errors have the correlation {:.4f}",
                                         unknowns[std::size_t(j)].name, unknowns[std::size_t(i)].name,
                                         fit.correlation(i, j)));
  for (int i = 0; i < n; i++) {
    const Unknown& u = unknowns[std::size_t(i)];
    if (const double d = fit.deviation[std::size_t(i)]; d > u.scale)
      fit.doubts.push_back(
          fmt::format("{} is hardly told by the data: its deviation, {:.2g}, is more than its own size, {:.2g}", u.name,
                      d, u.scale));
  }
}

}  // namespace

Fit fit(const Residuals& residuals, const std::vector<Unknown>& unknowns, const FitOptions& options) {
  Fit out;
  for (const Unknown& u : unknowns) out.at.push_back(std::clamp(u.start, u.low, u.high));
  std::vector<double> r = residuals(std::vector<std::vector<double>>{out.at})[0];
  out.sum = sum_of_squares(r);
  if (!std::isfinite(out.sum))
    throw InputError("identify: the run with the values of the scenario fails: start from others with --set");
  if (r.size() <= unknowns.size())
    throw InputError(fmt::format("identify: {} numbers of data for {} parameters: give more data, or fit fewer",
                                 r.size(), unknowns.size()));
  out.residuals = int(r.size());
  double lambda = 1e-3;
  Slopes slopes = slopes_at(residuals, unknowns, out.at, r, options.difference);
  for (out.iterations = 0; out.iterations < options.iterations && !out.converged; out.iterations++) {
    // Four lengths of the step at once: as many share a register.
    std::vector<std::vector<double>> tries;
    for (const double factor : {0.1, 1.0, 10.0, 100.0})
      tries.push_back(step_from(slopes, unknowns, out.at, lambda * factor));
    const auto found = residuals(tries);
    std::size_t best = 0;
    for (std::size_t i = 1; i < found.size(); i++)
      if (sum_of_squares(found[i]) < sum_of_squares(found[best])) best = i;
    const double sum = sum_of_squares(found[best]);
    if (!(sum < out.sum)) {
      lambda *= 1e4;
      out.converged = lambda > 1e12;  // no step is better: this is the least
      continue;
    }
    double moved = 0.0;
    for (std::size_t i = 0; i < unknowns.size(); i++)
      moved = std::max(moved, std::abs(tries[best][i] - out.at[i]) / unknowns[i].scale);
    out.converged = out.sum - sum <= options.tolerance * out.sum || moved <= options.tolerance || sum == 0.0;
    lambda = std::max(lambda * (best == 0 ? 0.1 : best == 1 ? 0.3 : best == 2 ? 3.0 : 30.0), 1e-12);
    out.at = tries[best];
    out.sum = sum;
    r = found[best];
    slopes = slopes_at(residuals, unknowns, out.at, r, options.difference);
  }
  for (std::size_t i = 0; i < unknowns.size(); i++)
    out.at_bound.push_back(out.at[i] <= unknowns[i].low || out.at[i] >= unknowns[i].high);
  find_doubts(slopes, unknowns, out);
  find_covariance(slopes, unknowns, options.known_noise, out);
  return out;
}

}  // namespace sinew::study
