#include "sinew/math/eigenvalues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/math/jacobi.h"
#include "sinew/math/schur.h"

namespace sinew {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// The eigenvalues of H from its last rows on; those found are cut off.
class Francis {
 public:
  explicit Francis(Matrix& H) : H(H), last(H.rows - 1) {
    for (int i = 0; i < H.rows; i++)
      for (int k = std::max(i - 1, 0); k < H.cols; k++) size += std::abs(H(i, k));
  }

  bool find(std::vector<std::complex<double>>& out) {
    out.resize(std::size_t(H.rows));
    for (int turns = 0; last >= 0;) {
      const int first = split();
      if (first == last) {
        out[last] = H(last, last) + shifted;
        last--;
        turns = 0;
      } else if (first == last - 1) {
        pair(out[last - 1], out[last]);
        last -= 2;
        turns = 0;
      } else {
        if (turns++ == 100) return false;
        sweep(first, turns % 10 == 0);
      }
    }
    return true;
  }

 private:
  Matrix& H;
  int last;
  double size = 0.0, shifted = 0.0;
  double p = 0.0, q = 0.0, r = 0.0;  // direction of the next reflection

  // First row of the last part that does not fall apart.
  int split() const {
    int l = last;
    for (; l > 0; l--) {
      double s = std::abs(H(l - 1, l - 1)) + std::abs(H(l, l));
      if (s == 0.0) s = size;
      if (std::abs(H(l, l - 1)) <= eps * s) break;
    }
    return l;
  }

  void pair(std::complex<double>& upper, std::complex<double>& lower) const {
    const double w = H(last, last - 1) * H(last - 1, last), half = 0.5 * (H(last - 1, last - 1) - H(last, last));
    const double square = half * half + w, root = std::sqrt(std::abs(square)), x = H(last, last) + shifted;
    if (square >= 0.0) {
      const double z = half >= 0.0 ? half + root : half - root;
      upper = x + z;
      lower = z != 0.0 ? x - w / z : x + z;
    } else {
      upper = {x + half, root};
      lower = {x + half, -root};
    }
  }

  // One sweep with the two eigenvalues of the last corner as shifts, now and then with others in case it turns in a circle.
  void sweep(int first, bool unusual) {
    double x = H(last, last), y = H(last - 1, last - 1), w = H(last, last - 1) * H(last - 1, last);
    if (unusual) {
      shifted += x;
      for (int i = 0; i <= last; i++) H(i, i) -= x;
      const double s = std::abs(H(last, last - 1)) + std::abs(H(last - 1, last - 2));
      x = y = 0.75 * s;
      w = -0.4375 * s * s;
    }
    const int start = begin(first, x, y, w);
    for (int i = start + 2; i <= last; i++) {
      H(i, i - 2) = 0.0;
      if (i > start + 2) H(i, i - 3) = 0.0;
    }
    for (int k = start; k < last; k++) {
      double scale = 1.0;
      if (k != start) {
        p = H(k, k - 1);
        q = H(k + 1, k - 1);
        r = k + 1 < last ? H(k + 2, k - 1) : 0.0;
        scale = std::abs(p) + std::abs(q) + std::abs(r);
        if (scale == 0.0) continue;
        p /= scale;
        q /= scale;
        r /= scale;
      }
      const double s = p < 0.0 ? -std::sqrt(p * p + q * q + r * r) : std::sqrt(p * p + q * q + r * r);
      if (s == 0.0) continue;
      if (k != start)
        H(k, k - 1) = -s * scale;
      else if (first != start)
        H(k, k - 1) = -H(k, k - 1);
      reflect(first, k, s);
    }
  }

  // Where the sweep may begin: two small entries below the diagonal do the same as one that vanishes.
  int begin(int first, double x, double y, double w) {
    int m = last - 2;
    for (;; m--) {
      const double z = H(m, m), a = x - z, b = y - z;
      p = (a * b - w) / H(m + 1, m) + H(m, m + 1);
      q = H(m + 1, m + 1) - z - a - b;
      r = H(m + 2, m + 1);
      const double s = std::abs(p) + std::abs(q) + std::abs(r);
      p /= s;
      q /= s;
      r /= s;
      if (m == first) break;
      const double beside = std::abs(H(m - 1, m - 1)) + std::abs(z) + std::abs(H(m + 1, m + 1));
      if (std::abs(H(m, m - 1)) * (std::abs(q) + std::abs(r)) <= eps * std::abs(p) * beside) break;
    }
    return m;
  }

