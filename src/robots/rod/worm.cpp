// A burrowing worm on a line: a wave of stretch runs along it, and it holds on where it is thickest (docs/theory/rods.md#gaits).
//   Gamma_X = 1 + eps sin(2 pi / lam (phi - X)),   phi = c0 t + acc t^2 / 2
// Anchors "site": each keeps its place in the ground, the worm threads through them and goes at the speed of the wave.
// Anchors "noslip": the sections in contact rest; the worm advances eps lam for each wave that passes.
#include "robots/rod/rod_keys.h"
#include "sinew/rod/kinematic.h"
#include "sinew/rod/schedules.h"

namespace sinew::robots {
namespace {

struct RodWorm : Robot {
  RodBody body{{.length = 0.3, .radius = 0.005, .density = 1050.0}};
  rod::WormGait gait;
  RodLoads loads;
  int anchor = 0, share = int(rod::Share::Equal);
  double regularisation = 1e6;

  void describe(Keys& keys) override {
    static constexpr std::array<std::string_view, 2> anchors{"site", "noslip"};
    body.describe(keys);
    keys.number({"eps", "1", "amplitude of the stretch", {.low = 0.0, .high = 0.99}}, gait.eps);
    keys.number({"wavelength", "m", "of the wave of stretch", positive}, gait.lam);
    keys.number({"c0", "m/s", "speed of the wave at the start"}, gait.c0);
    keys.number({"acc", "m/s^2", "growth of this speed"}, gait.acc);
    keys.choice({"anchor", "", "what stands still where the worm is thickest: its site in the ground, or the section"},
                anchors, anchor);
    keys.choice({"share", "", "how anchors share their resultant"}, rod::share_names, share);
    keys.number({"regularisation", "1", "weight of the balance in the share \"regularised\"", positive},
                regularisation);
    keys.number(live({"drag_along", "N s/m^2", "viscous drag on a metre that moves along itself", not_negative}),
                loads.loads.ct);
    if (rod::worm_slots(gait, body.length) >= rod::most_contacts)
      keys.reject("wavelength", "there would be more than 31 anchors", "it must be larger than robot.length / 31");
    if (share == int(rod::Share::Friction))
      keys.reject("share", "anchors on a line have no friction cones", "use \"equal\" or \"minimum-norm\"");
  }

  Plan plan() const override {
    Plan plan = rod_plan();
    plan.make_plant = [robot = *this](const Plan& final) -> std::shared_ptr<const SectionPlant> {
      rod::KinematicPlan<rod::Line> k;
      k.rod = robot.body.make<rod::Line>(rod::worm_law(robot.body.grid(), robot.gait),
                                         robot.loads.finish(final, robot.body, 1));
      k.looks = robot.body.looks(rod::worm_slots(robot.gait, robot.body.length));
      k.looks.swells = true;
      k.contacts = rod::worm_anchors(robot.gait, robot.body.length,
                                     robot.anchor ? rod::ContactKind::SweepNoSlip : rod::ContactKind::SweepFixedSite);
      k.share = rod::Share(robot.share);
      k.regularisation = robot.regularisation;
      return rod::make_kinematic(std::move(k));
    };
    return plan;
  }
  std::vector<std::string_view> methods() const override { return {"rk4"}; }
};

}  // namespace

std::unique_ptr<Robot> make_rod_worm() { return std::make_unique<RodWorm>(); }

}  // namespace sinew::robots
