// Newton's method for the pose inside Gauss and Newton's for the torques; found where both have come to rest.
#include "sinew/control/balance.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/dense.h"

namespace sinew {

bool find_rest(Statics& statics, const Matrix& force, std::vector<double>& q) {
  SINEW_CHECK(force.rows == statics.model().nu && force.cols == 1, "find_rest: forces ", force.rows, " x ", force.cols,
              ", the model has ", statics.model().nu, " freedoms");
  double scale = norm(force) + norm(statics.holding_force(q));
  for (int pass = 0; pass < 100; pass++) {
    const Matrix error = statics.holding_force(q) - force;
    const Matrix K = statics.stiffness(q);
    const Matrix step = -solve(K, error);
    if (!is_finite(step)) return false;
    q = statics.moved(q, std::min(1.0, 0.3 / std::max(largest(step), 1e-300)) * step);
    scale = std::max({scale, norm(error), norm(K)});  // K times 1 rad: it may have begun at rest
    if (largest(step) < 1e-12) return norm(error) <= 1e-9 * scale + 1e-300;
  }
  return false;
}

Balance find_balance(Statics& statics, const Matrix& B, const Matrix& T, const std::vector<double>& from) {
  SINEW_CHECK(B.rows == statics.model().nu && T.cols == statics.model().nu, "find_balance: inputs on ", B.rows,
              " freedoms, angles of ", T.cols, ", the model has ", statics.model().nu);
  SINEW_CHECK(int(from.size()) == statics.model().nq && statics.model().nq == statics.model().nu,
              "find_balance: a pose of ", from.size(), " coordinates, the model has ", statics.model().nq, " for ",
              statics.model().nu, " freedoms, which must be as many");
  Balance out;
  out.u = Matrix(B.cols, 1);
  out.q = from;
  for (int pass = 0; pass < 100; pass++) {
    if (!find_rest(statics, B * out.u, out.q)) return out;
    out.moved = Matrix::column(out.q) - Matrix::column(from);
    const Matrix by_torque = solve(statics.stiffness(out.q), B);
    const Matrix step = -least_norm(T * by_torque, T * out.moved, 1e-14);
    if (!is_finite(step)) return out;
    out.found = norm(step) <= 1e-11 * std::max(norm(out.u), 1e-300) || norm(step) < 1e-15;
    if (out.found) return out;
    out.u = out.u + step;
  }
  return out;
}

}  // namespace sinew
