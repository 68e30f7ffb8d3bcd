#include "sinew/ethercat/coe.h"

#include <algorithm>

#include "sinew/ethercat/sdo.h"

namespace sinew::ethercat {
namespace {

enum : std::uint8_t { protocol_error = 0, protocol_coe = 3 };
enum : std::uint8_t { sdo_request = 2, sdo_response = 3, sdo_information = 8 };
enum : std::uint8_t { information_error = 7 };

constexpr std::uint16_t repeat_request = reg::sync_manager + sync_manager_bytes + 6;
constexpr std::uint16_t repeat_answer = reg::sync_manager + sync_manager_bytes + 7;

// `n` bytes stand behind the header.
void post(Esc& esc, Mailbox& mailbox, std::uint8_t protocol, std::size_t n) {
  std::uint8_t* head = mailbox.sent.data();
  mailbox.last_said = std::uint8_t(mailbox.last_said % 7 + 1);
  put(head, std::uint16_t(n));
  put(head + 2, std::uint16_t(0));
  head[4] = 0;
  head[5] = std::uint8_t(protocol | mailbox.last_said << 4);
  std::fill(mailbox.sent.begin() + std::ptrdiff_t(mailbox_header + n), mailbox.sent.end(), std::uint8_t(0));
  std::ranges::copy(mailbox.sent, esc.memory.begin() + mailbox_out);
  esc.set_full(1, true);
}

void post_error(Esc& esc, Mailbox& mailbox, std::uint16_t code) {
  std::uint8_t* body = mailbox.sent.data() + mailbox_header;
  put(body, std::uint16_t(1));
  put(body + 2, code);
  post(esc, mailbox, protocol_error, 4);
}

// The next fragment of what the information service has to say.
void post_fragment(Esc& esc, Mailbox& mailbox) {
  Mailbox::Information& info = mailbox.information;
  constexpr std::size_t most = most_service - 4;
  const std::size_t n = std::min(info.size - info.done, most), left = info.size - info.done - n;
  std::uint8_t* body = mailbox.sent.data() + mailbox_header;
  put(body, std::uint16_t(sdo_information << 12));
  body[2] = std::uint8_t(info.opcode | (left > 0 ? 0x80 : 0));
  body[3] = 0;
  put(body + 4, std::uint16_t((left + most - 1) / most));
  std::copy_n(info.data.begin() + std::ptrdiff_t(info.done), n, body + 6);
  info.done += n;
  info.is_on = left > 0;
  post(esc, mailbox, protocol_coe, coe_header + 4 + n);
}

void answer_coe(Esc& esc, Mailbox& mailbox, const SdoServer& server, ConstBytes body) {
  if (body.size() < coe_header) return post_error(esc, mailbox, mailbox_error::too_short);
  const std::uint8_t service = std::uint8_t(get<std::uint16_t>(body.data()) >> 12);
  const ConstBytes request = body.subspan(coe_header);
  std::uint8_t* out = mailbox.sent.data() + mailbox_header;
  const Bytes answer{out + coe_header, most_service};
  if (service == sdo_request) {
    if (request.size() < 8) return post_error(esc, mailbox, mailbox_error::too_short);
    put(out, std::uint16_t(sdo_response << 12));
    const std::size_t n = answer_sdo(server, request, answer);
    if (n > 0 && answer[0] == 0x80) put(out, std::uint16_t(sdo_request << 12));  // an abort is a request
    if (n > 0) post(esc, mailbox, protocol_coe, coe_header + n);
    return;
  }
  if (service != sdo_information) return post_error(esc, mailbox, mailbox_error::service);
  const Abort code = ask_information(server, request);
  Mailbox::Information& info = mailbox.information;
  if (code != abort_code::none) {
    info.opcode = information_error;
    put(info.data.data(), code);
    info.size = 4;
    info.done = 0;
  }
  post_fragment(esc, mailbox);
}

void repeat_if_asked(Esc& esc, const Mailbox& mailbox) {
  if (((esc.memory[repeat_request] ^ esc.memory[repeat_answer]) & 2) == 0) return;
  esc.memory[repeat_answer] = std::uint8_t((esc.memory[repeat_answer] & ~2) | (esc.memory[repeat_request] & 2));
  if (esc.sync_manager(1).is_full() || mailbox.sent[5] == 0) return;
  std::ranges::copy(mailbox.sent, esc.memory.begin() + mailbox_out);
  esc.set_full(1, true);
}

}  // namespace

void reset_mailbox(Esc& esc, Mailbox& mailbox) {
  mailbox.transfer.is_up = mailbox.transfer.is_down = mailbox.information.is_on = false;
  mailbox.last_heard = mailbox.last_said = 0;
  mailbox.sent.fill(0);
  esc.memory[repeat_answer] = esc.memory[repeat_request];
  esc.set_full(0, false);
  esc.set_full(1, false);
}

void serve_mailbox(Esc& esc, Mailbox& mailbox, Dictionary& objects, WriteCheck check, std::uint8_t state) {
  repeat_if_asked(esc, mailbox);
  if (esc.sync_manager(1).is_full()) return;
  if (mailbox.information.is_on) return post_fragment(esc, mailbox);
  if (!esc.sync_manager(0).is_full()) return;
  std::array<std::uint8_t, mailbox_bytes> heard;
  std::copy_n(esc.memory.begin() + mailbox_in, heard.size(), heard.begin());
  esc.set_full(0, false);
  const std::size_t n = get<std::uint16_t>(heard.data());
  const std::uint8_t counter = (heard[5] >> 4) & 7;
  if (counter != 0 && counter == mailbox.last_heard) return;  // heard twice
  mailbox.last_heard = counter;
  if (n > mailbox_bytes - mailbox_header) return post_error(esc, mailbox, mailbox_error::invalid_size);
  if ((heard[5] & 15) != protocol_coe) return post_error(esc, mailbox, mailbox_error::unsupported_protocol);
  answer_coe(esc, mailbox, {objects, mailbox, check, state}, ConstBytes(heard).subspan(mailbox_header, n));
}

}  // namespace sinew::ethercat
