#include "robots/biped/walk_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>
#include <utility>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"
#include "sinew/math/ramp.h"

namespace sinew::robots {
namespace {

using namespace legged;

class BipedWalk : public Controller {
 public:
  BipedWalk(const BipedControl& c, const BipedBody& body, const Plan& plan, Plan rigid, double period)
      : c_(c),
        body_(body),
        g_(norm(plan.gravity.g)),
        plan_(*plan_of(c, body, g_)),
        period_(period),
        memory_(memory_offset(plan, biped_memory)),
        wiring_(biped_wiring(plan)),
        upper_wiring_(upper_wiring(plan)),
        sense_(c.balance, body, wiring_, plan_.gravity(), {period, c.order.start}),
        steps_(body, chain_shape(c, body), c.balance.capture, g_) {
    plan_.stand(p_stand_, rest_);
    for (std::size_t i = 0; i < plan.bodies.size(); i++)
      if (plan.bodies[i].name == "trunk") trunk_ = int(i);
    if (!c.is_whole()) return;
    rigid.gravity.g = plan_.gravity();
    whole_.emplace(c.whole, body, rigid, wiring_, c.devices.force_limit);
  }

  void update(const Readings& r, std::span<double> memory, Input<double>& out) override {
    BipedMemory m;
    std::memcpy(static_cast<void*>(&m), memory.data() + memory_, sizeof m);
    if (m.begun == 0.0) {
      m.begun = 1.0;
      m.p_WP = p_stand_;
      m.q_ref = rest_;
    }
    BipedMoment now = c_.is_told() ? told(r, memory, m) : plan_.at(r.t + period_);
    for (int side = 0; side < 2; side++) now.foot[side].p[2] += m.give[side];
    const BipedAim aim = plan_.aim_of(now);
    BothLegs q = m.q_ref;
    pose_biped(body_, aim, m.p_WP, q);
    for (int side = 0; side < 2; side++) q[side] = limited(body_.leg, q[side]);
    if (c_.devices.are_real())
      drive_by_sensors({r, now, aim, q, memory}, m, out);
    else
      drive_servos(now, aim, q, m, out);
    m.q_ref = q;
    if (c_.upper.is_jointed()) move_upper(aim.R_WP, q, m, memory, out);
    push(r.t, out);
    std::memcpy(memory.data() + memory_, &m, sizeof m);
  }

 private:
  void move_upper(const Mat3d& R_WP, const BothLegs& q, const BipedMemory& m, std::span<double> memory,
                  Input<double>& out) const {
    UpperMemory upper;
    double* block = memory.data() + memory_ + biped_memory_size() + (c_.is_told() ? told_memory_size() : 0);
    std::memcpy(static_cast<void*>(&upper), block, sizeof upper);
    std::array<MassPoint, 7> points = mass_points(body_, q);
    for (MassPoint& point : points) point.p = m.p_WP + R_WP * point.p;
    swing_upper(c_.upper, points, period_, upper);
    command_upper(c_.upper, upper_wiring_, upper, out.torque);
    std::memcpy(block, &upper, sizeof upper);
  }

