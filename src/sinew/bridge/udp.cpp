#include "sinew/bridge/udp.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sinew/bridge/authenticate.h"
#include "sinew/bridge/clock.h"
#include "sinew/bridge/crc.h"
#include "sinew/files/errors.h"
#include "sinew/sim/errors.h"

namespace sinew::bridge {
namespace {

constexpr std::size_t mac_bytes = sizeof(Digest);
constexpr std::int64_t silence = 2'000'000'000;  // after which another controller may come [ns]
// While a controller is at work: how often the robot looks who else is at the door, and at how many of them [ns, 1].
constexpr std::int64_t door_period = 1'000'000;
constexpr int visitors = 4, most_waiting = 64;
constexpr std::size_t most_checked =
    8192;  // with a key: of more bytes nobody works out a code, unless images are as long

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

sockaddr_in address_of(const UdpAddress& a) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(std::uint16_t(a.port));
  if (a.port < 0 || a.port > 65535) throw InputError(fmt::format("--udp {}: not a port: give 1 to 65535", a.port));
  if (inet_pton(AF_INET, a.host.c_str(), &out.sin_addr) != 1)
    throw InputError(fmt::format("--listen {}: not an address: give four numbers, as 192.168.1.5", a.host));
  const bool is_here = (ntohl(out.sin_addr.s_addr) >> 24) == 127;
  if (!is_here && a.key.empty())
    throw InputError(fmt::format("--listen {}: others reach this address: give --key FILE as well", a.host));
  return out;
}

bool is_same_place(const sockaddr_in& a, const sockaddr_in& b) {
  return a.sin_port == b.sin_port && a.sin_addr.s_addr == b.sin_addr.s_addr;
}

}  // namespace

Udp::Udp(const Layout& layout, const UdpAddress& address, Side reads)
    : layout_(layout), address_(address), reads_(reads) {
  const sockaddr_in place = address_of(address);
  socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0) throw FileError(fmt::format("--udp {}: {}", address.port, std::strerror(errno)));
  if (reads == Side::References) {
    if (bind(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0) {
      const int reason = errno;
      close(socket_);
      throw FileError(
          fmt::format("--udp {}: {}: {}: give another port", address.port, address.host, std::strerror(reason)));
    }
    sockaddr_in got{};
    socklen_t size = sizeof got;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&got), &size);
    port_ = ntohs(got.sin_port);
  } else {
    peer_ = place;
    has_peer_ = true;
    port_ = address.port;
    // Nobody else is heard then. If it cannot be, others are dropped one by one.
    static_cast<void>(connect(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place));
  }
  datagram_.resize(65536);
  sent_.resize(std::max(layout.measured_bytes(), layout.references_bytes()) + mac_bytes);
  if (sent_.size() > 65000)
    throw InputError(fmt::format("--udp: an image of {} bytes is too long for a datagram: use --shm", sent_.size()));
}

Udp::~Udp() {
  if (socket_ >= 0) close(socket_);
  if (own_ >= 0) close(own_);
}

std::string Udp::name() const { return fmt::format("UDP {}:{}", address_.host, port_); }

void Udp::send_to(std::span<const std::byte> image, const sockaddr_in& to) {
  std::size_t size = image.size();
  const std::byte* data = image.data();
  if (!address_.key.empty()) {
    std::ranges::copy(image, sent_.begin());
    data = sent_.data();
    const Digest mac = hmac(bytes_of(address_.key), image);
    std::ranges::copy(mac, sent_.begin() + std::ptrdiff_t(size));
    size += mac.size();
  }
  // What cannot be sent is lost, as on any wire; but not because nobody was there the last time, which is told only now.
  const auto send = [&] { return sendto(socket_, data, size, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to); };
  if (send() < 0 && errno == ECONNREFUSED) static_cast<void>(send());
}

void Udp::tell(std::uint32_t status, const sockaddr_in& to) {
  Header header;
  header.magic = measured_magic;
  header.layout = layout_.hash;
  header.status = status;
  std::array<std::byte, sizeof header> bytes;
  std::memcpy(bytes.data(), &header, sizeof header);
  header.crc = crc32(bytes);  // its field is zero there
  std::memcpy(bytes.data(), &header, sizeof header);
  send_to(bytes, to);
}

bool Udp::is_authentic(std::size_t size) const {
  const std::span<const std::byte> all(datagram_.data(), size);
  if (size < mac_bytes + sizeof(Header) || size > std::max(sent_.size(), most_checked)) return false;
  if (header_of(all).magic != (reads_ == Side::Measured ? measured_magic : references_magic)) return false;
  return is_same(hmac(bytes_of(address_.key), all.first(size - mac_bytes)), all.last(mac_bytes));
}

// Robot: the first who comes; another one when that has gone.
bool Udp::is_ours(const sockaddr_in& from, const Header& header) {
  const std::int64_t now = MonotonicClock().now();
  if (reads_ == Side::Measured) return is_same_place(from, peer_);
  const bool known = has_peer_ && is_same_place(from, peer_);
  if (!known && has_peer_ && now - heard_ < silence) {
    counts_.second++;
    if (!(header.status & status::bye)) tell(status::busy, from);
    return false;
  }
  if (!known || (header.status & status::hello && header.tick == 0)) connections_++;
  peer_ = from;
  heard_ = now;
  has_peer_ = !(header.status & status::bye);
  return true;
}

