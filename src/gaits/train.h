// A train of waves along a chain: what gaits of snakes are made of. Joint i = 0, 1, ... of the driven ones, in their order:
//   angle(i, t) = p + A sin(w t + i d + d0)
// A amplitude, d phase from joint to joint, p offset, d0 phase of the first joint [rad]; w angular frequency [rad/s].
// Negative d sends the waves from the first joint to the last. Two joints with one axis each that stand for one joint with two
// (second_of_pair) share the number i. Of joints with one axis each whose axes alternate (JointPlan::wave_axis) two make one step of i: those that turn
// to the sides have the first train, those that turn up and down the second, each at its own i = 0, 1/2, 1, ...
#pragma once
#include <numbers>
#include <span>

#include "sinew/model/keys.h"
#include "sinew/model/plan.h"

namespace sinew::gaits {

inline constexpr double full_turn = 2.0 * std::numbers::pi, quarter_turn = 0.25 * full_turn, degree = full_turn / 360.0;

struct Train {
  double A = 0.0, w = 0.0, d = 0.0, p = 0.0, d0 = 0.0;
};

bool alternates(std::span<JointPlan* const> driven);

// What the named gaits have in common.
struct Beat {
  double waves = 1.5;      // on the body
  double frequency = 0.5;  // [Hz]
  double ramp = 1.0;       // [s]

  double w() const { return full_turn * frequency; }
  // Phase that `waves` give from joint to joint: n joints make n + 1 links.
  double d(std::span<JointPlan* const> driven) const;

  void describe(Keys& keys, bool has_waves = true);
};

void describe_angle(Keys& keys, std::string_view name, std::string_view doc, double& value);  // NAME or NAME_deg
void describe_side(Keys& keys, std::string_view doc, int& side);                              // left or right
inline double sign_of(int side) { return side == 0 ? 1.0 : -1.0; }                            // 1 left, -1 right

// Gives the first axis of every joint the horizontal train and the second axis, where there is one, the vertical one.
// Throws PlanError where a joint has other freedoms than one or two angles.
void move(std::span<JointPlan* const> driven, const Train& horizontal, const Train& vertical, double ramp);

// As above, for gaits that need both: every joint must be universal, or a pair.
void move_both(std::span<JointPlan* const> driven, const Train& horizontal, const Train& vertical, double ramp);

}  // namespace sinew::gaits