  // Steps as they are told, and as balance needs them.
  BipedMoment told(const Readings& r, std::span<double> memory, BipedMemory& m) const {
    ToldMemory t;
    double* block = memory.data() + memory_ + biped_memory_size();
    std::memcpy(static_cast<void*>(&t), block, sizeof t);
    if (dot(t.chain.foot[0].p, t.chain.foot[0].p) == 0.0) {
      for (int side = 0; side < 2; side++) t.chain.foot[side].p = t.stands[side] = body_.hip(side);
      steps_.begin(t.chain);
    }
    const double w = plan_.rate();
    if (c_.devices.are_real() && c_.balance.is_on && dot(m.up, m.up) > 0.0 && r.t > c_.order.start)
      save_by_steps(steps_, c_.balance.save, {m.xi, m.p_ref, w}, period_, t.chain);
    const legged::WalkTwist twist = told_at(c_.commands, r.t, t);
    const bool swung = t.chain.what() == ChainPhase::Swing;
    const int side = int(t.chain.side);
    if (swung && t.chain.astray > 0.0 && m.landed[side] > 0.0 && 2.0 * t.chain.t > t.chain.T) {
      // it has touched before its time: there it stands, as high as it was told to be
      m.give[side] += steps_.moment(t.chain).foot[side].p[2];
      m.give_rate[side] = 0.0;
      t.chain.t = t.chain.T;
    }
    steps_.advance(r.t < c_.order.start ? legged::WalkTwist{} : twist, period_, t.chain);
    if (swung && t.chain.what() != ChainPhase::Swing) land(r, side, m, t);
    if (c_.devices.are_real()) go_where_feet_are(t);
    std::memcpy(block, &t, sizeof t);
    const ChainMoment at = steps_.moment(t.chain);
    BipedMoment now = plan_.at(0.0);
    now.c = Vec3d(at.c[0], at.c[1], now.c[2] - at.drop);
    now.v = at.v;
    now.a = at.a;
    now.p = at.p;
    now.foot = now.stands = at.foot;
    for (int side = 0; side < 2; side++)
      if (at.swings != side) now.stands[side].p = t.stands[side];
    now.over = at.over;
    for (int side = 0; side < 2; side++) now.height[side] = at.foot[side].p[2];
    now.swings = at.swings;
    now.part = at.part;
    now.left = at.left;
    return now;
  }

  // A foot is where joint angles say, not where it should have come.
  void land(const Readings& r, int side, const BipedMemory& m, ToldMemory& t) const {
    if (!c_.devices.are_real()) {
      t.stands[side] = t.chain.foot[side].p;
      return;
    }
    const Vec3d way = sense_.between_ankles(r, 0.5 * (t.chain.foot[0].yaw + t.chain.foot[1].yaw), m);
    const Vec3d at = t.stands[1 - side] + (side == 1 ? way : -way);
    t.stands[side] = Vec3d(at[0], at[1], 0.0);
  }
  void go_where_feet_are(ToldMemory& t) const {
    constexpr double speed = 0.2;  // [m/s]
    for (int side = 0; side < 2; side++) {
      const bool flies = t.chain.what() == ChainPhase::Swing && int(t.chain.side) == side;
      const Vec3d off = t.stands[side] - t.chain.foot[side].p;
      const double far = norm(off);
      if (!flies && far > 0.0) t.chain.foot[side].p += off * std::min(1.0, speed * period_ / far);
    }
  }

  static StepChainShape chain_shape(const BipedControl& c, const BipedBody& body) {
    const BipedOrder& o = c.order;
    StepChainShape out;
    out.step_time = o.step_time;
    out.double_part = o.double_part;
    out.lift = o.swing.lift;
    out.ahead = o.ahead;
    out.inward = body.hip_beside - o.beside;
    out.hip_height = o.hip_height;
    return out;
  }

  // What the ground must do: carry the weight and move the mass centre, at the zero-moment point. Ideal servos are those of the plan, which pull to `rest_`.
  void drive_servos(const BipedMoment& now, const BipedAim& aim, const BothLegs& q, const BipedMemory& m,
                    Input<double>& out) const {
    const Vec3d g = plan_.gravity(), f = (now.a - g) * body_.mass();
    const SharedPush pushes = share_push(f, now.p, now.over, {now.swings != 0, now.swings != 1});
    for (int side = 0; side < 2; side++) {
      const SixAngles carry =
          balance_torques(body_, side, {aim.R_WP, m.p_WP}, q[side], pushes.foot[side], LegPull{g, g, g});
      for (int i = 0; i < six::count; i++) {
        const double rate = (q[side][i] - m.q_ref[side][i]) / period_;
        out.torque[wiring_.leg[side].u[i]] = c_.kp * (q[side][i] - rest_[side][i]) + c_.kd * rate + carry[i];
      }
    }
  }

