#include "robots/quadruped/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "robots/quadruped/places.h"
#include "sinew/control/legs/gait_table.h"
#include "sinew/control/legs/step_cycle.h"
#include "sinew/control/legs/stroke_path.h"
#include "sinew/math/elementary.h"
#include "sinew/math/ramp.h"

namespace sinew::robots {
namespace {

using namespace legged;

class Base : public Controller {
 public:
  Base(const QuadrupedControl& c, const QuadrupedInput& in, const Places& at, double period)
      : c_(c), in_(in), at_(at), half_(0.5 * period), points_(in.robot.tail), weight_(in.tail_size(), 0.0) {}

 protected:
  // PD of one leg about angles and rates, and a torque besides.
  void pull(int leg, const LegAngles& want, const double* rate, const double* extra, const Readings& r,
            Input<double>& out) const {
    const double target[3] = {want.ha, want.hb, want.k};
    for (int a = 0; a < 3; a++) {
      const int u = at_.u[leg][a];
      out.torque[u] = c_.leg_kp * (target[a] - r.q[at_.q[leg][a]]) + c_.leg_kd * (rate[a] - r.u[u]) + extra[a];
    }
  }
  // PD about the tail's angles at the start, but for those of the first joint, and the torques weight_ besides.
  void pull_tail(const double* want, const double* rate, const Readings& r, Input<double>& out) const {
    for (int c = 0; c < in_.tail_size(); c++)
      out.torque[at_.tail_u + c] = c_.tail_kp * ((c < 2 ? want[c] : in_.q[6 + c]) - r.q[at_.tail_q + c]) +
                                   c_.tail_kd * ((c < 2 ? rate[c] : 0.0) - r.u[at_.tail_u + c]) + weight_[c];
  }
  // Torques that carry the tail as it is: of a pendulum on a level plate, of bars on the plate as it is.
  void weigh_tail(const Readings& r) {
    const TailShape& t = in_.robot.tail;
    const double *z = r.q.data() + at_.tail_q, *z_rate = r.u.data() + at_.tail_u;
    if (in_.is_plain()) {
      weight_[0] = -t.tip * in_.robot.g * t.length[0] * math::cos(z[0]) * math::cos(z[1]);
      return;
    }
    place_tail(t, z, z_rate, points_);
    const Vec3d up = transpose_times(attitude(r), Vec3d(0.0, 0.0, in_.robot.g));  // in P
    for (int c = 0; c < in_.tail_size(); c++) {
      double sum = 0.0;
      for (std::size_t i = 0; i < points_.point.size(); i++) {
        const TailPoints::Point& p = points_.point[i];
        const Vec3d before = i > 0 ? points_.X(int(i) - 1)[c] : Vec3d::zero();
        sum += dot(up, points_.X(int(i))[c] * p.mass + (before + points_.X(int(i))[c]) * (0.5 * p.bar));
      }
      weight_[c] = sum;
    }
  }
  Mat3d attitude(const Readings& r) const {
    const double* q = r.q.data() + at_.plate_q + 3;
    return to_matrix(Quatd{q[0], q[1], q[2], q[3]});
  }

  QuadrupedControl c_;
  QuadrupedInput in_;
  Places at_;
  double half_;  // half of the time for which a command is held: paths are taken in the middle [s]
  TailPoints points_;
  std::vector<double> weight_;  // of the tail, on its joints [N m]
};

class Hold : public Base {
 public:
  Hold(const QuadrupedControl& c, const QuadrupedInput& in, const Places& at, double period) : Base(c, in, at, period) {
    Stance stance;
    evaluate(in.robot, stance_of(in.q8(), {}), in.feet, stance);
    double J[14][8];
    actuation_of(stance, J);
    tau_ = share_min_norm(J, in.is_plain() ? required(in.robot, stance, {}) : weight_of(in, stance.plate.R)).tau;
    if (in.is_plain()) {
      weight_[0] = tau_[6];
      weight_[1] = tau_[7];
    }
    for (int i = 0; i < 4; i++) theta_[i] = angles_of(in.robot.leg[i], stance.leg[i].pose);
    lifted_ = theta_[0];
    if (c.lift_foot == 0) return;
    const int i = c.lift_foot - 1;
    const Vec3d up = stance.leg[i].pose.s + transpose_times(stance.plate.R, Vec3d(0, 0, c.lift));
    lifted_ = angles_of(in.robot.leg[i], reach_for(in.robot.leg[i], up));
  }

