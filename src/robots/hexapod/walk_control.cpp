#include "robots/hexapod/walk_control.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "robots/hexapod/free_control.h"
#include "robots/hexapod/ground_follow.h"
#include "robots/hexapod/ground_sense.h"
#include "robots/hexapod/ledge_control.h"
#include "robots/hexapod/pad_control.h"
#include "robots/hexapod/press_control.h"
#include "robots/hexapod/senses.h"
#include "robots/hexapod/servo_level.h"
#include "robots/hexapod/share_forces.h"
#include "robots/hexapod/walk_forecast.h"
#include "sinew/control/legs/margin_guard.h"
#include "sinew/math/check.h"
#include "sinew/math/elementary.h"

namespace sinew::robots {
namespace {

using namespace legged;
namespace at = hexapod_order;

constexpr double follow_time = 0.03, follow_accel = 1.5;  // of the shift [s, m/s^2]
constexpr double level_time = 0.3;                        // of levelling [s]
constexpr double path_time = 0.3;                         // in which the path of the feet goes over into another [s]
constexpr double seek_speed = 0.03;                       // of a foot whose pad has come off [m/s]
constexpr double hug_time = 1.0;                          // in which it comes back to its nominal height on pads [s]
constexpr double dragged_by = 0.005;                      // from its place, of a foot that stands [m]
constexpr double settle_time = 0.03;   // in which a foot that has landed takes back what it was told too much [s]
constexpr double level_enough = 0.01;  // slopes below are not followed [rad]
constexpr double folded = 0.05, fold_speed = 0.2;  // height of a lost foot [m, m/s]
constexpr double climb_force_time = 0.08;          // in which forces follow while it climbs [s]
constexpr double steepest = 0.45;                  // force along the ground over that across it, of firm ground
constexpr double most_lean = 0.5;                  // against the plane of the feet [rad]

double toward(double from, double to, double most) { return from + std::clamp(to - from, -most, most); }

class HexapodWalk : public Controller {
 public:
  HexapodWalk(const HexapodControl& c, const SegmentedBody& body, const Plan& plan, double period)
      : c_(c),
        body_(body),
        period_(period),
        weight_(body.mass() * norm(plan.gravity.g)),
        wiring_(wiring_of(body, plan)),
        generator_(hexapod_tables(c, body.segments), period, {.hole_tries = c.hole_tries, .hole_step = c.hole_step}),
        memory_(memory_offset(plan, hexapod_memory)),
        ground_(c.looks ? memory_offset(plan, free_memory) : 0),
        gain_(com_gain(body)),
        senses_(body, wiring_, generator_, weight_, period),
        servo_(c, body, wiring_, period),
        climber_(c, body, wiring_, period, norm(plan.gravity.g)),
        presser_(c, body, period),
        follower_(c, body, wiring_, period) {
    for (int i = 0; i < body.legs(); i++) {
      neutral_.push_back(body.neutral(i));
      leg_.push_back(body.leg_of(i));
    }
  }

