#include "sinew/ethercat/udp_port.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "sinew/ethercat/wait.h"
#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"

namespace sinew::ethercat {

UdpPort::UdpPort(int port, const std::string& host) : host_(host) {
  sockaddr_in place{};
  place.sin_family = AF_INET;
  if (port < 0 || port > 65535) throw InputError(fmt::format("--udp {}: not a port: give 1 to 65535", port));
  place.sin_port = htons(std::uint16_t(port));
  if (inet_pton(AF_INET, host.c_str(), &place.sin_addr) != 1)
    throw InputError(fmt::format("--listen {}: not an address: give four numbers, as 192.168.1.5", host));
  socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0 || bind(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0) {
    const int reason = errno;
    if (socket_ >= 0) close(socket_);
    throw FileError(fmt::format("--udp {}: {}: {}: give another port", port, host, std::strerror(reason)));
  }
  socklen_t size = sizeof place;
  getsockname(socket_, reinterpret_cast<sockaddr*>(&place), &size);
  port_ = ntohs(place.sin_port);
}

UdpPort::~UdpPort() { close(socket_); }

Bytes UdpPort::receive(std::int64_t deadline) {
  do {
    socklen_t length = sizeof from_;
    const ssize_t n =
        recvfrom(socket_, buffer_.data(), buffer_.size(), 0, reinterpret_cast<sockaddr*>(&from_), &length);
    if (n >= 0) {
      size_ = std::size_t(n);
      return {buffer_.data(), size_};
    }
  } while (wait_for(socket_, deadline));
  return {};
}

void UdpPort::answer() {
  sendto(socket_, buffer_.data(), size_, MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&from_), sizeof from_);
}

std::string UdpPort::name() const { return fmt::format("UDP {}:{}", host_, port_); }

}  // namespace sinew::ethercat
