#include "sinew/sim/run_quantities.h"

#include <array>
#include <cmath>

namespace sinew::sim {
namespace {

double horizontal(const Vec3d& way) { return std::sqrt(way[0] * way[0] + way[1] * way[1]); }

double distance(const RunSoFar& r) { return horizontal(r.seen.com.p - r.progress.totals.start); }

// Not a number before output.t_avg_start.
double speed(const RunSoFar& r) {
  const RunTotals& totals = r.progress.totals;
  const double time = totals.t_mark < 0.0 ? 0.0 : r.world.state.t - totals.t_mark;
  return horizontal(r.seen.com.p - totals.mark) / (time > 0.0 ? time : std::nan(""));
}

// Work of the drives over weight times distance; infinite for a robot that stays where it is.
double cost_of_transport(const RunSoFar& r) {
  double mass = 0.0;
  for (const auto& link : r.world.params.links) mass += link.I_F.m;
  const Vec3d g = fall(r.world.params.gravity, r.seen.com.p, r.seen.com.v);
  return r.world.state.work.actuators / (mass * norm(g) * distance(r));
}

double over_time(double sum, const RunSoFar& r) { return r.world.state.t > 0.0 ? sum / r.world.state.t : 0.0; }

const Bounces<double>& bounces(const RunSoFar& r) { return r.world.state.bounces; }

double rebound_ratio(const RunSoFar& r) {
  return bounces(r).releases > 0.0 ? bounces(r).rebound[0] / bounces(r).first_speed : std::nan("");
}

// Height that a release is good for, v^2 / (2 g).
template <int k>
double apex(const RunSoFar& r) {
  const double g = norm(fall(r.world.params.gravity, r.seen.com.p, Vec3d::zero())), v = bounces(r).rebound[k];
  return v * v / (2.0 * g);
}

// Not a number where there were fewer.
double nth(const std::vector<double>& values, std::size_t k) { return k < values.size() ? values[k] : std::nan(""); }
template <int k>
double impact_time(const RunSoFar& r) {
  return nth(r.progress.totals.impact_times, k);
}
template <int k>
double impact_loss(const RunSoFar& r) {
  return nth(r.progress.totals.impact_losses, k);
}

template <int k>
double impact_point(const RunSoFar& r) {
  return nth(r.progress.totals.impact_points, k);
}

double damping_number(const RunSoFar& r) {
  return r.world.params.penalty_laws.empty() ? 0.0 : r.world.params.penalty_laws[0].u;
}

// Of all bodies together on one pair of [contact], for exponent 1.
double contact_omega(const RunSoFar& r) {
  double mass = 0.0;
  for (const auto& link : r.world.params.links) mass += link.I_F.m;
  return r.world.params.penalty_laws.empty() ? std::nan("")
                                             : std::sqrt(r.world.params.penalty_laws[0].stiffness / mass);
}

double rest_damping(const RunSoFar& r) {
  const double g = norm(fall(r.world.params.gravity, r.seen.com.p, Vec3d::zero()));
  return bounces(r).first_d * g / (2.0 * contact_omega(r));
}

// x^2 + 4 zeta x = 4 (docs/theory/step.md#penalty-contacts-in-a-step)
double step_limit(const RunSoFar& r) {
  const double zeta = rest_damping(r);
  return 2.0 * (std::sqrt(1.0 + zeta * zeta) - zeta);
}

double load_number(const RunSoFar& r) {
  return 2.0 * bounces(r).first_floor / (damping_number(r) * bounces(r).first_speed);
}

double load_loss(const RunSoFar& r) {
  return r.world.params.contact_laws.empty()
             ? std::nan("")
             : (r.world.params.contact_laws[0].restitution - rebound_ratio(r)) / load_number(r);
}

law::WorstRestitution worst_of_rule(const RunSoFar& r) {
  return r.world.params.penalty_laws.empty() ? law::WorstRestitution{std::nan(""), std::nan("")}
                                             : law::worst_restitution(r.world.params.penalty_laws[0].rule);
}

double slide_period(const RunSoFar& r) {
  const RunTotals& t = r.progress.totals;
  return t.slide_before < 0.0 ? std::nan("") : t.slide - t.slide_before;
}

// The first eight rebounds and impacts: X(number, in words)
#define SINEW_EACH_OF_EIGHT(X) \
  X(1, "first") X(2, "second") X(3, "third") X(4, "fourth") X(5, "fifth") X(6, "sixth") X(7, "seventh") X(8, "eighth")
#define SINEW_APEX(k, nth) \
  RunQuantity{"run.apex_" #k, "m", "penalty: height that the " nth " rebound reaches", apex<k - 1>},
#define SINEW_IMPACT_TIME(k, nth) \
  RunQuantity{"run.impact_time_" #k, "s", "end of the step in which the " nth " impact happened", impact_time<k - 1>},
#define SINEW_IMPACT_LOSS(k, nth)                                                                       \
  RunQuantity{"run.impact_loss_" #k, "J", "energy that the " nth " impact took out, friction included", \
              impact_loss<k - 1>},
#define SINEW_IMPACT_POINT(k, nth)                                                                             \
  RunQuantity{"run.impact_point_" #k, "1", "pair of shapes that struck in the " nth " impact, counted from 1", \
              impact_point<k - 1>},

constexpr std::array run_table{
    RunQuantity{"run.distance", "m", "way of the centre of mass from the start, straight and in the horizontal plane",
                distance},
    RunQuantity{"run.speed", "m/s", "the same from output.t_avg_start on, over the time since then", speed},
    RunQuantity{"run.cost_of_transport", "1", "work of the drives over weight times distance", cost_of_transport},
    RunQuantity{"run.work_contact", "J", "work done by contacts: friction and impacts",
                [](const RunSoFar& r) { return 0.0 - r.world.state.work.friction - r.world.state.work.impact; }},
    RunQuantity{"run.work_joints", "J", "work done by the joints themselves: dampers take it out, ideal joints do none",
                [](const RunSoFar& r) { return 0.0 - r.world.state.work.damping; }},
    RunQuantity{"run.normal_mean", "N", "sum of all normal forces, mean over time",
                [](const RunSoFar& r) { return over_time(r.progress.totals.normal, r); }},
    RunQuantity{"run.contacts_mean", "1", "points that touch, mean over time",
                [](const RunSoFar& r) { return over_time(r.progress.totals.contacts, r); }},
    RunQuantity{"run.penetration_max", "m", "depth of the deepest contact",
                [](const RunSoFar& r) { return r.progress.totals.penetration; }},
    RunQuantity{"run.outside_cone_max", "N s", "most by which the impulse of a contact was outside its cone",
                [](const RunSoFar& r) { return r.progress.totals.outside; }},
    RunQuantity{"run.friction_gain_max", "J", "most energy that friction of a contact put in, in one step; it may not",
                [](const RunSoFar& r) { return r.progress.totals.friction; }},
    RunQuantity{"run.torque_max", "N m or N", "largest torque or force of a drive",
                [](const RunSoFar& r) { return r.progress.totals.torque; }},
    RunQuantity{"run.saturated_time", "s", "during which some servo gives all it can",
                [](const RunSoFar& r) { return r.progress.totals.saturated; }},
    RunQuantity{"run.gap_max", "m or rad", "largest gap of a joint that is held by constraints, before it was closed",
                [](const RunSoFar& r) { return r.progress.solver.gap_max; }},
    RunQuantity{"run.iterations_mean", "1", "iterations of the contact solver, mean over all steps",
                [](const RunSoFar& r) { return r.progress.k ? r.progress.iterations / double(r.progress.k) : 0.0; }},
    RunQuantity{"run.iterations_max", "1", "most of them in one step",
                [](const RunSoFar& r) { return double(r.progress.solver.iterations_max); }},
    RunQuantity{"run.residual_max", "m/s", "worst residual of a step",
                [](const RunSoFar& r) { return r.progress.solver.residual_max; }},
    RunQuantity{"run.unconverged_steps", "1", "steps that were not solved to the tolerance",
                [](const RunSoFar& r) { return double(r.progress.solver.unconverged_steps); }},
    RunQuantity{"run.touches", "1", "penalty: how often something came to touch",
                [](const RunSoFar& r) { return bounces(r).touches; }},
    RunQuantity{"run.bounces", "1", "penalty: how often all contacts opened again",
                [](const RunSoFar& r) { return bounces(r).releases; }},
    RunQuantity{"run.touch_time", "s", "penalty: when something touched first",
                [](const RunSoFar& r) { return bounces(r).first_touch; }},
    RunQuantity{"run.impact_speed", "m/s", "penalty: at which the first contact closed",
                [](const RunSoFar& r) { return bounces(r).first_speed; }},
    RunQuantity{"run.rebound_ratio", "1", "penalty: speed of the first release over the impact speed", rebound_ratio},
    RunQuantity{"run.rebound_speed", "m/s", "penalty: of the first release",
                [](const RunSoFar& r) { return bounces(r).rebound[0]; }},
    RunQuantity{"run.contact_time", "s", "penalty: from the first touch to the first release",
                [](const RunSoFar& r) { return bounces(r).first_release - bounces(r).first_touch; }},
    RunQuantity{"run.first_force_max", "N", "penalty: largest normal force until the first release",
                [](const RunSoFar& r) { return bounces(r).first_force; }},
    RunQuantity{"run.first_depth_max", "m", "penalty: largest depth until the first release",
                [](const RunSoFar& r) { return bounces(r).first_depth; }},
    RunQuantity{"run.damping_number", "1", "penalty: u, damping times impact speed", damping_number},
    RunQuantity{"run.restitution_konyev", "1",
                "penalty: 1/(1+u), the restitution that restitution_rule = \"konyev\" expects of u",
                [](const RunSoFar& r) { return 1.0 / (1.0 + damping_number(r)); }},
    RunQuantity{"run.damping", "s/m", "penalty: d that the first contact latched",
                [](const RunSoFar& r) { return bounces(r).first_d; }},
    RunQuantity{"run.speed_floor", "m/s", "penalty: least impact speed of the first contact",
                [](const RunSoFar& r) { return bounces(r).first_floor; }},
    RunQuantity{"run.load_number", "1", "penalty: weight against impact, g / (omega v0), of the first contact",
                load_number},
    RunQuantity{"run.load_loss", "1",
                "penalty: restitution that the load took from the first impact, over the load number", load_loss},
    RunQuantity{"run.contact_omega", "rad/s", "penalty: sqrt(k / mass of all bodies), of the law for all",
                contact_omega},
    RunQuantity{"run.rest_damping", "1",
                "penalty: damping ratio at rest with the damping that the first contact latched", rest_damping},
    RunQuantity{"run.step_limit", "1", "penalty: largest omega times step that is stable at rest with explicit damping",
                step_limit},
    RunQuantity{"run.rule_error", "1", "penalty: most by which restitution_rule misses a restitution",
                [](const RunSoFar& r) { return worst_of_rule(r).error; }},
    RunQuantity{"run.rule_error_at", "1", "penalty: the restitution that it misses most",
                [](const RunSoFar& r) { return worst_of_rule(r).asked; }},
    RunQuantity{"run.deep_starts", "1", "penalty: points that overlapped by more than x_cap at the start",
                [](const RunSoFar& r) { return r.progress.totals.deep; }},
    RunQuantity{"run.stick_time", "s", "penalty: longest time from the end of a slide to the next",
                [](const RunSoFar& r) { return r.progress.totals.stick_time; }},
    RunQuantity{"run.slip_time", "s", "penalty: longest slide from its beginning to its end",
                [](const RunSoFar& r) { return r.progress.totals.slip_time; }},
    RunQuantity{"run.slide_period", "s",
                "penalty: from the beginning of one slide to that of the next, of the last two", slide_period},
    RunQuantity{"run.settle_time", "s", "last time at which the sum of all normal forces was 1 % off the weight",
                [](const RunSoFar& r) { return r.progress.totals.settled; }},
    SINEW_EACH_OF_EIGHT(SINEW_APEX) SINEW_EACH_OF_EIGHT(SINEW_IMPACT_TIME) SINEW_EACH_OF_EIGHT(SINEW_IMPACT_LOSS)
        SINEW_EACH_OF_EIGHT(SINEW_IMPACT_POINT)
            RunQuantity{wall_time, "s", "time that the run took", [](const RunSoFar&) { return std::nan(""); }},
};

}  // namespace

std::span<const RunQuantity> run_quantities() { return run_table; }

const RunQuantity* find_run_quantity(std::string_view name) {
  for (const RunQuantity& q : run_table)
    if (q.name == name) return &q;
  return nullptr;
}

}  // namespace sinew::sim
