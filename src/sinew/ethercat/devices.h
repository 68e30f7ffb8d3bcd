// What a robot has on the bus: a drive for each axis that can be told something, a sensor for each instrument of forces; and where their values are in
// readings and commands.
#pragma once
#include "sinew/bridge/layout.h"
#include "sinew/ethercat/segment.h"

namespace sinew::ethercat {

struct DriveDevice {
  DriveKind kind;
  int drive = -1;    // in Model::drives; -1: an ideal torque on an axis
  int q = 0, u = 0;  // of its axis in readings; of the first of a transmission's
  int transmission = -1, row = 0;
  int torque_at = -1, position_at = -1, velocity_at = -1, reset_at = -1;  // in Input, as command_at() counts; -1: none
  std::vector<bridge::Slot> slots;                                        // all that it can be told
};

struct SensorDevice {
  SensorKind kind;
  std::vector<int> channels;  // offsets in readings, as number_at() counts
  int saturated = -1, lost = -1;
};

struct Devices {
  std::vector<DriveDevice> drives;
  std::vector<SensorDevice> sensors;
};

// Throws InputError: a drive that is told a current or a voltage.
Devices devices_of(const sim::Experiment& experiment, const bridge::Layout& layout);

// Drives first, then sensors.
std::vector<Slave> slaves_of(const Devices& devices);

}  // namespace sinew::ethercat
