// CoE: objects of a slave, read and written through its mailbox (IEC 61158-6-12). SDO transfers expedited, normal, in segments, and of whole objects
// (complete access); the SDO information service lists what is there. An answer is posted as soon as the mailbox is read; a list that is too
// long for one goes out in fragments. A lost answer is repeated when the master toggles the repeat request of sync manager 1.
#pragma once
#include <array>

#include "sinew/ethercat/abort.h"
#include "sinew/ethercat/dictionary.h"
#include "sinew/ethercat/esc.h"

namespace sinew::ethercat {

inline constexpr std::size_t most_object_bytes = 512;

// What a write would do beyond storing the number; none: it may be written.
using WriteCheck = Abort (*)(const Dictionary& objects, std::uint16_t index, std::uint8_t sub, std::uint32_t value);

struct Mailbox {
  // A transfer in segments.
  struct Transfer {
    bool is_up = false, is_down = false, whole_object = false;
    std::uint8_t toggle = 0, sub = 0;
    std::uint16_t index = 0;
    std::size_t size = 0, done = 0;
    std::array<std::uint8_t, most_object_bytes> data{};
  };
  // An answer of the information service, with fragments that are left.
  struct Information {
    std::uint8_t opcode = 0;
    std::size_t size = 0, done = 0;
    bool is_on = false;
    std::array<std::uint8_t, most_object_bytes> data{};
  };
  Transfer transfer;
  Information information;
  std::uint8_t last_heard = 0, last_said = 0;  // counters of 1 to 7
  std::array<std::uint8_t, mailbox_bytes> sent{};
};

// Reads what is in mailbox 0 and fills mailbox 1, as far as both allow.
void serve_mailbox(Esc& esc, Mailbox& mailbox, Dictionary& objects, WriteCheck check, std::uint8_t state);
void reset_mailbox(Esc& esc, Mailbox& mailbox);

}  // namespace sinew::ethercat
