// A limb that arches: the path of Tambornini 2020, section 2.1.5, for its controllers. The root stays at ground
// level, the first link rises by a(t), the last but one comes down again, and all others point along the ground:
//   a(t) = lift/2 (1 - cos(2 pi t / period)),   direction of link 1: a,   of link n-1: -asin(l_1 sin(a) / l_(n-1))
// With l_1 = l_(n-1) that is -a, so every joint moves by a sine: joints 1 .. n turn by the difference of their links' directions.
// Other lengths would need an arc sine, which the motion of a joint has not; they are refused.
#include <fmt/format.h>

#include <cmath>

#include "gaits/catalog.h"
#include "gaits/train.h"

namespace sinew::gaits {
namespace {

// Between the joint that carries a link and the next one.
double length(const JointPlan& joint, const JointPlan& next) { return norm(next.p_parent - joint.p_child); }

struct LimbArch : Gait {
  double lift = 0.4, period = 40.0;

  void describe(Keys& keys) override {
    describe_angle(keys, "lift", "largest angle of the first link", lift);
    keys.number(live({"period", "s", "of rising and coming down", positive}), period);
  }

  void apply(std::span<JointPlan* const> driven) const override {
    const std::size_t n = driven.size();
    check(driven);
    std::vector<double> direction(n + 1, 0.0);  // of link i, as a multiple of a; [0]: the ground
    direction[1] = 1.0;
    direction[n - 1] = -1.0;
    for (std::size_t i = 1; i <= n; i++) {
      const double share = direction[i] - direction[i - 1];
      driven[i - 1]->motion = {{.offset = 0.5 * share * lift,
                                .amplitude = 0.5 * share * lift,
                                .frequency = 1.0 / period,
                                .phase = -quarter_turn}};
    }
  }

 private:
  static void check(std::span<JointPlan* const> driven) {
    const std::size_t n = driven.size();
    if (n < 3)
      throw PlanError(
          {{"gait.kind", fmt::format("limb-arch moves a limb of at least 3 joints, but {} are driven", n)}});
    for (std::size_t i = 0; i < n; i++) {
      const JointPlan& j = *driven[i];
      if (j.kind != JointKind::Revolute)
        throw PlanError(
            {{"gait.kind", fmt::format("limb-arch moves revolute joints, but '{}' is {}: use drive = \"none\" "
                                       "there, or another gait",
                                       j.name, joint::name_of(j.kind))}});
      if (i > 0 && j.parent != driven[i - 1]->child)
        throw PlanError(
            {{"gait.kind", fmt::format("limb-arch moves one limb, but '{}' does not follow '{}': use another "
                                       "gait",
                                       j.name, driven[i - 1]->name)}});
    }
    const double first = length(*driven[0], *driven[1]), last = length(*driven[n - 2], *driven[n - 1]);
    if (std::abs(first - last) > 1e-9 * (first + last))
      throw PlanError(
          {{"gait.kind", fmt::format("limb-arch needs a first and last but one link of the same length, but "
                                     "they have {:.6g} and {:.6g} m: make them equal, or use another gait",
                                     first, last)}});
  }
};

}  // namespace

std::unique_ptr<Gait> make_limb_arch() { return std::make_unique<LimbArch>(); }

}  // namespace sinew::gaits
