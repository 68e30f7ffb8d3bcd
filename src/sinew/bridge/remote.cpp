#include "sinew/bridge/remote.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <cmath>

#include "sinew/math/counter_random.h"
#include "sinew/math/hash.h"
#include "sinew/sim/schedule.h"

namespace sinew::bridge {
namespace {

constexpr std::int64_t resend_after = 200'000'000;  // in lock-step: the same image again, should it have been lost [ns]
constexpr std::uint32_t loss_stream = 1, late_stream = 2;

std::uint64_t drawn_session() {
  std::uint64_t out = 0;
  while (getrandom(&out, sizeof out, 0) != ssize_t(sizeof out)) {
  }
  return out | 1;
}

std::int64_t step_number(double t, double step) { return std::llround(t / step); }

}  // namespace

std::string problem_of_timing(double cycle, double step, double delay) {
  const auto is_whole = [&](double t) { return std::abs(t / step - std::round(t / step)) < 1e-6; };
  if (!is_whole(cycle))
    return fmt::format("integrator.step: a cycle of {:g} s is no multiple of a step of {:g} s: give {:g}", cycle, step,
                       cycle / std::ceil(cycle / step));
  if (!is_whole(delay * cycle))
    return fmt::format(
        "integrator.step: sensors are sampled {:g} s after a cycle began, amid a step of {:g} s: give {:g}, or another "
        "bridge.delay",
        delay * cycle, step, delay * cycle);
  return {};
}

Remote::Remote(const Layout& layout, const Model& model, Transport& transport, Clock& clock, RemoteOptions options)
    : layout_(layout),
      model_(model),
      transport_(transport),
      clock_(clock),
      options_(std::move(options)),
      cycle_(std::llround(layout.cycle * 1e9)),
      measured_(layout, Side::Measured),
      references_(layout, Side::References),
      incoming_(layout, Side::References),
      devices_(layout.devices.size()),
      own_faults_(layout.devices.size(), 0),
      report_(cycle_ / 200) {
  measured_.header.session = options_.session ? options_.session : drawn_session();
  for (const Slot& s : layout.references) acting_.push_back(s.safe);
}

// By Slot::at: t, q, u, sensor, saturated, lost.
void Remote::sample(const Readings& r) {
  for (std::size_t i = 0; i < layout_.measured.size(); i++) {
    const std::size_t at = std::size_t(layout_.measured[i].at);
    measured_.numbers[i] = at == 0 ? r.t : *number_at(r, at - 1);
  }
  measured_.header.time = std::uint64_t(clock_.now());
}

void Remote::find_faults(std::span<const double> memory) {
  for (std::size_t i = 0; i < own_faults_.size(); i++) {
    const int drive = layout_.drive_of[i];
    if (drive < 0) continue;
    const std::size_t at = std::size_t(model_.drives[std::size_t(drive)].memory + drive::memory::fault);
    own_faults_[i] =
        at < memory.size() && memory[at] > 0.5 && memory[at] < 100.0 ? std::uint16_t(memory[at]) : std::uint16_t(0);
  }
}

std::span<const std::byte> Remote::next_image(std::uint32_t more) {
  Header& h = measured_.header;
  h.tick = ++tick_;
  h.status = flags_ | more | (running_ ? status::running : 0u) | (options_.timed ? status::timed : 0u) |
             (devices_.is_any_safe() ? status::safe : 0u);
  sampled_at_[tick_ % sampled_at_.size()] = std::int64_t(h.time);
  std::ranges::copy(devices_.states(), measured_.words.begin());
  std::ranges::copy(devices_.faults(), measured_.words.begin() + std::ptrdiff_t(layout_.devices.size()));
  const std::span<const std::byte> image = measured_.seal();
  if (options_.log) options_.log->add(image);
  return image;
}

// Numbers that no device may be given: the image counts as none.
bool Remote::admit() {
  const int slot = find_refused(layout_, incoming_.numbers);
  flags_ = slot >= 0 ? flags_ | status::refused : flags_ & ~std::uint32_t(status::refused);
  if (slot < 0) return true;
  if (report_.refused++ > 0) return false;
  report_.refusal = refusal_of(layout_, slot, incoming_.numbers[std::size_t(slot)]);
  tell(report_.refusal);
  return false;
}

void Remote::apply(Input<double>& out) {
  const bool holds = options_.plan.safe == sim::SafeState::Hold;
  Hasher hasher{report_.hash};
  for (std::size_t i = 0; i < layout_.references.size(); i++) {
    const Slot& s = layout_.references[i];
    if (devices_.is_operational(s.device))
      acting_[i] = references_.numbers[i];
    else if (!holds || !running_)
      acting_[i] = s.safe;
    if (s.resets && references_.words[std::size_t(s.device)] & control::reset) acting_[i] = 1.0;
    command_at(out, std::size_t(s.at)) = acting_[i];
    hasher.add(acting_[i]);
  }
  report_.hash = hasher.h;
}

void Remote::update(const Readings& readings, std::span<double> memory, Input<double>& out) {
  find_faults(memory);
  if (!options_.timed) return ask(readings, out);
  if (!running_) begin_timed(readings);
  const std::int64_t k = step_number(readings.t, options_.step);
  const double cycle = layout_.cycle, delay = options_.plan.delay * cycle;
  if (sim::is_tick({cycle, 0.0, 0.0}, k, options_.step)) begin_cycle(readings, out);
  if (!sim::is_tick({cycle, delay, 0.0}, k, options_.step)) return;
  clock_.wait_until(start_ + (n_ - 1) * cycle_ + std::llround(delay * 1e9));
  sample(readings);
}

// ---- lock-step

// False: somebody wants to stop. Images that are no answer to the last one are passed over.
bool Remote::wait_for_answer() {
  std::span<const std::byte> image = next_image(0);
  std::span<const std::byte> send = image;
  std::int64_t sent = clock_.now();
  for (;;) {
    const bool got = transport_.exchange(send, incoming_.buffer(), clock_.now() + glance);
    send = {};
    if (got) {
      incoming_.unpack(incoming_.buffer());
      const Header& h = incoming_.header;
      if (h.status & status::hello) send = image;
      if (h.status & (status::hello | status::bye)) continue;
      if (h.session != measured_.header.session || h.echo != tick_) {
        report_.stale++;
        continue;
      }
      if (options_.log) options_.log->add(incoming_.buffer());
      if (admit()) {
        std::swap(references_, incoming_);
        return true;
      }
      image = next_image(0);
      send = image;
      sent = clock_.now();
      continue;
    }
    if (is_to_stop()) return false;
    if (clock_.now() - sent < resend_after) continue;
    send = image;
    sent = clock_.now();
  }
}

// Before the first step devices go up, while time stands still.
void Remote::ask(const Readings& readings, Input<double>& out) {
  sample(readings);
  while (!running_) {
    if (!wait_for_answer()) return;
    devices_.step(references_.words, own_faults_);
    running_ = devices_.are_where(references_.words);
  }
  const std::int64_t sent = clock_.now();
  if (!wait_for_answer()) return;
  report_.round_trip.add(clock_.now() - sent);
  last_answer_.store(clock_.now() - sent, std::memory_order_relaxed);
  report_.cycles++;
  devices_.step(references_.words, own_faults_);
  apply(out);
}

// ---- timed

// A packet of the link that is to be lost or late by the scenario.
bool Remote::is_lost(std::int64_t now, double t) {
  const sim::BridgePlan& plan = options_.plan;
  const std::uint64_t n = std::uint64_t(n_);
  bool lost = plan.loss > 0.0 && math::uniform({options_.seed, 0, loss_stream, n}) < plan.loss;
  for (std::size_t i = 0; i < plan.lost_from.size(); i++)
    lost = lost || (t >= plan.lost_from[i] - 1e-9 && t < plan.lost_until[i] - 1e-9);
  if (lost) {
    report_.lost++;
    return true;
  }
  const double late = plan.late * math::uniform({options_.seed, 0, late_stream, n});
  if (plan.late == 0.0 || std::int64_t(incoming_.header.time) + std::llround(late * 1e9) <= now) return false;
  report_.late_packets++;
  return true;
}

// The newest packet, if there is one that counts: what is refused or lost does not take the place of what acts.
bool Remote::receive(std::int64_t now, double t) {
  if (!transport_.exchange({}, incoming_.buffer(), 0)) return false;
  incoming_.unpack(incoming_.buffer());
  const Header& h = incoming_.header;
  if (h.status & (status::hello | status::bye)) return false;
  const bool is_new = transport_.connections() != connection_;
  if (h.session != measured_.header.session || (!is_new && h.tick <= last_tick_)) {
    report_.stale++;
    return false;
  }
  if (!is_new && last_tick_ > 0) report_.gaps += std::int64_t(h.tick - last_tick_) - 1;
  connection_ = transport_.connections();
  last_tick_ = h.tick;
  if (running_ && is_lost(now, t)) return false;
  if (options_.log) options_.log->add(incoming_.buffer());
  if (!admit()) return false;
  std::swap(references_, incoming_);
  return true;
}

// Devices go up in the pace of the cycle while time stands still; it begins to run with references that are fresh.
void Remote::begin_timed(const Readings& readings) {
  sample(readings);
  for (std::int64_t next = clock_.now(); !running_ && !is_to_stop(); next += cycle_) {
    clock_.wait_until(next);
    next = std::max(next, clock_.now() - cycle_);  // nobody catches up here
    const bool fresh = receive(clock_.now(), readings.t);
    if (fresh) devices_.step(references_.words, own_faults_);
    running_ = fresh && devices_.are_where(references_.words);
    measured_.header.time = std::uint64_t(clock_.now());
    if (!running_) transport_.exchange(next_image(0), {}, 0);
  }
  start_ = clock_.now();
}

void Remote::measure(std::int64_t now) {
  const Header& h = references_.header;
  if (h.echo > tick_ || tick_ - h.echo >= sampled_at_.size()) return;
  const std::int64_t sampled = sampled_at_[h.echo % sampled_at_.size()];
  report_.dead.add(now - sampled);
  report_.age.add(std::int64_t(h.time) - sampled);
  last_answer_.store(now - sampled, std::memory_order_relaxed);
}

void Remote::begin_cycle(const Readings& readings, Input<double>& out) {
  std::int64_t due = start_ + n_ * cycle_;
  if (clock_.now() > due && n_ > 0) report_.overruns++;
  if (clock_.now() > due + 100 * cycle_) {  // the machine slept, or cannot keep up at all
    start_ += clock_.now() - due;
    due = clock_.now();
  }
  clock_.wait_until(due);
  const std::int64_t now = clock_.now();
  const bool first = n_ == 0;  // acts on what it began with
  if (!first) report_.late.add(now - due);
  const bool fresh = first || receive(now, readings.t);
  flags_ = fresh ? flags_ & ~std::uint32_t(status::missed) : flags_ | status::missed;
  missed_in_a_row_ = fresh ? 0 : missed_in_a_row_ + 1;
  if (fresh && n_ > 1) measure(now);
  if (!fresh) last_missed_.store(++report_.missed, std::memory_order_relaxed);
  if (fresh) devices_.step(references_.words, own_faults_);
  if (missed_in_a_row_ == options_.plan.watchdog) {
    devices_.fall(fault::watchdog);
    if (report_.falls++ == 0) report_.safe_from = readings.t;
  }
  apply(out);
  transport_.exchange(next_image(0), {}, 0);
  report_.cycles++;
  n_++;
}

std::string Remote::note() const {
  const std::int64_t last = last_answer_.load(std::memory_order_relaxed);
  const double cycle = layout_.cycle * 1e3;
  if (last < 0) return "waiting for a controller";
  if (!options_.timed) return fmt::format("cycle {:g} ms, answered in {:.3f} ms", cycle, double(last) * 1e-6);
  return fmt::format("cycle {:g} ms, sample to actuation {:.3f} ms, {} missed", cycle, double(last) * 1e-6,
                     last_missed_.load(std::memory_order_relaxed));
}

void Remote::finish() {
  for (int i = 0; i < 3; i++) transport_.exchange(next_image(status::stopped), {}, 0);  // one may get lost
}

}  // namespace sinew::bridge
