// Sidewinding: a horizontal and a vertical wave, a quarter of a turn apart. Joint i = 1, 2, ... n:
//   yaw(i, t)   = amplitude sin(2 pi f t - (i-1) d) + offset,          d = 2 pi waves / (n + 1)
//   pitch(i, t) = lift      sin(2 pi f t - (i-1) d +- pi/2)            + left, - right
// The body touches the ground in few places, which rest while the parts between them are lifted and carried sideways, so it needs
// no friction that depends on direction.
#include "gaits/catalog.h"
#include "gaits/train.h"

namespace sinew::gaits {
namespace {

struct Sidewinding : Gait {
  double amplitude = 30 * degree, lift = 10 * degree, offset = 0.0;
  int side = 0;
  Beat beat{.waves = 2.0};

  void describe(Keys& keys) override {
    describe_angle(keys, "amplitude", "of the horizontal wave, on the first axis of each joint", amplitude);
    describe_angle(keys, "lift", "amplitude of the vertical wave, on the second axis", lift);
    describe_angle(keys, "offset", "of the horizontal wave: steers", offset);
    describe_side(keys, "to which a snake moves", side);
    beat.describe(keys);
  }

  void apply(std::span<JointPlan* const> driven) const override {
    const double w = beat.w(), d = -beat.d(driven);
    move_both(driven, {.A = amplitude, .w = w, .d = d, .p = offset},
              {.A = lift, .w = w, .d = d, .d0 = sign_of(side) * quarter_turn}, beat.ramp);
  }
};

}  // namespace

std::unique_ptr<Gait> make_sidewinding() { return std::make_unique<Sidewinding>(); }

}  // namespace sinew::gaits
