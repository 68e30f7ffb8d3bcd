#include "sinew/sim/describe_integrator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sinew/model/describe.h"
#include "sinew/sim/choose.h"

namespace sinew::sim {
namespace {

void describe_freezing(Keys& keys, bool has_own_methods, Scenario& s) {
  keys.flag({"freeze_forces", "",
             "rk4: gravity acts on the joints as at the start of the step, to compare with; energy errors are then of "
             "first order"},
            s.plan.freeze_forces);
  if (s.plan.freeze_forces && (s.method != "rk4" || has_own_methods || s.coordinates != Coordinates::Tree))
    keys.reject("freeze_forces", "forces are frozen only over steps of rk4 in tree coordinates",
                "use integrator.method = \"rk4\" and robot.coordinates = \"tree\", or freeze_forces = false");
}

// Choices that are there to compare with what others do.
void describe_rules(Keys& keys, Scenario& s) {
  int terms = int(s.plan.velocity_terms);
  keys.choice({"velocity_terms", "",
               "moreau: terms quadratic in velocities, and dampers, at the middle of a step (second order), or at its "
               "start (first order, to compare with); start: momentum is not kept exactly"},
              velocity_terms_names, terms);
  s.plan.velocity_terms = VelocityTerms(terms);
  int rule = int(s.plan.joint_rule), projection = int(s.plan.projection);
  keys.choice(
      {"joint_rule", "", "moreau, maximal coordinates: joints hold the velocity at the end of a step, or the mean"},
      joint_rule_names, rule);
  keys.choice({"projection", "", "maximal coordinates: how gaps of joints are closed; head: from parents to children"},
              projection_names, projection);
  s.plan.joint_rule = JointRule(rule);
  s.plan.projection = Projection(projection);
}

}  // namespace

void describe_integrator(Keys& keys, Scenario& s) {
  static constexpr std::array<std::string_view, 2> actuators{"explicit", "implicit"};
  const Table table(keys, "integrator", "how time goes on");
  std::vector<std::string_view> methods;
  if (s.robot_keys) methods = s.robot_keys->methods();
  const bool has_own_methods = !methods.empty();
  if (!has_own_methods)
    for (const Stepper& stepper : steppers()) methods.push_back(stepper.name);
  if (std::ranges::find(methods, s.method) == methods.end()) s.method = methods[0];
  choose(keys, {"method", "", "stepper"}, methods, s.method);
  keys.number({"step", "s", "time step", positive}, s.step);
  int actuator = int(s.plan.implicit_servos);
  keys.choice({"actuator", "",
               "servos act with their values at the start (explicit) or between middle and end of a step; euler: end"},
              actuators, actuator);
  s.plan.implicit_servos = actuator == 1;
  keys.integer(
      {"substeps",
       "",
       "equal parts of a step; 0: as many as penalty contacts and fast bodies need, at most 100; by itself 0 where "
       "penalty forces are explicit",
       {.low = 0, .high = 10000}},
      s.plan.substeps);
  keys.number({"rk45_tolerance", "1", "rk45: error of a step over the velocities", {.low = 1e-14, .high = 0.1}},
              s.plan.adaptive_tolerance);
  describe_freezing(keys, has_own_methods, s);
  ContactOptions& options = s.plan.contact.options;
  int forces = int(options.forces);
  keys.choice({"contact_forces", "",
               "penalty contacts in moreau act with forces at the middle of a step as it is known, or found by "
               "iteration (implicit midpoint); auto: explicit in up to ten parts of a step, beyond that implicit at "
               "its end, where nothing bounces; euler: always implicit"},
              penalty_forces_names, forces);
  options.forces = PenaltyForces(forces);
  // Explicit forces of stiff contacts in steps that are too long put energy in.
  const bool may_be_explicit = options.forces != PenaltyForces::Implicit;
  if (!keys.is_given("substeps") && options.response == Response::Penalty && s.method != "euler" &&
      s.method != "rk45" && may_be_explicit)
    s.plan.substeps = 0;
  options.stiff_step = s.method == "moreau" && s.plan.substeps == 0 ? s.step : 0.0;
  describe_rules(keys, s);
  const bool is_explicit = !has_own_methods && find_stepper(s.method)->forces == Forces::AtStart;
  if (s.plan.implicit_servos && is_explicit)
    keys.reject(
        "actuator",
        fmt::format("integrator.actuator is \"implicit\", but {} is an explicit method and has no implicit part",
                    s.method),
        "use integrator.method = \"moreau\" or \"euler\", or actuator = \"explicit\"");
  if (options.forces == PenaltyForces::Implicit && is_explicit)
    keys.reject(
        "contact_forces",
        fmt::format("integrator.contact_forces is \"implicit\", but {} is an explicit method and has no implicit part",
                    s.method),
        "use integrator.method = \"moreau\" or \"euler\", or contact_forces = \"explicit\"");
}

}  // namespace sinew::sim
