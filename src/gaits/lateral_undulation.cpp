// Lateral undulation: the body slides along a curve that is close to Hirose's serpenoid. Joint i = 1, 2, ... n:
//   yaw(i, t) = amplitude sin(2 pi f t - (i-1) d) + offset,   d = 2 pi waves / (n + 1)
// Positive waves run from head to tail and push the body forward where friction is low along the body and high across it, or
// where there is something to push against. Turning is the same with an offset: where nothing slips across, a body whose
// joints are L apart follows a circle of radius
//   R = L J0(theta) / |offset|,   theta = amplitude / (2 sin(d / 2))
// theta is the largest angle between body and path, so that J0, Bessel's function, is the length of the path over the
// body's. With the snake's axes a positive offset turns to the right.
#include "gaits/catalog.h"
#include "gaits/train.h"

namespace sinew::gaits {
namespace {

struct LateralUndulation : Gait {
  double amplitude = 30 * degree, offset = 0.0;
  Beat beat;

  explicit LateralUndulation(double offset_by_default) : offset(offset_by_default) {}

  void describe(Keys& keys) override {
    describe_angle(keys, "amplitude", "of the wave, on the first axis of each driven joint", amplitude);
    describe_angle(keys, "offset", "of every joint: steers, a snake to the right if positive", offset);
    beat.describe(keys);
  }

  void apply(std::span<JointPlan* const> driven) const override {
    move(driven, {.A = amplitude, .w = beat.w(), .d = -beat.d(driven), .p = offset}, {}, beat.ramp);
  }
};

}  // namespace

std::unique_ptr<Gait> make_lateral_undulation() { return std::make_unique<LateralUndulation>(0.0); }
std::unique_ptr<Gait> make_turning() { return std::make_unique<LateralUndulation>(10 * degree); }

}  // namespace sinew::gaits
