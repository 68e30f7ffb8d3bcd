#include "sinew/io/describe_control.h"

#include <fmt/format.h>

namespace sinew::io {
namespace {

constexpr Range may_be_infinite{.low = 0.0, .may_be_infinite = true};

// Keys that mean something only to other kinds of control.
void reject_others(Keys& keys, ControlKind kind) {
  const auto only_for = [&](std::initializer_list<const char*> names, bool is, const char* owner) {
    for (const char* name : names)
      if (!is && keys.is_given(name))
        keys.reject(name, fmt::format("{} has no meaning for control.kind = \"{}\"", name, control_names[int(kind)]),
                    fmt::format("remove it, or use kind = {}", owner));
  };
  const bool feedback = kind != ControlKind::ComputedTorque;
  only_for({"natural_frequency", "damping_ratio"}, !feedback, "\"computed-torque\"");
  only_for({"joints", "actuated", "angles", "limit", "limit_angle", "limit_angle_deg", "lag"}, feedback,
           "\"pd\" or \"lqr\"");
  only_for({"kp", "kd"}, kind == ControlKind::Pd, "\"pd\"");
  only_for({"angle_weights", "rate_weights", "torque_weights", "balance"}, kind == ControlKind::Lqr, "\"lqr\"");
}

}  // namespace

void describe_control(Keys& keys, Scenario& s) {
  const Table table(keys, "control", "what a controller makes the joints do that it follows");
  int kind = int(s.control_kind);
  keys.choice({"kind", "",
               "computed-torque: inverse dynamics of all joints with drive = \"computed\"; pd: proportional-differential "
               "feedback; lqr: linear regulator of least cost"},
              control_names, kind);
  s.control_kind = ControlKind(kind);
  ComputedTorqueGains& c = s.control;
  keys.number(live({"natural_frequency", "rad/s", "at which errors of computed joints die out", not_negative}),
              c.natural_frequency);
  keys.number(live({"damping_ratio", "1", "of these errors; 1: no overshoot", not_negative}), c.damping_ratio);
  FeedbackPlan& f = s.feedback;
  const Count one_or_each{.one_for_all = true};
  keys.texts({"joints", "", "pd, lqr: joints to follow besides those with drive = \"computed\"; names with * and ?"},
             f.joints);
  keys.texts({"actuated", "", "pd, lqr: those of them that have an actuator; names with * and ?"}, f.actuated);
  int angles = int(f.angles);
  keys.choice({"angles", "", "pd, lqr: what is fed back; link: direction of a link, the sum of all angles up to it"},
              control_angle_names, angles);
  f.angles = ControlAngles(angles);
  keys.numbers(live({"kp", "N m/rad or N/m", "pd: gain on each actuated angle, or one for all", not_negative}),
               one_or_each, f.kp);
  keys.numbers(live({"kd", "N m s/rad or N s/m", "pd: gain on each actuated rate, or one for all", not_negative}),
               one_or_each, f.kd);
  keys.numbers({"angle_weights", "1", "lqr: cost of the square of each followed angle's error, or one for all",
                not_negative},
               one_or_each, f.angle_weights);
  keys.numbers({"rate_weights", "1", "lqr: cost of the square of each followed rate's error, or one for all",
                not_negative},
               one_or_each, f.rate_weights);
  keys.numbers({"torque_weights", "1", "lqr: cost of the square of each actuated torque, or one for all", positive},
               one_or_each, f.torque_weights);
  keys.flag({"balance", "", "lqr: hold the pose nearest to the given motions at t = 0 that the actuators can hold"},
            f.balance);
  keys.numbers(live({"limit", "N m or N", "pd, lqr: most that each actuator can give, or one for all", may_be_infinite}),
               one_or_each, f.limit);
  keys.numbers({"limit_angle", "rad or m",
                "pd, lqr: angle of its joint at which nothing of the limit is left; it falls linearly up to there",
                {.low = 0.0, .above_low = true, .may_be_infinite = true}},
               one_or_each, f.limit_angle);
  keys.numbers({"lag", "s", "pd, lqr: time constant with which each actuator answers, or one for all", not_negative},
               one_or_each, f.lag);
  reject_others(keys, s.control_kind);
}

}  // namespace sinew::io