// The robot's socket for the controller that is at work, beside the door at the same address. Only in this moment may two sockets have it: another
// robot that comes finds it taken. Without one (it could not be had) the door does for all.
void Udp::follow_peer() {
  const bool is_his = has_peer_ && is_same_place(own_peer_, peer_);
  if (reads_ != Side::References || is_his) return;
  if (own_ >= 0) close(own_);
  own_ = -1;
  own_peer_ = has_peer_ ? peer_ : sockaddr_in{};
  if (!has_peer_) return;
  const int fresh = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fresh < 0) return;
  const auto share = [](int socket, int yes) {
    return setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0;
  };
  sockaddr_in place = address_of(address_);
  place.sin_port = htons(std::uint16_t(port_));
  const bool is_bound =
      share(socket_, 1) && share(fresh, 1) && bind(fresh, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0;
  share(socket_, 0);
  share(fresh, 0);
  if (is_bound && connect(fresh, reinterpret_cast<const sockaddr*>(&peer_), sizeof peer_) == 0)
    own_ = fresh;
  else
    close(fresh);
}

// Late, behind a newer one of the same side.
bool Udp::is_overtaken(const Header& header) const {
  constexpr std::uint32_t others = status::hello | status::bye | status::busy | status::wrong_layout;
  return !((header.status | newest_.status) & others) && header.session == newest_.session &&
         header.tick < newest_.tick;
}

Udp::Taken Udp::take(int socket, std::span<std::byte> in) {
  sockaddr_in from{};
  socklen_t length = sizeof from;
  const ssize_t got =
      recvfrom(socket, datagram_.data(), datagram_.size(), 0, reinterpret_cast<sockaddr*>(&from), &length);
  if (got < 0)  // that the other side is not there is told in place of a datagram
    return errno == EAGAIN || errno == EWOULDBLOCK ? Taken::Nothing : Taken::Refused;
  std::size_t size = std::size_t(got);
  if (!address_.key.empty()) {
    if (!is_authentic(size)) {
      counts_.forged++;
      return Taken::Refused;
    }
    size -= mac_bytes;
  }
  const std::span<const std::byte> image(datagram_.data(), size);
  const Frame frame = check_frame(image, layout_, reads_);
  if (frame == Frame::Garbage) {
    counts_.garbage++;
    return Taken::Refused;
  }
  const Header header = header_of(image);
  // A robot answers in as many bytes as a header has, never more than it was sent.
  if (frame == Frame::WrongLayout) {
    counts_.wrong_layout++;
    if (reads_ == Side::References) tell(status::wrong_layout, from);
    if (reads_ != Side::Measured || !is_same_place(from, peer_) ||
        !(header.status & (status::busy | status::wrong_layout)))
      return Taken::Refused;
  }
  if (frame == Frame::Sound && !is_ours(from, header)) return Taken::Refused;
  if (is_overtaken(header)) return Taken::Refused;
  newest_ = header;
  const std::size_t n = std::min(image.size(), in.size());
  std::ranges::copy(image.first(n), in.begin());
  std::ranges::fill(in.subspan(n), std::byte{0});
  counts_.received++;
  return Taken::Image;
}

bool Udp::drain(int socket, int most, std::span<std::byte> in) {
  bool got = false;
  for (int i = 0; i < most; i++) {
    const Taken taken = take(socket, in);
    if (taken == Taken::Nothing) break;
    got = got || taken == Taken::Image;
  }
  return got;
}

// Of all that wait the newest counts: a late one is dropped for those behind it.
bool Udp::take_all(std::span<std::byte> in) {
  newest_ = {};
  bool got = false;
  if (own_ < 0) {
    got = drain(socket_, most_waiting, in);
  } else if (const std::int64_t now = MonotonicClock().now(); now - looked_ >= door_period) {
    looked_ = now;
    got = drain(socket_, visitors, in);
  }
  follow_peer();
  if (own_ >= 0) got = drain(own_, most_waiting, in) || got;
  follow_peer();  // it may have said bye
  return got;
}

bool Udp::exchange(std::span<const std::byte> out, std::span<std::byte> in, std::int64_t deadline) {
  if (!out.empty() && has_peer_) send_to(out, peer_);
  if (in.empty()) return false;
  MonotonicClock clock;
  for (int i = 0;; i++) {
    if (take_all(in)) return true;
    std::int64_t left = deadline - clock.now();
    if (left <= 0) return false;
    if (i < 20) continue;  // an answer takes some microseconds: a sleeper would wake up later
    if (own_ >= 0) left = std::min(left, 10 * door_period);
    pollfd waits{own_ >= 0 ? own_ : socket_, POLLIN, 0};
    const timespec t{.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    ppoll(&waits, 1, &t, nullptr);
  }
}

}  // namespace sinew::bridge
