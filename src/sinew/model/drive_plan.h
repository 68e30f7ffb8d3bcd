// DrivePlan: a drive as a person writes it, [drive.NAME]. What it becomes: drives.h. What it does: docs/theory/drives.md.
#pragma once
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/transmission_plan.h"
#include "sinew/parts/drive/drive.h"
#include "sinew/parts/joint/list.h"

namespace sinew {

// How a transmission that is not direct is computed: by its Jacobian, or as sliders and rods with loops.
enum class MechanismModel { Jacobian, Bodies };
inline constexpr std::array<std::string_view, 2> mechanism_model_names{"jacobian", "bodies"};

struct DrivePlan {
  std::string name;
  std::string joint;  // with wildcards: each joint that it names gets a drive NAME.JOINT
  int axis =
      0;  // of a joint with two axes, each of which gets a drive NAME.0, NAME.1: which of them; made by with_drives
  drive::Kind kind = drive::Kind::Ideal;
  TransmissionPlan transmission = {.slider_mass = 0.01};  // not direct: one drive for each axis, NAME.1, NAME.2
  MechanismModel mechanism = MechanismModel::Jacobian;
  double rod_mass = 0.01;  // of bodies, each [kg]
  std::string moved = {};  // joint that its rod moves; made by with_drives. Then `axis` is which of the strokes it is
  drive::Level level = drive::Level::Fast;
  drive::Control control = drive::Control::Torque;
  drive::Align align = drive::Align::None;
  // motor and supply
  double voltage = 0.0, resistance = 0.0, inductance = 0.0, torque_constant = 0.0;  // [V, Ohm, H, N m/A]
  int pole_pairs = 1;
  double inertia = 0.0, friction = 0.0, viscous = 0.0;  // at the motor [kg m^2, N m, N m s]
  // gear
  double gear = 1.0, lead = 0.006, belt = 1.0, efficiency = 1.0;  // [1, m, 1, 1]
  double spring = 0.0, backlash = 0.0;                            // [N/m or N m/rad, m or rad]
  double slip = std::numeric_limits<double>::infinity();          // force at which its belt slips [N m or N]
  // limits
  double current_limit = std::numeric_limits<double>::infinity();    // [A]
  double limit = std::numeric_limits<double>::infinity();            // [N m or N]
  double speed_limit = std::numeric_limits<double>::infinity();      // [rad/s or m/s]
  double thermal_current = std::numeric_limits<double>::infinity();  // [A]
  double thermal_time = 20.0;                                        // [s]
  double following_error = std::numeric_limits<double>::infinity();  // [rad or m]
  double lower_switch = -std::numeric_limits<double>::infinity(),
         upper_switch = std::numeric_limits<double>::infinity();
  double align_current = 5.0, align_time = 1.0;  // [A, s]
  // loops
  double rate = 28000.0, loop_rate = 1000.0, force_rate = 28000.0;  // [Hz]
  double delay = 0.0, force_delay = 0.0;                            // [s]
  double current_bandwidth = 1000.0, velocity_bandwidth = 30.0;     // [Hz]
  bool decouple = true;
  double load_inertia = 0.0;  // with which loops of position and velocity reckon, at the axis [kg m^2 or kg]
  drive::Encoder encoder = drive::Encoder::Joint;
  double blind_from = std::numeric_limits<double>::infinity(),
         blind_until = std::numeric_limits<double>::infinity();  // without its force sensor [s]
  double force_frequency = 0.0, force_damping = 1.0;             // of the closed force loop [rad/s, 1]
  double kp = 0.0, kd = 0.0;                                     // servo, impedance, position over force
  double grip = std::numeric_limits<double>::infinity();         // most that position over force asks for [N m or N]
  double shaper_speed = std::numeric_limits<double>::infinity(), shaper_accel = std::numeric_limits<double>::infinity();
  // servo alone
  double no_load_speed = std::numeric_limits<double>::infinity(), free_play = 0.0;
  // set-points from the start on; infinite: none
  std::array<double, drive::command::size> set = [] {
    std::array<double, drive::command::size> none{};
    none.fill(std::numeric_limits<double>::infinity());
    return none;
  }();
  drive::Sweep sweep = {};  // added to the set-point of `control`
  std::string table = {};   // of the file, for errors; empty: not made yet, see with_drives

  bool is_made() const { return !table.empty(); }
  // Play or slip in a drive that else has no spring.
  bool has_play() const {
    const bool has_motor = kind == drive::Kind::DcMotor || kind == drive::Kind::Pmsm || kind == drive::Kind::Linear;
    return has_motor && (backlash > 0.0 || slip < std::numeric_limits<double>::infinity());
  }
  // Its motor moves by itself, and is no inertia of the joint.
  bool has_own_motor() const { return kind == drive::Kind::SeriesElastic || has_play(); }
  bool is_direct() const { return transmission.kind == Mechanism::Direct; }
  // What it moves: an axis of the joint itself, or a stroke, which slides with rods and turns without.
  JointKind stroke_kind(JointKind joint) const {
    if (is_direct()) return joint;
    return transmission.has_rods() ? JointKind::Prismatic : JointKind::Revolute;
  }
  bool operator==(const DrivePlan&) const = default;
};

// A drive of this kind with the numbers that it has where a file says nothing.
DrivePlan default_drive(drive::Kind kind);

}  // namespace sinew
