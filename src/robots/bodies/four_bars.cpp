// Four-bar linkages side by side: cranks on pivots along x, one bar apart, and couplers between their tops, all bars equal. In
// each turn all bars lie on one line twice, where every linkage could change over into a bow-tie. As long as none does, all
// cranks turn as one, and n linkages are a pendulum:
//   (n + 1) m l^2 / 3 + n m l^2 of inertia,   (n + 1) m l / 2 + n m l of mass times arm
// Source: IFToMM library of computational benchmark problems, A02.
#include <fmt/format.h>

#include <numbers>

#include "robots/catalog.h"

namespace sinew::robots {
namespace {

struct FourBars : Robot {
  int count = 2;
  double mass = 1.0, length = 1.0, axial_inertia = 0.0, angle = std::numbers::pi / 2, speed = 1.0;

  void describe(Keys& keys) override {
    keys.integer({"count", "", "number of linkages", {.low = 1, .high = 1000}}, count);
    keys.number({"mass", "kg", "of each bar", positive}, mass);
    keys.number({"bar_length", "m", "of each bar", positive}, length);
    keys.number(
        {"axial_inertia", "kg m^2",
         "of each bar about its own length: nothing turns about that, but maximal coordinates need it", not_negative},
        axial_inertia);
    keys.number({"angle", "rad", "of all cranks at the start, against x", any_number, true}, angle);
    keys.number({"speed", "m/s", "of the cranks' tops at the start, clockwise"}, speed);
  }

  Plan plan() const override {
    Plan plan;
    const double rate = -speed / length, across = mass * length * length / 12.0;
    const auto bar = [&](const std::string& name) {
      BodyPlan body;
      body.name = name;
      body.mass = mass;
      body.com = Vec3d(length / 2, 0, 0);
      body.inertia = {axial_inertia, 0, 0, across, 0, across};
      plan.bodies.push_back(body);
    };
    const auto pin = [&](const std::string& name, const std::string& parent, const std::string& child, double x) {
      JointPlan joint;
      joint.name = name;
      joint.parent = parent;
      joint.child = child;
      joint.p_parent = Vec3d(x, 0, 0);
      plan.joints.push_back(joint);
      return &plan.joints.back();
    };
    for (int i = 0; i <= count; i++) {
      const std::string crank = fmt::format("crank{}", i);
      bar(crank);
      JointPlan* pivot = pin(fmt::format("pivot{}", i), "world", crank, i * length);
      pivot->position = {angle};
      pivot->velocity = {rate};
    }
    for (int i = 0; i < count; i++) {
      const std::string coupler = fmt::format("coupler{}", i);
      bar(coupler);
      JointPlan* top = pin(fmt::format("pin{}", i), fmt::format("crank{}", i), coupler, length);
      top->position = {-angle};
      top->velocity = {-rate};  // against the crank: the coupler is level
    }
    for (int i = 0; i < count; i++) {
      JointPlan* end = pin(fmt::format("end{}", i), fmt::format("coupler{}", i), fmt::format("crank{}", i + 1), length);
      end->p_child = Vec3d(length, 0, 0);
      end->loop = true;
    }
    return plan;
  }
};

}  // namespace

std::unique_ptr<Robot> make_four_bars() { return std::make_unique<FourBars>(); }

}  // namespace sinew::robots
