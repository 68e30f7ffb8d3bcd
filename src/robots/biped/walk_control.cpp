#include "robots/biped/walk_control.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::robots {
namespace {

using namespace legged;

// All that the controller remembers: doubles alone.
struct BipedMemory {
  double begun = 0.0;
  Vec3d p_WP = Vec3d::zero();  // pelvis of the last pose [m]
  BothLegs q_ref{};            // of the last tick
};
static_assert(sizeof(BipedMemory) % sizeof(double) == 0 && std::is_trivially_copyable_v<BipedMemory>);

class BipedWalk : public Controller {
 public:
  BipedWalk(const BipedControl& c, const BipedBody& body, const Plan& plan, double period)
      : c_(c),
        body_(body),
        g_(norm(plan.gravity.g)),
        plan_(body, c.order, g_),
        period_(period),
        memory_(memory_offset(plan, biped_memory)) {
    plan_.stand(p_stand_, rest_);
    int axis = 0;
    for (const JointPlan& j : plan.joints) {
      for (int side = 0; side < 2; side++)
        for (const auto& [name, first] : {std::pair{"yaw_", six::yaw}, std::pair{"hip_", six::roll},
                                          std::pair{"knee_", six::knee}, std::pair{"ankle_", six::ankle_pitch}})
          if (j.name == std::string(name) + biped_sides[side])
            for (int i = 0; i < joint::freedom_count(j.kind); i++) axis_[side][first + i] = axis + i;
      axis += joint::freedom_count(j.kind);
    }
    for (std::size_t i = 0; i < plan.bodies.size(); i++)
      if (plan.bodies[i].name == "trunk") trunk_ = int(i);
  }

  void update(const Readings& r, std::span<double> memory, Input<double>& out) override {
    BipedMemory m;
    std::memcpy(static_cast<void*>(&m), memory.data() + memory_, sizeof m);
    if (m.begun == 0.0) {
      m.begun = 1.0;
      m.p_WP = p_stand_;
      m.q_ref = rest_;
    }
    const BipedMoment now = plan_.at(r.t + period_);
    const BipedAim aim = plan_.aim_of(now);
    BothLegs q = m.q_ref;
    pose_biped(body_, aim, m.p_WP, q);
    // what the ground must do: carry the weight and move the mass centre, at the zero-moment point
    const Vec3d f = (now.a + Vec3d(0.0, 0.0, g_)) * body_.mass();
    const SharedPush pushes = share_push(f, now.p, now.over, {now.swings != 0, now.swings != 1});
    for (int side = 0; side < 2; side++) {
      q[side] = limited(body_.leg, q[side]);
      const SixAngles carry = balance_torques(body_, side, {aim.R_WP, m.p_WP}, q[side], pushes.foot[side], g_);
      for (int i = 0; i < six::count; i++) {
        const double rate = (q[side][i] - m.q_ref[side][i]) / period_;
        out.torque[axis_[side][i]] = c_.kp * (q[side][i] - rest_[side][i]) + c_.kd * rate + carry[i];
      }
    }
    m.q_ref = q;
    push(r.t, out);
    std::memcpy(memory.data() + memory_, &m, sizeof m);
  }

 private:
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
  Vec3d p_stand_;
  BothLegs rest_{};
  std::array<std::array<int, six::count>, 2> axis_{};
};

void describe_steps(Keys& keys, BipedOrder& o) {
  keys.integer({"steps", "", "of walking; the last one brings the feet side by side", {.low = 2, .high = 1000}},
               o.steps);
  keys.number({"step_length", "m", "by which a foot is put ahead of the other", {.low = -0.3, .high = 0.3}}, o.length);
  keys.number(
      {"step_left", "m", "by which the middle of the feet goes left with each step", {.low = -0.1, .high = 0.1}},
      o.left);
  keys.number({"step_turn", "rad", "by which it turns left with each step", {.low = -0.4, .high = 0.4}, true}, o.turn);
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

int biped_memory_size() { return int(sizeof(BipedMemory) / sizeof(double)); }

void describe_control(Keys& keys, const BipedBody& body, BipedControl& c) {
  BipedOrder& o = c.order;
  keys.choice({"action", "", "what it does"}, biped_action_names, o.action);
  keys.number({"start", "s", "it stands before", {.low = 0.0, .high = 100.0}}, o.start);
  keys.number({"hip_height", "m", "over the ground, when it stands", positive}, o.hip_height);
  keys.number({"squat_depth", "m", "squat: how far the mass centre goes down", not_negative}, o.squat_depth);
  keys.number({"squat_time", "s", "squat: down, and as long up again", positive}, o.squat_time);
  describe_steps(keys, o);
  keys.number({"kp", "N m/rad", "of the joints' servos", positive}, c.kp);
  keys.number({"kd", "N m s/rad", "of the joints' servos", not_negative}, c.kd);
  keys.number({"push", "N s", "impulse with which the trunk is pushed, at its mass centre", any_number}, c.push);
  keys.number({"push_from", "rad", "side from which it comes: 0 from ahead, pi/2 from the left", any_number, true},
              c.push_from);
  keys.number({"push_at", "s", "when it begins", not_negative}, c.push_at);
  keys.number({"push_time", "s", "how long it lasts", positive}, c.push_time);
  const BipedPlan plan(body, o, 9.81);
  if (const std::string problem = plan.problem(); !problem.empty()) {
    const bool is_cycle = problem.starts_with("a shift");
    keys.reject(is_cycle ? "cycle" : "hip_height", problem,
                is_cycle ? "give a longer one, or a larger shift_speed"
                         : "give another height of the hips, shorter steps or less of a squat");
    o = BipedOrder{};
  }
}

std::unique_ptr<Controller> make_biped_controller(const BipedControl& control, const BipedBody& body, const Plan& plan,
                                                  double period) {
  return std::make_unique<BipedWalk>(control, body, plan, period);
}

}  // namespace sinew::robots
