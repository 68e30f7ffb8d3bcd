#include "robots/rod/soft_rod_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/math/elementary.h"
#include "sinew/rod/group.h"

namespace sinew::robots {
namespace {

constexpr std::array<std::string_view, 2> dimension_names{"plane", "space"};
constexpr std::array<std::string_view, 3> basis_names{"legendre", "pieces", "hats"};
constexpr std::array<std::string_view, 2> start_names{"straight", "rest"};
constexpr std::array<std::string_view, 6> strain_names{"Gamma_X", "Gamma_Y", "Gamma_Z", "K_X", "K_Y", "K_Z"};
constexpr Count any_count{.one_for_all = true};

constexpr std::array<std::string_view, 6> hold_names{"x", "y", "z", "turn_x", "turn_y", "turn_z"};

int strain_index(const std::string& name) { return int(std::ranges::find(strain_names, name) - strain_names.begin()); }
double entry(const std::vector<double>& a, std::size_t i, double otherwise) {
  return a.empty() ? otherwise : a.size() == 1 ? a[0] : a[i];
}
// A list is empty, one number for all, or one for each.
void fits(Keys& keys, const char* key, const std::vector<double>& a, std::size_t count) {
  if (a.size() > 1 && a.size() != count)
    keys.reject(key, fmt::format("there are {} numbers for {}", a.size(), count), fmt::format("give 1 or {}", count));
}
Vec3d triple(const std::vector<double>& a, std::size_t i) { return {a[3 * i], a[3 * i + 1], a[3 * i + 2]}; }

}  // namespace

void SoftRodKeys::describe(Keys& keys) {
  describe_body(keys);
  describe_loads(keys);
  describe_actuators(keys);
  check(keys);
}

void SoftRodKeys::describe_body(Keys& keys) {
  keys.choice({"dimension", "", "plane (x, y) or space"}, dimension_names, dimension);
  sinew::describe(keys, static_cast<RodSize&>(*this));
  keys.number({"tip_radius", "m", "at X = l, linear in between; 0: as radius", not_negative}, tip_radius);
  sinew::describe(keys, static_cast<RodElasticity&>(*this), section_stiffness.empty());
  keys.numbers(
      {"section_stiffness", "",
       "instead of all these: of Gamma_X, Gamma_Y, Gamma_Z [N], K_X, K_Y, K_Z [N m^2]; empty: they hold", not_negative},
      {.exactly = 0, .or_exactly = 6}, section_stiffness);
  keys.number(live({"bending_damping", "N m^2 s", "of K_Y and K_Z besides viscosity", not_negative}), bending_damping);
  keys.flag({"rotary_inertia", "", "sections resist turning (false: Euler's and Bernoulli's beam)"}, rotary_inertia);
  keys.numbers({"rest_strain", "", "of the relaxed rod: Gamma_X, Gamma_Y, Gamma_Z [1], K_X, K_Y, K_Z [1/m]"},
               {.exactly = 6}, rest_strain);
  keys.texts(
      {"strains", "", "that are free: of Gamma_X, Gamma_Y, Gamma_Z, K_X, K_Y, K_Z; others stay as in rest_strain"},
      strains);
  keys.choice({"basis", "", "of each: Legendre polynomials, constant pieces, or hats"}, basis_names, basis);
  keys.numbers({"basis_size",
                "",
                "functions of each strain in each segment: one number, or one for each strain",
                {.low = 1, .high = 1000}},
               any_count, basis_size);
  keys.numbers({"segment_starts", "m", "abscissae where a new segment begins", positive}, {}, segment_starts);
  keys.integer({"cells", "", "of the quadrature along the rod", {.low = 1, .high = 100000}}, cells);
  keys.flag({"floating", "", "the base is free; else clamped"}, floating);
  keys.vector({"base_position", "m", "of the section X = 0 at the start"}, base_position);
  keys.vector({"base_turn", "rad", "its rotation vector"}, base_turn);
  keys.numbers({"base_twist", "", "floating: V_X, V_Y, V_Z [m/s], Omega_X, Omega_Y, Omega_Z [rad/s] at the start"},
               {.exactly = 6}, base_twist);
  keys.choice({"start", "", "from q and q_rate, or at rest in the equilibrium under all loads"}, start_names, start);
  keys.integer({"rest_steps", "", "of the loads on the way to that equilibrium", {.low = 1, .high = 100000}},
               rest_steps);
  keys.texts({"tip_hold", "", "held in the equilibrium: x, y, z, turn_x, turn_y, turn_z of the tip; then a dead load"},
             tip_hold);
  keys.vector({"tip_place", "m", "where it is held"}, tip_place);
  keys.number({"tip_turn", "rad", "turn about the world's x with which it is held", any_number, true}, tip_turn);
  keys.numbers({"q", "", "coordinates at the start; empty: zeros"}, {}, q);
  keys.numbers({"q_rate", "", "their rates; empty: zeros"}, {}, q_rate);
  keys.numbers({"X_profile", "m", "abscissae where the internal wrench is read", not_negative}, {}, X_profile);
  keys.number({"rho_inf",
               "1",
               "of generalized-alpha: how much of the fastest motion is left after a step",
               {.low = 0.0, .high = 1.0}},
              rho_inf);
  keys.number({"tolerance", "1", "of generalized-alpha: change of shape that is left", positive}, tolerance);
}

void SoftRodKeys::describe_loads(Keys& keys) {
  keys.number(live({"drag_along", "N s/m^2", "viscous drag on a metre that moves along itself", not_negative}),
              drag_along);
  keys.number(live({"drag_across", "N s/m^2", "viscous drag on a metre that moves across itself", not_negative}),
              drag_across);
  keys.vector(live({"tip_force", "N", "at X = l, in world axes"}), tip_force);
  keys.vector(live({"tip_moment", "N m", "at X = l, in world axes"}), tip_moment);
  keys.vector(live({"tip_follower_force", "N", "at X = l, in the section's axes"}), tip_follower_force);
  keys.vector(live({"tip_follower_moment", "N m", "at X = l, in the section's axes"}), tip_follower_moment);
  keys.vector(live({"point_force", "N", "at X = point_X, in world axes"}), point_force);
  keys.number({"point_X", "m", "where it acts", not_negative}, point_X);
  keys.number({"load_ramp", "s", "time in which these loads come up; 0: there from the start", not_negative},
              load_ramp);
  keys.number({"load_amplitude", "1", "of an oscillation of these loads about themselves: 1 + amplitude sin(...)"},
              load_amplitude);
  keys.number({"load_frequency", "Hz", "of the oscillation"}, load_frequency);
  keys.number({"load_phase", "rad", "of the oscillation at t = 0", any_number, true}, load_phase);
}

void SoftRodKeys::describe_actuators(Keys& keys) {
  keys.numbers({"cable_offset", "m", "cables: place in the section at X = 0, three numbers each"}, {}, cable_offset);
  keys.numbers({"cable_offset_tip", "m", "the same at X = l, linear in between; empty: as cable_offset"}, {},
               cable_offset_tip);
  keys.numbers({"cable_end", "m", "where each is fixed; empty: at the tip", positive}, any_count, cable_end);
  keys.numbers(live({"tension", "N", "of each cable", not_negative}), any_count, tension);
  keys.numbers(live({"tension_amplitude", "N", "of each: added times sin(2 pi tension_frequency t)"}), any_count,
               tension_amplitude);
  keys.number({"tension_frequency", "Hz", "of that oscillation", not_negative}, tension_frequency);
  keys.number({"tension_ramp", "s", "time in which tensions come up", not_negative}, tension_ramp);
  keys.number({"chamber_radius", "m", "chambers: distance from the axis", not_negative}, chamber_radius);
  keys.numbers({"angles", "rad", "of each chamber about the axis, from Y towards Z", any_number, true}, any_count,
               angles);
  keys.number({"area", "m^2", "of each chamber", not_negative}, area);
  keys.numbers(live({"pressure", "Pa", "in each chamber"}), any_count, pressure);
  keys.number({"pressure_ramp", "s", "time in which pressures come up", not_negative}, pressure_ramp);
  keys.number(live({"kp", "N m^2", "servo of K_Z: torque by curvature that is missing", not_negative}), kp);
  keys.number(live({"kd", "N m^2 s", "by its rate", not_negative}), kd);
  keys.number(live({"limit", "N m", "most that servo can give; 0: no limit", not_negative}), limit);
  keys.numbers({"imposed", "", "numbers of coordinates that move as told", not_negative}, {}, imposed);
  keys.numbers({"imposed_value", "", "of each"}, any_count, imposed_value);
  keys.numbers({"imposed_amplitude", "", "of each: added times sin(2 pi imposed_frequency t)"}, any_count,
               imposed_amplitude);
  keys.number({"imposed_frequency", "Hz", "of that oscillation", not_negative}, imposed_frequency);
  keys.number({"imposed_ramp", "s", "time in which they come up", not_negative}, imposed_ramp);
}

void SoftRodKeys::describe_wave(Keys& keys) {
  const Table table(keys, "wave",
                    "what the servo wants: r(t) (bias + (amplitude + slope X/l) cos(2 pi (X/wavelength - "
                    "t/period) + phase)), the curvature K_Z");
  sinew::describe(keys, wave);
}

void SoftRodKeys::check(Keys& keys) const {
  for (const std::string& s : strains) {
    const int i = strain_index(s);
    if (i == 6)
      keys.reject("strains", fmt::format("there is no strain \"{}\"", s),
                  "use Gamma_X, Gamma_Y, Gamma_Z, K_X, K_Y or K_Z");
    else if (is_planar() && i != 0 && i != 1 && i != 5)
      keys.reject("strains", fmt::format("\"{}\" leaves the plane", s),
                  "use Gamma_X, Gamma_Y, K_Z, or dimension = \"space\"");
  }
  const auto stays_in_plane = [&](const char* key, bool does) {
    if (is_planar() && !does) keys.reject(key, "it leaves the plane", "keep to x and y, or use dimension = \"space\"");
  };
  stays_in_plane("tip_force", tip_force[2] == 0.0);
  stays_in_plane("point_force", point_force[2] == 0.0);
  stays_in_plane("tip_follower_force", tip_follower_force[2] == 0.0);
  stays_in_plane("tip_moment", tip_moment[0] == 0.0 && tip_moment[1] == 0.0);
  stays_in_plane("tip_follower_moment", tip_follower_moment[0] == 0.0 && tip_follower_moment[1] == 0.0);
  stays_in_plane("base_turn", base_turn[0] == 0.0 && base_turn[1] == 0.0);
  fits(keys, "basis_size", basis_size, strains.size());
  if (strains.empty()) keys.reject("strains", "there is none", "name at least one");
  for (const double n : basis_size)
    if (n != std::floor(n) || (basis == 0 && n > 13))
      keys.reject("basis_size", fmt::format("{} is not possible", n),
                  "use whole numbers, with Legendre polynomials up to 13");
  for (std::size_t i = 0; i < segment_starts.size(); i++)
    if (segment_starts[i] >= length || (i && segment_starts[i] <= segment_starts[i - 1]))
      keys.reject("segment_starts", "they do not rise between 0 and the length",
                  "give rising abscissae below robot.length");
  check_actuators(keys);
}

void SoftRodKeys::check_actuators(Keys& keys) const {
  if (cable_offset.size() % 3)
    keys.reject("cable_offset", fmt::format("there are {} numbers", cable_offset.size()), "give three for each cable");
  if (!cable_offset_tip.empty() && cable_offset_tip.size() != cable_offset.size())
    keys.reject("cable_offset_tip", "it is not as long as cable_offset", "give three for each cable");
  const std::size_t cables = cable_offset.size() / 3;
  fits(keys, "tension", tension, cables);
  fits(keys, "tension_amplitude", tension_amplitude, cables);
  fits(keys, "cable_end", cable_end, cables);
  fits(keys, "pressure", pressure, angles.size());
  fits(keys, "imposed_value", imposed_value, imposed.size());
  fits(keys, "imposed_amplitude", imposed_amplitude, imposed.size());
  for (const double X : X_profile)
    if (X > length)
      keys.reject("X_profile", fmt::format("{} is beyond the tip", X), fmt::format("use 0 to {}", length));
  for (const double X : cable_end)
    if (X > length)
      keys.reject("cable_end", fmt::format("{} is beyond the tip", X), fmt::format("use up to {}", length));
  if (point_X > length) keys.reject("point_X", "it is beyond the tip", fmt::format("use 0 to {}", length));
  const std::size_t nq = plan(Vec3d::zero()).modes.size();
  for (const double i : imposed)
    if (i != std::floor(i) || i >= double(nq))
      keys.reject("imposed", fmt::format("there is no coordinate {}", i),
                  fmt::format("use whole numbers below {}", nq));
  for (const auto& [key, list] : {std::pair("q", &q), std::pair("q_rate", &q_rate)})
    if (!list->empty() && list->size() != nq)
      keys.reject(key, fmt::format("there are {} numbers for {} coordinates", list->size(), nq),
                  fmt::format("give {}", nq));
  for (const std::string& name : tip_hold)
    if (std::ranges::find(hold_names, name) == hold_names.end())
      keys.reject("tip_hold", fmt::format("there is no \"{}\"", name), "use x, y, z, turn_x, turn_y or turn_z");
  if (!tip_hold.empty() && start == 0) keys.reject("tip_hold", "only an equilibrium is held", "use start = \"rest\"");
  if (floating && start == 1) keys.reject("start", "a floating rod has no equilibrium", "use \"straight\"");
  if (start == 1 && kp > 0.0) keys.reject("start", "a wave has no equilibrium", "use \"straight\"");
}

double SoftRodKeys::bending() const {
  if (!section_stiffness.empty()) return section_stiffness[5];
  return EI_z >= 0.0 ? EI_z : E * std::numbers::pi * math::pow(radius, 4) / 4.0;
}

rod::SoftPlan SoftRodKeys::plan(const Vec3d& gravity) const {
  const double A = std::numbers::pi * radius * radius, I = A * radius * radius / 4.0, shear = shear_modulus();
  const double of_section = E * std::numbers::pi * math::pow(radius, 4) / 4.0;
  const auto given_or = [](double given, double own) { return given >= 0.0 ? given : own; };
  rod::SoftPlan p;
  p.length = length;
  p.radius = radius;
  p.taper = tip_radius > 0.0 ? tip_radius / radius : 1.0;
  const double across = given_or(GA, shear_factor * shear * A);
  p.stiffness = {given_or(EA, E * A),       across, across, given_or(GJ, 2.0 * shear * I), given_or(EI_y, of_section),
                 given_or(EI_z, of_section)};
  if (!section_stiffness.empty()) std::ranges::copy(section_stiffness, p.stiffness.begin());
  for (int i = 0; i < 6; i++) p.viscosity[i] = p.stiffness[i] * viscosity / E + (i > 3 ? bending_damping : 0.0);
  const double J = rotary_inertia ? density * I : 0.0, mass = density * A;
  p.inertia = {mass, mass, mass, 2.0 * J, J, J};
  std::ranges::copy(rest_strain, p.xi_star.begin());
  std::ranges::copy(base_twist, p.base_twist.begin());
  p.cells = cells;
  p.floating = floating;
  p.gravity = gravity;
  p.at_rest = start == 1;
  p.base = {rod::exponential<rod::Space>(rod::join(Vec3d::zero(), base_turn)).R, base_position};
  p.q = q;
  p.q_rate = q_rate;
  p.X_profile = X_profile;
  p.rho_inf = rho_inf;
  p.tolerance = tolerance;
  add_modes(p);
  add_loads(p);
  add_actuators(p);
  return p;
}

void SoftRodKeys::add_modes(rod::SoftPlan& p) const {
  std::vector<double> ends = segment_starts;
  ends.push_back(length);
  for (std::size_t i = 0; i < strains.size(); i++) {
    const int component = strain_index(strains[i]), count = int(entry(basis_size, i, 1.0));
    if (component == 6 || count < 1) continue;  // rejected
    if (basis == 0) rod::add_legendre(p.modes, component, ends, count);
    if (basis == 1) rod::add_pieces(p.modes, component, ends, count);
    if (basis == 2) rod::add_hats(p.modes, component, ends, count);
  }
  std::ranges::stable_sort(p.modes, {}, &rod::SoftMode::component);
}

void SoftRodKeys::add_loads(rod::SoftPlan& p) const {
  p.friction = {drag_along, drag_across, drag_across, 0, 0, 0};
  const rod::SoftDrive scale{1.0, load_amplitude, load_frequency, load_phase, load_ramp};
  const auto six = [](const Vec3d& f, const Vec3d& c) { return rod::Six{f[0], f[1], f[2], c[0], c[1], c[2]}; };
  p.points.push_back({length, six(tip_force, tip_moment), six(tip_follower_force, tip_follower_moment), scale});
  if (dot(point_force, point_force) > 0.0) p.points.push_back({point_X, six(point_force, Vec3d::zero()), {}, scale});
}

void SoftRodKeys::add_actuators(rod::SoftPlan& p) const {
  const auto& at_tip = cable_offset_tip.size() == cable_offset.size() ? cable_offset_tip : cable_offset;
  for (std::size_t i = 0; 3 * i + 2 < cable_offset.size(); i++) {
    rod::SoftCable cable{triple(cable_offset, i), triple(at_tip, i), entry(cable_end, i, length), {}};
    cable.tension = {entry(tension, i, 0.0), entry(tension_amplitude, i, 0.0), tension_frequency, 0.0, tension_ramp};
    p.cables.push_back(cable);
  }
  for (std::size_t i = 0; i < angles.size(); i++) {
    const Vec3d at = Vec3d(0, math::cos(angles[i]), math::sin(angles[i])) * chamber_radius;
    p.cables.push_back({at, at, length, {.value = -area * entry(pressure, i, 0.0), .ramp = pressure_ramp}});
  }
  if (!tip_hold.empty()) {
    rod::SoftTipHold hold;
    for (int i = 0; i < 6; i++) hold.held[i] = std::ranges::find(tip_hold, hold_names[i]) != tip_hold.end();
    hold.start = p.base.p + p.base.R * Vec3d(length, 0, 0);
    hold.target = tip_place;
    hold.angle = tip_turn;
    if (rest_steps == 1) hold.start = tip_place;
    p.hold = hold;
  }
  p.rest_steps = rest_steps;
  add_servo(p);
  for (std::size_t i = 0; i < imposed.size(); i++)
    p.imposed.push_back(
        {int(imposed[i]),
         {entry(imposed_value, i, 0.0), entry(imposed_amplitude, i, 0.0), imposed_frequency, 0.0, imposed_ramp}});
}

void SoftRodKeys::add_servo(rod::SoftPlan& p) const {
  p.servo = {.is_on = kp > 0.0 || kd > 0.0,
             .a0 = wave.amplitude,
             .a1 = wave.slope,
             .bias = wave.bias,
             .lam = wave.wavelength,
             .T = wave.period,
             .Tr = wave.ramp,
             .phase = wave.phase,
             .kp = kp,
             .kd = kd,
             .Mmax = limit};
}

}  // namespace sinew::robots
