#include "sinew/sim/describe_control.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew::sim {
namespace {

constexpr Range may_be_infinite{.low = 0.0, .may_be_infinite = true};

// Keys that mean something only to other kinds of control. Those that a file in full has at their defaults do no harm.
void reject_others(Keys& keys, const Scenario& s) {
  static const ComputedTorqueGains computed;
  static const FeedbackPlan fresh;
  const FeedbackPlan& f = s.feedback;
  const auto only_for = [&](bool is, const char* owner, const char* name, bool is_set) {
    if (is || !is_set || !keys.is_given(name)) return;
    keys.reject(name,
                fmt::format("{} has no meaning for control.kind = \"{}\"", name, control_names[int(s.control_kind)]),
                fmt::format("remove it, or use kind = {}", owner));
  };
  const bool feedback = is_feedback(s.control_kind), policy = s.control_kind == ControlKind::Policy;
  const bool own_gains = !feedback && !policy && s.control_kind != ControlKind::Fmu;
  const bool pd = s.control_kind == ControlKind::Pd, lqr = s.control_kind == ControlKind::Lqr;
  const char *both = "\"pd\" or \"lqr\"", *torque = "\"computed-torque\"";
  only_for(own_gains, torque, "natural_frequency", s.control.natural_frequency != computed.natural_frequency);
  only_for(own_gains, torque, "damping_ratio", s.control.damping_ratio != computed.damping_ratio);
  only_for(feedback, both, "joints", f.joints != fresh.joints);
  only_for(feedback, both, "actuated", f.actuated != fresh.actuated);
  only_for(feedback, both, "angles", f.angles != fresh.angles);
  only_for(feedback, both, "actuator_limit", f.limit != fresh.limit);
  only_for(feedback, both, "actuator_limit_angle", f.limit_angle != fresh.limit_angle);
  only_for(feedback, both, "actuator_lag", f.lag != fresh.lag);
  only_for(pd, "\"pd\"", "angle_gain", f.kp != fresh.kp);
  only_for(pd, "\"pd\"", "rate_gain", f.kd != fresh.kd);
  only_for(lqr, "\"lqr\"", "angle_weights", f.angle_weights != fresh.angle_weights);
  only_for(lqr, "\"lqr\"", "rate_weights", f.rate_weights != fresh.rate_weights);
  only_for(lqr, "\"lqr\"", "torque_weights", f.torque_weights != fresh.torque_weights);
  only_for(lqr, "\"lqr\"", "balance", f.balance != fresh.balance);
  static const PolicyPlan none;
  const PolicyPlan& p = s.policy;
  const auto for_policy = [&](const char* name, bool is_set) { only_for(policy, "\"policy\"", name, is_set); };
  for_policy("observations", p.observations != none.observations);
  for_policy("observation_offset", p.observation_offset != none.observation_offset);
  for_policy("observation_scale", p.observation_scale != none.observation_scale);
  for_policy("observation_limit", p.observation_limit != none.observation_limit);
  for_policy("actions", p.actions != none.actions);
  for_policy("action_offset", p.action_offset != none.action_offset);
  for_policy("action_scale", p.action_scale != none.action_scale);
  for_policy("action_limit", p.action_limit != none.action_limit);
  for_policy("activation", p.activation != none.activation);
  for_policy("output", p.output != none.output);
  const auto for_fmu = [&](const char* name, const std::vector<std::string>& list) {
    only_for(s.control_kind == ControlKind::Fmu, "\"fmu\"", name, !list.empty());
  };
  for_fmu("fmu_inputs", s.fmu.inputs);
  for_fmu("fmu_outputs", s.fmu.outputs);
  for_fmu("fmu_parameters", s.fmu.parameters);
}

void describe_policy(Keys& keys, PolicyPlan& p) {
  const Count one_or_each{.one_for_all = true};
  keys.text(
      {"policy", "", "file of numpy (.npz) with the layers of a network that controls the robot: docs/policies.md"},
      p.file);
  keys.texts({"observations", "", "policy: readings it sees, in its order; names with * and ?, \"action\", constants"},
             p.observations);
  keys.numbers({"observation_offset", "as observed", "policy: taken from each observation, or one for all"},
               one_or_each, p.observation_offset);
  keys.numbers({"observation_scale", "1", "policy: each of them is multiplied by this then, or one for all"},
               one_or_each, p.observation_scale);
  keys.number({"observation_limit", "1", "policy: most that the network sees", may_be_infinite}, p.observation_limit);
  keys.texts({"actions", "", "policy: commands it gives, in its order; names with * and ?"}, p.actions);
  keys.numbers({"action_offset", "as commanded", "policy: command where the network gives 0, or one for all"},
               one_or_each, p.action_offset);
  keys.numbers({"action_scale", "as commanded", "policy: command per 1 of the network, or one for all"}, one_or_each,
               p.action_scale);
  keys.number({"action_limit", "1", "policy: most that is taken of what the network gives", may_be_infinite},
              p.action_limit);
  int activation = int(p.activation), output = int(p.output);
  keys.choice({"activation", "", "policy: of every layer but the last"}, activation_names, activation);
  keys.choice({"output", "", "policy: activation of the last layer"}, activation_names, output);
  p.activation = Activation(activation);
  p.output = Activation(output);
}

void describe_fmu(Keys& keys, FmuPlan& fmu) {
  keys.text({"fmu", "",
             "file of an FMU (2.0 or 3.0, co-simulation) that controls the robot: docs/fmi.md; it is native "
             "code, which runs only with --trust"},
            fmu.file);
  keys.texts({"fmu_inputs", "", "fmu: \"VARIABLE = READING\", for inputs that are not called like readings"},
             fmu.inputs);
  keys.texts({"fmu_outputs", "", "fmu: \"VARIABLE = COMMAND\", for outputs that are not called like commands"},
             fmu.outputs);
  keys.texts({"fmu_parameters", "", "fmu: \"VARIABLE = NUMBER\", parameters that it starts with"}, fmu.parameters);
}

// A file that names the controller says its kind.
void join_kind_and_file(Keys& keys, const Scenario& s, ControlKind kind, const char* key, const std::string& file) {
  const bool is = s.control_kind == kind;
  const std::string_view name = control_names[std::size_t(kind)];
  if (is && file.empty())
    keys.reject("kind", fmt::format("{} needs {}", name, kind == ControlKind::Fmu ? "a file" : "a network"),
                fmt::format("give {} = \"FILE.{}\"", key, kind == ControlKind::Fmu ? "fmu" : "npz"));
  if (!is && !file.empty())
    keys.reject(key, "it has no meaning for another control.kind",
                fmt::format("remove it, or use kind = \"{}\"", name));
}

void describe_kind(Keys& keys, Scenario& s) {
  int kind = int(s.control_kind);
  keys.choice(
      {"kind", "",
       "computed-torque: inverse dynamics of all joints with drive = \"computed\"; pd: proportional-differential "
       "feedback; lqr: linear regulator of least cost; policy: a network, which the key policy names; fmu: "
       "another program's, which the key fmu names"},
      control_names, kind);
  s.control_kind = ControlKind(kind);
  describe_policy(keys, s.policy);
  if (!s.policy.file.empty() && !keys.is_given("kind")) s.control_kind = ControlKind::Policy;
  describe_fmu(keys, s.fmu);
  if (!s.fmu.file.empty() && !keys.is_given("kind")) s.control_kind = ControlKind::Fmu;
  join_kind_and_file(keys, s, ControlKind::Policy, "policy", s.policy.file);
  join_kind_and_file(keys, s, ControlKind::Fmu, "fmu", s.fmu.file);
}

}  // namespace

