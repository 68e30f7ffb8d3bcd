#include "sinew/model/check_contacts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/model/glob.h"
#include "sinew/model/number_checks.h"

namespace sinew {
namespace {

struct ContactChecker : NumberChecks {
  const Plan& plan;
  Coordinates coordinates;

  void check_law(const std::string& key, const ContactLaw<double>& law) {
    check_not_negative(key + ".mu_long", law.mu_forward, "");
    check_not_negative(key + ".mu_trans", law.mu_trans, "");
    check_not_negative(key + ".mu_backward", law.mu_backward, "");
    check_not_negative(key + ".rolling", law.rolling, "m");
    check_not_negative(key + ".mu_roll", law.mu_roll, "1");
    check_not_negative(key + ".eps_N", law.eps_N, "1/kg");
    check_not_negative(key + ".drilling", law.drilling, "m");
    check_not_negative(key + ".stribeck_speed", law.stribeck_speed, "m/s");
    if (!(law.restitution >= 0.0 && law.restitution <= 1.0))
      fail(key + ".restitution", fmt::format("must be from 0 to 1, is {}", law.restitution));
    if (!(law.static_ratio >= 1.0) || std::isinf(law.static_ratio))
      fail(key + ".static_ratio", fmt::format("must be finite and >= 1, is {}", law.static_ratio));
  }

  // Numbers of penalty contacts, and what has no meaning for them.
  void check_penalty(const std::string& key, const ContactLaw<double>& law, const PenaltyLaw<double>& penalty) {
    check_positive(key + ".k", penalty.stiffness, "N/m^exponent");
    check_positive(key + ".v_th", penalty.threshold, "m/s");
    if (!(penalty.exponent >= 1.0 && penalty.exponent <= 4.0))
      fail(key + ".exponent", fmt::format("must be from 1 to 4, is {}", penalty.exponent));
    const std::pair<const char*, double> not_below_zero[] = {
        {".damping_number", penalty.u},       {".v_floor", penalty.floor},   {".k_t", penalty.tangential},
        {".c_t", penalty.tangential_damping}, {".viscous", penalty.viscous}, {".x_cap", penalty.cap}};
    for (const auto& [name, value] : not_below_zero) check_not_negative(key + name, value, "");
    if (penalty.compensate_load && penalty.exponent != 1.0)
      fail(key + ".compensate_load",
           fmt::format("what a load costs is known for exponent = 1, but it is {}: make that 1, or "
                       "leave the load as it is",
                       penalty.exponent));
    if (penalty.compensate_load && penalty.u > 0.0)
      fail(key + ".compensate_load",
           fmt::format(
               "the damping follows from the restitution then, but damping_number = {} gives it: remove one of them",
               penalty.u));
    if (plan.contact.options.response != Response::Penalty) return;
    for (const auto& [name, value] :
         {std::pair{".rolling", law.rolling}, std::pair{".mu_roll", law.mu_roll}, std::pair{".drilling", law.drilling}})
      if (value != 0.0)
        fail(key + name,
             fmt::format("is {}, but with contact.law = \"penalty\" it has no meaning, for friction against "
                         "turning is set-valued: make it 0, or use \"rigid\"",
                         value));
  }

  std::set<std::string> known_materials() const {
    std::set<std::string> known{plan.ground.material};
    for (const BodyPlan& body : plan.bodies)
      for (const ShapePlan& s : body.shapes) known.insert(s.material);
    for (const ObstaclePlan& o : plan.ground.obstacles) known.insert(o.material);
    if (!plan.ground.pegs.x.empty()) known.insert(plan.ground.pegs.material);
    for (const PatchPlan& p : plan.ground.patches)
      if (!p.material.empty()) known.insert(p.material);
    return known;
  }

