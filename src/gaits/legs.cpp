// Walking on legs, of any robot: feet go on given paths in the frame of the trunk, joints follow by inverse kinematics (docs/gaits.md#legs).
//   psi_i = frac(Phi - offset_i), psi_i < tau: in the air           gait_table.h: which foot steps when
//   p_i   = Exp(s w) p_i0 + up z - d(Phi)                           stroke_path.h: s from +1/2 to -1/2 while the foot stands
//   w     = (speed, left, turn) period (1 - tau)                    twist of the trunk while a foot stands
//   in the air, a = psi / tau, k = tau / (1 - tau):  s = -1/2 - k a + (1 + k) r(a),  up = 16 h a^2 (1 - a)^2
// r: smooth_ramp. The foot leaves and meets the ground as fast as the ground goes back, with continuous acceleration. d: shift of the trunk that keeps the
// mass centre over the feet that stand, where always three do. Servos aim ahead of q by what they need to carry weight and dampers,
//   (tau + damping q') / kp,   tau: torques at rest, with the weight shared by the feet that stand as vertical_forces.h does.   Phi: 0 until `start`, then a period in which each foot in its turn steps to where the cycle
// wants it, and then on and on:  Phi = r(t / 1.5 T) for 1.5 T,  Phi' rises to 1 / T within T / 2.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gaits/catalog.h"
#include "gaits/leg_places.h"
#include "sinew/control/legs/gait_table.h"
#include "sinew/control/legs/step_cycle.h"
#include "sinew/control/legs/stroke_path.h"
#include "sinew/control/legs/support_polygon.h"
#include "sinew/control/legs/vertical_forces.h"
#include "sinew/math/ramp.h"

namespace sinew::gaits {
namespace {

using legged::GaitTable;

constexpr int samples = 100;                      // of a period
constexpr double placing = 1.5, gathering = 0.5;  // [periods]

// In the air from its neutral point to `to`, or to the landing that the cycle wants while the trunk begins to move.
struct FootPoint {
  double along, up;
};

double ramp(double a) { return smooth_ramp(std::clamp(a, 0.0, 1.0), 1.0).value; }
double lift(double a) { return a > 0.0 && a < 1.0 ? 16.0 * a * a * (1.0 - a) * (1.0 - a) : 0.0; }

FootPoint cycle_point(double tau, double psi) {
  if (!(psi < tau)) return {0.5 - (psi - tau) / (1.0 - tau), 0.0};
  const double a = psi / tau, k = tau / (1.0 - tau);
  return {-0.5 - k * a + (1.0 + k) * ramp(a), lift(a)};
}

// Phi from 0: until 1 each foot steps once while the trunk stands, and one that then is in the air goes on to its landing.
FootPoint foot_point(const GaitTable& t, int leg, double Phi) {
  const double begin = t.offset[std::size_t(leg)], a = (Phi - begin) / t.tau;
  if (begin + t.tau > 1.0 + 1e-9 && Phi < begin + t.tau) {
    const double b = std::clamp(a, 0.0, 1.0), k = t.tau / (1.0 - t.tau);
    return {0.5 * ramp(b) + k * b * b * b * (4.0 - b * (7.0 - 3.0 * b)), lift(a)};
  }
  if (Phi > 1.0) return cycle_point(t.tau, legged::cycle_phase(Phi - begin));
  return {ramp(a) * cycle_point(t.tau, legged::cycle_phase(1.0 - begin)).along, lift(a)};
}

double phase_at(double periods) {
  if (periods <= placing) return ramp(periods / placing);
  const double t = periods - placing, x = t / gathering;
  if (x < 1.0) return 1.0 + gathering * x * x * x * x * (2.5 - x * (3.0 - x));
  return 1.0 + t - 0.5 * gathering;
}

struct Legs : Gait {
  int pattern = int(legged::Gait::Wave);
  double speed = 0.05, left = 0.0, turn = 0.0, period = 1.0, tau = 0.0, height = 0.03, start = 0.5, s_min = 0.02,
         heading = 0.0;
  bool carries = true;
  std::vector<std::string> feet;

