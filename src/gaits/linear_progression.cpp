// Linear progression: a caterpillar's wave in the vertical plane that runs from tail to head. Joint i = 1, 2, ... n:
//   yaw(i, t)   = offset
//   pitch(i, t) = amplitude sin(2 pi f t + (i-1) d),   d = 2 pi waves / (n + 1)
// The body stands in the valleys of the wave and rolls along on their outside, as a track does on its wheels: forward, in the
// direction of the wave, and friction may be the same in all directions. Without slip a body of radius r with joints L apart
// advances in each period by
//   Lambda (1 + amplitude r / L) - lambda,   Lambda, lambda: length of a wave along the body and along the ground
// A round body that stands in one straight line rolls over on its side: a small offset bends it, and three valleys or more that
// are not in one line carry it.
#include "gaits/catalog.h"
#include "gaits/train.h"

namespace sinew::gaits {
namespace {

struct LinearProgression : Gait {
  double amplitude = 20 * degree, offset = 4 * degree;
  Beat beat{.waves = 3.0};

  void describe(Keys& keys) override {
    describe_angle(keys, "amplitude", "of the vertical wave, on the second axis of each joint", amplitude);
    describe_angle(keys, "offset", "of the first axis of each joint: steers, and keeps a round body upright", offset);
    beat.describe(keys);
  }

  void apply(std::span<JointPlan* const> driven) const override {
    move_both(driven, {.p = offset}, {.A = amplitude, .w = beat.w(), .d = beat.d(driven)}, beat.ramp);
  }
};

}  // namespace

std::unique_ptr<Gait> make_linear_progression() { return std::make_unique<LinearProgression>(); }

}  // namespace sinew::gaits