  void update(const Readings& r, std::span<double> memory, Input<double>& out) override {
    HexapodMemory m;
    std::memcpy(static_cast<void*>(&m), memory.data() + memory_, sizeof m);
    if (m.begun == 0.0) begin(m);
    Sight see;
    senses_.look(r, m, see);
    presser_.feel(m, see);
    LedgeTurn climb;
    if (c_.climbs) climber_.begin(r, see, memory.subspan(std::size_t(memory_) + sizeof m / sizeof(double)), m, climb);
    if (!climb.runs()) senses_.watch(r, see, m);
    act(r.t, m, climb.goes_on);
    const StepTiming step = timing_of(m.gait.shape);
    const Vec3d travel = m.gait.lost() == 0 ? Vec3d::zero()  // the forecast of the table knows the way
                                            : Vec3d(m.path.v_x, m.path.v_y, 0.0) * (step.v_body * step.t_transfer);
    MarginGuard guard({see.level.data(), std::size_t(body_.legs())}, see.com, c_.clings ? -INFINITY : c_.s_guard,
                      travel);
    PadGuard pads(guard, generator_.table(m.gait), m.gait.lost(), c_.release_time / period_,
                  c_.clings ? memory.subspan(std::size_t(memory_) + sizeof m / sizeof(double)) : std::span<double>());
    m.margin = static_margin(guard.without(m.gait.airborne()), see.com);
    std::array<Vec3d, most_legs> feet;
    std::array<double, most_segments> hinge;
    if (climb.runs()) {
      climber_.climb(r, see, m, climb, feet);
      for (int i = 0; i < body_.legs(); i++) feet[i] += see.up * m.give[i];
      hinge = {climb.progress.front, 0.0, climb.progress.rear};
    } else {
      walk(m, {guard, pads}, see, r, memory);
      for (int i = 0; i < body_.legs(); i++) feet[i] = servo_.walking_foot(i, m);
      presser_.step(guard, see, m, feet);
      move_shift(m, guard, see);
      follower_.bend(m, memory.subspan(std::size_t(memory_)), hinge);
    }
    see.released = pads.released();
    share_forces(c_, body_, see, std::min(1.0, period_ / (climb.runs() ? climb_force_time : c_.force_time)), qp_, m);
    m.unreached = 0.0;
    for (int i = 0; i < body_.legs(); i++) servo_.drive_leg(i, feet[i], r, see, m, out);
    servo_.hold_body(r, hinge, out);
    pads.switch_pads(generator_, m.gait, wiring_, out);
    if (c_.climbs) climber_.end(m, climb);
    if (c_.senses_ground) sense_ground(c_, body_, m, see, period_, memory.subspan(std::size_t(memory_)));
    std::memcpy(memory.data() + memory_, &m, sizeof m);
  }

 private:
  bool feels() const { return wiring_.leg[0].force >= 0; }
  void begin(HexapodMemory& m) const {
    m = {};
    m.begun = 1.0;
    if (wiring_.level >= 0) m.up = Vec3d::zero();  // not known yet
    m.order.now = c_.commands.first;
    m.order.set.fill(INFINITY);  // all of it is news
    m.gait = generator_.standing(int(c_.commands.first[at::gait]), StepShape{});
    m.push.fill(Vec3d(0.0, 0.0, c_.clings ? 0.0 : weight_ / body_.legs()));
    for (int i = 0; i < body_.legs(); i++)
      reach_for(leg_[i], to_leg(leg_[i], neutral_[i] - body_.shoulder(i)), m.q_ref[i]);
  }

  // Ground level: where feet step, and how the body goes with them.
  struct Guards {
    const MarginGuard& margin;
    const LiftGuard& all;
  };
  void walk(HexapodMemory& m, const Guards& guards, const Sight& see, const Readings& r,
            std::span<double> memory) const {
    FreeMemory ground;
    if (c_.looks) {
      double* at = memory.data() + ground_;
      std::memcpy(static_cast<void*>(&ground), at, sizeof ground);
      look_at_ground(wiring_, body_, r, see, m, ground);
      std::memcpy(at, &ground, sizeof ground);
    }
    const HexapodSteps steps(
        {c_, body_, generator_.table(m.gait), guards.margin, see, m.path, c_.looks ? &ground : nullptr});
    step_feet(m, guards.all, steps, see, r.t);
    if (feels() && c_.clings) {
      seek(m, see);
      hug(m, see);
    } else if (feels()) {
      follow_slope(m, see);
    }
    lean(m, feels() && c_.bends ? follower_.follow(r, see, m, memory.subspan(std::size_t(memory_))) : GroundLean{});
  }

  // Action level.
  void act(double t, HexapodMemory& m, bool goes_on) const {
    if (follow_orders(c_.commands, t, m.order)) {
      const HexapodOrder& order = m.order.now;
      generator_.change(m.gait, int(order[at::gait]));
      const Possible p = possible_of(order, body_, generator_.table_of(int(order[at::gait])));
      generator_.change(m.gait, p.shape);
      if (const int lost = named_leg(order[at::lost], body_.segments); lost >= 0) generator_.lose(m.gait, lost);
      m.path_goal = p.path;
      m.goal_height = p.height;
      m.goal_pitch = p.pitch;
      m.goal_roll = p.roll;
      m.speed_share = std::min(m.speed_share, p.speed_share);
      m.pose_share = std::min(m.pose_share, p.pose_share);
      if (p.shape.stroke < order[at::stroke] - 1e-9 && order[at::stroke] > m.stroke_asked) {
        m.stroke_asked = order[at::stroke];
        m.stroke_given = p.shape.stroke;
      }
    }
    const bool goes = m.path_goal.v_x != 0.0 || m.path_goal.v_y != 0.0 || m.path_goal.omega != 0.0;
    const bool marches = m.order.now[at::stroke] == 0.0;
    const bool may = m.order.now[at::mode] == double(HexapodMode::Walk) || goes_on;
    const bool walks = may && !presser_.is_busy(m) && t >= c_.commands.start && (goes || marches);
    if (m.gait.walk_mode() == WalkMode::Halt) return;
    walks ? generator_.walk(m.gait) : generator_.stop(m.gait);
  }

