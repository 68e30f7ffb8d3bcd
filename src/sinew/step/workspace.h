// Workspace: everything a step computes on the way. Allocated once from the model; meaningless between steps, and filled
// with NaN before every step in debug builds so that a stale value is found at once.
#pragma once
#include "sinew/contact/detect.h"
#include "sinew/dynamics/inverse.h"
#include "sinew/model/plant.h"
#include "sinew/solve/delassus.h"
#include "sinew/solve/sweeps.h"
#include "sinew/step/devices.h"
#include "sinew/step/held_servos.h"
#include "sinew/step/impact_work.h"
#include "sinew/step/soft_work.h"

namespace sinew {

// Forces of drives on each joint axis (plan joints), written by actuate.
template <Real S>
struct AxisForces {
  std::vector<S> actuator, damper, spring;  // [N m or N]
  std::vector<S> servo_slope;               // implicit steppers: what the servo loses per unit of end velocity
  explicit AxisForces(int n) : actuator(n, S(0.0)), damper(n, S(0.0)), spring(n, S(0.0)), servo_slope(n, S(0.0)) {}
};

template <Real S>
struct Workspace : Scratch {
  explicit Workspace(const Model& model);

  Frames<S> frames;
  Frames<S> frames_E;  // at the end of the step: gaps only
  Blocks<S> blocks;
  Cuts<S> cuts;
  Contacts<S> contacts;
  Rows<S> rows;
  RecursionWork<S> recursion;
  DelassusWork<S> delassus;
  SoftWork<S> soft;
  ImpactWork<S> impact;
  SweepWork<S> sweeps;
  HeldServos<S> held;
  Devices<S> devices;
  std::vector<S> pad_count;        // closed contact points of each pad
  std::vector<S> pad_pull;         // with which it pulls [N]
  std::vector<S> cable_length;     // [m]
  std::vector<S> cable_tension;    // [N]
  std::vector<S> load_factor;      // of Model::loads [1]
  Rows<S> penetrations;            // contacts that penetrate, while they are taken apart
  std::vector<S> depenetrated_by;  // per freedom: displacement
  bool servos_in_rows = false;     // in this step servos are laws on axes, not torques
  InverseWork<S> inverse;
  Prescribed<S> driven;              // given motions as the frames use them
  Prescribed<S> driven_M, driven_E;  // in the middle and at the end of the step
  AxisForces<S> axis;
  Mask<S> saturated{};                     // some servo gives all it can; servos that are laws are not counted here
  std::vector<S> axis_u;                   // velocity of each joint axis
  std::vector<S> tau;                      // per freedom: torques of drives and commands
  std::vector<S> diag;                     // per freedom: implicit part of drives
  std::vector<S> weight, weight_A;         // per freedom: of gravity, now and at the start of the step (freeze_forces)
  std::vector<Wrench<S>> applied;          // per link about its mass centre: external, and drives of cut joints
  std::vector<S> u_rate;                   // per freedom
  std::vector<S> axis_torque;              // per frame axis: inverse dynamics
  std::vector<Twist<S>> V;                 // per link: velocities at another u
  std::vector<Twist<S>> V_0;               // per link: freedoms as at the start, given motions as at the end
  std::vector<S> q, u, u_mean;             // trial state
  std::vector<S> u_b, driven_u_b;          // velocities at which quadratic terms are taken
  Mask<S> continues{};                     // the state is as the last step left it
  std::vector<Mask<S>> touches_other;      // per robot: has contacts with what is not itself
  std::vector<Wrench<S>> late_given;       // per robot that may fly: momentum that this step adds (step/momentum.h)
  std::vector<Mask<S>> jumps;              // per robot: some contact, or the end of a joint's range, changes velocities
  std::array<std::vector<S>, 7> k_q, k_u;  // Runge-Kutta stages
  std::vector<S> start_q, start_u;         // of a step that is made of several
  Contacts<S> near;                        // scratch: points within a wider margin
  std::vector<S> phi;                      // displacement of a stage
  std::vector<S> open_q;                   // scratch: a stage before its gaps are closed

  void poison();  // debug builds: NaN into the arrays above
};

}  // namespace sinew
