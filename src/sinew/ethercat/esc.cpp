#include "sinew/ethercat/esc.h"

#include <algorithm>

#include "sinew/math/check.h"

namespace sinew::ethercat {
namespace {

struct Range {
  std::uint16_t first, last;
};

// Registers that a master may write.
constexpr std::array<Range, 14> writable{{{0x0010, 0x0011},
                                          {0x0100, 0x0103},
                                          {0x0120, 0x0121},
                                          {0x0200, 0x0201},
                                          {0x0204, 0x0207},
                                          {0x0300, 0x0313},
                                          {0x0400, 0x0401},
                                          {0x0410, 0x0411},
                                          {0x0420, 0x0421},
                                          {0x0442, 0x0443},
                                          {0x0500, 0x050f},
                                          {0x0600, 0x063f},
                                          {0x0900, 0x0903},
                                          {0x0910, 0x09a7}}};
constexpr std::array<Range, 2> read_only_times{{{0x0918, 0x091f}, {0x092c, 0x092f}}};

constexpr std::array<bool, reg::ram> make_writable() {
  std::array<bool, reg::ram> out{};
  for (const Range& r : writable)
    for (int a = r.first; a <= r.last; a++) out[std::size_t(a)] = true;
  for (const Range& r : read_only_times)
    for (int a = r.first; a <= r.last; a++) out[std::size_t(a)] = false;
  for (int i = 0; i < n_sync_managers; i++)
    for (const int k : {0, 1, 2, 3, 4, 6}) out[std::size_t(reg::sync_manager + sync_manager_bytes * i + k)] = true;
  return out;
}
constexpr std::array<bool, reg::ram> is_writable = make_writable();

bool touches(std::size_t a, std::size_t n, std::size_t first, std::size_t size) {
  return a < first + size && first < a + n;
}

enum class Way { Read, Write };

// Whether the sync managers let these bytes of process memory pass, and what happens then.
bool pass(Esc& esc, std::uint16_t address, std::size_t n, Way way) {
  for (int i = 0; i < n_sync_managers; i++) {
    const SyncManager sm = esc.sync_manager(i);
    if (!sm.is_enabled() || !touches(address, n, sm.start, sm.length)) continue;
    if (sm.is_written() != (way == Way::Write)) return false;
    if (sm.is_mailbox() && (address > sm.start || sm.is_full() == (way == Way::Write))) return false;
    if (address + n < std::size_t(sm.start) + sm.length) continue;  // its last byte is what counts
    if (sm.is_mailbox()) esc.set_full(i, way == Way::Write);
    if (sm.is_mailbox())
      esc.events |= way == Way::Write ? event::mailbox_written : event::mailbox_read;
    else
      esc.events |= way == Way::Write ? event::outputs_written : event::inputs_read;
  }
  return true;
}

void note_written(Esc& esc, std::size_t a, std::size_t n) {
  if (touches(a, n, reg::al_control, 1)) esc.events |= event::al_control;
  if (touches(a, n, reg::eeprom_control, 2)) esc.events |= event::eeprom;
  if (touches(a, n, reg::dc_port_times, 4)) esc.events |= event::latch;
  if (touches(a, n, reg::sync_manager, n_sync_managers * sync_manager_bytes)) esc.events |= event::sync_managers;
  if (touches(a, n, reg::rx_errors, 20)) std::fill_n(esc.memory.begin() + reg::rx_errors, 20, std::uint8_t(0));
  if (touches(a, n, reg::watchdog_counts, 2)) esc.set(reg::watchdog_counts, std::uint16_t(0));
  if (!touches(a, n, reg::dc_time, 4)) return;
  // A clock without drift: the difference is told, and nothing is left to be regulated.
  const std::int32_t behind = std::int32_t(esc.at<std::uint32_t>(reg::dc_time) - std::uint32_t(esc.system_time()));
  const std::uint32_t sign = behind > 0 ? 0x80000000u : 0u;
  esc.set(reg::dc_difference, sign | (behind > 0 ? std::uint32_t(behind) : 0u - std::uint32_t(behind)));
}

std::uint8_t* byte_of(Esc& esc, std::uint32_t bit) { return esc.memory.data() + bit / 8; }

struct Fmmu {
  std::uint32_t start;
  std::uint16_t length;
  std::uint8_t start_bit, end_bit;
  std::uint16_t physical;
  std::uint8_t physical_bit, type, activate;