  void update(const Readings& r, std::span<double>, Input<double>& out) override {
    const double t = r.t + half_;
    for (int i = 0; i < 4; i++) {
      LegAngles want = theta_[i];
      double rate[3] = {0, 0, 0}, extra[3], share = 1.0;
      if (c_.lift_foot == i + 1) {
        const auto [s, s_rate, s_accel] = ramp_at(t - c_.lift_from, c_.lift_time);
        const double d[3] = {lifted_.ha - want.ha, lifted_.hb - want.hb, lifted_.k - want.k};
        want = {want.ha + s * d[0], want.hb + s * d[1], want.k + s * d[2]};
        for (int a = 0; a < 3; a++) rate[a] = s_rate * d[a];
        share = 1.0 - s;
      }
      for (int a = 0; a < 3; a++) extra[a] = share * tau_[actuator_of[i][a]];
      pull(i, want, rate, extra, r, out);
    }
    double want[2] = {in_.q[6], in_.q[7]}, rate[2] = {0, 0};
    swing(t, want[1], rate[1]);
    if (c_.swing != 0.0) weigh_tail(r);
    pull_tail(want, rate, r, out);
  }

 private:
  // What holds the whole robot with a tail of bars at rest; the tail's own torques are weight_.
  Vec8 weight_of(const QuadrupedInput& in, const Mat3d& R) {
    Walker walker(in.robot);
    WalkerState s = in.state();
    s.v = s.w = Vec3d::zero();
    std::ranges::fill(s.tail_rate, 0.0);
    walker.evaluate(s);
    const Vec3d f = R * Vec3d(walker.G(0), walker.G(1), walker.G(2)),
                n = R * Vec3d(walker.G(3), walker.G(4), walker.G(5));
    for (int c = 0; c < in.tail_size(); c++) weight_[c] = walker.G(6 + c);
    return {f[0], f[1], f[2], n[0], n[1], n[2], 0.0, 0.0};
  }

  void swing(double t, double& tb, double& rate) const {
    if (c_.swing == 0.0) return;
    if (c_.swing_period > 0.0) t = std::fmod(t, c_.swing_period);
    const Ramp<double> out = ramp_at(t, c_.swing_out), back = ramp_at(t - c_.swing_out, c_.swing_back);
    tb += c_.swing * out.value;
    rate = c_.swing * out.rate;
    if (t < c_.swing_out) return;
    tb -= c_.swing * back.value;
    rate = -c_.swing * back.rate;
  }

  Vec14 tau_{};
  std::array<LegAngles, 4> theta_;
  LegAngles lifted_;
};

class Goal : public Base {
 public:
  using Base::Base;

  void update(const Readings& r, std::span<double>, Input<double>& out) override {
    StanceState s;
    const double *q = r.q.data() + at_.plate_q, *u = r.u.data() + at_.plate_u;
    s.p = Vec3d(q[0], q[1], q[2]);
    s.R = attitude(r);
    s.w = s.R * Vec3d(u[0], u[1], u[2]);
    s.v = Vec3d(u[3], u[4], u[5]);
    for (int c = 0; c < 2; c++) {
      s.tail[c] = r.q[at_.tail_q + c];
      s.tail_rate[c] = r.u[at_.tail_u + c];
    }
    Feet feet;  // where the joints say they are
    for (int i = 0; i < 4; i++) {
      const LegShape& leg = in_.robot.leg[i];
      const int* at = at_.q[i];
      feet[i] = s.p + s.R * (leg.hip + pose_of(leg, {r.q[at[0]], r.q[at[1]], r.q[at[2]]}).s);
    }
    const Torques found = goal_torques(in_.robot, feet, c_.goal, s, qp_, affine_);
    if (!found.found) return;  // the last command stays
    for (int i = 0; i < 4; i++)
      for (int a = 0; a < 3; a++) out.torque[at_.u[i][a]] = found.tau[actuator_of[i][a]];
    for (int c = 0; c < 2; c++) out.torque[at_.tail_u + c] = found.tau[6 + c];
  }

