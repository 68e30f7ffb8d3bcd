// Unilateral shares: a feasible point by non-negative least squares (Lawson and Hanson), then a primal active-set method for the
// least norm. Both solve their subproblems with the singular values of the columns in use, so columns may be redundant.
#include "sinew/rod/distribute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"

namespace sinew::rod {
namespace {

struct ActiveSet {
  Reactions& r;
  Svd& svd;
  const double* F;
  bool used[Reactions::most];
  int index[Reactions::most];  // of the columns in use
  double y[Reactions::most];   // their answer, in scaled unknowns
  double x[Reactions::most];   // present point, scaled
  double p[6];                 // multipliers
  double size;                 // of F

  double entry(int i, int k) const { return r.column[i][k] * r.weight[i]; }

  void solve_used() {
    SINEW_ASSERT(r.count <= Reactions::most);
    int m = 0;
    for (int i = 0; i < r.count; i++)
      if (used[i]) index[m++] = i;
    svd.rows = m;
    svd.columns = r.equations;
    for (int k = 0; k < r.equations; k++)
      for (int i = 0; i < m; i++) svd.u[k][i] = entry(index[i], k);
    svd.decompose();
    svd.solve_transposed(svd.rank(1e-12), F, y, p);
  }

  double residual(double* left) const {
    double square = 0.0;
    for (int k = 0; k < r.equations; k++) {
      left[k] = F[k];
      for (int i = 0; i < r.count; i++) left[k] -= entry(i, k) * x[i];
      square += left[k] * left[k];
    }
    return std::sqrt(square);
  }

  // From x towards y as far as no sign is lost; columns that reach zero are put out of use. True: all the way.
  bool move_to_answer() {
    double step = 1.0;
    int blocking = -1;
    for (int m = 0; m < svd.rows; m++) {
      const int i = index[m], s = r.sign[i];
      if (s == 0 || s * y[m] >= -1e-14 * size) continue;
      const double a = x[i] / (x[i] - y[m]);
      if (blocking < 0 || a < step) {
        step = a;
        blocking = i;
      }
    }
    for (int m = 0; m < svd.rows; m++) {
      const int i = index[m];
      x[i] += step * (y[m] - x[i]);
      if (i == blocking || (blocking >= 0 && r.sign[i] != 0 && r.sign[i] * x[i] <= 1e-15 * size)) {
        used[i] = false;
        x[i] = 0.0;
      }
    }
    return blocking < 0;
  }

  // The unused column along which `gradient` would like to push most; -1: none.
  int wanted(const double* gradient, double tolerance) const {
    int best = -1;
    double most = tolerance;
    for (int i = 0; i < r.count; i++) {
      if (used[i]) continue;
      double w = 0.0;
      for (int k = 0; k < r.equations; k++) w += entry(i, k) * gradient[k];
      if (w *= r.sign[i]; w > most) {
        best = i;
        most = w;
      }
    }
    return best;
  }

  // True: G x = F has an answer with the right signs.
  bool find_feasible() {
    for (int i = 0; i < r.count; i++) {
      used[i] = r.sign[i] == 0;
      x[i] = 0.0;
    }
    solve_used();
    for (int m = 0; m < svd.rows; m++) x[index[m]] = y[m];
    double left[6];
    for (int k = 0; k < 3 * Reactions::most; k++) {
      if (residual(left) <= 1e-10 * size) return true;
      const int i = wanted(left, 1e-10 * size);
      if (i < 0) return false;
      used[i] = true;
      do solve_used();
      while (!move_to_answer());
    }
    return false;
  }

