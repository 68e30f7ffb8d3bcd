#include "robots/hexapod/walk_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "robots/hexapod/body_keys.h"
#include "sinew/control/legs/com_shift.h"
#include "sinew/control/legs/support_polygon.h"
#include "sinew/control/legs/vertical_forces.h"
#include "sinew/math/check.h"

namespace sinew::robots {
namespace {

using namespace legged;

// All that the controller remembers: doubles alone.
struct HexapodMemory {
  double begun = 0.0;
  GaitState gait;
  double shift = 0.0, shift_rate = 0.0;  // of the body over its feet, forward [m, m/s]
  double walked = 0.0;                   // 1: in the last tick
  double waits = 0.0;                    // 1: the shift is not yet where a walk begins
  std::array<Vec3d, most_legs> q_ref;    // of the last tick
  std::array<double, most_legs> force;   // references of vertical forces, smoothed [N]
  std::array<double, most_legs> give;    // height by which a foot gives way to its force [m]
};
static_assert(sizeof(HexapodMemory) % sizeof(double) == 0 && std::is_trivially_copyable_v<HexapodMemory>);

// Before a leg lifts: would the mass centre stay over the others? What was refused is remembered for the shift.
class MarginGuard : public LiftGuard {
 public:
  MarginGuard(std::span<const Vec3d> feet, const Vec3d& com, double margin) : feet_(feet), com_(com), margin_(margin) {}
  bool may_lift(int leg, LegSet airborne) const override {
    const bool may = static_margin(without(airborne | leg_bit(leg)), com_) >= margin_;
    if (!may) refused |= leg_bit(leg);
    return may;
  }
  SupportPolygon without(LegSet airborne) const {
    Vec3d stand[most_legs];
    int n = 0;
    for (std::size_t i = 0; i < feet_.size(); i++)
      if (!has_leg(airborne, int(i))) stand[n++] = feet_[i];
    return polygon_of({stand, std::size_t(n)});
  }
  mutable LegSet refused = 0;

 private:
  std::span<const Vec3d> feet_;
  Vec3d com_;
  double margin_;
};

constexpr double follow_time = 0.03, follow_accel = 1.5;  // of the shift [s, m/s^2]
constexpr double smooth_time = 0.1;                       // over which a forecast is averaged [s]

class HexapodWalk : public Controller {
 public:
  HexapodWalk(const HexapodControl& c, const SegmentedBody& body, const Plan& plan, double period)
      : c_(c),
        body_(body),
        period_(period),
        weight_(body.mass() * norm(plan.gravity.g)),
        generator_({hexapod_table(c.gait, c.tau, body.segments), hexapod_table(c.next_gait, c.tau, body.segments)},
                   period),
        memory_(memory_offset(plan, hexapod_memory)) {
    find_joints(plan);
    for (int i = 0; i < body.legs(); i++) {
      neutral_.push_back(body.neutral(i));
      leg_.push_back(body.leg_of(i));
      shoulder_.push_back(Vec3d(neutral_[i][0], 0.0, 0.0));
    }
    path_ = path_of(c.direction, neutral_);
    for (int g = 0; g < 2; g++) forecast(g);
  }

  void update(const Readings& r, std::span<double> memory, Input<double>& out) override {
    HexapodMemory m;
    std::memcpy(static_cast<void*>(&m), memory.data() + memory_, sizeof m);
    if (m.begun == 0.0) begin(m);
    command(r.t, m.gait);
    std::array<Vec3d, most_legs> q;
    Vec3d foot[most_legs];
    for (int i = 0; i < body_.legs(); i++) {
      for (int a = 0; a < 3; a++) q[i][a] = r.q[leg_q_[i][a]];
      foot[i] = shoulder_[i] + from_leg(leg_[i], foot_of(leg_[i], q[i]));
    }
    const Vec3d com = mass_centre(body_, {}, q);
    MarginGuard guard({foot, std::size_t(body_.legs())}, com, c_.s_guard);
    GaitInput in;
    in.guard = &guard;
    if (m.waits == 0.0) generator_.step(m.gait, in);
    move_shift(m, guard, com);
    share(m, foot, com);
    for (int i = 0; i < body_.legs(); i++) drive_leg(i, r, q[i], m, out);
    std::memcpy(memory.data() + memory_, &m, sizeof m);
  }