 private:
  SmallQp qp_;
  AffineStance affine_;
};

// The table of its gait: a leg begins to stand where t / period + leg_phase is whole, and lifts `duty` later.
GaitTable walking_gait(const QuadrupedControl& c) {
  GaitTable gait;
  gait.name = "walk";
  gait.legs = 4;
  gait.tau = 1.0 - c.duty;
  for (int i = 0; i < 4; i++) gait.offset[i] = cycle_phase(c.duty - c.offset[i]);
  return gait;
}

class Walk : public Base {
 public:
  Walk(const QuadrupedControl& c, const QuadrupedInput& in, const Places& at, double period) : Base(c, in, at, period) {
    const Mat3d R = rotation_of({in.q[3], in.q[4], in.q[5]});
    for (int i = 0; i < 4; i++) rest_[i] = transpose_times(R, in.feet[i] - Vec3d(in.q[0], in.q[1], in.q[2]));
    gait_ = walking_gait(c);
  }

  void update(const Readings& r, std::span<double>, Input<double>& out) override {
    const double t = r.t + half_;
    const Mat3d R = attitude(r);
    double stands[4], sum = 0.0;
    Vec3d foot[4], ahead[4];
    constexpr double dt = 1e-4;  // rates of the path by differences
    for (int i = 0; i < 4; i++) {
      foot[i] = path(i, t, stands[i]);
      sum += stands[i];
      double unused;
      ahead[i] = path(i, t + dt, unused);
    }
    const double share = sum > 0.0 ? in_.robot.mass() * in_.robot.g / sum : 0.0;
    for (int i = 0; i < 4; i++) {
      const LegShape& leg = in_.robot.leg[i];
      const LegPose now = reach_for(leg, foot[i] - leg.hip), next = reach_for(leg, ahead[i] - leg.hip);
      if (now.reach != Reach::Good || next.reach != Reach::Good) continue;  // the last command stays
      const LegAngles a = angles_of(leg, now), b = angles_of(leg, next);
      const double rate[3] = {(b.ha - a.ha) / dt, (b.hb - a.hb) / dt, (b.k - a.k) / dt};
      const int* at = at_.q[i];
      const Mat3d J = foot_jacobian(leg, pose_of(leg, {r.q[at[0]], r.q[at[1]], r.q[at[2]]}));
      const Vec3d push = transpose_times(J, transpose_times(R, Vec3d(0, 0, -share * stands[i])));
      const double extra[3] = {push[0], push[1], push[2]};
      pull(i, a, rate, extra, r, out);
    }
    const double turn = 2.0 * std::numbers::pi / c_.period, begun = std::min(1.0, std::max(0.0, t - c_.start));
    const double want[2] = {in_.q[6], in_.q[7] + begun * c_.tail_swing * math::sin(turn * t)};
    const double rate[2] = {0.0, begun * c_.tail_swing * turn * math::cos(turn * t)};
    weigh_tail(r);
    pull_tail(want, rate, r, out);
  }

 private:
  // Where foot i should be in the plate's axes, and whether it stands: the smooth cycle of step_cycle.h, in strides, on the path of
  // stroke_path.h.
  Vec3d path(int i, double t, double& stands) const {
    stands = 1.0;
    if (t < c_.start) return rest_[i];
    const double strides = (t - c_.start) / c_.period, grow = std::min(1.0, strides);  // the first stride grows
    const StepPoint at = smooth_step_point(gait_.tau, cycle_phase(strides - gait_.offset[i]));
    if (is_airborne(at.phase)) stands = 0.0;
    const Vec3d lift(0.0, 0.0, grow * c_.step_height * at.up);
    return along_path({0.0, c_.stride, c_.turn}, rest_[i], grow * at.along) + lift;
  }

