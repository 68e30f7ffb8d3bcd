// Newton's method along a path of growing loads, halved where it fails; tangents by differences.
#include "sinew/rod/soft_statics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/dense.h"
#include "sinew/math/eigenvalues.h"

namespace sinew::rod {
namespace {

// load: share of it that acts.
template <class G>
struct AtRest {
  double t, load;
  const G& base;
  const std::vector<double>& q;
};

template <class G>
void static_residual(const SoftModel<G>& m, const AtRest<G>& at, SoftScratch<G>& w, double* r) {
  SINEW_ASSERT(int(at.q.size()) >= m.nq && int(w.r.size()) == m.nv);
  std::ranges::fill(w.v, 0.0);
  std::ranges::fill(w.a, 0.0);
  inverse_dynamics(m, {at.t, at.base, at.q.data(), w.v.data(), w.a.data(), at.load}, w, r);
}

// Six numbers that vanish where the hold is satisfied.
Six hold_error(const SoftTipHold& hold, double s, const Posed& tip) {
  const Vec3d p = tip.p - (hold.start + (hold.target - hold.start) * s);
  const Mat3d wanted = exponential<Space>(join(Vec3d::zero(), hold.axis * (s * hold.angle))).R;
  const Vec3d turn = angular(logarithm(Space({tip.R * transpose(wanted), Vec3d::zero()})));
  return {p[0], p[1], p[2], turn[0], turn[1], turn[2]};
}

// Unknowns: q, then the reactions that hold the tip. The hold acts as a dead wrench there.
template <class G>
struct StaticsProblem {
  const SoftModel<G>& m;
  SoftScratch<G>& w;
  const SoftTipHold* hold;
  double t;
  std::vector<int> held;  // of six

  int size() const { return m.nq + int(held.size()); }

  void evaluate(double s, const std::vector<double>& y, Matrix& out) const {
    static_residual(m, {t, s, m.base, y}, w, w.r.data());
    for (int i = 0; i < m.nq; i++) out[i] = w.r[i];
    if (held.empty()) return;
    const G& g = w.g[m.stations - 1];
    const Posed tip = (m.base * g).pose();
    const Six error = hold_error(*hold, s, tip);
    Vec3d f = Vec3d::zero(), c = Vec3d::zero();
    for (std::size_t k = 0; k < held.size(); k++) {
      out[m.nq + int(k)] = error[held[k]];
      (held[k] < 3 ? f[held[k]] : c[held[k] - 3]) = y[m.nq + k];
    }
    f = transpose_times(tip.R, f);
    c = transpose_times(tip.R, c);
    const auto F = from_six<G>({f[0], f[1], f[2], c[0], c[1], c[2]});
    project_point(F, out);
  }

  // out -= J(l)^T F
  void project_point(const typename G::Twist& F, Matrix& out) const {
    const auto base = to_base(w.g[m.stations - 1], F);
    for (int c = 0; c < m.cells; c++) {
      const double h = m.h[c] / 6.0, weight[3] = {h, 4.0 * h, h};
      for (int k = 0; k < 3; k++) {
        const auto here = to_section(w.g[2 * c + k], base);
        for (int j = 0; j < G::n; j++)
          for (int i = m.first[j]; i < m.first[j + 1]; i++)
            out[i] -= weight[k] * m.phi_local[std::size_t(i) * m.local_stride + 3 * c + k] * here[j];
      }
    }
  }

  Matrix tangent(double s, std::vector<double> y) const {
    Matrix T(size(), size()), up(size(), 1), down(size(), 1);
    for (int i = 0; i < size(); i++) {
      const double step = i < m.nq ? 1e-5 * m.scale[m.nb + i] : 1e-5 * std::max(1e-3, std::abs(y[i])), kept = y[i];
      y[i] = kept + step;
      evaluate(s, y, up);
      y[i] = kept - step;
      evaluate(s, y, down);
      y[i] = kept;
      put((up - down) / (2.0 * step), 0, i, T);
    }
    return T;
  }

