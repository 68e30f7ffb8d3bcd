// SensorPlan: an instrument of a robot, [sensor.NAME]. What it measures, where, and how wrongly; see parts/sensor/effects.h for the order of
// its errors and docs/sensors.md for each kind. SI units, radians.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/math/rotation.h"
#include "sinew/parts/sensor/effects.h"
#include "sinew/parts/sensor/switches.h"
#include "sinew/parts/sensor/timing.h"

namespace sinew {

//   Potentiometer       position of a joint's axis
//   AbsoluteEncoder     the same, in codes; of a whole turn it goes round
//   IncrementalEncoder  counts since it was switched on; fused with an absolute one it finds its zero
//   LimitSwitch         1 beyond a place of the axis
//   Contact             1 while a body is pressed, with debounce
//   Force3, Force6      wrench that is transmitted at a cut
//   Inertial            three rates, three specific forces
//   Inclination         roll and pitch against gravity
//   Range               distances along rays
//   Camera              pose
//   Current             of a drive
//   Hall                deflection of the spring of a drive
enum class SensorKind {
  Potentiometer,
  AbsoluteEncoder,
  IncrementalEncoder,
  LimitSwitch,
  Contact,
  Force3,
  Force6,
  Inertial,
  Inclination,
  Range,
  Camera,
  Current,
  Hall
};
inline constexpr std::array<std::string_view, 13> sensor_kind_names{
    "potentiometer", "absolute-encoder", "incremental-encoder", "limit-switch", "contact", "force3",
    "force6",        "inertial",         "inclination",         "range",        "camera",  "current",
    "hall"};

constexpr bool measures_position(SensorKind kind) { return kind <= SensorKind::IncrementalEncoder; }
constexpr bool measures_joint(SensorKind kind) { return kind <= SensorKind::LimitSwitch; }
constexpr bool measures_force(SensorKind kind) { return kind == SensorKind::Force3 || kind == SensorKind::Force6; }

constexpr bool measures_drive(SensorKind kind) { return kind == SensorKind::Current || kind == SensorKind::Hall; }

inline constexpr int most_rays = 64;

struct SensorPlan : sensor::Timing {
  std::string name;
  SensorKind kind = SensorKind::Potentiometer;
  std::string joint = {};                 // whose axis is measured; of force sensors: at which the robot is cut
  int axis = 0;                           // of that joint
  bool around = false;                    // of force sensors: what goes through loops round the cut counts too
  std::string body = {};                  // that carries it
  std::string drive = {};                 // that it measures
  Vec3d position = Vec3d::zero();         // of the sensor in the body's axes [m]
  Quatd orientation = Quatd::identity();  // of its axes in the body's
  // Errors: one number for each channel, or empty: none.
  std::vector<double> gain = {}, offset = {}, offset_spread = {}, drift = {}, hysteresis = {}, noise = {};
  std::vector<double> lower = {}, upper = {};  // range; an empty lower is -upper
  std::vector<double> cross_talk = {};         // E, row by row
  double cross_talk_spread = 0.0;              // or drawn once, evenly within +- this
  int bits = 0;                                // 2^bits codes over the range; 0: resolution counts
  std::vector<double> resolution = {};
  double loss = 0.0;  // share of samples that never arrive
  double lost_from = std::numeric_limits<double>::infinity(), lost_until = std::numeric_limits<double>::infinity();
  double stuck_from = std::numeric_limits<double>::infinity(), stuck_until = std::numeric_limits<double>::infinity();
  std::vector<double> stuck_at = {};  // empty: at what it said last
  // Of position sensors.
  bool to_controller = true;                // what a controller reads of the axis is what this sensor says
  double rate_filter = 0.0;                 // low pass of the rate [s]
  double counts = 512.0, gear_ratio = 1.0;  // of an incremental encoder: counts a turn of the motor's shaft
  std::string absolute = {};                // the sensor with which it is fused
  double fusion_time = 1.0;                 // [s]
  sensor::LimitSwitch limit = {};
  sensor::Debounce debounce = {};
  std::string shape = {};  // of a contact flag: this shape of the body alone
  // Of a six-component force sensor.
  double beam = 0.02;  // radius of its cross [m]
  std::vector<double> bridges = {},
                      calibration = {};  // B (8 x 6) and C (6 x 8), row by row; empty: of ideal beams, of B
  // Of a range sensor: rays in its x-y plane, the middle one along x.
  int rays = 1;
  double fan = 0.0;  // angle between the first and the last [rad]
};

// How many numbers it reports, and how many channels have errors of their own: bridges of a six-component force sensor.
int reading_count(const SensorPlan& plan);
int channel_count(const SensorPlan& plan);

// ".fx"; "": it reports one number only.
std::string component_ending(const SensorPlan& plan, int i);
// is_linear: the axis slides.
std::string_view component_unit(const SensorPlan& plan, int i, bool is_linear);
std::string_view channel_unit(const SensorPlan& plan, int i, bool is_linear);

// Places in its block of State::memory. What was delivered last, what is remembered, what is on its way.
struct SensorLayout {
  static constexpr int taken = 0;      // samples so far
  static constexpr int sampled = 1;    // time of the last one [s]
  static constexpr int saturated = 2;  // of what was delivered: 1 if a channel is at the end of its range
  static constexpr int lost = 3;       // 1: nothing arrives
  static constexpr int arrived = 4;    // samples that have been delivered
  static constexpr int rate = 5;       // of the delivered position [rad/s or m/s]
  static constexpr int of_time = 6;    // when the delivered sample was taken [s]
  static constexpr int normals = 7;    // normal numbers that are drawn and not yet used, and which they are
  static constexpr int value = normals + sensor::Normals::count + 1;  // n numbers
  static constexpr int n_own = 16;                                    // numbers that kinds keep
  int truth = 0, raw = 0, held = 0, null = 0, cross = 0, own = 0, line = 0, fixed = 0;
};
SensorLayout layout_of(const SensorPlan& plan);
int entry_width(const SensorPlan& plan);  // numbers of a sample on its way
int memory_size(const SensorPlan& plan, double step);

struct Plan;
inline constexpr std::string_view sensor_block = "sensor.";

inline constexpr double most_on_the_way = 1e4;  // samples, within a delay

// Blocks of memory for all sensors that have none yet, in a simulation with steps of this length [s]. Throws PlanError: a sample of each step, and
// too many of them on their way.
void add_sensor_memory(Plan& plan, double step);

// The stream of random numbers that the name stands for: others do not move it.
std::uint32_t device_of(std::string_view name);

}  // namespace sinew