 private:
  void find_joints(const Plan& plan) {
    leg_q_.resize(body_.legs());
    leg_u_.resize(body_.legs());
    rest_.resize(body_.legs());
    int coord = 0, axis = 0;
    for (const JointPlan& j : plan.joints) {
      for (int i = 0; i < body_.legs(); i++) {
        const std::string name = leg_name(i, body_.segments);
        const char* parts[3] = {"hip_", "femur_", "knee_"};
        for (int a = 0; a < 3; a++) {
          if (j.name != parts[a] + name) continue;
          leg_q_[i][a] = coord;
          leg_u_[i][a] = axis;
          rest_[i][a] = j.motion[0].offset;
        }
      }
      coord += joint::coordinate_count(j.kind);
      axis += joint::freedom_count(j.kind);
    }
  }

  void begin(HexapodMemory& m) const {
    m = {};
    m.begun = 1.0;
    m.gait = generator_.standing(0, c_.shape);
    m.force.fill(weight_ / body_.legs());
    m.give.fill(0.0);
    for (int i = 0; i < body_.legs(); i++) reach_for(leg_[i], to_leg(leg_[i], neutral_[i] - shoulder_[i]), m.q_ref[i]);
  }

  // Action level.
  void command(double t, GaitState& s) const {
    const bool stops = c_.stop >= 0.0 && t >= c_.stop;
    if (t >= c_.start && !stops && s.walk_mode() != WalkMode::Halt) generator_.walk(s);
    if (stops) generator_.stop(s);
    if (c_.change_at >= 0.0 && t >= c_.change_at) generator_.change(s, 1);
  }

  // The shift over a period of the gait, for level walking: rear and front edge through the mass centre at every tick.
  void forecast(int gait) {
    StepShape shape = c_.shape;
    const GaitTable& table = generator_.table_of(gait);
    shape.tau = table.tau;
    const StepTiming t = timing_of(shape);
    const int n = std::max(8, int(t.period / period_));
    std::vector<double> rear(n), front(n);
    shift_[gait].assign(n, 0.0);
    for (int k = 0; k < n; k++) {
      std::array<Vec3d, most_legs> q;
      std::vector<Vec3d> feet;
      bool reached = true;
      for (int i = 0; i < body_.legs(); i++) {
        const StepPoint p = step_point(shape, t, cycle_phase(double(k) / n - table.offset[i]));
        const Vec3d at = along_path(path_, neutral_[i], p.along) + Vec3d(0.0, 0.0, p.up);
        reached = reached && reach_for(leg_[i], to_leg(leg_[i], at - shoulder_[i]), q[i]) == Reach::Good;
        if (!is_airborne(p.phase)) feet.push_back(at);
      }
      if (!reached) return;  // nothing is forecast: the guard alone decides
      const Vec3d com = mass_centre(body_, {}, q);
      if (!span_through(polygon_of(feet), com, 0, rear[k], front[k])) return;
      rear[k] -= com[0];
      front[k] -= com[0];
    }
    std::vector<double> shift(n);
    forecast_shift({c_.s_min, c_.shift_speed, t.period / n}, rear, front, shift);
    const int half = std::min(n / 2, int(0.5 * smooth_time / period_));
    for (int k = 0; k < n; k++) {
      double sum = 0.0;
      for (int d = -half; d <= half; d++) sum += shift[(k + d + n) % n];
      shift_[gait][k] = sum / ((2 * half + 1) * com_gain());
    }
  }

  // How far the mass centre goes when the body is shifted over feet that stand: less, because part of the legs stays.
  double com_gain() const {
    constexpr double by = 1e-3;
    std::array<Vec3d, most_legs> q[2];
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < body_.legs(); i++)
        if (reach_for(leg_[i], to_leg(leg_[i], neutral_[i] - shoulder_[i] + Vec3d((1 - 2 * side) * by, 0.0, 0.0)),
                      q[side][i]) != Reach::Good)
          return 1.0;
    return 1.0 - (mass_centre(body_, {}, q[0]) - mass_centre(body_, {}, q[1]))[0] / (2.0 * by);
  }

