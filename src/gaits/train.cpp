#include "gaits/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sinew::gaits {
namespace {

constexpr std::array<std::string_view, 2> sides{"left", "right"};

bool has_one_or_two_angles(JointKind kind) {
  return joint::visit(kind, []<class J>() {
    return (J::nu == 1 || J::nu == 2) && J::nq == J::nu &&
           std::all_of(J::dirs.begin(), J::dirs.end(), [](joint::Dir d) { return d == joint::Dir::Angular; });
  });
}

Motion<double> motion(const Train& train, double i, double ramp) {
  return {.offset = train.p,
          .amplitude = train.A,
          .frequency = train.w / full_turn,
          .phase = i * train.d + train.d0,
          .ramp = ramp};
}

}  // namespace

bool alternates(std::span<JointPlan* const> driven) { return !driven.empty() && driven.front()->wave_axis >= 0; }

double Beat::d(std::span<JointPlan* const> driven) const {
  const auto joints = std::ranges::count_if(driven, [](const JointPlan* j) { return !j->second_of_pair; });
  if (alternates(driven)) return full_turn * waves / (0.5 * double(joints) + 1.0);
  return full_turn * waves / double(joints + 1);
}

void Beat::describe(Keys& keys, bool has_waves) {
  keys.number(live({"frequency", "Hz", "of the motion of each joint", positive}), frequency);
  if (has_waves) keys.number(live({"waves", "1", "that fit on the body; negative: travel the other way"}), waves);
  keys.number({"ramp", "s", "time over which the motion rises smoothly from 0", not_negative}, ramp);
}

void describe_angle(Keys& keys, std::string_view name, std::string_view doc, double& value) {
  keys.number(live({name, "rad", doc, any_number, true}), value);
}

void describe_side(Keys& keys, std::string_view doc, int& side) { keys.choice({"side", "", doc}, sides, side); }

void move(std::span<JointPlan* const> driven, const Train& horizontal, const Train& vertical, double ramp) {
  double i = -1.0;
  for (JointPlan* const joint : driven) {
    JointPlan& j = *joint;
    if (j.wave_axis >= 0) {
      i += i < 0.0 ? 1.0 : 0.5;
      Motion<double> m = motion(j.wave_axis == 0 ? horizontal : vertical, i, ramp);
      m.offset *= j.wave_sign;
      m.amplitude *= j.wave_sign;
      j.motion = {m};
      continue;
    }
    if (!has_one_or_two_angles(j.kind))
      throw PlanError({{"gait.kind", fmt::format("a wave moves joints with one or two angles, but '{}' is {}: use "
                                                 "revolute or universal, or drive = \"none\"",
                                                 j.name, joint::name_of(j.kind))}});
    if (!j.second_of_pair) i += 1.0;
    j.motion.clear();
    if (!j.second_of_pair) j.motion.push_back(motion(horizontal, i, ramp));
    if (j.second_of_pair || joint::freedom_count(j.kind) == 2) j.motion.push_back(motion(vertical, i, ramp));
  }
}

void move_both(std::span<JointPlan* const> driven, const Train& horizontal, const Train& vertical, double ramp) {
  for (std::size_t k = 0; k < driven.size(); k++) {
    const JointPlan* j = driven[k];
    const bool has_second = j->second_of_pair || (k + 1 < driven.size() && driven[k + 1]->second_of_pair);
    if (j->kind != JointKind::Universal && !has_second && j->wave_axis < 0)
      throw PlanError(
          {{"gait.kind", fmt::format("this gait turns joints about two axes, but '{}' is {}: use universal, "
                                     "joints whose axes alternate, or gait.kind = \"lateral-undulation\"",
                                     j->name, joint::name_of(j->kind))}});
  }
  move(driven, horizontal, vertical, ramp);
}

}  // namespace sinew::gaits
