// Step cycle, gaits and their generator.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "robots/hexapod/measure.h"
#include "sinew/control/legs/stroke_path.h"
#include "sinew/control/legs/support_polygon.h"
#include "sinew/math/elementary.h"

namespace sinew::robots {

using namespace legged;

GaitTable HexapodBenchInput::table(int which) const {
  GaitTable t = gait_table(Gait(which), body.segments);
  if (tau > 0.0) t.tau = tau;
  return t;
}

StepShape HexapodBenchInput::shape_of(const GaitTable& t) const {
  StepShape s = shape;
  s.tau = t.tau;
  return s;
}

void measure_cycle(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const StepTiming t = timing_of(in.shape_of(in.table(in.gait)));
  out.push_back({"V_up", "m/s", {t.v_up}});
  out.push_back({"T_tr", "s", {t.t_transfer}});
  out.push_back({"period", "s", {t.period}, true});
  out.push_back({"T_st", "s", {t.t_stance}});
  out.push_back({"V_st", "m/s", {t.v_body}, true});
  out.push_back({"z_liftoff", "m", {t.lift_off}});
  out.push_back({"z_touchdown", "m", {t.touch_down}});
  out.push_back({"stance_travel", "m", {t.stance_travel}});
}

void measure_ideal(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const GaitTable table = in.table(in.gait);
  const StepShape shape = in.shape_of(table);
  const StepTiming timing = timing_of(shape);
  Measurement phase{"phase", "1", {}, true}, z{"z", "m", {}, true}, y{"y", "m", {}, true};
  for (int i = 0; i < table.legs; i++) {
    const StepPoint p = step_point(shape, timing, cycle_phase(in.Phi - table.offset[i]));
    phase.values.push_back(double(int(p.phase)));
    z.values.push_back(p.along);
    y.values.push_back(p.up);
  }
  out.insert(out.end(), {phase, z, y});
}

void measure_adaptation(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const StepShape shape = in.shape_of(in.table(in.gait));
  const Landing landing = landing_at(shape, timing_of(shape), in.y_c);
  out.push_back({"t_contact_after_liftoff", "s", {landing.time}, true});
  out.push_back({"z_contact", "m", {landing.along}, true});
  out.push_back({"t_stance", "s", {landing.t_stance}, true});
  out.push_back({"ground", "1", {double(int(landing.ground))}});
}

void measure_turn(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const StepShape shape = in.shape_of(in.table(in.gait));
  const StepTiming timing = timing_of(shape);
  std::vector<Vec3d> neutral;
  for (int i = 0; i < in.legs(); i++) neutral.push_back(in.body.neutral(i));
  const PlaneTwist path = path_of(turn_left, neutral);
  const double rate = body_twist(path, timing.v_body).omega, swept = rate * timing.t_stance;
  const double degrees = 180.0 / std::numbers::pi;
  out.push_back({"yaw_rate_deg_s", "1", {rate * degrees}, true});
  out.push_back({"per_period_deg", "1", {rate * timing.period * degrees}, true});
  out.push_back({"stroke_middle", "m", {shape.stroke * path_scale(path, in.body.neutral(in.body.middle()))}});
  out.push_back({"chord_error_mm", "1", {1e3 * (1.0 - math::cos(0.5 * swept)) / path.omega}});
}

void measure_joint_rates(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const StepShape shape = in.shape_of(in.table(in.gait));
  const StepTiming t = timing_of(shape);
  const int n = 10 * in.samples;
  Vec3d peak = Vec3d::zero();
  for (int k = 0; k < n; k++) {
    const StepPoint at = step_point(shape, t, (k + 0.5) / n);
    const bool forward = at.phase == StepPhase::ForwardUp || at.phase == StepPhase::ForwardDown;
    const bool rises = at.phase == StepPhase::BackUp || at.phase == StepPhase::ForwardUp;
    const double along = forward ? 2.0 * shape.stroke / (0.5 * t.t_transfer) * 0.5 : -t.v_body;
    const double up = !is_airborne(at.phase) ? 0.0 : rises ? t.v_up : -t.v_up;
    const YawLeg leg = in.body.leg_of(in.body.middle());
    const Vec3d p = in.body.neutral(in.body.middle()) + Vec3d(at.along, 0.0, at.up);
    Vec3d q, rate;
    const Vec3d v = to_leg(leg, leg.hip + Vec3d(along, 0.0, up));
    if (reach_for(leg, to_leg(leg, p), q) != Reach::Good || !joint_rates(leg, q, v, rate)) rate = Vec3d(NAN, NAN, NAN);
    for (int c = 0; c < 3; c++) peak[c] = std::isnan(rate[c]) ? NAN : std::max(peak[c], std::abs(rate[c]));
  }
  out.push_back({"peak_rates", "rad/s", {peak[0], peak[1], peak[2]}, true});
}

namespace {

// Looks at every tick of a generator.
struct GaitWatch {
  const HexapodBenchInput& in;
  const GaitGenerator& generator;
  int violations = 0, least_support = most_legs, frozen = 0, last_off = 0, ticks = 0;
  double deviation = 0.0, z_min = INFINITY, z_max = -INFINITY, min_margin = INFINITY;
  std::array<int, most_legs> hold{};

