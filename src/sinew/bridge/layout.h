// Layout: what stands where in the image that a robot and its controller exchange every cycle. It follows from the robot alone, so both sides
// make the same one, and its hash tells them whether they did.
//   measured     header, state and fault of each device (uint16 each), then numbers: t, readings q, u, sensors, saturated, lost
//   references   header, control word of each device (uint16), then numbers: torque of each axis, set-points of each drive
// A device is an axis that can be told something, with the drive that moves it. All is little-endian; numbers are IEEE doubles at multiples of
// eight bytes, words fill up to one. Names of slots are those of channels (sim/channels.h).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/sim/experiment.h"

namespace sinew::bridge {

struct Slot {
  std::string name, unit;
  int at = 0;       // of measured: in the list t, q, u, sensor, saturated, lost; of references: in torque, then drive
  int device = -1;  // of references
  double low = 0.0, high = 0.0;  // of references: what is allowed
  bool may_be_none = false;      // of references: drive::command::none as well, for what is not given
  double safe = 0.0;             // of references: in the safe state "zero"
  bool resets = false;           // of references: forgets the fault of a drive, also by control::reset
};

struct Layout {
  std::string robot;   // scenario
  double cycle = 0.0;  // [s]
  std::vector<std::string> devices;
  std::vector<int> drive_of;  // of each device, in Model::drives; -1: none
  std::vector<Slot> measured, references;
  std::uint32_t hash = 0;

  std::size_t measured_words() const { return 2 * devices.size(); }
  std::size_t references_words() const { return devices.size(); }
  std::size_t measured_bytes() const { return bytes(measured_words(), measured.size()); }
  std::size_t references_bytes() const { return bytes(references_words(), references.size()); }

  static constexpr std::size_t header_bytes = 48;
  // Where numbers begin behind so many words.
  static constexpr std::size_t numbers_at(std::size_t words) { return header_bytes + (2 * words + 7) / 8 * 8; }
  static constexpr std::size_t bytes(std::size_t words, std::size_t numbers) { return numbers_at(words) + 8 * numbers; }
};

// cycle [s]. Throws InputError if there is nothing that a controller could tell the robot.
Layout layout_of(const sim::Experiment& experiment, double cycle);

// For C and for Python: the struct, and what is needed to exchange it.
std::string c_header(const Layout& layout);
std::string python_module(const Layout& layout);

}  // namespace sinew::bridge
