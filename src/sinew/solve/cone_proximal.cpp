// Proximal points with Newton's method: problems in which each row gives way, u + alpha (r - centre), one after the other, each
// centred at the solution of the last. Their limit is the rigid problem. docs/theory/solve.md#exchanged-problems.
//   newton  Coulomb's law itself, by Alart and Curnier's map; the step is as long as it succeeds: alpha shrinks and grows
//   convex  where newton fails at any alpha: de Saxce's correction held, which makes the law the gradient of a convex function, so
//           that a line search along its slope leads to the one solution
// A way along which many points lie in a row is foreseen: the next point begins where the last step leads, as many times as long as
// alpha is smaller.
#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/solve/cone_local.h"
#include "sinew/solve/cone_problem.h"

namespace sinew {
namespace {

constexpr int usual_systems = 10'000;
constexpr int patience = 5000,
              short_patience = 1000;  // linear systems without a better residual; below 1e-10: round-off
constexpr int newton_steps = 20, convex_steps = 30;
constexpr double first_alpha = 1e-5, least_alpha = 1e-6, most_alpha = 0.1, convex_alpha = 1e-2, least_convex = 1e-3,
                 most_round_off = 1e-2;

class ProximalPoints {
 public:
  ProximalPoints(const ConeProblem& problem, std::vector<double>& r);
  ConeReport solve(const ConeLimits& limits);

 private:
  bool newton(double alpha);
  void convex();
  double linearise(double alpha);              // Coulomb's map at r: target_, E_, K_; its merit
  double merit(double alpha, double t) const;  // at r + t step
  void linearise_convex();
  double slope(double t) const;
  bool find_step();
  void go(double t);
  void settle_into_cones();
  void foresee(double times);

  const ConeProblem& p_;
  std::vector<double>& r_;
  BlockLu lu_;
  const std::size_t n_;                                                           // rows
  double mean_ = 0.0;                                                             // of the diagonal of W
  std::vector<double> u_, centre_, target_, step_, W_step_, rest_, E_, K_, rho_;  // rho_: steps of the map
  std::vector<double> correction_;                                                // de Saxce's, held; one a contact
  std::vector<double> way_;                                                       // from the last point to this one
  double way_alpha_ = 0.0;                                                        // 0: there is none
  double convex_alpha_;
  double error_ = 0.0, size_ = 0.0, moved_ = 0.0;  // norms: target - r, r, r - centre
  int most_ = 0, systems_ = 0, steps_ = 0;
  bool at_round_off_ = false;  // of the system: a larger alpha makes it better conditioned
};

double norm_of(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); i++) sum += a[i] * b[i];
  return sum;
}

ProximalPoints::ProximalPoints(const ConeProblem& problem, std::vector<double>& r)
    : p_(problem), r_(r), lu_(problem.W), n_(problem.q.size()) {
  for (auto* list : {&centre_, &target_, &step_, &W_step_, &rest_, &rho_, &way_}) list->resize(n_);
  E_.resize(3 * n_);
  K_.resize(3 * n_);
  correction_.resize(p_.contacts());
  for (int i = 0; i < p_.contacts(); i++)
    for (int k = p_.W.start[i]; k < p_.W.start[i + 1]; k++) {
      if (p_.W.column[k] != i) continue;
      const double* B = p_.W.block(k);
      mean_ += (B[0] + B[4] + B[8]) / double(n_);
      rho_[3 * i] = 10.0 / B[0];
      rho_[3 * i + 1] = rho_[3 * i + 2] = 3.0 / std::max(B[4], B[8]);
    }
  convex_alpha_ = convex_alpha * mean_;
  velocities(p_, r_, u_);
}

double ProximalPoints::linearise(double alpha) {
  double merit = 0.0, error = 0.0, size = 0.0, moved = 0.0;
  for (int i = 0; i < p_.contacts(); i++) {
    double z[3], D[9];
    for (int a = 0, x = 3 * i; a < 3; a++, x++) z[a] = r_[x] - rho_[x] * (u_[x] + alpha * (r_[x] - centre_[x]));
    cone::project_in_turn(p_.mu[i], z, target_.data() + 3 * i, D);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        const double rho = rho_[3 * i + b], d = D[3 * a + b];
        K_[9 * i + 3 * a + b] = d * rho;
        E_[9 * i + 3 * a + b] = (a == b ? 1.0 : 0.0) - d * (1.0 - rho * alpha);
      }
    for (int x = 3 * i; x < 3 * i + 3; x++) {
      rest_[x] = target_[x] - r_[x];
      merit += rest_[x] * rest_[x] / rho_[x];
      error += rest_[x] * rest_[x];
      size += r_[x] * r_[x];
      moved += (r_[x] - centre_[x]) * (r_[x] - centre_[x]);
    }
  }
  error_ = std::sqrt(error);
  size_ = std::sqrt(size);
  moved_ = std::sqrt(moved);
  return std::sqrt(merit);
}

