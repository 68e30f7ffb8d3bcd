// Waves that travel along a chain (docs/theory/snake.md#gait-and-start): joint i = 1, 2, ... of the driven ones, in the plan's order,
//   a_h(i, t) = Ah sin(wh t + (i-1) dh) + ph           first axis: "horizontal"
//   a_v(i, t) = Av sin(wv t + (i-1) dv + d0) + pv      second axis of a universal joint: "vertical"
// Two joints with one axis each that stand for one joint with two (second_of_pair) share the number i.
// A amplitude, d phase from joint to joint, p offset, d0 phase of the vertical wave [rad]; w [rad/s]. Negative d sends the
// wave from the first joint to the last. Lateral undulation has Av = 0; sidewinding has equal w and d and d0 = 90 degrees.
// soft_start: each axis rests at 0 until its wave first comes within 3 degrees of that, and then follows it at once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gaits/catalog.h"
#include "gaits/train.h"
#include "sinew/math/elementary.h"

namespace sinew::gaits {
namespace {

constexpr double soft_start_angle = 3.0 * degree;

// First time t >= 0 at which the motion is within the angle of 0; infinite if it never is.
double release_time(const Motion<double>& m, double angle) {
  constexpr double never = std::numeric_limits<double>::infinity();
  // offset + A sin(x), x = phase + |omega| t
  const double sign = m.frequency < 0.0 ? -1.0 : 1.0;
  const double A = sign * m.amplitude, phase = sign * m.phase, omega = std::abs(m.frequency) * full_turn;
  if (std::abs(m.offset + A * math::sin(phase)) < angle) return 0.0;
  if (A == 0.0 || omega == 0.0) return never;
  double first = never;
  for (const double edge : {-angle, angle}) {
    const double s = (edge - m.offset) / A;
    if (std::abs(s) >= 1.0) continue;  // at most touches it from outside
    for (const double x : {math::asin(s), std::numbers::pi - math::asin(s)}) {
      const double ahead = std::remainder(x - phase, full_turn);
      first = std::min(first, (ahead < 0.0 ? ahead + full_turn : ahead) / omega);
    }
  }
  return first;
}

struct Wave : Gait {
  Train horizontal{.A = 30 * degree, .w = 80 * degree, .d = -50 * degree}, vertical;
  double ramp = 0.0;
  int soft_start = 0;

  static void describe_rate(Keys& keys, const char* name, const char* in_degrees, const char* doc, double& rate) {
    keys.number(live({name, "rad/s", doc}), rate);
    const std::string_view only[] = {name};
    double given = rate / degree;
    if (keys.shorthand(live({in_degrees, "deg/s", "the same in degrees"}), only, given)) {
      if (keys.is_given(name))
        keys.reject(in_degrees, fmt::format("{} and {} are both given", name, in_degrees), "keep one of them");
      rate = given * degree;
    }
  }

  void describe(Keys& keys) override {
    describe_angle(keys, "Ah", "amplitude of the horizontal wave, on the first axis of each driven joint",
                   horizontal.A);
    describe_rate(keys, "wh", "wh_deg_s", "angular frequency of the horizontal wave", horizontal.w);
    describe_angle(keys, "dh", "its phase from joint to joint; negative: travels from the first joint to the last",
                   horizontal.d);
    describe_angle(keys, "ph", "its offset: steers", horizontal.p);
    describe_angle(keys, "Av", "amplitude of the vertical wave, on the second axis of universal joints", vertical.A);
    describe_rate(keys, "wv", "wv_deg_s", "angular frequency of the vertical wave", vertical.w);
    describe_angle(keys, "dv", "its phase from joint to joint", vertical.d);
    describe_angle(keys, "pv", "its offset", vertical.p);
    describe_angle(keys, "d0", "phase of the vertical wave against the horizontal one", vertical.d0);
    keys.number({"ramp", "s", "time over which the amplitudes rise smoothly from 0", not_negative}, ramp);
    keys.integer({"soft_start",
                  "",
                  "1: an axis rests at 0 until its wave first passes within 3 degrees of that",
                  {.low = 0, .high = 1}},
                 soft_start);
    if (soft_start && ramp > 0.0)
      keys.reject("soft_start", "gait.soft_start and gait.ramp both say how the wave begins", "keep one of them");
  }

  // A wave that never comes near 0 does not wait: it cannot begin softly, but a run under way may go on with it.
  static void delay(Motion<double>& m) {
    const double start = release_time(m, soft_start_angle);
    m.start = std::isinf(start) ? 0.0 : start;
  }

  static void check_start(const JointPlan& j, const Motion<double>& m) {
    if (std::isinf(release_time(m, soft_start_angle)))
      throw PlanError({{"gait.soft_start", fmt::format("the wave of joint '{}' never comes within 3 degrees of 0: use "
                                                       "smaller offsets (ph, pv), or gait.ramp",
                                                       j.name)}});
    if (m.start > 0.0 && j.drive == Drive::Motion)
      throw PlanError({{"gait.soft_start", fmt::format("joint '{}' follows its motion exactly and would jump: use its "
                                                       "drive = \"servo\" or \"computed\", or gait.ramp",
                                                       j.name)}});
  }

  void apply(std::span<JointPlan* const> driven) const override {
    move(driven, horizontal, vertical, ramp);
    if (!soft_start) return;
    for (JointPlan* j : driven)
      for (Motion<double>& m : j->motion) delay(m);
  }

  void check_start(std::span<JointPlan* const> driven) const override {
    if (!soft_start) return;
    for (const JointPlan* j : driven)
      for (const Motion<double>& m : j->motion) check_start(*j, m);
  }
};

}  // namespace

std::unique_ptr<Gait> make_wave() { return std::make_unique<Wave>(); }

}  // namespace sinew::gaits
