#include "sinew/control/legs/step_cycle.h"

#include <cmath>

#include "sinew/math/check.h"
#include "sinew/math/ramp.h"

namespace sinew::legged {

std::string_view problem_of(const StepShape& s) {
  if (!(s.tau > 0.0 && s.tau <= 0.5)) return "tau, the part of a period in the air, is above 0 and at most 1/2";
  if (!(s.stroke >= 0.0) || !std::isfinite(s.stroke)) return "a stroke is at least 0";
  if (!(s.height > 0.0) || !std::isfinite(s.height)) return "the adaptation height is above 0";
  if (!(s.transfer_speed >= 0.0) || !std::isfinite(s.transfer_speed)) return "the transfer speed is at least 0";
  if (!(s.marching_time > 0.0) || !std::isfinite(s.marching_time)) return "a time in the air is above 0";
  return {};
}

StepTiming timing_of(const StepShape& s) {
  SINEW_ASSERT(problem_of(s).empty());
  StepTiming t{};
  const bool marches = s.marches();
  t.t_transfer = marches ? s.marching_time : 2.0 * s.stroke / s.transfer_speed;
  t.v_up = 4.0 * s.height / t.t_transfer;
  t.period = t.t_transfer / s.tau;
  t.t_stance = t.period - t.t_transfer;
  if (marches) return t;
  t.v_body = s.transfer_speed * s.tau / (2.0 - s.tau);
  t.touch_down = 0.5 * s.stroke - 0.25 * t.v_body * t.t_transfer;
  t.lift_off = -t.touch_down;
  t.stance_travel = t.v_body * t.t_stance;
  return t;
}

StepPoint step_point(const StepShape& s, const StepTiming& t, double psi) {
  const double L = s.marches() ? 0.0 : s.stroke, H = s.height;
  if (!(psi < s.tau - 1e-9))
    return {StepPhase::Stance, 0.5 * L - t.v_body * (0.25 * t.t_transfer + (psi - s.tau) * t.period), 0.0};
  const double a = psi / s.tau;
  if (a < 0.25) return {StepPhase::BackUp, -0.5 * L + t.v_body * (0.25 - a) * t.t_transfer, 4.0 * a * H};
  if (a < 0.5) return {StepPhase::ForwardUp, -0.5 * L + 2.0 * L * (a - 0.25), 4.0 * a * H};
  if (a < 0.75) return {StepPhase::ForwardDown, -0.5 * L + 2.0 * L * (a - 0.25), (4.0 - 4.0 * a) * H};
  return {StepPhase::BackDown, 0.5 * L - t.v_body * (a - 0.75) * t.t_transfer, (4.0 - 4.0 * a) * H};
}

StepPoint smooth_step_point(double tau, double psi) {
  SINEW_ASSERT(tau > 0.0 && tau < 1.0);
  if (!(psi < tau)) return {StepPhase::Stance, 0.5 - (psi - tau) / (1.0 - tau), 0.0};
  const double a = psi / tau, left = 1.0 - a;
  return {a < 0.5 ? StepPhase::ForwardUp : StepPhase::ForwardDown, ramp_at(a, 1.0).value - 0.5,
          16.0 * a * a * left * left};
}

double cycle_phase(double x) {
  const double part = x - std::floor(x);
  return part < 1.0 - 1e-9 ? part : 0.0;
}

double rounding(double t, double v, double w) {
  const double left = w - std::abs(t);
  return left > 0.0 ? v * left * left / (4.0 * w) : 0.0;
}

Landing landing_at(const StepShape& s, const StepTiming& t, double y_c) {
  const double early = y_c / t.v_up;
  const Ground ground = y_c > s.height ? Ground::Obstacle : y_c < -s.height ? Ground::Hole : Ground::InZone;
  return {ground, t.t_transfer - early, t.touch_down + t.v_body * early, t.t_stance + early};
}

bool ContactFlag::update(const ContactRule& rule, double force) {
  const bool against = touching ? force < rule.off : force > rule.on;
  count = against ? count + 1 : 0;
  if (count >= rule.ticks) {
    touching = !touching;
    count = 0;
  }
  return touching;
}

}  // namespace sinew::legged
