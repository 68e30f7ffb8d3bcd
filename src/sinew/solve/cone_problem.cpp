#include "sinew/solve/cone_problem.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/solve/cone_local.h"
#include "sinew/solve/dense.h"

namespace sinew {
namespace {

constexpr int enough_sweeps = 20;                            // before Newton's method
constexpr int few_rows = 300;                                // up to which more is tried where proximal points fail
constexpr std::array<int, 4> other_starts{0, 5, 500, 5000};  // of them: after so many sweeps
constexpr int usual_sweeps = 20'000;                         // of block Gauss-Seidel alone

double norm(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

// The block of contact i with itself; -1: there is none.
int own_block(const ConeProblem& problem, int i) {
  for (int k = problem.W.start[i]; k < problem.W.start[i + 1]; k++)
    if (problem.W.column[k] == i) return k;
  return -1;
}

DenseProblem dense_problem(const ConeProblem& problem, const std::vector<double>& r) {
  DenseProblem p;
  const std::size_t n = problem.q.size();
  p.n = int(n);
  p.G.assign(n * n, 0.0);
  p.c = problem.q;
  p.P = r;
  p.gamma.assign(n, 0.0);
  double mean = 0.0;
  for (int i = 0; i < problem.contacts(); i++) {
    DenseContact contact{.first = 3 * i, .slides = true, .drills = false, .rolls = false, .law = {}, .bias = 0.0};
    contact.law.mu_forward = contact.law.mu_backward = contact.law.mu_trans = problem.mu[i];
    p.contacts.push_back(contact);
    for (int k = problem.W.start[i]; k < problem.W.start[i + 1]; k++)
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          p.G[(3 * std::size_t(problem.W.column[k]) + b) * n + 3 * i + a] += problem.W.block(k)[3 * a + b];
    for (int a = 0; a < 3; a++) mean += p.at(3 * i + a, 3 * i + a) / double(n);
  }
  p.soft_N = 1e-4 * mean;
  p.soft = 1e-6 * mean;
  return p;
}

ConeReport solve_by_matrix(const ConeProblem& problem, const ConeLimits& limits, std::vector<double>& r) {
  DenseProblem p = dense_problem(problem, r);
  DenseSolver solver;
  const double scale = norm(problem.q);
  ConeReport report;
  // the solver's own measure is a velocity
  report.systems = solver.solve(p, DenseMethod::Newton, limits.tolerance * (scale > 0.0 ? scale : 1.0)).iterations;
  report.residual = relative_residual(problem, p.P);
  r = p.P;
  return report;
}

ConeReport solve_by_all(const ConeProblem& problem, const ConeLimits& limits, std::vector<double>& r) {
  const int sweeps = limits.iterations > 0 ? std::min(enough_sweeps, limits.iterations) : enough_sweeps;
  ConeReport report = solve_by_cone_sweeps(problem, {limits.tolerance, sweeps}, r);
  if (report.residual <= limits.tolerance || report.sweeps == limits.iterations) return report;
  const int left = limits.iterations > 0 ? limits.iterations - report.sweeps : 0;
  const ConeReport proximal = solve_by_proximal_points(problem, {limits.tolerance, left}, r);
  report.systems = proximal.systems;
  report.residual = proximal.residual;
  if (report.residual <= limits.tolerance || limits.iterations > 0 || 3 * problem.contacts() > few_rows) return report;
  const auto keep_better = [&](const ConeReport& found, const std::vector<double>& other) {
    report.sweeps += found.sweeps;
    report.systems += found.systems;
    if (found.residual >= report.residual) return;
    report.residual = found.residual;
    r = other;
  };
  std::vector<double> other(r.size(), 0.0);
  keep_better(solve_by_matrix(problem, limits, other), other);
  for (const int start : other_starts) {
    if (report.residual <= limits.tolerance) break;
    other.assign(r.size(), 0.0);
    if (start > 0) keep_better(solve_by_cone_sweeps(problem, {limits.tolerance, start}, other), other);
    keep_better(solve_by_proximal_points(problem, limits, other), other);
  }
  return report;
}

}  // namespace

ConeProblem cone_problem(const DenseProblem& dense) {
  ConeProblem p;
  const int n = int(dense.contacts.size());
  SINEW_ASSERT(dense.n == 3 * n && dense.axes.empty());
  p.q = dense.c;
  p.W.start = {0};
  for (int i = 0; i < n; i++) {
    p.mu.push_back(dense.contacts[i].law.mu_trans);
    p.q[3 * i] += dense.contacts[i].bias;
    for (int k = 0; k < n; k++) {
      std::array<double, 9> block{};
      bool some = i == k;
      for (int a = 0; a < 9; a++) {
        block[a] = dense.at(3 * i + a / 3, 3 * k + a % 3);
        some |= block[a] != 0.0;
      }
      if (!some) continue;
      p.W.column.push_back(k);
      p.W.value.insert(p.W.value.end(), block.begin(), block.end());
    }
    p.W.start.push_back(int(p.W.column.size()));
  }
  return p;
}

std::string fault_of(const ConeProblem& problem) {
  const int n = problem.contacts();
  if (n == 0) return "it has no contacts";
  if (problem.W.rows() != n || problem.q.size() != 3 * std::size_t(n))
    return fmt::format("W has {} rows and q {} numbers, for {} contacts with three each", 3 * problem.W.rows(),
                       problem.q.size(), n);
  for (const double x : problem.W.value)
    if (!std::isfinite(x)) return "a number of W is not finite";
  for (int i = 0; i < n; i++) {
    if (!(problem.mu[i] >= 0.0 && std::isfinite(problem.mu[i])))
      return fmt::format("mu of contact {} is {}: it must be >= 0", i, problem.mu[i]);
    for (int a = 0; a < 3; a++)
      if (!std::isfinite(problem.q[3 * i + a])) return fmt::format("q of contact {} is not finite", i);
    const int own = own_block(problem, i);
    for (int a = 0; a < 3; a++)
      if (own < 0 || !(problem.W.block(own)[4 * a] > 0.0))
        return fmt::format("the diagonal of W is not positive at contact {}", i);
  }
  return {};
}

void velocities(const ConeProblem& problem, const std::vector<double>& r, std::vector<double>& u) {
  u = problem.q;
  problem.W.add_product(r, u);
}

double relative_residual(const ConeProblem& problem, const std::vector<double>& r) {
  std::vector<double> u;
  velocities(problem, r, u);
  double sum = 0.0;
  for (int i = 0; i < problem.contacts(); i++) {
    const double *P = r.data() + 3 * i, *v = u.data() + 3 * i, mu = problem.mu[i];
    const double z[3] = {P[0] - v[0] - mu * cone::length(v[1], v[2]), P[1] - v[1], P[2] - v[2]};
    double p[3];
    cone::project(mu, z, p);
    for (int a = 0; a < 3; a++) sum += (P[a] - p[a]) * (P[a] - p[a]);
  }
  const double scale = norm(problem.q), error = std::sqrt(sum) / (scale > 0.0 ? scale : 1.0);
  return std::isfinite(error) ? error : HUGE_VAL;
}

ConeStates states_of(const ConeProblem& problem, const std::vector<double>& r) {
  ConeStates states;
  for (int i = 0; i < problem.contacts(); i++) {
    const double *P = r.data() + 3 * i, rim = problem.mu[i] * P[0];
    const bool slides = cone::length(P[1], P[2]) >= (1.0 - 1e-9) * rim;
    (P[0] <= 0.0 ? states.open : slides ? states.slide : states.stick)++;
  }
  return states;
}

// Each contact in turn against what all others do at present.
ConeReport solve_by_cone_sweeps(const ConeProblem& problem, const ConeLimits& limits, std::vector<double>& r) {
  constexpr int first_looks = 4, between_looks = 10;  // small problems are solved at once
  const int n = problem.contacts(), most = limits.iterations > 0 ? limits.iterations : usual_sweeps;
  std::vector<int> own(n);
  for (int i = 0; i < n; i++) own[i] = own_block(problem, i);
  ConeReport report;
  while (report.sweeps < most) {
    for (int i = 0; i < n; i++) {
      double b[3] = {problem.q[3 * i], problem.q[3 * i + 1], problem.q[3 * i + 2]};
      for (int k = problem.W.start[i]; k < problem.W.start[i + 1]; k++) {
        if (k == own[i]) continue;
        const double *B = problem.W.block(k), *x = r.data() + 3 * problem.W.column[k];
        for (int a = 0; a < 3; a++) b[a] += B[3 * a] * x[0] + B[3 * a + 1] * x[1] + B[3 * a + 2] * x[2];
      }
      cone::solve_contact(problem.W.block(own[i]), problem.mu[i], b, r.data() + 3 * i);
    }
    report.sweeps++;
    if (report.sweeps > first_looks && report.sweeps % between_looks != 0 && report.sweeps < most) continue;
    report.residual = relative_residual(problem, r);
    if (report.residual <= limits.tolerance) break;
  }
  return report;
}

ConeReport solve(const ConeProblem& problem, ConeMethod method, const ConeLimits& limits, std::vector<double>& r) {
  SINEW_CHECK(r.size() == problem.q.size(), "solve: a guess of ", r.size(), " numbers for ", problem.q.size());
  SINEW_CHECK(fault_of(problem).empty(), "solve: ", fault_of(problem));
  switch (method) {
    case ConeMethod::Sweep:
      return solve_by_cone_sweeps(problem, limits, r);
    case ConeMethod::Proximal:
      return solve_by_proximal_points(problem, limits, r);
    case ConeMethod::Dense:
      return solve_by_matrix(problem, limits, r);
    case ConeMethod::Auto:
      break;
  }
  return solve_by_all(problem, limits, r);
}

}  // namespace sinew