  void look(const GaitState& s, const GaitReport& report) {
    const LegSet airborne = s.airborne();
    const GaitTable& table = generator.table(s);
    bool broken = false;
    double off = 0.0;
    std::vector<Vec3d> feet;
    for (int i = 0; i < table.legs; i++) {
      broken = broken || (has_leg(airborne, i) && (table.neighbours[i] & airborne) != 0);
      off = std::max(off, std::abs(s.leg[i].along - generator.ideal(s, i).along));
      z_min = std::min(z_min, s.leg[i].along);
      z_max = std::max(z_max, s.leg[i].along);
      hold[i] += has_leg(report.held, i) ? 1 : 0;
      if (!has_leg(airborne, i)) feet.push_back(in.body.neutral(i) + Vec3d(s.leg[i].along, 0.0, 0.0));
    }
    ticks++;
    violations += broken ? 1 : 0;
    frozen += report.frozen ? 1 : 0;
    least_support = std::min(least_support, table.legs - count_legs(airborne));
    deviation = std::max(deviation, off);
    if (off > 1e-3) last_off = ticks;
    min_margin = std::min(min_margin, static_margin(polygon_of(feet), Vec3d(in.com[1], in.com[0], 0.0)));
  }
};

// Ticks until the mode is left, at most for 60 s of them.
template <class F>
int run_while(const GaitGenerator& generator, GaitState& s, F goes_on, GaitWatch* watch) {
  int ticks = 0;
  const int most = int(60.0 / generator.tick());
  while (goes_on() && ticks < most) {
    const GaitReport report = generator.step(s);
    ticks++;
    if (watch) watch->look(s, report);
  }
  return ticks;
}

}  // namespace

void measure_start_stop(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const GaitGenerator generator({in.table(in.gait)}, in.dt);
  GaitState s = generator.standing(0, in.shape);
  GaitWatch rules{in, generator}, walk{in, generator};
  generator.walk(s);
  const GaitReport first = generator.step(s);
  rules.look(s, first);
  const auto in_mode = [&](WalkMode mode) { return [&s, mode] { return s.walk_mode() == mode; }; };
  const int start = 1 + run_while(generator, s, in_mode(WalkMode::Start), &rules);
  const int n = int(std::lround(in.periods * timing_of(s.shape).period / in.dt));
  for (int k = 0; k < n; k++) {
    const GaitReport report = generator.step(s);
    rules.look(s, report);
    walk.look(s, report);
  }
  generator.stop(s);
  rules.look(s, generator.step(s));
  const int stop = 1 + run_while(generator, s, in_mode(WalkMode::Stop), &rules);
  out.push_back({"t_preposition", "s", {start * in.dt}, true});
  out.push_back({"t_stop", "s", {stop * in.dt}, true});
  out.push_back({"rule_violations", "1", {double(rules.violations)}, true});
  out.push_back({"min_support", "1", {double(rules.least_support)}, true});
  out.push_back({"max_deviation_from_ideal", "m", {walk.deviation}, true});
  out.push_back({"t_body_frozen", "s", {walk.frozen * in.dt}});
}

void measure_transition(const HexapodBenchInput& in, HexapodMeasurements& out) {
  const GaitGenerator generator({in.table(in.a), in.table(in.b)}, in.dt);
  GaitState s = generator.standing(0, in.shape);
  generator.walk(s);
  generator.step(s);
  run_while(
      generator, s, [&] { return s.walk_mode() == WalkMode::Start; }, nullptr);
  const int before = int(std::lround(in.periods * timing_of(s.shape).period / in.dt));
  for (int k = 0; k < before; k++) generator.step(s);
  generator.change(s, 1);
  run_while(
      generator, s, [&] { return s.gait == 0.0; }, nullptr);
  GaitWatch watch{in, generator};
  const int n = int(std::lround(in.after / in.dt));
  for (int k = 0; k < n; k++) watch.look(s, generator.step(s));
  Measurement hold{"hold", "s", {}};
  for (int i = 0; i < generator.legs(); i++) hold.values.push_back(watch.hold[i] * in.dt);
  out.push_back({"t_relock", "s", {watch.last_off * in.dt}, true});
  out.push_back({"t_body_frozen", "s", {watch.frozen * in.dt}, true});
  out.push_back(hold);
  out.push_back({"rule_violations", "1", {double(watch.violations)}, true});
  out.push_back({"min_support", "1", {double(watch.least_support)}, true});
  out.push_back({"z_min", "m", {watch.z_min}});
  out.push_back({"z_max", "m", {watch.z_max}});
  out.push_back({"min_margin", "m", {watch.min_margin}, true});
}

}  // namespace sinew::robots
