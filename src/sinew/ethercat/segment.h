// Segment: slaves in a line, and frames that pass through all of them and come back. A frame is bytes in, the same bytes changed; no socket, no clock:
// the time is given with each frame. Frames of any content are safe: what is no EtherCAT is left alone, a datagram that is cut off ends the frame.
#pragma once
#include <vector>

#include "sinew/ethercat/slave.h"

namespace sinew::ethercat {

class Segment {
 public:
  explicit Segment(std::vector<Slave> slaves);

  // The header of EtherCAT and its datagrams, as they stand in an Ethernet frame behind the type 0x88a4, or in a UDP packet. False: it is none.
  bool process(Bytes frame, std::int64_t now);
  void watch(std::int64_t now);  // watchdogs; at least once a cycle

  std::vector<Slave>& slaves() { return slaves_; }
  const std::vector<Slave>& slaves() const { return slaves_; }

  // How often process data were exchanged with a slave that is Operational: outputs written, or inputs read where none has outputs.
  std::int64_t exchanges() const { return exchanges_; }
  bool is_any_operational() const;

 private:
  struct Datagram;
  void process(Datagram& d, std::int64_t now);
  void by_address(Datagram& d, std::int64_t now);
  void by_logical(Datagram& d, std::int64_t now);
  void latch(std::int64_t now);
  void set_clock(std::size_t i, std::int64_t now);

  std::vector<Slave> slaves_;
  std::int64_t exchanges_ = 0;
};

}  // namespace sinew::ethercat
