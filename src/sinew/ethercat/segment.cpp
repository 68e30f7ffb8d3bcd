#include "sinew/ethercat/segment.h"

#include <algorithm>

namespace sinew::ethercat {
namespace {

enum Command : std::uint8_t { NOP, APRD, APWR, APRW, FPRD, FPWR, FPRW, BRD, BWR, BRW, LRD, LWR, LRW, ARMW, FRMW };

constexpr std::size_t frame_header = 2, datagram_header = 10, counter_bytes = 2;
constexpr std::int64_t hop = 500;  // from slave to slave [ns]
constexpr std::size_t most_data = 2048;

constexpr bool is_broadcast(std::uint8_t c) { return c == BRD || c == BWR || c == BRW; }
constexpr bool is_by_place(std::uint8_t c) { return c == APRD || c == APWR || c == APRW || c == ARMW; }

// Its station address, or its alias where the master has switched that on.
bool is_called(const Slave& s, std::uint16_t address) {
  if (s.esc.at<std::uint16_t>(reg::station) == address) return true;
  return (s.esc.memory[reg::dl_control + 3] & 1) != 0 && s.esc.at<std::uint16_t>(reg::alias) == address;
}

}  // namespace

struct Segment::Datagram {
  std::uint8_t* head;  // command, index, address, length, interrupt
  Bytes data;
  std::uint16_t counter = 0;

  std::uint8_t command() const { return head[0]; }
  std::uint16_t place() const { return get<std::uint16_t>(head + 2); }
  std::uint16_t offset() const { return get<std::uint16_t>(head + 4); }
};

Segment::Segment(std::vector<Slave> slaves) : slaves_(std::move(slaves)) {
  for (std::size_t i = 0; i < slaves_.size(); i++) {
    const bool is_last = i + 1 == slaves_.size();  // ports 0 and 1; nothing behind port 1 of the last
    slaves_[i].esc.set(reg::dl_status, std::uint16_t(is_last ? 0x5611 : 0x5a31));
  }
}

bool Segment::is_any_operational() const {
  return std::ranges::any_of(slaves_, [](const Slave& s) { return s.is_operational(); });
}

void Segment::set_clock(std::size_t i, std::int64_t now) {
  slaves_[i].esc.local_time = now + slaves_[i].clock_offset + hop * std::int64_t(i);
}

// When the frame came by: at port 0 on its way out, at port 1 on its way back, each by the slave's own clock.
void Segment::latch(std::int64_t now) {
  for (std::size_t i = 0; i < slaves_.size(); i++) {
    Slave& s = slaves_[i];
    if ((s.esc.events & event::latch) == 0) continue;
    set_clock(i, now);
    const std::int64_t back = s.esc.local_time + 2 * hop * std::int64_t(slaves_.size() - 1 - i);
    s.esc.set(reg::dc_port_times, std::uint32_t(s.esc.local_time));
    s.esc.set(std::uint16_t(reg::dc_port_times + 4), std::uint32_t(i + 1 == slaves_.size() ? 0 : back));
    s.esc.set(reg::dc_received, s.esc.local_time);
  }
}

void Segment::by_address(Datagram& d, std::int64_t now) {
  const std::uint8_t c = d.command();
  std::uint16_t place = d.place();
  const bool all = is_broadcast(c), by_place = is_by_place(c);
  const bool reads = c == APRD || c == APRW || c == FPRD || c == FPRW || c == BRD || c == BRW;
  const bool writes = c == APWR || c == APRW || c == FPWR || c == FPRW || c == BWR || c == BRW;
  const bool distributes = c == ARMW || c == FRMW;  // one is read, all the others are written
  std::array<std::uint8_t, most_data> seen;
  for (std::size_t i = 0; i < slaves_.size(); i++) {
    Slave& s = slaves_[i];
    const bool is_called_now = all || (by_place ? place == 0 : is_called(s, d.place()));
    if (all || by_place) place++;
    if (!is_called_now && !distributes) continue;
    set_clock(i, now);
    const bool is_read = reads || (distributes && is_called_now),
               is_written = writes || (distributes && !is_called_now);
    const Bytes there{seen.data(), d.data.size()};
    const bool was_read = is_read && read(s.esc, d.offset(), there);
    const bool was_written = is_written && write(s.esc, d.offset(), d.data);
    d.counter = std::uint16_t(d.counter + (was_read ? 1 : 0) + (was_written ? (is_read ? 2 : 1) : 0));
    for (std::size_t k = 0; was_read && k < there.size(); k++)
      d.data[k] = all ? std::uint8_t(d.data[k] | there[k]) : there[k];
  }
  if (all || by_place) put(d.head + 2, place);
}

void Segment::by_logical(Datagram& d, std::int64_t now) {
  const std::uint8_t c = d.command();
  const std::uint32_t address = get<std::uint32_t>(d.head + 2);
  for (std::size_t i = 0; i < slaves_.size(); i++) {
    Slave& s = slaves_[i];
    set_clock(i, now);
    const LogicalAccess done = access_logical(s.esc, address, d.data, c != LWR, c != LRD);
    d.counter = std::uint16_t(d.counter + (done.was_read ? 1 : 0) + (done.was_written ? c == LRW ? 2 : 1 : 0));
  }
}

void Segment::process(Datagram& d, std::int64_t now) {
  const std::uint8_t c = d.command();
  if (c == NOP || c > FRMW) return;
  if (c == LRD || c == LWR || c == LRW)
    by_logical(d, now);
  else
    by_address(d, now);
  latch(now);
  const Slave* paces = nullptr;  // the first that is Operational, rather one with outputs
  for (const Slave& s : slaves_)
    if (s.is_operational() && (!paces || (s.has_outputs() && !paces->has_outputs()))) paces = &s;
  const unsigned wanted = !paces                 ? 0u
                          : paces->has_outputs() ? unsigned(event::outputs_written)
                                                 : unsigned(event::inputs_read);
  if (paces && (paces->esc.events & wanted)) exchanges_++;
  for (Slave& s : slaves_) serve(s, now);
}

bool Segment::process(Bytes frame, std::int64_t now) {
  if (frame.size() < frame_header) return false;
  const std::uint16_t header = get<std::uint16_t>(frame.data());
  if (header >> 12 != 1) return false;  // datagrams
  frame = frame.subspan(frame_header, std::min<std::size_t>(frame.size() - frame_header, header & 0x7ff));
  watch(now);
  bool more = true;
  while (more && frame.size() >= datagram_header + counter_bytes) {
    const std::uint16_t length = get<std::uint16_t>(frame.data() + 6);
    const std::size_t n = length & 0x7ff;
    if (n + datagram_header + counter_bytes > frame.size()) return false;
    more = (length & 0x8000) != 0;
    Datagram d{frame.data(), frame.subspan(datagram_header, n)};
    std::uint8_t* counter = frame.data() + datagram_header + n;
    d.counter = get<std::uint16_t>(counter);
    process(d, now);
    put(counter, d.counter);
    frame = frame.subspan(datagram_header + n + counter_bytes);
  }
  return !more;
}

void Segment::watch(std::int64_t now) {
  for (Slave& s : slaves_) ethercat::watch(s, now);
}

}  // namespace sinew::ethercat
