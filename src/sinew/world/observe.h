// Read-outs: what a world shows to plots, tests and people. Computed from the state; never used inside a step.
#pragma once
#include "sinew/model/readings.h"
#include "sinew/world/contacts.h"
#include "sinew/world/reactions.h"

namespace sinew {

// Where a body is: pose of the plan's body frame, centre of mass, velocities.
template <Real S>
struct BodyMotion {
  Pose<S> X_WB;
  Vec3<S> p_WC;  // centre of mass [m]
  Vec3<S> w_WB;  // angular velocity, world axes [rad/s]
  Vec3<S> v_WC;  // velocity of the centre of mass [m/s]
};

// Where a joint is and what acts on its axes. For a driven joint, torque is what the drive must give.
template <Real S>
struct JointMotion {
  std::vector<S> q;       // coordinates (nq)
  std::vector<S> u;       // velocities (nu)
  std::vector<S> torque;  // of springs, dampers, servos, commands, or the drive (nu) [N m or N]
};

template <Real S>
struct Energy {
  S kinetic, potential, elastic;  // [J]
  SINEW_INLINE S total() const { return kinetic + potential + elastic; }
};

template <Real S>
struct Momentum {
  Vec3<S> linear;   // [N s]
  Vec3<S> angular;  // about the world's origin [N m s]
};

template <Real S>
struct CableReading {
  S length, tension;  // [m, N]
};

// Of all bodies together.
template <Real S>
struct CentreOfMass {
  Vec3<S> p, v;  // [m], [m/s]
};

// How much is worked out: all of the one before, and more.
enum class Look {
  Nothing,
  Places,  // bodies, their centre of mass, contacts
  Joints,  // joints with what acts on their axes, cables
  All      // energy, momentum, gaps
};

// Everything at once: one pass over the robot.
template <Real S>
struct Observation {
  std::vector<BodyMotion<S>> bodies;    // by link
  std::vector<JointMotion<S>> joints;   // by plan joint
  std::vector<CableReading<S>> cables;  // by Model::cables
  Energy<S> energy;
  S balance_error;  // total energy minus what it should be [J]
  Momentum<S> momentum;
  CentreOfMass<S> com;
  S gap;                                    // largest gap of a cut joint [m or rad]
  std::vector<ContactReading<S>> contacts;  // by Model::pairs
  std::vector<BodyContact<S>> touched;      // by link
  ContactTotal<S> total;                    // of all contacts
  std::vector<double> plant;                // by Plant::readings()
  LazyReactions reactions;                  // accelerations, and what joints hand on
};

template <Real S>
struct Frames;  // kinematics/frames.h

// Looks again and again at worlds of one model. All memory is taken when it is made.
template <Real S>
class Observer {
 public:
  explicit Observer(const Model& model);
  ~Observer();
  Observer(Observer&&) noexcept;
  // Until the next call. What was not asked for is not of this moment.
  const Observation<S>& observe(const World<S>& world, Look look = Look::All);
  const Frames<S>& frames() const;  // of the last look
  // Coordinates and velocities of all joints alone, into arrays that have their sizes: a small part of the work. What observe() gave stays.
  void read_joints(const World<S>& world, std::vector<S>& q, std::vector<S>& u);

 private:
  void check_is_of(const World<S>& world) const;
  void observe_joints(const World<S>& world);
  void observe_energy(const World<S>& world);

  std::unique_ptr<Workspace<S>> ws_;
  std::unique_ptr<Scratch> scratch_;  // of Model::plant, if there is one
  std::vector<Vec3<S>> p_WC_;
  Observation<S> seen_;
};

// A single look.
template <Real S>
Observation<S> observe(const World<S>& world);

// What sensors said last (world/sense.h) and ideal encoders of all other joints report, into arrays that are sized on the first call.
void read_sensors(const World<double>& world, Readings& out);
// Again and again, by an observer of this model: where joints are cut or driven, a single look takes the memory for it each time.
void read_sensors(const World<double>& world, Observer<double>& observer, Readings& out);

}  // namespace sinew
