// Abort codes of SDO transfers and error codes of mailboxes (IEC 61158-6-12; ETG.1000.6).
#pragma once
#include <cstdint>

namespace sinew::ethercat {

using Abort = std::uint32_t;

namespace abort_code {
enum : Abort {
  none = 0,
  toggle = 0x05030000,
  unknown_command = 0x05040001,
  unsupported_access = 0x06010000,
  write_only = 0x06010001,
  read_only = 0x06010002,
  count_is_not_zero = 0x06010003,  // an entry can be written only while subindex 0 is 0
  no_object = 0x06020000,
  not_mappable = 0x06040041,
  too_long_for_pdo = 0x06040042,
  wrong_length = 0x06070010,
  too_long = 0x06070012,
  too_short = 0x06070013,
  no_subindex = 0x06090011,
  out_of_range = 0x06090030,
  wrong_state = 0x08000022
};
}

namespace mailbox_error {
enum : std::uint16_t { none = 0, unsupported_protocol = 2, service = 4, too_short = 6, invalid_size = 8 };
}

}  // namespace sinew::ethercat