void describe_control(Keys& keys, Scenario& s) {
  const Table table(keys, "control", "what a controller makes the joints do that it follows");
  describe_kind(keys, s);
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
  keys.numbers(live({"angle_gain", "N m/rad or N/m", "pd: gain on each actuated angle, or one for all", not_negative}),
               one_or_each, f.kp);
  keys.numbers(
      live({"rate_gain", "N m s/rad or N s/m", "pd: gain on each actuated rate, or one for all", not_negative}),
      one_or_each, f.kd);
  keys.numbers(
      {"angle_weights", "1", "lqr: cost of the square of each followed angle's error, or one for all", not_negative},
      one_or_each, f.angle_weights);
  keys.numbers(
      {"rate_weights", "1", "lqr: cost of the square of each followed rate's error, or one for all", not_negative},
      one_or_each, f.rate_weights);
  keys.numbers({"torque_weights", "1", "lqr: cost of the square of each actuated torque, or one for all", positive},
               one_or_each, f.torque_weights);
  keys.flag({"balance", "", "lqr: hold the pose nearest to the given motions at t = 0 that the actuators can hold"},
            f.balance);
  keys.numbers(live({"actuator_limit", "N m or N", "pd, lqr: most that each actuator can give, or one for all",
                     may_be_infinite}),
               one_or_each, f.limit);
  keys.numbers({"actuator_limit_angle",
                "rad or m",
                "pd, lqr: angle of its joint at which nothing of the limit is left; it falls linearly up to there",
                {.low = 0.0, .above_low = true, .may_be_infinite = true}},
               one_or_each, f.limit_angle);
  keys.numbers(
      {"actuator_lag", "s", "pd, lqr: time constant with which each actuator answers, or one for all", not_negative},
      one_or_each, f.lag);
  keys.number({"period", "s", "time between two moments at which the controller is asked; 0: every step", not_negative},
              s.schedule.period);
  keys.number({"phase", "s", "when it is asked first", not_negative}, s.schedule.phase);
  keys.number({"latency", "s", "from then until its commands act; those before are held", not_negative},
              s.schedule.latency);
  if (s.schedule.latency / std::max(s.schedule.period, s.step) > 1e6)
    keys.reject("latency", "more than a million commands would be on their way", "make it shorter");
  reject_others(keys, s);
}

}  // namespace sinew::sim
