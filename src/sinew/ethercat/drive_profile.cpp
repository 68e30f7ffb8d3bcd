#include "sinew/ethercat/drive_profile.h"

#include <algorithm>
#include <cmath>

#include "sinew/math/check.h"

namespace sinew::ethercat {
namespace {

namespace control {
enum : std::uint16_t { switch_on = 1, voltage = 2, no_quick_stop = 4, enable = 8, start_homing = 16, reset = 128 };
}
enum : std::uint16_t { lost_frames = 0x8130, following_error = 0x8611 };

// To the nearest whole number that the type has; what is no number becomes 0.
template <class T>
T whole(double x) {
  if (!(x == x)) return T(0);
  constexpr double low = double(std::numeric_limits<T>::min()), high = double(std::numeric_limits<T>::max());
  const double c = std::clamp(x, low, high);
  return T(std::int64_t(c < 0.0 ? c - 0.5 : c + 0.5));
}

bool is_supported(const DriveKind& kind, Mode m) {
  if (kind.loop == Loop::OfPosition) return m == Mode::Position || m == Mode::Homing;
  if (kind.loop == Loop::OfVelocity) return m == Mode::Velocity;
  return m == Mode::Homing || m == Mode::Position || m == Mode::Velocity || m == Mode::Torque;
}

}  // namespace

double DriveProfile::most_torque(const Dictionary& d) const {
  return std::min(kind_.most, 1e-3 * d.value<std::uint16_t>(at_.most)) * kind_.rated;
}

// A stop by an option code: at once, by the slow ramp (1, 5), by the quick ramp (2, 6).
void DriveProfile::leave(const Dictionary& d, std::uint32_t option_at, Power after) {
  const std::int16_t option = d.value<std::int16_t>(option_at);
  after_ = after;
  if (option != 1 && option != 2 && option != 5 && option != 6) {
    power_ = after;
    is_stopping_ = false;
    return;
  }
  const std::uint32_t counts = d.value<std::uint32_t>(option == 1 || option == 5 ? at_.slow : at_.quick);
  deceleration_ = std::max(1.0, double(counts)) * kind_.increment();
  is_stopping_ = true;
  stopping_for_ = 0.0;
}

void DriveProfile::enable(const DriveMeasured& now) {
  x_want_ = target_ = now.x;
  v_want_ = torque_want_ = late_for_ = 0.0;
  is_stopping_ = has_target_ = false;
}

void DriveProfile::fail(const Dictionary& d, std::uint16_t code) {
  if (power_ == Power::Fault || power_ == Power::FaultReaction) return;
  code_ = code;
  const bool moves = power_ == Power::Enabled || power_ == Power::QuickStop;
  power_ = Power::FaultReaction;
  if (moves)
    leave(d, at_.reaction, Power::Fault);
  else
    power_ = Power::Fault;
}

// One transition for each word, as in the state machine of CiA 402.
void DriveProfile::obey(const Dictionary& d, std::uint16_t word, bool is_edge) {
  const bool voltage = word & control::voltage, quick = !(word & control::no_quick_stop);
  const std::uint16_t low = word & 15;
  switch (power_) {
    case Power::Fault:
      if (!is_edge) return;
      power_ = Power::Disabled;
      code_ = 0;
      resets_ = true;
      return;
    case Power::FaultReaction:
      return;
    case Power::Disabled:
      if ((word & 7) == 6) power_ = Power::Ready;
      return;
    case Power::Ready:
    case Power::SwitchedOn:
      if (!voltage || quick)
        power_ = Power::Disabled;
      else if ((word & 7) == 6)
        power_ = Power::Ready;
      else if (power_ == Power::Ready || low == 7)
        power_ = Power::SwitchedOn;
      else if (low == 15)
        power_ = Power::Enabled;
      return;
    case Power::QuickStop:
      if (!voltage) power_ = Power::Disabled;
      if (voltage && low == 15 && !is_stopping_ && after_ == Power::QuickStop) power_ = Power::Enabled;
      return;
    case Power::Enabled:
      if (!voltage) {
        power_ = Power::Disabled;
      } else if (quick) {
        const bool stays = d.value<std::int16_t>(at_.quick_stop) >= 5;
        power_ = Power::QuickStop;
        leave(d, at_.quick_stop, stays ? Power::QuickStop : Power::Disabled);
      } else if (is_stopping_) {
        if (low == 15) is_stopping_ = false;
      } else if ((word & 7) == 6) {
        leave(d, at_.shutdown, Power::Ready);
      } else if (low == 7) {
        leave(d, at_.disable, Power::SwitchedOn);
      }
  }
}

// The present place is home, whatever the method's number: 35 or 37. No other is known.
void DriveProfile::home(const Dictionary& d, const DriveMeasured& now, std::uint16_t word) {
  const bool starts = (word & control::start_homing) && !(word_ & control::start_homing);
  if (!starts) return;
  const std::int8_t method = d.value<std::int8_t>(at_.homing);
  homing_failed_ = method != 35 && method != 37;
  if (homing_failed_) return;
  home_ = d.value<std::int32_t>(at_.home_offset) - double(whole<std::int64_t>(now.x / kind_.increment()));
  is_homed_ = true;
}

void DriveProfile::watch_following(const Dictionary& d, const DriveMeasured& now, double period) {
  const std::uint32_t window = d.value<std::uint32_t>(at_.window);
  const bool is_behind = window != 0xffffffff && std::abs(x_want_ - now.x) > window * kind_.increment();
  late_for_ = is_behind ? late_for_ + period : 0.0;
  if (is_behind && late_for_ > 1e-3 * d.value<std::uint16_t>(at_.timeout) + 0.5 * period) fail(d, following_error);
}

void DriveProfile::take_targets(const Dictionary& d, const DriveMeasured& now, double period) {
  const double dv = d.value<std::int32_t>(at_.dv) * kind_.increment();
  torque_want_ = 1e-3 * d.value<std::int16_t>(at_.dtorque) * kind_.rated;
  switch (mode_) {
    case Mode::Position: {
      const double next = place(d.value<std::int32_t>(at_.x_wanted));
      v_want_ = dv + (has_target_ ? (next - target_) / period : 0.0);
      x_want_ = target_ = next;
      has_target_ = true;
      return watch_following(d, now, period);
    }
    case Mode::Velocity:
      v_want_ = dv + d.value<std::int32_t>(at_.v_wanted) * kind_.increment();
      break;
    case Mode::Torque:
      torque_want_ += 1e-3 * d.value<std::int16_t>(at_.torque_wanted) * kind_.rated;
      x_want_ = now.x;
      v_want_ = now.v;
      break;
    default:
      v_want_ = 0.0;
  }
  has_target_ = false;
}

void DriveProfile::take(Dictionary& d, const DriveMeasured& now, bool is_operational, bool is_lost, double period) {
  SINEW_ASSERT(period > 0.0);
  is_remote_ = is_operational;
  resets_ = false;
  if (now.fault != 0) fail(d, now.fault);
  if (is_lost) fail(d, lost_frames);
  if (!is_operational) {  // no word counts: nothing may go on
    if (power_ != Power::Fault && power_ != Power::FaultReaction) power_ = Power::Disabled;
    word_ = 0;
    return;
  }
  const std::uint16_t word = d.value<std::uint16_t>(at_.control);
  const Power before = power_;
  obey(d, word, (word & control::reset) && !(word_ & control::reset));
  const Mode wanted = Mode(d.value<std::int8_t>(at_.mode));
  if (is_supported(kind_, wanted) && wanted != mode_) {
    mode_ = wanted;
    enable(now);
  }
  if (power_ == Power::Enabled && before != Power::Enabled) enable(now);
  if (power_ == Power::Enabled && mode_ == Mode::Homing) home(d, now, word);
  if (power_ == Power::Enabled && !is_stopping_) take_targets(d, now, period);
  word_ = word;
}

// Along the ramp; it is over when nothing moves, or should long have stopped.
void DriveProfile::slow_down(const DriveMeasured& now, double dt) {
  if (stopping_for_ == 0.0) {
    x_want_ = now.x;
    v_want_ = fastest_ = now.v;
  }
  stopping_for_ += dt;
  const double less = deceleration_ * dt;
  v_want_ = v_want_ > less ? v_want_ - less : v_want_ < -less ? v_want_ + less : 0.0;
  torque_want_ = 0.0;
  x_want_ += v_want_ * dt;
  const double speed = std::abs(fastest_);  // as it was; what is measured of a drive at rest may be noise
  const bool is_still = v_want_ == 0.0 && std::abs(now.v) <= 0.01 * speed;
  if (!is_still && stopping_for_ < 3.0 * speed / deceleration_ + 0.5) return;
  is_stopping_ = false;
  power_ = after_;
  v_want_ = 0.0;
}

DriveOrder DriveProfile::act(const Dictionary& d, const DriveMeasured& now, double dt) {
  is_stopping_ = is_stopping_ && is_powered();  // what is switched off on its ramp does not come to the ramp's end
  if (is_stopping_) slow_down(now, dt);
  DriveOrder out;
  out.resets = resets_;
  out.is_on = is_powered();
  is_limited_ = false;
  if (!out.is_on) return out;
  const double most = most_torque(d);
  const double kp = d.value<std::uint32_t>(at_.kp) * (kind_.is_angle ? 1e-3 : 1.0);
  const double kd = d.value<std::uint32_t>(at_.kd) * 1e-3;
  const bool is_free = !is_stopping_ && power_ == Power::Enabled && mode_ != Mode::Position &&
                       mode_ != Mode::Velocity && mode_ != Mode::Homing;
  if (!is_free && mode_ == Mode::Velocity &&
      !is_stopping_) {  // the place runs ahead no further than the torque reaches
    const double ahead = kp > 0.0 ? most / kp : 0.0;
    x_want_ = std::clamp(x_want_ + v_want_ * dt, now.x - ahead, now.x + ahead);
  }
  out.x = x_want_;
  out.v = v_want_;
  double torque = torque_want_;
  if (kind_.loop == Loop::Here && !is_free) torque += kp * (x_want_ - now.x) + kd * (v_want_ - now.v);
  out.torque = std::clamp(torque, -most, most);
  is_limited_ = out.torque != torque;
  return out;
}

std::uint16_t DriveProfile::status() const {
  static constexpr std::uint16_t of_power[] = {0x50, 0x31, 0x33, 0x37, 0x17, 0x1f, 0x18};
  std::uint16_t out = of_power[int(power_)];
  if (is_remote_) out |= 0x200;
  if (is_limited_) out |= 0x800;
  if (power_ != Power::Enabled) return out;
  if (mode_ == Mode::Homing) {
    if (is_homed_) out |= 0x1400;
    if (homing_failed_) out |= 0x2000;
  } else if (mode_ != Mode::None && !is_stopping_) {
    out |= 0x1000;  // it follows
    if (late_for_ > 0.0) out |= 0x2000;
  }
  return out;
}

void DriveProfile::report(Dictionary& d, const DriveMeasured& now) const {
  const double per = 1.0 / kind_.increment();
  d.set(at_.status, status());
  d.set(at_.error, code_);
  d.set(at_.error_register, std::uint8_t(code_ == 0 ? 0 : code_ == lost_frames ? 0x11 : 0x21));
  d.set(at_.mode_now, std::int8_t(mode_));
  d.set(at_.x, whole<std::int32_t>(now.x * per + home_));
  d.set(at_.v, whole<std::int32_t>(now.v * per));
  d.set(at_.torque, whole<std::int16_t>(1e3 * now.torque / kind_.rated));
  d.set(at_.current, whole<std::int16_t>(1e3 * now.current));
  d.set(at_.error_x, power_ == Power::Enabled && mode_ == Mode::Position ? whole<std::int32_t>((x_want_ - now.x) * per)
                                                                         : std::int32_t(0));
}

}  // namespace sinew::ethercat
