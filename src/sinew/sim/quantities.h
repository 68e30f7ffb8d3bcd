// The table of quantities: all that a moment of a world can tell, one row each. Names, units, descriptions, values and what pages are sent of
// it follow from here; a new signal is a row. What is about a whole run, or about a robot that stands, has tables of its own
// (run_quantities.h, static_quantities.h), because it is worked out from other things.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "sinew/world/observe.h"

namespace sinew::sim {

struct Moment {
  const World<double>& world;
  const Observation<double>& seen;  // of the world
};

// Of what the quantity is. There are as many signals of a row as there are parts of this sort.
enum class Part {
  Time,
  Body,
  Base,  // a body that carries others and that nothing holds: its attitude is asked for
  Joint,
  FollowingJoint,  // that is not driven, but has a motion to follow
  Plant,           // names, units and descriptions are the plant's
  RodEnd,          // index: 2 rod for the end X = 0, 2 rod + 1 for the end X = l
  Cable,
  Marker,
  TouchedBody,
  Point,
  Contact,
  AllContacts,
  Pad,
  Drive,       // of Model::drives
  Servo,       // of Model::servo_drives; index: its joint
  DriveTotal,  // of all drives together
  Sensor,      // names and units are those of its kind
  Controller,  // index: place in State::memory; names, units and descriptions are the robot's
  Robot,
  Solver,
  Account
};

// How many numbers it has: one; x, y, z; w, x, y, z; as many as the joint has coordinates or axes.
enum class Size { One, Vector, Quaternion, Coordinates, Axes };

// Whether a page is sent it: it is drawn; always; or only if there are not too many signals.
enum class Sent { Drawn, Always, IfFew };

struct Quantity {
  Part part;
  Size size;
  std::string_view name;         // of the signal; for a part behind "body.NAME." and the like
  std::string_view unit;         // empty: unit_of
  std::string_view description;  // {}: the name of the part
  double (*read)(const Moment& moment, int index, int component);
  Sent sent = Sent::Always;
  std::string_view (*unit_of)(JointKind kind, int component) = nullptr;  // of joints
  bool (*is_there)(const Model& model, int index) = nullptr;             // nullptr: always
  bool by_name = false;  // costs something: not meant by "*" alone, and not sent to pages
};

std::span<const Quantity> quantities();
Look look_for(const Quantity& quantity);                        // what it reads of an observation
const Quantity& quantity_of(Part part, std::string_view name);  // one that there is

// With the name of the part.
std::string description_of(const Quantity& quantity, std::string_view part);

}  // namespace sinew::sim
