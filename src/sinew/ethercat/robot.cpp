#include "sinew/ethercat/robot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/bridge/transport.h"
#include "sinew/sim/schedule.h"

namespace sinew::ethercat {
namespace {

std::uint16_t error_of(double fault) {
  constexpr std::uint16_t of_switch = 0x8612, following = 0x8611, other = 0xff01;
  if (!(fault > 0.5) || fault > 99.0) return 0;
  return fault < 1.5 ? of_switch : fault < 2.5 ? following : other;
}

}  // namespace

Robot::Robot(const sim::Experiment& experiment, const bridge::Layout& layout, Port& port, bridge::Clock& clock,
             RobotOptions options)
    : model_(experiment.model()),
      params_(experiment.world().params),
      cycle_s_(layout.cycle),
      cycle_(std::llround(layout.cycle * 1e9)),
      devices_(devices_of(experiment, layout)),
      segment_(slaves_of(devices_)),
      port_(port),
      clock_(clock),
      options_(std::move(options)),
      report_(cycle_ / 200),
      seen_(devices_.drives.size()),
      loads_(6) {}

bool Robot::serve_frame(std::int64_t deadline) {
  const Bytes frame = port_.receive(deadline);
  const std::int64_t now = clock_.now();
  if (frame.empty()) {
    segment_.watch(now);
    return false;
  }
  report_.frames++;
  if (segment_.process(frame, now))
    port_.answer();
  else
    report_.refused++;
  return true;
}

// Places, velocities and torques as encoders and drives have them.
void Robot::find_drives(const Readings& r, std::span<const double> memory) {
  for (std::size_t i = 0; i < devices_.drives.size(); i++) {
    const DriveDevice& d = devices_.drives[i];
    DriveMeasured& out = seen_[i];
    const double *q = r.q.data() + d.q, *u = r.u.data() + d.u;
    if (d.transmission >= 0) {
      const Transmission<double>& rods = params_.transmissions[std::size_t(d.transmission)].rods;
      const Strokes<double> at = transmission::strokes(rods, q, u);
      double rate[2] = {0.0, 0.0};
      transmission::stroke_rates(rods, at, u, rate);
      out.x = at.s[d.row];
      out.v = rate[d.row];
    } else {
      out.x = *q;
      out.v = *u;
    }
    if (d.drive < 0) continue;
    const std::size_t own = std::size_t(model_.drives[std::size_t(d.drive)].memory);
    if (own + drive::memory::samples > memory.size()) continue;
    out.torque = memory[own + drive::memory::torque];
    const double most = params_.drives[std::size_t(d.drive)].i_max;
    out.current = most < 1e299 ? memory[own + drive::memory::i_q] / most : 0.0;
    out.fault = error_of(memory[own + drive::memory::fault]);
  }
}

// What the next frame takes away.
void Robot::sample(const Readings& r) {
  for (std::size_t i = 0; i < devices_.drives.size(); i++) {
    Slave& s = segment_.slaves()[i];
    s.drive->report(s.objects, seen_[i]);
    publish(s);
  }
  const auto flag = [&](int offset) { return offset >= 0 && *number_at(r, std::size_t(offset)) > 0.5; };
  for (std::size_t i = 0; i < devices_.sensors.size(); i++) {
    const SensorDevice& d = devices_.sensors[i];
    for (std::size_t k = 0; k < d.channels.size(); k++) loads_[k] = *number_at(r, std::size_t(d.channels[k]));
    Slave& s = segment_.slaves()[devices_.drives.size() + i];
    measure(s, {loads_.data(), d.channels.size()}, std::uint16_t((flag(d.saturated) ? 1 : 0) | (flag(d.lost) ? 2 : 0)));
    publish(s);
  }
}

// While time stands still: the way up, and as long as a master takes for it.
void Robot::wait_for_start(const Readings& r) {
  while (!running_ && !is_to_stop()) {
    serve_frame(clock_.now() + bridge::glance);
    sample(r);
    running_ = segment_.is_any_operational();
  }
  taken_ = segment_.exchanges();
  start_ = clock_.now();
  if (running_ && options_.tell) options_.tell("a master has brought the segment to Operational: time begins");
}

void Robot::wait_for_exchange() {
  while (segment_.exchanges() == taken_ && !is_to_stop()) serve_frame(clock_.now() + bridge::glance);
  taken_ = segment_.exchanges();
}

// Cycles begin delay T before sync 0 of the first slave that has one.
void Robot::follow_sync(std::int64_t now) {
  delay_ = 0.0;
  for (const Slave& s : segment_.slaves()) {
    if (!s.has_sync()) continue;
    delay_ = options_.plan.delay * cycle_s_;
    const std::int64_t system = std::int64_t(s.esc.at<std::uint64_t>(reg::dc_offset)) + s.clock_offset;
    const std::int64_t sync =
        std::int64_t(s.esc.at<std::uint64_t>(reg::dc_start)) - system - std::llround(delay_ * 1e9);
    std::int64_t late = (start_ + n_ * cycle_ - sync) % cycle_;
    if (late < 0) late += cycle_;
    if (n_ == 0 || late > cycle_ / 2) late -= cycle_;  // to the nearest; the first one is later
    if (std::abs(late) < 1000) return;
    start_ -= late;
    if (start_ + n_ * cycle_ < now) start_ += cycle_;
    return;
  }
}

void Robot::wait_for_clock(double) {
  follow_sync(clock_.now());
  std::int64_t due = start_ + n_ * cycle_;
  if (n_ > 0 && clock_.now() > due) report_.overruns++;
  if (clock_.now() > due + 100 * cycle_) {  // the machine slept, or cannot keep up at all
    start_ += clock_.now() - due;
    due = clock_.now();
  }
  while (clock_.now() < due && !is_to_stop()) serve_frame(due);
  if (n_ > 0) report_.late.add(clock_.now() - due);
  while (serve_frame(0)) {
  }
  if (segment_.exchanges() == taken_ && n_ > 0) report_.missed++;
  taken_ = segment_.exchanges();
}

// What the masters' words mean for the drives.
void Robot::obey() {
  for (std::size_t i = 0; i < devices_.drives.size(); i++) {
    Slave& s = segment_.slaves()[i];
    if (s.is_lost) report_.falls++;
    s.drive->take(s.objects, seen_[i], s.is_operational(), s.is_lost, cycle_s_);
    s.is_lost = false;
  }
}

void Robot::begin_cycle(const Readings& r) {
  if (!running_) wait_for_start(r);
  if (!options_.timed) {
    sample(r);
    wait_for_exchange();
  } else {
    wait_for_clock(r.t);
  }
  obey();
  report_.cycles++;
  n_++;
}

void Robot::apply(Input<double>& out) {
  for (std::size_t i = 0; i < devices_.drives.size(); i++) {
    const DriveDevice& d = devices_.drives[i];
    Slave& s = segment_.slaves()[i];
    const DriveOrder order = s.drive->act(s.objects, seen_[i], options_.step);
    for (const bridge::Slot& slot : d.slots)
      command_at(out, std::size_t(slot.at)) = order.is_on && d.drive >= 0 ? drive::command::none : slot.safe;
    if (d.drive >= 0 && order.is_on)  // the axis itself is told nothing
      for (const bridge::Slot& slot : d.slots)
        if (slot.at < model_.n_axes) command_at(out, std::size_t(slot.at)) = 0.0;
    if (d.reset_at >= 0) command_at(out, std::size_t(d.reset_at)) = order.resets ? 1.0 : drive::command::none;
    if (!order.is_on) continue;
    if (d.torque_at >= 0) command_at(out, std::size_t(d.torque_at)) = order.torque;
    if (d.drive < 0) seen_[i].torque = order.torque;
    if (d.kind.loop == Loop::OfPosition) command_at(out, std::size_t(d.position_at)) = order.x;
    if (d.kind.loop == Loop::OfVelocity) command_at(out, std::size_t(d.velocity_at)) = order.v;
  }
}

void Robot::update(const Readings& readings, std::span<double> memory, Input<double>& out) {
  find_drives(readings, memory);
  const std::int64_t k = std::llround(readings.t / options_.step);
  if (sim::is_tick({cycle_s_, 0.0, 0.0}, k, options_.step)) begin_cycle(readings);
  if (options_.timed && sim::is_tick({cycle_s_, delay_, 0.0}, k, options_.step)) {
    const std::int64_t due = start_ + (n_ - 1) * cycle_ + std::llround(delay_ * 1e9);
    while (clock_.now() < due && !is_to_stop()) serve_frame(due);
    sample(readings);
  }
  apply(out);
}

}  // namespace sinew::ethercat