  // Toward the forecast while it walks; where a leg was refused, toward a place at which it may lift.
  void move_shift(HexapodMemory& m, const MarginGuard& guard, const Vec3d& com) const {
    const GaitState& s = m.gait;
    double wanted = m.shift;
    const bool walks = s.walk_mode() == WalkMode::Walk;
    if (walks) {
      const std::vector<double>& table = shift_[int(s.gait)];
      const double ahead = follow_time / timing_of(s.shape).period;  // by which the shift lags behind
      const double phase = cycle_phase(generator_.master_phase(s) + ahead);
      wanted = table[std::min(table.size() - 1, std::size_t(phase * double(table.size())))];
    }
    if (s.walk_mode() == WalkMode::Stand) wanted = 0.0;
    if (guard.refused != 0) {
      Vec3d by;
      clamp_shift(guard.without(s.airborne() | guard.refused), com, c_.s_guard + 0.005, by);
      wanted = m.shift + by[0];
    }
    const double v = std::clamp((wanted - m.shift) / follow_time, -c_.shift_speed, c_.shift_speed);
    m.shift_rate += std::clamp(v - m.shift_rate, -follow_accel * period_, follow_accel * period_);
    m.shift += m.shift_rate * period_;
    if (walks && m.walked == 0.0) m.waits = 1.0;  // it begins to walk: first the body goes where the forecast has it
    if (!walks || s.walking == 0.0 || std::abs(wanted - m.shift) < 0.004) m.waits = 0.0;
    m.walked = walks ? 1.0 : 0.0;
  }

  void share(HexapodMemory& m, const Vec3d* foot, const Vec3d& com) {
    Vec3d stand[most_legs];
    int which[most_legs], n = 0;
    for (int i = 0; i < body_.legs(); i++) {
      if (m.gait.leg[i].in_air != 0.0) continue;
      which[n] = i;
      stand[n++] = foot[i];
    }
    const VerticalForces wanted = share_weight({stand, std::size_t(n)}, com, weight_, qp_);
    std::array<double, most_legs> force{};
    for (int k = 0; k < n; k++) force[which[k]] = wanted.F[k];
    const double part = std::min(1.0, period_ / c_.force_time);
    for (int i = 0; i < body_.legs(); i++) m.force[i] += part * ((c_.shares_force ? force[i] : 0.0) - m.force[i]);
  }

  // Servo level. The servos of the plan pull to rest_ with the same gains; what is commanded besides moves their aim to q_ref.
  void drive_leg(int i, const Readings& r, const Vec3d& q, HexapodMemory& m, Input<double>& out) const {
    const GaitState::Leg& foot = m.gait.leg[i];
    const Vec3d p = along_path(path_, neutral_[i], foot.along) + Vec3d(-m.shift, 0.0, foot.up + m.give[i]);
    Vec3d q_ref = m.q_ref[i];
    reach_for(leg_[i], to_leg(leg_[i], p - shoulder_[i]), q_ref);  // out of reach: the last angles stay
    const Vec3d push = force_torques(leg_[i], q, Vec3d(0.0, 0.0, -m.force[i]));
    Vec3d given;
    for (int a = 0; a < 3; a++) {
      const int u = leg_u_[i][a];
      const double rate = (q_ref[a] - m.q_ref[i][a]) / period_, limit = a == 2 ? c_.knee_limit : c_.torque_limit;
      const double servo = c_.kp * (rest_[i][a] - q[a]) - c_.kd * r.u[u];
      const double wanted = c_.kp * (q_ref[a] - q[a]) + c_.kd * (rate - r.u[u]) + push[a];
      given[a] = std::clamp(wanted, -limit, limit);
      out.torque[u] = given[a] - servo;
    }
    m.q_ref[i] = q_ref;
    // compliance, from what the torques say that the ground does
    Vec3d force = Vec3d::zero();
    const bool stands = foot.in_air == 0.0 && foot_force(leg_[i], q, given, force);
    m.give[i] = c_.complies && stands ? comply(c_.compliance, m.give[i], m.force[i], force[2], period_)
                                      : m.give[i] * (1.0 - std::min(1.0, period_ / 0.1));
  }

