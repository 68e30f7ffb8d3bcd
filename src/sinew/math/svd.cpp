#include "sinew/math/svd.h"

#include <cmath>
#include <limits>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/math/jacobi.h"

namespace sinew {
namespace {

// Turns two columns so that they become orthogonal; false: they are.
bool rotate(double* a, double* b, int rows, double* va, double* vb, int columns) {
  double aa = 0.0, bb = 0.0, ab = 0.0;
  for (int i = 0; i < rows; i++) {
    aa += a[i] * a[i];
    bb += b[i] * b[i];
    ab += a[i] * b[i];
  }
  if (std::abs(ab) <= 1e-16 * std::sqrt(aa * bb)) return false;
  const JacobiRotation r = jacobi_rotation(aa, bb, ab);
  r.turn(a, b, rows);
  r.turn(va, vb, columns);
  return true;
}

}  // namespace

void Svd::decompose() {
  SINEW_ASSERT(rows >= 0 && rows <= most_rows && columns >= 0 && columns <= most_columns);
  for (int k = 0; k < columns; k++)
    for (int i = 0; i < columns; i++) v[k][i] = k == i;
  bool moved = true;
  for (int sweep = 0; sweep < 40 && moved; sweep++) {
    moved = false;
    for (int p = 0; p < columns; p++)
      for (int q = p + 1; q < columns; q++) moved = rotate(u[p], u[q], rows, v[p], v[q], columns) || moved;
  }
  for (int k = 0; k < columns; k++) {
    double square = 0.0;
    for (int i = 0; i < rows; i++) square += u[k][i] * u[k][i];
    s[k] = std::sqrt(square);
  }
  for (int k = 0; k < columns; k++)
    for (int j = k + 1; j < columns; j++)
      if (s[j] > s[k]) {
        std::swap(s[j], s[k]);
        for (int i = 0; i < rows; i++) std::swap(u[j][i], u[k][i]);
        for (int i = 0; i < columns; i++) std::swap(v[j][i], v[k][i]);
      }
  for (int k = 0; k < columns; k++)
    for (int i = 0; i < rows; i++) u[k][i] = s[k] > 0.0 ? u[k][i] / s[k] : 0.0;
}

int Svd::rank(double relative) const {
  SINEW_ASSERT(relative >= 0.0 && columns <= most_columns);
  int r = 0;
  while (r < columns && s[r] > relative * s[0]) r++;
  return r;
}

double Svd::condition(int of_rank) const {
  SINEW_ASSERT(of_rank >= 0 && of_rank <= columns);
  return of_rank > 0 ? s[0] / s[of_rank - 1] : std::numeric_limits<double>::infinity();
}

void Svd::solve(int r, const double* b, double* x) const {
  SINEW_ASSERT(r >= 0 && r <= columns && x && (rows == 0 || b));
  for (int i = 0; i < columns; i++) x[i] = 0.0;
  for (int k = 0; k < r; k++) {
    double y = 0.0;
    for (int i = 0; i < rows; i++) y += u[k][i] * b[i];
    for (int i = 0; i < columns; i++) x[i] += v[k][i] * (y / s[k]);
  }
}

void Svd::solve_transposed(int r, const double* f, double* y, double* p) const {
  SINEW_ASSERT(r >= 0 && r <= columns && f && (rows == 0 || y));
  for (int i = 0; i < rows; i++) y[i] = 0.0;
  if (p)
    for (int i = 0; i < columns; i++) p[i] = 0.0;
  for (int k = 0; k < r; k++) {
    double a = 0.0;
    for (int i = 0; i < columns; i++) a += v[k][i] * f[i];
    a /= s[k];
    for (int i = 0; i < rows; i++) y[i] += u[k][i] * a;
    if (p)
      for (int i = 0; i < columns; i++) p[i] += v[k][i] * (a / s[k]);
  }
}

}  // namespace sinew
