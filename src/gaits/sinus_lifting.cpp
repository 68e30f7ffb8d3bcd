// Sinus-lifting: lateral undulation that lifts the parts of the body that are bent most. Joint i = 1, 2, ... n:
//   phi(i, t)   = 2 pi f t - (i-1) d,   d = 2 pi waves / (n + 1)
//   yaw(i, t)   = amplitude sin(phi) + offset
//   pitch(i, t) = -lift cos(2 phi)
// Two vertical waves for each horizontal one: where sin(phi) = +-1 the body is bent most and arched up, where it is straight it
// stands on the ground. There it moves along itself, so less is lost to slip across the body.
#include "gaits/catalog.h"
#include "gaits/train.h"

namespace sinew::gaits {
namespace {

struct SinusLifting : Gait {
  double amplitude = 30 * degree, lift = 2 * degree, offset = 0.0;
  Beat beat{.waves = 2.0};

  void describe(Keys& keys) override {
    describe_angle(keys, "amplitude", "of the horizontal wave, on the first axis of each joint", amplitude);
    describe_angle(keys, "lift", "amplitude of the vertical wave, twice as fast and half as long, on the second axis",
                   lift);
    describe_angle(keys, "offset", "of the horizontal wave: steers, a snake to the right if positive", offset);
    beat.describe(keys);
  }

  void apply(std::span<JointPlan* const> driven) const override {
    const double w = beat.w(), d = -beat.d(driven);
    move_both(driven, {.A = amplitude, .w = w, .d = d, .p = offset},
              {.A = lift, .w = 2.0 * w, .d = 2.0 * d, .d0 = -quarter_turn}, beat.ramp);
  }
};

}  // namespace

std::unique_ptr<Gait> make_sinus_lifting() { return std::make_unique<SinusLifting>(); }

}  // namespace sinew::gaits
