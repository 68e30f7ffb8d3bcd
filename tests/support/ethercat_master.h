// A small EtherCAT master for tests: datagrams one by one, EEPROM, objects through the mailbox, the way to Operational as SOEM goes it, process data
// by one LRW. It knows nothing of the code that it tests but the numbers of the standard.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinew::test {

using Octets = std::vector<std::uint8_t>;

// One frame, from the header of EtherCAT on, and what came back; empty: nothing came.
using Wire = std::function<Octets(const Octets&)>;

struct Reply {
  int counter = -1;  // working counter; -1: nothing came back
  Octets data;
  std::uint32_t number() const;  // of up to four bytes
};

struct SdoReply {
  std::uint32_t abort = 0;
  Octets data;
  std::uint32_t number() const;
};

class Master {
 public:
  enum Command : std::uint8_t { NOP, APRD, APWR, APRW, FPRD, FPWR, FPRW, BRD, BWR, BRW, LRD, LWR, LRW, ARMW, FRMW };

  explicit Master(Wire wire) : wire_(std::move(wire)) {}

  Reply send(Command command, std::uint32_t address, const Octets& data);
  Reply send(Command command, std::uint16_t place, std::uint16_t offset, const Octets& data) {
    return send(command, std::uint32_t(place) | std::uint32_t(offset) << 16, data);
  }
  Reply read(int slave, std::uint16_t offset, std::size_t n) { return send(FPRD, station(slave), offset, Octets(n)); }
  Reply write(int slave, std::uint16_t offset, const Octets& data) { return send(FPWR, station(slave), offset, data); }
  static std::uint16_t station(int slave) { return std::uint16_t(0x1001 + slave); }

  std::uint32_t eeprom(int slave, std::uint16_t word);
  // Where the first category of this kind has its data, in bytes, and how many; 0: there is none.
  std::pair<int, int> find_category(int slave, std::uint16_t kind);

  int enumerate();  // how many slaves there are; they get their addresses
  void set_mailboxes(int slave);
  std::uint16_t ask_state(int slave, std::uint16_t state);  // writes AL control; returns AL status
  std::uint16_t code(int slave) { return std::uint16_t(read(slave, 0x0134, 2).number()); }

  // The mailbox: a whole message behind its header, and the answer's; empty: none.
  Octets mail(int slave, std::uint8_t protocol, const Octets& body, std::optional<std::uint16_t> length = {});
  SdoReply upload(int slave, std::uint16_t index, std::uint8_t sub, bool whole = false);
  SdoReply download(int slave, std::uint16_t index, std::uint8_t sub, const Octets& data, bool whole = false,
                    bool expedited = true);
  std::vector<std::uint16_t> list_objects(int slave);

  // Sync managers 2 and 3 and FMMUs for the sizes that objects say; sets outputs and inputs.
  void map_process_data(int n_slaves);
  int configure(int n_slaves);  // all the way to SafeOp; how many got there
  bool go_operational(int n_slaves);

  int cycle();  // one LRW; its working counter
  int expected_counter() const { return expected_; }
  Octets image;
  struct Place {
    std::size_t outputs = 0, n_outputs = 0, inputs = 0, n_inputs = 0;
  };
  std::vector<Place> places;

 private:
  std::uint16_t bits_of(int slave, std::uint16_t assign);

  Wire wire_;
  std::uint8_t index_ = 0;
  std::map<int, std::uint8_t> counters_;  // of the mailboxes
  int expected_ = 0;
};

template <class T>
Octets octets(T value) {
  Octets out(sizeof value);
  for (std::size_t i = 0; i < sizeof value; i++) out[i] = std::uint8_t(std::uint64_t(value) >> (8 * i));
  return out;
}
Octets operator+(Octets a, const Octets& b);

}  // namespace sinew::test