double ProximalPoints::merit(double alpha, double t) const {
  double sum = 0.0;
  for (int i = 0; i < p_.contacts(); i++) {
    double P[3], z[3], to[3];
    for (int a = 0, x = 3 * i; a < 3; a++, x++) {
      P[a] = r_[x] + t * step_[x];
      z[a] = P[a] - rho_[x] * (u_[x] + t * W_step_[x] + alpha * (P[a] - centre_[x]));
    }
    cone::project_in_turn(p_.mu[i], z, to);
    for (int a = 0; a < 3; a++) sum += (P[a] - to[a]) * (P[a] - to[a]) / rho_[3 * i + a];
  }
  return std::sqrt(sum);
}

bool ProximalPoints::find_step() {
  if (!lu_.factor(p_.W, E_, K_)) return false;
  lu_.solve(p_.W, K_, rest_, step_);
  systems_++;
  std::fill(W_step_.begin(), W_step_.end(), 0.0);
  p_.W.add_product(step_, W_step_);
  return true;
}

void ProximalPoints::go(double t) {
  for (std::size_t x = 0; x < n_; x++) r_[x] += t * step_[x];
  velocities(p_, r_, u_);
}

void ProximalPoints::settle_into_cones() {
  for (int i = 0; i < p_.contacts(); i++) {
    const double P[3] = {r_[3 * i], r_[3 * i + 1], r_[3 * i + 2]};
    cone::project_in_turn(p_.mu[i], P, r_.data() + 3 * i);
  }
  velocities(p_, r_, u_);
}

// From r to the point around centre_. Steps must end below the worst of the last four merits.
bool ProximalPoints::newton(double alpha) {
  std::array<double, 4> merits{};
  for (steps_ = 0; steps_ <= newton_steps; steps_++) {
    const double now = linearise(alpha), last = merits[(steps_ + 3) % 4];
    merits[steps_ % 4] = now;
    const bool holds = steps_ > 0 && error_ <= 1e-3 * alpha / mean_ * moved_;
    const bool round_off = error_ <= 1e-15 * size_ || (steps_ > 1 && error_ <= 1e-11 * size_ && now > 0.3 * last);
    if (holds || round_off) {
      at_round_off_ = !holds && error_ > 1e-3 * moved_;
      settle_into_cones();
      return true;
    }
    if (!std::isfinite(now) || systems_ == most_ || !find_step()) return false;
    const double worst = *std::max_element(merits.begin(), merits.end());
    double t = 1.0;
    for (int halved = 0; halved < 6 && !(merit(alpha, t) < (1.0 - 1e-4 * t) * worst); halved++) t *= 0.5;
    go(t);
  }
  return false;
}

// P = proj_K(centre - (u + correction) / alpha), K = derivative / alpha.
void ProximalPoints::linearise_convex() {
  double error = 0.0, size = 0.0;
  for (int i = 0; i < p_.contacts(); i++) {
    double z[3], D[9];
    for (int a = 0, x = 3 * i; a < 3; a++, x++)
      z[a] = centre_[x] - (u_[x] + (a == 0 ? correction_[i] : 0.0)) / convex_alpha_;
    cone::project(p_.mu[i], z, target_.data() + 3 * i, D);
    for (int a = 0; a < 9; a++) {
      K_[9 * i + a] = D[a] / convex_alpha_;
      E_[9 * i + a] = a % 4 == 0 ? 1.0 : 0.0;
    }
    for (int x = 3 * i; x < 3 * i + 3; x++) {
      rest_[x] = target_[x] - r_[x];
      error += rest_[x] * rest_[x];
      size += r_[x] * r_[x];
    }
  }
  error_ = std::sqrt(error);
  size_ = std::sqrt(size);
}

// Of the convex function along the step.
double ProximalPoints::slope(double t) const {
  double sum = 0.0;
  for (int i = 0; i < p_.contacts(); i++) {
    double z[3], to[3];
    for (int a = 0, x = 3 * i; a < 3; a++, x++)
      z[a] = centre_[x] - (u_[x] + t * W_step_[x] + (a == 0 ? correction_[i] : 0.0)) / convex_alpha_;
    cone::project(p_.mu[i], z, to);
    for (int a = 0, x = 3 * i; a < 3; a++, x++) sum += W_step_[x] * (r_[x] + t * step_[x] - to[a]);
  }
  return sum;
}

