// Port: how frames come to a segment and go back. A frame is the EtherCAT part alone; what carries it is the port's business.
#pragma once
#include <cstdint>
#include <string>

#include "sinew/ethercat/bytes.h"

namespace sinew::ethercat {

class Port {
 public:
  virtual ~Port() = default;

  // The next frame, until the deadline (CLOCK_MONOTONIC [ns]; in the past: only what is there); empty: none. It may be changed where it is, and
  // stays until the next call. Never throws.
  virtual Bytes receive(std::int64_t deadline) = 0;
  virtual void answer() = 0;  // sends that frame back
  virtual std::string name() const = 0;

  std::int64_t strange = 0;  // packets that carried no EtherCAT
};

}  // namespace sinew::ethercat