  struct Pulled {
    std::array<Vec3d, 7> part, force;  // g - a of all masses; times the mass [m/s^2, N]
    Vec3d spin = Vec3d::zero();        // moment of the ground about the mass centre that this takes [N m]
  };
  // From the last two poses. The first tick has none.
  Pulled pulls(const BipedAim& aim, const BothLegs& q, bool is_first, BipedMemory& m) const {
    Pulled out;
    const std::array<MassPoint, 7> points = mass_points(body_, q);
    for (std::size_t i = 0; i < 7; i++) {
      const Vec3d at = m.p_WP + aim.R_WP * points[i].p;
      const Vec3d rate = is_first ? Vec3d::zero() : (at - m.point[i]) * (1.0 / period_);
      out.part[i] = plan_.gravity() - (rate - m.point_rate[i]) * (1.0 / period_);
      out.force[i] = out.part[i] * points[i].m;
      out.spin -= cross(at - aim.c, out.force[i]);
      m.point[i] = at;
      m.point_rate[i] = rate;
    }
    return out;
  }

  // What is read, what is wanted, and the pose for it.
  struct Tick {
    const Readings& r;
    const BipedMoment& now;
    const BipedAim& aim;
    const BothLegs& q;
    std::span<double> memory;
  };
  // Joint angles by encoders, balance by the force sensors and the inertial unit; torques reach the joints through their drives.
  void drive_by_sensors(const Tick& tick, BipedMemory& m, Input<double>& out) {
    const auto& [r, now, aim, q, memory] = tick;
    const bool is_first = dot(m.up, m.up) == 0.0;
    const double w = plan_.rate();
    const BipedSight see = sense_.look(r, now, w, m);
    sense_.command(now, aim, w, m);
    const Pulled pulled = pulls(aim, q, is_first, m);
    Vec3d f = (m.p - m.p_ref) * (-body_.mass() * w * w);
    for (const Vec3d& pull : pulled.force) f -= pull;
    const SharedPush pushes = share_push(f, m.p + m.slow, now.over, {now.swings != 0, now.swings != 1});
    BipedWhole::Wanted wanted{q, {}, {}, f, pulled.spin, pushes.foot};
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < six::count; i++) {
        wanted.rate[side][i] = is_first ? 0.0 : (q[side][i] - m.q_ref[side][i]) / period_;
        wanted.accel[side][i] = (wanted.rate[side][i] - m.rate_ref[side][i]) / period_;
      }
    std::array<SixAngles, 2> torque{};
    if (!whole_ || !solve_whole(tick, see, wanted, m, torque)) torque = carry_and_follow(see, aim, wanted, pulled, m);
    for (int side = 0; side < 2; side++) {
      if (now.swings != side) sense_.keep_flat(see, side, torque[side]);
      if (now.swings == side) fly(now.part, torque[side]);
      count_losses(wiring_.leg[side], see.q[side], wanted.rate[side], torque[side]);
      for (int i = 0; i < six::count; i++) out.torque[wiring_.leg[side].u[i]] = torque[side][i];
      m.rate_ref[side] = wanted.rate[side];
    }
    sense_.comply(now, {pushes.foot[0].f[2], pushes.foot[1].f[2]}, m);
  }

  // Stiffness and damping of a joint's servo. Ankles of a foot that carries are soft: balance moves them.
  std::pair<double, double> gains(const BipedMemory& m, int side, int i) const {
    const double carries = std::clamp(m.load[side] / (0.3 * g_ * body_.mass()), 0.0, 1.0);
    const double soft = c_.balance.is_on && i >= six::ankle_pitch ? carries : 0.0;
    return {c_.devices.kp[i] + soft * (c_.balance.ankle_kp - c_.devices.kp[i]),
            c_.devices.kd[i] + soft * (c_.balance.ankle_kd - c_.devices.kd[i])};
  }