  void find_least_norm() {
    for (int k = 0; k < 3 * Reactions::most; k++) {
      solve_used();
      if (!move_to_answer()) continue;
      const int i = wanted(p, 1e-12 * size);
      if (i < 0) return;
      used[i] = true;
    }
  }
};

void solve_signed(const double* F, Reactions& r, Svd& svd) {
  ActiveSet set{r, svd, F, {}, {}, {}, {}, {}, 0.0};
  double size = 0.0;
  for (int k = 0; k < r.equations; k++) size += F[k] * F[k];
  set.size = std::sqrt(size) + 1e-300;
  if (r.feasible = set.find_feasible(); r.feasible) set.find_least_norm();
  for (int i = 0; i < r.count; i++) r.x[i] = set.x[i] * r.weight[i];
}

// Least norm by the normal equations, x = W^2 G^T p with G W^2 G^T p = F, refined once. False: they are not well conditioned.
bool solve_well(const double* F, Reactions& r) {
  const int n = r.equations;
  double A[6][6], p[6], left[6];
  for (int a = 0; a < n; a++)
    for (int b = 0; b <= a; b++) {
      A[a][b] = 0.0;
      for (int i = 0; i < r.count; i++) A[a][b] += r.column[i][a] * r.column[i][b] * (r.weight[i] * r.weight[i]);
    }
  for (int a = 0; a < n; a++) {  // Cholesky
    const double size = A[a][a];
    for (int b = 0; b <= a; b++) {
      double sum = A[a][b];
      for (int k = 0; k < b; k++) sum -= A[a][k] * A[b][k];
      if (a == b && !(sum > 1e-6 * size)) return false;
      A[a][b] = a == b ? std::sqrt(sum) : sum / A[b][b];
    }
  }
  std::copy_n(F, n, left);
  std::fill_n(r.x, r.count, 0.0);
  for (int pass = 0; pass < 2; pass++) {
    for (int a = 0; a < n; a++) {
      p[a] = left[a];
      for (int k = 0; k < a; k++) p[a] -= A[a][k] * p[k];
      p[a] /= A[a][a];
    }
    for (int a = n - 1; a >= 0; a--) {
      for (int k = a + 1; k < n; k++) p[a] -= A[k][a] * p[k];
      p[a] /= A[a][a];
    }
    for (int i = 0; i < r.count; i++)
      for (int a = 0; a < n; a++) r.x[i] += r.weight[i] * r.weight[i] * r.column[i][a] * p[a];
    for (int a = 0; a < n; a++) {
      left[a] = F[a];
      for (int i = 0; i < r.count; i++) left[a] -= r.column[i][a] * r.x[i];
    }
  }
  return true;
}

void solve_all(double regularisation, const double* F, Reactions& r, Svd& svd) {
  svd.rows = r.count;
  svd.columns = r.equations;
  for (int k = 0; k < r.equations; k++)
    for (int i = 0; i < r.count; i++) svd.u[k][i] = r.column[i][k] * r.weight[i];
  svd.decompose();
  if (regularisation > 0.0)
    for (int k = 0; k < r.equations; k++)  // w s / (1 + w s^2) instead of 1 / s
      if (svd.s[k] > 0.0) svd.s[k] += 1.0 / (regularisation * svd.s[k]);
  svd.solve_transposed(regularisation > 0.0 ? std::min(r.count, r.equations) : svd.rank(rank_tolerance), F, r.x);
  for (int i = 0; i < r.count; i++) r.x[i] *= r.weight[i];
}

}  // namespace

void Reactions::add(const double* wrench, double w, int s) {
  SINEW_ASSERT(wrench && count < most && equations >= 1 && equations <= 6);
  SINEW_ASSERT(w > 0.0 && s >= -1 && s <= 1);
  for (int k = 0; k < equations; k++) column[count][k] = wrench[k];
  weight[count] = w;
  sign[count] = s;
  count++;
}

void distribute(Share rule, double regularisation, const double* F_c, Reactions& r, Svd& svd) {
  SINEW_ASSERT(F_c && r.equations >= 1 && r.equations <= 6 && r.count >= 0 && r.count <= Reactions::most);
  SINEW_ASSERT(rule != Share::Regularised || regularisation > 0.0);
  if (r.inspect) {
    svd.rows = r.count;
    svd.columns = r.equations;
    for (int k = 0; k < r.equations; k++)
      for (int i = 0; i < r.count; i++) svd.u[k][i] = r.column[i][k];
    svd.decompose();
    r.rank = svd.rank(rank_tolerance);
    std::copy_n(svd.s, r.equations, r.singular);
  }
  r.feasible = true;
  if (rule == Share::Unilateral || rule == Share::Friction)
    solve_signed(F_c, r, svd);
  else if (rule == Share::Equal)
    for (int i = 0; i < r.count; i++) r.x[i] = F_c[0] / r.count;
  else if (rule != Share::MinimumNorm || !solve_well(F_c, r))
    solve_all(rule == Share::Regularised ? regularisation : 0.0, F_c, r, svd);
  double square = 0.0, size = 0.0;
  for (int k = 0; k < r.equations; k++) {
    r.left[k] = F_c[k];
    for (int i = 0; i < r.count; i++) r.left[k] -= r.column[i][k] * r.x[i];
    square += r.left[k] * r.left[k];
    size += F_c[k] * F_c[k];
  }
  r.left_norm = std::sqrt(square);
  if (rule != Share::Regularised && r.left_norm > 1e-8 * std::sqrt(size) + 1e-14) r.feasible = false;
}

void Infeasible::count(bool feasible, double left, double t) {
  if (feasible) return;
  if (steps == 0.0) first = t;
  steps += 1.0;
  if (left > worst) {
    worst = left;
    worst_time = t;
  }
}

std::string explain(const Infeasible& found) {
  if (found.steps == 0.0) return "";
  return fmt::format(
      "the contacts cannot produce this motion: in {:.0f} step{}, first at t = {:.4g} s, part of the wrench that they "
      "owe "
      "the head is left over, at most {:.4g} (N, N m) at t = {:.4g} s; rod.feasible and rod.left tell when and how "
      "much. "
      "Turn sides of supports, add supports, or use share = \"minimum-norm\"",
      found.steps, found.steps == 1.0 ? "" : "s", found.first, found.worst, found.worst_time);
}

}  // namespace sinew::rod
