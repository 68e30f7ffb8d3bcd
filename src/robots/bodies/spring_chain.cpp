// Equal masses in a row along x, joined by equal springs; the first spring is held by a wall, the last mass is free.
// Started at rest in the shape of a normal mode j, n masses swing in that mode for ever (without damping):
//   x_i(t) = A cos(w_j t) sin(i s) / sin(n s),   s = (2 j - 1) pi / (2 n + 1),   w_j = 2 sqrt(k/m) sin(s / 2)
// x_i displacement of mass i [m], A amplitude of the last mass [m], k stiffness [N/m], m mass [kg].
#include <fmt/format.h>

#include <numbers>

#include "robots/catalog.h"
#include "sinew/math/elementary.h"

namespace sinew::robots {
namespace {

struct SpringChain : Robot {
  int links = 3;
  double mass = 1.0, stiffness = 100.0, damping = 0.0, spacing = 0.1, amplitude = 0.02;
  int mode = 1;

  void describe(Keys& keys) override {
    keys.integer({"links", "", "number of masses", {.low = 1, .high = 10000}}, links);
    keys.number(live({"mass", "kg", "of each mass", positive}), mass);
    keys.number(live({"stiffness", "N/m", "of each spring", not_negative}), stiffness);
    keys.number(live({"damping", "N s/m", "of a damper beside each spring", not_negative}), damping);
    keys.number({"spacing", "m", "length of a relaxed spring", not_negative}, spacing);
    keys.number({"amplitude", "m", "displacement of the last mass at the start"}, amplitude);
    keys.integer({"mode", "", "normal mode in whose shape the chain starts", {.low = 1}}, mode);
    if (mode > links)
      keys.reject("mode", fmt::format("mode {} of a chain of {} masses does not exist", mode, links),
                  "it must be at most robot.links");
  }

  Plan plan() const override {
    const double s = (2.0 * mode - 1.0) * std::numbers::pi / (2.0 * links + 1.0);
    const auto displacement = [&](int i) { return amplitude * math::sin(i * s) / math::sin(links * s); };
    Plan plan;
    for (int i = 1; i <= links; i++) {
      BodyPlan body;
      body.name = fmt::format("mass{}", i);
      body.mass = mass;
      JointPlan spring;
      spring.name = fmt::format("spring{}", i);
      spring.kind = JointKind::Prismatic;
      if (i > 1) spring.parent = plan.bodies.back().name;
      spring.child = body.name;
      spring.axis = Vec3d(1, 0, 0);
      spring.p_parent = Vec3d(spacing, 0, 0);
      spring.position = {displacement(i) - displacement(i - 1)};
      spring.stiffness = {stiffness};
      spring.damping = {damping};
      plan.bodies.push_back(body);
      plan.joints.push_back(spring);
    }
    return plan;
  }
};

}  // namespace

std::unique_ptr<Robot> make_spring_chain() { return std::make_unique<SpringChain>(); }

}  // namespace sinew::robots