  // What carries the robot, and servos on the joints.
  std::array<SixAngles, 2> carry_and_follow(const BipedSight& see, const BipedAim& aim,
                                            const BipedWhole::Wanted& wanted, const Pulled& pulled,
                                            const BipedMemory& m) const {
    std::array<SixAngles, 2> out;
    for (int side = 0; side < 2; side++) {
      const std::size_t first = std::size_t(1 + 3 * side);
      SixAngles& torque = out[side];
      torque = balance_torques(body_, side, {aim.R_WP, m.p_WP}, wanted.q[side], wanted.push[side],
                               LegPull{pulled.part[first], pulled.part[first + 1], pulled.part[first + 2]});
      const SixAngles rotors = rotor_inertia(wiring_.leg[side], wanted.q[side]);
      for (int i = 0; i < six::count; i++) {
        const auto [kp, kd] = gains(m, side, i);
        torque[i] += kp * (wanted.q[side][i] - see.q[side][i]) + kd * (wanted.rate[side][i] - see.u[side][i]) +
                     rotors[i] * (wanted.rate[side][i] - m.rate_ref[side][i]) / period_;
      }
    }
    return out;
  }

  // With all joints at once. False: its program has no solution, which it counts.
  bool solve_whole(const Tick& tick, const BipedSight& see, BipedWhole::Wanted wanted, const BipedMemory& m,
                   std::array<SixAngles, 2>& torque) {
    WholeMemory whole;
    double* block = tick.memory.data() + memory_ + biped_memory_size() + (c_.is_told() ? told_memory_size() : 0) +
                    (c_.upper.is_jointed() ? upper_memory_size() : 0);
    std::memcpy(static_cast<void*>(&whole), block, sizeof whole);
    const double w = plan_.rate();
    for (int i = 0; i < 2; i++) wanted.f[i] += body_.mass() * w * w * (m.com.c[i] - tick.now.c[i]);
    wanted.spin += cross(m.slow, wanted.f);
    const bool is_solved = whole_->solve(see, tick.now, tick.aim, wanted, torque);
    whole.iterations = whole_->iterations();
    if (!is_solved) whole.unsolved += 1.0;
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < six::count; i++) {
        const auto [kp, kd] = gains(m, side, i);
        torque[side][i] +=
            c_.whole.servo * (kp * (wanted.q[side][i] - see.q[side][i]) + kd * (wanted.rate[side][i] - see.u[side][i]));
      }
    std::memcpy(block, &whole, sizeof whole);
    return is_solved;
  }

  // In the middle of its swing a leg goes by its own momentum and weight; before and after it is led. part: of the swing
  void fly(double part, SixAngles& torque) const {
    const double begun = ramp_at(part, 0.3).value, over = part > 0.5 ? ramp_at(part - 0.5, 0.3).value : 0.0;
    const double led = 1.0 - c_.devices.ballistic * (begun - over);
    for (const int i : {int(six::pitch), int(six::knee)}) torque[std::size_t(i)] *= led;
  }

  // Somebody pushes the trunk at its mass centre: half a sine of force, with the whole impulse that was asked for.
  void push(double t, Input<double>& out) const {
    if (c_.push == 0.0 || trunk_ < 0 || out.external.empty()) return;
    const double part = (t - c_.push_at) / c_.push_time;
    double force = 0.0;
    if (part >= 0.0 && part < 1.0)
      force = c_.push * 0.5 * std::numbers::pi / c_.push_time * math::sin(std::numbers::pi * part);
    out.external[trunk_].f = Vec3d(-force * math::cos(c_.push_from), -force * math::sin(c_.push_from), 0.0);
  }

  BipedControl c_;
  BipedBody body_;
  double g_;
  BipedPlan plan_;
  double period_;
  int memory_, trunk_ = -1;
  BipedWiring wiring_;
  UpperWiring upper_wiring_;
  BipedSense sense_;
  StepChainWalk steps_;
  std::optional<BipedWhole> whole_;
  Vec3d p_stand_;
  BothLegs rest_{};
};

