// EtherCAT over UDP: the EtherCAT part of a frame is the whole packet (port 0x88a4 by the standard). Answers go where the frame came from.
#pragma once
#include <netinet/in.h>

#include <array>

#include "sinew/ethercat/port.h"

namespace sinew::ethercat {

inline constexpr int udp_port_number = 0x88a4;

class UdpPort : public Port {
 public:
  // Of this machine alone unless another address is given. port 0: any. Throws InputError: no address; FileError: it is taken.
  explicit UdpPort(int port = udp_port_number, const std::string& host = "127.0.0.1");
  ~UdpPort() override;
  UdpPort(const UdpPort&) = delete;
  UdpPort& operator=(const UdpPort&) = delete;

  Bytes receive(std::int64_t deadline) override;
  void answer() override;
  std::string name() const override;
  int port() const { return port_; }

 private:
  int socket_ = -1, port_ = 0;
  std::string host_;
  sockaddr_in from_{};
  std::size_t size_ = 0;
  std::array<std::uint8_t, 2048> buffer_{};
};

}  // namespace sinew::ethercat