  void describe(Keys& keys) override {
    keys.choice({"pattern", "", "which feet step when; tripod of four legs: a trot"}, legged::gait_names, pattern);
    keys.number({"speed", "m/s", "of the trunk, ahead; back if it is negative"}, speed);
    keys.number({"left", "m/s", "to the left; with speed: at an angle"}, left);
    keys.number({"turn", "rad/s", "to the left; with speed: an arc of the radius speed / turn", any_number, true},
                turn);
    keys.number({"period", "s", "in which every foot steps once", positive}, period);
    keys.number({"tau",
                 "1",
                 "part of it that a foot is in the air; 0: the pattern's, gallop: 0.2, wave of four legs: 0.15",
                 {.low = 0.0, .high = 0.5}},
                tau);
    keys.number({"step_height", "m", "by which feet lift", not_negative}, height);
    keys.number({"start", "s", "it stands before", {.low = 0.1}}, start);
    keys.number({"s_min", "m", "margin of the mass centre to the edge of its support, where three feet stand"}, s_min);
    keys.number({"heading", "rad", "of ahead against the trunk's x axis, to the left", any_number, true}, heading);
    keys.flag({"carries", "", "servos aim ahead by what weight and dampers take of them"}, carries);
    keys.texts({"feet", "", "bodies: left ones from front to rear, then right ones; none: found"}, feet);
  }

  bool places_joints() const override { return true; }

  void apply_to(const Plan& plan, std::span<JointPlan* const> driven) const override {
    const LeggedPlan legs(plan, feet, heading);
    const GaitTable table = table_for(legs.legs());
    for (JointPlan* j : driven) hold(*j);
    const std::vector<Vec3d> shift = shifts(legs, table);
    const double dt = period / samples;
    const int before = std::max(1, int(start / dt)), last = before + int((placing + gathering + 1.0) * samples);
    std::vector<std::vector<double>> q(plan.joints.size()), torque(plan.joints.size());
    std::vector<double> now = legs.start();
    std::vector<double> times;
    const double weight = legs.weight();
    SmallQp qp;
    for (int k = 0; k <= last; k++) {
      const double periods = double(k - before) / samples, Phi = periods > 0.0 ? phase_at(periods) : 0.0;
      const double reached = ramp(double(k) / before);
      times.push_back(std::max(0.0, start - before * dt) + k * dt);
      std::vector<int> standing;
      std::vector<Vec3d> feet_down;
      for (int i = 0; i < legs.legs(); i++) {
        const Vec3d foot = foot_at(legs, table, i, Phi) - shift_at(shift, Phi) * reached;
        place(plan, legs, i, foot, now);
        if (foot_point(table, i, Phi).up > 0.0) continue;
        standing.push_back(i);
        feet_down.push_back(foot);
      }
      const legged::VerticalForces share = legged::share_weight(feet_down, legs.mass_centre(now), weight, qp);
      std::vector<double> force(std::size_t(legs.legs()));
      for (std::size_t i = 0; i < standing.size(); i++) force[std::size_t(standing[i])] = share.F[i];
      const std::vector<double> holding = legs.holding_torques(now, force);
      for (int i = 0; i < legs.legs(); i++)
        for (const int joint : legs.limb(i).joints) {
          q[std::size_t(joint)].push_back(now[std::size_t(joint)]);
          torque[std::size_t(joint)].push_back(reached * holding[std::size_t(joint)]);
        }
    }
    for (JointPlan* j : driven) {
      const std::size_t at = std::size_t(j - plan.joints.data());
      if (q[at].empty()) continue;
      if (carries) aim_ahead(*j, torque[at], q[at]);
      j->motion = {{.table = repeating(times, std::move(q[at]))}};
    }
  }

