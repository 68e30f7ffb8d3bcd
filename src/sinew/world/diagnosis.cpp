#include "sinew/world/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/math/elementary.h"

namespace sinew {
namespace {

struct Guess {
  std::string cause, advice;
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
  if (linear) return body.m;
  double inertia = std::max({body.I.xx, body.I.yy, body.I.zz});
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
  std::string cause;
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
      if (swing > worst)
        worst = swing, step = dt / swing,
        cause = fmt::format(
            "the {} of joint {} is too stiff for the step: step sqrt(k/m) = {:.3g}, and an explicit "
            "method needs less than about 1",
            part, joint.name, swing);
      if (decay > worst)
        worst = decay, step = dt / decay,
        cause = fmt::format(
            "the damping of joint {} is too strong for the step: step d/m = {:.3g}, and an explicit "
            "method needs less than about 1",
            joint.name, decay);
    }
  }
  if (cause.empty()) return {};
  return {cause, fmt::format("use integrator.method = \"euler\", or integrator.step = {:.2g}", rounded_down(step / 2))};
}

Guess weightless_body(const World<double>& world) {
  double heaviest = 0.0;
  for (const auto& link : world.params.links) heaviest = std::max(heaviest, link.I_F.m);
  for (int i = 0; i < world.model().link_count(); i++) {
    const double m = world.params.links[i].I_F.m;
    if (m < 1e-9 * heaviest || m == 0.0)
      return {fmt::format("body {} has next to no mass ({} kg), so that small forces throw it away",
                          world.model().body_names[i], m),
              "give it a mass and an inertia, or weld it to its neighbour"};
  }
  return {};
}

// A contact or an end of a range that the failed step could not solve.
Guess unsolved_law(const World<double>& before, const StepReport& report, const std::string& smaller) {
  if (report.converged) return {};
  const std::string where = report.worst_pair >= 0   ? "contact " + contact_name(before.model(), report.worst_pair)
                            : report.worst_axis >= 0 ? "the " + axis_law_name(before.model(), report.worst_axis)
                                                     : "contact";
  return {fmt::format("{} was not solved in this step: residual {:.3g} m/s, tolerance {:.3g} m/s", where,
                      report.residual, before.model().contact.tolerance),
          "try " + smaller};
}

Guess guess(const World<double>& before, const Observation<double>& seen, int fastest, double dt,
            const StepReport& report) {
  const double gap = std::max(report.gap, seen.gap);
  const std::string smaller = fmt::format("integrator.step = {:.2g}", rounded_down(dt / 10));
  if (Guess found = stiff_joint(before, dt); !found.cause.empty()) return found;
  if (!before.model().cuts.empty() && !(gap < 1e-2))
    return {fmt::format("joints that are held by constraints came apart (gap {:.2g}): the loop is in a singular or "
                        "impossible pose, or the step is too large",
                        gap),
            "try " + smaller + ", or start in another pose"};
  if (Guess found = unsolved_law(before, report, smaller); !found.cause.empty()) return found;
  const double turn = fastest < 0 ? 0.0 : norm(seen.bodies[fastest].w_WB) * dt;
  if (turn > 0.3)
    return {fmt::format("body {} turns by {:.2g} rad in one step", before.model().body_names[fastest], turn),
            "try " + smaller};
  if (Guess found = weightless_body(before); !found.cause.empty()) return found;
  return {"the step is too large for this motion", "try " + smaller};
}

}  // namespace

bool EnergyWatch::diverged(const Observation<double>& seen, const Work<double>& work) {
  const double now = std::abs(seen.energy.kinetic) + std::abs(seen.energy.potential - potential_start) +
                     std::abs(seen.energy.elastic) + std::abs(work.actuators) + std::abs(work.external) +
                     std::abs(work.damping) + std::abs(work.friction) + std::abs(work.impact);
  const double error = std::abs(seen.balance_error);
  if (!std::isfinite(now) || !std::isfinite(error)) return true;
  // energy from nowhere raises `now` as much as the error, and so does not count; the first look has nothing to compare
  constexpr double nothing = 1e-18;  // springs at rest but for round-off [J]
  if (scale < nothing || error < 0.1 * std::max(scale, now)) scale = std::max(scale, now);
  constexpr double tiny = 1e-9;
  return error > 1e3 * scale + tiny;
}

std::string text_of(const Diagnosis& d, const std::string& who) {
  return fmt::format(
      "{} at t = {:.6g} s: {}: {}\n  fastest body before: {}, {:.4g} m/s\n  likely cause: {}\n"
      "  results are those of t = {:.6g} s",
      who, d.t, d.what, d.advice, d.body, d.speed, d.cause, d.t);
}

Diagnosis diagnose(const World<double>& before, const World<double>& after, double dt, const StepReport& report) {
  const auto seen = observe(before), seen_after = observe(after);
  Diagnosis d;
  d.t = before.state.t;
  int fastest = -1;
  d.speed = -1.0;
  for (std::size_t i = 0; i < seen.bodies.size(); i++) {
    const double speed = norm(seen.bodies[i].v_WC);
    if (speed > d.speed || !std::isfinite(speed)) d.speed = speed, fastest = int(i);
    if (!std::isfinite(speed)) break;
  }
  d.body = fastest < 0 ? "" : before.model().body_names[fastest];
  d.energy_before = seen.energy.total();
  d.energy_after = seen_after.energy.total();
  if (!report.finite || !std::isfinite(d.energy_after))
    d.what =
        fmt::format("diverged: the state became infinite in one step (total energy before: {:.4g} J)", d.energy_before);
  else
    d.what = fmt::format("diverged: {:.4g} J came from nowhere in one step (total energy before: {:.4g} J)",
                         seen_after.balance_error - seen.balance_error, d.energy_before);
  const Guess g = guess(before, seen, fastest, dt, report);
  d.cause = g.cause, d.advice = g.advice;
  return d;
}

}  // namespace sinew
