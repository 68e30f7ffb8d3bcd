#include "sinew/io/still.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "sinew/control/balance.h"
#include "sinew/io/formula.h"

namespace sinew::io {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

[[noreturn]] void refuse(const ResultPlan& r, std::string what) {
  throw PlanError({{"output.result." + r.name, std::move(what)}});
}

std::vector<double> list_of(const VectorXd& x) { return {x.begin(), x.end()}; }
std::vector<double> rows_of(const MatrixXd& A) {
  const MatrixXd transposed = A.transpose();
  return {transposed.reshaped().begin(), transposed.reshaped().end()};
}

Scenario in_tree(Scenario scenario) {
  scenario.coordinates = Coordinates::Tree;
  return scenario;
}

const ResultPlan& coordinates_named(const ResultPlan& r, const std::vector<ResultPlan>& results) {
  const auto found = std::ranges::find(results, r.in, &ResultPlan::name);
  if (found == results.end()) refuse(r, fmt::format("in = \"{}\" is no result: name one that lists coordinates", r.in));
  return *found;
}

// S of "wanted coordinates = S (coordinates of the freedoms) + constant", found by moving one freedom after the other.
MatrixXd wanted_coordinates(const Scenario& scenario, const ResultPlan& r) {
  World<double> world = make_world(in_tree(scenario));
  const Model& model = world.model();
  if (r.in.empty()) return MatrixXd::Identity(model.nu, model.nu);
  if (model.nq != model.nu) refuse(r, "in counts joints whose coordinates are their freedoms: no ball or free joints");
  const std::vector<ResultPlan> results = results_of(scenario);
  const auto signals = signals_of(model);
  const Formula formula = parse_formula(signals, coordinates_named(r, results).signal);
  if (int(formula.components.size()) != model.nu)
    refuse(r, fmt::format("in = \"{}\" has {} numbers, the robot {} freedoms: as many are needed", r.in,
                          formula.components.size(), model.nu));
  const auto read = [&] {
    const auto seen = observe(world);
    VectorXd x(model.nu);
    for (int i = 0; i < model.nu; i++) x[i] = evaluate(formula.components[i], signals, world, seen);
    return x;
  };
  const VectorXd start = read();
  MatrixXd S(model.nu, model.nu);
  for (int i = 0; i < model.nu; i++) {
    world.state.q[i] += 1.0;
    S.col(i) = read() - start;
    world.state.q[i] += 1.0;
    const bool straight = (read() - start - 2.0 * S.col(i)).norm() < 1e-9;
    world.state.q[i] -= 2.0;
    if (!straight) refuse(r, fmt::format("in = \"{}\" is no sum of coordinates of joints", r.in));
  }
  if (!(std::abs(S.determinant()) > 1e-9))
    refuse(r, fmt::format("the numbers of in = \"{}\" are not independent of each other", r.in));
  return S;
}

std::vector<double> mass_matrix_of(const Scenario& s, const ResultPlan& r) {
  Statics statics(moving_plan(s));
  const MatrixXd back = wanted_coordinates(s, r).inverse();
  return rows_of(back.transpose() * statics.mass(statics.start()) * back);
}

// What velocities alone ask for: without dampers, and without what holds it still.
std::vector<double> bias_of(const Scenario& s, const ResultPlan& r) {
  Plan plan = moving_plan(s);
  for (JointPlan& j : plan.joints) j.damping.clear();
  Statics statics(plan);
  const std::vector<double> q = statics.start();
  const VectorXd bias = statics.holding_force(q, statics.start_rates()) - statics.holding_force(q);
  return list_of(wanted_coordinates(s, r).inverse().transpose() * bias);
}

std::vector<double> acceleration_of(const Scenario& s, const ResultPlan& r) {
  Statics statics(moving_plan(s));
  const std::vector<double> q = statics.start();
  const VectorXd force = statics.holding_force(q, statics.start_rates());
  return list_of(-wanted_coordinates(s, r) * statics.mass(q).ldlt().solve(force));
}

Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes_of(const Linear& linear) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(0.5 * (linear.K + linear.K.transpose()), linear.M);
}
Linear linear_of(const Scenario& s) {
  Statics statics(moving_plan(s));
  return statics.about(statics.start());
}

std::vector<double> frequencies_of(const Scenario& s, const ResultPlan&) {
  return list_of(modes_of(linear_of(s)).eigenvalues().cwiseMax(0.0).cwiseSqrt());
}

std::vector<double> damping_ratios_of(const Scenario& s, const ResultPlan&) {
  const Linear linear = linear_of(s);
  const auto modes = modes_of(linear);
  const MatrixXd of_modes = modes.eigenvectors().transpose() * linear.C * modes.eigenvectors();
  return list_of(of_modes.diagonal().cwiseQuotient(2.0 * modes.eigenvalues().cwiseMax(0.0).cwiseSqrt()));
}