  void check_materials() {
    const std::set<std::string> known = known_materials();
    std::set<std::string> names;
    for (const MaterialPlan& m : plan.contact.materials) {
      const std::string key = "contact.material." + m.name;
      if (!names.insert(m.name).second) fail(key, "two materials have this name");
      if (!known.contains(m.name))
        fail(key, fmt::format("nothing is made of '{}': there is {}", m.name, fmt::join(known, ", ")));
      check_not_negative(key + ".k", m.stiffness, "N/m^exponent");
      if (!(m.restitution == -1.0 || (m.restitution >= 0.0 && m.restitution <= 1.0)))
        fail(key + ".restitution", fmt::format("must be from 0 to 1, or -1: not given; is {}", m.restitution));
      if (!(m.mu == -1.0 || m.mu >= 0.0) || std::isinf(m.mu))
        fail(key + ".mu", fmt::format("must be finite and >= 0, or -1: not given; is {}", m.mu));
    }
  }

  void check_pairs() {
    const std::set<std::string> known = known_materials();
    std::set<std::string> names;
    std::set<std::pair<std::string, std::string>> seen;
    for (const PairPlan& pair : plan.contact.pairs) {
      const std::string key = "contact.pair." + pair.name;
      if (!names.insert(pair.name).second) fail(key, "two pairs have this name");
      check_law(key, pair.law);
      check_penalty(key, pair.law, pair.penalty);
      const auto check_material = [&](const char* which, const std::string& material) {
        if (material.empty())
          fail(key + "." + which, fmt::format("a pair names two materials: choose from {}", fmt::join(known, ", ")));
        else if (!known.contains(material))
          fail(key + "." + which,
               fmt::format("nothing is made of '{}': there is {}", material, fmt::join(known, ", ")));
      };
      check_material("first", pair.material1);
      check_material("second", pair.material2);
      if (!pair.material1.empty() && !seen.insert(std::minmax(pair.material1, pair.material2)).second)
        fail(key, fmt::format("another pair is already for '{}' and '{}': remove one of them", pair.material1,
                              pair.material2));
    }
  }

  bool are_joined(const std::string& a, const std::string& b) const {
    const auto holds = [&](const std::string& parent, const std::string& child) {
      return (parent == a && child == b) || (parent == b && child == a);
    };
    for (std::size_t i = 0; i < plan.joints.size(); i++) {
      const JointPlan& j = plan.joints[i];
      if (holds(j.parent, j.child)) return true;
      if (i > 0 && j.second_of_pair && holds(plan.joints[i - 1].parent, j.child)) return true;
    }
    return false;
  }

  // Two bodies with shapes that may meet; nullptr: there are none.
  const BodyPlan* touches_another() const {
    if (!plan.contact.options.between_bodies) return nullptr;
    for (const BodyPlan& a : plan.bodies)
      for (const BodyPlan& b : plan.bodies)
        if (&a != &b && !a.shapes.empty() && !b.shapes.empty() && !are_joined(a.name, b.name)) return &a;
    return nullptr;
  }

  void check_ignored() {
    for (const std::string& rule : plan.contact.ignore) {
      const std::size_t colon = rule.find(':');
      if (colon == rule.npos || rule.find(':', colon + 1) != rule.npos) {
        fail("contact.ignore",
             fmt::format("'{}' does not name two bodies: write \"BODY:BODY\", such as \"leg*:leg*\"", rule));
        continue;
      }
      for (const std::string& name : {rule.substr(0, colon), rule.substr(colon + 1)})
        if (std::ranges::none_of(plan.bodies, [&](const BodyPlan& b) { return matches(name, b.name); }))
          fail("contact.ignore", fmt::format("no body is called '{}': check the names in '{}'", name, rule));
    }
  }

  // Why some joint is held by rows; empty: none is.
  std::string why_cut() const {
    if (coordinates == Coordinates::Maximal && !plan.joints.empty())
      return "with robot.coordinates = \"maximal\" every joint is a constraint";
    return std::ranges::any_of(plan.joints, &JointPlan::loop) ? "this robot has loops" : "";
  }

