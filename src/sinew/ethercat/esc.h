// Esc: a slave controller, the part of a slave that masters talk to: its memory of registers and process data, what may be read and written, and what
// happens by it. Plain bytes; nothing here knows of drives. Sync managers guard process memory: a mailbox is written as a whole while it is empty
// and read as a whole while it is full; process data may be read and written at any time. FMMUs map logical addresses to memory, bit by bit.
#pragma once
#include <array>

#include "sinew/ethercat/bytes.h"
#include "sinew/ethercat/registers.h"

namespace sinew::ethercat {

// What has happened since somebody looked.
namespace event {
enum : unsigned {
  al_control = 1,
  eeprom = 2,
  mailbox_written = 4,
  mailbox_read = 8,
  outputs_written = 16,
  inputs_read = 32,
  latch = 64,
  sync_managers = 128
};
}

struct SyncManager {
  std::uint16_t start, length;
  std::uint8_t control, status, activate, pdi;
  bool is_enabled() const { return (activate & 1) != 0 && length > 0; }
  bool is_mailbox() const { return (control & 3) == 2; }
  bool is_written() const { return (control & 12) == 4; }  // by the master
  bool is_full() const { return (status & 8) != 0; }
};
static_assert(sizeof(SyncManager) == sync_manager_bytes);

struct Esc {
  std::array<std::uint8_t, memory_bytes> memory{};
  unsigned events = 0;
  std::int64_t local_time = 0;  // its own clock [ns]

  template <class T>
  T at(std::uint16_t address) const {
    return get<T>(memory.data() + address);
  }
  template <class T>
  void set(std::uint16_t address, T value) {
    put(memory.data() + address, value);
  }
  SyncManager sync_manager(int i) const {
    return at<SyncManager>(std::uint16_t(reg::sync_manager + sync_manager_bytes * i));
  }
  void set_full(int i, bool full);
  std::uint64_t system_time() const { return std::uint64_t(local_time) + at<std::uint64_t>(reg::dc_offset); }
};

// By the master. False: nothing was read or written, and it does not count.
bool read(Esc& esc, std::uint16_t address, Bytes out);
bool write(Esc& esc, std::uint16_t address, ConstBytes in);

// Through its FMMUs, from a logical address on: writes what stands in data, then reads into it.
struct LogicalAccess {
  bool was_read = false, was_written = false;
};
LogicalAccess access_logical(Esc& esc, std::uint32_t address, Bytes data, bool reads, bool writes);

}  // namespace sinew::ethercat
