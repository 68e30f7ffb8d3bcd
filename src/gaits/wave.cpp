// Waves that travel along a chain (snake spec, section 9): joint i = 1, 2, ... of the driven ones, in the plan's order,
//   a_h(i, t) = Ah sin(wh t + (i-1) dh) + ph           first axis: "horizontal"
//   a_v(i, t) = Av sin(wv t + (i-1) dv + d0) + pv      second axis of a universal joint: "vertical"
// Two joints with one axis each that stand for one joint with two (second_of_pair) share the number i.
// A amplitude, d phase from joint to joint, p offset, d0 phase of the vertical wave [rad]; w [rad/s]. Negative d sends the
// wave from the first joint to the last. Lateral undulation has Av = 0; sidewinding has equal w and d and d0 = 90 degrees.
// soft_start: each axis rests at 0 until its wave first comes within 3 degrees of that, and then follows it at once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gaits/catalog.h"

namespace sinew::gaits {
namespace {

constexpr double degree = std::numbers::pi / 180.0, full_turn = 2.0 * std::numbers::pi;
constexpr double soft_start_angle = 3.0 * degree;

// First time t >= 0 at which the motion is within the angle of 0; infinite if it never is.
double release_time(const Motion<double>& m, double angle) {
  constexpr double never = std::numeric_limits<double>::infinity();
  // offset + A sin(x), x = phase + |omega| t
  const double sign = m.frequency < 0.0 ? -1.0 : 1.0;
  const double A = sign * m.amplitude, phase = sign * m.phase, omega = std::abs(m.frequency) * full_turn;
  if (std::abs(m.offset + A * std::sin(phase)) < angle) return 0.0;
  if (A == 0.0 || omega == 0.0) return never;
  double first = never;
  for (const double edge : {-angle, angle}) {
    const double s = (edge - m.offset) / A;
    if (std::abs(s) >= 1.0) continue;  // at most touches it from outside
    for (const double x : {std::asin(s), std::numbers::pi - std::asin(s)}) {
      const double ahead = std::remainder(x - phase, full_turn);
      first = std::min(first, (ahead < 0.0 ? ahead + full_turn : ahead) / omega);
    }
  }
  return first;
}

bool has_one_or_two_angles(JointKind kind) {
  return joint::visit(kind, []<class J>() {
    return (J::nu == 1 || J::nu == 2) && J::nq == J::nu &&
           std::all_of(J::dirs.begin(), J::dirs.end(), [](joint::Dir d) { return d == joint::Dir::Angular; });
  });
}

struct Wave : Gait {
  struct Train {
    double A = 0.0, w = 0.0, d = 0.0, p = 0.0;
  };
  Train horizontal{.A = 30 * degree, .w = 80 * degree, .d = -50 * degree}, vertical;
  double d0 = 0.0, ramp = 0.0;
  int soft_start = 0;

  static void describe_rate(Keys& keys, const char* name, const char* in_degrees, const char* doc, double& rate) {
    keys.number({name, "rad/s", doc}, rate);
    const std::string_view only[] = {name};
    double given = rate / degree;
    if (keys.shorthand({in_degrees, "deg/s", "the same in degrees"}, only, given)) {
      if (keys.is_given(name))
        keys.reject(in_degrees, fmt::format("{} and {} are both given", name, in_degrees), "keep one of them");
      rate = given * degree;
    }
  }

  void describe(Keys& keys) override {
    const auto angle = [&](const char* name, const char* doc, double& value) {
      keys.number({name, "rad", doc, any_number, true}, value);
    };
    angle("Ah", "amplitude of the horizontal wave, on the first axis of each driven joint", horizontal.A);
    describe_rate(keys, "wh", "wh_deg_s", "angular frequency of the horizontal wave", horizontal.w);
    angle("dh", "its phase from joint to joint; negative: travels from the first joint to the last", horizontal.d);
    angle("ph", "its offset: steers", horizontal.p);
    angle("Av", "amplitude of the vertical wave, on the second axis of universal joints", vertical.A);
    describe_rate(keys, "wv", "wv_deg_s", "angular frequency of the vertical wave", vertical.w);
    angle("dv", "its phase from joint to joint", vertical.d);
    angle("pv", "its offset", vertical.p);
    angle("d0", "phase of the vertical wave against the horizontal one", d0);
    keys.number({"ramp", "s", "time over which the amplitudes rise smoothly from 0", not_negative}, ramp);
    keys.integer({"soft_start",
                  "",
                  "1: an axis rests at 0 until its wave first passes within 3 degrees of that",
                  {.low = 0, .high = 1}},
                 soft_start);
    if (soft_start && ramp > 0.0)
      keys.reject("soft_start", "gait.soft_start and gait.ramp both say how the wave begins", "keep one of them");
  }

  Motion<double> motion(const Train& train, double phase) const {
    return {.offset = train.p, .amplitude = train.A, .frequency = train.w / full_turn, .phase = phase, .ramp = ramp};
  }

  void delay(const JointPlan& j, Motion<double>& m) const {
    m.start = release_time(m, soft_start_angle);
    if (std::isinf(m.start))
      throw PlanError({{"gait.soft_start", fmt::format("the wave of joint '{}' never comes within 3 degrees of 0: use "
                                                       "smaller offsets (ph, pv), or gait.ramp",
                                                       j.name)}});
    if (m.start > 0.0 && j.drive == Drive::Motion)
      throw PlanError({{"gait.soft_start", fmt::format("joint '{}' follows its motion exactly and would jump: use its "
                                                       "drive = \"servo\" or \"computed\", or gait.ramp",
                                                       j.name)}});
  }

  void apply(std::span<JointPlan* const> driven) const override {
    double n = -1.0;  // i - 1
    for (JointPlan* const joint : driven) {
      JointPlan& j = *joint;
      if (!has_one_or_two_angles(j.kind))
        throw PlanError({{"gait.kind", fmt::format("a wave moves joints with one or two angles, but '{}' is {}: use "
                                                   "revolute or universal, or drive = \"none\"",
                                                   j.name, joint::name_of(j.kind))}});
      if (!j.second_of_pair) n += 1.0;
      j.motion.clear();
      if (!j.second_of_pair) j.motion.push_back(motion(horizontal, n * horizontal.d));
      if (j.second_of_pair || joint::freedom_count(j.kind) == 2)
        j.motion.push_back(motion(vertical, n * vertical.d + d0));
      if (soft_start)
        for (Motion<double>& m : j.motion) delay(j, m);
    }
  }
};

}  // namespace

std::unique_ptr<Gait> make_wave() { return std::make_unique<Wave>(); }

}  // namespace sinew::gaits
