// The objects of a drive: CiA 402-2 by their numbers; loops of this slave are the manufacturer's, 0x2010.
#include <cmath>

#include "sinew/ethercat/drive_profile.h"
#include "sinew/ethercat/mapping.h"

namespace sinew::ethercat {
namespace {

constexpr std::uint16_t in = may::read | may::write | may::receive, out = may::read | may::transmit,
                        set = may::read | may::write, told = may::read;

// Unit codes of CiA 303-2: prefix, numerator, denominator.
std::int64_t unit(const DriveKind& kind, std::uint32_t denominator) {
  const std::uint32_t unit = kind.is_angle ? 0xfa100000u : 0xf9010000u;
  return std::int64_t(unit | denominator << 8);
}

std::int64_t modes_of(const DriveKind& kind) {
  constexpr std::int64_t homing = 1 << 5, position = 1 << 7, velocity = 1 << 8, torque = 1 << 9;
  switch (kind.loop) {
    case Loop::OfPosition:
      return homing | position;
    case Loop::OfVelocity:
      return velocity;
    default:
      return homing | position | velocity | torque;
  }
}

}  // namespace

void DriveProfile::add_objects(Dictionary& d) {
  const double per = 1.0 / kind_.increment();
  const std::int64_t fast = std::int64_t(10.0 * (kind_.is_angle ? 1.0 : 0.1) * per);  // 10 rad/s^2, 1 m/s^2
  at_.error = d.add(0x603f, Type::Uint16, out, "error code");
  at_.control = d.add(0x6040, Type::Uint16, in, "control word");
  at_.status = d.add(0x6041, Type::Uint16, out, "status word");
  at_.quick_stop = d.add(0x605a, Type::Int16, set, "quick stop option code", 2);
  at_.shutdown = d.add(0x605b, Type::Int16, set, "shutdown option code", 0);
  at_.disable = d.add(0x605c, Type::Int16, set, "disable operation option code", 1);
  at_.reaction = d.add(0x605e, Type::Int16, set, "fault reaction option code", 2);
  at_.mode = d.add(0x6060, Type::Int8, in, "modes of operation");
  at_.mode_now = d.add(0x6061, Type::Int8, out, "modes of operation display");
  at_.x = d.add(0x6064, Type::Int32, out, "position actual value");
  at_.window =
      d.add(0x6065, Type::Uint32, set, "following error window", std::int64_t((kind_.is_angle ? 0.2 : 0.01) * per));
  at_.timeout = d.add(0x6066, Type::Uint16, set, "following error time out", 100);
  at_.v = d.add(0x606c, Type::Int32, out, "velocity actual value");
  at_.torque_wanted = d.add(0x6071, Type::Int16, in, "target torque");
  at_.most = d.add(0x6072, Type::Uint16, in, "max torque", std::int64_t(1000.0 * kind_.most));
  d.add(0x6075, Type::Uint32, told, "motor rated current", 1000);
  at_.rated = d.add(0x6076, Type::Uint32, told, "motor rated torque", std::llround(1000.0 * kind_.rated));
  at_.torque = d.add(0x6077, Type::Int16, out, "torque actual value");
  at_.current = d.add(0x6078, Type::Int16, out, "current actual value");
  at_.x_wanted = d.add(0x607a, Type::Int32, in, "target position");
  at_.home_offset = d.add(0x607c, Type::Int32, set, "home offset");
  at_.slow = d.add(0x6084, Type::Uint32, set, "profile deceleration", fast);
  at_.quick = d.add(0x6085, Type::Uint32, set, "quick stop deceleration", 5 * fast);
  d.begin(0x608f, ObjectCode::Array, Type::Uint32, "position encoder resolution", told, 2);
  d.add_sub(1, Type::Uint32, told, "encoder increments", kind_.is_angle ? 6283185 : 10000000);
  d.add_sub(2, Type::Uint32, told, "motor revolutions", 1);
  at_.homing = d.add(0x6098, Type::Int8, set, "homing method", 37);
  d.add(0x60a8, Type::Uint32, told, "SI unit position", unit(kind_, 0));
  d.add(0x60a9, Type::Uint32, told, "SI unit velocity", unit(kind_, 3));
  at_.dv = d.add(0x60b1, Type::Int32, in, "velocity offset");
  at_.dtorque = d.add(0x60b2, Type::Int16, in, "torque offset");
  d.begin(0x60c2, ObjectCode::Record, Type::Int8, "interpolation time period", told, 2);
  d.add_sub(1, Type::Uint8, set, "value", 1);
  d.add_sub(2, Type::Int8, set, "index", -3);
  at_.error_x = d.add(0x60f4, Type::Int32, out, "following error actual value");
  at_.v_wanted = d.add(0x60ff, Type::Int32, in, "target velocity");
  d.add(0x6502, Type::Uint32, told, "supported drive modes", modes_of(kind_));
  d.begin(0x2010, ObjectCode::Array, Type::Uint32, "loop of position", told, 2);
  at_.kp = d.add_sub(1, Type::Uint32, set, kind_.is_angle ? "stiffness [1e-3 N m/rad]" : "stiffness [N/m]",
                     std::llround(kind_.kp * (kind_.is_angle ? 1e3 : 1.0)));
  at_.kd = d.add_sub(2, Type::Uint32, set, kind_.is_angle ? "damping [1e-3 N m s/rad]" : "damping [1e-3 N s/m]",
                     std::llround(kind_.kd * 1e3));
  at_.error_register = d.find(0x1001, 0)->at;
}

}  // namespace sinew::ethercat
