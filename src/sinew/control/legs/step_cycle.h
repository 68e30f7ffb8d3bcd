// The step cycle of one foot (docs/theory/hexapod.md#step-cycle; Konyev 2011, eqs. (3.1) to (3.6)). The foot leaves and meets the ground
// while it goes back as fast as the body goes forward: vertically in the world.
//   V_up = 2 H V_tr / L,  T_tr = 4 H / V_up = 2 L / V_tr,  Period = T_tr / tau,  V_st = L / (Period - L / V_tr) = V_tr tau / (2 - tau)
//   L stroke [m], H adaptation height [m]: the apex is at 2 H, V_tr transfer speed [m/s], V_st speed of the body [m/s],
//   tau = T_tr / Period, the part of a period in the air: 1 - duty factor
// `along` is the place on the stroke, forward, from the neutral point; `up` the height over the nominal ground.
#pragma once
#include <array>
#include <string_view>

namespace sinew::legged {

struct StepShape {
  double stroke = 0.07, height = 0.025;       // L, H [m]
  double transfer_speed = 0.3;                // V_tr [m/s]
  double tau = 0.5;                           // in (0, 1/2]
  double marching_time = 0.4666666666666667;  // in the air where stroke or speed are zero [s]
  bool marches() const { return !(stroke > 1e-9 && transfer_speed > 1e-9); }  // steps on the spot
};

// Empty: good; else what is wrong with the shape.
std::string_view problem_of(const StepShape& shape);

struct StepTiming {
  double v_up, t_transfer, period, t_stance, v_body;  // [m/s, s]
  double lift_off, touch_down, stance_travel;         // [m]
};
StepTiming timing_of(const StepShape& shape);

// Elementary motions 1 transfer, 2 stand, 3 up, 4 down; a cycle is 23, 13, 14, 24, 2.
enum class StepPhase { BackUp = 23, ForwardUp = 13, ForwardDown = 14, BackDown = 24, Stance = 2 };
constexpr bool is_airborne(StepPhase phase) { return phase != StepPhase::Stance; }

struct StepPoint {
  StepPhase phase = StepPhase::Stance;
  double along = 0.0, up = 0.0;  // [m]
};
// psi: phase of the cycle in [0, 1), 0 where the foot begins to lift.
StepPoint step_point(const StepShape& shape, const StepTiming& timing, double psi);

// A cycle for servos that must not be asked to jump: back at constant speed while it stands, forward by a quintic in the air (math/ramp.h), up by
// 16 a^2 (1 - a)^2, a = psi / tau. `along` in strides, from +1/2 at landing to -1/2 at lift-off; `up` as a part of the step's height. tau in (0, 1).
StepPoint smooth_step_point(double tau, double psi);

// x - floor(x) in [0, 1); what lies below the next whole number by less than 1e-9 counts as it.
double cycle_phase(double x);

// What rounds off a jump v of the speed at t = 0 by parabolas from -w to w: v (w - |t|)^2 / (4 w) [m].
double rounding(double t, double v, double w);

// Where and when a foot that goes down meets ground at the height y_c. The next lift-off does not move: the period is constant.
enum class Ground { InZone, Hole, Obstacle };  // y_c below -H: none is met; above H: met before the descent
struct Landing {
  Ground ground;
  double time, along, t_stance;  // after lift-off [s]; [m]; until the next lift-off [s]
};
Landing landing_at(const StepShape& shape, const StepTiming& timing, double y_c);

// Contact from a measured normal force: above `on` for `ticks` in a row, and gone after as many below `off`.
struct ContactRule {
  double on = 2.0, off = 1.0;  // [N]
  int ticks = 5;
};
struct ContactFlag {
  bool touching = false;
  int count = 0;
  bool update(const ContactRule& rule, double force);
};

}  // namespace sinew::legged
