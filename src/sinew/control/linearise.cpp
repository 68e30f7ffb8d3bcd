#include "sinew/control/linearise.h"

#include "sinew/kinematics/frames.h"

namespace sinew {
namespace {

Compiled compile_tree(const Plan& plan) {
  std::vector<Problem> problems;
  for (const JointPlan& j : plan.joints)
    if (j.loop) problems.push_back({"loop." + j.name, "a robot with loops cannot be made linear: remove the loop"});
  if (!problems.empty()) throw PlanError(std::move(problems));
  return compile(plan, Coordinates::Tree);
}

// Derivative of f at 0 by central differences of two widths, whose errors of second order cancel.
template <class F>
Matrix slope(F f, double width) {
  const Matrix near = (f(width) - f(-width)) / (2.0 * width);
  const Matrix far = (f(2.0 * width) - f(-2.0 * width)) / (4.0 * width);
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

Matrix Statics::holding_force(const std::vector<double>& q, const Matrix& u) {
  const Params<double>& params = compiled_.params;
  evaluate_frames(model(), params, q.data(), u.values.data(), driven_, frames_);
  inverse_dynamics<double>(model(), params, frames_, still_.data(), nullptr, inverse_, torque_.data());
  Matrix force(model().nu, 1);
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
        force[link.u + i] =
            torque_[link.axis + i] - elastic[i] - params.springs[info.axis + i].damping_force(u[link.u + i]);
    });
  }
  return force;
}

Matrix Statics::holding_force(const std::vector<double>& q) { return holding_force(q, Matrix(model().nu, 1)); }

Matrix Statics::stiffness(const std::vector<double>& q) {
  const int n = model().nu;
  Matrix K(n, n);
  for (int i = 0; i < n; i++)
    put(slope([&](double x) { return holding_force(moved(q, x * Matrix::unit(n, i))); }, width), 0, i, K);
  return K;
}

Linear Statics::about(const std::vector<double>& q) {
  const int n = model().nu;
  Linear out{mass(q), Matrix(n, n), stiffness(q)};
  for (int i = 0; i < n; i++)
    put(slope([&](double x) { return holding_force(q, x * Matrix::unit(n, i)); }, width), 0, i, out.C);
  return out;
}

Matrix Statics::mass(const std::vector<double>& q) {
  Matrix M(model().nu, model().nu);
  evaluate_frames(model(), compiled_.params, q.data(), still_.data(), driven_, frames_);
  mass_matrix(model(), compiled_.params, frames_, mass_, M.values.data());
  return M;
}

std::vector<double> Statics::moved(std::vector<double> q, const Matrix& dx) const {
  advance(model(), dx.values.data(), 1.0, q.data());
  return q;
}

}  // namespace sinew
