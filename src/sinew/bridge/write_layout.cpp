// The layout as source text, with the few functions that a controller needs: so a controller includes one file and nothing of sinew.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "sinew/bridge/image.h"
#include "sinew/bridge/layout.h"

namespace sinew::bridge {
namespace {

// Names of fields: letters, digits, _; each once.
std::vector<std::string> fields_of(const std::vector<Slot>& slots) {
  std::vector<std::string> out;
  std::set<std::string> taken;
  for (const Slot& s : slots) {
    std::string field = s.name;
    std::ranges::replace_if(
        field, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    while (!taken.insert(field).second) field += "_";
    out.push_back(field);
  }
  return out;
}

std::size_t padding(std::size_t words) { return (4 - words % 4) % 4; }

// "joint.knee.torque [N m], -5 to 5".
std::string remark_on(const Slot& s) {
  const std::string range = s.device < 0 ? "" : fmt::format(", {:g} to {:g}", s.low, s.high);
  return fmt::format("{} [{}]{}", s.name, s.unit, range);
}

std::string c_numbers(const std::vector<Slot>& slots) {
  std::string out = fmt::format("  union {{\n    double value[{}];\n    struct {{\n", slots.size());
  const std::vector<std::string> fields = fields_of(slots);
  for (std::size_t i = 0; i < slots.size(); i++)
    out += fmt::format("      double {}; /* {} */\n", fields[i], remark_on(slots[i]));
  return out + "    };\n  };\n";
}

std::string c_names(const char* what, const std::vector<Slot>& slots) {
  std::string out = fmt::format("static const char *const sinew_{}_name[] = {{ /* of value[] */\n", what);
  for (const Slot& s : slots) out += fmt::format("  \"{}\",\n", s.name);
  return out + "};\n";
}

// Where the set-points of drives and pads begin: behind the torques, for which 0 is nothing.
std::size_t first_set_point(const Layout& layout) {
  std::size_t i = 0;
  while (i < layout.references.size() && !layout.references[i].may_be_none) i++;
  return i;
}

constexpr const char* c_types = R"(
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  uint32_t magic, layout;
  uint64_t session, tick, echo, time;
  uint32_t status, crc;
} sinew_header;

enum { SINEW_RUNNING = 1, SINEW_MISSED = 2, SINEW_SAFE = 4, SINEW_REFUSED = 8, SINEW_STOPPED = 64, SINEW_TIMED = 128,
       SINEW_HELLO = 256, SINEW_BYE = 512 };                        /* status */
enum { SINEW_INIT = 1, SINEW_PREOP = 2, SINEW_SAFEOP = 4, SINEW_OP = 8, SINEW_RESET = 16 }; /* state, control */
)";

constexpr const char* c_functions = R"(
typedef struct {
  unsigned char *memory;
  int file;
  uint32_t seen;
  uint64_t tick;
} sinew_link;

static inline uint32_t sinew_crc(const void *data, size_t n) {
  uint32_t c = ~0u;
  for (size_t i = 0; i < n; i++) {
    c ^= ((const unsigned char *)data)[i];
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
  }
  return ~c;
}

/* Nothing is told: no torques, no set-points. Begin with it, and set what you want to tell. */
static inline void sinew_clear(sinew_references *r) {
  memset(r, 0, sizeof *r);
  for (int i = SINEW_SET_POINTS; i < SINEW_REFERENCES; i++) r->value[i] = SINEW_NONE;
}

/* A lock on one byte: 0, that a robot has, or 1, that a controller has. */
static inline struct flock sinew_lock(int byte) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return lock;
}

/* 0: the robot is there and this controller is its only one; 1: no robot yet; 2: another controller is at work;
   3: the robot has another layout. */
static inline int sinew_open(sinew_link *link, const char *name) {
  char path[256] = "/dev/shm/";
  struct flock robot = sinew_lock(0), mine = sinew_lock(1);
  uint32_t head[5] = {0, 0, 0, 0, 0};
  strncat(path, name, 200);
  if ((link->file = open(path, O_RDWR | O_CLOEXEC)) < 0) return 1;
  int answer = 0;
  if (fcntl(link->file, F_GETLK, &robot) != 0 || robot.l_type == F_UNLCK ||
      pread(link->file, head, sizeof head, 0) != sizeof head || head[0] != 0x4d574e53u) answer = 1;
  else if (head[1] != 1 || head[2] != SINEW_LAYOUT) answer = 3;
  else if (fcntl(link->file, F_SETLK, &mine) != 0) answer = 2;
  if (answer == 0) {
    void *at = mmap(NULL, SINEW_MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, link->file, 0);
    if (at == MAP_FAILED) answer = 1;
    else link->memory = (unsigned char *)at;
  }
  if (answer != 0) {
    close(link->file);
    return answer;
  }
  __atomic_add_fetch((uint32_t *)(link->memory + 20), 1, __ATOMIC_SEQ_CST);
  link->seen = __atomic_load_n((uint32_t *)(link->memory + 64), __ATOMIC_ACQUIRE) & ~1u;
  link->tick = 0;
  return 0;
}