  void check_many_bodies() {
    const ContactOptions& o = plan.contact.options;
    if (!(o.beta >= 0.0 && o.beta <= 1.0))
      fail("contact.beta", fmt::format("{} is not a share of a penetration: give a number from 0 to 1", o.beta));
    const auto is_servo = [](const JointPlan& j) { return j.drive == Drive::Servo; };
    if (o.solver == ContactSolver::Sparse && plan.implicit_servos && std::ranges::any_of(plan.joints, is_servo))
      fail("contact.solver",
           "sparse goes from contact to contact, which does not arrive where implicit servos hold many joints stiff: "
           "use \"auto\", or integrator.actuator = \"explicit\"");
    const std::string why = why_cut();
    if (why.empty()) return;
    if (o.solver == ContactSolver::Sparse)
      fail("contact.solver", "sparse needs trees and loose bodies, but " + why + ": use \"auto\"");
    if (o.beta > 0.0)
      fail("contact.beta", "bodies are moved apart as trees and loose bodies, but " + why + ": remove it");
  }

  // The thesis' scheme has normal forces and sliding friction, and nothing else.
  void check_newton_normal() {
    const auto refuse = [&](const std::string& key, const char* what) {
      fail(key, fmt::format("{} has no meaning for contact.solver = \"newton-normal\", which knows normal forces and "
                            "sliding friction only: remove it, or use \"auto\"",
                            what));
    };
    const auto refuse_law = [&](const std::string& key, const ContactLaw<double>& law) {
      if (law.restitution != 0.0) refuse(key + ".restitution", "restitution");
      if (law.rolling != 0.0 || law.mu_roll != 0.0) refuse(key + ".rolling", "rolling friction");
      if (law.drilling != 0.0) refuse(key + ".drilling", "drilling friction");
    };
    if (plan.contact.options.response != Response::Rigid) refuse("contact.law", "another law than \"rigid\"");
    if (plan.implicit_servos) refuse("integrator.actuator", "\"implicit\"");
    refuse_law("contact", plan.contact.law);
    for (const PairPlan& pair : plan.contact.pairs) refuse_law("contact.pair." + pair.name, pair.law);
    for (const JointPlan& j : plan.joints) {
      const std::string key = (j.loop ? "loop." : "joint.") + j.name;
      if (!j.lower.empty() || !j.upper.empty()) refuse(key + (j.lower.empty() ? ".upper" : ".lower"), "a range");
      law::each_axis_law(j, [&]<class L>(law::AxisLawKind, const char* name, const std::vector<double>& numbers) {
        if (!numbers.empty()) refuse(key + "." + name, name);
      });
      if (!j.dry_friction_backward.empty()) refuse(key + ".dry_friction_backward", "dry_friction");
      if (!j.friction_load.empty()) refuse(key + ".friction_load", "friction of joints");
    }
  }

  void check_options() {
    const ContactOptions& o = plan.contact.options;
    check_ignored();
    if (o.solver == ContactSolver::NewtonNormal) check_newton_normal();
    check_positive("contact.tolerance", o.tolerance, "m/s");
    check_not_negative("contact.activation_gap", o.activation_gap, "m");
    check_many_bodies();
    if (o.solver != ContactSolver::Recursion) return;
    std::string why;
    if (coordinates == Coordinates::Maximal)
      why = "with robot.coordinates = \"maximal\" every joint is a constraint";
    else if (std::ranges::any_of(plan.joints, &JointPlan::loop))
      why = "this robot has loops";
    else if (const BodyPlan* body = touches_another())
      why = fmt::format("body '{}' can touch other bodies (contact.between_bodies)", body->name);
    if (!why.empty())
      fail("contact.solver",
           "recursion needs a tree whose contacts are all with the ground, but " + why + ": use \"auto\"");
  }

