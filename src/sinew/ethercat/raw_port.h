// Raw Ethernet frames of type 0x88a4 on an interface (AF_PACKET; needs CAP_NET_RAW). Each goes back as it came, changed where slaves were, with the
// bit in its source address that a slave sets: so a master tells an answer from its own frame.
#pragma once
#include <array>

#include "sinew/ethercat/port.h"

namespace sinew::ethercat {

class RawPort : public Port {
 public:
  explicit RawPort(const std::string& interface);  // throws InputError: there is none; FileError: it may not be used
  ~RawPort() override;
  RawPort(const RawPort&) = delete;
  RawPort& operator=(const RawPort&) = delete;

  Bytes receive(std::int64_t deadline) override;
  void answer() override;
  std::string name() const override { return "interface " + interface_; }

 private:
  int socket_ = -1;
  std::string interface_;
  std::size_t size_ = 0;
  std::array<std::uint8_t, 2048> buffer_{};
};

}  // namespace sinew::ethercat