  // Generator, and the path on which its strokes lie.
  void step_feet(HexapodMemory& m, const LiftGuard& guard, const HexapodSteps& steps, const Sight& see,
                 double t) const {
    GaitInput in;
    in.chooser = &steps;
    in.guard = &guard;
    in.senses = feels();
    for (int i = 0; i < body_.legs(); i++)
      if ((m.touching[i] != 0.0 || comes_down(m, i)) && !on_edge(m, see, i)) in.touching |= leg_bit(i);
    move_path(m);
    const bool halted = m.gait.walk_mode() == WalkMode::Halt;
    const LegSet flew = m.gait.airborne();
    std::array<double, most_legs> before;  // where feet were told to be
    for (int i = 0; i < body_.legs(); i++) before[i] = approached(m.gait, i, period_, c_.landing);
    if (m.waits == 0.0) generator_.step(m.gait, in);
    if (in.senses) settle(flew & ~m.gait.airborne(), before, see, m);
    if (!halted && m.gait.walk_mode() == WalkMode::Halt) m.halted_at = t;
    take_dragged(see, m);
    for (int i = 0; i < body_.legs(); i++) {
      GaitState::Leg& leg = m.gait.leg[i];
      if (leg.lost != 0.0) leg.up = toward(leg.up, folded, fold_speed * period_);
      if (leg.in_air != 0.0) forget_shift(m.anchor[i], leg.ticks * period_ / leg.air_time, period_ / leg.air_time);
    }
  }

  // A foot that is dragged over the ground is not pulled back: where it is, is where it stands.
  void take_dragged(const Sight& see, HexapodMemory& m) const {
    for (int i = 0; i < body_.legs(); i++) {
      const GaitState::Leg& leg = m.gait.leg[i];
      if (leg.in_air != 0.0) continue;
      const Vec3d off = see.foot[i] - foot_on_path(m.path, neutral_[i], m.anchor[i], leg.along);
      if (off[0] * off[0] + off[1] * off[1] < dragged_by * dragged_by) continue;
      m.anchor[i] = anchor_foot(m.path, neutral_[i], see.foot[i], leg.along);
      m.dragged += 1.0;
    }
  }

  // On its way down a foot stops at the first tick of contact: debounced, it would throw the body up.
  bool comes_down(const HexapodMemory& m, int i) const {
    return generator_.phase_tag(m.gait, i) == StepPhase::BackDown && m.count[i] > 0.0;
  }

  // Where it looks for ground, a foot that comes down on the edge of a hole would slip into it: the force there leans.
  bool on_edge(const HexapodMemory& m, const Sight& see, int i) const {
    if (c_.hole_tries == 0 || generator_.phase_tag(m.gait, i) != StepPhase::BackDown) return false;
    const Vec3d& f = see.felt[i];
    return f[0] * f[0] + f[1] * f[1] > steepest * steepest * f[2] * f[2];
  }

  // A contact is known some ticks late, in which the foot was told to go on down: it stands where it is.
  void settle(LegSet landed, std::span<const double> before, const Sight& see, HexapodMemory& m) const {
    const double late = timing_of(m.gait.shape).v_up * 4.0 * period_;
    for (int i = 0; i < body_.legs(); i++) {
      if (!has_leg(landed, i)) continue;
      double& up = m.gait.leg[i].up;
      const double told = before[std::size_t(i)];
      up = std::clamp(see.foot[i][2] - neutral_[i][2] - m.give[i], told, told + late);
      m.sink[i] = told - up;
    }
    for (int i = 0; i < body_.legs(); i++) m.sink[i] *= 1.0 - std::min(1.0, period_ / settle_time);
  }

