#include "sinew/ethercat/raw_port.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "sinew/ethercat/wait.h"
#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"

namespace sinew::ethercat {
namespace {

constexpr std::uint16_t ether_type = 0x88a4;
constexpr std::size_t ethernet_header = 14;

}  // namespace

RawPort::RawPort(const std::string& interface) : interface_(interface) {
  const unsigned index = if_nametoindex(interface.c_str());
  if (index == 0)
    throw InputError(fmt::format("--interface {}: there is no such network interface: ip link names them", interface));
  socket_ = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, htons(ether_type));
  sockaddr_ll place{};
  place.sll_family = AF_PACKET;
  place.sll_protocol = htons(ether_type);
  place.sll_ifindex = int(index);
  packet_mreq all{};
  all.mr_ifindex = int(index);
  all.mr_type = PACKET_MR_PROMISC;
  if (socket_ >= 0 && bind(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0 &&
      setsockopt(socket_, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) == 0)
    return;
  const int reason = errno;
  if (socket_ >= 0) close(socket_);
  throw FileError(
      fmt::format("--interface {}: {}: raw frames need root, or the capability CAP_NET_RAW; --udp needs neither",
                  interface, std::strerror(reason)));
}

RawPort::~RawPort() { close(socket_); }

Bytes RawPort::receive(std::int64_t deadline) {
  do {
    sockaddr_ll from{};
    socklen_t length = sizeof from;
    const ssize_t n = recvfrom(socket_, buffer_.data(), buffer_.size(), 0, reinterpret_cast<sockaddr*>(&from), &length);
    if (n < 0) continue;
    if (from.sll_pkttype == PACKET_OUTGOING || std::size_t(n) <= ethernet_header) continue;
    size_ = std::size_t(n);
    return {buffer_.data() + ethernet_header, size_ - ethernet_header};
  } while (wait_for(socket_, deadline));
  return {};
}

void RawPort::answer() {
  buffer_[6] |= 2;  // locally administered
  send(socket_, buffer_.data(), size_, MSG_DONTWAIT);
}

}  // namespace sinew::ethercat
