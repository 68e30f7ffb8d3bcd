// Names, units and meanings of what is read.
#include "sinew/math/check.h"
#include "sinew/rod/readout.h"

#include <fmt/format.h>

namespace sinew::rod {
namespace {

struct Names {
  const char *twist, *wrench, *strain, *pose;
  const char *twist_unit, *wrench_unit, *strain_unit, *pose_unit;
};
constexpr Names along_x{"V_x", "N_x", "Gamma_x", "x", "m/s", "N", "1", "m"};
constexpr Names along_y{"V_y", "N_y", "Gamma_y", "y", "m/s", "N", "1", "m"};
constexpr Names along_z{"V_z", "N_z", "Gamma_z", "z", "m/s", "N", "1", "m"};
constexpr Names about_x{"Omega_x", "M_x", "K_x", "turn_x", "rad/s", "N m", "1/m", "rad"};
constexpr Names about_y{"Omega_y", "M_y", "K_y", "turn_y", "rad/s", "N m", "1/m", "rad"};
constexpr Names about_z{"Omega_z", "M_z", "K_z", "turn_z", "rad/s", "N m", "1/m", "rad"};

template <class G>
constexpr Names component(int i) {
  constexpr Names plane[3] = {along_x, along_y, about_z};
  constexpr Names space[6] = {along_x, along_y, along_z, about_x, about_y, about_z};
  if (G::n == 6) return space[i];
  Names a = plane[i];
  if (i == 2) a.pose = "theta";
  return a;
}

template <class G>
constexpr const char* axes[3] = {"x", "y", "z"};

}  // namespace

template <class G>
Readout<G>::Readout(const Rod<G>& rod, const ReadoutPlan& looks) : looks_(looks) {
  SINEW_CHECK(looks.sections >= 1 && looks.slots >= 0 && looks.slots <= most_contacts, "Readout: ", looks.sections,
              " sections and ", looks.slots, " contacts");
  const Grid& grid = rod.grid();
  const double piece = grid.l / looks.sections, m = rod.inertia[0] * piece;
  const double J = 0.25 * m * rod.radius * rod.radius;
  for (int i = 0; i < looks.sections; i++)
    sections_.push_back(
        {fmt::format("section{}", i + 1), (i + 0.5) * piece, m, {2.0 * J, 0, 0, J, 0, J}, rod.radius, piece});
  name_head();
  name_contacts();
  name_profile();
}

template <class G>
void Readout<G>::name_head() {
  constexpr int n = G::n, d = directions<G>;
  for (const char* end : {"head", "tail"}) {
    for (int i = 0; i < n; i++)
      name(fmt::format("{}.{}", end, component<G>(i).pose), component<G>(i).pose_unit,
           fmt::format("pose of the {}", end));
    for (int i = 0; i < n; i++)
      name(fmt::format("{}.{}", end, component<G>(i).twist), component<G>(i).twist_unit,
           fmt::format("twist of the {}'s section, its axes", end));
  }
  for (int i = 0; i < n; i++)
    name(fmt::format("head.rate.{}", component<G>(i).twist), std::string(component<G>(i).twist_unit) + "^2",
         "rate of the head's twist");
  for (int i = 0; i < d; i++) name(fmt::format("com.{}", axes<G>[i]), "m", "centre of mass");
  for (int i = 0; i < d; i++) name(fmt::format("momentum.{}", axes<G>[i]), "kg m/s", "of the rod");
  for (int i = 0; i < (n == 6 ? 3 : n == 3 ? 1 : 0); i++)
    name(fmt::format("angular_momentum.{}", n == 3 ? "z" : axes<G>[i]), "kg m^2/s", "about the world's origin");
  name("kinetic", "J", "kinetic energy");
  name("power", "W", "of the actuators: minus the integral of Lambda . xi_t");
  name("M_o_trace", "kg", "trace of the inertia seen from the head");
  name("chord", "m", "from head to tail");
  name("touch_time", "s", "when the rod first touched a compliant ground; -1: not yet");
  name("volume", "m^3", "of the body");
}

template <class G>
void Readout<G>::name_contacts() {
  constexpr int n = G::n;
  name("V_o", "m/s", "speed along the track");
  name("slip", "m/s", "largest velocity of a section across itself (in space: or of its roll), along the rod");
  name("rank", "1", "of the constraints that the contacts put on the head");
  name("condition", "1", "of these constraints");
  name("violation", "m/s",
       "largest violation of them: the shape fights the contacts; with supports everywhere, of the mobility condition");
  for (int i = 0; i < n; i++)
    name(fmt::format("F_c.{}", component<G>(i).wrench), component<G>(i).wrench_unit,
         "resultant of all reactions, at the head");
  name("feasible", "1", "1: the contacts can provide F_c");
  for (int i = 0; i < n; i++)
    name(fmt::format("left.{}", component<G>(i).wrench), component<G>(i).wrench_unit,
         "part of F_c that they cannot provide");
  for (int i = 0; i < n; i++) name(fmt::format("singular.{}", i), "1", "singular value of the contacts' matrix");
  for (int k = 0; k < looks_.slots; k++)
    name(fmt::format("C.{}", k), "m", "abscissa of a contact; -1: it is not on the rod");
  for (int k = 0; k < looks_.slots; k++)
    for (int i = 0; i < n; i++)
      name(fmt::format("reaction.{}.{}", k, component<G>(i).wrench), component<G>(i).wrench_unit,
           "on the rod, in the axes of its section");
}

template <class G>
void Readout<G>::name_profile() {
  constexpr int n = G::n;
  name("end_residual", "N", "norm of Lambda(l) - F_+");
  for (int i = 0; i < n; i++)
    name(fmt::format("peak.{}", component<G>(i).wrench), component<G>(i).wrench_unit,
         "largest magnitude along the rod");
  name("effort_ratio", "1", "largest effort over its limit");
  const auto each = [&](auto&& make) {
    for (std::size_t k = 0; k < looks_.X_profile.size(); k++) make(k);
  };
  each([&](std::size_t k) { name(fmt::format("X.{}", k), "m", "abscissa of a place on the rod"); });
  for (int i = 0; i < directions<G>; i++)
    each([&](std::size_t k) { name(fmt::format("{}.{}", axes<G>[i], k), "m", "where the rod is there"); });
  for (int i = 0; i < n; i++)
    each([&](std::size_t k) {
      name(fmt::format("{}.{}", component<G>(i).wrench, k), component<G>(i).wrench_unit,
           "wrench inside the rod there, left limit");
    });
  for (int i = 0; i < n; i++)
    each([&](std::size_t k) {
      name(fmt::format("{}.{}", component<G>(i).strain, k), component<G>(i).strain_unit, "strain there");
    });
  for (int i = 0; i < n; i++)
    each([&](std::size_t k) {
      name(fmt::format("{}.{}", component<G>(i).twist, k), component<G>(i).twist_unit, "twist of the section there");
    });
  each([&](std::size_t k) { name(fmt::format("radius.{}", k), "m", "of the section there"); });
}

#define SINEW_INSTANTIATE_READOUT_NAMES(G) template Readout<G>::Readout(const Rod<G>&, const ReadoutPlan&);
SINEW_FOR_GROUPS(SINEW_INSTANTIATE_READOUT_NAMES)

}  // namespace sinew::rod
