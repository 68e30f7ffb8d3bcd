// Channels: all that goes into a simulation and comes out of it, by name, with units: for controllers, bridges and other programs.
//   reading    what sensors report to controllers: joint.NAME.q, joint.NAME.u (by a sensor of the axis, else by ideal encoders), sensor.NAME,
//              .saturated, .lost; at offset in the lists q, u, sensor, saturated, lost one after the other
//   command    what controllers give: joint.NAME.torque, at offset in Input::torque; none where a motion is followed exactly. Of a robot
//              with equations of its own: what its plant can be told (SectionPlant::commands). Then those of drives, drive.NAME.position and
//              the like, at offset in Input::drive behind all torques
//   parameter  a number that may be changed while it runs, at offset in parameters_of()
//   signal     what can be recorded, at offset in Experiment::signals(): the truth, for those who watch
// Names are unique within a direction. A reading or command of a joint with several coordinates or axes has their number as its size;
// NAME.i is then one of them.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/sim/parameters.h"
#include "sinew/sim/signals.h"

namespace sinew::sim {

enum class Direction { Reading, Command, Parameter, Signal };
std::string_view name_of(Direction direction);

struct Channel {
  std::string name, unit, description;
  Direction direction;
  int offset = 0, size = 1;
};

class Channels {
 public:
  Channels(const Model& model, std::span<const Signal> signals, std::span<const Parameter> parameters);

  const std::vector<Channel>& all() const { return all_; }

  // The channel of this name in the first of the directions that has one. Throws InputError with the nearest names.
  Channel find(std::string_view name, std::span<const Direction> directions) const;

 private:
  std::vector<Channel> all_;
};

}  // namespace sinew::sim
