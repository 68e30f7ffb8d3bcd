// Gains and the pose to hold are found once, before the run; a step multiplies.
#include "sinew/control/feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "sinew/control/balance.h"
#include "sinew/control/hautus.h"
#include "sinew/control/riccati.h"
#include "sinew/math/check.h"
#include "sinew/math/dense.h"
#include "sinew/math/eigenvalues.h"
#include "sinew/model/glob.h"
#include "sinew/parts/device/actuator.h"

namespace sinew {
namespace {

[[noreturn]] void refuse(std::string key, std::string what) { throw PlanError({{std::move(key), std::move(what)}}); }

bool is_meant(const std::vector<std::string>& patterns, const std::string& name) {
  return std::ranges::any_of(patterns, [&](const std::string& p) { return matches(p, name); });
}

// An axis that the feedback follows.
struct Axis {
  int joint;           // in Model::joints
  int place, freedom;  // in State::q and u of the tree
  int coord, at;       // in Readings::q and u
  Motion<double> wanted;
};

std::vector<Axis> followed_axes(const Plan& plan, const Model& model) {
  std::vector<Axis> axes;
  for (std::size_t j = 0; j < plan.joints.size(); j++) {
    const JointPlan& joint = plan.joints[j];
    if (joint.drive != Drive::Computed) continue;
    const JointInfo& info = model.joints[j];
    if (info.n_coords != info.n_axes)
      refuse("joint." + joint.name + ".kind",
             "a controller of angles cannot follow a joint with a quaternion: use "
             "revolute, universal, prismatic or planar joints");
    for (int i = 0; i < info.n_axes; i++)
      axes.push_back({int(j), model.links[info.link].q + i, model.links[info.link].u + i, info.coord + i, info.axis + i,
                      joint.motion.empty() ? Motion<double>{} : joint.motion[i]});
  }
  if (axes.empty())
    refuse("control.joints",
           "the controller has no joint to follow: name joints here, or give some drive = \"computed\"");
  return axes;
}

std::vector<double> spread(const char* key, const std::vector<double>& values, std::size_t n, const char* of) {
  if (values.size() != 1 && values.size() != n)
    refuse(fmt::format("control.{}", key),
           fmt::format("{} values are given for {} {} axes: give one for each, or one for all", values.size(), n, of));
  return values.size() == n ? values : std::vector<double>(n, values[0]);
}

// Row i: the joint angles whose sum is the direction of the link that axis i carries.
Matrix sums_along_chain(const Plan& plan, const Model& model, const std::vector<Axis>& axes) {
  const int n = int(axes.size());
  Matrix T(n, n);
  for (int i = 0; i < n; i++) {
    const JointPlan& own = plan.joints[axes[i].joint];
    if (own.kind != JointKind::Revolute)
      refuse("control.angles", fmt::format("\"link\" adds up angles, but joint {} is {}: use \"joint\"", own.name,
                                           joint::name_of(own.kind)));
    for (int link = model.joints[axes[i].joint].link; link >= 0; link = model.links[link].parent)
      for (int k = 0; k < n; k++) {
        if (model.joints[axes[k].joint].link != link) continue;
        const JointPlan& other = plan.joints[axes[k].joint];
        if (norm(normalized(own.axis) - normalized(other.axis)) > 1e-9)
          refuse("control.angles", fmt::format("\"link\" needs joints with one common axis, but those of {} and {} "
                                               "differ: use \"joint\"",
                                               own.name, other.name));
        T(i, k) = 1.0;
      }
  }
  return T;
}

Matrix pick(const Matrix& A, const std::vector<int>& rows, const std::vector<int>& cols) {
  SINEW_ASSERT(int(rows.size()) <= A.rows && int(cols.size()) <= A.cols);
  Matrix out(int(rows.size()), int(cols.size()));
  for (int i = 0; i < out.rows; i++)
    for (int k = 0; k < out.cols; k++) out(i, k) = A(rows[i], cols[k]);
  return out;
}

// The followed freedoms alone: the others move so that their momentum stays what it is. Nothing if they feel more than that.
std::optional<Linear> reduced(const Linear& full, const std::vector<int>& kept) {
  std::vector<int> rest;
  for (int i = 0; i < full.M.rows; i++)
    if (std::ranges::find(kept, i) == kept.end()) rest.push_back(i);
  Linear out{pick(full.M, kept, kept), pick(full.C, kept, kept), pick(full.K, kept, kept)};
  if (rest.empty()) return out;
  const double stiff = norm(pick(full.K, rest, rest)) + norm(pick(full.K, kept, rest));
  if (stiff > 1e-9 * norm(out.K)) return {};
  const Matrix M_kr = pick(full.M, kept, rest);
  out.M = out.M - M_kr * solve(pick(full.M, rest, rest), transpose(M_kr));
  return out;
}

// dr/dt = F r + G u of coordinates and rates, u at the actuated axes.
struct Loop {
  Matrix F, G;
  Loop(const Linear& linear, const std::vector<int>& actuated) {
    const int n = linear.M.rows, m = int(actuated.size());
    F = Matrix(2 * n, 2 * n);
    G = Matrix(2 * n, m);
    Matrix right(n, 2 * n + m);  // all that the mass is to divide
    put(-linear.K, 0, 0, right);
    put(-linear.C, 0, n, right);
    for (int i = 0; i < m; i++) right(actuated[i], 2 * n + i) = 1.0;
    const Matrix divided = solve(linear.M, right);
    put(Matrix::identity(n), 0, n, F);
    put(block(divided, 0, 0, n, 2 * n), n, 0, F);
    put(block(divided, 0, 2 * n, n, m), n, 0, G);
  }
};

std::vector<double> poles_of(const Matrix& F) {  // real parts, the slowest first
  std::vector<double> re;
  for (const std::complex<double>& value : eigenvalues(F)) re.push_back(value.real());
  std::ranges::sort(re, std::greater<>());
  return re;
}

// Poles that the inputs can move, each as often as it occurs. Scaled, so that numbers of very different units have the same weight.
int controllable_states(const Loop& loop) {
  const Matrix G = (norm(loop.F) / std::max(norm(loop.G), 1e-300)) * loop.G;
  int count = 0;
  for (const std::complex<double>& value : eigenvalues(loop.F))  // of a pair one is as good as the other
    if (value.imag() >= 0.0 && reach(loop.F, G, value) > out_of_reach) count += value.imag() > 0.0 ? 2 : 1;
  return count;
}

}  // namespace

Plan with_followed_joints(Plan plan, const FeedbackPlan& feedback) {
  std::vector<Problem> problems;
  for (const std::string& pattern : feedback.joints) {
    bool found = false;
    for (JointPlan& j : plan.joints) {
      if (j.loop || joint::freedom_count(j.kind) == 0 || !matches(pattern, j.name)) continue;
      found = true;
      if (j.drive == Drive::None) j.drive = Drive::Computed;
      if (j.drive != Drive::Computed)
        problems.push_back(
            {"control.joints", fmt::format("joint {} has a drive of its own: give it drive = \"computed\" or "
                                           "leave it out",
                                           j.name)});
    }
    if (!found) problems.push_back({"control.joints", fmt::format("no joint is named \"{}\"", pattern)});
  }
  if (!problems.empty()) throw PlanError(std::move(problems));
  return plan;
}

struct Feedback::Own {
  std::vector<Axis> axes;
  std::vector<int> actuated;  // in axes
  std::vector<Actuator> actuators;
  double period;
  Matrix T;     // angles = T (coordinates of the axes)
  Matrix gain;  // on angles, then rates
  Matrix mass;  // of the axes
  std::vector<double> poles_re, poles_open_re;
  int controllable = 0;
  bool holds = false;  // a pose instead of the given motions
  std::vector<double> held, held_at, error;