  // Feet stay where they are while the path under them turns into another.
  void move_path(HexapodMemory& m) const {
    const PlaneTwist &a = m.path, &b = m.path_goal;
    if (a.v_x == b.v_x && a.v_y == b.v_y && a.omega == b.omega) return;
    const double most = period_ / path_time, turn = most / 0.2;
    const bool rests = m.gait.walk_mode() == WalkMode::Stand;
    const PlaneTwist next =
        rests ? b : PlaneTwist{toward(a.v_x, b.v_x, most), toward(a.v_y, b.v_y, most), toward(a.omega, b.omega, turn)};
    for (int i = 0; i < body_.legs(); i++) {
      const double s = m.gait.leg[i].along;
      m.anchor[i] = anchor_foot(next, neutral_[i], foot_on_path(a, neutral_[i], m.anchor[i], s), s);
    }
    m.path = next;
  }

  // Where feet stand on a slope, as their heights tell, the plane of the feet leans with it, and the body with the plane.
  void follow_slope(HexapodMemory& m, const Sight& see) const {
    Vec3d stands[most_legs];
    int n = 0;
    for (int i = 0; i < body_.legs(); i++)
      if (m.gait.leg[i].in_air == 0.0) stands[n++] = Vec3d(see.foot[i][0], see.foot[i][1], m.gait.leg[i].up);
    double slope[2];
    if (!slope_of({stands, std::size_t(n)}, slope)) return;
    const double most = c_.slope_rate * period_;
    const auto seen = [](double slope) { return slope - std::clamp(slope, -level_enough, level_enough); };
    const double a = std::clamp(seen(slope[0]), -most, most);
    const double b = std::clamp(seen(slope[1]), -most, most);
    for (int i = 0; i < body_.legs(); i++) {
      GaitState::Leg& leg = m.gait.leg[i];
      const double by = a * see.foot[i][0] + b * see.foot[i][1];
      leg.up -= by;
      if (leg.in_air != 0.0) leg.raised -= by;
    }
  }

  // A foot on a pad that has come off feels nothing, and would hang there: it goes down until it feels the ground again.
  void seek(HexapodMemory& m, const Sight& see) const {
    for (int i = 0; i < body_.legs(); i++)
      if (m.gait.leg[i].in_air == 0.0 && m.force[i] > 5.0 && norm(see.felt[i]) < 1.0)
        m.gait.leg[i].up -= seek_speed * period_;
  }

  // On pads nothing presses the body to the ground: where its feet stand off their nominal plane, it comes back to it.
  void hug(HexapodMemory& m, const Sight& see) const {
    Vec3d stands[most_legs];
    int n = 0;
    double mean = 0.0, x = 0.0, y = 0.0, slope[2];
    for (int i = 0; i < body_.legs(); i++) {
      if (m.gait.leg[i].in_air != 0.0) continue;
      stands[n] = Vec3d(see.foot[i][0], see.foot[i][1], m.gait.leg[i].up);
      mean += stands[n][2];
      x += stands[n][0];
      y += stands[n++][1];
    }
    if (!slope_of({stands, std::size_t(n)}, slope)) return;
    const double part = period_ / hug_time;
    for (int i = 0; i < body_.legs(); i++) {
      GaitState::Leg& leg = m.gait.leg[i];
      const double by = part * (mean / n + slope[0] * (see.foot[i][0] - x / n) + slope[1] * (see.foot[i][1] - y / n));
      leg.up -= by;
      if (leg.in_air != 0.0) leg.raised -= by;
    }
  }

  // The pose that was asked for, and the lean against the slope that makes it level, or along ground that it knows.
  void lean(HexapodMemory& m, const GroundLean& ground) const {
    const double most = c_.pose_rate * period_;
    m.height = toward(m.height, m.goal_height + ground.rise, 0.1 * most);
    m.pitch = toward(m.pitch, m.goal_pitch, most);
    m.roll = toward(m.roll, m.goal_roll, most);
    if (m.order.now[at::body] == double(BodyAttitude::Parallel)) {
      m.level_pitch = toward(m.level_pitch, ground.pitch, most);
      m.level_roll = toward(m.level_roll, 0.0, most);
      return;
    }
    if (m.unreached != 0.0) return;
    const double pitch_up = math::atan2(m.up[0], math::hypot(m.up[1], m.up[2])), roll = math::atan2(m.up[1], m.up[2]);
    const double part = period_ / level_time;
    m.level_pitch =
        std::clamp(m.level_pitch + std::clamp(part * (m.pitch - pitch_up), -most, most), -most_lean, most_lean);
    m.level_roll = std::clamp(m.level_roll + std::clamp(part * (m.roll - roll), -most, most), -most_lean, most_lean);
  }

