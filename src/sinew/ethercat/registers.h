// Registers of an EtherCAT slave controller (IEC 61158-4-12; their addresses and bits as masters use them: SOEM, ec_type.h, and the data sheets of
// controllers). Addresses are bytes in the memory of a slave.
#pragma once
#include <cstdint>

namespace sinew::ethercat {

namespace reg {
enum : std::uint16_t {
  type = 0x0000,
  features = 0x0008,
  station = 0x0010,
  alias = 0x0012,
  dl_control = 0x0100,
  dl_status = 0x0110,
  al_control = 0x0120,
  al_status = 0x0130,
  al_code = 0x0134,
  pdi_control = 0x0140,
  event_mask = 0x0200,
  event_request = 0x0210,
  rx_errors = 0x0300,
  watchdog_divider = 0x0400,
  watchdog_pdi = 0x0410,
  watchdog_data = 0x0420,
  watchdog_status = 0x0440,
  watchdog_counts = 0x0442,
  eeprom_config = 0x0500,
  eeprom_control = 0x0502,
  eeprom_address = 0x0504,
  eeprom_data = 0x0508,
  fmmu = 0x0600,
  sync_manager = 0x0800,
  dc_port_times = 0x0900,
  dc_time = 0x0910,
  dc_received = 0x0918,
  dc_offset = 0x0920,
  dc_delay = 0x0928,
  dc_difference = 0x092c,
  dc_speed = 0x0930,
  dc_activation = 0x0980,
  dc_start = 0x0990,
  dc_cycle = 0x09a0,
  ram = 0x1000
};
}

inline constexpr int n_fmmu = 4, n_sync_managers = 4, fmmu_bytes = 16, sync_manager_bytes = 8;
inline constexpr std::uint16_t memory_bytes = 0x2000;  // registers and 4 KiB of process memory

// Process memory of our slaves: two mailboxes, outputs, inputs.
inline constexpr std::uint16_t mailbox_bytes = 128, mailbox_in = 0x1000, mailbox_out = 0x1080;
inline constexpr std::uint16_t outputs_at = 0x1100, inputs_at = 0x1400, most_process_bytes = 64;
inline constexpr std::uint8_t control_mailbox_in = 0x26, control_mailbox_out = 0x22, control_outputs = 0x64,
                              control_inputs = 0x20;  // of sync managers 0 to 3

// States of the application layer, as in AL control and AL status.
namespace al {
enum : std::uint8_t { init = 1, pre_op = 2, boot = 3, safe_op = 4, op = 8, error = 16, acknowledge = 16 };
}

// AL status codes (ETG.1000.6 and ETG.1020).
namespace al_code {
enum : std::uint16_t {
  none = 0x0000,
  invalid_change = 0x0011,
  unknown_state = 0x0012,
  no_bootstrap = 0x0013,
  invalid_mailbox = 0x0016,
  no_outputs = 0x0019,
  watchdog = 0x001b,
  invalid_outputs = 0x001d,
  invalid_inputs = 0x001e,
  invalid_sync = 0x0030,
  invalid_sync_cycle = 0x0035
};
}

}  // namespace sinew::ethercat