  // The step of Newton's method, in unknowns and equations of the size of one. An equilibrium need not be alone: a rod with round
  // sections between two clamps may turn its buckle about their line, or shift it. Then, `loose`, the shortest step is taken.
  Matrix step(double s, const std::vector<double>& y, Matrix r, bool loose) const {
    Matrix T = tangent(s, y);
    if (!loose) return -sinew::solve(T, r);
    std::vector<double> scale(size());
    double stiff = 0.0;
    for (int i = 0; i < m.nq; i++) {
      scale[i] = m.scale[m.nb + i];
      stiff = std::max(stiff, std::abs(T(i, i)) * scale[i] * scale[i]);
    }
    for (int i = m.nq; i < size(); i++) scale[i] = stiff / (held[i - m.nq] < 3 ? m.plan.length : 1.0);
    for (int i = 0; i < size(); i++) {
      for (int k = 0; k < size(); k++) T(i, k) *= scale[i] * scale[k] / stiff;
      r[i] *= -scale[i] / stiff;
    }
    Matrix d = least_norm(T, r, 1e-6);
    for (int i = 0; i < size(); i++) d[i] *= scale[i];
    return d;
  }

  // Newton's method at a fixed share of the load. Where steps do not shrink while forces come to rest, nothing holds the rod along them: without
  // `loose` it would wander along its equilibria and not arrive.
  bool newton(double s, bool loose, std::vector<double>& y, const SoftStaticsOptions& options,
              SoftEquilibrium& out) const {
    Matrix r(size(), 1);
    double last_change = INFINITY, last_force = 0.0;
    for (int iteration = 0; iteration < 30; iteration++) {
      out.iterations++;
      evaluate(s, y, r);
      const double force = largest(block(r, 0, 0, m.nq, 1));
      const Matrix d = step(s, y, r, loose);
      if (!is_finite(d)) return false;
      double change = 0.0;
      for (int i = 0; i < m.nq; i++) change = std::max(change, std::abs(d[i]) / m.scale[m.nb + i]);
      if (options.hold && !loose && change >= last_change && force < 0.1 * last_force) return false;
      last_change = change;
      last_force = force;
      const double f = std::min(1.0, 2.0 / change);
      for (int i = 0; i < size(); i++) y[i] += f * d[i];
      if (change <= options.tolerance) {
        evaluate(s, y, r);
        out.residual = largest(block(r, 0, 0, m.nq, 1));
        return true;
      }
      if (change > 1e6) return false;
    }
    return false;
  }
};

}  // namespace

template <class G>
SoftEquilibrium solve_statics(const SoftModel<G>& m, double t, std::vector<double>& q,
                              const SoftStaticsOptions& options) {
  SINEW_CHECK(int(q.size()) == m.nq, "solve_statics: ", q.size(), " coordinates, the rod has ", m.nq);
  SINEW_CHECK(options.steps >= 1, "solve_statics: ", options.steps, " steps");
  SoftScratch<G> w(m);
  StaticsProblem<G> problem{m, w, options.hold, t, {}};
  if (options.hold)
    for (const int i : components_of<G>)
      if (options.hold->held[i]) problem.held.push_back(i);
  std::vector<double> y(problem.size(), 0.0);
  std::copy(q.begin(), q.end(), y.begin());
  SoftEquilibrium out;
  double s = options.first_load, step = (1.0 - s) / options.steps;
  while (s < 1.0 - 1e-12) {
    const double next = std::min(1.0, s + step);
    bool found = false;
    std::vector<double> tried;
    for (const bool loose : {false, true})
      if (!found && (!loose || options.hold)) {
        tried = y;
        found = problem.newton(next, loose, tried, options, out);
      }
    if (found) {
      s = next;
      y = tried;
    } else {
      step *= 0.5;
      if (step < 1e-6) return out;
    }
  }
  out.converged = true;
  std::copy(y.begin(), y.begin() + m.nq, q.begin());
  for (std::size_t k = 0; k < problem.held.size(); k++) out.reaction[problem.held[k]] = y[m.nq + k];
  return out;
}

template <class G>
std::vector<double> static_tangent(const SoftModel<G>& m, double t, double load, const std::vector<double>& q,
                                   SoftScratch<G>& w) {
  SINEW_CHECK(int(q.size()) == m.nq, "static_tangent: ", q.size(), " coordinates, the rod has ", m.nq);
  std::vector<double> T(std::size_t(m.nv) * m.nv), up(m.nv), down(m.nv), y = q;
  const auto evaluate = [&](int i, double step, std::vector<double>& r) {
    G base = m.base;
    y = q;
    if (i < m.nb) {
      base = base * exponential<G>(G::Twist::unit(i) * step);
    } else {
      y[i - m.nb] += step;
    }
    static_residual(m, {t, load, base, y}, w, r.data());
    if (i >= m.nb)  // the linear part is known exactly
      for (int j = 0; j < m.nq; j++) r[m.nb + j] -= m.K[std::size_t(j) * m.nq + i - m.nb] * step;
  };
  for (int i = 0; i < m.nv; i++) {
    const double step = 1e-5 * m.scale[i];
    evaluate(i, step, up);
    evaluate(i, -step, down);
    for (int j = 0; j < m.nv; j++) {
      T[std::size_t(j) * m.nv + i] = (up[j] - down[j]) / (2.0 * step);
      if (i >= m.nb && j >= m.nb) T[std::size_t(j) * m.nv + i] += m.K[std::size_t(j - m.nb) * m.nq + i - m.nb];
    }
  }
  return T;
}

template <class G>
SoftVibration vibrations(const SoftModel<G>& m, double t, const std::vector<double>& q) {
  SINEW_CHECK(int(q.size()) == m.nq, "vibrations: ", q.size(), " coordinates, the rod has ", m.nq);
  SoftScratch<G> w(m);
  const std::vector<double> T = static_tangent(m, t, 1.0, q, w);
  static_residual(m, {t, 1.0, m.base, q}, w, w.r.data());
  mass_matrix(m, w);
  Matrix K(m.nv, m.nv), M(m.nv, m.nv);
  for (int i = 0; i < m.nv; i++)
    for (int j = 0; j < m.nv; j++) {
      K(i, j) = 0.5 * (T[std::size_t(i) * m.nv + j] + T[std::size_t(j) * m.nv + i]);
      M(i, j) = w.M[std::size_t(std::max(i, j)) * m.row + std::min(i, j)];
    }
  const std::vector<double> squares = symmetric_modes(K, M).values;
  SoftVibration out;
  // Zero modes of a free rod come out as round-off of the stiffest mode.
  const double largest = squares.back();
  for (int i = 0; i < m.nv; i++) {
    const double squared = squares[i];
    if (std::abs(squared) <= 1e-9 * largest && i < m.nb)
      out.zero_modes++;
    else
      out.frequency.push_back((squared < 0.0 ? -1.0 : 1.0) * std::sqrt(std::abs(squared)) / (2.0 * std::numbers::pi));
  }
  return out;
}

#define SINEW_INSTANTIATE_SOFT_STATICS(G)                                                                      \
  template SoftEquilibrium solve_statics(const SoftModel<G>&, double, std::vector<double>&,                    \
                                         const SoftStaticsOptions&);                                           \
  template std::vector<double> static_tangent(const SoftModel<G>&, double, double, const std::vector<double>&, \
                                              SoftScratch<G>&);                                                \
  template SoftVibration vibrations(const SoftModel<G>&, double, const std::vector<double>&);
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_SOFT_STATICS)

}  // namespace sinew::rod