  bool is_whole_bytes() const { return start_bit == 0 && end_bit == 7 && physical_bit == 0; }
};

Fmmu fmmu_of(const Esc& esc, int i) {
  const std::uint16_t a = std::uint16_t(reg::fmmu + fmmu_bytes * i);
  return {esc.at<std::uint32_t>(a),
          esc.at<std::uint16_t>(std::uint16_t(a + 4)),
          std::uint8_t(esc.memory[a + 6] & 7),
          std::uint8_t(esc.memory[a + 7] & 7),
          esc.at<std::uint16_t>(std::uint16_t(a + 8)),
          std::uint8_t(esc.memory[a + 10] & 7),
          esc.memory[a + 11],
          esc.memory[a + 12]};
}

// The bits that both have, one by one: status bits of mailboxes, digital inputs. Process data through sync managers is whole bytes.
bool access_bits(Esc& esc, const Fmmu& f, std::uint32_t address, Bytes data, Way way) {
  const std::uint64_t first = std::uint64_t(f.start) * 8 + f.start_bit;
  const std::uint64_t end = (std::uint64_t(f.start) + f.length - 1) * 8 + f.end_bit + 1;
  const std::uint64_t low = std::max(first, std::uint64_t(address) * 8);
  const std::uint64_t high = std::min(end, (std::uint64_t(address) + data.size()) * 8);
  if (low >= high) return false;
  for (std::uint64_t b = low; b < high; b++) {
    const std::uint64_t physical = std::uint64_t(f.physical) * 8 + f.physical_bit + (b - first);
    if (physical >= std::uint64_t(memory_bytes) * 8) return false;
    std::uint8_t& there = *byte_of(esc, std::uint32_t(physical));
    std::uint8_t& here = data[std::size_t(b / 8 - address)];
    const std::uint8_t bit = std::uint8_t(1u << (b % 8)), own = std::uint8_t(1u << (physical % 8));
    if (way == Way::Read)
      here = std::uint8_t((there & own) ? here | bit : here & ~bit);
    else if (physical / 8 >= reg::ram)
      there = std::uint8_t((here & bit) ? there | own : there & ~own);
    else
      return false;
  }
  return true;
}

bool access_by(Esc& esc, const Fmmu& f, std::uint32_t address, Bytes data, Way way) {
  if ((f.activate & 1) == 0 || f.length == 0 || (f.type & (way == Way::Read ? 1 : 2)) == 0) return false;
  if (!f.is_whole_bytes()) return access_bits(esc, f, address, data, way);
  const std::uint64_t low = std::max(f.start, address);
  const std::uint64_t high =
      std::min(std::uint64_t(f.start) + f.length, std::uint64_t(address) + std::uint64_t(data.size()));
  if (low >= high) return false;
  const std::uint64_t physical = f.physical + (low - f.start);
  if (physical + (high - low) > memory_bytes) return false;
  const Bytes part = data.subspan(std::size_t(low - address), std::size_t(high - low));
  return way == Way::Read ? read(esc, std::uint16_t(physical), part) : write(esc, std::uint16_t(physical), part);
}

}  // namespace

void Esc::set_full(int i, bool full) {
  std::uint8_t& status = memory[std::size_t(reg::sync_manager + sync_manager_bytes * i + 5)];
  status = std::uint8_t(full ? status | 8 : status & ~8);
}

bool read(Esc& esc, std::uint16_t address, Bytes out) {
  if (out.empty() || address + out.size() > memory_bytes) return false;
  if (address < reg::ram && address + out.size() > reg::ram) return false;
  if (address >= reg::ram && !pass(esc, address, out.size(), Way::Read)) return false;
  if (touches(address, out.size(), reg::dc_time, 8)) esc.set(reg::dc_time, esc.system_time());
  std::copy_n(esc.memory.begin() + address, out.size(), out.begin());
  return true;
}

bool write(Esc& esc, std::uint16_t address, ConstBytes in) {
  if (in.empty() || address + in.size() > memory_bytes) return false;
  if (address < reg::ram && address + in.size() > reg::ram) return false;
  if (address >= reg::ram) {
    if (!pass(esc, address, in.size(), Way::Write)) return false;
    std::copy(in.begin(), in.end(), esc.memory.begin() + address);
    return true;
  }
  bool any = false;
  for (std::size_t i = 0; i < in.size(); i++) {
    if (!is_writable[address + i]) continue;
    esc.memory[address + i] = in[i];
    any = true;
  }
  if (any) note_written(esc, address, in.size());
  return any;
}

LogicalAccess access_logical(Esc& esc, std::uint32_t address, Bytes data, bool reads, bool writes) {
  LogicalAccess out;
  for (int i = 0; writes && i < n_fmmu; i++)
    if (access_by(esc, fmmu_of(esc, i), address, data, Way::Write)) out.was_written = true;
  for (int i = 0; reads && i < n_fmmu; i++)
    if (access_by(esc, fmmu_of(esc, i), address, data, Way::Read)) out.was_read = true;
  return out;
}

}  // namespace sinew::ethercat