  HexapodControl c_;
  SegmentedBody body_;
  double period_, weight_;
  GaitGenerator generator_;
  int memory_;
  PlaneTwist path_;
  std::vector<Vec3d> neutral_, shoulder_;
  std::vector<YawLeg> leg_;
  std::vector<std::array<int, 3>> leg_q_, leg_u_;
  std::vector<std::array<double, 3>> rest_;   // at which the servos of the plan aim [rad]
  std::array<std::vector<double>, 2> shift_;  // of both gaits, over the master phase
  SmallQp qp_;
};

void describe_gait_keys(Keys& keys, HexapodControl& c) {
  keys.choice({"gait", "", "with which it starts"}, gait_names, c.gait);
  keys.choice({"next_gait", "", "to which it changes at change_at"}, gait_names, c.next_gait);
  keys.number({"change_at", "s", "when the gait is changed; below 0: never", any_number}, c.change_at);
  keys.number(
      {"tau", "1", "part of a period in the air, at most 1/2; 0: the gait's, gallop: 0.2", {.low = 0.0, .high = 0.5}},
      c.tau);
  keys.number({"walk_from", "s", "it stands before", not_negative}, c.start);
  keys.number({"walk_until", "s", "when it stops; below 0: never", any_number}, c.stop);
  keys.number({"forward", "1", "direction of walking: part of the way ahead", any_number}, c.direction.v_x);
  keys.number({"left", "1", "part of the way to the left", any_number}, c.direction.v_y);
  keys.number({"turn", "1/m", "radians to the left for each metre of forward = 1", any_number}, c.direction.omega);
  describe_step(keys, c.shape);
}

}  // namespace

GaitTable hexapod_table(int gait, double tau, int segments) {
  GaitTable t = gait_table(Gait(gait), segments);
  if (tau > 0.0) t.tau = tau;
  if (tau == 0.0 && Gait(gait) == Gait::Gallop) t.tau = std::min(t.tau, 0.2);
  return t;
}

int hexapod_memory_size() { return int(sizeof(HexapodMemory) / sizeof(double)); }

void describe_control(Keys& keys, const SegmentedBody& body, HexapodControl& c) {
  describe_gait_keys(keys, c);
  keys.number({"s_min", "m", "static margin that the forecast shift keeps", not_negative}, c.s_min);
  keys.number({"s_guard", "m", "static margin without which no leg lifts", not_negative}, c.s_guard);
  keys.number({"shift_speed", "m/s", "of the body's shift over its feet", positive}, c.shift_speed);
  keys.number({"kp", "N m/rad", "of the legs' joints", not_negative}, c.kp);
  keys.number({"kd", "N m s/rad", "of the legs' joints", not_negative}, c.kd);
  keys.number({"hinge_kp", "N m/rad", "of the hinges between segments", not_negative}, c.hinge_kp);
  keys.number({"hinge_kd", "N m s/rad", "of the hinges between segments", not_negative}, c.hinge_kd);
  keys.number({"neck_kp", "N m/rad", "of the neck", not_negative}, c.neck_kp);
  keys.number({"neck_kd", "N m s/rad", "of the neck", not_negative}, c.neck_kd);
  keys.number({"torque_limit", "N m", "of the first two joints of a leg", positive}, c.torque_limit);
  keys.number({"knee_limit", "N m", "of the third", positive}, c.knee_limit);
  keys.flag({"shares_force", "", "torques of the legs carry the weight by the forces of least squares"},
            c.shares_force);
  keys.flag({"complies", "", "feet that stand give way to the error of their force, which the torques tell"},
            c.complies);
  keys.number({"compliance", "m/(N s)", "how fast they do", not_negative}, c.compliance.alpha);
  keys.number({"compliance_most", "m", "by how much at most", not_negative}, c.compliance.most);
  keys.number({"compliance_leak", "s", "in which they forget", positive}, c.compliance.leak);
  keys.number({"force_time", "s", "in which these forces follow", positive}, c.force_time);
  for (const int which : {c.gait, c.next_gait}) {
    const std::string problem = problem_of(hexapod_table(which, c.tau, body.segments));
    if (problem.empty()) continue;
    keys.reject("gait",
                fmt::format("{} on {} segments with tau = {:g}: {}", gait_names[which], body.segments, c.tau, problem),
                "take another gait, or a smaller tau");
    c.gait = c.next_gait = int(Gait::Wave);
    c.tau = 0.0;
  }
  std::vector<Vec3d> neutral;
  for (int i = 0; i < body.legs(); i++) neutral.push_back(body.neutral(i));
  StepShape reached = c.shape;
  const double longest = longest_stroke(body, {}, path_of(c.direction, neutral), reached);
  if (longest < c.shape.stroke) {
    keys.reject("L", fmt::format("legs do not reach the ends of a stroke of {:g} m in this direction", c.shape.stroke),
                fmt::format("give at most {:.4g}", longest));
    c.shape.stroke = longest;
  }
}

std::unique_ptr<Controller> make_hexapod_controller(const HexapodControl& control, const SegmentedBody& body,
                                                    const Plan& plan, double period) {
  return std::make_unique<HexapodWalk>(control, body, plan, period);
}

}  // namespace sinew::robots