 private:
  GaitTable table_for(int legs) const {
    GaitTable t = gait_table(legged::Gait(pattern), legs / 2);
    if (tau > 0.0) t.tau = tau;
    if (tau == 0.0 && pattern == int(legged::Gait::Gallop)) t.tau = std::min(t.tau, 0.2);
    if (tau == 0.0 && pattern == int(legged::Gait::Wave) && legs == 4) t.tau = 0.15;
    if (const std::string what = problem_of(t); !what.empty())
      throw PlanError({{"gait.pattern", fmt::format("{} on {} legs with tau = {:g}: {}: take another pattern, or a "
                                                    "smaller tau",
                                                    t.name, legs, t.tau, what)}});
    return t;
  }

  Vec3d foot_at(const LeggedPlan& legs, const GaitTable& table, int leg, double Phi) const {
    const FootPoint at = foot_point(table, leg, Phi);
    const double stands = period * (1.0 - table.tau);
    const legged::PlaneTwist twist{speed * stands, left * stands, turn * stands};
    return along_path(twist, legs.neutral(leg), at.along) + Vec3d(0.0, 0.0, height * at.up);
  }

  void place(const Plan& plan, const LeggedPlan& legs, int leg, const Vec3d& foot, std::vector<double>& q) const {
    constexpr double slack = 1e-9;
    const bool reaches = legs.reach(leg, foot, q);
    for (const int joint : legs.limb(leg).joints) {
      const JointPlan& j = plan.joints[std::size_t(joint)];
      const double at = q[std::size_t(joint)];
      const bool fits =
          reaches && (j.lower.empty() || at >= j.lower[0] - slack) && (j.upper.empty() || at <= j.upper[0] + slack);
      if (fits) continue;
      const std::string why = reaches ? fmt::format("joint {} would be at {:.4g}, outside of its range", j.name, at)
                                      : "the leg is too short";
      throw PlanError(
          {{"gait.speed", fmt::format("foot {} cannot be {:.4g} m ahead, {:.4g} m to the left and {:.4g} m over "
                                      "the trunk: {}: take a lower speed or step_height, a shorter period, "
                                      "or another start",
                                      legs.name(leg), foot[0], foot[1], foot[2], why)}});
    }
  }

  // The rest of the body stays as it starts.
  static void hold(JointPlan& j) {
    j.motion.assign(std::size_t(joint::freedom_count(j.kind)), {});
    for (std::size_t c = 0; c < j.motion.size() && j.position.size() == j.motion.size(); c++)
      j.motion[c].offset = j.position[c];
  }

  static Vec3d shift_at(const std::vector<Vec3d>& shift, double Phi) {
    const double x = legged::cycle_phase(Phi) * double(shift.size());
    const std::size_t i = std::size_t(x) % shift.size(), k = (i + 1) % shift.size();
    const double part = x - std::floor(x);
    return shift[i] * (1.0 - part) + shift[k] * part;
  }

  // d over a period. Alternately into the supports and smoothed, until both hold; of supports that are lines, the mean.
  std::vector<Vec3d> shifts(const LeggedPlan& legs, const GaitTable& table) const {
    std::vector<legged::SupportPolygon> support;
    std::vector<Vec3d> com, shift(samples, Vec3d::zero());
    std::vector<double> q = legs.start();
    bool three = true;
    for (int k = 0; k < samples; k++) {
      const double Phi = 2.0 + double(k) / samples;
      const legged::LegSet air = airborne_at(table, Phi);
      std::vector<Vec3d> stand;
      for (int i = 0; i < legs.legs(); i++) {
        const Vec3d foot = foot_at(legs, table, i, Phi);
        legs.reach(i, foot, q);
        if (!legged::has_leg(air, i)) stand.push_back(foot);
      }
      three = three && stand.size() >= 3;
      support.push_back(legged::polygon_of(stand));
      com.push_back(legs.mass_centre(q));
    }
    if (!three) {
      Vec3d mean = Vec3d::zero();
      for (int k = 0; k < samples; k++) {
        Vec3d by;
        clamp_shift(support[std::size_t(k)], com[std::size_t(k)], s_min, by);
        mean += by * (1.0 / samples);
      }
      mean[2] = 0.0;
      return std::vector<Vec3d>(samples, mean);
    }
    for (int round = 0; round < 50; round++) {
      for (std::size_t k = 0; k < std::size_t(samples); k++) {
        const Vec3d at = com[k] + shift[k];
        Vec3d by;
        if (static_margin(support[k], at) >= s_min) continue;
        clamp_shift(support[k], at, s_min, by);
        shift[k] += Vec3d(by[0], by[1], 0.0);
      }
      shift = smoothed(shift);
    }
    check_margin(legs, table, support, com, shift);
    return shift;
  }

