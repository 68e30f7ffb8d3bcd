#include "tests/support/raw_client.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace sinew::test {

RawClient::RawClient(std::uint16_t port, int receive_buffer) : socket_(::socket(AF_INET, SOCK_STREAM, 0)), port_(port) {
  if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  const timeval patience{20, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(port);
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0)
    throw std::runtime_error("nobody listens");
}

RawClient::~RawClient() { ::close(socket_); }

void RawClient::send(const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return;
    sent += std::size_t(n);
  }
}

bool RawClient::fill() {
  std::array<char, 65536> bytes;
  const ssize_t n = recv(socket_, bytes.data(), bytes.size(), 0);
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) throw std::runtime_error("no answer in 20 s");
  if (n > 0) buffer_.append(bytes.data(), std::size_t(n));
  return n > 0;
}

bool RawClient::fill_to(std::size_t size) {
  while (buffer_.size() < size)
    if (!fill()) return false;
  return true;
}

HttpAnswer RawClient::answer_to_head() {
  std::size_t end;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos)
    if (!fill()) return {};
  HttpAnswer answer{std::stoi(buffer_.substr(buffer_.find(' '))), buffer_.substr(0, end + 2), {}};
  buffer_.erase(0, end + 4);
  return answer;
}

HttpAnswer RawClient::answer() {
  HttpAnswer answer = answer_to_head();
  const std::string name = "Content-Length: ";
  const std::size_t place = answer.head.find(name);
  const std::size_t size = place == std::string::npos ? 0 : std::stoul(answer.head.substr(place + name.size()));
  if (!fill_to(size)) throw std::runtime_error("the body is shorter than announced");
  answer.body = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return answer;
}

std::string RawClient::rest() {
  while (fill()) {
  }
  return buffer_;
}

HttpAnswer RawClient::upgrade(const std::string& origin, const std::string& target) {
  send(
      fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}Connection: Upgrade\r\nUpgrade: websocket\r\n"
                  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                  target, port_, origin.empty() ? "" : "Origin: " + origin + "\r\n"));
  return answer();
}

void RawClient::send_frame(int opcode, const std::string& payload) {
  std::string bytes(1, char(0x80 | opcode));
  const std::size_t n = payload.size();
  if (n < 126) {
    bytes += char(0x80 | n);
  } else if (n < 65536) {
    bytes += {char(0x80 | 126), char(n >> 8), char(n & 255)};
  } else {
    bytes += char(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8) bytes += char(n >> shift & 255);
  }
  const std::string mask = "\x12\x34\x56\x78";
  bytes += mask;
  for (std::size_t i = 0; i < n; i++) bytes += char(payload[i] ^ mask[i % 4]);
  send(bytes);
}

std::optional<Frame> RawClient::frame() {
  if (!fill_to(2)) return std::nullopt;
  std::size_t head = 2, size = std::uint8_t(buffer_[1]) & 127;
  const std::size_t length_bytes = size == 126 ? 2 : size == 127 ? 8 : 0;
  if (!fill_to(head + length_bytes)) return std::nullopt;
  if (length_bytes > 0) size = 0;
  for (std::size_t i = 0; i < length_bytes; i++) size = size << 8 | std::uint8_t(buffer_[head++]);
  if (!fill_to(head + size)) return std::nullopt;
  Frame frame{buffer_[0] & 15, buffer_.substr(head, size)};
  buffer_.erase(0, head + size);
  return frame;
}

}  // namespace sinew::test