Feedback::Design design_of(const Scenario& s, const ResultPlan& r) {
  const std::unique_ptr<Controller> controller = make_controller(s);
  const auto* feedback = dynamic_cast<const Feedback*>(controller.get());
  if (!feedback) refuse(r, fmt::format("{} needs [control] kind = \"pd\" or \"lqr\"", r.signal));
  return feedback->design();
}

template <std::vector<double> Feedback::Design::*part>
std::vector<double> designed(const Scenario& s, const ResultPlan& r) {
  std::vector<double> values = design_of(s, r).*part;
  if (values.empty()) refuse(r, fmt::format("{} does not exist for this controller: remove it", r.signal));
  return values;
}

constexpr std::array quantities{
    StillQuantity{"model.M", "", "mass matrix at the start, row by row, of the freedoms or in the coordinates of `in`",
                  mass_matrix_of},
    StillQuantity{"model.bias", "", "forces that the velocities at the start ask for, without dampers", bias_of},
    StillQuantity{"model.acceleration", "", "of the freedoms at the start, without contacts and controllers",
                  acceleration_of},
    StillQuantity{"model.frequencies", "rad/s", "of small undamped motions about the start, ascending", frequencies_of},
    StillQuantity{"model.damping_ratios", "1", "of these modes, each by itself", damping_ratios_of},
    StillQuantity{"control.gain", "", "gains of pd and lqr: a row for each actuator; angles, then rates",
                  designed<&Feedback::Design::gain>},
    StillQuantity{"control.poles", "1/s", "real parts of the closed loop's eigenvalues, the slowest first",
                  designed<&Feedback::Design::poles_re>},
    StillQuantity{"control.poles_open", "1/s", "the same without the controller",
                  designed<&Feedback::Design::poles_open_re>},
    StillQuantity{"control.M", "", "lqr: mass matrix of its axes, what is not followed eliminated",
                  designed<&Feedback::Design::mass>},
    StillQuantity{"control.held", "N m or N", "lqr: torques that hold the pose of balance = true",
                  designed<&Feedback::Design::held>},
    StillQuantity{"control.held_at", "rad or m", "lqr: that pose, in the angles that it counts",
                  designed<&Feedback::Design::held_at>},
};

// The pose in which the robot hangs still.
Scenario resting(const Scenario& scenario, const ResultPlan& r) {
  Scenario out = in_tree(scenario);
  out.plan = moving_plan(scenario);
  out.robot_keys = nullptr, out.gait_keys = nullptr;
  out.control_kind = ControlKind::ComputedTorque;
  Statics statics(out.plan);
  std::vector<double> q = statics.start();
  if (!find_rest(statics, VectorXd::Zero(statics.model().nu), q))
    refuse(r, "no pose was found in which the robot hangs still: take = \"rest\" needs springs that hold it");
  for (std::size_t j = 0; j < out.plan.joints.size(); j++) {
    const JointInfo& info = statics.model().joints[j];
    if (statics.model().links[info.link].driven) continue;
    const auto first = q.begin() + statics.model().links[info.link].q;
    out.plan.joints[j].position.assign(first, first + info.n_coords);
    out.plan.joints[j].velocity.assign(std::size_t(info.n_axes), 0.0);
  }
  return out;
}

void find_at_rest(const Scenario& scenario, ResultPlan& r) {
  const World<double> world = make_world(resting(scenario, r));
  const auto signals = signals_of(world.model());
  const Formula formula = parse_formula(signals, r.signal);
  const auto seen = observe(world);
  for (const Sum& sum : formula.components) r.known.push_back(evaluate(sum, signals, world, seen));
  if (!formula.components.empty()) r.unit = signals[formula.components[0][0].signal].unit;
}

}  // namespace

std::span<const StillQuantity> still_quantities() { return quantities; }

const StillQuantity* find_still_quantity(std::string_view name) {
  for (const StillQuantity& q : quantities)
    if (q.name == name) return &q;
  return nullptr;
}

std::vector<ResultPlan> known_results(const Scenario& scenario) {
  std::vector<ResultPlan> results = results_of(scenario);
  for (ResultPlan& r : results) {
    if (!r.known.empty()) continue;
    if (const StillQuantity* quantity = find_still_quantity(r.signal))
      r.known = quantity->of(scenario, r), r.unit = quantity->unit;
    else if (r.take == Take::Rest)
      find_at_rest(scenario, r);
  }
  return results;
}

}  // namespace sinew::io
