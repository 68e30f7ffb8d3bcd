#include "sinew/math/qp.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"

namespace sinew {

// H = L L^T. Active normals N in the metric of H: L^-1 N = Q T, Q orthonormal, T upper triangular. Both are rebuilt where a row
// leaves; a row that joins adds a column.
struct SmallQp::Work {
  static constexpr int most = SmallQp::max_x;
  int n, n_active = 0;
  double L[most][most];
  double Q[most][most], T[most][most];  // column k of Q: Q[k]; T[k]: its coefficients
  int active[most];
  double sign[most];  // of an equality: which way it was added
  double u[most];     // multipliers

  bool factor(const SmallQp& qp) {
    SINEW_ASSERT(qp.n >= 0 && qp.n <= most);
    n = qp.n;
    for (int j = 0; j < n; j++) {
      double d = qp.H[j][j];
      for (int k = 0; k < j; k++) d -= L[j][k] * L[j][k];
      if (!(d > 0.0)) return false;
      L[j][j] = std::sqrt(d);
      for (int i = j + 1; i < n; i++) {
        double s = qp.H[i][j];
        for (int k = 0; k < j; k++) s -= L[i][k] * L[j][k];
        L[i][j] = s / L[j][j];
      }
    }
    return true;
  }
  void lower(const double* in, double scale, double* out) const {  // L^-1 in
    for (int i = 0; i < n; i++) {
      double s = scale * in[i];
      for (int k = 0; k < i; k++) s -= L[i][k] * out[k];
      out[i] = s / L[i][i];
    }
  }
  void upper(double* x) const {  // L^-T x
    for (int i = n - 1; i >= 0; i--) {
      for (int k = i + 1; k < n; k++) x[i] -= L[k][i] * x[k];
      x[i] /= L[i][i];
    }
  }
  // d = part along Q (coefficients t) + rest; twice, so that Q stays orthonormal. Returns the rest's length.
  double split(double* d, double* t) const {
    std::fill_n(t, n_active, 0.0);
    for (int pass = 0; pass < 2; pass++)
      for (int k = 0; k < n_active; k++) {
        double s = 0.0;
        for (int i = 0; i < n; i++) s += Q[k][i] * d[i];
        for (int i = 0; i < n; i++) d[i] -= s * Q[k][i];
        t[k] += s;
      }
    double length = 0.0;
    for (int i = 0; i < n; i++) length += d[i] * d[i];
    return std::sqrt(length);
  }
  void append(const double* rest, double length, const double* t, int row, double way, double multiplier) {
    SINEW_ASSERT(n_active < most && row >= 0 && row < max_rows);
    for (int i = 0; i < n; i++) Q[n_active][i] = rest[i] / length;
    std::copy_n(t, n_active, T[n_active]);
    T[n_active][n_active] = length;
    active[n_active] = row;
    sign[n_active] = way;
    u[n_active] = multiplier;
    n_active++;
  }
  void drop(const SmallQp& qp, int which) {
    SINEW_ASSERT(which >= 0 && which < n_active);
    const int before = n_active;
    n_active = which;
    for (int k = which + 1; k < before; k++) {
      double d[most], t[most];
      lower(qp.c[active[k]], sign[k], d);
      const double length = split(d, t);
      append(d, length, t, active[k], sign[k], u[k]);
    }
  }
};

int SmallQp::add_row(double bound) {
  SINEW_ASSERT(n >= 0 && n <= max_x && n_rows < max_rows);
  std::fill_n(c[n_rows], n, 0.0);
  b[n_rows] = bound;
  return n_rows++;
}

double SmallQp::slack(int row) const {
  double s = -b[row];
  for (int i = 0; i < n; i++) s += c[row][i] * x[i];
  return s;
}

double SmallQp::size(int row) const {
  double s = std::abs(b[row]);
  for (int i = 0; i < n; i++) s = std::max(s, std::abs(c[row][i]));
  return s;
}

// The inequality that is missed most and not active; -1: none.
int SmallQp::worst_row(const bool* is_active) const {
  int row = -1;
  double worst = 0.0;
  for (int i = n_equal; i < n_rows; i++) {
    if (is_active[i]) continue;
    const double s = slack(i);
    if (s < -1e-11 * (1.0 + size(i)) && s < worst) {
      worst = s;
      row = i;
    }
  }
  return row;
}

// Steps until the row holds; rows whose multiplier would change its sign leave on the way. False: nothing can make it hold.
bool SmallQp::add(int row, Work& w, bool* is_active) {
  SINEW_ASSERT(row >= 0 && row < n_rows && !is_active[row]);
  const double way = row < n_equal && slack(row) > 0.0 ? -1.0 : 1.0;
  double mine = 0.0;  // multiplier of the row that joins
  for (;;) {
    double d[max_x], t[max_x], r[max_x], norm = 0.0;
    w.lower(c[row], way, d);
    for (int i = 0; i < n; i++) norm += d[i] * d[i];
    const double rest = w.split(d, t);
    const bool depends = rest <= 1e-12 * std::sqrt(norm);
    for (int k = w.n_active - 1; k >= 0; k--) {
      r[k] = t[k];
      for (int m = k + 1; m < w.n_active; m++) r[k] -= w.T[m][k] * r[m];
      r[k] /= w.T[k][k];
    }
    int leaves = -1;
    double t1 = INFINITY;
    for (int k = 0; k < w.n_active; k++)
      if (w.active[k] >= n_equal && r[k] > 1e-14 && w.u[k] / r[k] < t1) {
        t1 = w.u[k] / r[k];
        leaves = k;
      }
    const double s = way * slack(row);
    const double t2 = depends ? INFINITY : -s / (rest * rest);
    if (depends && row < n_equal && std::abs(s) <= 1e-9 * (1.0 + size(row))) return true;  // says what others say
    const double step = std::min(t1, t2);
    if (!(step < INFINITY)) return false;
    for (int k = 0; k < w.n_active; k++) w.u[k] -= step * r[k];
    mine += step;
    if (!depends) {
      double z[max_x];
      std::copy_n(d, n, z);
      w.upper(z);
      for (int i = 0; i < n; i++) x[i] += step * z[i];
    }
    if (step == t2) {
      w.append(d, rest, t, row, way, mine);
      is_active[row] = true;
      return true;
    }
    SINEW_ASSERT(leaves >= 0);
    is_active[w.active[leaves]] = false;
    w.drop(*this, leaves);
  }
}

SmallQp::Status SmallQp::solve() {
  SINEW_ASSERT(n >= 0 && n <= max_x && n_rows >= 0 && n_rows <= max_rows && n_equal >= 0 && n_equal <= n_rows);
  Work w;
  iterations = 0;
  std::fill_n(multiplier, n_rows, 0.0);
  if (!w.factor(*this)) return Status::NotConvex;
  w.lower(g, -1.0, x);
  w.upper(x);
  bool is_active[max_rows] = {};
  for (;; iterations++) {
    if (iterations > 20 * max_rows) return Status::TooLong;
    const int row = iterations < n_equal ? iterations : worst_row(is_active);
    if (row < 0) break;
    if (!add(row, w, is_active)) return Status::Infeasible;
  }
  for (int k = 0; k < w.n_active; k++) multiplier[w.active[k]] = w.sign[k] * w.u[k];
  violation = 0.0;
  for (int i = 0; i < n_rows; i++) violation = std::max(violation, i < n_equal ? std::abs(slack(i)) : -slack(i));
  return Status::Solved;
}

}  // namespace sinew
