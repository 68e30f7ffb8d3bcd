// By singular values, the least over the largest: how far the pencil is from losing rank.
#include "sinew/control/hautus.h"

#include "sinew/math/check.h"
#include "sinew/math/dense.h"

namespace sinew {

double reach(const Matrix& F, const Matrix& G, std::complex<double> p) {
  SINEW_CHECK(F.rows == F.cols && G.rows == F.rows && F.rows > 0, "Hautus' test: F ", F.rows, " x ", F.cols, ", G ",
              G.rows, " x ", G.cols);
  const int n = F.rows;
  const Matrix real = beside(F - p.real() * Matrix::identity(n), G);
  if (p.imag() == 0.0) {
    const std::vector<double> s = singular_values(real);
    return s.back() / s.front();
  }
  // A + iB has the singular values of [A, -B; B, A], there each twice
  Matrix both(2 * n, 2 * real.cols);
  put(real, 0, 0, both);
  put(real, n, real.cols, both);
  for (int i = 0; i < n; i++) {
    both(i, real.cols + i) = p.imag();
    both(n + i, i) = -p.imag();
  }
  const std::vector<double> s = singular_values(both);
  return s.back() / s.front();
}

}  // namespace sinew
