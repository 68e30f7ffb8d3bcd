// SDO services on their own: a request without mailbox header in, an answer out. Behind coe.h.
#pragma once
#include "sinew/ethercat/coe.h"

namespace sinew::ethercat {

inline constexpr std::size_t mailbox_header = 6, coe_header = 2;
inline constexpr std::size_t most_service = mailbox_bytes - mailbox_header - coe_header;  // bytes behind both

struct SdoServer {
  Dictionary& objects;
  Mailbox& mailbox;
  WriteCheck check;
  std::uint8_t state;  // of the application layer
};

// Returns the size of the answer; 0: none is due. Both begin behind the header of CoE.
std::size_t answer_sdo(const SdoServer& server, ConstBytes request, Bytes answer);

// The information service: what is asked is laid into Mailbox::information. Returns an abort code.
Abort ask_information(const SdoServer& server, ConstBytes request);

}  // namespace sinew::ethercat
