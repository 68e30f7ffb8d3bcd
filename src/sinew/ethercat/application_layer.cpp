#include "sinew/ethercat/application_layer.h"

#include <algorithm>

#include "sinew/ethercat/eeprom.h"
#include "sinew/ethercat/slave.h"

namespace sinew::ethercat {
namespace {

constexpr std::int64_t patience = 1'000'000'000;  // with a master that asks for Op and sends no outputs [ns]

void tell(Slave& s, std::uint16_t code) {
  s.esc.set(reg::al_status, std::uint16_t(s.state | (code != al_code::none ? al::error : 0)));
  s.esc.set(reg::al_code, code);
}

bool is_mailbox_right(const Esc& e) {
  const SyncManager in = e.sync_manager(0), out = e.sync_manager(1);
  return in.is_enabled() && in.is_mailbox() && in.is_written() && in.start == mailbox_in &&
         in.length == mailbox_bytes && out.is_enabled() && out.is_mailbox() && !out.is_written() &&
         out.start == mailbox_out && out.length == mailbox_bytes;
}

bool is_right(const SyncManager& sm, std::uint16_t start, std::uint16_t bytes, bool written) {
  if (bytes == 0) return !sm.is_enabled();
  return sm.is_enabled() && !sm.is_mailbox() && sm.is_written() == written && sm.start == start && sm.length == bytes;
}

std::uint16_t check_clock(const Slave& s) {
  const std::uint8_t activation = s.esc.memory[reg::dc_activation + 1];
  if ((activation & 1) == 0) return al_code::none;
  if ((activation & 2) == 0) return al_code::invalid_sync;
  return s.esc.at<std::uint32_t>(reg::dc_cycle) >= 100'000u ? al_code::none : al_code::invalid_sync_cycle;
}

std::uint16_t check_process_data(Slave& s) {
  s.outputs = outputs_of(s.objects);
  s.inputs = inputs_of(s.objects);
  if (!is_right(s.esc.sync_manager(2), outputs_at, s.outputs.bytes, true)) return al_code::invalid_outputs;
  if (!is_right(s.esc.sync_manager(3), inputs_at, s.inputs.bytes, false)) return al_code::invalid_inputs;
  return check_clock(s);
}

// Of any object: mappings, and modes that a drive does not have.
Abort check_write(const Dictionary& objects, std::uint16_t index, std::uint8_t sub, std::uint32_t value) {
  if (is_mapping(index)) return check_mapping(objects, index, sub, value);
  if (index != 0x6060) return abort_code::none;
  const std::int8_t mode = std::int8_t(value);
  const std::uint32_t modes = objects.value<std::uint32_t>(objects.find(0x6502, 0)->at);
  return mode >= 0 && mode <= 32 && (mode == 0 || (modes >> (mode - 1)) & 1) ? abort_code::none
                                                                             : abort_code::out_of_range;
}

// From PreOp with a mapping, which the objects will not change until PreOp is left upwards again.
std::uint16_t enter_safe_op(Slave& s) {
  const std::uint16_t code = check_process_data(s);
  if (code != al_code::none) {
    s.outputs = s.inputs = {};
    return code;
  }
  s.state = al::safe_op;
  s.heard_outputs = 0;
  publish(s);
  return al_code::none;
}

std::uint16_t go_up(Slave& s, std::uint8_t wanted, std::int64_t now) {
  switch (wanted) {
    case al::pre_op:
      if (s.state != al::init) return al_code::invalid_change;
      if (!is_mailbox_right(s.esc)) return al_code::invalid_mailbox;
      reset_mailbox(s.esc, s.mailbox);
      s.state = al::pre_op;
      return al_code::none;
    case al::safe_op:
      return s.state == al::pre_op ? enter_safe_op(s) : std::uint16_t(al_code::invalid_change);
    default:
      if (s.state != al::safe_op) return al_code::invalid_change;
      if (const std::uint16_t code = check_clock(s); code != al_code::none) return code;
      s.wants_op = true;
      s.asked_op = now;
      if (!s.has_outputs() || s.heard_outputs != 0) complete_op(s, now);
      return al_code::none;
  }
}

void go_down(Slave& s, std::uint8_t wanted) {
  s.state = wanted;
  s.wants_op = false;
  if (wanted < al::safe_op) s.outputs = s.inputs = {};
  if (wanted == al::init) reset_mailbox(s.esc, s.mailbox);
}

}  // namespace

std::int64_t watchdog_time(const Slave& s) {
  if ((s.esc.sync_manager(2).control & 0x40) == 0) return 0;
  const std::int64_t unit = 40 * (std::int64_t(s.esc.at<std::uint16_t>(reg::watchdog_divider)) + 2);
  return unit * s.esc.at<std::uint16_t>(reg::watchdog_data);
}

void complete_op(Slave& s, std::int64_t now) {
  s.wants_op = false;
  s.state = al::op;
  s.is_lost = false;
  s.heard_outputs = now;
  tell(s, al_code::none);
}

void fall_to_safe_op(Slave& s, std::uint16_t code) {
  s.state = al::safe_op;
  s.wants_op = false;
  s.heard_outputs = 0;
  tell(s, code);
}

void obey_al_control(Slave& s, std::int64_t now) {
  const std::uint8_t word = s.esc.memory[reg::al_control];
  const std::uint8_t wanted = word & 15;
  const bool has_error = s.esc.memory[reg::al_status] & al::error;
  std::uint16_t code = has_error ? s.esc.at<std::uint16_t>(reg::al_code) : std::uint16_t(al_code::none);
  if (word & al::acknowledge) code = al_code::none;
  if (wanted == al::boot) {
    code = al_code::no_bootstrap;
  } else if (wanted != al::init && wanted != al::pre_op && wanted != al::safe_op && wanted != al::op) {
    code = al_code::unknown_state;
  } else if (wanted < s.state) {
    go_down(s, wanted);
  } else if (wanted > s.state && code == al_code::none) {
    code = go_up(s, wanted, now);
  } else if (wanted == s.state) {
    s.wants_op = false;
  }
  tell(s, code);
}

void serve(Slave& s, std::int64_t now) {
  const unsigned events = s.esc.events;
  if (events == 0) return;
  s.esc.events = 0;
  if (events & event::outputs_written) {
    s.heard_outputs = now;
    s.esc.set(reg::watchdog_status, std::uint16_t(1));
    if (s.wants_op) complete_op(s, now);
    if (s.state == al::op) take_outputs(s.outputs, s.esc.memory.data() + outputs_at, s.objects);
  }
  if (events & event::eeprom) obey_eeprom_command(s);
  if (events & event::al_control) obey_al_control(s, now);
  if ((events & event::sync_managers) && s.state >= al::safe_op) {
    const bool outputs = is_right(s.esc.sync_manager(2), outputs_at, s.outputs.bytes, true);
    const bool inputs = is_right(s.esc.sync_manager(3), inputs_at, s.inputs.bytes, false);
    if (!outputs || !inputs) fall_to_safe_op(s, outputs ? al_code::invalid_inputs : al_code::invalid_outputs);
  }
  constexpr unsigned of_mailbox = event::mailbox_written | event::mailbox_read | event::sync_managers;
  if ((events & of_mailbox) && s.state >= al::pre_op) serve_mailbox(s.esc, s.mailbox, s.objects, &check_write, s.state);
}

void watch(Slave& s, std::int64_t now) {
  if (s.wants_op && now - s.asked_op > patience) fall_to_safe_op(s, al_code::no_outputs);
  const std::int64_t most = watchdog_time(s);
  if (s.state != al::op || !s.has_outputs() || most == 0 || now - s.heard_outputs <= most) return;
  s.is_lost = true;
  s.esc.set(reg::watchdog_status, std::uint16_t(0));
  std::uint8_t& count = s.esc.memory[reg::watchdog_counts];
  count = std::uint8_t(std::min(count + 1, 255));
  fall_to_safe_op(s, al_code::watchdog);
}

}  // namespace sinew::ethercat
