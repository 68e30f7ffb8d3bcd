// UDP: an image a datagram, one per direction and cycle; nothing is sent twice to make up for a loss. With a key its HMAC stands behind each image.
// The robot takes its first controller by its address, answers others with status::busy, and takes another one once the first has said bye
// or been silent for a while. Without a key nobody but this machine is heard.
// The robot has two sockets at its port: a door that all may knock at, and one of its controller's own, to which the kernel gives nobody else's
// datagrams. So a flood from elsewhere fills the queue of the door alone, and of that little is looked at in a cycle.
#pragma once
#include <netinet/in.h>

#include "sinew/bridge/transport.h"

namespace sinew::bridge {

struct UdpAddress {
  std::string host = "127.0.0.1";
  int port = 0;
  std::string key = {};  // empty: none; then only this machine
};

class Udp : public Transport {
 public:
  // The robot's side waits at the address, the controller's sends there. Throws InputError: not a numeric address, or not of this machine and
  // without a key; FileError: it is taken.
  Udp(const Layout& layout, const UdpAddress& address, Side reads);
  ~Udp() override;
  Udp(const Udp&) = delete;
  Udp& operator=(const Udp&) = delete;

  bool exchange(std::span<const std::byte> out, std::span<std::byte> in, std::int64_t deadline) override;
  std::uint32_t connections() override { return connections_; }
  std::string name() const override;
  int port() const { return port_; }  // that it got, where 0 was asked for

 private:
  enum class Taken { Nothing, Refused, Image };
  bool take_all(std::span<std::byte> in);
  bool drain(int socket, int most, std::span<std::byte> in);
  Taken take(int socket, std::span<std::byte> in);  // one datagram that waits
  bool is_overtaken(const Header& header) const;
  void follow_peer();
  bool is_ours(const sockaddr_in& from, const Header& header);
  void send_to(std::span<const std::byte> image, const sockaddr_in& to);
  void tell(std::uint32_t status, const sockaddr_in& to);  // a header alone
  bool is_authentic(std::size_t size) const;

  Layout layout_;
  UdpAddress address_;
  Side reads_;
  int socket_ = -1, own_ = -1, port_ = 0;  // own_: of the controller that is at work; -1: none
  bool has_peer_ = false;
  sockaddr_in peer_{}, own_peer_{};
  std::int64_t looked_ = 0;  // when the door was looked at last [ns]
  Header newest_;            // of those that one look has found
  std::int64_t heard_ = 0;   // when the peer spoke last [ns]
  std::uint32_t connections_ = 0;
  std::vector<std::byte> datagram_, sent_;
};

}  // namespace sinew::bridge
