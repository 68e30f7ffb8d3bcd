#include "sinew/io/run_quantities.h"

#include <array>
#include <cmath>

namespace sinew::io {
namespace {

double horizontal(const Vec3d& way) { return std::sqrt(way[0] * way[0] + way[1] * way[1]); }

double distance(const RunSoFar& r) { return horizontal(r.seen.com.p - r.progress.tally.start); }

// Not a number before output.t_avg_start.
double speed(const RunSoFar& r) {
  const Tally& tally = r.progress.tally;
  const double time = tally.t_mark < 0.0 ? 0.0 : r.world.state.t - tally.t_mark;
  return horizontal(r.seen.com.p - tally.mark) / (time > 0.0 ? time : std::nan(""));
}

// Work of the drives over weight times distance (snake spec, section 19); infinite for a robot that stays where it is.
double cost_of_transport(const RunSoFar& r) {
  double mass = 0.0;
  for (const auto& link : r.world.params.links) mass += link.I_F.m;
  const Vec3d g = fall(r.world.params.gravity, r.seen.com.p, r.seen.com.v);
  return r.world.state.work.actuators / (mass * norm(g) * distance(r));
}

double over_time(double sum, const RunSoFar& r) { return r.world.state.t > 0.0 ? sum / r.world.state.t : 0.0; }

constexpr std::array quantities{
    RunQuantity{"run.distance", "m", "way of the centre of mass from the start, straight and in the horizontal plane",
                distance},
    RunQuantity{"run.speed", "m/s", "the same from output.t_avg_start on, over the time since then", speed},
    RunQuantity{"run.cost_of_transport", "1", "work of the drives over weight times distance", cost_of_transport},
    RunQuantity{"run.work_contact", "J", "work done by contacts: friction and impacts",
                [](const RunSoFar& r) { return 0.0 - r.world.state.work.friction - r.world.state.work.impact; }},
    RunQuantity{"run.work_joints", "J", "work done by the joints themselves: dampers take it out, ideal joints do none",
                [](const RunSoFar& r) { return 0.0 - r.world.state.work.damping; }},
    RunQuantity{"run.normal_mean", "N", "sum of all normal forces, mean over time",
                [](const RunSoFar& r) { return over_time(r.progress.tally.normal, r); }},
    RunQuantity{"run.contacts_mean", "1", "points that touch, mean over time",
                [](const RunSoFar& r) { return over_time(r.progress.tally.contacts, r); }},
    RunQuantity{"run.penetration_max", "m", "depth of the deepest contact",
                [](const RunSoFar& r) { return r.progress.tally.penetration; }},
    RunQuantity{"run.outside_cone_max", "N s", "most by which the impulse of a contact was outside its cone",
                [](const RunSoFar& r) { return r.progress.tally.outside; }},
    RunQuantity{"run.friction_gain_max", "J", "most energy that friction of a contact put in, in one step; it may not",
                [](const RunSoFar& r) { return r.progress.tally.friction; }},
    RunQuantity{"run.torque_max", "N m or N", "largest torque or force of a drive",
                [](const RunSoFar& r) { return r.progress.tally.torque; }},
    RunQuantity{"run.saturated_time", "s", "during which some servo gives all it can",
                [](const RunSoFar& r) { return r.progress.tally.saturated; }},
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
    RunQuantity{wall_time, "s", "time that the run took", [](const RunSoFar&) { return std::nan(""); }},
};

}  // namespace

std::span<const RunQuantity> run_quantities() { return quantities; }

const RunQuantity* find_run_quantity(std::string_view name) {
  for (const RunQuantity& q : quantities)
    if (q.name == name) return &q;
  return nullptr;
}

}  // namespace sinew::io
