// Each number is asked of Statics at the start of the plan.
#include "sinew/control/properties.h"

#include <algorithm>
#include <cmath>

#include "sinew/control/balance.h"
#include "sinew/math/dense.h"
#include "sinew/math/eigenvalues.h"

namespace sinew {
namespace {

Matrix square(const std::vector<double>& S, int n) { return S.empty() ? Matrix::identity(n) : Matrix(n, n, S); }

Linear linear_of(const PlannedTree& robot) {
  Statics statics(robot);
  return statics.about(statics.start());
}
Modes modes_of(const Linear& linear) { return symmetric_modes(0.5 * (linear.K + transpose(linear.K)), linear.M); }

}  // namespace

std::vector<double> mass_matrix_of(const PlannedTree& robot, const std::vector<double>& S) {
  Statics statics(robot);
  const Matrix back = inverse(square(S, statics.model().nu));
  return (transpose(back) * statics.mass(statics.start()) * back).values;
}

// Of the inertia alone: without dampers, drag and servos, and without what holds it still.
std::vector<double> bias_of(const PlannedTree& robot, const std::vector<double>& S) {
  Compiled undamped = robot.compiled;
  for (Spring<double>& s : undamped.params.springs) s.d = 0.0;
  for (Servo<double>& s : undamped.params.servos) {
    s.kd = 0.0;
    s.no_load_speed = Servo<double>{}.no_load_speed;
  }
  for (auto& drag : undamped.params.drags) drag.along = drag.across = drag.turning = 0.0;
  for (auto& cable : undamped.params.cables) cable.d = 0.0;
  Statics statics({robot.plan, undamped});
  const std::vector<double> q = statics.start();
  const Matrix bias = statics.holding_force(q, statics.start_rates()) - statics.holding_force(q);
  return solve(transpose(square(S, bias.rows)), bias).values;
}

std::vector<double> acceleration_of(const PlannedTree& robot, const std::vector<double>& S) {
  Statics statics(robot);
  const std::vector<double> q = statics.start();
  const Matrix force = statics.holding_force(q, statics.start_rates());
  return (square(S, force.rows) * solve(statics.mass(q), -force)).values;
}

std::vector<double> frequencies_of(const PlannedTree& robot) {
  std::vector<double> out = modes_of(linear_of(robot)).values;
  for (double& x : out) x = std::sqrt(std::max(x, 0.0));
  return out;
}

std::vector<double> damping_ratios_of(const PlannedTree& robot) {
  const Linear linear = linear_of(robot);
  const Modes modes = modes_of(linear);
  const Matrix of_modes = transpose(modes.vectors) * linear.C * modes.vectors;
  std::vector<double> out;
  for (int i = 0; i < of_modes.rows; i++)
    out.push_back(of_modes(i, i) / (2.0 * std::sqrt(std::max(modes.values[i], 0.0))));
  return out;
}

bool is_regular(const std::vector<double>& S) {
  return std::abs(determinant(square(S, int(std::lround(std::sqrt(double(S.size()))))))) > 1e-9;
}

bool put_to_rest(const Compiled& compiled, Plan& plan) {
  Statics statics({plan, compiled});
  std::vector<double> q = statics.start();
  if (!find_rest(statics, Matrix(statics.model().nu, 1), q)) return false;
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
