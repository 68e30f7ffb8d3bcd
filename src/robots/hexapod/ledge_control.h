// How the hexapod climbs a ledge (docs/theory/hexapod.md#ledge): walks up to it, sees its edge and height with a range sensor in its head, or is told
// them, plans its way (control/legs/ledge_plan.h) and goes it frame by frame. A phase is left when its conditions hold, as its sensors say.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "robots/hexapod/servo_level.h"
#include "robots/hexapod/walk_control.h"
#include "sinew/control/legs/ledge_plan.h"

namespace sinew::robots {

enum class LedgeState { Off, Approach, Climb, Over };

// All that it remembers besides the plan, which follows it in memory: doubles alone.
struct LedgeProgress {
  double state = 0.0;
  legged::LedgeClimb climb;
  double edge = 0.0, height = 0.0;  // of the wall ahead of the origin of G [m]; 0: not known
  double low = 0.0, high = 10.0;    // bounds of the height that rays have found [m]
  double seen = 0.0;                // 1: the edge has been seen or told
  double near = 0.0;                // 1: it has come near enough
  double travelled = 0.0, rested = 0.0;
  double frame = 0.0, ticks = 0.0;
  double front = 0.0, rear = 0.0;                  // references of the hinges, far ends up [rad]
  std::array<Vec3d, legged::most_legs> off{};      // of feet that stand, from the plan [m]
  std::array<double, legged::most_legs> landed{};  // 1: since it came down last
  double no_plan = 0.0;                            // 1: there is no way
  legged::LedgePlan::Failure failure;              // of the plan
  double worst_margin = 1.0, worst_hinge = 0.0;    // of the climb [m, N m]
  LedgeState now() const { return LedgeState(int(state)); }
};
inline int ledge_memory_size() { return int((sizeof(LedgeProgress) + sizeof(legged::LedgePlan)) / sizeof(double)); }

// What a tick has of it: a copy of what it remembers, and where that is.
struct LedgeTurn {
  LedgeProgress progress;
  std::span<double> memory, plan;
  bool goes_on = false;  // on its way to the ledge
  bool runs() const { return progress.now() == LedgeState::Climb; }
};

class LedgeClimber {
 public:
  LedgeClimber(const HexapodControl& control, const legged::SegmentedBody& body, const HexapodWiring& wiring,
               double period, double g);

  // A climb begins with the order to do so: it looks for the ledge, walks up to it, and plans. What was begun is finished, whatever is ordered then.
  void begin(const Readings& r, const Sight& see, std::span<double> memory, const HexapodMemory& m,
             LedgeTurn& turn) const;
  // One tick of the climb: pose of the body, which feet stand, where all feet should be in G.
  void climb(const Readings& r, const Sight& see, HexapodMemory& m, LedgeTurn& turn, std::span<Vec3d> feet) const;
  void end(HexapodMemory& m, LedgeTurn& turn) const;

 private:
  bool approach(const Readings& r, const Sight& see, const HexapodMemory& m, LedgeProgress& l) const;
  void make_plan(const HexapodMemory& m, LedgeProgress& l, std::span<double> plan) const;
  void hand_over(std::span<const double> plan, HexapodMemory& m, const LedgeProgress& l) const;
  struct Tick;
  void look_ahead(const Readings& r, const Sight& see, LedgeProgress& l) const;
  legged::LedgeSight sight_of(const Readings& r, const Sight& see, const HexapodMemory& m,
                              const LedgeProgress& l) const;
  Vec3d relief(int leg, const Sight& see) const;
  void place_foot(int leg, const Tick& tick, const Sight& see, HexapodMemory& m, LedgeProgress& l, Vec3d& foot) const;
  legged::LedgeFrame frame_at(std::span<const double> plan, double k) const;
  legged::LedgeJudge judge_of(const LedgeProgress& l) const;
  double nominal() const { return body_.hip_height + body_.foot_radius; }  // of the body over the ground
  double head_front() const;

  HexapodControl c_;
  legged::SegmentedBody body_;
  HexapodWiring wiring_;
  double period_, g_;
  legged::LedgeRules rules_;
};

// Of what follows HexapodMemory in its block.
void add_ledge_signals(std::vector<MemorySignal>& out);
std::vector<std::string> ledge_remarks(std::span<const double> memory);

}  // namespace sinew::robots
