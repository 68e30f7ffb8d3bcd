// A hyper-redundant manipulator: a rod clamped at its base whose strains are driven (docs/theory/rods.md).
//   strain[component] += amplitude shape(X / l) sin(omega t + phase),   shapes one, lin = z, dec = 1 - z, sin = sin(pi z)
// Components 0 to 5: Gamma_X, Gamma_Y, Gamma_Z, K_X, K_Y, K_Z. The base wrench and the efforts of the actuators follow.
#include <fmt/format.h>

#include <algorithm>

#include "robots/rod/rod_keys.h"
#include "sinew/rod/kinematic.h"
#include "sinew/rod/schedules.h"

namespace sinew::robots {
namespace {

struct RodArm : Robot {
  RodBody body{{.length = 0.5, .radius = 0.015, .density = 1100.0}};
  std::vector<double> component{3, 4, 5, 0}, amplitude{1.5, 3.0, 4.0, 0.05}, omega{3, 2, 2.5, 4}, phase{0, 0.4, 0, 0};
  std::vector<std::string> shape{"one", "dec", "lin", "sin"};
  std::vector<double> base_twist{0, 0, 0, 0, 0, 0}, limits{0, 0, 0, 0, 0, 0};
  RodLoads loads;
  int kind = 0;  // of rod::class_names

  void describe(Keys& keys) override {
    body.describe(keys);
    keys.numbers({"modes_component",
                  "",
                  "of each mode: 0 to 5 for Gamma_X, Gamma_Y, Gamma_Z, K_X, K_Y, K_Z",
                  {.low = 0, .high = 5}},
                 {}, component);
    keys.numbers({"modes_amplitude", "", "of each mode [1], [1/m]"}, {}, amplitude);
    keys.numbers({"modes_omega", "rad/s", "frequency of each mode"}, {}, omega);
    keys.numbers({"modes_phase", "rad", "of each mode"}, {}, phase);
    keys.texts({"modes_shape", "", "of each mode along the arm: one, lin, dec or sin"}, shape);
    keys.numbers({"base_twist", "", "of the base, constant in its own axes [m/s], [rad/s]"}, {.exactly = 6},
                 base_twist);
    keys.numbers({"limits", "", "of the efforts, for rod.effort_ratio [N], [N m]; 0: none", not_negative},
                 {.exactly = 6}, limits);
    keys.choice(
        {"class", "",
         "strains that actuators move: timoshenko all, extensible no shear, kirchhoff no stretch either, universal "
         "no twist either, planar K_Z alone; the others are held"},
        rod::class_names, kind);
    loads.describe(keys, true);
    const std::size_t n = component.size();
    const std::pair<const char*, std::size_t> sizes[] = {{"modes_amplitude", amplitude.size()},
                                                         {"modes_omega", omega.size()},
                                                         {"modes_phase", phase.size()},
                                                         {"modes_shape", shape.size()}};
    for (const auto& [key, size] : sizes)
      if (size != n)
        keys.reject(key, fmt::format("modes_component has {} entries, {} has {}", n, key, size),
                    "give one component, amplitude, omega, phase and shape for each mode");
    if (n > 32) keys.reject("modes_component", "there are more than 32 modes", "use at most 32");
    for (const double c : component)
      if (c != std::floor(c)) keys.reject("modes_component", fmt::format("{} is not a whole number", c), "use 0 to 5");
    for (const std::string& s : shape)
      if (std::ranges::find(rod::shape_names, s) == rod::shape_names.end())
        keys.reject("modes_shape", fmt::format("there is no shape \"{}\"", s), "use one, lin, dec or sin");
    for (const double c : component)
      if (c != std::floor(c) || c < 0 || c > 5) return;
    if (amplitude.size() != n || omega.size() != n || phase.size() != n || shape.size() != n || n > 32) return;
    const std::string wrong =
        rod::check_class<rod::Space>(*rod::arm_law(body.grid(), modes()), rod::class_drives[kind], 10.0);
    if (!wrong.empty())
      keys.reject("modes_component", wrong,
                  fmt::format("leave it out, or use another class than \"{}\"", rod::class_names[kind]));
  }

  std::vector<rod::ArmMode> modes() const {
    std::vector<rod::ArmMode> out;
    for (std::size_t j = 0; j < component.size(); j++)
      out.push_back({int(component[j]), amplitude[j], omega[j], phase[j],
                     int(std::ranges::find(rod::shape_names, shape[j]) - rod::shape_names.begin())});
    return out;
  }

  Plan plan() const override {
    Plan plan = rod_plan();
    plan.make_plant = [robot = *this](const Plan& final) -> std::shared_ptr<const SectionPlant> {
      rod::KinematicPlan<rod::Space> k;
      k.rod = robot.body.make<rod::Space>(rod::arm_law(robot.body.grid(), robot.modes()),
                                          robot.loads.finish(final, robot.body, 3));
      k.looks = robot.body.looks(1);
      std::copy_n(robot.limits.begin(), 6, k.looks.limits);
      k.connect = rod::Connect::Given;
      k.contacts = rod::base_clamp<rod::Space>();
      k.couple_length = robot.body.radius;
      rod::Vec<6> base;
      std::copy_n(robot.base_twist.begin(), 6, base.e);
      k.given = [base](double, rod::Vec<6>& eta, rod::Vec<6>& rate) {
        eta = base;
        rate = rod::Vec<6>::zero();
      };
      return rod::make_kinematic(std::move(k));
    };
    return plan;
  }
  std::vector<std::string_view> methods() const override { return {"rk4"}; }
};

}  // namespace

std::unique_ptr<Robot> make_rod_arm() { return std::make_unique<RodArm>(); }

}  // namespace sinew::robots