static inline void sinew_close(sinew_link *link) {
  munmap(link->memory, SINEW_MEMORY);
  close(link->file); /* another controller may come now */
}

/* Sends references for the measured values in m, of which session and tick are given back. m == NULL: hello. */
static inline void sinew_send(sinew_link *link, const sinew_measured *m, sinew_references *r) {
  uint32_t *counter = (uint32_t *)(link->memory + SINEW_REFERENCES_AT);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  r->header.magic = 0x31524e53u;
  r->header.layout = SINEW_LAYOUT;
  r->header.session = m ? m->header.session : 0;
  r->header.tick = ++link->tick;
  r->header.echo = m ? m->header.tick : 0;
  r->header.time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  r->header.status = m ? 0 : SINEW_HELLO;
  r->header.crc = 0;
  r->header.crc = sinew_crc(r, sizeof *r);
  uint32_t odd = __atomic_load_n(counter, __ATOMIC_RELAXED) | 1u;
  __atomic_store_n(counter, odd, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  memcpy(link->memory + SINEW_REFERENCES_AT + 64, r, sizeof *r);
  __atomic_store_n(counter, odd + 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, counter, 1, INT32_MAX, NULL, NULL, 0); /* wakes a robot that sleeps on it */
}

/* Waits for the next image of the robot. 0: it is in m; 1: the robot has stopped or is gone. */
static inline int sinew_receive(sinew_link *link, sinew_measured *m) {
  uint32_t *counter = (uint32_t *)(link->memory + 64);
  const struct timespec nap = {0, 1000000};
  for (long i = 1;; i++) {
    uint32_t before = __atomic_load_n(counter, __ATOMIC_ACQUIRE);
    if (before != link->seen && before % 2 == 0) {
      memcpy(m, link->memory + 128, sizeof *m);
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      if (__atomic_load_n(counter, __ATOMIC_RELAXED) != before) continue;
      link->seen = before;
      uint32_t crc = m->header.crc;
      m->header.crc = 0;
      if (sinew_crc(m, sizeof *m) == crc) return (m->header.status & SINEW_STOPPED) != 0;
    }
    if (i % 2000 != 0) continue;
    syscall(SYS_futex, counter, 0, link->seen, &nap, NULL, 0); /* sleeps while nothing new is there, 1 ms at most */
    struct flock robot = sinew_lock(0);
    if (i % 100000 == 0 && fcntl(link->file, F_GETLK, &robot) == 0 && robot.l_type == F_UNLCK) return 1;
  }
}
)";

std::string python_fields(const std::vector<Slot>& slots) {
  std::string out;
  const std::vector<std::string> fields = fields_of(slots);
  for (std::size_t i = 0; i < slots.size(); i++)
    out += fmt::format("        (\"{}\", ctypes.c_double),  # {}\n", fields[i], remark_on(slots[i]));
  return out;
}

constexpr const char* python_types = R"(
import ctypes
import socket
import time
import zlib

RUNNING, MISSED, SAFE, REFUSED, BUSY, WRONG_LAYOUT, STOPPED, TIMED, HELLO, BYE = (1 << i for i in range(10))  # status
INIT, PREOP, SAFEOP, OP, RESET = 1, 2, 4, 8, 16  # state, control


class Header(ctypes.LittleEndianStructure):
    _fields_ = [("magic", ctypes.c_uint32), ("layout", ctypes.c_uint32), ("session", ctypes.c_uint64), ("tick", ctypes.c_uint64),
                ("echo", ctypes.c_uint64), ("time", ctypes.c_uint64), ("status", ctypes.c_uint32), ("crc", ctypes.c_uint32)]
)";

constexpr const char* python_functions = R"(

class Link:
    """A way to the robot over UDP: for measured in Link(port): ...; link.send(references)."""

    def __init__(self, port, host="127.0.0.1"):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect((host, port))
        self.socket.settimeout(0.1)
        self.tick, self.measured = 0, None

    def send(self, references, status=0):
        seen, self.tick = self.measured, self.tick + (0 if status & HELLO else 1)
        references.header = Header(0x31524E53, LAYOUT, seen.header.session if seen else 0, self.tick, seen.header.tick if seen else 0,
                                   time.monotonic_ns(), status, 0)
        references.header.crc = zlib.crc32(bytes(references))
        try:
            self.socket.send(bytes(references))
        except ConnectionRefusedError:
            pass  # nobody is there yet

    def __iter__(self):
        """Images of measured values, until the robot stops. A silent robot is greeted again and again."""
        while True:
            try:
                data = self.socket.recv(65536)
            except (socket.timeout, ConnectionRefusedError):
                time.sleep(0.02)
                self.send(References(), HELLO)
                continue
            header = Header.from_buffer_copy(data) if len(data) >= ctypes.sizeof(Header) else Header()
            if header.magic == 0x314D4E53 and header.status & (BUSY | WRONG_LAYOUT):
                raise RuntimeError("another controller is at work" if header.status & BUSY else "the robot has another layout")
            blank = data[:44] + bytes(4) + data[48:]
            if len(data) != ctypes.sizeof(Measured) or header.magic != 0x314D4E53 or header.crc != zlib.crc32(blank):
                continue
            if header.status & STOPPED:
                return
            self.measured = Measured.from_buffer_copy(data)
            yield self.measured
)";

}  // namespace

