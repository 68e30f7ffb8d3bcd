#include "sinew/control/legs/gait_generator.h"

#include <algorithm>
#include <cmath>

#include "sinew/control/legs/gait_tick.h"
#include "sinew/math/check.h"

namespace sinew::legged {
namespace {
constexpr double wake = 1e-3, placed = 2e-3;   // feet further off are placed anew; nearer ones are in place [m]
constexpr double hurry = 1.25, fastest = 1.5;  // swings are shortened, and sped up, at most by these
constexpr double near_one = 1.0 - 1e-9;
// Three quarters of a swing are often a whole number of ticks: the tick that ends there still goes forward, on every machine.
constexpr double forward_end = 0.75 + 1e-9;
}  // namespace

LegSet GaitState::airborne() const {
  LegSet out = 0;
  for (int i = 0; i < most_legs; i++)
    if (leg[i].in_air != 0.0) out |= leg_bit(i);
  return out;
}

LegSet GaitState::lost() const {
  LegSet out = 0;
  for (int i = 0; i < most_legs; i++)
    if (leg[i].lost != 0.0) out |= leg_bit(i);
  return out;
}

GaitGenerator::GaitGenerator(std::vector<GaitTable> gaits, double tick, const AdaptationRule& rule)
    : gaits_(std::move(gaits)), tick_(tick), rule_(rule) {
  SINEW_CHECK(!gaits_.empty() && tick > 0.0, "GaitGenerator: no gait, or a tick that is not positive");
  for (const GaitTable& t : gaits_) {
    const std::string problem = problem_of(t);
    SINEW_CHECK(problem.empty(), "GaitGenerator: gait ", t.name, ": ", problem);
    SINEW_CHECK(t.legs == legs(), "GaitGenerator: gaits for ", t.legs, " and for ", legs(), " legs");
  }
  const int rows = legs() / 2;
  for (int r = 0; r < rows; r++)
    for (int side = 0; side < 2; side++) placing_[2 * r + side] = side * rows + rows - 1 - r;
  if (legs() % 2 == 1) placing_[legs() - 1] = legs() - 1;
}

GaitState GaitGenerator::standing(int gait, const StepShape& shape) const {
  GaitState s;
  change(s, gait);
  SINEW_CHECK(change(s, shape), "GaitGenerator: ", problem_of(s.next_shape));
  adopt(s);
  return s;
}

void GaitGenerator::change(GaitState& s, int gait) const {
  SINEW_CHECK(gait >= 0 && gait < int(gaits_.size()), "GaitGenerator: gait ", gait, " of ", gaits_.size());
  s.next_gait = gait;
  s.next_shape.tau = gaits_[gait].tau;
}

bool GaitGenerator::change(GaitState& s, const StepShape& shape) const {
  StepShape next = shape;
  const GaitTable& table = gaits_[int(s.next_gait)];
  next.tau = table.free ? std::min(shape.tau, table.tau) : table.tau;
  if (!problem_of(next).empty()) return false;
  s.next_shape = next;
  return true;
}

void GaitGenerator::reset(GaitState& s) const {
  s.mode = double(WalkMode::Stop);
  s.walking = s.fault = s.frozen_ticks = 0.0;
  s.fault_leg = -1.0;
  for (auto& leg : s.leg) leg.tries = leg.pause = 0.0;
}

void GaitGenerator::lose(GaitState& s, int leg) const {
  s.leg[leg].in_air = s.leg[leg].lost = 1.0;
  s.leg[leg].pending = s.leg[leg].ticks = s.leg[leg].pause = 0.0;
  s.leg[leg].air_time = std::max(s.leg[leg].air_time, tick_);
}

void GaitGenerator::adopt(GaitState& s) const {
  s.gait = s.next_gait;
  s.shape = s.next_shape;
  if (!table(s).free) s.shape.tau = table(s).tau;
  s.count = s.turns = 0.0;
}

double GaitGenerator::master_phase(const GaitState& s) const {
  return s.count * tick_ / timing_of(s.shape).period - s.turns;
}
double GaitGenerator::phase(const GaitState& s, int leg) const {
  return cycle_phase(master_phase(s) - table(s).offset[leg]);
}
StepPoint GaitGenerator::ideal(const GaitState& s, int leg) const {
  return step_point(s.shape, timing_of(s.shape), phase(s, leg));
}
StepPhase GaitGenerator::phase_tag(const GaitState& s, int i) const {
  const GaitState::Leg& leg = s.leg[i];
  if (leg.in_air == 0.0) return StepPhase::Stance;
  const double a = leg.ticks * tick_ / leg.air_time;
  return a < 0.25          ? StepPhase::BackUp
         : a < 0.5         ? StepPhase::ForwardUp
         : a < forward_end ? StepPhase::ForwardDown
                           : StepPhase::BackDown;
}

void GaitGenerator::halt(GaitState& s, WalkFault fault, int leg) const {
  if (s.walk_mode() == WalkMode::Halt) return;
  s.mode = double(WalkMode::Halt);
  s.walking = 0.0;
  s.fault = double(fault);
  s.fault_leg = leg;
}

void GaitGenerator::lift(GaitState& s, int i, double air_time) const {
  GaitState::Leg& leg = s.leg[i];
  leg.in_air = 1.0;
  leg.ticks = leg.pending = leg.raised = leg.tries = leg.pause = leg.search = 0.0;
  leg.air_time = air_time;
  leg.from = leg.up;
}

// A tick in the air. Beyond the end of its cycle a foot that senses goes on down until it meets the ground.
void GaitGenerator::fly(GaitState& s, const Now& now, int i) const {
  GaitState::Leg& leg = s.leg[i];
  if (leg.lost != 0.0) return;
  const double H = s.shape.height, V_tr = s.shape.transfer_speed, T = leg.air_time;
  const bool touches = now.in.senses && has_leg(now.in.touching, i);
  const auto steer = [&](double target, double time) {
    leg.speed = std::clamp((target - leg.along) / std::max(time, tick_), -fastest * V_tr, fastest * V_tr);
  };
  const auto target = [&](double psi, double time) {
    if (now.placing) return now.target[i];
    if (now.table.free) return leg.goal - now.report.v_body * time;
    const StepPoint goal = step_point(s.shape, now.timing, cycle_phase(psi + time / now.timing.period));
    return goal.phase == StepPhase::Stance || goal.phase == StepPhase::BackDown ? goal.along : 0.5 * now.stroke;
  };
  const double a = leg.ticks * tick_ / T, next = (leg.ticks + 1.0) * tick_ / T;
  const bool forward = a >= 0.25 && a < forward_end;
  if (forward && touches && leg.pause == 0.0) {
    if (leg.tries >= rule_.most_tries) return halt(s, WalkFault::Obstacle, i);
    leg.tries += 1.0;
    leg.pause = std::ceil(std::max(rule_.retract / std::max(V_tr, 1e-3), H / now.timing.v_up) / tick_);
    leg.speed = (leg.speed < 0.0 ? rule_.retract : -rule_.retract) / (leg.pause * tick_);
    leg.from = H / leg.pause;  // up, each tick
  }
  if (leg.pause > 0.0 && leg.search > 0.0) return go_beside(s, now, i);
  if (leg.pause > 0.0) {
    leg.along += leg.speed * tick_;
    leg.up += leg.from;
    leg.raised += leg.from;
    leg.pause -= 1.0;
    if (leg.pause > 0.0) return;
    leg.from = 0.0;
    steer(target(phase(s, i), (0.75 - a) * T), (0.75 - a) * T);
    return;
  }
  if (forward && now.table.free && !now.placing) steer(target(0.0, (0.75 - a) * T), (0.75 - a) * T);
  if (a < 0.25) {
    leg.along -= now.report.v_body * tick_;
    if (next >= 0.25) steer(target(phase(s, i), 0.5 * T), 0.5 * T);
  } else if (forward) {
    leg.along += leg.speed * tick_;
  } else {
    leg.along -= now.report.v_body * tick_;
  }
  leg.ticks += 1.0;
  const double before = leg.up;
  leg.up = leg.raised + (next < 0.5 ? leg.from * (1.0 - 2.0 * next) + 4.0 * next * H : (4.0 - 4.0 * next) * H);
  if (!now.in.senses && next >= near_one) leg.up = leg.in_air = 0.0;
  if (a >= forward_end && touches) {
    leg.up = before;
    leg.in_air = 0.0;
  } else if (leg.up < -H - 1e-12) {
    leg.up = -H;
    if (!look_beside(s, now, i)) halt(s, WalkFault::Hole, i);
  }
}

void GaitGenerator::lift_due(GaitState& s, Now& now) const {
  LegSet due = 0;
  int order[most_legs], n = 0;
  for (int i = 0; i < legs(); i++) {
    const GaitState::Leg& leg = s.leg[i];
    const bool late = now.stroke > 0.0 && leg.along <= -0.5 * now.stroke - 1e-9;
    if (leg.in_air != 0.0 || !(leg.pending != 0.0 || late)) continue;
    due |= leg_bit(i);
    order[n++] = i;
  }
  const auto first = [&](int i, int k) {
    return s.leg[i].along < s.leg[k].along || (s.leg[i].along == s.leg[k].along && i < k);
  };
  std::sort(order, order + n, first);
  LegSet airborne = s.airborne();
  for (int k = 0; k < n; k++) {
    const int i = order[k];
    bool permitted = (now.table.neighbours[i] & airborne & ~s.lost()) == 0;
    for (int j = 0; j < legs() && permitted; j++)
      if (has_leg(now.table.neighbours[i] & due & ~airborne, j) && first(j, i)) permitted = false;
    if (permitted && now.in.guard) permitted = now.in.guard->may_lift(i, airborne);
    if (!permitted) {
      now.report.held |= leg_bit(i);
      continue;
    }
    const double psi = phase(s, i), T = now.timing.t_transfer;
    const bool in_window = s.leg[i].pending != 0.0 && psi < now.table.tau;
    const double lateness = in_window ? psi * now.timing.period : T;  // out of its window: very late
    lift(s, i, std::max(T - lateness, T / hurry));
    airborne |= leg_bit(i);
  }
}

void GaitGenerator::advance_phase(GaitState& s, Now& now) const {
  std::array<double, most_legs> before;
  for (int i = 0; i < legs(); i++) before[i] = phase(s, i);
  s.count += 1.0;
  if (master_phase(s) >= 1.0 - 1e-12) {
    s.turns += 1.0;
    const StepShape &a = s.shape, &b = s.next_shape;
    const bool other = s.gait != s.next_gait || a.stroke != b.stroke || a.height != b.height ||
                       a.transfer_speed != b.transfer_speed || a.marching_time != b.marching_time || a.tau != b.tau;
    if (other) {
      adopt(s);
      now.report.switched = true;
      // of a leg that is in the air, in the window of the new gait as well: its swing counts unless it ends in the first half of the window
      for (int i = 0; i < legs(); i++) {
        const GaitState::Leg& leg = s.leg[i];
        const double window = (table(s).tau - phase(s, i)) * timing_of(s.shape).period;
        const double lands_in = leg.in_air != 0.0 ? leg.air_time - leg.ticks * tick_ : 0.0;
        s.leg[i].pending = window > 1e-9 && lands_in < 0.5 * window ? 1.0 : 0.0;
      }
      return;
    }
  }
  for (int i = 0; i < legs(); i++)
    if (phase(s, i) < before[i] - 0.5) s.leg[i].pending = 1.0;
}

void GaitGenerator::step_walk(GaitState& s, Now& now) const {
  int rearmost = 0;
  for (int i = 0; i < legs(); i++) {
    if (s.leg[i].in_air != 0.0 || now.stroke == 0.0 || !(s.leg[i].along <= -0.75 * now.stroke)) continue;
    now.report.frozen = true;
    rearmost = i;
  }
  const bool searches = std::any_of(s.leg.begin(), s.leg.end(),
                                    [](const GaitState::Leg& leg) { return leg.in_air != 0.0 && leg.search > 0.0; });
  const bool held = now.report.frozen && !searches;
  now.report.frozen = now.report.frozen || searches;
  now.report.v_body = now.report.frozen ? 0.0 : now.timing.v_body;
  s.frozen_ticks = held ? s.frozen_ticks + 1.0 : 0.0;
  if (s.frozen_ticks * tick_ > rule_.patience) return halt(s, WalkFault::Held, rearmost);
  lift_due(s, now);
  for (int i = 0; i < legs(); i++) {
    if (s.leg[i].in_air != 0.0)
      fly(s, now, i);
    else
      s.leg[i].along -= now.report.v_body * tick_;
  }
  s.travelled += now.report.v_body * tick_;
  if (!now.report.frozen) advance_phase(s, now);
}

// Legs go to their targets while the body rests. True: all are there.
bool GaitGenerator::place(GaitState& s, Now& now) const {
  now.placing = true;
  LegSet airborne = s.airborne();
  for (int k = 0; k < legs(); k++) {
    const int i = placing_[k];
    GaitState::Leg& leg = s.leg[i];
    if (leg.in_air != 0.0 || std::abs(leg.along - now.target[i]) <= wake || leg.search > 0.0) continue;
    const LegSet flying = airborne & ~s.lost();
    if (count_legs(flying) >= now.table.most_airborne || (now.table.neighbours[i] & flying) != 0) continue;
    if (now.in.guard && !now.in.guard->may_lift(i, airborne)) {
      now.report.held |= leg_bit(i);
      continue;
    }
    lift(s, i, now.timing.t_transfer);
    airborne |= leg_bit(i);
  }
  bool there = true;
  for (int i = 0; i < legs(); i++) {
    if (s.leg[i].lost != 0.0) continue;
    if (s.leg[i].in_air != 0.0) fly(s, now, i);
    const bool stays = s.leg[i].search > 0.0;  // beside a hole, which is where its place would be
    there = there && s.leg[i].in_air == 0.0 && (stays || std::abs(s.leg[i].along - now.target[i]) <= placed);
  }
  return there;
}

GaitReport GaitGenerator::step(GaitState& s, const GaitInput& in) const {
  if (s.walk_mode() == WalkMode::Stand) {
    if (s.gait != s.next_gait || s.walking != 0.0) adopt(s);
    if (s.walking == 0.0) return {};
    s.mode = double(WalkMode::Start);
  }
  if (s.walk_mode() == WalkMode::Walk && s.walking == 0.0) {
    s.mode = double(WalkMode::Stop);
    for (auto& leg : s.leg) leg.pending = 0.0;
  }
  Now now{in, {}, table(s), timing_of(s.shape), s.shape.marches() ? 0.0 : s.shape.stroke};
  switch (s.walk_mode()) {
    case WalkMode::Stand:
      break;
    case WalkMode::Start:
      for (int i = 0; i < legs(); i++) now.target[i] = ideal(s, i).along;
      if (!place(s, now) || s.walk_mode() == WalkMode::Halt) break;
      s.mode = double(s.walking != 0.0 ? WalkMode::Walk : WalkMode::Stop);
      for (int i = 0; i < legs(); i++) s.leg[i].pending = phase(s, i) < now.table.tau - 1e-9 ? s.walking : 0.0;
      break;
    case WalkMode::Walk:
      now.table.free ? step_free(s, now) : step_walk(s, now);
      break;
    case WalkMode::Stop:
      now.placing = true;
      for (int i = 0; i < legs(); i++) {  // legs on their way turn to their neutral points
        GaitState::Leg& leg = s.leg[i];
        const double a = leg.ticks * tick_ / std::max(leg.air_time, tick_), V = fastest * s.shape.transfer_speed;
        if (leg.in_air != 0.0 && leg.pause == 0.0 && a >= 0.25 && a < forward_end)
          leg.speed = std::clamp(-leg.along / std::max((0.75 - a) * leg.air_time, tick_), -V, V);
      }
      if (place(s, now) && s.walk_mode() != WalkMode::Halt) s.mode = double(WalkMode::Stand);
      break;
    case WalkMode::Halt:
      now.placing = true;
      for (int i = 0; i < legs(); i++) {
        now.target[i] = s.leg[i].along;
        if (s.leg[i].in_air != 0.0 && i != int(s.fault_leg)) fly(s, now, i);
      }
      break;
  }
  if (in.senses) follow_ground(s);
  return now.report;
}

}  // namespace sinew::legged
