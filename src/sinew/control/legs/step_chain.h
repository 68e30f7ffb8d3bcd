// Walking that is planned while it goes (docs/theory/biped.md#steps-as-told): a twist becomes steps, one after the other. At every tick the capture point is
// found from the end of the next steps back, and a pendulum follows it:
//   xi = w int e^(-w s) p_X(s) ds,   p = p_plan + (1 + k) (X + X' / w - xi) within the soles,   X'' = w^2 (X - p_X)
// so a step that is told otherwise bends the motion and nothing jumps. Points and states: control/legs/lumped_pendulum.h. Footholds move where balance
// needs them: control/legs/save_steps.h. Axes x forward, y left; sides 0 left, 1 right.
#pragma once
#include "sinew/control/legs/capture_feedback.h"
#include "sinew/control/legs/footsteps.h"
#include "sinew/control/legs/lumped_pendulum.h"

namespace sinew::legged {

struct WalkTwist {
  double speed = 0.0, left = 0.0, turn = 0.0;  // of the middle of the feet [m/s, m/s, rad/s]
  bool is_rest() const { return speed == 0.0 && left == 0.0 && turn == 0.0; }
};

struct StepChainShape {
  double step_time = 0.8, double_part = 0.25;  // of a step; part of it on both feet [s, 1]
  double lift = 0.04;                          // of a foot in the air [m]
  double ahead = 0.03, inward = 0.005;         // where a sole carries, from below its ankle [m]
  double accel = 0.15, turn_accel = 0.3;       // of the twist [m/s^2, rad/s^2]
  double hip_height = 0.775;                   // [m]
};

enum class ChainPhase { Stand, Shift, Swing };

// All that is remembered: doubles alone.
struct StepChain {
  double phase = 0.0, t = 0.0, T = 0.0;  // ChainPhase; time in it; its length [s]
  double side = 1.0;                     // the foot that swings, or swings next
  double closes = 0.0;                   // 1: after this it stands
  double astray = 0.0, saves = 0.0;      // 1: balance has moved this foothold; how many it has moved
  WalkTwist twist;                       // that is walked
  std::array<Footprint, 2> foot;         // where they stand; of the one in the air, where it left
  Footprint to;                          // where that goes
  Vec3d at = Vec3d::zero(), rate = Vec3d::zero(), accel = Vec3d::zero();  // of the foot in the air, over the ground [m]
  Vec3d p_from = Vec3d::zero(), p_to = Vec3d::zero();                     // zero-moment point, during this phase [m]
  Vec3d p = Vec3d::zero();                                                // as it is now
  Vec3d X = Vec3d::zero(), V = Vec3d::zero(), xi = Vec3d::zero();         // lumped pendulum; capture point of the plan
  double drop = 0.0, drop_rate = 0.0;  // of the hips, so that feet far apart are within reach [m, m/s]
  ChainPhase what() const { return ChainPhase(int(phase)); }
};

// A moment of it, as a controller follows it.
struct ChainMoment {
  Vec3d c = Vec3d::zero(), v = Vec3d::zero(), a = Vec3d::zero();  // mass centre, over the ground [m, m/s, m/s^2]
  Vec3d p = Vec3d::zero();
  std::array<Footprint, 2> foot;  // with the height of the one in the air
  std::array<Vec3d, 2> over;      // points of the soles that carry
  int swings = -1;
  double part = 0.0, left = 0.0, drop = 0.0;
};

class StepChainWalk {
 public:
  StepChainWalk(const BipedBody& body, const StepChainShape& shape, const CaptureFeedback& feedback, double g);

  void begin(StepChain& c) const;  // at rest over both feet, which are where c has them
  // dt later, with this twist wanted.
  void advance(const WalkTwist& wanted, double dt, StepChain& c) const;
  ChainMoment moment(const StepChain& c) const;

  const LumpedPendulum& pendulum() const { return pendulum_; }
  const StepChainShape& shape() const { return shape_; }
  Vec3d over_sole(const Footprint& foot, int side) const;
  Vec3d over_both(const std::array<Footprint, 2>& foot) const;
  SupportPolygon soles(const StepChain& c) const;  // that stand
  // b and the sum of the feet, over the ground.
  Vec3d ahead(const StepChain& c) const;
  Vec3d feet(const StepChain& c) const;

 private:
  void follow_twist(const WalkTwist& wanted, double dt, StepChain& c) const;
  bool is_closed(const std::array<Footprint, 2>& foot) const;
  Footprint next_foothold(const std::array<Footprint, 2>& foot, int side, const WalkTwist& twist) const;
  void begin_shift(double T, bool closes, StepChain& c) const;
  void change_phase(StepChain& c) const;
  void swing_foot(double dt, StepChain& c) const;
  double yaw_of(const StepChain& c, int side) const;
  Vec3d capture_plan(const StepChain& c) const;
  double wanted_drop(const StepChain& c) const;

  BipedBody body_;
  StepChainShape shape_;
  CaptureFeedback feedback_;
  LumpedPendulum pendulum_;
};

}  // namespace sinew::legged
