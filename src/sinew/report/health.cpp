// Matter inside of a shape cannot be farther from the centre of mass than the shape's farthest point, r. Its largest principal moment is at
// most m r^2, and equal only if all of it is there: I > m r^2 is a tensor in other units, or of another body.
#include "sinew/report/health.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/math/principal.h"
#include "sinew/math/rotation.h"

namespace sinew::report {
namespace {

// Distance of the farthest point of a body's shapes from its centre of mass, or more [m]; 0: it has none.
double reach_of(const BodyPlan& body) {
  double reach = 0.0;
  for (const ShapePlan& s : body.shapes) reach = std::max(reach, norm(s.position - body.com) + s.shape.reach());
  return reach;
}

std::string range_of(const JointPlan& j) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double low = j.lower.empty() ? -infinity : j.lower[0], high = j.upper.empty() ? infinity : j.upper[0];
  return low == -infinity && high == infinity ? "no ends" : fmt::format("{:.4g} to {:.4g}", low, high);
}

std::string drive_of(const JointPlan& j) {
  static constexpr const char* names[] = {"none", "motion", "servo", "computed", "torque", "device"};
  std::string text = names[int(j.drive)];
  if (!j.limit.empty() && std::isfinite(j.limit[0])) text += fmt::format(", at most {:.4g}", j.limit[0]);
  return text;
}

}  // namespace

std::string health(const sim::Experiment& experiment) {
  const Plan& plan = experiment.plan();
  std::string out =
      fmt::format("{:<28}{:>11}{:>14}{:>12}{:>9}\n", "body", "mass [kg]", "I [kg m^2]", "reach [m]", "shapes");
  std::string wrong;
  double mass = 0.0;
  for (const BodyPlan& body : plan.bodies) {
    const double most = principal_moments(body.inertia)[0], reach = reach_of(body);
    const bool too_much = reach > 0.0 && most > body.mass * reach * reach * (1.0 + 1e-9);
    mass += body.mass;
    out += fmt::format("{:<28}{:>11.4g}{:>14.4g}{:>12.4g}{:>9}{}\n", body.name, body.mass, most, reach,
                       body.shapes.size(), too_much ? "  !" : "");
    if (too_much)
      wrong += fmt::format(
          "! {}: {:.4g} kg within {:.4g} m have a moment of {:.4g} kg m^2 at most, not {:.4g}: is it in other units?\n",
          body.name, body.mass, reach, body.mass * reach * reach, most);
  }
  out += fmt::format("{:<28}{:>11.4g}\n", "all", mass);
  out += fmt::format("{:<28}{:<12}{:<24}{}\n", "joint", "kind", "range [rad, m]", "drive [N m, N]");
  for (const JointPlan& j : plan.joints)
    out += fmt::format("{:<28}{:<12}{:<24}{}\n", j.name, joint::name_of(j.kind), j.loop ? "a loop" : range_of(j),
                       drive_of(j));
  const bool ground = plan.ground.terrain.kind != TerrainKind::None;
  const char* bodies = !plan.contact.options.between_bodies ? "bodies do not touch each other"
                                                            : "bodies touch each other, but for neighbours at a joint";
  out += fmt::format("{}; {}{}\n", ground ? "shapes touch the ground" : "there is no ground", bodies,
                     plan.contact.ignore.empty() ? "" : fmt::format(" and {} pairs", plan.contact.ignore.size()));
  return out + wrong;
}

}  // namespace sinew::report
