#include "sinew/control/properties.h"

#include <cmath>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "sinew/control/balance.h"

namespace sinew {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> list_of(const VectorXd& x) { return {x.begin(), x.end()}; }

MatrixXd square(const std::vector<double>& S, Eigen::Index n) {
  if (S.empty()) return MatrixXd::Identity(n, n);
  return Eigen::Map<const RowMajor>(S.data(), n, n);
}

Linear linear_of(const Plan& plan) {
  Statics statics(plan);
  return statics.about(statics.start());
}
Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes_of(const Linear& linear) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(0.5 * (linear.K + linear.K.transpose()), linear.M);
}

}  // namespace

std::vector<double> mass_matrix_of(const Plan& plan, const std::vector<double>& S) {
  Statics statics(plan);
  const MatrixXd back = square(S, statics.model().nu).inverse();
  const RowMajor M = back.transpose() * statics.mass(statics.start()) * back;
  return {M.data(), M.data() + M.size()};
}

// Without dampers, and without what holds it still.
std::vector<double> bias_of(const Plan& plan, const std::vector<double>& S) {
  Plan undamped = plan;
  for (JointPlan& j : undamped.joints) j.damping.clear();
  Statics statics(undamped);
  const std::vector<double> q = statics.start();
  const VectorXd bias = statics.holding_force(q, statics.start_rates()) - statics.holding_force(q);
  return list_of(square(S, bias.size()).inverse().transpose() * bias);
}

std::vector<double> acceleration_of(const Plan& plan, const std::vector<double>& S) {
  Statics statics(plan);
  const std::vector<double> q = statics.start();
  const VectorXd force = statics.holding_force(q, statics.start_rates());
  return list_of(-square(S, force.size()) * statics.mass(q).ldlt().solve(force));
}

std::vector<double> frequencies_of(const Plan& plan) {
  return list_of(modes_of(linear_of(plan)).eigenvalues().cwiseMax(0.0).cwiseSqrt());
}

std::vector<double> damping_ratios_of(const Plan& plan) {
  const Linear linear = linear_of(plan);
  const auto modes = modes_of(linear);
  const MatrixXd of_modes = modes.eigenvectors().transpose() * linear.C * modes.eigenvectors();
  return list_of(of_modes.diagonal().cwiseQuotient(2.0 * modes.eigenvalues().cwiseMax(0.0).cwiseSqrt()));
}

bool is_regular(const std::vector<double>& S) {
  return std::abs(square(S, Eigen::Index(std::lround(std::sqrt(double(S.size()))))).determinant()) > 1e-9;
}

bool put_to_rest(Plan& plan) {
  Statics statics(plan);
  std::vector<double> q = statics.start();
  if (!find_rest(statics, VectorXd::Zero(statics.model().nu), q)) return false;
  for (std::size_t j = 0; j < plan.joints.size(); j++) {
    const JointInfo& info = statics.model().joints[j];
    const Link& link = statics.model().links[info.link];
    if (link.driven) continue;
    plan.joints[j].position.assign(q.begin() + link.q, q.begin() + link.q + info.n_coords);
    plan.joints[j].velocity.assign(std::size_t(info.n_axes), 0.0);
  }
  return true;
}

}  // namespace sinew