  void choose_actuated(const Plan& plan, const FeedbackPlan& f);
  std::vector<int> freedoms() const;
  void design_pd(Statics& statics, const FeedbackPlan& f);
  void design_lqr(Statics& statics, const FeedbackPlan& f);
  void hold(Statics& statics, std::vector<double>& q);
  Matrix inputs(int nu) const;  // column of each actuated axis
};

void Feedback::Own::choose_actuated(const Plan& plan, const FeedbackPlan& f) {
  for (const std::string& pattern : f.actuated)
    if (std::ranges::none_of(axes, [&](const Axis& a) { return matches(pattern, plan.joints[a.joint].name); }))
      refuse("control.actuated", fmt::format("no joint that the controller follows is named \"{}\"", pattern));
  for (std::size_t i = 0; i < axes.size(); i++)
    if (is_meant(f.actuated, plan.joints[axes[i].joint].name)) actuated.push_back(int(i));
  if (actuated.empty()) refuse("control.actuated", "some joint must have an actuator: name at least one");
  const std::size_t m = actuated.size();
  const std::vector<double> limit = spread("actuator_limit", f.limit, m, "actuated"),
                            lag = spread("actuator_lag", f.lag, m, "actuated"),
                            angle = spread("actuator_limit_angle", f.limit_angle, m, "actuated");
  for (std::size_t i = 0; i < m; i++) {
    if (std::isfinite(angle[i]) && !std::isfinite(limit[i]))
      refuse("control.actuator_limit_angle",
             "what an actuator can give falls with the angle from its limit, but that is infinite: "
             "give a finite control.actuator_limit");
    actuators.push_back({limit[i], angle[i], lag[i]});
  }
}

std::vector<int> Feedback::Own::freedoms() const {
  std::vector<int> of_axes;
  for (const Axis& a : axes) of_axes.push_back(a.freedom);
  return of_axes;
}

void Feedback::Own::design_pd(Statics& statics, const FeedbackPlan& f) {
  const int n = int(axes.size()), m = int(actuated.size());
  const std::vector<double> kp = spread("angle_gain", f.kp, actuated.size(), "actuated");
  const std::vector<double> kd = spread("rate_gain", f.kd, actuated.size(), "actuated");
  gain = Matrix(m, 2 * n);
  for (int i = 0; i < m; i++) {
    gain(i, actuated[i]) = kp[i];
    gain(i, n + actuated[i]) = kd[i];
  }
  std::vector<double> q = statics.start();
  for (const Axis& a : axes) q[std::size_t(a.place)] = 0.0;
  const std::optional<Linear> linear = reduced(statics.about(q), freedoms());
  if (!linear) return;
  const Loop loop(*linear, actuated);
  const Matrix of_coordinates = beside(block(gain, 0, 0, m, n) * T, block(gain, 0, n, m, n) * T);
  poles_re = poles_of(loop.F - loop.G * of_coordinates);
  poles_open_re = poles_of(loop.F);
  controllable = controllable_states(loop);
}

Matrix Feedback::Own::inputs(int nu) const {
  SINEW_ASSERT(actuated.size() <= axes.size() && int(axes.size()) <= nu);
  Matrix B(nu, int(actuated.size()));
  for (int i = 0; i < B.cols; i++) B(axes[actuated[i]].freedom, i) = 1.0;
  return B;
}

// Goes from q, the wanted pose, to the nearest one that can be held.
void Feedback::Own::hold(Statics& statics, std::vector<double>& q) {
  const int nu = statics.model().nu, n = int(axes.size());
  if (n != nu) refuse("control.balance", "holding a pose needs all joints followed: name them in control.joints");
  Matrix rows(n, nu);
  for (int i = 0; i < n; i++) put(block(T, 0, i, n, 1), 0, axes[i].freedom, rows);
  const Balance balance = find_balance(statics, inputs(nu), rows, q);
  if (!balance.found)
    refuse("control.balance",
           "no torques were found that hold the robot near the wanted pose: actuate more joints, or "
           "start from a pose that it can hold");
  q = balance.q;
  holds = true;
  held = balance.u.values;
  for (int i = 0; i < n; i++) held_at[i] = q[axes[i].place];
}

void Feedback::Own::design_lqr(Statics& statics, const FeedbackPlan& f) {
  const int n = int(axes.size()), m = int(actuated.size());
  std::vector<double> q = statics.start();
  for (const Axis& a : axes) {  // about zero, or from where the motions begin
    double& at = q[std::size_t(a.place)] = 0.0;
    double rate, accel;
    if (f.balance) a.wanted.evaluate(0.0, at, rate, accel);
  }
  if (f.balance) hold(statics, q);
  const std::optional<Linear> linear = reduced(statics.about(q), freedoms());
  if (!linear)
    refuse(
        "control.joints",
        "joints that are not followed feel gravity or springs of their own, so their motion does not follow from the "
        "others': follow them as well, or switch gravity off");
  const Loop loop(*linear, actuated);
  Matrix Q(2 * n, 2 * n);
  const std::vector<double> of_angles = spread("angle_weights", f.angle_weights, axes.size(), "followed");
  const std::vector<double> of_rates = spread("rate_weights", f.rate_weights, axes.size(), "followed");
  const std::vector<double> of_torques = spread("torque_weights", f.torque_weights, actuated.size(), "actuated");
  put(transpose(T) * Matrix::diagonal(of_angles) * T, 0, 0, Q);
  put(transpose(T) * Matrix::diagonal(of_rates) * T, n, n, Q);
  const Regulator regulator = solve_riccati(loop.F, loop.G, Q, Matrix::diagonal(of_torques));
  if (!regulator.problem.empty()) refuse("control.kind", "there is no regulator for this robot: " + regulator.problem);
  const Matrix back = inverse(T);
  gain = beside(block(regulator.gain, 0, 0, m, n) * back, block(regulator.gain, 0, n, m, n) * back);
  for (const std::complex<double>& pole : regulator.poles) poles_re.push_back(pole.real());
  poles_open_re = poles_of(loop.F);
  controllable = controllable_states(loop);
  mass = linear->M;
}

Feedback::Feedback(const Plan& own, ControlKind kind, const FeedbackPlan& feedback, double period)
    : Feedback(PlannedTree{own, compile(own, Coordinates::Tree)}, kind, feedback, period) {}

Feedback::Feedback(const PlannedTree& robot, ControlKind kind, const FeedbackPlan& feedback, double period)
    : own_(std::make_unique<Own>()) {
  Statics statics(robot);
  const Plan& plan = robot.plan;
  Own& own = *own_;
  own.axes = followed_axes(plan, statics.model());
  own.period = period;
  own.choose_actuated(plan, feedback);
  const int n = int(own.axes.size()), m = int(own.actuated.size());
  own.T =
      feedback.angles == ControlAngles::Link ? sums_along_chain(plan, statics.model(), own.axes) : Matrix::identity(n);
  own.held.assign(m, 0.0);
  own.held_at.assign(n, 0.0);
  own.error.assign(2 * n, 0.0);
  if (kind == ControlKind::Lqr) {
    own.design_lqr(statics, feedback);
  } else {
    if (feedback.balance)
      refuse("control.balance", "only control.kind = \"lqr\" holds a pose: use it, or balance = false");
    own.design_pd(statics, feedback);
  }
}

Feedback::~Feedback() = default;

void Feedback::update(const Readings& readings, std::span<double>, Input<double>& out) {
  Own& own = *own_;
  const int n = int(own.axes.size());
  for (const Axis& a : own.axes)
    SINEW_CHECK(a.coord < int(readings.q.size()) && a.at < int(readings.u.size()) && a.at < int(out.torque.size()),
                "Feedback: reads coordinate ", a.coord, " and axis ", a.at, " of ", readings.q.size(), " and ",
                readings.u.size(), ", and gives torques on ", out.torque.size(), " axes");
  std::vector<double>& e = own.error;
  std::ranges::fill(e, 0.0);
  for (int i = 0; i < n; i++) {
    const Axis& a = own.axes[i];
    double m = own.held_at[i], rate = 0.0, accel;
    if (!own.holds) a.wanted.evaluate(readings.t, m, rate, accel);
    for (int k = 0; k < n; k++) {
      e[k] += own.T(k, i) * (readings.q[a.coord] - m);
      e[n + k] += own.T(k, i) * (readings.u[a.at] - rate);
    }
  }
  for (int i = 0; i < int(own.actuated.size()); i++) {
    double command = own.held[i];
    for (int k = 0; k < 2 * n; k++) command -= own.gain(i, k) * e[k];
    const Axis& a = own.axes[own.actuated[i]];
    double& torque = out.torque[a.at];
    torque = own.actuators[i].torque(command, readings.q[a.coord], torque, own.period);
  }
}

Feedback::Design Feedback::design() const {
  const Own& own = *own_;
  return {int(own.axes.size()), int(own.actuated.size()), own.gain.values, own.poles_re,
          own.poles_open_re,    own.mass.values,          own.held,        (own.T * Matrix::column(own.held_at)).values,
          own.controllable};
}

bool Feedback::put_held(Plan& plan) const {
  const Own& own = *own_;
  if (!own.holds) return false;
  int last = -1, i = 0;
  for (std::size_t k = 0; k < own.axes.size(); k++) {
    const int joint = own.axes[k].joint;
    i = joint == last ? i + 1 : 0;
    last = joint;
    JointPlan& to = plan.joints[std::size_t(joint)];
    to.position.resize(std::size_t(std::max<int>(i + 1, int(to.position.size()))));
    to.position[std::size_t(i)] = own.held_at[k];
  }
  return true;
}

}  // namespace sinew
