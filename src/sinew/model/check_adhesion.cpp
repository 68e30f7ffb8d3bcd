#include <algorithm>
#include <set>

#include "sinew/model/check_contacts.h"
#include "sinew/model/glob.h"
#include "sinew/model/number_checks.h"

namespace sinew {
namespace {

struct AdhesionChecker : NumberChecks {
  const Plan& plan;
  const AdhesionPlan& a;

  void check_numbers() {
    check_not_negative("contact.cohesion", a.cohesion, "Pa");
    check_not_negative("contact.adhesion_area", a.area, "m^2");
    check_not_negative("contact.shear_strength", a.shear_strength, "Pa");
    if (!(a.bed_strength > 0.0)) fail("contact.bed_strength", fmt::format("must be > 0 Pa, is {}", a.bed_strength));
    check_not_negative("contact.grain_layer", a.grain_layer, "m");
    check_not_negative("contact.voltage", a.pad.voltage, "V");
    check_positive("contact.film_thickness", a.pad.film_thickness, "m");
    check_positive("contact.film_permittivity", a.pad.film_permittivity, "");
    check_not_negative("contact.charge_time", a.charge_time, "s");
    check_not_negative("contact.discharge_time", a.discharge_time, "s");
    check_not_negative("contact.peel_length", a.peel_length, "m");
  }

  bool has_shape(const std::string& pattern) const {
    for (const BodyPlan& body : plan.bodies)
      for (const ShapePlan& s : body.shapes)
        if (matches(pattern, body.name + "." + s.name)) return true;
    return false;
  }

  void check_pads() {
    for (const PadPlan& pad : a.pads) {
      const std::string key = "contact.pad." + pad.name;
      check_not_negative(key + ".area", pad.area, "m^2");
      check_not_negative(key + ".width", pad.width, "m");
      if (pad.points < 1) fail(key + ".points", fmt::format("must be 1 or more, is {}", pad.points));
      for (const std::string& pattern : pad.shapes)
        if (!has_shape(pattern))
          fail(key + ".shapes",
               fmt::format("no shape is called '{}': write \"BODY.SHAPE\", names may hold * and ?", pattern));
      if (!pad.group.empty() && std::ranges::find(a.groups, pad.group, &PadGroupPlan::name) == a.groups.end())
        fail(key + ".group", fmt::format("there is no [contact.pad_group.{}]: add it, or remove the key", pad.group));
    }
    for (const PadGroupPlan& g : a.groups) {
      const std::string key = "contact.pad_group." + g.name;
      if (!std::ranges::is_sorted(g.on)) fail(key + ".on", "times must ascend: on, off, on, ...");
      if (!g.on.empty() && g.period > 0.0) fail(key + ".period", "`on` and period are both given: remove one of them");
      check_not_negative(key + ".period", g.period, "s");
      if (!(g.duty >= 0.0 && g.duty <= 1.0)) fail(key + ".duty", fmt::format("must be from 0 to 1, is {}", g.duty));
    }
  }

  // The extra shear capacity makes the friction disk larger: who knows nothing of that must not be asked.
  void check_shear() {
    if (!(a.shear_strength > 0.0)) return;
    const ContactOptions& o = plan.contact.options;
    const std::string key = "contact.shear_strength";
    if (o.response != Response::Rigid && o.response != Response::Penalty)
      fail(key,
           fmt::format("has no meaning for contact.law = \"{}\", whose friction is a multiple of the normal impulse: "
                       "use \"rigid\" or \"penalty\", or make it 0",
                       response_names[int(o.response)]));
    if (o.solver == ContactSolver::Sparse)
      fail(key, "is not known to the solver \"sparse\": use contact.solver = \"auto\", or make it 0");
    const auto slides = [](const ContactLaw<double>& l) {
      return std::max({l.mu_forward, l.mu_backward, l.mu_trans}) > 0.0;
    };
    const std::string fix = ": give some friction, it may be small, or make shear_strength 0";
    if (!slides(plan.contact.law)) fail(key, "widens the friction of contact.mu, which is 0" + fix);
    for (const PairPlan& pair : plan.contact.pairs)
      if (!slides(pair.law)) fail(key, fmt::format("widens the friction of pair {}, which is 0{}", pair.name, fix));
  }

  void run() {
    check_numbers();
    check_pads();
    if (a.kind == Adhesion::None) return;
    check_shear();
    if (a.pads.empty() && !(a.area > 0.0))
      fail("contact.adhesion",
           "nothing has an area: give contact.adhesion_area, for each contact point, or a [contact.pad.NAME] with an "
           "area");
  }
};

}  // namespace

void check_adhesion(const Plan& plan, std::vector<Problem>& problems) {
  AdhesionChecker{{problems}, plan, plan.contact.adhesion}.run();
}

}  // namespace sinew