void describe_steps(Keys& keys, BipedOrder& o) {
  keys.integer({"steps", "", "of walking; the last one brings the feet side by side", {.low = 2, .high = 1000}},
               o.steps);
  keys.number({"step_length", "m", "by which a foot is put ahead of the other", {.low = -0.3, .high = 0.3}}, o.length);
  keys.number(
      {"step_left", "m", "by which the middle of the feet goes left with each step", {.low = -0.1, .high = 0.1}},
      o.left);
  keys.number({"step_turn", "rad", "by which it turns left with each step", {.low = -0.4, .high = 0.4}, true}, o.turn);
  keys.numbers({"stairs", "m", "static walking: heights of treads, step_length apart; both feet on each; empty: flat"},
               {}, o.stairs);
  keys.number({"lift", "m", "of a foot in the air", {.low = 0.0, .high = 0.2, .above_low = true}}, o.swing.lift);
  keys.number({"cycle", "s", "static walking: time of a step", positive}, o.cycle);
  keys.number({"shift_speed", "m/s", "static walking: of the zero-moment point, from sole to sole", positive},
              o.shift_speed);
  keys.number({"s_min", "m", "margin of the zero-moment point in a sole that stands alone", not_negative}, o.s_min);
  keys.number({"shift_beside", "m", "where it goes for that, beside the middle of the feet", positive}, o.beside);
  keys.number({"zmp_ahead", "m", "and ahead of the ankle", any_number}, o.ahead);
  keys.number({"step_time", "s", "dynamic walking: time of a step", {.low = 0.3, .high = 5.0}}, o.step_time);
  keys.number({"double_part", "1", "dynamic walking: part of it on both feet", {.low = 0.05, .high = 0.9}},
              o.double_part);
}

}  // namespace

std::shared_ptr<const BipedPlan> plan_of(const BipedControl& c, const BipedBody& body, double g) {
  return c.plan && c.plan->is_of(body, c.order, g) ? c.plan : std::make_shared<const BipedPlan>(body, c.order, g);
}

void describe_control(Keys& keys, const BipedBody& body, BipedControl& c) {
  BipedOrder& o = c.order;
  keys.choice({"action", "", "what it does"}, biped_action_names, o.action);
  keys.number({"start", "s", "it stands before", {.low = 0.0, .high = 100.0}}, o.start);
  keys.number({"hip_height", "m", "over the ground, when it stands", positive}, o.hip_height);
  keys.number({"slope",
               "rad",
               "of the ground, up ahead, as the robot knows it; gravity.incline makes it",
               {.low = -0.3, .high = 0.3},
               true},
              o.slope);
  keys.number({"squat_depth", "m", "squat: how far the mass centre goes down", not_negative}, o.squat_depth);
  keys.number({"squat_time", "s", "squat: down, and as long up again", positive}, o.squat_time);
  describe_steps(keys, o);
  if (!o.stairs.empty() && BipedAction(o.action) != BipedAction::WalkStatic) {
    keys.reject("stairs", fmt::format("stairs are not for action \"{}\"", biped_action_names[std::size_t(o.action)]),
                "give action = \"walk-static\", or leave them out");
    o.stairs.clear();
  }
  keys.number({"kp", "N m/rad", "of the joints' servos", positive}, c.kp);
  keys.number({"kd", "N m s/rad", "of the joints' servos", not_negative}, c.kd);
  keys.number({"push", "N s", "impulse with which the trunk is pushed, at its mass centre", any_number}, c.push);
  keys.number({"push_from", "rad", "side from which it comes: 0 from ahead, pi/2 from the left", any_number, true},
              c.push_from);
  keys.number({"push_at", "s", "when it begins", not_negative}, c.push_at);
  keys.number({"push_time", "s", "how long it lasts", positive}, c.push_time);
  describe_devices(keys, c.devices);
  describe_balance(keys, c.devices.is_elastic("ankle"), c.balance);
  describe_whole(keys, c.whole);
  c.plan = plan_of(c, body, 9.81);
  if (const std::string problem = c.plan->problem(); !problem.empty()) {
    const bool is_cycle = problem.starts_with("a shift");
    keys.reject(is_cycle ? "cycle" : "hip_height", problem,
                is_cycle ? "give a longer one, or a larger shift_speed"
                         : "give another height of the hips, shorter steps or less of a squat");
    o = BipedOrder{};
  }
}

std::unique_ptr<Controller> make_biped_controller(const BipedControl& control, const BipedBody& body, const Plan& plan,
                                                  Plan rigid, double period) {
  return std::make_unique<BipedWalk>(control, body, plan, std::move(rigid), period);
}

}  // namespace sinew::robots
