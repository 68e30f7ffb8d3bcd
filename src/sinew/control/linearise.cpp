#include "sinew/control/linearise.h"

#include "sinew/kinematics/frames.h"

namespace sinew {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Compiled compile_tree(const Plan& plan) {
  std::vector<Problem> problems;
  for (const JointPlan& j : plan.joints)
    if (j.loop) problems.push_back({"loop." + j.name, "a robot with loops cannot be made linear: remove the loop"});
  if (!problems.empty()) throw PlanError(std::move(problems));
  return compile(plan, Coordinates::Tree);
}

// Derivative of f at 0 by central differences of two widths, whose errors of second order cancel.
template <class F>
VectorXd slope(F f, double width) {
  const VectorXd near = (f(width) - f(-width)) / (2.0 * width);
  const VectorXd far = (f(2.0 * width) - f(-2.0 * width)) / (4.0 * width);
  return (4.0 * near - far) / 3.0;
}

constexpr double width = 1e-3;  // [rad, m, rad/s, m/s]: the fifth power is round-off

}  // namespace

Statics::Statics(const Plan& plan)
    : compiled_(compile_tree(plan)),
      frames_(model()),
      driven_(model()),
      inverse_(model()),
      mass_(model()),
      still_(model().nu, 0.0),
      torque_(model().n_frame_axes) {
  prescribe(model(), compiled_.params, 0.0, driven_);
}

VectorXd Statics::holding_force(const std::vector<double>& q, const VectorXd& u) {
  const Params<double>& params = compiled_.params;
  evaluate_frames(model(), params, q.data(), u.data(), driven_, frames_);
  inverse_dynamics<double>(model(), params, frames_, still_.data(), nullptr, inverse_, torque_.data());
  VectorXd force(model().nu);
  for (const JointInfo& info : model().joints) {
    const Link& link = model().links[info.link];
    if (link.driven) continue;
    joint::visit(info.kind, [&]<class J>() {
      double e[J::nu + 1] = {}, elastic[J::nu + 1] = {};
      if (info.has_spring) {
        J::strain(q.data() + link.q, params.rest.data() + info.coord, e);
        for (int i = 0; i < J::nu; i++) elastic[i] = params.springs[info.axis + i].elastic_force(e[i]);
        J::spring_forces(q.data() + link.q, e, elastic);
      }
      for (int i = 0; i < J::nu; i++)
        force(link.u + i) =
            torque_[link.axis + i] - elastic[i] - params.springs[info.axis + i].damping_force(u(link.u + i));
    });
  }
  return force;
}

VectorXd Statics::holding_force(const std::vector<double>& q) { return holding_force(q, VectorXd::Zero(model().nu)); }

MatrixXd Statics::stiffness(const std::vector<double>& q) {
  const int n = model().nu;
  MatrixXd K(n, n);
  for (int i = 0; i < n; i++)
    K.col(i) = slope([&](double x) { return holding_force(moved(q, x * VectorXd::Unit(n, i))); }, width);
  return K;
}

Linear Statics::about(const std::vector<double>& q) {
  const int n = model().nu;
  Linear out{mass(q), MatrixXd(n, n), stiffness(q)};
  for (int i = 0; i < n; i++)
    out.C.col(i) = slope([&](double x) { return holding_force(q, x * VectorXd::Unit(n, i)); }, width);
  return out;
}

MatrixXd Statics::mass(const std::vector<double>& q) {
  MatrixXd M(model().nu, model().nu);
  evaluate_frames(model(), compiled_.params, q.data(), still_.data(), driven_, frames_);
  mass_matrix(model(), compiled_.params, frames_, mass_, M.data());  // symmetric: rows or columns, all the same
  return M;
}

std::vector<double> Statics::moved(std::vector<double> q, const VectorXd& dx) const {
  advance(model(), dx.data(), 1.0, q.data());
  return q;
}

}  // namespace sinew