std::string c_header(const Layout& layout) {
  const std::size_t n = layout.devices.size();
  const auto round_up = [](std::size_t bytes) { return (bytes + 63) / 64 * 64; };
  const std::size_t at = 128 + round_up(layout.measured_bytes());
  std::string out =
      fmt::format("/* sinew bridge --header: {}; a cycle of {:g} s. Include it, nothing else is needed. */\n",
                  layout.robot, layout.cycle);
  out += "#ifndef SINEW_ROBOT_H\n#define SINEW_ROBOT_H\n";
  out += c_types;
  out += fmt::format("\n#define SINEW_LAYOUT 0x{:08x}u\n#define SINEW_CYCLE {:.9g}\n", layout.hash, layout.cycle);
  out += fmt::format("#define SINEW_NONE {:g} /* a set-point that is not given */\n", drive::command::none);
  out += fmt::format(
      "enum {{ SINEW_DEVICES = {}, SINEW_MEASURED = {}, SINEW_REFERENCES = {}, SINEW_SET_POINTS = {},\n"
      "       SINEW_REFERENCES_AT = {}, SINEW_MEMORY = {} }};\n",
      n, layout.measured.size(), layout.references.size(), first_set_point(layout), at,
      at + 64 + round_up(layout.references_bytes()));
  out += "static const char *const sinew_device[] = {\n";
  for (const std::string& name : layout.devices) out += fmt::format("  \"{}\",\n", name);
  out += "};\n" + c_names("measured", layout.measured) + c_names("references", layout.references);
  out += "\ntypedef struct {\n  sinew_header header;\n";
  out += fmt::format("  uint16_t state[{0}], fault[{0}];\n", n);
  if (padding(2 * n) > 0) out += fmt::format("  uint16_t pad[{}];\n", padding(2 * n));
  out += c_numbers(layout.measured) + "} sinew_measured;\n\ntypedef struct {\n  sinew_header header;\n";
  out += fmt::format("  uint16_t control[{}];\n", n);
  if (padding(n) > 0) out += fmt::format("  uint16_t pad[{}];\n", padding(n));
  out += c_numbers(layout.references) + "} sinew_references;\n\n";
  out += fmt::format(
      "typedef char sinew_layout_check[sizeof(sinew_measured) == {} && sizeof(sinew_references) == {} ? 1 : -1];\n",
      layout.measured_bytes(), layout.references_bytes());
  return out + c_functions + "\n#endif\n";
}

std::string python_module(const Layout& layout) {
  const std::size_t n = layout.devices.size();
  std::string out =
      fmt::format("\"\"\"sinew bridge --python: {}; a cycle of {:g} s. Import it, nothing else is needed.\"\"\"\n",
                  layout.robot, layout.cycle);
  out += python_types;
  out += fmt::format("\n\nLAYOUT = 0x{:08x}\nCYCLE = {:.9g}\n", layout.hash, layout.cycle);
  out += fmt::format("NONE = {:g}  # a set-point that is not given\nDEVICES = [\n", drive::command::none);
  for (const std::string& name : layout.devices) out += fmt::format("    \"{}\",\n", name);
  out += "]\n\n\nclass Measured(ctypes.LittleEndianStructure):\n    _fields_ = [\n        (\"header\", Header),\n";
  out += fmt::format("        (\"state\", ctypes.c_uint16 * {0}), (\"fault\", ctypes.c_uint16 * {0}),\n", n);
  if (padding(2 * n) > 0) out += fmt::format("        (\"pad\", ctypes.c_uint16 * {}),\n", padding(2 * n));
  out +=
      python_fields(layout.measured) +
      "    ]\n\n\nclass References(ctypes.LittleEndianStructure):\n    _fields_ = [\n        (\"header\", Header),\n";
  out += fmt::format("        (\"control\", ctypes.c_uint16 * {}),\n", n);
  if (padding(n) > 0) out += fmt::format("        (\"pad\", ctypes.c_uint16 * {}),\n", padding(n));
  out += python_fields(layout.references) + "    ]\n";
  if (const std::size_t first = first_set_point(layout); first < layout.references.size()) {
    out += "\n    def __init__(self):\n        super().__init__()\n";
    out += fmt::format("        for name, _ in self._fields_[{}:]:  # set-points: none is given\n",
                       first + (padding(n) > 0 ? 3 : 2));
    out += "            setattr(self, name, NONE)\n";
  }
  out += "\n\n";
  out += fmt::format("assert ctypes.sizeof(Measured) == {} and ctypes.sizeof(References) == {}\n",
                     layout.measured_bytes(), layout.references_bytes());
  return out + python_functions;
}

}  // namespace sinew::bridge
