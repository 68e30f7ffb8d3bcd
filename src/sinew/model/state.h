// State: all that is needed to resume a run, as plain values. Copy = snapshot. Input: what is commanded from outside.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "sinew/math/spatial.h"
#include "sinew/model/model.h"

namespace sinew {

// Work done so far [J]; integrated with the stepper's own quadrature so that the balance closes at its order.
template <Real S>
struct Work {
  S actuators = S(0.0);  // by servos, commanded torques and driven joints
  S external = S(0.0);   // by wrenches applied from outside
  S damping = S(0.0);    // taken out by dampers (positive)
  S friction = S(0.0);   // taken out by friction of contacts and joints (positive)
  S impact = S(0.0);     // taken out by normal forces: impacts, ends of joint ranges (positive)
  S start = S(0.0);      // mechanical energy when the run began

  void add(const Work& rate, const S& dt) {
    actuators += rate.actuators * dt;
    external += rate.external * dt;
    damping += rate.damping * dt;
    friction += rate.friction * dt;
    impact += rate.impact * dt;
  }
};

// Bounces of a robot on penalty contacts, as the steppers see them: all contacts together count as one.
template <Real S>
struct Bounces {
  static constexpr int most = 8;
  S touching = S(0.0);  // 1: something touches now
  S touches = S(0.0), releases = S(0.0);
  S first_touch = S(0.0), first_release = S(0.0);  // [s]
  S first_speed = S(0.0);                          // at which the first contact closed [m/s]
  S first_d = S(0.0);                              // its damping [s/m]
  S first_floor = S(0.0);                          // its least impact speed [m/s]
  S first_force = S(0.0), first_depth = S(0.0);    // largest until the first release [N, m]
  std::array<S, most> rebound{};                   // speeds of the first releases [m/s]
};

template <class BouncesType, class F>
void for_each_bounce(BouncesType& b, F f) {
  for (auto* x : {&b.touching, &b.touches, &b.releases, &b.first_touch, &b.first_release, &b.first_speed, &b.first_d,
                  &b.first_floor, &b.first_force, &b.first_depth})
    f(*x);
  for (auto& x : b.rebound) f(x);
}

// What a contact point remembers of the last step: numbers of one slot, world axes. Impulses are warm starts, so
// they are state.
namespace slot {
enum : int {
  key = 0,    // feature + 1; 0: nothing touched here
  P = 1,      // impulses N, T1, T2, D, V1, V2 [N s, N m s]
  point = 7,  // where [m]
  n = 10,     // normal
  t1 = 13,    // first tangent
  gap = 16,   // [m]
  slip = 17,  // sliding speed at the end of the step [m/s]
  change =
      18,  // by which T1, T2, D, V1, V2 changed their velocities in the step: the next one's will be alike [m/s, rad/s]
  // of a penalty contact, which has no warm start:
  d = change,            // latched damping [s/m]
  stretch = change + 1,  // of the anchor, world axes [m]
  stick = change + 4,    // 1: sticks; 2 more: was found deeper than its cap
  pair = 23,             // of a crowd: number of the pair + 1, in all of its slots
  pull = 24,             // of adhesion, which the normal impulse P does not hold [N s]: P - pull is what is felt
  size = 25
};
}

// What a pad of adhesion remembers.
namespace pad {
enum : int {
  level = 0,     // how far it is charged, in the present step [1]
  covered = 1,   // share that grains cover [1]
  attached = 2,  // 1: it lay on in the last step
  pull = 3,      // with which it did [N]
  size = 4
};
}

// Of a whole register of robots.
struct StepClock {
  double t = 0.0;  // [s]
  std::int64_t steps = 0;
  double dt = 0.0;                          // last step: impulses over it are forces [s]
  double iterations = 0.0, residual = 0.0;  // of the solver in that step [1, m/s]
};

template <Real S>
struct State : StepClock {
  std::vector<S> q, u;  // coordinates and velocities of the bodies
  Work<S> work;
  Bounces<S> bounces;
  // What parts of the simulation remember, a list each; compile() gives them their sizes.
  std::vector<S> contact;  // slot::size numbers a slot
  std::vector<S> axis_P;   // impulse of each set-valued axis row
  std::vector<S> pad;      // pad::size numbers a pad
  std::vector<S> plant;    // of Model::plant; q and u then follow from it
  std::vector<S> past;     // what a stepper keeps of the last step (step/past.h); empty: nothing
  std::vector<S> memory;   // of controllers and devices, by Model::memory
};

template <Real S>
struct Input {
  std::vector<S> torque;  // commanded on each joint axis, or of each of SectionPlant::commands(), held over a step
  std::vector<Wrench<S>> external;  // on each body: about its centre of mass, world axes
  std::vector<S> drive =
      {};  // drive::command::size set-points of each of Model::drives, held until others come, or drive::command::none
};

// Number i of torque and drive one after the other, the offset of a channel (sim/channels.h).
template <class AnyInput>
auto& command_at(AnyInput& input, std::size_t i) {
  return i < input.torque.size() ? input.torque[i] : input.drive[i - input.torque.size()];
}

// The lists of a state, each with its name in files. The one place that knows them all: what copies, hashes, stores or compares states
// goes through here.
template <class StateType, class F>
void for_each_list(StateType& s, F f) {
  f("q", s.q);
  f("u", s.u);
  f("contact", s.contact);
  f("axis_P", s.axis_P);
  f("pad", s.pad);
  f("plant", s.plant);
  f("past", s.past);
  f("memory", s.memory);
}

// Everything of a state that differs from robot to robot, in one order: for hashes and copies.
template <class StateType, class F>
void for_each_number(StateType& s, F f) {
  for_each_list(s, [&](const char*, auto& list) {
    for (auto& x : list) f(x);
  });
  for (auto* x :
       {&s.work.actuators, &s.work.external, &s.work.damping, &s.work.friction, &s.work.impact, &s.work.start})
    f(*x);
  for_each_bounce(s.bounces, f);
}

// Of the lists, in their order.
template <Real S>
std::vector<std::size_t> list_sizes(const State<S>& state);

// StepClock and sizes of another state; all else is zero.
template <Real To, Real From>
State<To> shaped_like(const State<From>& from);

// 64-bit hash of one robot's state: equal bits, equal hash.
template <Real S>
std::uint64_t hash(const State<S>& state, int lane = 0);

}  // namespace sinew
