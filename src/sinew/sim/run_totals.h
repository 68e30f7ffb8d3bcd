// RunTotals: what a run adds up step by step, cheaply, from the report of the step and the contacts that the state remembers.
// Nothing here looks at the whole robot in every step: that costs more than the step.
#pragma once
#include <vector>

#include "sinew/world/world.h"

namespace sinew::sim {

struct RunTotals {
  double normal = 0.0;       // impulse of all normal forces [N s]
  double contacts = 0.0;     // points that touch, times the time they do [s]
  double penetration = 0.0;  // the deepest [m]
  double outside = 0.0;      // most by which an impulse of a contact left its set [N s]
  double friction = 0.0;     // most energy that friction put in [J]
  double torque = 0.0;       // the largest of a drive [N m or N]
  double saturated = 0.0;    // time during which some servo gives all it can [s]
  Vec3d start{};             // centre of mass at the start [m]
  Vec3d mark{};              // and at output.t_avg_start, or the first step after it [m]
  double t_mark = -1.0;      // time of that [s]; < 0: not reached yet
  double weight = 0.0;       // of all bodies, at the start [N]
  double settled = 0.0;      // last time at which the normal forces were 1 % off the weight [s]
  // of penalty contacts
  double deep = 0.0;                         // points that were found deeper than their cap
  double sliding = -1.0;                     // 1: some point slides; 0: all that touch stick; below 0: not known yet
  double changed = -1.0;                     // when that became so; below 0: with the first step [s]
  double stick_time = 0.0, slip_time = 0.0;  // longest from one change to the next [s]
  double slide = -1.0, slide_before = -1.0;  // when the last two slides began; below 0: there was none [s]
  // Impacts: steps in which a point that was open came to push, and what they took out, friction included. Those that took less
  // than 1e-5 of all before are points that were held by nothing but round-off.
  std::vector<double> impact_times = {}, impact_losses = {};  // [s], [J]; the first few
  std::vector<double> impact_points = {};  // pair of shapes that struck, the first of several, from 1
  double lost = 0.0;                       // by contacts until the last step [J]
  std::vector<char> pushed = {};           // of each slot: in the last step
  double through = 0.0;                    // energy that drives took from the supply or gave back, without sign [J]
};
inline constexpr std::size_t most_impacts = 8;

void add_step(const Model& model, const StepReport& report, const State<double>& state, double dt, RunTotals& totals);

}  // namespace sinew::sim