  // Means over an eighth of a period.
  static std::vector<Vec3d> smoothed(const std::vector<Vec3d>& x) {
    constexpr int half = samples / 16;
    std::vector<Vec3d> out(x.size(), Vec3d::zero());
    for (int k = 0; k < samples; k++)
      for (int i = -half; i <= half; i++)
        out[std::size_t(k)] += x[std::size_t((k + i + samples) % samples)] * (1.0 / (2 * half + 1));
    return out;
  }

  void check_margin(const LeggedPlan& legs, const GaitTable& table, const std::vector<legged::SupportPolygon>& support,
                    const std::vector<Vec3d>& com, const std::vector<Vec3d>& shift) const {
    double worst = INFINITY;
    for (std::size_t k = 0; k < support.size(); k++)
      worst = std::min(worst, static_margin(support[k], com[k] + shift[k]));
    if (worst < 0.0)
      throw PlanError(
          {{"gait.tau", fmt::format("{} on {} legs with tau = {:g}: the mass centre would be {:.3g} m outside of "
                                    "its feet: take a smaller tau, a lower speed or another pattern",
                                    table.name, legs.legs(), table.tau, -worst)}});
  }

  // Forces that change where feet lift and land are means over a sixteenth of a period.
  void aim_ahead(const JointPlan& j, const std::vector<double>& torque, std::vector<double>& q) const {
    if (j.drive != Drive::Servo || j.kp.empty() || !(j.kp[0] > 0.0)) return;
    constexpr int half = samples / 32;
    const int n = int(q.size());
    const auto wrap = [n](int i) { return std::size_t(i < 0 ? 0 : i >= n ? i - samples : i); };
    const double damping = j.damping.empty() ? 0.0 : j.damping[0], dt = period / samples;
    std::vector<double> out = q;
    for (int k = 0; k < n; k++) {
      double mean = 0.0;
      for (int i = -half; i <= half; i++) mean += torque[wrap(k + i)] / (2 * half + 1);
      out[std::size_t(k)] += (mean + damping * (q[wrap(k + 1)] - q[wrap(k - 1)]) / (2.0 * dt)) / j.kp[0];
    }
    q = std::move(out);
  }

  // Through equally spaced numbers, with rates of fourth order; the last period goes on for ever.
  std::shared_ptr<const MotionTable> repeating(const std::vector<double>& times, std::vector<double> value) const {
    auto table = std::make_shared<MotionTable>();
    const int n = int(value.size());
    const double dt = period / samples;
    const auto at = [&](int i) { return value[std::size_t(i < 0 ? 0 : i >= n ? i - samples : i)]; };
    for (int i = 0; i < n; i++)
      table->slope.push_back((8.0 * (at(i + 1) - at(i - 1)) - (at(i + 2) - at(i - 2))) / (12.0 * dt));
    table->slope[0] = 0.0;
    table->slope[std::size_t(n - 1)] = table->slope[std::size_t(n - 1 - samples)];
    table->t = times;
    table->value = std::move(value);
    table->value.back() = table->value[std::size_t(n - 1 - samples)];
    table->repeat = times.back() - times[std::size_t(n - 1 - samples)];
    return table;
  }
};

}  // namespace

std::unique_ptr<Gait> make_legs() { return std::make_unique<Legs>(); }

}  // namespace sinew::gaits
