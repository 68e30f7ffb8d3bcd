// An inchworm in a plane: it arches, holding on with its head, and stretches, holding on with its tail (docs/theory/rods.md#gaits).
//   K_Z = alpha sin^2(om t) (2 pi / l) cos(2 pi / l (X - l)),   period pi / om
// Both ends stay parallel and the chord is l J0(alpha sin^2 om t), so that a stride is l (1 - J0(alpha)).
#include <cmath>
#include <numbers>

#include "robots/rod/rod_keys.h"
#include "sinew/math/elementary.h"
#include "sinew/rod/kinematic.h"
#include "sinew/rod/schedules.h"

namespace sinew::robots {
namespace {

struct RodInchworm : Robot {
  RodBody body{{.length = 0.3, .radius = 0.01, .density = 1000.0}};
  rod::InchwormGait gait;
  RodLoads loads;

  void describe(Keys& keys) override {
    body.describe(keys);
    keys.number({"alpha", "rad", "slope of the arch where it is steepest", positive}, gait.alpha);
    keys.number({"om", "rad/s", "pace: the period is pi / om", positive}, gait.om);
    loads.describe(keys, false);
  }

  Plan plan() const override {
    Plan plan = rod_plan();
    plan.make_plant = [robot = *this](const Plan& final) -> std::shared_ptr<const SectionPlant> {
      rod::KinematicPlan<rod::Plane> k;
      k.rod = robot.body.make<rod::Plane>(rod::inchworm_law(robot.body.grid(), robot.gait),
                                          robot.loads.finish(final, robot.body, 2));
      k.looks = robot.body.looks(2);
      k.contacts = rod::inchworm_clamps(robot.gait, robot.body.length);
      k.switches = true;
      k.couple_length = robot.body.radius;
      return rod::make_kinematic(std::move(k));
    };
    return plan;
  }
  std::vector<std::string_view> methods() const override { return {"rk4"}; }

  // Head speed in the second half of a period: l alpha s' J1(alpha s), s = sin^2 om t. Its largest value, by halving.
  double peak_time() const {
    const auto speed = [this](double t) {
      const double s = math::sin(gait.om * t), rate = gait.om * math::sin(2.0 * gait.om * t);
      return std::abs(body.length * gait.alpha * rate * math::bessel_j1(gait.alpha * s * s));
    };
    const double half = 0.5 * std::numbers::pi / gait.om;
    double best = half;
    for (int i = 0; i <= 1000; i++)
      if (const double t = half * (1.0 + i / 1000.0); speed(t) > speed(best)) best = t;
    for (double step = half / 1000.0; step > 1e-9 * half; step *= 0.5)
      for (const double t : {best - step, best + step})
        if (speed(t) > speed(best)) best = t;
    return best;
  }

  std::vector<ResultPlan> results() const override {
    ResultPlan time{.name = "peak_head_speed_time_in_period", .signal = ""};
    time.known = {peak_time()};
    time.unit = "s";
    return {time};
  }
};

}  // namespace

std::unique_ptr<Robot> make_rod_inchworm() { return std::make_unique<RodInchworm>(); }

}  // namespace sinew::robots
