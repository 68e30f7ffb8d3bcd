// By central differences of the sums that a step uses: no second set of equations to keep in step with the first.
#include "sinew/control/linearise.h"

#include "sinew/dynamics/inverse.h"
#include "sinew/kinematics/frames.h"
#include "sinew/math/check.h"
#include "sinew/step/actuate.h"

namespace sinew {
namespace {

const Plan& without_loops(const Plan& plan) {
  std::vector<Problem> problems;
  for (const JointPlan& j : plan.joints) {
    if (j.loop) problems.push_back({"loop." + j.name, "a robot with loops cannot be made linear: remove the loop"});
    if (j.tie.is_there() && !j.loop)
      problems.push_back({"joint." + j.name, "a robot with a " + std::string(name_of(j.tie.kind)) +
                                                 " joint cannot be made linear: use a joint of another kind"});
  }
  for (const CouplingPlan& c : plan.couplings)
    problems.push_back({"coupling." + c.name, "a robot with couplings cannot be made linear: remove it"});
  if (!problems.empty()) throw PlanError(std::move(problems));
  return plan;
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

Statics::Statics(const Plan& plan) : Statics(PlannedTree{plan, compile(without_loops(plan), Coordinates::Tree)}) {}

Statics::Statics(const PlannedTree& robot)
    : compiled_(robot.compiled),
      input_(neutral_input<double>(model())),
      ws_(model()),
      mass_(model()),
      still_(model().nu, 0.0) {
  without_loops(robot.plan);
  SINEW_CHECK(model().coordinates == Coordinates::Tree, "Statics: the robot is not in tree coordinates");
  prescribe(model(), compiled_.params, 0.0, ws_.driven);
}

Matrix Statics::holding_force(const std::vector<double>& q, const Matrix& u) {
  SINEW_CHECK(int(q.size()) == model().nq && u.rows == model().nu && u.cols == 1, "Statics: ", q.size(),
              " coordinates and ", u.rows, " x ", u.cols, " velocities, the model has ", model().nq, " and ",
              model().nu);
  const Params<double>& params = compiled_.params;
  evaluate_frames(model(), params, q.data(), u.values.data(), ws_.driven, ws_.frames);
  actuate(model(), params, input_, q.data(), u.values.data(), ws_);
  inverse_dynamics(model(), params, ws_.frames, {still_.data(), &ws_.applied}, ws_.inverse, ws_.axis_torque.data());
  Matrix force(model().nu, 1);
  for (const JointInfo& info : model().joints) {
    const Link& link = model().links[info.link];
    if (link.driven) continue;
    for (int i = 0; i < info.n_axes; i++) {
      const int at = info.axis + i;
      force[link.u + i] =
          ws_.axis_torque[link.axis + i] - ws_.axis.spring[at] - ws_.axis.damper[at] - ws_.axis.actuator[at];
    }
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
  SINEW_CHECK(int(q.size()) == model().nq, "Statics: ", q.size(), " coordinates, the model has ", model().nq);
  Matrix M(model().nu, model().nu);
  evaluate_frames(model(), compiled_.params, q.data(), still_.data(), ws_.driven, ws_.frames);
  mass_matrix(model(), compiled_.params, ws_.frames, mass_, M.values.data());
  return M;
}

std::vector<double> Statics::moved(std::vector<double> q, const Matrix& dx) const {
  SINEW_CHECK(int(q.size()) == model().nq && dx.rows == model().nu && dx.cols == 1, "Statics: ", q.size(),
              " coordinates moved by ", dx.rows, " x ", dx.cols, ", the model has ", model().nq, " and ", model().nu);
  advance(model(), dx.values.data(), 1.0, q.data());
  return q;
}

}  // namespace sinew
