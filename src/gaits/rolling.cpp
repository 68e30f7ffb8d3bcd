// Rolling sideways, like a barrel: the body is bent in an arc whose plane turns about the body's own axis. All joints alike:
//   yaw(t)   = amplitude cos(2 pi f t)
//   pitch(t) = +- amplitude sin(2 pi f t)          + left, - right
// The arc stays flat on the ground and each link turns about its long axis instead, f turns a second: it rolls sideways by
// nearly one circumference of the body per turn (less where the arc is strongly bent, because its ends do not roll the same way).
#include "gaits/catalog.h"
#include "gaits/train.h"

namespace sinew::gaits {
namespace {

struct Rolling : Gait {
  double amplitude = 5 * degree;
  int side = 0;
  Beat beat;

  void describe(Keys& keys) override {
    describe_angle(keys, "amplitude", "by which each joint is bent", amplitude);
    describe_side(keys, "to which a snake rolls", side);
    beat.describe(keys, false);
  }

  void apply(std::span<JointPlan* const> driven) const override {
    move_both(driven, {.A = amplitude, .w = beat.w(), .d0 = quarter_turn},
              {.A = sign_of(side) * amplitude, .w = beat.w()}, beat.ramp);
  }
};

}  // namespace

std::unique_ptr<Gait> make_rolling() { return std::make_unique<Rolling>(); }

}  // namespace sinew::gaits