  void renew_forecast(HexapodMemory& m) const {
    const GaitState& s = m.gait;
    const std::array<double, 8> now{s.gait + 1.0,    s.shape.stroke,  s.shape.height,    s.shape.transfer_speed,
                                    m.path_goal.v_x, m.path_goal.v_y, m.path_goal.omega, double(s.lost())};
    if (now == m.forecast_of) return;
    m.forecast_of = now;
    forecast_walk({body_, generator_.table(s), s.shape, m.path_goal, c_.s_min, c_.shift_speed, s.lost()}, m.forecast);
  }

  // Toward the forecast while it walks, and up the slope; where a leg was refused, toward a place at which it may lift.
  void move_shift(HexapodMemory& m, const MarginGuard& guard, const Sight& see) const {
    const GaitState& s = m.gait;
    const bool walks = s.walk_mode() == WalkMode::Walk;
    double low = 0.0;
    for (int i = 0; i < body_.legs(); i++) low += see.foot[i][2] / body_.legs();
    const double high = std::max(0.05, m.height - low) / (gain_ * std::max(0.3, see.up[2]));
    double wanted[2] = {m.shift[0], m.shift[1]};
    const double up_hill[2] = {high * see.up[0], high * see.up[1]};
    if (c_.clings) wanted[0] = wanted[1] = 0.0;
    if (walks && !c_.clings && generator_.table(s).free)
      for (int k = 0; k < 2; k++) wanted[k] = up_hill[k];
    else if (walks && !c_.clings) {
      renew_forecast(m);
      const double ahead = follow_time / timing_of(s.shape).period;  // by which the shift lags behind
      const double phase = cycle_phase(generator_.master_phase(s) + ahead);
      wanted[0] = m.forecast[std::min<std::size_t>(forecast_size - 1, std::size_t(phase * forecast_size))] + up_hill[0];
      wanted[1] = up_hill[1];
    }
    if (s.walk_mode() == WalkMode::Stand && !c_.clings)
      for (int k = 0; k < 2; k++) wanted[k] = up_hill[k];
    if (guard.refused != 0) {
      Vec3d by;
      const SupportPolygon others = guard.without(s.airborne() | guard.refused);
      clamp_shift(others, guard.worse_end(others, see.load), c_.s_guard + 0.005, by);
      for (int k = 0; k < 2; k++) wanted[k] = m.shift[k] + by[k];
    }
    for (int k = 0; k < 2; k++) {
      const double v = std::clamp((wanted[k] - m.shift[k]) / follow_time, -c_.shift_speed, c_.shift_speed);
      m.shift_rate[k] += std::clamp(v - m.shift_rate[k], -follow_accel * period_, follow_accel * period_);
      m.shift[k] += m.shift_rate[k] * period_;
    }
    if (walks && m.walked == 0.0) m.waits = 1.0;  // it begins to walk: first the body goes where the forecast has it
    if (!walks || s.walking == 0.0 || std::abs(wanted[0] - m.shift[0]) < 0.004) m.waits = 0.0;
    m.walked = walks ? 1.0 : 0.0;
  }

  const HexapodControl c_;
  const SegmentedBody body_;
  double period_, weight_;
  HexapodWiring wiring_;
  GaitGenerator generator_;
  int memory_, ground_;
  double gain_;
  std::vector<Vec3d> neutral_;
  std::vector<YawLeg> leg_;
  HexapodSenses senses_;
  HexapodServo servo_;
  LedgeClimber climber_;
  LegPresser presser_;
  GroundFollower follower_;
  SmallQp qp_;
};

}  // namespace

std::unique_ptr<Controller> make_hexapod_controller(const HexapodControl& control, const SegmentedBody& body,
                                                    const Plan& plan, double period) {
  return std::make_unique<HexapodWalk>(control, body, plan, period);
}

}  // namespace sinew::robots
