// Crawling like an inchworm on two or more limbs: the inner links of all limbs arch and flatten together,
// the outer ones lie flat as pads. Which way it goes is decided by the pads that hold meanwhile: see [adhesion] of the scenario.
//   a(t) = least + lift/2 (1 - cos(2 pi t / period)),   first joint of a limb: -a,   second: +a,   further ones: 0
// A limb is a chain of driven joints; its first joint is carried by a body that no driven joint carries.
#include <fmt/format.h>

#include <algorithm>

#include "gaits/catalog.h"
#include "gaits/train.h"

namespace sinew::gaits {
namespace {

struct Inchworm : Gait {
  double least = 0.1, lift = 0.5, period = 60.0;

  void describe(Keys& keys) override {
    describe_angle(keys, "least", "angle of the inner links when the robot is flattest; 0 lets its hub touch down",
                   least);
    describe_angle(keys, "lift", "by which the angle of the inner links grows when it arches", lift);
    keys.number(live({"period", "s", "of arching and flattening", positive}), period);
  }

  void apply(std::span<JointPlan* const> driven) const override {
    for (JointPlan* j : driven) {
      if (j->kind != JointKind::Revolute)
        throw PlanError(
            {{"gait.kind", fmt::format("inchworm moves revolute joints, but '{}' is {}: use drive = \"none\" "
                                       "there, or another gait",
                                       j->name, joint::name_of(j->kind))}});
      const int place = place_in_limb(driven, *j);
      const double share = place == 0 ? -1.0 : place == 1 ? 1.0 : 0.0;
      j->motion = {{.offset = share * (least + 0.5 * lift),
                    .amplitude = 0.5 * share * lift,
                    .frequency = 1.0 / period,
                    .phase = -quarter_turn}};
    }
  }

 private:
  // 0: the first joint of its limb. A plan that runs in a circle is refused elsewhere.
  static int place_in_limb(std::span<JointPlan* const> driven, const JointPlan& joint) {
    int place = 0;
    std::string carried_by = joint.parent;
    while (place < int(driven.size())) {
      const auto before = std::ranges::find(driven, carried_by, [](const JointPlan* j) { return j->child; });
      if (before == driven.end()) break;
      carried_by = (*before)->parent;
      place++;
    }
    return place;
  }
};

}  // namespace

std::unique_ptr<Gait> make_inchworm() { return std::make_unique<Inchworm>(); }

}  // namespace sinew::gaits
