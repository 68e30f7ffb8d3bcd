#include "robots/rod/rod_keys.h"

#include <fmt/format.h>

#include <numbers>

#include "sinew/math/elementary.h"

namespace sinew::robots {

void check_abscissae(Keys& keys, const char* key, const std::vector<double>& X, double length) {
  for (const double x : X)
    if (!(x >= 0.0 && x <= length))
      keys.reject(key, fmt::format("{} is not on the rod", x),
                  fmt::format("it must be 0 to robot.length = {}", length));
}

void RodBody::describe(Keys& keys) {
  sinew::describe(keys, static_cast<RodSize&>(*this));
  keys.integer(
      {"cells", "", "of a pass along the rod; 20 for each wavelength give about 1e-6", {.low = 2, .high = 100000}},
      cells);
  keys.choice({"scheme", "",
               "how the strain is integrated along the rod; s8: five stations a cell, for wrenches to 1e-6; the others "
               "to compare"},
              rod::scheme_names, scheme);
  keys.numbers(
      {"X_profile", "m", "where wrenches, strains and velocities are read; empty: twenty-one places", not_negative}, {},
      X_profile);
  keys.integer({"sections", "", "of the rod that are shown as bodies; 0: about 25", {.low = 0, .high = 1000}},
               sections);
  check_abscissae(keys, "X_profile", X_profile, length);
}

rod::ReadoutPlan RodBody::looks(int slots) const {
  rod::ReadoutPlan looks;
  looks.X_profile = X_profile;
  if (X_profile.empty())
    for (int i = 0; i <= 20; i++) looks.X_profile.push_back(length * i / 20.0);
  looks.sections = sections;
  if (sections == 0) {  // centres at ends of cells cost nothing
    looks.sections = 25;
    while (looks.sections > 5 && cells % (2 * looks.sections) != 0) looks.sections--;
  }
  looks.slots = slots;
  return looks;
}

RodLoads::RodLoads()
    : added_mass{0.0},
      fluid_drag_along{0.0},
      fluid_drag_across{0.0},
      head_force{0, 0, 0},
      head_moment{0, 0, 0},
      tail_force{0, 0, 0},
      tail_moment{0, 0, 0},
      head_follower{0, 0, 0, 0, 0, 0},
      tail_follower{0, 0, 0, 0, 0, 0} {}

void RodLoads::describe(Keys& keys, bool all) {
  keys.number(live({"drag_along", "N s/m^2", "viscous drag on a metre that moves along itself", not_negative}),
              loads.ct);
  keys.number(live({"drag_across", "N s/m^2", "viscous drag on a metre that moves across itself", not_negative}),
              loads.cn);
  keys.number(live({"drag_roll", "N s", "viscous drag of roll", not_negative}), loads.crx);
  keys.number(live({"drag_turn", "N s", "viscous drag of the other turns", not_negative}), loads.crn);
  if (!all) return;
  keys.number(live({"friction_load", "N/m", "normal load of dry friction", not_negative}), loads.nload);
  keys.number(live({"mu_long", "1", "dry friction along the rod, head first", not_negative}), loads.muf);
  keys.number(live({"mu_backward", "1", "dry friction along the rod, tail first", not_negative}), loads.mub);
  keys.number(live({"mu_trans", "1", "dry friction across", not_negative}), loads.mun);
  keys.number(live({"v_th", "m/s", "speed below which dry friction fades", positive}), loads.vs);
  const Count pair{.one_for_all = true};
  keys.numbers(live({"fluid_drag_along", "kg/m^2",
                     "drag along over V|V|: fluid_density C_f P / 2; one number, or head and tail", not_negative}),
               pair, fluid_drag_along);
  keys.numbers(live({"fluid_drag_across", "kg/m^2", "drag across over V|V|: fluid_density C_d H / 2", not_negative}),
               pair, fluid_drag_across);
  keys.numbers({"added_mass", "kg/m", "of the fluid across (Lighthill)", not_negative}, pair, added_mass);
  keys.number({"fluid_density", "kg/m^3", "of the fluid, for buoyancy", not_negative}, fluid_density);
  keys.number(live({"ground_stiffness", "N/m^2", "of a compliant ground per length (hunt-crossley: N/m^2.5); 0: none",
                    not_negative}),
              loads.ground_k);
  keys.number(live({"ground_damping", "N s/m^2", "of this ground", not_negative}), loads.ground_c);
  keys.flag({"ground_hunt_crossley", "", "force k d^1.5 (1 + ground_dissipation d') instead: no jump at touchdown"},
            loads.hunt_crossley);
  keys.number(live({"ground_dissipation", "s/m", "of that law", not_negative}), loads.ground_d);
  keys.vector({"ground_normal", "1", "unit vector out of this ground"}, loads.ground_normal);
  keys.number({"ground_height", "m", "of this ground along its normal"}, loads.ground_height);
  keys.number({"ground_radius", "m", "of the body where it touches this ground; 0: its centre line", not_negative},
              loads.ground_radius);
  keys.number(live({"peg_stiffness", "N/m^2.5", "of pegs (ground.pegs) per length", not_negative}), loads.kpeg);
  keys.number(live({"peg_dissipation", "s/m", "of pegs, as ground_dissipation", not_negative}), loads.dpeg);
  keys.number(live({"peg_mu", "1", "friction of pegs", not_negative}), loads.mupeg);
  const Count three{.exactly = 3}, six{.exactly = 6};
  keys.numbers(live({"head_force", "N", "on the head, in world axes"}), three, head_force);
  keys.numbers(live({"head_moment", "N m", "on the head, in world axes"}), three, head_moment);
  keys.numbers(live({"tail_force", "N", "on the tail, in world axes"}), three, tail_force);
  keys.numbers(live({"tail_moment", "N m", "on the tail, in world axes"}), three, tail_moment);
  keys.numbers(live({"head_follower", "", "force and moment on the head in its own axes [N], [N m]"}), six,
               head_follower);
  keys.numbers(live({"tail_follower", "", "force and moment on the tail in its own axes [N], [N m]"}), six,
               tail_follower);
  pegs = true;
  for (const auto& [key, list] :
       {std::pair{"fluid_drag_along", &fluid_drag_along}, std::pair{"fluid_drag_across", &fluid_drag_across},
        std::pair{"added_mass", &added_mass}})
    if (list->size() != 1 && list->size() != 2)
      keys.reject(key, "it has a wrong number of entries", "give one number, or two: for head and tail");
  const double length = norm(loads.ground_normal);
  if (!(std::abs(length - 1.0) < 1e-6)) keys.reject("ground_normal", "it is not a unit vector", "its length must be 1");
}

rod::Loads RodLoads::finish(const Plan& plan, const RodBody& body, int axes) const {
  rod::Loads k = loads;
  if (plan.gravity.kind == GravityKind::Uniform)
    k.gravity = plan.gravity.g;
  else if (plan.gravity.kind != GravityKind::None)
    throw PlanError(
        std::vector<Problem>{{"gravity.kind", "a rod knows a uniform field only: use \"uniform\" or \"none\""}});
  for (int i = axes; i < 3; i++) k.gravity[i] = 0.0;
  k.buoyancy = fluid_density * std::numbers::pi * body.radius * body.radius;
  k.ma = added_mass.front();
  k.ma_tail = added_mass.back();
  k.kqt = fluid_drag_along.front();
  k.kqt_tail = fluid_drag_along.back();
  k.kqn = fluid_drag_across.front();
  k.kqn_tail = fluid_drag_across.back();
  if (k.ground_k > 0.0 && axes == 2 && std::abs(k.ground_normal[2]) > 1e-9)
    throw PlanError(
        std::vector<Problem>{{"robot.ground_normal",
                              "a rod in the plane can stand on ground whose normal is in the plane only: set z = 0"}});
  const auto three = [](const std::vector<double>& a, int i) { return Vec3d(a[i], a[i + 1], a[i + 2]); };
  k.head = {three(head_force, 0), three(head_moment, 0), three(head_follower, 0), three(head_follower, 3)};
  k.tail = {three(tail_force, 0), three(tail_moment, 0), three(tail_follower, 0), three(tail_follower, 3)};
  if (!pegs) return k;
  const PegsPlan& field = plan.ground.pegs;
  if (field.x.size() != field.y.size())
    throw PlanError(
        std::vector<Problem>{{"ground.pegs.y", fmt::format("every peg has an x and a y, but there are {} x and {} y",
                                                           field.x.size(), field.y.size())}});
  for (std::size_t i = 0; i < field.x.size(); i++)
    k.pegs.push_back({field.x[i], field.y[i], body.radius + field.radius});
  return k;
}

Plan rod_plan() {
  Plan plan;
  plan.gravity.g = Vec3d(0, 0, 0);
  return plan;
}

template <>
rod::Plane start_pose<rod::Plane>(const std::vector<double>& a) {
  rod::Plane g;
  if (a.size() == 3) g = {math::cos(a[2]), math::sin(a[2]), a[0], a[1]};
  return g;
}
template <>
rod::Space start_pose<rod::Space>(const std::vector<double>& a) {
  rod::Space g;
  if (a.size() != 6) return g;
  g = rod::exponential<rod::Space>({0, 0, 0, a[3], a[4], a[5]});
  g.p = Vec3d(a[0], a[1], a[2]);
  return g;
}

}  // namespace sinew::robots