  void check_range(const std::string& key, const JointPlan& j) {
    const int nu = joint::freedom_count(j.kind);
    if (joint::coordinate_count(j.kind) != nu) {
      for (const auto& [name, values] : {std::pair{".lower", &j.lower}, std::pair{".upper", &j.upper}})
        if (!values->empty())
          fail(key + name,
               fmt::format("a {} joint turns freely in space and has no range: remove it", joint::name_of(j.kind)));
      return;
    }
    const auto at = [](const std::vector<double>& v, int i, double fallback) {
      return i < int(v.size()) ? v[i] : fallback;
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (int i = 0; i < nu; i++) {
      const double lower = at(j.lower, i, -infinity), upper = at(j.upper, i, infinity), q = at(j.position, i, 0.0);
      const std::string axis = nu > 1 ? fmt::format(" of axis {}", i) : "";
      if (!(lower < upper)) {
        fail(key + (j.upper.empty() ? ".lower" : ".upper"),
             fmt::format("the range{} is empty: lower ({}) must be below upper ({})", axis, lower, upper));
      } else if (!j.loop && j.drive != Drive::Motion && (q < lower || q > upper)) {
        fail(key + ".position", fmt::format("the start{} is {}, outside of the range from lower = {} to upper = {}",
                                            axis, q, lower, upper));
      }
    }
  }

  void check_friction(const std::string& key, const JointPlan& j) {
    const int nu = joint::freedom_count(j.kind);
    const auto check = [&](const char* name, const std::vector<double>& values, double low, double high) {
      if (!values.empty() && int(values.size()) != nu)
        fail(key + "." + name,
             fmt::format("a {} joint has {} axes, but {} values are given", joint::name_of(j.kind), nu, values.size()));
      for (const double x : values)
        if (!(x >= low && x <= high) || std::isinf(x))
          fail(key + "." + name, fmt::format("must be finite and {}, is {}", Range{low, high}.text(), x));
    };
    check("dry_friction_backward", j.dry_friction_backward, 0.0, law::unbounded);
    check("friction_static_ratio", j.friction_static_ratio, 1.0, law::unbounded);
    check("friction_stribeck_speed", j.friction_stribeck_speed, 0.0, law::unbounded);
    check("friction_load", j.friction_load, 0.0, 1.0);
    for (std::size_t c = 0; c < j.friction_static_ratio.size(); c++)
      if (j.friction_static_ratio[c] > 1.0 &&
          !(c < j.friction_stribeck_speed.size() && j.friction_stribeck_speed[c] > 0.0))
        fail(key + ".friction_static_ratio",
             "needs friction_stribeck_speed, the speed at which the excess at rest is gone");
  }

  void check_axes(const JointPlan& j) {
    const std::string key = (j.loop ? "loop." : "joint.") + j.name;
    const int nu = joint::freedom_count(j.kind);
    const auto check_size = [&](const char* name, const std::vector<double>& values) {
      if (!values.empty() && int(values.size()) != nu)
        fail(key + "." + name,
             fmt::format("a {} joint has {} axes, but {} values are given", joint::name_of(j.kind), nu, values.size()));
    };
    check_size("lower", j.lower);
    check_size("upper", j.upper);
    law::each_axis_law(j, [&]<class L>(law::AxisLawKind, const char* name, const std::vector<double>& numbers) {
      check_size(name, numbers);
      for (const double x : numbers)
        if (L::low == 0.0 && L::high == law::unbounded)
          check_not_negative(key + "." + name, x, "");
        else if (!(x >= L::low && x <= L::high) || std::isinf(x))
          fail(key + "." + name, fmt::format("must be finite and {} to {}, is {}", L::low, L::high, x));
    });
    check_friction(key, j);
    check_range(key, j);
    if (plan.implicit_servos && j.drive == Drive::Servo && joint::coordinate_count(j.kind) != nu)
      fail("integrator.actuator", fmt::format("the servo of joint '{}' cannot be implicit, because a {} joint has no "
                                              "coordinate per axis: use \"explicit\", or integrator.method = \"euler\"",
                                              j.name, joint::name_of(j.kind)));
  }

  void run() {
    check_law("contact", plan.contact.law);
    check_penalty("contact", plan.contact.law, plan.contact.penalty);
    check_materials();
    check_pairs();
    check_options();
    check_adhesion(plan, problems);
    for (const JointPlan& j : plan.joints) check_axes(j);
  }
};

}  // namespace

void check_contacts(const Plan& plan, Coordinates coordinates, std::vector<Problem>& problems) {
  check_shapes(plan, problems);
  ContactChecker{{problems}, plan, coordinates}.run();
}

}  // namespace sinew
