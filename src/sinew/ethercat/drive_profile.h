// CiA 402 (IEC 61800-7-201): a drive as a master sees it. Its state is asked for by the control word and told by the status word; it follows targets of
// position, velocity or torque that come every cycle, and takes its present place as home.
//   F = kp (x_want - x) + kd (v_want - v) + F_offset, |F| <= F_max       position and velocity, for drives that have no loops of their own
// x [increments of `increment` rad or m], v [increments/s], torques in thousandths of the rated one. Places are as seen from home.
#pragma once
#include <string>

#include "sinew/ethercat/dictionary.h"

namespace sinew::ethercat {

enum class Mode : std::int8_t { None = 0, Homing = 6, Position = 8, Velocity = 9, Torque = 10 };

// Who closes the loops of position and velocity.
enum class Loop { Here, OfPosition, OfVelocity };  // in this slave; in the drive, that is told a place; or a velocity

struct DriveKind {
  std::string name;
  bool is_angle = true;
  double rated = 100.0;  // [N m or N]
  double most = 1.0;     // share of it
  double kp = 0.0, kd = 0.0;
  Loop loop = Loop::Here;

  double increment() const { return is_angle ? 1e-6 : 1e-7; }  // [rad or m]
};

// What the robot says.
struct DriveMeasured {
  double x = 0.0, v = 0.0, torque = 0.0, current = 0.0;  // current: share of the rated one
  std::uint16_t fault = 0;                               // error code of the drive's own fault; 0: none
};

// What it is told.
struct DriveOrder {
  bool is_on = false, resets = false;
  double x = 0.0, v = 0.0, torque = 0.0;  // for loops of the drive: place, velocity, and torque on top
};

enum class Power { Disabled, Ready, SwitchedOn, Enabled, QuickStop, FaultReaction, Fault };

class DriveProfile {
 public:
  explicit DriveProfile(const DriveKind& kind) : kind_(kind) {}
  void add_objects(Dictionary& objects);

  // Once a bus cycle of `period` seconds: what the master has said, and what that makes of the state. is_lost: its frames failed to come.
  void take(Dictionary& objects, const DriveMeasured& now, bool is_operational, bool is_lost, double period);
  // In every step of `dt` seconds.
  DriveOrder act(const Dictionary& objects, const DriveMeasured& now, double dt);
  // What the master is told.
  void report(Dictionary& objects, const DriveMeasured& now) const;

  Power power() const { return power_; }
  const DriveKind& kind() const { return kind_; }

 private:
  struct Places;
  void obey(const Dictionary& objects, std::uint16_t word, bool is_edge);
  void leave(const Dictionary& objects, std::uint32_t option_at, Power after);
  void enable(const DriveMeasured& now);
  void fail(const Dictionary& objects, std::uint16_t code);
  void home(const Dictionary& objects, const DriveMeasured& now, std::uint16_t word);
  void take_targets(const Dictionary& objects, const DriveMeasured& now, double period);
  void watch_following(const Dictionary& objects, const DriveMeasured& now, double period);
  void slow_down(const DriveMeasured& now, double dt);
  double place(std::int32_t counts) const { return (double(counts) - home_) * kind_.increment(); }
  double most_torque(const Dictionary& objects) const;
  bool is_powered() const {
    return power_ == Power::Enabled || power_ == Power::QuickStop || power_ == Power::FaultReaction;
  }
  std::uint16_t status() const;

  struct At {  // where values are in the dictionary
    std::uint32_t error, control, status, quick_stop, shutdown, disable, reaction, mode, mode_now, x, window, timeout,
        v, torque_wanted, most, rated, torque, current, x_wanted, home_offset, slow, quick, homing, dv, dtorque,
        error_x, v_wanted, kp, kd, error_register;
  };

  DriveKind kind_;
  At at_{};
  Power power_ = Power::Disabled, after_ = Power::Disabled;
  Mode mode_ = Mode::None;
  bool is_stopping_ = false, is_limited_ = false, is_homed_ = false, homing_failed_ = false, resets_ = false,
       is_remote_ = false, has_target_ = false;
  std::uint16_t word_ = 0, code_ = 0;
  double home_ = 0.0;  // counts added to the raw place
  double x_want_ = 0.0, v_want_ = 0.0, torque_want_ = 0.0, target_ = 0.0;
  double deceleration_ = 0.0, stopping_for_ = 0.0, fastest_ = 0.0, late_for_ = 0.0;
};

}  // namespace sinew::ethercat