  // Of rows and columns k to k + 2, or k + 1 at the end.
  void reflect(int first, int k, double s) {
    const bool three = k + 1 < last;
    p += s;
    const double x = p / s, y = q / s, z = r / s, b = q / p, c = r / p;
    for (int j = k; j <= last; j++) {
      const double sum = H(k, j) + b * H(k + 1, j) + (three ? c * H(k + 2, j) : 0.0);
      H(k, j) -= sum * x;
      H(k + 1, j) -= sum * y;
      if (three) H(k + 2, j) -= sum * z;
    }
    for (int i = first; i <= std::min(last, k + 3); i++) {
      const double sum = x * H(i, k) + y * H(i, k + 1) + (three ? z * H(i, k + 2) : 0.0);
      H(i, k) -= sum;
      H(i, k + 1) -= sum * b;
      if (three) H(i, k + 2) -= sum * c;
    }
  }
};

// Rows, or columns, i and k turned by the angle with cosine c and sine s.
void turn_rows(Matrix& a, int i, int k, double c, double s) {
  SINEW_ASSERT(i != k && i < a.rows && k < a.rows);
  for (int j = 0; j < a.cols; j++) {
    const double x = a(i, j), y = a(k, j);
    a(i, j) = c * x - s * y;
    a(k, j) = s * x + c * y;
  }
}
void turn_columns(Matrix& a, int i, int k, double c, double s) {
  SINEW_ASSERT(i != k && i < a.cols && k < a.cols);
  for (int j = 0; j < a.rows; j++) {
    const double x = a(j, i), y = a(j, k);
    a(j, i) = c * x - s * y;
    a(j, k) = s * x + c * y;
  }
}

// A = L L'. False: not positive definite.
bool cholesky(const Matrix& A, Matrix& L) {
  SINEW_ASSERT(A.rows == A.cols);
  L = Matrix(A.rows, A.rows);
  for (int i = 0; i < A.rows; i++)
    for (int k = 0; k <= i; k++) {
      double x = A(i, k);
      for (int j = 0; j < k; j++) x -= L(i, j) * L(k, j);
      if (i != k)
        L(i, k) = x / L(k, k);
      else if (x > 0.0)
        L(i, i) = std::sqrt(x);
      else
        return false;
    }
  return true;
}

// B <- L^-1 B
void solve_lower(const Matrix& L, Matrix& B) {
  SINEW_ASSERT(L.rows == L.cols && L.rows == B.rows);
  for (int i = 0; i < L.rows; i++)
    for (int k = 0; k < B.cols; k++) {
      double x = B(i, k);
      for (int j = 0; j < i; j++) x -= L(i, j) * B(j, k);
      B(i, k) = x / L(i, i);
    }
}

}  // namespace

std::vector<std::complex<double>> eigenvalues(const Matrix& A) {
  SINEW_CHECK(A.rows == A.cols, "eigenvalues: a matrix of ", A.rows, " x ", A.cols, " is not square");
  Matrix H = A;
  make_hessenberg(H);
  std::vector<std::complex<double>> out;
  if (!is_finite(H) || !Francis(H).find(out))
    out.assign(std::size_t(A.rows), std::complex<double>(std::numeric_limits<double>::quiet_NaN(), 0.0));
  return out;
}

double largest_real_part(const Matrix& A) {
  double out = -std::numeric_limits<double>::infinity();
  for (const std::complex<double>& value : eigenvalues(A))
    if (!(value.real() <= out)) out = value.real();
  return out;
}

Modes symmetric_modes(const Matrix& A) {
  SINEW_CHECK(A.rows == A.cols, "modes: a matrix of ", A.rows, " x ", A.cols, " is not square");
  SINEW_ASSERT(!(largest(A - transpose(A)) > 1e-9 * largest(A)));
  const int n = A.rows;
  Matrix D = A, rows = Matrix::identity(n);
  bool moved = true;
  for (int sweep = 0; sweep < 60 && moved; sweep++) {
    moved = false;
    for (int i = 0; i < n; i++)
      for (int k = i + 1; k < n; k++) {
        // Small against its own two values, not only against the largest: small values stay exact as far as they are
        if (!(std::abs(D(i, k)) > eps * std::sqrt(std::abs(D(i, i))) * std::sqrt(std::abs(D(k, k))))) continue;
        const auto [c, s, t] = jacobi_rotation(D(i, i), D(k, k), D(i, k));
        const double lower = D(i, i) - t * D(i, k), upper = D(k, k) + t * D(i, k);
        turn_rows(D, i, k, c, s);
        turn_columns(D, i, k, c, s);
        turn_rows(rows, i, k, c, s);
        D(i, i) = lower;
        D(k, k) = upper;  // less round-off than by turning
        D(i, k) = D(k, i) = 0.0;
        moved = true;
      }
  }
  std::vector<int> order(std::size_t(n), 0);
  for (int i = 0; i < n; i++) order[i] = i;
  std::ranges::stable_sort(order, [&](int i, int k) { return D(i, i) < D(k, k); });
  Modes out{std::vector<double>(std::size_t(n)), Matrix(n, n)};
  for (int k = 0; k < n; k++) {
    out.values[k] = D(order[k], order[k]);
    for (int i = 0; i < n; i++) out.vectors(i, k) = rows(order[k], i);
  }
  return out;
}

// K in the coordinates L' v, M = L L'.
Modes symmetric_modes(const Matrix& K, const Matrix& M) {
  SINEW_CHECK(K.rows == K.cols && M.rows == M.cols && K.rows == M.rows, "modes: stiffness ", K.rows, " x ", K.cols,
              ", mass ", M.rows, " x ", M.cols);
  Matrix L;
  if (!cholesky(M, L))
    return {std::vector<double>(std::size_t(K.rows), std::numeric_limits<double>::quiet_NaN()), Matrix(K.rows, K.rows)};
  Matrix A = K;
  solve_lower(L, A);
  A = transpose(A);
  solve_lower(L, A);
  Modes out = symmetric_modes(0.5 * (A + transpose(A)));
  for (int k = 0; k < K.rows; k++)
    for (int i = K.rows - 1; i >= 0; i--) {
      double x = out.vectors(i, k);
      for (int j = i + 1; j < K.rows; j++) x -= L(j, i) * out.vectors(j, k);
      out.vectors(i, k) = x / L(i, i);
    }
  return out;
}

}  // namespace sinew