  GaitTable gait_;
  std::array<Vec3d, 4> rest_;
};

void describe_walk(Keys& keys, QuadrupedControl& c) {
  keys.number({"gait_period", "s", "walk: time of a stride", positive}, c.period);
  keys.number({"duty", "1", "walk: part of it for which a foot stands", {.low = 0.05, .high = 0.95}}, c.duty);
  keys.number({"stride", "m", "walk: way of a foot that stands, backwards along the plate"}, c.stride);
  keys.number({"step_height", "m", "walk: of a foot that swings", not_negative}, c.step_height);
  keys.number({"turn_per_stride", "rad", "walk: yaw of the plate for each stride", any_number, true}, c.turn);
  keys.number({"gait_start", "s", "walk: stands before", not_negative}, c.start);
  keys.numbers({"leg_phase", "1", "walk: of each leg; trot: 0, 0.5, 0, 0.5; walk: 0, 0.5, 0.25, 0.75"}, {.exactly = 4},
               c.offset);
  keys.number({"tail_swing", "rad", "walk: amplitude of tb, once to and fro for each stride", any_number, true},
              c.tail_swing);
}

}  // namespace

void describe(Keys& keys, QuadrupedControl& c) {
  int kind = int(c.kind);
  keys.choice({"controller", "",
               "hold: PD about the start, a foot lifted, the tail swung; goal: quadratic program on friction and "
               "torques; walk: "
               "feet on given paths; flight: the tail pitches the robot in the air"},
              quadruped_controller_names, kind);
  c.kind = QuadrupedController(kind);
  keys.number(live({"leg_kp", "N m/rad", "servos and controllers of the legs", not_negative}), c.leg_kp);
  keys.number(live({"leg_kd", "N m s/rad", "servos and controllers of the legs", not_negative}), c.leg_kd);
  keys.number(live({"tail_kp", "N m/rad", "servos and controllers of the tail", not_negative}), c.tail_kp);
  keys.number(live({"tail_kd", "N m s/rad", "servos and controllers of the tail", not_negative}), c.tail_kd);
  keys.integer({"lift_foot", "", "hold: the foot that is lifted, 1 to 4; 0: none", {.low = 0, .high = 4}}, c.lift_foot);
  keys.number({"lift", "m", "hold: how high it is lifted"}, c.lift);
  keys.number({"lift_from", "s", "hold: when that begins", not_negative}, c.lift_from);
  keys.number({"lift_time", "s", "hold: how long it takes", positive}, c.lift_time);
  keys.number({"swing", "rad", "hold: how far the tail's tb swings", any_number, true}, c.swing);
  keys.number({"swing_out", "s", "hold: time to get there", positive}, c.swing_out);
  keys.number({"swing_back", "s", "hold: time to come back", positive}, c.swing_back);
  keys.number({"swing_period", "s", "hold: after which it begins again; 0: once", not_negative}, c.swing_period);
  keys.vector({"goal_p", "m", "goal: where the plate should be"}, c.goal.p);
  keys.vector({"goal_phi", "rad", "goal: its attitude"}, c.goal.phi);
  keys.number({"goal_kp", "1/s^2", "goal: of the plate", not_negative}, c.goal.kp);
  keys.number({"goal_kd", "1/s", "goal: of the plate", not_negative}, c.goal.kd);
  keys.number({"goal_mu", "1", "goal: friction that it counts on", positive}, c.goal.ground.mu);
  keys.number({"goal_f_min", "N", "goal: least normal force of a foot", not_negative}, c.goal.ground.f_min);
  keys.number({"leg_limit", "N m", "goal: of the legs' actuators", positive}, c.goal.limits.leg);
  keys.number({"tail_limit", "N m", "goal: of the tail's actuators", positive}, c.goal.limits.tail);
  keys.flag({"tail_locked", "", "goal: the tail stays where it is"}, c.tail_locked);
  describe_walk(keys, c);
  keys.number({"flight_goal", "rad", "flight: pitch (phi_x) that is wanted", any_number, true}, c.flight_goal);
  keys.number({"flight_time", "s", "flight: when it is wanted, as on landing", not_negative}, c.flight_time);
  keys.number({"tail_range", "rad", "flight: how far ta may go to either side", {.low = 0.0, .high = 3.1}, true},
              c.tail_range);
}

std::vector<MemoryBlock> memory_of(const QuadrupedControl& control) {
  if (control.kind != QuadrupedController::Flight) return {};
  return {{std::string(flight_memory), 2}};
}

std::unique_ptr<Controller> make_controller(const QuadrupedControl& control, const QuadrupedInput& in, const Plan& plan,
                                            double period) {
  QuadrupedControl c = control;
  if (c.tail_locked) lock_tail(c.goal);
  const Places at = plan.make_plant ? Places() : Places(plan);
  switch (c.kind) {
    case QuadrupedController::Hold:
      return std::make_unique<Hold>(c, in, at, period);
    case QuadrupedController::Goal:
      return std::make_unique<Goal>(c, in, at, period);
    case QuadrupedController::Walk:
      return std::make_unique<Walk>(c, in, at, period);
    case QuadrupedController::Flight:
      return make_flight_controller(c, in, plan);
    default:
      return nullptr;
  }
}

}  // namespace sinew::robots
