#include "sinew/world/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"

namespace sinew {
namespace {

struct Guess {
  std::string cause, advice, place = {};
};

// A number of the same size with one digit: 0.00037 -> 0.0003. Advice need not be exact.
double rounded_down(double x) {
  if (!(x > 0.0)) return x;
  const double unit = math::pow(10.0, std::floor(math::log10(x)));
  return std::floor(x / unit) * unit;
}

// What a force on the joint's axes has to move, at least roughly: the child, about the joint.
double moved_inertia(const World<double>& world, const JointInfo& joint, int axis) {
  const auto& body = world.params.links[joint.child].I_F;
  const bool linear = joint::visit(joint.kind, [&]<class J>() { return J::dirs[axis] == joint::Dir::Linear; });
  const double rotor = world.params.armature[joint.axis + axis];
  if (linear) return body.m + rotor;
  double inertia = rotor + std::max({body.I.xx, body.I.yy, body.I.zz});
  if (joint.cut >= 0) {
    const Vec3d& p_2F = world.params.cuts[joint.cut].X_2F.p;
    inertia += body.m * dot(p_2F, p_2F);
  }
  return inertia;
}

// The spring, damper or servo that is fastest compared with the step; empty when all are slow enough.
Guess stiff_joint(const World<double>& world, double dt) {
  if (world.stepper().forces == Forces::AtEnd) return {};  // takes springs and dampers implicitly
  double worst = 1.0, step = 0.0;
  std::string cause, place;
  for (const JointInfo& joint : world.model().joints) {
    if (joint.driven) continue;
    for (int i = 0; i < joint.n_axes; i++) {
      const auto& spring = world.params.springs[joint.axis + i];
      const auto& servo = world.params.servos[joint.axis + i];
      const double inertia = moved_inertia(world, joint, i);
      const bool has_servo =
          joint.has_servo && !(joint.servo_in_rows && world.stepper().forces == Forces::ServosAtWill);
      const double k = spring.k + (has_servo ? servo.kp : 0.0);
      const double d = spring.d + (has_servo ? servo.kd : 0.0);
      const char* part = has_servo && servo.kp + servo.kd > spring.k + spring.d ? "servo" : "spring";
      const double swing = dt * std::sqrt(k / inertia), decay = dt * d / inertia;
      if (swing > worst) {
        worst = swing;
        step = dt / swing;
        place = "joint " + joint.name;
        cause = fmt::format(
            "the {} of joint {} is too stiff for the step: step sqrt(k/m) = {:.3g}, and an explicit "
            "method needs less than about 1",
            part, joint.name, swing);
      }
      if (decay > worst) {
        worst = decay;
        step = dt / decay;
        place = "joint " + joint.name;
        cause = fmt::format(
            "the damping of joint {} is too strong for the step: step d/m = {:.3g}, and an explicit "
            "method needs less than about 1",
            joint.name, decay);
      }
    }
  }
  if (cause.empty()) return {};
  return {cause, fmt::format("use integrator.method = \"euler\", or integrator.step = {:.2g}", rounded_down(step / 2)),
          place};
}

// A controller whose torques, held over a step, answer faster to an axis than the step lets them: by what it gives to a small change
// of each reading.
Guess fast_controller(const FailedStep& failed) {
  const World<double>& world = failed.before;
  if (!failed.controller || !world.plant().has_joints()) return {};  // readings and commands of others are their own
  Readings readings;
  read_sensors(world, readings);
  Input<double> base = world.input;
  std::vector<double> memory = world.state.memory;
  failed.controller->update(readings, memory, base);
  double worst = 1.0;
  Guess found;
  const auto try_reading = [&](const JointInfo& joint, int axis, double& reading, bool is_rate) {
    constexpr double change = 1e-6;
    const double kept = reading, inertia = moved_inertia(world, joint, axis), dt = failed.dt;
    reading = kept + change;
    Input<double> changed = world.input;
    memory = world.state.memory;
    failed.controller->update(readings, memory, changed);
    reading = kept;
    const double gain = std::abs(changed.torque[joint.axis + axis] - base.torque[joint.axis + axis]) / change / inertia;
    const double fast = is_rate ? dt * gain : dt * std::sqrt(gain);
    if (!std::isfinite(fast) || !(fast > worst)) return;
    worst = fast;
    found.place = "joint " + joint.name;
    found.cause = fmt::format(
        "the step is too long for the controller: its torque on joint {}, held over a step, has a pole of about "
        "-{:.3g}/s, "
        "step times pole = {:.3g}, and it needs less than about 1",
        joint.name, fast / dt, fast);
    found.advice = fmt::format("try integrator.step = {:.2g}, or smaller gains", rounded_down(dt / fast / 2));
  };
  for (const JointInfo& joint : world.model().joints) {
    if (joint.driven || joint.child < 0) continue;
    for (int i = 0; i < joint.n_axes; i++) {
      try_reading(joint, i, readings.u[joint.axis + i], true);
      if (joint.n_axes == joint.n_coords) try_reading(joint, i, readings.q[joint.coord + i], false);
    }
  }
  return found;
}

// The contact that pushes most, where contacts put energy in.
Guess giving_contact(const World<double>& after, const Observation<double>& seen, const std::string& smaller) {
  const Model& model = after.model();
  int worst = -1;
  for (std::size_t i = 0; i < seen.contacts.size(); i++)
    if (worst < 0 || seen.contacts[i].normal > seen.contacts[worst].normal) worst = int(i);
  if (worst < 0) return {};
  const std::string place = "contact " + seen.contacts[worst].name;
  const ContactLaw<double>& law = after.params.contact_laws[model.pairs[worst].law];
  const double mu = std::max({law.mu_forward, law.mu_backward, law.mu_trans});
  if (law.restitution > 0.0 && mu > 0.0 && model.contact.impact == ImpactLaw::Newton)
    return {
        fmt::format("Newton's law of restitution ({:.3g}) together with friction ({:.3g}): in an oblique impact it can "
                    "raise the energy",
                    law.restitution, mu),
        "use contact.impact_law = \"newton-bounded\", which cannot", place};
  if (model.contact.response == Response::Penalty)
    return {
        fmt::format("penalty forces in steps that are too long for them: the contacts swing with about {:.3g} rad/s",
                    model.contact_frequency),
        fmt::format("try integrator.contact_forces = \"auto\", {}, or a smaller contact.k", smaller), place};
  return {"bodies that were deep in each other were pushed apart: the step is too long for what is moving",
          "try " + smaller, place};
}

Guess weightless_body(const World<double>& world) {
  double heaviest = 0.0;
  for (const auto& link : world.params.links) heaviest = std::max(heaviest, link.I_F.m);
  for (int i = 0; i < world.model().link_count(); i++) {
    const double m = world.params.links[i].I_F.m;
    if (m < 1e-9 * heaviest || m == 0.0)
      return {fmt::format("body {} has next to no mass ({} kg), so that small forces throw it away",
                          world.model().body_names[i], m),
              "give it a mass and an inertia, or weld it to its neighbour", "body " + world.model().body_names[i]};
  }
  return {};
}

// A contact or an end of a range that the failed step could not solve; of a plant with equations of its own, these.
Guess unsolved_law(const World<double>& before, const StepReport& report, const std::string& smaller) {
  if (report.converged) return {};
  if (!before.plant().has_joints())
    return {"the robot's own equations have no solution where it came to, or the step is too long to find it",
            "try " + smaller + ", or smaller loads and gains"};
  const std::string where = report.worst_pair >= 0   ? "contact " + contact_name(before.model(), report.worst_pair)
                            : report.worst_axis >= 0 ? "the " + axis_law_name(before.model(), report.worst_axis)
                                                     : "contact";
  return {fmt::format("{} was not solved in this step: residual {:.3g} m/s, tolerance {:.3g} m/s", where,
                      report.residual, before.model().contact.tolerance),
          "try " + smaller, where};
}

// Loops that could not be followed.
Guess lost_loop(const FailedStep& failed, const std::string& smaller) {
  if (!(failed.report.thrown > most_thrown)) return {};
  return {
      "a loop passes a singular position, where it could go on in several ways, and the step is too long to tell which",
      "try " + smaller + ", or integrator.method = \"rk45\""};
}

Guess stalled_method(const FailedStep& failed, const std::string& smaller) {
  if (!failed.report.stalled) return {};
  return {"the tolerance is below the round-off of this motion, or integrator.step holds too many steps of rk45's own",
          fmt::format("try integrator.rk45_tolerance = {:.2g}, or {}",
                      std::min(100.0 * failed.before.model().adaptive_tolerance, 0.1), smaller)};
}

// How a body came below the ground.
Guess guess_way_down(const FailedStep& failed, const Observation<double>& seen) {
  const Model& model = failed.before.model();
  const int link = model.shapes[failed.sunk.shape].link;
  const std::string place = "body " + model.body_names[link];
  const double way = norm(seen.bodies[link].v_WC) * failed.dt;
  const std::string smaller = fmt::format("integrator.step = {:.2g}", rounded_down(failed.dt / 10));
  if (Guess found = unsolved_law(failed.before, failed.report, smaller); !found.cause.empty()) return found;
  if (model.soft_ground)
    return {"soft ground gave way: it is too soft for what presses on it", "try a larger ground.patch.NAME.stiffness",
            place};
  if (model.contact.response == Response::Penalty)
    return {"its penalty contact gave way: it is too soft for what presses on it, or the step is too long for it",
            "try a larger contact.k, or " + smaller, place};
  if (way > 0.5 * failed.sunk.depth)
    return {fmt::format("it moves by {:.3g} m in one step, and contacts are looked for once in it", way),
            "try " + smaller, place};
  if (model.terrain.kind == TerrainKind::Heights || model.terrain.kind == TerrainKind::Mesh)
    return {"it came in beside the border of the ground, or through a hole in it",
            "make the ground larger, or close it", place};
  return {"it was pressed down by what contacts could not hold", "try " + smaller, place};
}

Guess guess(const FailedStep& failed, Account account, const Observation<double>& seen,
            const Observation<double>& seen_after, int fastest) {
  const World<double>& before = failed.before;
  const double dt = failed.dt, gap = std::max(failed.report.gap, seen.gap);
  const std::string smaller = fmt::format("integrator.step = {:.2g}", rounded_down(dt / 10));
  if (Guess found = lost_loop(failed, smaller); !found.cause.empty()) return found;
  if (Guess found = stalled_method(failed, smaller); !found.cause.empty()) return found;
  if (Guess found = stiff_joint(before, dt); !found.cause.empty()) return found;
  if (Guess found = fast_controller(failed); !found.cause.empty()) return found;
  if (account == Account::PutIn)
    if (Guess found = giving_contact(failed.after, seen_after, smaller); !found.cause.empty()) return found;
  if (before.model().has_rows() && !(gap < 1e-2))
    return {fmt::format("joints that are held by constraints came apart (gap {:.2g}): the loop is in a singular or "
                        "impossible pose, or the step is too large",
                        gap),
            "try " + smaller + ", or start in another pose"};
  if (Guess found = unsolved_law(before, failed.report, smaller); !found.cause.empty()) return found;
  const double turn = fastest < 0 ? 0.0 : norm(seen.bodies[fastest].w_WB) * dt;
  if (turn > 0.3)
    return {fmt::format("body {} turns by {:.2g} rad in one step", before.model().body_names[fastest], turn),
            "try " + smaller};
  if (Guess found = weightless_body(before); !found.cause.empty()) return found;
  return {"the step is too large for this motion", "try " + smaller};
}

}  // namespace

namespace {

// Contacts that hold energy: of penalty forces, and with soft ground.
bool has_springs(const Model& model) { return model.contact.response == Response::Penalty || model.soft_ground; }

bool holds_some(const World<double>& world) {
  const State<double>& s = world.state;
  if (s.steps == 0) return true;
  if (world.model().contact.response == Response::Penalty) return s.bounces.touching > 0.5;
  for (std::size_t i = slot::key; i < s.contact.size(); i += slot::size)
    if (s.contact[i] > 0.0) return true;
  return false;
}

}  // namespace

EnergyWatch watch_from(const World<double>& world, const Observation<double>& seen) {
  EnergyWatch watch;
  watch.potential_start = seen.energy.potential;
  double weight = 0.0;
  for (const auto& link : world.params.links) weight += link.I_F.m;
  weight *= norm(fall(world.params.gravity, seen.com.p, Vec3d::zero()));
  constexpr double way = 1e-4;  // by which contacts may lift a robot that stands, or let it settle [m]
  watch.floor = std::isfinite(weight) ? weight * way : 0.0;
  if (has_springs(world.model())) watch.taken = -1e300;  // they may begin as springs under load
  return watch;
}

Account EnergyWatch::look(const World<double>& world, const Observation<double>& seen, int steps) {
  const Work<double>& work = world.state.work;
  const double now = std::abs(seen.energy.kinetic) + std::abs(seen.energy.potential - potential_start) +
                     std::abs(seen.energy.elastic) + std::abs(work.actuators) + std::abs(work.external) +
                     std::abs(work.damping) + std::abs(work.friction) + std::abs(work.impact);
  const double error = seen.balance_error;
  if (!std::isfinite(now) || !std::isfinite(error)) return Account::Unexplained;
  if (world.plant().is_given()) return Account::InOrder;
  constexpr double nothing = 1e-18, tiny = 1e-9;  // [J]: springs at rest but for round-off; round-off of an account
  const double free = floor + tiny, there = std::max(scale, now), most = trusted_share * there + free;
  if (put_in(world) > most) return Account::PutIn;
  if (!has_springs(world.model()) || !holds_some(world)) taken = std::max(taken, work.friction + work.impact);
  const bool damps = world.stepper().forces == Forces::AtEnd;  // an implicit method takes energy out by its nature
  if (scale < nothing || (error <= most && (damps || -error <= most))) {
    scale = there;
    doubt = 0;
    return Account::InOrder;
  }
  doubt += steps;
  return std::abs(error) > 1e3 * (scale + free) || doubt >= steps_of_doubt ? Account::Unexplained : Account::InDoubt;
}

// Contacts that are springs hold energy while they touch: what counts is the most that they had taken when nothing touched. Where they
// pull as well, they give when they close and take when they open: no bound is known.
double EnergyWatch::put_in(const World<double>& world) const {
  if (world.model().contact.response == Response::Penalty && !world.model().pads.empty()) return 0.0;
  return taken - (world.state.work.friction + world.state.work.impact);
}

std::string text_of(const Diagnosis& d, const std::string& who) {
  return fmt::format(
      "{} at t = {:.6g} s: {}: {}\n  fastest body before: {}, {:.4g} m/s\n  place: {}\n  likely cause: {}\n"
      "  results are those of t = {:.6g} s",
      who, d.t, d.what, d.advice, d.body, d.speed, d.place, d.cause, d.t);
}

Diagnosis diagnose(const FailedStep& failed) {
  const auto seen = observe(failed.before), seen_after = observe(failed.after);
  EnergyWatch watch = failed.watch;
  const double there = watch.scale;
  const Account account = watch.look(failed.after, seen_after, steps_of_doubt);
  Diagnosis d;
  d.t = failed.before.state.t;
  int fastest = -1;
  d.speed = -1.0;
  for (std::size_t i = 0; i < seen.bodies.size(); i++) {
    const double speed = norm(seen.bodies[i].v_WC);
    if (speed > d.speed || !std::isfinite(speed)) {
      d.speed = speed;
      fastest = int(i);
    }
    if (!std::isfinite(speed)) break;
  }
  d.body = fastest < 0 ? "" : failed.before.model().body_names[fastest];
  d.energy_before = seen.energy.total();
  d.energy_after = seen_after.energy.total();
  if (failed.sunk.shape >= 0) {
    d.what = fmt::format("{}, and cannot have come there: {:.3g} m are what a step and its contact let it sink in",
                         text_of(failed.sunk, failed.after.model()), failed.sunk.allowed);
    const Guess g = guess_way_down(failed, seen);
    d.cause = g.cause;
    d.advice = g.advice;
    d.place = g.place;
    return d;
  }
  if (!failed.report.finite || !std::isfinite(d.energy_after))
    d.what =
        fmt::format("diverged: the state became infinite in one step (total energy before: {:.4g} J)", d.energy_before);
  else if (failed.report.thrown > most_thrown)
    d.what = fmt::format(
        "loops could not be followed: to keep them closed, {:.2g} of the velocity had to be taken out in one step",
        failed.report.thrown);
  else if (failed.report.stalled)
    d.what = fmt::format(
        "rk45 did not come to the end of a step: its tolerance of {:.2g} asks for too short or too many of its own",
        failed.before.model().adaptive_tolerance);
  else if (account == Account::PutIn)
    d.what = fmt::format(
        "diverged: contacts put in {:.4g} J, where friction and impacts can only take out ({:.4g} J were there)",
        watch.put_in(failed.after), there);
  else
    d.what = fmt::format("diverged: {:.4g} J {} ({:.4g} J of it in this step; {:.4g} J were there)",
                         std::abs(seen_after.balance_error),
                         seen_after.balance_error > 0.0 ? "came from nowhere" : "are lost without a trace",
                         std::abs(seen_after.balance_error - seen.balance_error), there);
  const Guess g = guess(failed, account, seen, seen_after, fastest);
  d.cause = g.cause;
  d.advice = g.advice;
  d.place = !g.place.empty() ? g.place : d.body.empty() ? "" : "body " + d.body;
  return d;
}

}  // namespace sinew