void ProximalPoints::convex() {
  centre_ = r_;
  for (int i = 0; i < p_.contacts(); i++) correction_[i] = p_.mu[i] * cone::length(u_[3 * i + 1], u_[3 * i + 2]);
  double last = HUGE_VAL;
  int steps = 0;
  for (; steps < convex_steps; steps++) {
    linearise_convex();
    if (error_ <= 1e-10 * size_ || (steps > 3 && error_ < 1e-8 * size_ && error_ > 0.5 * last)) break;
    last = error_;
    if (systems_ == most_ || !find_step()) break;
    const double at0 = slope(0.0), at1 = slope(1.0);
    double t = 1.0, low = 0.0, high = 1.0, at_low = at0, at_high = at1;
    for (int k = 0; k < 12 && at1 > 1e-3 * std::abs(at0); k++) {  // regula falsi, kept away from the ends
      const double root = low - at_low * (high - low) / (at_high - at_low), margin = 0.05 * (high - low);
      t = std::clamp(root, low + margin, high - margin);
      const double at = slope(t);
      if (std::abs(at) < 0.1 * std::abs(at0)) break;
      (at < 0.0 ? low : high) = t;
      (at < 0.0 ? at_low : at_high) = at;
    }
    go(t);
  }
  r_ = target_;
  velocities(p_, r_, u_);
  if (steps < 6) convex_alpha_ = std::max(0.3 * convex_alpha_, least_convex * mean_);
  if (steps >= 20) convex_alpha_ = std::min(3.0 * convex_alpha_, mean_);
}

void ProximalPoints::foresee(double times) {
  for (std::size_t x = 0; x < n_; x++) r_[x] += times * way_[x];
  settle_into_cones();
}

ConeReport ProximalPoints::solve(const ConeLimits& limits) {
  most_ = limits.iterations > 0 ? limits.iterations : usual_systems;
  double alpha = first_alpha * mean_, residual = relative_residual(p_, r_), best = residual;
  std::vector<double> best_r = r_, from(n_), way(n_);
  int best_at = 0, wait = 0, pause = 1;  // wait: convex steps before Newton's method may try again
  const auto look = [&] {
    residual = relative_residual(p_, r_);
    if (!(residual < best)) return;
    if (residual < 0.9 * best) best_at = systems_;
    best = residual;
    best_r = r_;
  };
  const auto goes_on = [&](int points) {
    const int waited = systems_ - best_at;
    return best > limits.tolerance && systems_ < most_ && points < most_ &&
           waited < (best < 1e-10 ? short_patience : patience);
  };
  for (int points = 0; goes_on(points); points++) {
    if (wait > 0) {
      wait--;
      convex();
      way_alpha_ = 0.0;
      look();
      continue;
    }
    from = centre_ = r_;
    if (way_alpha_ > 0.0) foresee(way_alpha_ / alpha);
    const bool found = newton(alpha);
    const double now = found ? relative_residual(p_, r_) : HUGE_VAL;
    if (now < 1000.0 * best) {  // on the way to a solution it may well grow
      look();
      for (std::size_t x = 0; x < n_; x++) way[x] = r_[x] - from[x];
      const bool straight = way_alpha_ == 0.0 || product(way, way_) > 0.8 * norm_of(way) * norm_of(way_);
      way_alpha_ = straight ? alpha : 0.0;
      way_.swap(way);
      pause = 1;
      if (at_round_off_) {
        alpha = std::min(10.0 * alpha, most_round_off * mean_);
        way_alpha_ = 0.0;
      } else if (steps_ <= 4) {
        alpha = std::max(0.4 * alpha, least_alpha * mean_);
      } else if (steps_ > 8)
        alpha = std::min(2.0 * alpha, most_alpha * mean_);
      continue;
    }
    r_ = from;
    velocities(p_, r_, u_);
    way_alpha_ = 0.0;
    if (systems_ == 0) break;  // not even the first system has a solution
    alpha = std::min(alpha * (found ? 2.0 : 5.0), most_alpha * mean_);
    if (alpha < 0.9 * most_alpha * mean_) continue;
    wait = pause;
    pause = std::min(2 * pause, 16);
  }
  r_ = best_r;
  return {.residual = best, .systems = systems_};
}

}  // namespace

ConeReport solve_by_proximal_points(const ConeProblem& problem, const ConeLimits& limits, std::vector<double>& r) {
  SINEW_ASSERT(r.size() == problem.q.size());
  return ProximalPoints(problem, r).solve(limits);
}

}  // namespace sinew
