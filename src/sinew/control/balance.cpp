#include "sinew/control/balance.h"

#include <algorithm>
#include <cmath>
#include <Eigen/LU>
#include <Eigen/QR>

namespace sinew {

using Eigen::MatrixXd;
using Eigen::VectorXd;

bool find_rest(Statics& statics, const VectorXd& force, std::vector<double>& q) {
  double scale = force.norm() + statics.holding_force(q).norm();
  for (int pass = 0; pass < 100; pass++) {
    const VectorXd error = statics.holding_force(q) - force;
    const MatrixXd K = statics.stiffness(q);
    const VectorXd step = -K.partialPivLu().solve(error);
    if (!step.allFinite()) return false;
    q = statics.moved(q, step * std::min(1.0, 0.3 / std::max(step.lpNorm<Eigen::Infinity>(), 1e-300)));
    scale = std::max({scale, error.norm(), K.norm()});  // K times 1 rad: it may have begun at rest
    if (step.lpNorm<Eigen::Infinity>() < 1e-12) return error.norm() <= 1e-9 * scale + 1e-300;
  }
  return false;
}

Balance find_balance(Statics& statics, const MatrixXd& B, const MatrixXd& T, const std::vector<double>& from) {
  Balance out;
  out.u = VectorXd::Zero(B.cols());
  out.q = from;
  const auto away = [&] {
    return VectorXd(Eigen::Map<const VectorXd>(out.q.data(), Eigen::Index(out.q.size())) -
                    Eigen::Map<const VectorXd>(from.data(), Eigen::Index(from.size())));
  };
  for (int pass = 0; pass < 100; pass++) {
    if (!find_rest(statics, B * out.u, out.q)) return out;
    out.moved = away();
    const MatrixXd by_torque = statics.stiffness(out.q).partialPivLu().solve(B);
    const VectorXd step = -(T * by_torque).colPivHouseholderQr().solve(T * out.moved);
    if (!step.allFinite()) return out;
    out.found = step.norm() <= 1e-11 * std::max(out.u.norm(), 1e-300) || step.norm() < 1e-15;
    if (out.found) return out;
    out.u += step;
  }
  return out;
}

}  // namespace sinew
