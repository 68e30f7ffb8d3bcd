// What the legs do, tick by tick (docs/theory/hexapod.md#generator): follows the ideal cycle of step_cycle.h, obeys two rules, catches up in
// the air, and adapts to the ground.
//   stability: a leg stays on the ground while a neighbour is in the air
//   sequence:  of neighbours that want to lift, the one nearer to, or further past, its rear end goes first
// Time is a whole number of ticks; phases follow from it and are never summed up: the same commands at the same ticks give the same bits.
#pragma once
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/control/legs/gait_table.h"
#include "sinew/control/legs/step_cycle.h"

namespace sinew::legged {

enum class WalkMode { Stand, Start, Walk, Stop, Halt };
// Why it halted. Hole: no ground down to -H. Obstacle: met in the air for the third time. Held: a leg could not lift for a second. The others are
// told from outside.
enum class WalkFault { None, Hole, Obstacle, Held, Following, Disagreement, JointSensor };
inline constexpr std::array<std::string_view, 7> walk_fault_names{"none",
                                                                  "hole: a foot found no ground",
                                                                  "obstacle above the zone of adaptation",
                                                                  "legs that could not be lifted",
                                                                  "a joint is more than 0.15 rad behind",
                                                                  "two sensors of a joint disagree by 0.1 rad",
                                                                  "nothing arrives of the sensor of a joint"};

// All that the generator remembers: doubles alone, so that they fit into a block of State::memory.
struct GaitState {
  struct Leg {
    double along = 0.0, up = 0.0;  // of the foot on its stroke, over nominal ground [m]
    double in_air = 0.0;           // 1: in the air
    double ticks = 0.0;            // since it lifted, without pauses
    double air_time = 0.0;         // for which its swing is planned [s]
    double speed = 0.0;            // along, in 13 and 14 [m/s]
    double pending = 0.0;          // 1: its window has come
    double from = 0.0;             // up when it lifted
    double raised = 0.0;           // by obstacles [m]
    double tries = 0.0, pause = 0.0;
    double lost = 0.0;    // 1: takes no part in walking; it is in the air for good
    double search = 0.0;  // places at which it has looked for ground beside a hole
    double goal = 0.0;    // free gait: where on the stroke its foothold is now [m]
  };
  double mode = 0.0, walking = 0.0;    // walking: what was asked for
  double gait = 0.0, next_gait = 0.0;  // numbers of tables
  StepShape shape, next_shape;         // tau is the table's
  double count = 0.0, turns = 0.0;     // ticks, and wraps of the master phase, since its origin
  double frozen_ticks = 0.0;           // in a row
  double fault = 0.0, fault_leg = -1.0;
  double travelled = 0.0, clearance = 0.0;  // of the body: along the stroke; up, by adaptation [m]
  std::array<Leg, most_legs> leg{};

  WalkMode walk_mode() const { return WalkMode(int(mode)); }
  WalkFault walk_fault() const { return WalkFault(int(fault)); }
  LegSet airborne() const;  // with lost legs
  LegSet lost() const;
};

// Asked before a leg lifts: may it, with these in the air already?
class LiftGuard {
 public:
  virtual ~LiftGuard() = default;
  virtual bool may_lift(int leg, LegSet airborne) const = 0;
};

// Asked each tick of a free gait: which leg lifts next, and where does it go (free_gait.h)?
struct FreeStep {
  int leg = -1;        // -1: none
  double place = 0.0;  // of its foothold on the stroke, as it is when the leg lifts: it goes back with the ground [m]
  bool waits = false;  // the body has to wait
};
class StepChooser {
 public:
  virtual ~StepChooser() = default;
  virtual FreeStep choose(const GaitState& s) const = 0;
};

struct GaitInput {
  bool senses = false;  // false: level ground, feet land where the cycle ends
  LegSet touching = 0;  // with senses: contact flags
  const LiftGuard* guard = nullptr;
  const StepChooser* chooser = nullptr;  // of free gaits; without one they hold
};

struct GaitReport {
  bool frozen = false, switched = false;  // body held; another gait or shape took over
  LegSet held = 0;                        // want to lift and may not
  double v_body = 0.0;                    // [m/s]
};

struct AdaptationRule {
  double retract = 0.01, clearance_rate = 0.05;  // [m, m/s]
  int most_tries = 2;
  double patience = 1.0;  // body held so long: halt [s]
  // A foot over a hole looks for ground: hole_step ahead, twice, three times as far, then as far behind; 0 tries: it halts.
  int hole_tries = 0;
  double hole_step = 0.03;  // [m]
};

class GaitGenerator {
 public:
  // All tables are for the same legs. Throws CallError for tables, shapes or ticks that problem_of refuses.
  GaitGenerator(std::vector<GaitTable> gaits, double tick = 1e-3, const AdaptationRule& rule = {});

  GaitState standing(int gait, const StepShape& shape) const;
  // Commands may come at any time. A gait or shape waits for the next wrap of the master phase, or for the next stand.
  void walk(GaitState& s) const { s.walking = 1.0; }
  void stop(GaitState& s) const { s.walking = 0.0; }
  void change(GaitState& s, int gait) const;
  bool change(GaitState& s, const StepShape& shape) const;  // false: the shape is wrong, nothing changes
  void reset(GaitState& s) const;                           // after a halt: stands where it is
  void lose(GaitState& s, int leg) const;                   // from now on it walks without this leg
  void halt(GaitState& s, WalkFault fault, int leg) const;  // feet in the air come down, and it stays there

  GaitReport step(GaitState& s, const GaitInput& in = {}) const;

  int legs() const { return gaits_.front().legs; }
  double tick() const { return tick_; }
  const GaitTable& table(const GaitState& s) const { return gaits_[int(s.gait)]; }
  const GaitTable& table_of(int gait) const { return gaits_[gait]; }
  double master_phase(const GaitState& s) const;
  double phase(const GaitState& s, int leg) const;         // psi
  StepPoint ideal(const GaitState& s, int leg) const;      // at the present phase
  StepPhase phase_tag(const GaitState& s, int leg) const;  // of the foot as it moves

 private:
  struct Now;
  void adopt(GaitState& s) const;
  void lift(GaitState& s, int leg, double air_time) const;
  void fly(GaitState& s, const Now& now, int leg) const;
  bool look_beside(GaitState& s, const Now& now, int leg) const;
  void go_beside(GaitState& s, const Now& now, int leg) const;
  void lift_due(GaitState& s, Now& now) const;
  void step_walk(GaitState& s, Now& now) const;
  void step_free(GaitState& s, Now& now) const;
  bool place(GaitState& s, Now& now) const;
  void advance_phase(GaitState& s, Now& now) const;
  void follow_ground(GaitState& s) const;

  std::vector<GaitTable> gaits_;
  double tick_;
  AdaptationRule rule_;
  std::array<int, most_legs> placing_{};  // order of placing: rows from the rear, left before right
};

}  // namespace sinew::legged
