// Slave: a device on the segment: its controller, objects, mailbox, EEPROM and the state of its application layer; a drive by CiA 402, or a force sensor.
#pragma once
#include <optional>

#include "sinew/ethercat/coe.h"
#include "sinew/ethercat/drive_profile.h"
#include "sinew/ethercat/mapping.h"
#include "sinew/ethercat/sii.h"

namespace sinew::ethercat {

struct SensorKind {
  std::string name;
  int channels = 6;  // forces, then torques
};

struct Slave {
  Identity identity;
  Esc esc;
  Dictionary objects;
  Mailbox mailbox;
  std::vector<std::uint8_t> eeprom;
  ProcessData outputs, inputs;  // as mapped since it went to SafeOp
  std::optional<DriveProfile> drive;
  std::uint32_t channels_at = 0, status_at = 0;  // of a sensor
  int n_channels = 0;

  std::uint8_t state = al::init;
  bool wants_op = false;                         // asked for, and waits for outputs
  bool is_lost = false;                          // outputs have failed to come
  std::int64_t asked_op = 0, heard_outputs = 0;  // when [ns]
  std::int64_t clock_offset = 0;                 // of its own clock [ns]

  bool is_operational() const { return state == al::op; }
  bool has_outputs() const { return outputs.bytes > 0; }
  // Sync 0 of its distributed clock.
  bool has_sync() const { return (esc.memory[reg::dc_activation + 1] & 3) == 3; }
};

// number: its place in the segment, from 0 on; its serial number is one more.
Slave make_drive(const DriveKind& kind, int number);
Slave make_force_sensor(const SensorKind& kind, int number);

// After a datagram: does what the master has asked for. now: [ns].
void serve(Slave& slave, std::int64_t now);
// What time alone brings about.
void watch(Slave& slave, std::int64_t now);

// Inputs of the master, from the objects.
void publish(Slave& slave);
// Of a sensor: newtons and newton metres; status: 1 saturated, 2 lost.
void measure(Slave& slave, std::span<const double> values, std::uint16_t status);

}  // namespace sinew::ethercat
